// SPDX-License-Identifier: MIT
// The calls that move things on, and what is remembered of their answers.
#include <algorithm>

#include "life.h"

namespace lives {

Entry* Book::live_entry_of(const std::string& job) {
  for (auto& [id, entry] : entries) {
    if (entry.kind == RequesterKind::job && entry.requester == job && entry.is_live()) return &entry;
  }
  return nullptr;
}

const Entry* Book::taker_of(std::uint64_t run, std::uint64_t but) const {
  for (const auto& [id, entry] : entries) {
    if (id == but || !entry.is_live()) continue;
    for (const Victim& victim : entry.victims) {
      if (victim.run == run) return &entry;
    }
  }
  return nullptr;
}

// All calls but the step count the cluster's time as well.
void Life::time_is_told() { book_.now = std::max({book_.now, clock_, cluster_now_}); }

// What the library says about its entries now; those it does not list any more have ended.
void Life::observe(const std::string& after) {
  ledger_ = engine_->in_flight();
  revision_ = engine_->revision();
  for (const LedgerEntry& listed : ledger_.entries) {
    if (!book_.entries.contains(listed.facts.entry))
      return found("unknown entry", "entry " + std::to_string(listed.facts.entry) + " was never committed");
  }
  for (auto& [id, entry] : book_.entries) {
    const LedgerEntry* listed = ledger_.find(id);
    const int32_t before = entry.state;
    if (listed) {
      entry.state = listed->facts.state;
    } else if (entry.is_live()) {
      entry.state = CEDE_ENTRY_FAILED;  // whichever way, it has ended
    }
    if (entry.state == before) continue;
    if (!is_live(before) && is_live(entry.state))
      found("ended entry lives again", "entry " + std::to_string(id) + " after " + after);
    say("      entry " + std::to_string(id) + " is " + state_name(entry.state) + " after " + after);
    if (entry.state != CEDE_ENTRY_SHORT) continue;
    ++recorder_.totals->shorts;
    entry.started_once = false;
  }
  check_entries(after);
}

// An event that the library took may mean that runs are gone.
void Life::believe(const EventOut& event) {
  const bool lie = is_lie(event);
  const auto gone = [&](const Job& job, const Task& task) {
    if (!task.placed) return;
    book_.released.insert(task.run);
    const Job* real = real_.job(job.id);
    const Task* now = real ? real->find(task.id) : nullptr;
    if (lie || (now && now->placed && now->run == task.run)) lied_.insert(task.run);
  };
  const bool leaves = event.kind == CEDE_EVENT_RELEASED || event.kind == CEDE_EVENT_EXITED ||
                      event.kind == CEDE_EVENT_CANCELLED;
  for (const auto& [id, job] : told_.jobs) {
    for (const Task& task : job.tasks) {
      const bool by_job = leaves && event.job == id && (event.task.empty() || event.task == task.id);
      const bool by_node = event.kind == CEDE_EVENT_NODE_DOWN && task.placed && task.place.node == event.node;
      if (by_job || by_node) gone(job, task);
    }
  }
}

void Life::do_step(bool all_events) {
  std::vector<EventOut> events;
  std::vector<EventOut> later;
  for (const EventOut& event : events_) {
    if (!sloppy_ && is_lie(event)) continue;
    if (all_events || random_.chance(85)) {
      events.push_back(event);
      if (!orderly_ && random_.chance(6)) events.push_back(event);
      if (!orderly_ && random_.chance(4)) later.push_back(event);
    } else {
      later.push_back(event);
    }
  }
  events_ = later;
  if (!orderly_ && random_.chance(25)) random_.shuffle(events);
  if (random_.chance(4)) events.push_back({CEDE_EVENT_RELEASED, "nobody", {}, {}, 0, 0, 0});
  if (random_.chance(4))
    events.push_back({CEDE_EVENT_ACTION_DONE, {}, {}, {}, 0, 1 + random_.next() % 40, 0});
  for (const EventOut& event : events) {
    if (event.action == 0) continue;
    book_.open.erase(event.action);
  }
  const Millis now = random_.chance(3) ? clock_ - 50000 : clock_;
  StepView step;
  // What an event means counts before the step is checked.
  const Book before = book_;
  const int32_t status = engine_->step(now, events, step);
  if (status < 0) {
    book_ = before;
    const std::string why = engine_->error();
    check_unchanged("step");
    return found("step refused", why);
  }
  take_step(step, events, now);
}

void Life::take_step(const StepView& step, const std::vector<EventOut>& events, Millis now) {
  ++recorder_.totals->steps;
  book_.now = std::max(book_.now, now);
  next_due_ = step.next_due;
  say("  step with " + std::to_string(events.size()) + " events");
  for (std::size_t i = 0; i < events.size(); ++i) {
    const EventOut& event = events[i];
    say(std::string("    event ") + event_name(event.kind) + ' ' + event.job + ' ' + event.task + event.node +
        (event.action > 0 ? std::to_string(event.action) : "") + (step.answers[i] == 1 ? "" : " (ignored)"));
    if (step.answers[i] != 1) continue;
    believe(event);
    // Word from a job that saves answers the hint.
    if (event.kind <= CEDE_EVENT_DEFER) {
      std::erase_if(book_.open, [&](const auto& each) {
        return each.second.facts.kind == CEDE_DO_CHECKPOINT_HINT && each.second.job == event.job;
      });
    }
  }
  for (const ActionView& action : step.actions) {
    std::string line = std::string("    do ") + action_name(action.facts) + " #" +
                       std::to_string(action.facts.id) + " of entry " + std::to_string(action.facts.entry) +
                       ' ' + action.job;
    for (const std::string& task : action.tasks) line += '/' + task;
    for (const PlaceView& place : action.places) line += "; " + place_text(place);
    say(line);
  }
  kept_before_.clear();
  for (const auto& [id, entry] : book_.entries) {
    if (is_kept(entry)) kept_before_.insert(id);
  }
  observe("step");
  for (const ActionView& action : step.actions) {
    const bool again = book_.issued.contains(action.facts.id);
    if (again && !restored_)
      found("action is listed twice",
            std::string(action_name(action.facts)) + " #" + std::to_string(action.facts.id));
    check_action(action, again);
  }
  restored_ = false;
  for (const ActionView& action : step.actions) handle(action);
}

void Life::cancel_something() {
  std::vector<std::uint64_t> ids;
  for (const auto& [id, entry] : book_.entries) {
    if (entry.is_live() || random_.chance(20)) ids.push_back(id);
  }
  ids.push_back(1 + random_.next() % 50);
  const std::uint64_t id = random_.pick(ids);
  const auto known = book_.entries.find(id);
  const bool give_up = random_.chance(50);
  say(std::string(give_up ? "  give up " : "  cancel ") + std::to_string(id));
  const int32_t state = known == book_.entries.end() ? 0 : known->second.state;
  std::string why;
  const int32_t status = changing(give_up ? "give up" : "cancel", [&] {
    const int32_t ended = give_up ? engine_->give_up(id, clock_) : engine_->cancel(id, clock_);
    why = engine_->error();
    return ended;
  });
  if (status >= 0) time_is_told();
  const bool expected = give_up ? state == CEDE_ENTRY_SHORT : is_live(state);
  if (status >= 0 && !expected)
    found("ended twice", "entry " + std::to_string(id) + " was " + state_name(state));
  if (status < 0 && expected) found("entry cannot be ended", why);
}

void Life::read_something() {
  switch (random_.below(7)) {
    case 6:
      cluster_now_ = std::max(cluster_now_, clock_);
      changing("set now", [&] { return engine_->set_now(clock_); });
      break;
    case 0: engine_->read_metrics(); break;
    case 1: engine_->check_warnings(); break;
    case 2: engine_->read_shares("g" + std::to_string(random_.below(3))); break;
    case 3:
      if (!told_.jobs.empty()) engine_->admit(told_.jobs.begin()->first);
      break;
    case 4: engine_->set_log(); break;
    default: {
      // A clone answers as the engine does, and what is done to it is its own affair.
      const std::vector<std::string> jobs = waiting_jobs();
      if (jobs.empty()) break;
      Engine copy = engine_->clone();
      PlanView here, there;
      const std::string& job = random_.pick(jobs);
      if (engine_->plan(job, clock_, {}, here) < 0 || copy.plan(job, clock_, {}, there) < 0) break;
      if (engine_->plan_json(here) != copy.plan_json(there))
        found("clone answers otherwise", "job " + job + ": " + here.reason + " against " + there.reason);
      std::uint64_t entry = 0;
      if (there.can_be_committed()) copy.commit(there, clock_, entry);
      StepView step;
      copy.step(clock_, {}, step);
      check_unchanged("work on a clone");
    }
  }
}

void Life::swap_policy() {
  static const std::vector<std::string> kProfiles{"priority", "class-cost", "quota", "fair-share",
                                                  "guarantee"};
  const std::vector<std::string> before = profiles_;
  if (settings_.profile.empty() && random_.chance(50)) random_.pick(profiles_) = random_.pick(kProfiles);
  const std::string policy = make_policy();
  std::string why;
  const int32_t status = changing("set policy", [&] {
    const int32_t swapped = engine_->set_policy(policy);
    why = engine_->error();
    return swapped;
  });
  say("  set policy: " + (status < 0 ? why : profiles_[0] + ' ' + profiles_[1] + ' ' + profiles_[2]));
  if (status < 0) {
    profiles_ = before;
    return;
  }
  ++recorder_.totals->policies_swapped;
  policy_ = policy;
  for (auto& [id, entry] : book_.entries) entry.queues_disturbed = true;
}

}  // namespace lives
