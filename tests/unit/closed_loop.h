// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine_fixture.h"
#include "policy/request.h"
#include "support/cluster_builder.h"
#include "verify/verify.h"

namespace cede {

// A cluster that lives: plans are carried out, every victim comes back at once with the same description, and
// time goes on. In `direct` a plan happens in one stroke; in `sequence` it is committed and goes through the
// steps of a real manager.
class ClosedLoop {
 public:
  enum class Way { direct, sequence };

  struct Task {
    int amount = 1;
    std::string node;         // empty: waits
    Time started = 0;         // in seconds
    JsonObject members = {};  // of its document, beside these
  };
  struct Job {
    std::string id;
    JsonObject members;  // of its document, without id, state, times and tasks
    std::vector<Task> tasks;
    Time submitted = 0;
    Time waiting_since = 0;
    int preempted = 0;
  };

  // The cluster without its jobs.
  ClosedLoop(std::string policy, ClusterBuilder cluster, std::vector<Job> jobs, Way way)
      : cluster_(std::move(cluster)), jobs_(std::move(jobs)), way_(way), engine_(Options{}) {
    Problems problems;
    EXPECT_TRUE(engine_.set_policy(policy, problems)) << problems.all()[0].message() << policy;
    load();
  }

  // Lets all waiting jobs ask, one after the other, until no plan changes anything any more, also an hour and
  // a day later. Returns the number of plans carried out; -1 if there were more than `most`.
  int run_to_rest(int most) {
    int done = 0;
    for (const Time pause : {Time{60}, Time{3'600}, Time{86'400}, Time{86'400}}) {
      bool quiet = false;
      now_ += pause;
      while (!quiet) {
        quiet = true;
        for (std::size_t i = 0; i < jobs_.size(); ++i) {
          if (!waits(jobs_[i]) || !ask(jobs_[i].id)) continue;
          quiet = false;
          if (++done > most) return -1;
        }
        now_ += 61;
        load();
      }
    }
    return done;
  }

  // One question, and what follows from a yes. True where something changed.
  bool ask(const std::string& job) {
    load();
    Problems problems;
    const std::optional<Plan> plan = engine_.plan(job, now_ * kSecond, {}, problems);
    EXPECT_TRUE(plan) << (problems.all().empty() ? "" : problems.all()[0].message());
    if (!plan || (plan->outcome != Outcome::fits && plan->outcome != Outcome::preempt)) return false;
    EXPECT_EQ(verify(*plan, *engine_.policies()), "");
    history_.push_back(job + ':');
    for (const PlannedVictim& victim : plan->victims)
      history_.back() += ' ' + std::string(plan->model().job_name(victim.job));
    if (way_ == Way::direct) {
      carry_out(*plan);
    } else {
      go_through(*plan);
    }
    return true;
  }

  // The queue claims the node back whenever another queue's job is on it, and all waiting jobs ask, one after
  // the other. Returns how often the node was reclaimed, at most `most` times.
  int reclaims_and_preempts(const std::string& queue, const std::string& node, int most) {
    int reclaimed = 0;
    for (int round = 0; round < 3 * most && reclaimed < most; ++round) {
      now_ += 3'600;
      load();
      Problems problems;
      const auto plan = engine_.plan_claim(queue, {node}, "reclaim", now_ * kSecond, {}, problems);
      EXPECT_TRUE(plan) << (problems.all().empty() ? "" : problems.all()[0].message());
      if (plan && plan->outcome == Outcome::preempt) {
        ++reclaimed;
        for (const PlannedVictim& victim : plan->victims) {
          const std::string id(plan->model().job_name(victim.job));
          for (const TaskId task : victim.tasks) leave(id, task_label(plan->model(), task, 0));
        }
      }
      for (const Job& job : std::vector<Job>(jobs_)) {
        now_ += 3'600;
        if (waits(job_of(job.id))) ask(job.id);
      }
    }
    return reclaimed;
  }

  int running(std::string_view prefix) const {
    int count = 0;
    for (const Job& job : jobs_) {
      for (const Task& task : job.tasks) count += job.id.starts_with(prefix) && !task.node.empty() ? 1 : 0;
    }
    return count;
  }
  // The last plans carried out, for messages: `requester: victim victim`.
  std::string history() const {
    std::string out;
    for (std::size_t i = history_.size() > 12 ? history_.size() - 12 : 0; i < history_.size(); ++i)
      out += history_[i] + "; ";
    return out;
  }
  std::string document() const {
    ClusterBuilder cluster = cluster_;
    cluster.now = now_;
    for (const Job& job : jobs_) add(cluster, job);
    return cluster.text();
  }
  const Engine& engine() const { return engine_; }

 private:
  static bool waits(const Job& job) {
    for (const Task& task : job.tasks) {
      if (task.node.empty()) return true;
    }
    return false;
  }

  static void add(ClusterBuilder& cluster, const Job& job) {
    JsonList tasks;
    bool runs = false;
    for (std::size_t k = 0; k < job.tasks.size(); ++k) {
      const Task& task = job.tasks[k];
      JsonObject out{{"id", "k" + std::to_string(k)}, {"resources", JsonObject{{"cpu", task.amount}}}};
      if (!task.node.empty()) {
        runs = true;
        out.put("node", task.node).put("started", task.started);
      }
      tasks.add(out.put_all(task.members));
    }
    JsonObject& out = cluster.job(job.id, {}).put("state", runs ? "running" : "pending");
    out.put("submitted", job.submitted).put("waiting_since", job.waiting_since);
    out.put("preempted_count", job.preempted).put_all(job.members).put("tasks", tasks);
  }

  void load() {
    Problems problems;
    EXPECT_TRUE(engine_.load(document(), problems)) << problems.all()[0].message() << document();
  }

  Job& job_of(std::string_view id) {
    for (Job& job : jobs_) {
      if (job.id == id) return job;
    }
    ADD_FAILURE() << "no job " << id;
    return jobs_.front();
  }
  static Task& task_of(Job& job, std::string_view label) {
    return job.tasks[std::stoul(std::string(label.substr(1)))];
  }

  void leave(std::string_view id, std::string_view task) {
    Job& job = job_of(id);
    EXPECT_NE(task_of(job, task).node, "") << id << " leaves twice";
    task_of(job, task).node.clear();
    job.waiting_since = now_;
  }
  void start(std::string_view id, std::string_view task, std::string_view node) {
    Task& own = task_of(job_of(id), task);
    EXPECT_EQ(own.node, "") << id << " starts twice";
    own.node = node;
    own.started = now_;
  }

  void carry_out(const Plan& plan) {
    for (const PlannedVictim& victim : plan.victims) {
      const std::string id(plan.model().job_name(victim.job));
      for (const TaskId task : victim.tasks) leave(id, task_label(plan.model(), task, 0));
      ++job_of(id).preempted;
    }
    const std::string id(plan.model().job_name(plan.subject.job));
    for (const PlannedTask& task : plan.placement) {
      start(id, task_label(plan.model(), task.task, task.index),
            plan.model().name(plan.model().nodes[task.node].name));
    }
  }

  // A manager without imagination: it does what it is told, at once, and says so.
  void go_through(const Plan& plan) {
    Problems problems;
    const EntryId entry = engine_.commit(plan, *engine_.policies(), now_ * kSecond, -1, problems);
    EXPECT_NE(entry, kNoEntry) << (problems.all().empty() ? "" : problems.all()[0].message());
    std::vector<Event> events;
    for (int i = 0; i < 100 && engine_.sequence().ledger().size() > 0; ++i) {
      load();
      const StepResult step = engine_.step(now_ * kSecond, std::exchange(events, {}));
      for (const Action& action : step.actions) {
        do_it(action, events);
        events.push_back({.kind = EventKind::action_done, .action = action.id});
      }
      now_ += 1;
    }
    EXPECT_EQ(engine_.sequence().ledger().size(), 0u) << "an entry never ends";
    load();
  }

  void do_it(const Action& action, std::vector<Event>& events) {
    switch (action.kind) {
      case ActionKind::checkpoint_hint:
        events.push_back({.kind = EventKind::checkpoint_done, .job = action.job});
        break;
      case ActionKind::signal:
      case ActionKind::suspend:
      case ActionKind::terminate:
      case ActionKind::mark:
        // With a grace or an action timeout below a second it is told twice.
        for (const std::string& task : action.tasks) {
          if (!task_of(job_of(action.job), task).node.empty()) leave(action.job, task);
        }
        events.push_back({.kind = EventKind::released, .job = action.job});
        break;
      case ActionKind::requeue:
        job_of(action.job).preempted = static_cast<int>(action.preempted_count);
        break;
      case ActionKind::start:
        for (const Place& place : action.placement) start(action.job, place.task, place.node);
        events.push_back({.kind = EventKind::started, .job = action.job});
        break;
      case ActionKind::replan: ADD_FAILURE() << "nothing went wrong, and a new plan is asked for"; break;
      case ActionKind::claim_ready:
      case ActionKind::cancel_hint:
      case ActionKind::gone:
      case ActionKind::release_hold: break;
    }
  }

  ClusterBuilder cluster_;
  std::vector<Job> jobs_;
  const Way way_;
  Engine engine_;
  Time now_ = 1'000'000;
  std::vector<std::string> history_;
};

}  // namespace cede
