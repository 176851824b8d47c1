// SPDX-License-Identifier: MIT
#include "documents.h"

#include <cede/cede.h>

#include <utility>

namespace lives {

namespace {

std::string quoted(const std::string& text) { return '"' + text + '"'; }

void add(std::string& out, const char* key, const std::string& value) {
  if (out.back() != '{') out += ',';
  out += quoted(key) + ':' + value;
}

void add_text(std::string& out, const char* key, const std::string& value) {
  if (!value.empty()) add(out, key, quoted(value));
}

std::string seconds(Millis time) { return std::to_string(time / 1000); }

// Most managers tell whole seconds. One that tells more by arrays does so in documents, too: a run of which
// another start is told is another run.
std::string told_time(const Cluster& cluster, Millis time) {
  return cluster.exact_times ? amount_text(time) : seconds(time);
}

std::string resources_json(const Resources& resources) {
  std::string out = "{";
  for (const auto& [name, amount] : resources) add(out, name.c_str(), amount_text(amount));
  return out + '}';
}

template <class Items, class Write>
std::string list(const Items& items, Write write) {
  std::string out = "[";
  for (const auto& item : items) {
    if (out.size() > 1) out += ',';
    out += write(item);
  }
  return out + ']';
}

std::string devices_json(const Place& place) {
  std::string out = "[";
  for (int device = 0; device < 64; ++device) {
    if ((place.gpus >> device & 1) == 0) continue;
    if (out.size() > 1) out += ',';
    out += std::to_string(device);
  }
  if (place.share > 0) {
    if (out.size() > 1) out += ',';
    out +=
        "{\"index\":" + std::to_string(place.share_device) + ",\"share\":" + amount_text(place.share) + '}';
  }
  return out + ']';
}

std::string task_json(const Cluster& cluster, const Task& task) {
  std::string out = "{";
  add_text(out, "id", task.id);
  add(out, "resources", resources_json(task.resources));
  add_text(out, "required_node", task.required_node);
  if (!task.placed) return out + '}';
  add_text(out, "node", task.place.node);
  add(out, "started", told_time(cluster, task.started));
  const Node* node = cluster.node(task.place.node);
  if (node && node->tells_devices_of(task) && task.resources.contains("gpu"))
    add(out, "gpus", devices_json(task.place));
  return out + '}';
}

std::string tasks_json(const Cluster& cluster, const Job& job) {
  if (job.counted && !job.runs() && !job.tasks.empty()) {
    const Task& first = job.tasks.front();
    std::string out = "[{";
    add_text(out, "id", first.id.substr(0, first.id.find('#')));
    add(out, "count", std::to_string(job.tasks.size()));
    add(out, "resources", resources_json(first.resources));
    return out + "}]";
  }
  return list(job.tasks, [&](const Task& task) { return task_json(cluster, task); });
}

template <class Objects, class Write>
std::string put_list(const Objects& objects, const std::vector<std::string>& names, Write write) {
  return list(names, [&](const std::string& name) { return write(objects.at(name)); });
}

template <class Objects>
void compare(const Objects& real, const Objects& told, std::vector<std::string>& put,
             std::vector<std::string>* removed) {
  for (const auto& [id, object] : real) {
    const auto known = told.find(id);
    if (known == told.end() || !(known->second == object)) put.push_back(id);
  }
  for (const auto& [id, object] : told) {
    if (removed && !real.contains(id)) removed->push_back(id);
  }
}

}  // namespace

std::string amount_text(std::int64_t thousandths) {
  std::string out = std::to_string(thousandths / 1000);
  if (thousandths % 1000 == 0) return out;
  std::string rest = std::to_string(1000 + thousandths % 1000).substr(1);
  while (rest.back() == '0') rest.pop_back();
  return out + '.' + rest;
}

std::string group_json(const Group& group) {
  std::string out = "{";
  add_text(out, "id", group.id);
  add_text(out, "policy", group.policy);
  if (!group.resources.empty()) add(out, "resources", resources_json(group.resources));
  return out + '}';
}

std::string queue_json(const Queue& queue) {
  std::string out = "{";
  add_text(out, "id", queue.id);
  add_text(out, "parent", queue.parent);
  add_text(out, "kind", queue.kind);
  if (!queue.guaranteed.empty()) add(out, "guaranteed", resources_json(queue.guaranteed));
  if (!queue.max.empty()) add(out, "max", resources_json(queue.max));
  add(out, "weight", std::to_string(queue.weight));
  add(out, "preemption",
      "{\"policy\":" + quoted(queue.fence) + ",\"delay\":" + std::to_string(queue.delay) + '}');
  if (!queue.settings.empty()) add(out, "settings", '{' + queue.settings + '}');
  return out + '}';
}

std::string node_json(const Node& node) {
  std::string out = "{";
  add_text(out, "id", node.id);
  add_text(out, "group", node.group);
  add_text(out, "state", node.state);
  add_text(out, "topology", node.topology);
  add_text(out, "home", node.home);
  add_text(out, "fingerprint", node.fingerprint);
  if (!node.domain.empty()) add(out, "network", '[' + quoted(node.domain) + ']');
  add(out, "resources", resources_json(node.resources));
  return out + '}';
}

std::string job_json(const Cluster& cluster, const Job& job) {
  std::string out = "{";
  add_text(out, "id", job.id);
  add_text(out, "queue", job.queue);
  add_text(out, "group", job.group);
  add_text(out, "app", job.app);
  add_text(out, "user", job.user);
  add_text(out, "kind", job.kind);
  add_text(out, "state", job.runs() ? "running" : "pending");
  add(out, "priority", std::to_string(job.priority));
  add(out, "class", std::to_string(job.job_class));
  if (job.gang >= 0) add(out, "gang", job.gang != 0 ? "true" : "false");
  if (job.min_tasks > 0) add(out, "min_tasks", std::to_string(job.min_tasks));
  add(out, "submitted", told_time(cluster, job.submitted));
  if (job.runs()) add(out, "started", told_time(cluster, job.started));
  if (job.below_fair_share > 0) add(out, "below_fair_share_since", told_time(cluster, job.below_fair_share));
  if (job.walltime > 0) add(out, "walltime", told_time(cluster, job.walltime));
  if (job.checkpoint != 0)
    add(out, "checkpoint",
        std::string("{\"mode\":\"") + (job.checkpoint == CEDE_CHECKPOINT_AUTO ? "auto" : "manual") +
            "\",\"timeout\":" + std::to_string(job.checkpoint_timeout) + '}');
  if (!job.preemptible.empty()) add(out, "preemptible", job.preemptible);
  if (!job.may_preempt.empty()) add(out, "may_preempt", job.may_preempt);
  if (!job.require.empty()) add(out, "require", job.require);
  if (job.preempted > 0) add(out, "preempted_count", std::to_string(job.preempted));
  if (job.interruptible) add(out, "interruptible", "true");
  if (job.resume) add(out, "resume", "true");
  add(out, "tasks", tasks_json(cluster, job));
  return out + '}';
}

std::string reservation_json(const Reservation& reservation) {
  std::string out = "{";
  add_text(out, "id", reservation.id);
  add(out, "nodes", '[' + quoted(reservation.node) + ']');
  add(out, "from", seconds(reservation.from));
  add(out, "until", seconds(reservation.until));
  if (!reservation.queue.empty()) add(out, "for", "{\"queue\":" + quoted(reservation.queue) + '}');
  return out + '}';
}

std::string cluster_document(const Cluster& cluster, Millis now) {
  std::string out = "{";
  add_text(out, "format", "cede-cluster/1");
  add(out, "now", seconds(now));
  add(out, "topologies", [] {
    std::string topologies = "{";
    for (const auto& [name, devices] : kTopologies)
      add(topologies, name.c_str(), "{\"gpus\":" + std::to_string(devices) + '}');
    return topologies + '}';
  }());
  add(out, "network",
      "{\"levels\":[\"leaf\"],\"domains\":[{\"id\":\"l1\",\"level\":\"leaf\"},{\"id\":\"l2\",\"level\":"
      "\"leaf\"}]}");
  add(out, "groups", list(cluster.groups, [](const auto& each) { return group_json(each.second); }));
  add(out, "queues", list(cluster.queues, [](const auto& each) { return queue_json(each.second); }));
  add(out, "nodes", list(cluster.nodes, [](const auto& each) { return node_json(each.second); }));
  add(out, "jobs", list(cluster.jobs, [&](const auto& each) { return job_json(cluster, each.second); }));
  add(out, "reservations",
      list(cluster.reservations, [](const auto& each) { return reservation_json(each.second); }));
  return out + '}';
}

bool Change::empty() const {
  return groups.empty() && queues.empty() && nodes.empty() && jobs.empty() && reservations.empty() &&
         removed_nodes.empty() && removed_jobs.empty() && removed_reservations.empty();
}

Change difference(const Cluster& real, const Cluster& told) {
  Change change;
  compare(real.groups, told.groups, change.groups, nullptr);
  compare(real.queues, told.queues, change.queues, nullptr);
  compare(real.nodes, told.nodes, change.nodes, &change.removed_nodes);
  compare(real.jobs, told.jobs, change.jobs, &change.removed_jobs);
  compare(real.reservations, told.reservations, change.reservations, &change.removed_reservations);
  return change;
}

std::string change_document(const Cluster& cluster, const Change& change) {
  std::string put = "{";
  if (!change.groups.empty()) add(put, "groups", put_list(cluster.groups, change.groups, group_json));
  if (!change.queues.empty()) add(put, "queues", put_list(cluster.queues, change.queues, queue_json));
  if (!change.nodes.empty()) add(put, "nodes", put_list(cluster.nodes, change.nodes, node_json));
  if (!change.reservations.empty())
    add(put, "reservations", put_list(cluster.reservations, change.reservations, reservation_json));
  if (!change.jobs.empty())
    add(put, "jobs",
        put_list(cluster.jobs, change.jobs, [&](const Job& job) { return job_json(cluster, job); }));
  std::string removed = "{";
  if (!change.removed_nodes.empty()) add(removed, "nodes", list(change.removed_nodes, quoted));
  if (!change.removed_jobs.empty()) add(removed, "jobs", list(change.removed_jobs, quoted));
  if (!change.removed_reservations.empty())
    add(removed, "reservations", list(change.removed_reservations, quoted));
  return "{\"format\":\"cede-changes/1\",\"put\":" + put + "},\"remove\":" + removed + "}}";
}

void carry_over(const Cluster& real, const Change& change, Cluster& told) {
  for (const std::string& id : change.groups) told.groups[id] = real.groups.at(id);
  for (const std::string& id : change.queues) told.queues[id] = real.queues.at(id);
  for (const std::string& id : change.nodes) told.nodes[id] = real.nodes.at(id);
  for (const std::string& id : change.jobs) told.jobs[id] = real.jobs.at(id);
  for (const std::string& id : change.reservations) told.reservations[id] = real.reservations.at(id);
  for (const std::string& id : change.removed_nodes) told.nodes.erase(id);
  for (const std::string& id : change.removed_jobs) told.jobs.erase(id);
  for (const std::string& id : change.removed_reservations) told.reservations.erase(id);
}

}  // namespace lives
