// SPDX-License-Identifier: MIT
// What changes in the real cluster without the library. The library gets the change later.
#include <algorithm>
#include <iterator>

#include "life.h"

namespace lives {

namespace {

template <class Map>
typename Map::mapped_type* pick(Random& random, Map& map) {
  if (map.empty()) return nullptr;
  auto at = map.begin();
  std::advance(at, static_cast<long>(random.below(map.size())));
  return &at->second;
}

}  // namespace

void Life::change_cluster() {
  const std::size_t what = random_.below(100);
  if (what < 40) {
    change_node();
  } else if (what < 90) {
    change_job();
  } else {
    change_limits();
  }
}

// The runs that the node can bear no longer end with it.
void Life::lose_node(Node& node, bool all_runs) {
  for (auto& [id, job] : real_.jobs) {
    bool any = false;
    for (Task& task : job.tasks) {
      if (!task.placed || task.place.node != node.id) continue;
      bool lost = all_runs;
      const std::uint32_t devices = node.devices();
      if (task.place.gpus >> std::min(devices, 63u) != 0) lost = true;
      if (task.place.share > 0 && task.place.share_device >= devices) lost = true;
      for (const auto& [resource, amount] : task.resources) {
        if (real_.by_group(job.group, resource)) continue;
        const auto most = node.resources.find(resource);
        if (most == node.resources.end() || most->second < amount) lost = true;
      }
      if (!lost) continue;
      any = true;
      end_run(job, task);
      if (random_.chance(60)) event_later({CEDE_EVENT_RELEASED, job.id, task.id, {}, 0, 0, 0}, 4);
    }
    if (any && !job.runs()) job_left(job.id);
  }
}

void Life::shrink_node(Node& node) {
  const auto gpu = node.resources.find("gpu");
  if (random_.chance(30)) node.resources["cpu"] = random_.between(1, 12) * 1000;
  if (gpu != node.resources.end()) {
    gpu->second = random_.between(0, gpu->second / 1000) * 1000;
    const std::int64_t gpus = gpu->second / 1000;
    if (gpus == 0) node.resources.erase(gpu);
    node.topology.clear();
    if ((gpus == 1 || gpus == 2 || gpus == 4) && random_.chance(60))
      node.topology = "box" + std::to_string(gpus);
  } else if (!node.topology.empty() && node.topology != "box1") {
    node.topology = node.topology == "box8" ? "box4" : node.topology == "box4" ? "box2" : "box1";
  }
  lose_node(node, false);
}

void Life::remove_node(const std::string& id) {
  Node& node = real_.nodes.at(id);
  lose_node(node, true);
  std::erase_if(real_.reservations, [&](const auto& each) { return each.second.node == id; });
  for (auto& [name, job] : real_.jobs) {
    for (Task& task : job.tasks) {
      if (task.required_node == id) task.required_node.clear();
    }
  }
  real_.nodes.erase(id);
}

void Life::change_node() {
  Node* node = pick(random_, real_.nodes);
  if (!node || random_.chance(6)) {  // a new one, or one under a name that was there before
    const std::string id = "n" + std::to_string(random_.below(9));
    const std::string group = "g" + std::to_string(random_.below(real_.groups.size()));
    if (!real_.nodes.contains(id)) real_.nodes[id] = make_node(id, group);
    say("    node " + id + " is there");
    return;
  }
  const std::string id = node->id;
  switch (random_.below(10)) {
    case 0:
      say("    node " + id + " goes down");
      node->state = "down";
      lose_node(*node, true);
      event_later({CEDE_EVENT_NODE_DOWN, {}, {}, id, 0, 0, 0}, 4);
      break;
    case 1:
      say("    node " + id + " drains");
      node->state = "drain";
      break;
    case 2:
    case 3:
    case 4:
      say("    node " + id + " is up");
      if (node->state == "down") event_later({CEDE_EVENT_NODE_UP, {}, {}, id, 0, 0, 0}, 4);
      node->state = "up";
      break;
    case 5:
      say("    node " + id + " shrinks");
      shrink_node(*node);
      break;
    case 6: {
      say("    node " + id + " grows");
      node->resources["cpu"] += 4000;
      const auto gpu = node->resources.find("gpu");
      if (gpu == node->resources.end() || gpu->second >= 8000) break;
      gpu->second += 1000;
      node->topology.clear();
      break;
    }
    case 7: {
      const std::string group = "g" + std::to_string(random_.below(real_.groups.size()));
      if (group == node->group) break;
      say("    node " + id + " goes from " + node->group + " to " + group);
      lose_node(*node, true);
      for (auto& [name, job] : real_.jobs) {
        for (Task& task : job.tasks) {
          if (task.required_node == id) task.required_node.clear();
        }
      }
      node->group = group;
      if (real_.by_group(group, "gpu")) node->resources.erase("gpu");
      break;
    }
    case 8:
      say("    node " + id + " changes domain, home, fingerprint or topology");
      if (random_.chance(40)) {
        const std::string topology = "box" + std::to_string(node->devices());
        node->topology = node->topology.empty() && kTopologies.contains(topology) ? topology : "";
        lose_node(*node, false);
      }
      if (random_.chance(50)) node->domain = random_.chance(30) ? "" : random_.chance(50) ? "l1" : "l2";
      if (random_.chance(30)) node->home.clear();
      node->fingerprint = random_.chance(50) ? "550.1" : "550.2";
      break;
    default:
      if (real_.nodes.size() < 2) break;
      say("    node " + id + " is removed");
      remove_node(id);
      if (random_.chance(50)) event_later({CEDE_EVENT_NODE_DOWN, {}, {}, id, 0, 0, 0}, 4);
  }
}

void Life::change_job() {
  Job* job = pick(random_, real_.jobs);
  if (!job || random_.chance(25)) {
    if (real_.jobs.size() < 24) add_job(random_.chance(25));
    say("    job j" + std::to_string(next_job_ - 1) + " is there");
    return;
  }
  const std::string id = job->id;
  if (random_.chance(25)) {
    say("    job " + id + " changes its priority or class");
    job->priority = static_cast<int>(random_.between(0, 60));
    job->job_class = static_cast<int>(random_.between(0, 9));
    return;
  }
  if (job->runs() && silent_ > 0 && random_.chance(20)) {
    say("    job " + id + " is told with other devices or none");
    for (Task& task : job->tasks) {
      if (task.placed) task.tells_devices = !random_.chance(silent_);
    }
    return;
  }
  if (job->runs()) {
    if (random_.chance(50)) {  // it ends by itself, wholly or in part
      const bool whole = random_.chance(60);
      say("    job " + id + " ends by itself");
      for (Task& task : job->tasks) {
        if (!task.placed || (!whole && random_.chance(50))) continue;
        end_run(*job, task);
        if (!whole && random_.chance(70)) event_later({CEDE_EVENT_RELEASED, id, task.id, {}, 0, 0, 0}, 4);
      }
      if (whole && random_.chance(70)) event_later({CEDE_EVENT_EXITED, id, {}, {}, 0, 0, 0}, 4);
      if (!job->runs()) job_left(id);
    } else if (random_.chance(50)) {  // it is restarted where it is, or elsewhere
      say("    job " + id + " is restarted");
      for (Task& task : job->tasks) {
        if (!task.placed) continue;
        const std::string node = task.place.node;
        end_run(*job, task);
        place_somewhere(*job, task, random_.chance(70) ? node : std::string());
      }
      if (!job->runs()) job_left(id);
    }
    return;
  }
  switch (random_.below(7)) {
    case 0:
      say("    job " + id + " is withdrawn");
      if (random_.chance(60)) event_later({CEDE_EVENT_CANCELLED, id, {}, {}, 0, 0, 0}, 4);
      real_.jobs.erase(id);
      break;
    case 1:
      if (random_.chance(30) && job->tasks.size() < 6) {
        say("    job " + id + " has one more task");
        Task more = job->tasks.back();
        more.id = (job->counted ? "t#" : "t") + std::to_string(job->tasks.size());
        if (!job->find(more.id)) job->tasks.push_back(more);
        break;
      }
      say("    job " + id + " asks for something else");
      for (Task& task : job->tasks) {
        for (auto& [resource, amount] : task.resources) amount = random_.chance(50) ? amount : amount + 1000;
        if (job->counted) task.resources = job->tasks.front().resources;
      }
      break;
    case 2: {
      const Job other = make_job(id, true);
      say("    job " + id + " moves to " + other.queue);
      job->queue = other.queue;
      break;
    }
    case 3:
    case 4:
      say("    job " + id + " is started by the manager itself");
      try_to_run(*job);
      if (job->runs() && random_.chance(60)) event_later({CEDE_EVENT_STARTED, id, {}, {}, 0, 0, 0}, 4);
      break;
    default:
      if (random_.chance(50)) job->preemptible = random_.chance(50) ? "false" : "";
      job->below_fair_share = random_.chance(50) ? 0 : clock_ - 60000;
  }
}

void Life::change_limits() {
  switch (random_.below(3)) {
    case 0: {
      Queue* queue = pick(random_, real_.queues);
      say("    queue " + queue->id + " has other limits");
      if (queue->id == "root") break;
      queue->max.erase("gpu");
      if (random_.chance(50))
        queue->max["gpu"] = std::max<std::int64_t>(random_.between(1, 16) * 1000, queue->guaranteed["gpu"]);
      if (queue->guaranteed["gpu"] == 0) queue->guaranteed.erase("gpu");
      break;
    }
    case 1: {
      Group* group = pick(random_, real_.groups);
      say("    group " + group->id + " counts otherwise");
      for (auto& [resource, amount] : group->resources) {
        amount = random_.between(1, 12) * 1000;
        // No single task holds more: documents may not say that.
        for (const Cluster* cluster : {&real_, &told_}) {
          for (const auto& [id, job] : cluster->jobs) {
            for (const Task& task : job.tasks) {
              const auto held = task.resources.find(resource);
              if (task.placed && job.group == group->id && held != task.resources.end())
                amount = std::max(amount, held->second);
            }
          }
        }
      }
      break;
    }
    default: {
      if (!real_.reservations.empty() && random_.chance(60)) {
        real_.reservations.clear();
        break;
      }
      const Node* node = pick(random_, real_.nodes);
      if (!node) break;
      Reservation reservation;
      reservation.id = "r" + node->id;
      reservation.node = node->id;
      if (random_.chance(40)) reservation.queue = pick(random_, real_.queues)->id;
      reservation.from = (clock_ / 1000 + random_.between(0, 600)) * 1000;  // documents tell whole seconds
      reservation.until = reservation.from + random_.between(60, 600) * 1000;
      say("    node " + node->id + " is reserved");
      real_.reservations[reservation.id] = reservation;
    }
  }
}

}  // namespace lives
