// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "plan_fixture.h"
#include "sequence/save.h"

namespace cede {

// An engine that goes from plan to started job, by names and in seconds after Scene::kNow.
class Manager {
 public:
  explicit Manager(const Scene& scene, bool load = true) : engine(Options{}) {
    Problems problems;
    EXPECT_TRUE(engine.set_policy(scene.policy(), problems)) << problems.all()[0].message();
    if (!load) return;
    EXPECT_TRUE(engine.load(scene.cluster(), problems)) << problems.all()[0].message() << scene.cluster();
  }

  Plan plan(std::string_view job = "p", Time seconds = 0) const {
    Problems problems;
    std::optional<Plan> made = engine.plan(job, Scene::later(seconds), {}, problems);
    EXPECT_TRUE(made) << (problems.all().empty() ? "" : problems.all()[0].message());
    if (!made) return {};
    EXPECT_EQ(verify(*made, *engine.policies()), "") << write_plan(*made, true);
    return std::move(*made);
  }
  std::string asks(std::string_view job = "p", Time seconds = 0) const {
    return in_words(plan(job, seconds));
  }

  // The entry's number, or why there is none.
  std::string commit(const Plan& plan, Time seconds = 0) {
    Problems problems;
    const EntryId entry = engine.commit(plan, *engine.policies(), Scene::later(seconds), -1, problems);
    return entry != kNoEntry ? std::to_string(entry) : problems.all()[0].message();
  }
  std::string commit(std::string_view job = "p", Time seconds = 0) {
    return commit(plan(job, seconds), seconds);
  }

  std::string extend(EntryId entry, const Plan& plan, Time seconds = 0) {
    Problems problems;
    const bool done = engine.extend(entry, plan, *engine.policies(), Scene::later(seconds), -1, problems);
    return done ? "" : problems.all()[0].message();
  }

  void apply(const std::string& text) {
    Problems problems;
    EXPECT_TRUE(engine.apply(R"({"format":"cede-changes/1",)" + text + "}", problems))
        << (problems.all().empty() ? "" : problems.all()[0].message()) << text;
  }
  void put_job(const std::string& job) { apply(R"("put":{"jobs":[)" + job + "]}"); }
  void remove_job(const std::string& job) { apply(R"("remove":{"jobs":[")" + job + R"("]})"); }

  // The actions of a step in words: `TERM v`, `start p`, `requeue v`.
  std::string step(Time seconds, const std::vector<Event>& events = {}) {
    last = engine.step(Scene::later(seconds), events);
    std::string out;
    for (const Action& action : last.actions) {
      std::string word(action.signal != Signal::none ? to_word(action.signal, kSignals)
                                                     : to_word(action.kind, kActionKinds));
      out += (out.empty() ? "" : ", ") + word + (action.job.empty() ? "" : " " + action.job);
    }
    return out;
  }
  // Every action of the last step is done.
  std::vector<Event> done() const {
    std::vector<Event> events;
    for (const Action& action : last.actions)
      events.push_back({.kind = EventKind::action_done, .action = action.id});
    return events;
  }

  std::string state_of(std::string_view job) const {
    const EntryId entry = engine.sequence().live_entry(job);
    return entry == kNoEntry
               ? "none"
               : std::string(to_word(engine.sequence().ledger().find(entry)->clock.state, kEntryStates));
  }

  Engine engine;
  StepResult last;
};

inline Event about(EventKind kind, std::string job) { return {.kind = kind, .job = std::move(job)}; }

}  // namespace cede
