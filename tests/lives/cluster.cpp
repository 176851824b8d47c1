// SPDX-License-Identifier: MIT
#include "cluster.h"

#include <algorithm>

namespace lives {

const std::map<std::string, std::uint32_t> kTopologies{{"box1", 1}, {"box2", 2}, {"box4", 4}, {"box8", 8}};

bool has_room(const Place& place, const std::vector<Place>& others) {
  for (std::uint32_t device = 0; device < 64; ++device) {
    const auto part = [&](const Place& each) {
      if ((each.gpus >> device & 1) != 0) return 1000u;
      return each.share > 0 && each.share_device == device ? each.share : 0u;
    };
    std::uint32_t total = part(place);
    if (total == 0) continue;
    for (const Place& each : others) total += part(each);
    if (total > 1000) return false;
  }
  return true;
}

bool Job::runs() const {
  return std::any_of(tasks.begin(), tasks.end(), [](const Task& task) { return task.placed; });
}

bool Job::waits() const {
  return std::any_of(tasks.begin(), tasks.end(), [](const Task& task) { return !task.placed; });
}

Task* Job::find(const std::string& task) {
  const auto at = std::find_if(tasks.begin(), tasks.end(), [&](const Task& each) { return each.id == task; });
  return at == tasks.end() ? nullptr : &*at;
}

const Task* Job::find(const std::string& task) const { return const_cast<Job*>(this)->find(task); }

bool Node::tells_devices_of(const Task& task) const {
  return tells_devices && task.tells_devices && devices() > 0;
}

std::uint32_t Node::devices() const {
  if (!topology.empty()) return kTopologies.at(topology);
  const auto gpu = resources.find("gpu");
  return gpu == resources.end() ? 0 : static_cast<std::uint32_t>(gpu->second / 1000);
}

const Node* Cluster::node(const std::string& id) const {
  const auto at = nodes.find(id);
  return at == nodes.end() ? nullptr : &at->second;
}

Job* Cluster::job(const std::string& id) {
  const auto at = jobs.find(id);
  return at == jobs.end() ? nullptr : &at->second;
}

const Job* Cluster::job(const std::string& id) const { return const_cast<Cluster*>(this)->job(id); }

bool Cluster::is_below(const std::string& queue, const std::string& root) const {
  for (std::string at = queue; !at.empty();) {
    if (at == root) return true;
    const auto found = queues.find(at);
    at = found == queues.end() ? std::string() : found->second.parent;
  }
  return false;
}

std::string Cluster::kind_of(const Job& job) const {
  if (!job.kind.empty()) return job.kind;
  for (std::string at = job.queue; !at.empty();) {
    const auto found = queues.find(at);
    if (found == queues.end()) break;
    if (!found->second.kind.empty()) return found->second.kind;
    at = found->second.parent;
  }
  return "batch";
}

bool Cluster::is_sensitive(const Job& job) const {
  return job.job_class == 10 || kind_of(job) == "sensitive";
}

bool Cluster::by_group(const std::string& group, const std::string& resource) const {
  const auto found = groups.find(group);
  return found != groups.end() && found->second.resources.contains(resource);
}

std::vector<Running> running_on(const Cluster& cluster, const std::string& node) {
  std::vector<Running> out;
  for (const auto& [id, job] : cluster.jobs) {
    for (const Task& task : job.tasks) {
      if (task.placed && task.place.node == node) out.push_back({&job, &task});
    }
  }
  return out;
}

}  // namespace lives
