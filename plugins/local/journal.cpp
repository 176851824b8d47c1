// SPDX-License-Identifier: MIT
#include "journal.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "cli/json_text.h"
#include "cli/json_tree.h"
#include "file_io.h"

namespace local {

namespace {

constexpr const char* kFormat = "cede-journal/4";

std::uint64_t checksum(std::string_view bytes) {
  std::uint64_t sum = 1469598103934665603ULL;  // FNV-1a
  for (const char c : bytes) sum = (sum ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return sum;
}

std::string field(const char* name, std::int64_t value) {
  return ",\"" + std::string(name) + "\":" + std::to_string(value);
}

std::string field(const char* name, const std::string& value) {
  return ",\"" + std::string(name) + "\":" + cli::json_quoted(value);
}

std::string task_record(const TaskRun& task) {
  std::string out = "{\"state\":" + std::to_string(static_cast<int>(task.state));
  out += field("attempt", task.attempt) + field("started", task.started) + field("hinted", task.hinted);
  out += field("marked", task.marked) + field("ending", task.ending) + field("saved", task.saved);
  out += field("lost", task.lost) + field("resume", task.resume);
  out += ",\"gpus\":\"" + std::to_string(task.place.devices.gpus) + '"';
  out += field("known", task.place.devices.devices_known) + field("share", task.place.devices.share);
  out += field("device", task.place.devices.share_device);
  out += field("progress", task.seen_progress) + field("deferral", task.seen_deferral) +
         field("failure", task.seen_failure);
  return out + ",\"node\":" + cli::json_quoted(task.place.node) + '}';
}

std::string job_record(const JobRun& job) {
  std::string out = "{\"id\":" + cli::json_quoted(job.spec->id) + field("arrived", job.arrived);
  out += field("end", static_cast<int>(job.end)) + field("submitted", job.submitted);
  out += field("waiting_since", job.waiting_since) + field("priority", job.priority);
  out +=
      field("class", job.job_class) + field("preempted", job.preempted_count) + field("resume", job.resume);
  out += field("checkpoint", job.checkpoint) + field("failing", job.failing);
  out += field("losses", job.losses) + field("waited", job.waited);
  out += field("starts", job.starts) + field("resumes", job.resumes) + field("preemptions", job.preemptions) +
         field("lost_work", job.lost_work);
  out += ",\"reason\":" + cli::json_quoted(cli::as_utf8(job.reason)) + ",\"bound\":[";
  for (const std::string& node : job.checkpoint_nodes)
    out += (&node == &job.checkpoint_nodes.front() ? "" : ",") + cli::json_quoted(node);
  out += "],\"tasks\":[";
  for (const TaskRun& task : job.tasks) out += (&task == &job.tasks.front() ? "" : ",") + task_record(task);
  return out + "]}";
}

std::string event_record(const EventRun& event) {
  return "{\"phase\":" + std::to_string(static_cast<int>(event.phase)) +
         field("entry", static_cast<std::int64_t>(event.entry)) + field("ready", event.ready) +
         field("victims", event.victims) + '}';
}

std::string relief_record(const ReliefRun& relief) {
  return "{\"target\":" + cli::json_quoted(relief.target) + field("group", relief.group) +
         field("partial", relief.partial) + field("entry", static_cast<std::int64_t>(relief.entry)) +
         field("plans", relief.plans) + field("victims", relief.victims) + field("over", relief.over) + '}';
}

template <typename Record>
std::string list_of(const std::vector<Record>& records, std::string (*write)(const Record&)) {
  std::string out;
  for (const Record& record : records) out += (out.empty() ? "\n" : ",\n") + write(record);
  return '[' + out + ']';
}

template <typename Number>
void take(const cli::JsonNode& object, const char* name, Number& out) {
  const cli::JsonNode* node = object.find(name);
  if (!node) return;
  if constexpr (std::is_same_v<Number, std::uint64_t>) {
    out = std::strtoull(node->text.c_str(), nullptr, 10);
  } else {
    out = static_cast<Number>(std::strtoll(node->text.c_str(), nullptr, 10));
  }
}

void take_text(const cli::JsonNode& object, const char* name, std::string& out) {
  if (const cli::JsonNode* node = object.find(name)) out = node->text;
}

// Each false for what no journal says; a checksum that is right does not make it true.
bool read_task(const cli::JsonNode& node, TaskRun& task) {
  int state = 0;
  take(node, "state", state);
  if (state < 0 || state > static_cast<int>(TaskState::done)) return false;
  task.state = static_cast<TaskState>(state);
  take(node, "attempt", task.attempt);
  take(node, "started", task.started);
  take(node, "hinted", task.hinted);
  take(node, "marked", task.marked);
  take(node, "ending", task.ending);
  take(node, "saved", task.saved);
  take(node, "lost", task.lost);
  take(node, "resume", task.resume);
  take(node, "gpus", task.place.devices.gpus);
  take(node, "known", task.place.devices.devices_known);
  take(node, "share", task.place.devices.share);
  take(node, "device", task.place.devices.share_device);
  take_text(node, "progress", task.seen_progress);
  take_text(node, "deferral", task.seen_deferral);
  take_text(node, "failure", task.seen_failure);
  take_text(node, "node", task.place.node);
  return task.state != TaskState::running || (task.attempt > 0 && !task.place.node.empty());
}

bool read_job(const cli::JsonNode& node, JobRun& job) {
  int end = 0;
  take(node, "arrived", job.arrived);
  take(node, "end", end);
  if (end < 0 || end > static_cast<int>(JobEnd::stopped)) return false;
  job.end = static_cast<JobEnd>(end);
  take(node, "submitted", job.submitted);
  take(node, "waiting_since", job.waiting_since);
  take(node, "priority", job.priority);
  take(node, "class", job.job_class);
  take(node, "preempted", job.preempted_count);
  take(node, "resume", job.resume);
  take(node, "checkpoint", job.checkpoint);
  take(node, "failing", job.failing);
  take(node, "losses", job.losses);
  take(node, "waited", job.waited);
  take(node, "starts", job.starts);
  take(node, "resumes", job.resumes);
  take(node, "preemptions", job.preemptions);
  take(node, "lost_work", job.lost_work);
  take_text(node, "reason", job.reason);
  if (const cli::JsonNode* bound = node.find("bound")) {
    for (const cli::JsonNode& item : bound->items) job.checkpoint_nodes.push_back(item.text);
  }
  const cli::JsonNode* tasks = node.find("tasks");
  if (!tasks || tasks->items.size() != job.tasks.size()) return false;
  for (std::size_t i = 0; i < job.tasks.size(); ++i) {
    job.tasks[i].resume = job.resume;  // a journal of an older version says no more
    if (!read_task(tasks->items[i], job.tasks[i])) return false;
  }
  return true;
}

bool read_event(const cli::JsonNode& node, EventRun& event) {
  int phase = 0;
  take(node, "phase", phase);
  if (phase < 0 || phase > static_cast<int>(EventPhase::ready)) return false;
  event.phase = static_cast<EventPhase>(phase);
  take(node, "entry", event.entry);
  take(node, "ready", event.ready);
  take(node, "victims", event.victims);
  return event.is_claim() || !event.is_open_claim();
}

ReliefRun read_relief(const cli::JsonNode& node) {
  ReliefRun relief;
  take_text(node, "target", relief.target);
  take_text(node, "group", relief.group);
  take(node, "partial", relief.partial);
  take(node, "entry", relief.entry);
  take(node, "plans", relief.plans);
  take(node, "victims", relief.victims);
  take(node, "over", relief.over);
  return relief;
}

bool is_of(const cli::JsonNode& record, const JobRun& job) {
  const cli::JsonNode* id = record.find("id");
  return id && id->text == job.spec->id;
}

}  // namespace

Fault Journal::write(const std::string& file, const std::vector<JobRun>& jobs,
                     const std::vector<EventRun>& events) const {
  char number[64];
  std::snprintf(number, sizeof number, "%.17g", speed);
  std::string own = "{\"origin\":" + std::to_string(origin) + field("passed", passed) + field("over", over) +
                    field("stopping", stopping) + field("wall", written.wall) +
                    field("since_boot", written.since_boot) + ",\"boot\":" + cli::json_quoted(written.boot) +
                    ",\"speed\":" + number + ",\"events\":" + list_of(events, event_record) +
                    ",\"relief\":" + list_of(relief, relief_record) +
                    ",\"jobs\":" + list_of(jobs, job_record) + '}';
  const std::string body = own + engine;
  std::string head = std::string(kFormat) + ' ' + std::to_string(own.size()) + ' ' +
                     std::to_string(engine.size()) + ' ' + std::to_string(checksum(body)) + '\n';
  return replace_file(file, head + body, true);
}

std::string Journal::read(const std::string& file, std::vector<JobRun>& jobs, std::vector<EventRun>& events) {
  std::string text;
  if (const int number = read_whole(file, text); number != 0)
    return "cannot read '" + file + "': " + std::strerror(number);
  unsigned long long own_size = 0, engine_size = 0, sum = 0;
  const std::size_t head = text.find('\n') + 1;
  const std::string damaged = "'" + file + "' is damaged";
  if (text.starts_with("cede-journal/") && !text.starts_with(std::string(kFormat) + ' '))
    return "'" + file + "' was written by another version of cede";
  if (std::sscanf(text.c_str(), "cede-journal/4 %llu %llu %llu", &own_size, &engine_size, &sum) != 3 ||
      own_size > text.size() - head || text.size() - head - own_size != engine_size ||
      checksum(std::string_view(text).substr(head)) != sum)
    return damaged;
  engine = text.substr(head + own_size);
  cli::JsonNode root;
  cli::JsonFault fault;
  if (!cli::read_tree(std::string_view(text).substr(head, own_size), root, fault))
    return "'" + file + "': " + fault.text;
  take(root, "origin", origin);
  take(root, "over", over);
  take(root, "stopping", stopping);
  take(root, "passed", passed);
  take(root, "wall", written.wall);
  take(root, "since_boot", written.since_boot);
  take_text(root, "boot", written.boot);
  if (const cli::JsonNode* node = root.find("speed")) speed = std::strtod(node->text.c_str(), nullptr);
  if (!(speed >= 0.01 && speed <= 10000) || origin < 0 || passed < 0) return damaged;
  const cli::JsonNode* records = root.find("jobs");
  if (!records || !std::equal(records->items.begin(), records->items.end(), jobs.begin(), jobs.end(), is_of))
    return "'" + file + "' is of another scenario";
  const std::vector<cli::JsonNode>& happened = root.list_of("events");
  if (happened.size() != events.size()) return "'" + file + "' is of another scenario";
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (!read_event(happened[i], events[i])) return damaged;
  }
  for (const cli::JsonNode& node : root.list_of("relief")) relief.push_back(read_relief(node));
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (!read_job(records->items[i], jobs[i])) return damaged;
  }
  return {};
}

}  // namespace local
