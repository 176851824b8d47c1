// SPDX-License-Identifier: MIT
#include "arrays.h"

#include <set>
#include <utility>

namespace lives {

namespace {

class ArrayDoor {
 public:
  ArrayDoor(Engine& engine, const Cluster& real) : engine_(engine), real_(real) {}

  int32_t put_nodes(const std::vector<std::string>& ids) {
    std::vector<cede_node> nodes;
    for (const std::string& id : ids) nodes.push_back(node(real_.nodes.at(id)));
    return engine_.measured(Call::arrays, [&] {
      return cede_engine_put_nodes(engine_.handle(), nodes.data(), sizeof(cede_node), nodes.size(),
                                   engine_.error_out());
    });
  }

  int32_t put_jobs(const std::vector<std::string>& ids) {
    std::vector<cede_job> jobs;
    std::vector<cede_task> tasks;
    for (const std::string& id : ids) jobs.push_back(job(real_.jobs.at(id), tasks));
    return engine_.measured(Call::arrays, [&] {
      return cede_engine_put_jobs(engine_.handle(), jobs.data(), sizeof(cede_job), jobs.size(), tasks.data(),
                                  sizeof(cede_task), tasks.size(), engine_.error_out());
    });
  }

  int32_t put_groups(const std::vector<std::string>& ids) {
    std::vector<cede_group> groups;
    for (const std::string& id : ids) {
      const Group& from = real_.groups.at(id);
      groups.push_back({name(id), name(from.policy), resources(from.resources), 0});
    }
    return engine_.measured(Call::arrays, [&] {
      return cede_engine_put_groups(engine_.handle(), groups.data(), sizeof(cede_group), groups.size(),
                                    engine_.error_out());
    });
  }

  int32_t put_queues(const std::vector<std::string>& ids) {
    std::vector<cede_queue> queues;
    for (const std::string& id : ids) queues.push_back(queue(real_.queues.at(id)));
    return engine_.measured(Call::arrays, [&] {
      return cede_engine_put_queues(engine_.handle(), queues.data(), sizeof(cede_queue), queues.size(),
                                    engine_.error_out());
    });
  }

  int32_t put_reservations(const std::vector<std::string>& ids) {
    std::vector<cede_reservation> reservations;
    for (const std::string& id : ids) {
      const Reservation& from = real_.reservations.at(id);
      cede_reservation out{};
      out.name = name(id);
      out.from = from.from / 1000 * 1000;
      out.until = from.until / 1000 * 1000;
      out.queue = name(from.queue);
      const std::uint32_t node = name(from.node);
      engine_.measured(Call::arrays, [&] {
        return cede_engine_list(engine_.handle(), &node, 1, &out.nodes, engine_.error_out());
      });
      used_.insert(out.nodes);
      reservations.push_back(out);
    }
    return engine_.measured(Call::arrays, [&] {
      return cede_engine_put_reservations(engine_.handle(), reservations.data(), sizeof(cede_reservation),
                                          reservations.size(), engine_.error_out());
    });
  }

  // The tasks of a job that are not as they were told.
  int32_t put_tasks(const Job& job, const Job& told) {
    std::vector<cede_task> all;
    std::vector<cede_task> tasks;
    add_tasks(job, all);
    for (std::size_t i = 0; i < job.tasks.size(); ++i) {
      if (job.tasks[i] == told.tasks[i]) continue;
      tasks.push_back(all[i]);
      tasks.back().job = name(job.id);
    }
    return engine_.measured(Call::arrays, [&] {
      return cede_engine_put_tasks(engine_.handle(), tasks.data(), sizeof(cede_task), tasks.size(),
                                   engine_.error_out());
    });
  }

  void forget() {
    const std::vector<std::uint32_t> numbers(used_.begin(), used_.end());
    engine_.measured(Call::arrays, [&] {
      return cede_engine_forget(engine_.handle(), numbers.data(), numbers.size(), engine_.error_out());
    });
    used_.clear();
  }

  int32_t remove(const std::vector<std::string>& ids,
                 int32_t (*call)(cede_engine*, const uint32_t*, size_t, cede_error*)) {
    std::vector<std::uint32_t> names;
    for (const std::string& id : ids) names.push_back(name(id));
    return engine_.measured(Call::arrays, [&] {
      return call(engine_.handle(), names.data(), names.size(), engine_.error_out());
    });
  }

 private:
  std::uint32_t name(const std::string& text) {
    if (text.empty()) return 0;
    std::uint32_t number = 0;
    engine_.measured(Call::arrays, [&] {
      return cede_engine_name(engine_.handle(), text.data(), text.size(), &number, engine_.error_out());
    });
    used_.insert(number);
    return number;
  }

  std::uint32_t resources(const Resources& amounts) {
    std::vector<cede_amount> list;
    for (const auto& [resource, amount] : amounts) list.push_back({amount, name(resource), 0});
    std::uint32_t number = 0;
    engine_.measured(Call::arrays, [&] {
      return cede_engine_resources(engine_.handle(), list.data(), sizeof(cede_amount), list.size(), &number,
                                   engine_.error_out());
    });
    used_.insert(number);
    return number;
  }

  std::uint32_t part(int32_t kind, const std::string& text) {
    if (text.empty()) return 0;
    std::uint32_t number = 0;
    engine_.measured(Call::arrays, [&] {
      return cede_engine_part(engine_.handle(), kind, text.data(), text.size(), &number, engine_.error_out());
    });
    used_.insert(number);
    return number;
  }

  cede_node node(const Node& from) {
    cede_node out{};
    out.name = name(from.id);
    out.group = name(from.group);
    out.resources = resources(from.resources);
    out.topology = name(from.topology);
    out.domain = name(from.domain);
    out.home = name(from.home);
    out.fingerprint = part(CEDE_PART_FINGERPRINT, from.fingerprint);
    out.state = from.state == "up" ? CEDE_NODE_UP : from.state == "drain" ? CEDE_NODE_DRAIN : CEDE_NODE_DOWN;
    return out;
  }

  cede_queue queue(const Queue& from) {
    cede_queue out{};
    out.name = name(from.id);
    out.parent = name(from.parent);
    out.kind = kind(from.kind);
    out.weight = from.weight * 1000;
    out.delay = from.delay * 1000;
    out.policy = from.fence == "fence"      ? CEDE_QUEUE_FENCE
                 : from.fence == "disabled" ? CEDE_QUEUE_DISABLED
                                            : CEDE_QUEUE_DEFAULT;
    if (!from.guaranteed.empty()) out.guaranteed = resources(from.guaranteed);
    if (!from.max.empty()) out.max = resources(from.max);
    return out;
  }

  static int32_t kind(const std::string& text) {
    static const char* const kinds[] = {"",        "batch",    "inference", "interactive",
                                        "service", "training", "sensitive"};
    for (int32_t i = 1; i < 7; ++i) {
      if (text == kinds[i]) return i;
    }
    return 0;
  }

  cede_job job(const Job& from, std::vector<cede_task>& tasks) {
    cede_job out{};
    out.name = name(from.id);
    out.queue = name(from.queue);
    out.group = name(from.group);
    out.app = name(from.app);
    out.user = name(from.user);
    out.kind = kind(from.kind);
    out.state = from.runs() ? CEDE_JOB_RUNNING : CEDE_JOB_PENDING;
    out.priority = from.priority;
    out.job_class = from.job_class;
    out.zero = CEDE_ZERO_PRIORITY | CEDE_ZERO_CLASS;
    out.gang = from.gang < 0 ? 0 : from.gang != 0 ? CEDE_YES : CEDE_NO;
    out.min_tasks = static_cast<std::uint32_t>(from.min_tasks);
    out.submitted = from.submitted;
    out.started = from.runs() ? from.started : 0;
    out.below_fair_share_since = from.below_fair_share;
    out.walltime = from.walltime;
    out.checkpoint_mode = from.checkpoint;
    out.checkpoint_timeout = from.checkpoint_timeout * 1000;
    out.preemptible = from.preemptible == "true"    ? CEDE_PREEMPTIBLE_YES
                      : from.preemptible == "false" ? CEDE_PREEMPTIBLE_NO
                      : from.preemptible.empty()    ? 0
                                                    : CEDE_PREEMPTIBLE_LAST_RESORT;
    out.may_preempt = from.may_preempt.empty() ? 0 : from.may_preempt == "true" ? CEDE_YES : CEDE_NO;
    out.require = part(CEDE_PART_REQUIREMENT, from.require);
    out.preempted_count = static_cast<std::uint32_t>(from.preempted);
    out.interruptible = from.interruptible ? CEDE_YES : 0;
    out.resume = from.resume ? CEDE_YES : 0;
    const std::size_t before = tasks.size();
    add_tasks(from, tasks);
    out.task_count = static_cast<std::uint32_t>(tasks.size() - before);
    return out;
  }

  void add_tasks(const Job& from, std::vector<cede_task>& tasks) {
    if (from.counted && !from.runs()) {
      cede_task out{};
      const Task& first = from.tasks.front();
      out.name = name(first.id.substr(0, first.id.find('#')));
      out.count = static_cast<std::uint32_t>(from.tasks.size());
      out.resources = resources(first.resources);
      tasks.push_back(out);
      return;
    }
    for (const Task& task : from.tasks) {
      cede_task out{};
      out.name = name(task.id);
      out.resources = resources(task.resources);
      out.required_node = name(task.required_node);
      tasks.push_back(out);
      if (!task.placed) continue;
      cede_task& placed = tasks.back();
      placed.node = name(task.place.node);
      placed.started = task.started;
      const Node* node = real_.node(task.place.node);
      if (!node || !node->tells_devices_of(task)) continue;
      placed.gpus = task.place.gpus;
      placed.share = task.place.share;
      placed.share_device = task.place.share_device;
    }
  }

  Engine& engine_;
  const Cluster& real_;
  std::set<std::uint32_t> used_;  // numbers
};

// Whether single tasks say all that is new.
bool differs_in_tasks_only(const Job& real, const Job& told) {
  Job as_told = told;
  as_told.tasks = real.tasks;
  if (as_told != real || real.runs() != told.runs() || real.tasks.size() != told.tasks.size()) return false;
  if (real.counted && !real.runs()) return false;
  for (std::size_t i = 0; i < real.tasks.size(); ++i) {
    if (real.tasks[i].id != told.tasks[i].id) return false;
  }
  return true;
}

}  // namespace

bool put_arrays(Engine& engine, const Cluster& real, const Change& change, ArrayManner manner,
                Cluster& told) {
  ArrayDoor door(engine, real);
  // What a taken call has told; false where it was refused.
  const auto tell = [&](std::vector<std::string> Change::*names, std::vector<std::string> ids, auto call) {
    if (ids.empty()) return true;
    if (call(ids) < 0) return false;
    Change done;
    done.*names = std::move(ids);
    carry_over(real, done, told);
    return true;
  };
  const auto removal = [&](auto call) {
    return [&door, call](const std::vector<std::string>& ids) { return door.remove(ids, call); };
  };
  using Names = const std::vector<std::string>&;
  std::vector<std::string> jobs;
  for (const std::string& id : change.jobs) {
    const Job* before = told.job(id);
    if (!manner.single_tasks || !before || !differs_in_tasks_only(real.jobs.at(id), *before)) {
      jobs.push_back(id);
      continue;
    }
    if (!tell(&Change::jobs, {id}, [&](Names) { return door.put_tasks(real.jobs.at(id), *before); }))
      return false;
  }
  const bool taken =
      tell(&Change::groups, change.groups, [&](Names ids) { return door.put_groups(ids); }) &&
      tell(&Change::queues, change.queues, [&](Names ids) { return door.put_queues(ids); }) &&
      tell(&Change::removed_reservations, change.removed_reservations,
           removal(cede_engine_remove_reservations)) &&
      tell(&Change::removed_jobs, change.removed_jobs, removal(cede_engine_remove_jobs)) &&
      tell(&Change::jobs, jobs, [&](Names ids) { return door.put_jobs(ids); }) &&
      tell(&Change::nodes, change.nodes, [&](Names ids) { return door.put_nodes(ids); }) &&
      tell(&Change::removed_nodes, change.removed_nodes, removal(cede_engine_remove_nodes)) &&
      tell(&Change::reservations, change.reservations, [&](Names ids) { return door.put_reservations(ids); });
  if (manner.forgets) door.forget();
  return taken;
}

}  // namespace lives
