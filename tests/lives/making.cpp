// SPDX-License-Identifier: MIT
// A random cluster and a random policy: small, full, and with something to take for whoever waits.
#include <algorithm>
#include <iterator>

#include "life.h"

namespace lives {

namespace {

const std::vector<std::string> kProfiles{"priority", "class-cost", "quota", "fair-share", "guarantee"};

std::string flag(Random& random, const char* name) {
  return std::string(",\"") + name + "\":" + (random.chance(50) ? "true" : "false");
}

std::string choice(Random& random, const char* name, const std::vector<std::string>& values) {
  return std::string(",\"") + name + "\":\"" + random.pick(values) + '"';
}

std::string own_settings(Random& random, const std::string& profile) {
  std::string out;
  const auto maybe = [&](int percent, std::string text) {
    if (random.chance(percent)) out += text;
  };
  maybe(15, ",\"overcommit_grace\":\"1m\"");
  if (profile == "priority") {
    out += ",\"preemptible_priority\":" + std::to_string(random.between(5, 40));
    maybe(60, choice(random, "preemption_order", {"oldest", "newest", "fewest", "smallest"}));
    maybe(50, choice(random, "preemption_mode", {"terminate", "suspend"}));
    maybe(30, choice(random, "suspend_keep", {"nothing", "local"}));
    maybe(60, ",\"front_only\":false");
  } else if (profile == "class-cost") {
    maybe(30, choice(random, "class_rule", {"lower", "banded"}));
    maybe(40, ",\"max_victims\":" + std::to_string(random.between(1, 6)));
    maybe(40, flag(random, "class_first"));
    maybe(50, flag(random, "protect_home"));
    maybe(40, flag(random, "avoid_borrowed"));
    maybe(30, choice(random, "reclaim", {"auto", "claims"}));
    maybe(20, ",\"borrowed_discount\":0.5");
  } else if (profile == "quota") {
    maybe(40, choice(random, "evict", {"delete", "soft"}));
    maybe(30, flag(random, "check_parent_quota"));
  } else if (profile == "fair-share") {
    out += ",\"fair_share_starvation_timeout\":" + std::to_string(random.between(0, 10));
    out += ",\"fair_share_aggressive_starvation_timeout\":" + std::to_string(random.between(10, 30));
    out += ",\"preemptive_scheduling_backoff\":" + std::to_string(random.between(0, 5));
    out += ",\"allocation_preemption_timeout\":" + std::to_string(random.between(1, 30));
    maybe(60, ",\"enable_aggressive_starvation\":true");
    maybe(40, flag(random, "allow_preemption_from_starving"));
  } else {
    out += ",\"attempt_interval\":" + std::to_string(random.between(0, 5));
    maybe(50, flag(random, "cross_node"));
    maybe(50, flag(random, "intra_queue"));
    maybe(30, flag(random, "within_guarantee"));
  }
  return out;
}

}  // namespace

std::string Life::make_policy() {
  std::string policies;
  for (std::size_t i = 0; i < profiles_.size(); ++i) {
    const std::string& profile = profiles_[i];
    std::string settings = "\"grace\":" + std::to_string(grace_ / 1000);
    settings += ",\"checkpoint_timeout\":" + std::to_string(random_.between(5, 120));
    settings += ",\"max_deferral\":" + std::to_string(random_.between(0, 60));
    settings += ",\"hold_timeout\":" + std::to_string(random_.between(10, 600));
    settings += ",\"entry_timeout\":" + std::to_string(random_.between(30, 3600));
    settings += ",\"action_timeout\":" + std::to_string(random_.between(5, 60));
    settings += ",\"max_action_retries\":" + std::to_string(random_.between(0, 3));
    if (random_.chance(60)) settings += ",\"soft_evict_timeout\":" + std::to_string(random_.between(5, 60));
    if (random_.chance(30)) settings += choice(random_, "requeue", {"always", "saved", "never"});
    if (random_.chance(25)) settings += flag(random_, "checkpoint_first");
    if (random_.chance(20)) settings += choice(random_, "cost_model", {"formula", "lost-work"});
    if (random_.chance(20)) settings += ",\"tasks_per_plan\":" + std::to_string(random_.between(1, 3));
    if (random_.chance(5)) settings += ",\"preemption\":\"off\"";
    settings += own_settings(random_, profile);
    if (i > 0) policies += ',';
    policies +=
        "\"p" + std::to_string(i) + "\":{\"profile\":\"" + profile + "\",\"settings\":{" + settings + "}}";
  }
  std::string limits;
  if (random_.chance(10))
    limits = ",\"limits\":{\"max_preemptions_per_window\":" + std::to_string(random_.between(2, 8)) +
             ",\"window\":60}";
  return "{\"format\":\"cede-policy/1\",\"policies\":{" + policies + '}' + limits + '}';
}

void Life::make_cluster() {
  const auto groups = static_cast<int>(random_.between(1, 3));
  const bool one_profile = random_.chance(60);
  const std::string first = settings_.profile.empty() ? random_.pick(kProfiles) : settings_.profile;
  for (int i = 0; i < 3; ++i) {
    const bool free = !one_profile && settings_.profile.empty();
    profiles_.push_back(free ? random_.pick(kProfiles) : first);
  }
  for (int i = 0; i < groups; ++i) {
    Group group;
    group.id = "g" + std::to_string(i);
    group.policy = "p" + std::to_string(i);
    if (random_.chance(25)) group.resources["licence"] = random_.between(1, 5) * 1000;
    if (random_.chance(12)) group.resources["gpu"] = random_.between(3, 16) * 1000;
    real_.groups[group.id] = group;
  }
  add_queues();
  add_nodes();
  const auto jobs = static_cast<int>(random_.between(5, 20));
  for (int i = 0; i < jobs; ++i) add_job(i * 10 < jobs * 7);
  for (auto& [id, job] : real_.jobs) {
    const Millis age = random_.between(0, 9000) * 1000;
    job.started -= job.runs() ? age : 0;
    for (Task& task : job.tasks) task.started -= task.placed ? age : 0;
  }
}

void Life::add_queues() {
  Queue root;
  root.id = "root";
  root.fence = "default";
  real_.queues["root"] = root;
  const auto count = static_cast<int>(random_.between(2, 5));
  std::vector<std::string> parents{"root"};
  for (int i = 0; i < count; ++i) {
    Queue queue;
    queue.id = std::string("q") + static_cast<char>('a' + i);
    queue.parent = random_.chance(70) ? "root" : random_.pick(parents);
    queue.fence = random_.chance(88) ? "default" : random_.chance(70) ? "fence" : "disabled";
    queue.weight = static_cast<int>(random_.between(1, 3));
    if (random_.chance(15))
      queue.kind = random_.pick<std::string>({"training", "service", "sensitive", "batch"});
    if (random_.chance(60)) queue.guaranteed["gpu"] = random_.between(1, 8) * 1000;
    if (random_.chance(25)) queue.guaranteed["cpu"] = random_.between(1, 16) * 1000;
    if (random_.chance(40)) {
      const auto most = std::max<std::int64_t>(random_.between(2, 16) * 1000, queue.guaranteed["gpu"]);
      queue.max["gpu"] = most;
      if (queue.guaranteed["gpu"] == 0) queue.guaranteed.erase("gpu");
    }
    real_.queues[queue.id] = queue;
    parents.push_back(queue.id);
  }
}

Node Life::make_node(const std::string& id, const std::string& group) {
  Node node;
  node.id = id;
  node.group = group;
  node.resources["cpu"] = random_.between(4, 32) * 1000;
  const std::int64_t gpus = random_.chance(8) ? 0 : random_.between(1, 8);
  const bool shaped = gpus == 1 || gpus == 2 || gpus == 4 || gpus == 8;
  if (shaped && random_.chance(60)) node.topology = "box" + std::to_string(gpus);
  if (gpus > 0 && !real_.by_group(group, "gpu")) node.resources["gpu"] = gpus * 1000;
  if (random_.chance(60)) node.domain = random_.chance(50) ? "l1" : "l2";
  if (random_.chance(30)) node.fingerprint = random_.chance(70) ? "550.1" : "550.2";
  if (random_.chance(25)) {
    std::vector<std::string> queues;
    for (const auto& [name, queue] : real_.queues) queues.push_back(name);
    node.home = random_.pick(queues);
  }
  if (random_.chance(6)) node.state = random_.chance(50) ? "down" : "drain";
  node.tells_devices = !random_.chance(10);
  return node;
}

void Life::add_nodes() {
  const auto count = static_cast<int>(random_.between(2, 8));
  for (int i = 0; i < count; ++i) {
    const std::string id = "n" + std::to_string(i);
    const std::string group = "g" + std::to_string(static_cast<std::size_t>(i) % real_.groups.size());
    real_.nodes[id] = make_node(id, group);
  }
}

// `small`: one task that hardly needs anything.
Job Life::make_job(const std::string& id, bool small) {
  Job job;
  job.id = id;
  std::vector<std::string> queues;
  for (const auto& [name, queue] : real_.queues) {
    if (name != "root" || random_.chance(20)) queues.push_back(name);
  }
  job.queue = random_.pick(queues);
  job.group = "g" + std::to_string(random_.below(real_.groups.size()));
  job.app = random_.chance(50) ? "" : "app" + std::to_string(random_.below(4));
  job.user = random_.chance(40) ? "" : "u" + std::to_string(random_.below(3));
  if (random_.chance(20))
    job.kind =
        random_.pick<std::string>({"batch", "training", "inference", "interactive", "service", "sensitive"});
  job.priority = static_cast<int>(random_.chance(60) ? random_.between(0, 8) : random_.between(0, 60));
  job.job_class = static_cast<int>(random_.chance(97) ? random_.between(0, 9) : 10);
  job.submitted = clock_ - random_.between(60, 4000) * 1000;
  if (random_.chance(50)) job.walltime = random_.between(60, 20000) * 1000;
  if (random_.chance(20)) job.below_fair_share = clock_ - random_.between(0, 600) * 1000;
  if (random_.chance(10)) job.preemptible = random_.pick<std::string>({"true", "false", "\"last-resort\""});
  if (random_.chance(8)) job.may_preempt = random_.chance(50) ? "true" : "false";
  if (random_.chance(45)) {
    job.checkpoint = random_.chance(70) ? CEDE_CHECKPOINT_AUTO : CEDE_CHECKPOINT_MANUAL;
    job.checkpoint_timeout = static_cast<int>(random_.between(5, 90));
  }
  job.interruptible = random_.chance(30);
  const auto tasks = small || random_.chance(60) ? 1 : random_.between(2, 4);
  if (tasks > 1) {
    if (random_.chance(60)) job.gang = random_.chance(60) ? 1 : 0;
    job.counted = random_.chance(50);
    if (job.gang == 1 && random_.chance(35)) job.min_tasks = static_cast<int>(random_.between(1, tasks));
    if (random_.chance(12)) job.require = "{\"network\":[{\"level\":\"leaf\",\"max_domains\":1}]}";
  }
  Resources shape;
  const std::int64_t gpu = small                ? 0
                           : random_.chance(15) ? random_.pick<std::int64_t>({250, 500, 500, 1500})
                           : random_.chance(12) ? 0
                                                : random_.between(1, 4) * 1000;
  if (gpu > 0) shape["gpu"] = gpu;
  if (gpu == 0 || random_.chance(50)) shape["cpu"] = small ? 1000 : random_.between(1, 8) * 1000;
  const bool counts_licence = real_.by_group(job.group, "licence");
  if (!small && counts_licence && random_.chance(40)) shape["licence"] = random_.between(1, 2) * 1000;
  for (int i = 0; i < tasks; ++i) {
    Task task;
    task.id = job.counted ? "t#" + std::to_string(i) : "t" + std::to_string(i);
    task.resources = shape;
    if (!job.counted && tasks > 1 && random_.chance(15)) task.resources["cpu"] = random_.between(1, 6) * 1000;
    job.tasks.push_back(task);
  }
  if (!small && tasks == 1 && random_.chance(4) && !real_.nodes.empty()) {
    auto at = real_.nodes.begin();
    std::advance(at, static_cast<long>(random_.below(real_.nodes.size())));
    if (at->second.group == job.group) job.tasks.front().required_node = at->first;
  }
  return job;
}

void Life::add_job(bool running) {
  Job job = make_job("j" + std::to_string(next_job_++));
  if (running) {
    job.priority = static_cast<int>(random_.between(0, 6));
    job.job_class = static_cast<int>(random_.between(0, 5));
    try_to_run(job);
  } else if (random_.chance(60)) {
    job.priority = static_cast<int>(random_.between(7, 60));
    job.job_class = static_cast<int>(random_.between(5, 9));
  }
  real_.jobs[job.id] = job;
}

}  // namespace lives
