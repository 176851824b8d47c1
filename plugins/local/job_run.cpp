// SPDX-License-Identifier: MIT
#include "job_run.h"

#include <algorithm>
#include <array>

#include "cli/json_text.h"
#include "duration.h"

namespace local {

namespace {

constexpr std::array<std::string_view, 7> kEnds{"",        "completed",  "failed", "preempted",
                                                "refused", "impossible", "stopped"};

std::string gpus_json(const cede_place& devices) {
  std::string out;
  for (unsigned i = 0; i < 64; ++i) {
    if ((devices.gpus >> i & 1) != 0) out += (out.empty() ? "" : ",") + std::to_string(i);
  }
  if (devices.share > 0) {
    out += (out.empty() ? "" : ",") + ("{\"index\":" + std::to_string(devices.share_device)) +
           ",\"share\":" + seconds(devices.share) + '}';
  }
  return '[' + out + ']';
}

std::string task_json(const TaskSpec& spec, const Amounts& uses, const TaskRun& run) {
  std::string out = "{\"id\":" + cli::json_quoted(spec.id);
  if (!spec.members.empty()) out += ',' + spec.members;
  if (!uses.empty()) out += ",\"resources\":" + json_of(uses);
  if (run.state == TaskState::running) {
    out += ",\"node\":" + cli::json_quoted(run.place.node) + ",\"started\":" + seconds(run.started);
    const bool has_devices = run.place.devices.gpus != 0 || run.place.devices.share > 0;
    if (has_devices && run.place.devices.devices_known != 0)
      out += ",\"gpus\":" + gpus_json(run.place.devices);
  }
  return out + '}';
}

}  // namespace

bool JobRun::has(TaskState state) const {
  return std::any_of(tasks.begin(), tasks.end(),
                     [state](const TaskRun& task) { return task.state == state; });
}

TaskRun* JobRun::task(const std::string& id, std::size_t& index) {
  for (index = 0; index < tasks.size(); ++index) {
    if (spec->tasks[index].id == id) return &tasks[index];
  }
  return nullptr;
}

std::string JobRun::json(bool submission) const {
  const char* state = has(TaskState::running) ? "running" : has(TaskState::waiting) ? "pending" : "suspended";
  std::string out = "{\"id\":" + cli::json_quoted(spec->id);
  if (!spec->members.empty()) out += ',' + spec->members;
  if (!max.empty()) out += ",\"max\":" + json_of(max);
  if (submission) {
    out += spec->submitted_members;
  } else {
    out += ",\"priority\":" + std::to_string(priority) + ",\"class\":" + std::to_string(job_class);
  }
  out += ",\"state\":\"" + std::string(state) + "\",\"submitted\":" + seconds(submitted);
  out += ",\"waiting_since\":" + seconds(waiting_since);
  out += ",\"preempted_count\":" + std::to_string(preempted_count);
  if (resume) out += ",\"resume\":true";
  if (!spec->checkpoint.empty() || checkpoint > 0) {
    out += ",\"checkpoint\":{" + spec->checkpoint;
    if (checkpoint > 0) out += (spec->checkpoint.empty() ? "" : ",") + ("\"last\":" + seconds(checkpoint));
    out += '}';
  }
  std::int64_t started = 0;
  std::string list;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (tasks[i].state == TaskState::done) continue;
    list += (list.empty() ? "" : ",") + task_json(spec->tasks[i], uses[i], tasks[i]);
    if (tasks[i].state == TaskState::running && (started == 0 || tasks[i].started < started))
      started = tasks[i].started;
  }
  if (started > 0) out += ",\"started\":" + seconds(started);
  return out + ",\"tasks\":[" + list + "]}";
}

std::string visible_devices(const cede_place& devices) {
  std::string out;
  for (unsigned i = 0; i < 64; ++i) {
    const bool shared = devices.share > 0 && devices.share_device == i;
    if ((devices.gpus >> i & 1) != 0 || shared) out += (out.empty() ? "" : ",") + std::to_string(i);
  }
  return out;
}

std::string device_ranges(const cede_place& devices) {
  const auto has = [&devices](unsigned i) { return i < 64 && (devices.gpus >> i & 1) != 0; };
  std::string out;
  for (unsigned i = 0; i < 64; ++i) {
    if (!has(i)) continue;
    const unsigned first = i;
    while (has(i + 1)) ++i;
    out += (out.empty() ? "" : ",") + std::to_string(first);
    if (i > first) out += '-' + std::to_string(i);
  }
  if (devices.share > 0)
    out += (out.empty() ? "" : ",") + seconds(devices.share) + " of " + std::to_string(devices.share_device);
  return out;
}

std::string_view word_of(JobEnd end) { return kEnds[static_cast<std::size_t>(end)]; }

}  // namespace local
