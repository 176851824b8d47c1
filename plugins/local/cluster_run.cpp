// SPDX-License-Identifier: MIT
#include "cluster_run.h"

#include <algorithm>

namespace local {

namespace {

using Kind = EventSpec::Kind;

template <typename Runs>
auto find(Runs& runs, const std::string& id) {
  return std::find_if(runs.begin(), runs.end(), [&id](const auto& run) { return run.spec->id == id; });
}

}  // namespace

bool change_the_same(const EventSpec& a, const EventSpec& b) {
  const auto is_state = [](Kind kind) { return kind == Kind::node_down || kind == Kind::node_up; };
  const bool same_kind = a.kind == b.kind || (is_state(a.kind) && is_state(b.kind));
  return same_kind && a.target() == b.target();
}

ClusterRun::ClusterRun(const Scenario& scenario) {
  for (const NodeSpec& node : scenario.nodes) nodes_.push_back({&node, node.resources, node.state});
  for (const QueueSpec& queue : scenario.queues) queues_.push_back({&queue, queue.max});
}

void ClusterRun::apply(const std::vector<EventRun>& events, const EventSpec* due, std::vector<JobRun>& jobs) {
  for (NodeRun& node : nodes_) node = {node.spec, node.spec->resources, node.spec->state};
  for (QueueRun& queue : queues_) queue.max = queue.spec->max;
  for (JobRun& job : jobs) {
    job.max = job.spec->max;
    for (std::size_t t = 0; t < job.uses.size(); ++t) job.uses[t] = job.spec->tasks[t].resources;
  }
  for (const EventRun& event : events) {
    const bool tried = due && event.phase == EventPhase::refused && change_the_same(*event.spec, *due);
    if (event.phase == EventPhase::happened || tried) change(*event.spec, jobs);
  }
}

void ClusterRun::change(const EventSpec& event, std::vector<JobRun>& jobs) {
  if (event.kind == Kind::claim) return;
  if (const auto node = find(nodes_, event.node); node != nodes_.end()) {
    replace_amounts(node->resources, event.amounts);
    if (event.kind == Kind::node_down) node->state = "down";
    if (event.kind == Kind::node_up) node->state = "up";
  }
  if (const auto queue = find(queues_, event.queue); queue != queues_.end())
    replace_amounts(queue->max, event.amounts);
  const auto job = find(jobs, event.job);
  if (job == jobs.end()) return;
  if (event.kind == Kind::lower_max) return replace_amounts(job->max, event.amounts);
  for (std::size_t t = 0; t < job->uses.size(); ++t) {
    if (event.task.empty() || event.task == job->spec->tasks[t].id)
      replace_amounts(job->uses[t], event.amounts);
  }
}

bool ClusterRun::is_down(const std::string& node) const {
  const auto found = find(nodes_, node);
  return found != nodes_.end() && found->state == "down";
}

std::string ClusterRun::json(const NodeRun& node) {
  return '{' + node.spec->members + ",\"resources\":" + json_of(node.resources) + ",\"state\":\"" +
         std::string(node.state) + "\"}";
}

std::string ClusterRun::json(const QueueRun& queue) {
  return '{' + queue.spec->members + (queue.max.empty() ? "" : ",\"max\":" + json_of(queue.max)) + '}';
}

std::string ClusterRun::node_json(const std::string& id) const { return json(*find(nodes_, id)); }

std::string ClusterRun::queue_json(const std::string& id) const { return json(*find(queues_, id)); }

std::string ClusterRun::members() const {
  std::string nodes, queues;
  for (const NodeRun& node : nodes_) nodes += (nodes.empty() ? "\n" : ",\n") + json(node);
  for (const QueueRun& queue : queues_) queues += (queues.empty() ? "\n" : ",\n") + json(queue);
  return "\"queues\":[" + queues + "],\"nodes\":[" + nodes + ']';
}

std::vector<std::string> ClusterRun::path_of(const std::string& queue) const {
  std::vector<std::string> out;
  for (auto at = find(queues_, queue); at != queues_.end(); at = find(queues_, at->spec->parent))
    out.push_back(at->spec->id);
  return out;
}

}  // namespace local
