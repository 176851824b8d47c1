// SPDX-License-Identifier: MIT
// What is free in the real cluster, and who comes and goes there.
#include <bit>

#include "life.h"

namespace lives {

namespace {

std::int64_t amount(const Resources& resources, const std::string& name) {
  const auto at = resources.find(name);
  return at == resources.end() ? 0 : at->second;
}

}  // namespace

// Devices of which anything is in use.
std::uint64_t Life::used_devices(const std::string& node, std::uint64_t but_run) const {
  std::uint64_t used = 0;
  for (const Running& each : running_on(real_, node)) {
    if (each.task->run == but_run && but_run != 0) continue;
    used |= each.task->place.gpus;
    if (each.task->place.share > 0) used |= std::uint64_t{1} << each.task->place.share_device;
  }
  return used;
}

bool Life::fits_amounts(const Job& job, const Task& task, const Node& node) const {
  for (const auto& [resource, asked] : task.resources) {
    const bool by_group = real_.by_group(job.group, resource);
    std::int64_t used = 0;
    for (const auto& [id, other] : real_.jobs) {
      for (const Task& each : other.tasks) {
        if (!each.placed) continue;
        if (by_group ? other.group == job.group : each.place.node == node.id)
          used += amount(each.resources, resource);
      }
    }
    const std::int64_t most =
        amount(by_group ? real_.groups.at(job.group).resources : node.resources, resource);
    if (used + asked > most) return false;
  }
  return true;
}

bool Life::choose_devices(const Task& task, const Node& node, Place& place) const {
  place = {};
  place.node = node.id;
  const std::int64_t gpus = amount(task.resources, "gpu");
  const std::uint32_t devices = node.devices();
  if (gpus == 0 || devices == 0) return gpus == 0 || real_.by_group(node.group, "gpu");
  const std::uint64_t used = used_devices(node.id);
  std::int64_t whole = gpus / 1000;
  // Any free device will do, so they are not always taken from the first one on.
  const auto first = static_cast<std::uint32_t>(next_run_ / 3 % devices);
  for (std::uint32_t i = 0; i < devices && whole > 0; ++i) {
    const std::uint32_t device = (first + i) % devices;
    if ((used >> device & 1) != 0) continue;
    place.gpus |= std::uint64_t{1} << device;
    --whole;
  }
  if (whole > 0) return false;
  const auto share = static_cast<std::uint32_t>(gpus % 1000);
  if (share == 0) return true;
  for (std::uint32_t device = 0; device < devices; ++device) {
    Place with = place;
    with.share = share;
    with.share_device = device;
    std::uint32_t total = share;
    bool taken = (place.gpus >> device & 1) != 0;
    for (const Running& each : running_on(real_, node.id)) {
      taken = taken || (each.task->place.gpus >> device & 1) != 0;
      if (each.task->place.share > 0 && each.task->place.share_device == device)
        total += each.task->place.share;
    }
    if (taken || total > 1000) continue;
    place = with;
    return true;
  }
  return false;
}

Millis Life::started_now() {
  if (random_.chance(8)) return clock_ - random_.between(0, 120) * 1000;  // a node's clock is behind
  return clock_;
}

bool Life::place_somewhere(Job& job, Task& task, const std::string& wanted) {
  std::vector<std::string> nodes;
  for (const auto& [id, node] : real_.nodes) {
    if (wanted.empty() || wanted == id) nodes.push_back(id);
  }
  random_.shuffle(nodes);
  for (const std::string& id : nodes) {
    const Node& node = real_.nodes.at(id);
    Place place;
    if (node.group != job.group || node.state != "up") continue;
    if (!task.required_node.empty() && task.required_node != id) continue;
    if (!fits_amounts(job, task, node) || !choose_devices(task, node, place)) continue;
    task.placed = true;
    task.place = place;
    task.run = ++next_run_;
    task.started = started_now();
    task.tells_devices = !random_.chance(silent_);
    return true;
  }
  return false;
}

// All of a job's waiting tasks, or those that find room where it is no gang.
bool Life::try_to_run(Job& job) {
  const Job before = job;
  real_.jobs[job.id] = job;  // its own tasks count among each other
  Job& known = real_.jobs[job.id];
  bool all = true;
  for (Task& task : known.tasks) {
    if (!task.placed && !place_somewhere(known, task, {})) all = false;
  }
  if (!all && known.gang != 0) known = before;
  known.started = 0;
  for (const Task& task : known.tasks) {
    if (task.placed && (known.started == 0 || task.started < known.started)) known.started = task.started;
  }
  job = known;
  return job.runs();
}

void Life::end_run(Job& job, Task& task) {
  if (!task.placed) return;
  say("      " + job.id + "/" + task.id + " has left " + task.place.node);
  task.placed = false;
  task.place = {};
  task.run = 0;
  task.started = 0;
  task.tells_devices = true;
}

}  // namespace lives
