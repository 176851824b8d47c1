// SPDX-License-Identifier: MIT
// Asking the library for waiting jobs.
#include <algorithm>
#include <chrono>
#include <tuple>

#include "cli/message_text.h"
#include "manager.h"

namespace local {

namespace {

constexpr std::int64_t kAskEvery = 200;      // real milliseconds: answers change with time alone, too
constexpr std::int64_t kLongestAsking = 50;  // of one round
constexpr std::size_t kAlwaysAsked = 16;     // from the front of the queue

std::string victims_of(const cede_plan* plan) {
  constexpr const char* kWords[] = {"", "checkpoint", "suspend", "terminate", "soft-evict", "signal"};
  std::string out;
  for (std::size_t i = 0; i < cede_plan_victim_count(plan); ++i) {
    cede_victim victim{};
    cede_plan_victim_get(plan, i, &victim, sizeof victim, nullptr);
    const char* job = cede_plan_victim_job(plan, i);
    out += out.empty() ? ": " : ", ";
    out += (job ? job : "");
    const auto action = static_cast<std::size_t>(victim.action);
    if (victim.hold == 0 && action < std::size(kWords)) out += std::string(" (") + kWords[action] + ')';
    if (victim.hold != 0) out += " (its hold)";
  }
  return out;
}

std::vector<Place> places_of(const cede_plan* plan) {
  std::vector<Place> out(cede_plan_place_count(plan));
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i].task = cede_plan_place_task(plan, i);
    out[i].node = cede_plan_place_node(plan, i);
    cede_plan_place_get(plan, i, &out[i].devices, sizeof out[i].devices, nullptr);
  }
  return out;
}

}  // namespace

std::vector<std::size_t> Manager::queue() const {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < jobs_.size(); ++i) {
    if (jobs_[i].waits()) out.push_back(i);
  }
  std::stable_sort(out.begin(), out.end(), [this](std::size_t a, std::size_t b) {
    const JobRun &x = jobs_[a], &y = jobs_[b];
    return std::tuple(-x.job_class, -x.priority, x.submitted) <
           std::tuple(-y.job_class, -y.priority, y.submitted);
  });
  return out;
}

std::vector<std::string> Manager::terms_of(const JobRun& job) const {
  std::vector<std::string> out;
  const std::vector<std::string>& only = job.starts == 0 ? job.spec->run.first : job.checkpoint_nodes;
  for (const std::string& node : only) out.push_back("only=" + node);
  return out;
}

bool Manager::ask(std::size_t index) {
  JobRun& job = jobs_[index];
  const auto begun = std::chrono::steady_clock::now();
  std::string fault;
  const cli::Plan plan = library_.plan(job.spec->id, now_, terms_of(job), fault);
  const auto micros =
      std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - begun);
  if (!plan) {
    fault_ = "the library cannot plan for " + cli::quote(job.spec->id) + ": " + fault;
    return false;
  }
  const std::int32_t outcome = cede_plan_outcome(plan.get());
  if (outcome == CEDE_OUTCOME_IMPOSSIBLE) {
    end_job(index, JobEnd::impossible, cede_plan_reason(plan.get()));
    return true;
  }
  if (outcome != CEDE_OUTCOME_FITS && outcome != CEDE_OUTCOME_PREEMPT) {
    const std::string rule = cede_plan_rule(plan.get());
    job.reason = cede_plan_reason(plan.get());
    job.planned_places.clear();
    if (rule == job.rule) return false;
    job.rule = rule;
    const std::int64_t kept = last_change_;
    if (outcome == CEDE_OUTCOME_WAIT) log_event("wait", job, rule + ": " + job.reason);
    last_change_ = kept;  // an answer of the library is not a change
    return false;
  }
  if (library_.commit(plan, now_, micros.count(), fault) == 0) {
    if (!fault.empty()) fault_ = "the library refuses its own plan: " + fault;
    return false;
  }
  job.rule.clear();
  job.reason = cede_plan_reason(plan.get());
  job.planned_places = places_of(plan.get());
  dirty_ = true;
  if (outcome == CEDE_OUTCOME_PREEMPT) log_event("plan", job, job.reason + victims_of(plan.get()));
  return true;
}

// True if anything was committed.
bool Manager::ask_for_plans() {
  if (!changed_ && Clock::ticks() < next_plans_) return false;
  changed_ = false;
  next_plans_ = Clock::ticks() + kAskEvery;
  const std::int64_t enough = Clock::ticks() + kLongestAsking;
  std::set<std::string> in_flight;
  for (const LedgerEntry& entry : library_.in_flight()) {
    if (entry.fields.state <= CEDE_ENTRY_READY) in_flight.insert(entry.requester);
  }
  std::vector<std::size_t> waiting = queue();
  std::erase_if(waiting, [&](std::size_t job) { return in_flight.contains(jobs_[job].spec->id); });
  // Ask for the front of the queue always, and for a part of the rest each time.
  if (waiting.size() > kAlwaysAsked) {
    const std::size_t rest = waiting.size() - kAlwaysAsked;
    std::rotate(waiting.begin() + kAlwaysAsked,
                waiting.begin() + static_cast<std::ptrdiff_t>(kAlwaysAsked + cursor_ % rest), waiting.end());
  }
  bool any = false;
  std::size_t asked = 0;
  for (const std::size_t job : waiting) {
    if (asked >= kAlwaysAsked && Clock::ticks() > enough) break;
    any = ask(job) || any;
    ++asked;
    if (!fault_.empty()) return false;
  }
  cursor_ = asked < waiting.size() ? cursor_ + asked - kAlwaysAsked : 0;
  if (asked < waiting.size()) changed_ = true;
  return any;
}

void Manager::replan(const EngineAction& action) {
  std::string fault = "its job is gone";
  if (JobRun* job = find(action.preemptor.empty() ? action.job : action.preemptor); job && job->live()) {
    fault.clear();
    const cli::Plan plan = library_.plan(job->spec->id, now_, terms_of(*job), fault);
    if (plan) fault = library_.extend(action.fields.entry, plan, now_);
    log_event("replan", *job, fault.empty() ? cede_plan_reason(plan.get()) + victims_of(plan.get()) : fault);
  }
  if (!fault.empty()) library_.give_up(action.fields.entry, now_);
}

}  // namespace local
