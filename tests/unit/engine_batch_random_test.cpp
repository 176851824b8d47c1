// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <random>
#include <set>

#include "engine/plan.h"
#include "sequence_engine_fixture.h"
#include "sequence_script.h"

namespace cede {
namespace {

// A small cluster that keeps its own books: what each job holds, and where. Amounts are cpus or, with their
// numbers, GPUs.
class Site {
 public:
  struct Job {
    std::string name;
    std::vector<int> tasks;
    int priority = 0;
    std::string queue = "root";
    std::vector<std::string> nodes;  // empty: it waits
    std::vector<DeviceMask> gpus;
    Time started = 0;
  };

  explicit Site(std::uint32_t seed) : random_(seed) {
    gpus_ = random_() % 2 == 0;
    by_class_ = random_() % 2 == 0;
    queue_max_ = random_() % 3 == 0 ? number(6, 16) : 0;
    const int nodes = number(1, 4);
    for (int i = 0; i < nodes; ++i) capacity_["n" + std::to_string(i)] = number(4, 8);
    int running = 0;
    for (const auto& [node, most] : capacity_) {
      for (int left = most - number(0, 2); left > 0;) {
        const int size = std::min(left, number(1, 8));
        add("v" + std::to_string(running++), {size}, number(1, 9), {node});
        left -= size;
      }
    }
    const int waiting = number(2, 6);
    for (int i = 0; i < waiting; ++i) {
      add("p" + std::to_string(i),
          std::vector<int>(static_cast<std::size_t>(number(1, 5) / 4 + 1), number(1, 4)), 50, {});
    }
  }

  int number(int least, int most) {
    return least + static_cast<int>(random_() % static_cast<unsigned>(most - least + 1));
  }

  // By class, victims that can save are asked to, and run on if their requester is cancelled.
  std::string policy() const {
    return by_class_ ? policy_text("class-cost") : policy_text("priority", {{"front_only", false}});
  }
  std::string cluster() const {
    ClusterBuilder builder(1'000'000);
    builder.group();
    builder.queue("root");
    JsonObject& queue = builder.queue("root.q", "root");
    if (queue_max_ > 0) queue.put("max", JsonObject{{resource(), queue_max_}});
    for (const auto& [node, most] : capacity_) builder.node(node, {{resource(), most}});
    for (const auto& [name, job] : jobs) put(builder, job);
    return builder.text();
  }
  std::string change(const Job& job) const {
    ClusterBuilder builder;
    put(builder, job);
    return builder.changes();
  }

  // What is wrong with the places of the jobs; empty if nothing is.
  std::string fault() const {
    std::map<std::string, int> used;
    std::map<std::string, DeviceMask> devices;
    int in_queue = 0;
    for (const auto& [name, job] : jobs) {
      for (std::size_t i = 0; i < job.nodes.size(); ++i) {
        used[job.nodes[i]] += job.tasks[i];
        if (job.queue == "root.q") in_queue += job.tasks[i];
        if (!gpus_) continue;
        if (std::popcount(job.gpus[i]) != job.tasks[i]) return name + " has another number of devices";
        if ((devices[job.nodes[i]] & job.gpus[i]) != 0) return name + " is on the devices of another job";
        devices[job.nodes[i]] |= job.gpus[i];
      }
    }
    for (const auto& [node, amount] : used) {
      if (amount > capacity_.at(node)) return node + " holds " + std::to_string(amount);
    }
    return queue_max_ > 0 && in_queue > queue_max_ ? "the queue holds " + std::to_string(in_queue) : "";
  }

  bool has_devices() const { return gpus_; }
  std::map<std::string, Job> jobs;

 private:
  void add(const std::string& name, std::vector<int> tasks, int priority, std::vector<std::string> nodes) {
    Job job{name,  std::move(tasks), priority, number(0, 1) == 0 ? "root" : "root.q", std::move(nodes), {},
            900000};
    if (queue_max_ > 0 && !job.nodes.empty() && job.queue == "root.q") {
      in_queue_ += job.tasks[0];
      if (in_queue_ > queue_max_) job.queue = "root";
      if (in_queue_ > queue_max_) in_queue_ -= job.tasks[0];
    }
    for (const std::string& node : job.nodes) {
      job.gpus.push_back(((DeviceMask{1} << job.tasks[0]) - 1) << taken_[node]);
      taken_[node] += job.tasks[0];
    }
    jobs[name] = std::move(job);
  }
  std::string resource() const { return gpus_ ? "gpu" : "cpu"; }
  static JsonList numbers(DeviceMask mask) {
    JsonList out;
    for (std::uint32_t d = 0; d < kMaxDevices; ++d) {
      if ((mask >> d & 1) != 0) out.add(d);
    }
    return out;
  }
  void put(ClusterBuilder& builder, const Job& job) const {
    JsonObject& out = builder.job(job.name, job.queue).put("submitted", 990000);
    out.put("priority", job.priority).put("gang", true).put("class", job.priority / 10 * 2);
    if (job.priority % 2 == 1) out.put("checkpoint", JsonObject{{"mode", "auto"}, {"estimate", "1m"}});
    if (!job.nodes.empty()) out.put("state", "running").put("started", job.started);
    JsonList tasks;
    for (std::size_t i = 0; i < job.tasks.size(); ++i) {
      JsonObject task{{"resources", JsonObject{{resource(), job.tasks[i]}}}};
      if (!job.nodes.empty()) task.put("node", job.nodes[i]);
      if (!job.nodes.empty() && gpus_) task.put("gpus", numbers(job.gpus[i]));
      tasks.add(task);
    }
    out.put("tasks", tasks);
  }

  std::mt19937 random_;
  bool gpus_ = false;
  bool by_class_ = false;
  int queue_max_ = 0;
  int in_queue_ = 0;
  std::map<std::string, int> capacity_;
  std::map<std::string, int> taken_;
};

bool is_yes(const Plan& plan) { return plan.outcome == Outcome::fits || plan.outcome == Outcome::preempt; }

// Batches on a random site, decided and led to their end.
class BatchRun {
 public:
  explicit BatchRun(std::uint32_t seed) : site(seed), engine_(Options{}) {
    Problems problems;
    EXPECT_TRUE(engine_.set_policy(site.policy(), problems));
    EXPECT_TRUE(engine_.load(site.cluster(), problems)) << problems.all()[0].message() << site.cluster();
    for (const auto& [name, job] : site.jobs) {
      if (job.nodes.empty()) asked_.push_back(name);
    }
    std::optional<std::vector<Plan>> made = plan_batch(engine_, asked_, kNoTime, {}, problems);
    EXPECT_TRUE(made);
    if (made) plans = std::move(*made);
  }

  // The same as one after the other on a clone.
  void compare_with_single_steps() {
    Engine clone(engine_);
    std::vector<EntryId> entries;
    for (std::size_t i = 0; i < plans.size(); ++i) {
      Problems problems;
      std::optional<Plan> plan = clone.plan_after(entries, asked_[i], kNoTime, {}, problems);
      ASSERT_TRUE(plan);
      ASSERT_EQ(verify(*plan, *engine_.policies()), "");
      ASSERT_EQ(verify(plans[i], *engine_.policies()), "") << write_plan(plans[i], true);
      plan->expected_start = plans[i].expected_start;
      plan->latest_start = plans[i].latest_start;
      ASSERT_GE(plans[i].expected_start, is_yes(plans[i]) ? plans[i].now : kNoTime);
      // A hold that is taken is counted on in a batch.
      plan->after = plans[i].after;
      ASSERT_EQ(write_plan(*plan, false), write_plan(plans[i], false));
      if (!is_yes(*plan)) continue;
      entries.push_back(clone.commit(*plan, *engine_.policies(), kNoTime, -1, problems));
      ASSERT_NE(entries.back(), kNoEntry) << problems.all()[0].message();
    }
  }

  // With all victims gone, all placements fit; no job is taken twice.
  void add_up() {
    Site end = site;
    std::set<std::string> victims;
    for (const Plan& plan : plans) {
      for (const PlannedVictim& victim : plan.victims) {
        const std::string name(plan.model().job_name(victim.job));
        if (victim.hold != 0) continue;
        ASSERT_TRUE(victims.insert(name).second) << name << " is taken twice";
        end.jobs.erase(name);
      }
      seat(end, plan);
    }
    ASSERT_EQ(end.fault(), "") << site.cluster();
    shared += static_cast<int>(
        std::count_if(plans.begin(), plans.end(), [](const Plan& plan) { return !plan.after.empty(); }));
  }

  void commit_all() {
    for (const Plan& plan : plans) {
      if (!is_yes(plan)) continue;
      Problems problems;
      // A part is nothing without those it counts on.
      if (!plan.after.empty() && engine_.sequence().ledger().size() == 0) {
        Engine bare(engine_);
        ASSERT_EQ(bare.commit(plan, *engine_.policies(), kNoTime, -1, problems), kNoEntry);
        ASSERT_EQ(problems.all()[0].status, Status::stale);
      }
      problems = Problems();
      ASSERT_NE(engine_.commit(plan, *engine_.policies(), kNoTime, -1, problems), kNoEntry)
          << problems.all()[0].message() << site.cluster() << write_plan(plan, false);
    }
  }

  // Steps until nothing is in flight. `disturbed`: a requester is cancelled on the way, and jobs whose answer
  // was wait ask again, alone.
  void lead(bool disturbed) {
    const std::size_t wanted = static_cast<std::size_t>(std::count_if(plans.begin(), plans.end(), is_yes));
    for (int second = 1; second < 400 && engine_.sequence().ledger().size() > 0; ++second) {
      if (disturbed && second == site.number(1, 6)) cancel_one(second);
      if (disturbed && second % 3 == 0) {
        ASSERT_NO_FATAL_FAILURE(ask_again(second));
      }
      if (second % 5 == 2) restart();
      const StepResult result = engine_.step(at(second), events_);
      events_.clear();
      for (const Action& action : result.actions) ASSERT_NO_FATAL_FAILURE(obey(action, second));
      ASSERT_NO_FATAL_FAILURE(let_go(second));
    }
    ASSERT_EQ(engine_.sequence().ledger().size(), 0u) << site.cluster();
    if (!disturbed) {
      ASSERT_EQ(started_, wanted) << site.cluster();
    }
  }

  Site site;
  std::vector<Plan> plans;
  int shared = 0;
  int extended = 0;

 private:
  static Time at(int second) { return (1'000'000 + second) * kSecond; }

  static void seat(Site& site, const Plan& plan) {
    if (!is_yes(plan)) return;
    Site::Job& job = site.jobs[std::string(plan.model().job_name(plan.subject.job))];
    for (const PlannedTask& task : plan.placement) {
      job.nodes.emplace_back(plan.model().name(plan.model().nodes[task.node].name));
      job.gpus.push_back(task.gpus);
    }
  }

  void obey(const Action& action, int second) {
    if (action.kind == ActionKind::start) {
      Site::Job& job = site.jobs[action.job];
      ASSERT_TRUE(job.nodes.empty()) << action.job << " starts twice";
      for (const Place& place : action.placement) {
        job.nodes.push_back(place.node);
        job.gpus.push_back(place.gpus);
      }
      job.started = 1'000'000 + second;
      ASSERT_EQ(site.fault(), "") << "when " << action.job << " starts\n" << site.cluster();
      put(job);
      events_.push_back({.kind = EventKind::started, .job = action.job});
      ++started_;
    } else if (action.kind == ActionKind::replan) {
      ASSERT_NO_FATAL_FAILURE(plan_anew(action, second));
      return;
    } else if (action.kind == ActionKind::cancel_hint) {
      leaving_.erase(action.job);
    } else if (action.kind != ActionKind::requeue && action.kind != ActionKind::gone &&
               action.kind != ActionKind::release_hold) {
      leaving_.emplace(action.job, second + site.number(0, 8));
    }
    events_.push_back({.kind = EventKind::action_done, .action = action.id});
  }

  // What is short gets a new plan, where there is one; otherwise it is given up.
  void plan_anew(const Action& action, int second) {
    const Entry* entry = engine_.sequence().ledger().find(action.entry);
    if (!entry || entry->clock.state != EntryState::short_of_space) return;
    Problems problems;
    std::optional<Plan> plan = engine_.plan(action.preemptor, at(second), {}, problems);
    ASSERT_TRUE(plan);
    ASSERT_EQ(verify(*plan, *engine_.policies()), "") << write_plan(*plan, true);
    if (is_yes(*plan) && site.number(0, 3) > 0) {
      ASSERT_TRUE(engine_.extend(action.entry, *plan, *engine_.policies(), at(second), -1, problems))
          << problems.all()[0].message() << write_plan(*plan, false);
      ++extended;
    } else {
      ASSERT_TRUE(engine_.give_up(action.entry, at(second), problems)) << problems.all()[0].message();
    }
  }

  void ask_again(int second) {
    for (const std::string& name : asked_) {
      const bool waits = site.jobs[name].nodes.empty();
      if (!waits || engine_.sequence().live_entry(name) != kNoEntry || site.number(0, 1) == 0) continue;
      Problems problems;
      const std::optional<Plan> plan = engine_.plan(name, at(second), {}, problems);
      ASSERT_TRUE(plan);
      ASSERT_TRUE(plan->after.empty());
      if (!is_yes(*plan)) continue;
      ASSERT_NE(engine_.commit(*plan, *engine_.policies(), at(second), -1, problems), kNoEntry)
          << problems.all()[0].message();
    }
  }

  void let_go(int second) {
    for (auto next = leaving_.begin(); next != leaving_.end();) {
      if (next->second > second) {
        ++next;
        continue;
      }
      site.jobs.erase(next->first);
      Problems problems;
      ClusterBuilder gone;
      gone.document.put("remove", JsonObject{{"jobs", JsonList{next->first}}});
      ASSERT_TRUE(engine_.apply(gone.changes(), problems));
      next = leaving_.erase(next);
    }
  }

  void put(const Site::Job& job) {
    Problems problems;
    ASSERT_TRUE(engine_.apply(site.change(job), problems)) << problems.all()[0].message();
  }

  void cancel_one(int second) {
    const std::vector<EntryId> ids = engine_.sequence().ledger().ids();
    if (ids.empty()) return;
    Problems problems;
    engine_.cancel(ids[static_cast<std::size_t>(site.number(0, static_cast<int>(ids.size()) - 1))],
                   at(second), problems);
  }

  void restart() {
    Problems problems;
    ASSERT_TRUE(engine_.restore_state(engine_.save_state(), problems)) << problems.all()[0].message();
  }

  Engine engine_;
  std::vector<std::string> asked_;
  std::vector<Event> events_;
  std::map<std::string, int> leaving_;
  std::size_t started_ = 0;
};

TEST(BatchRandom, EveryJobStartsAndNoNodeIsEverOverfull) {
  int shared = 0;
  const std::uint32_t rounds = long_tier() ? 5000 : 300;
  for (std::uint32_t seed = 0; seed < rounds; ++seed) {
    SCOPED_TRACE(seed);
    BatchRun course(seed);
    ASSERT_NO_FATAL_FAILURE(course.compare_with_single_steps());
    ASSERT_NO_FATAL_FAILURE(course.add_up());
    ASSERT_NO_FATAL_FAILURE(course.commit_all());
    ASSERT_NO_FATAL_FAILURE(course.lead(false));
    shared += course.shared;
  }
  EXPECT_GT(shared, static_cast<int>(rounds) / 4) << "otherwise nothing was tried";
}

TEST(BatchRandom, AfterAnyCancellationNoJobStartsOnSpaceThatIsNotFree) {
  int extended = 0;
  const std::uint32_t rounds = long_tier() ? 5000 : 300;
  for (std::uint32_t seed = 0; seed < rounds; ++seed) {
    SCOPED_TRACE(seed);
    BatchRun course(1'000'000 + seed);
    ASSERT_NO_FATAL_FAILURE(course.commit_all());
    ASSERT_NO_FATAL_FAILURE(course.lead(true));
    extended += course.extended;
  }
  EXPECT_GT(extended, 0) << "otherwise no entry was short";
}

}  // namespace
}  // namespace cede
