// SPDX-License-Identifier: MIT
// Asks the library for plans for waiting jobs.
#include <algorithm>
#include <chrono>
#include <utility>

#include "cli/message_text.h"
#include "manager.h"

namespace local {

namespace {

constexpr std::int64_t kAskEvery = 200;      // real milliseconds: answers change with time alone, too
constexpr std::int64_t kLongestAsking = 50;  // of one round
constexpr std::size_t kAlwaysAsked = 16;     // from the front of the queue

}  // namespace

std::string victims_text(const cede_plan* plan) {
  constexpr const char* kWords[] = {"", "checkpoint", "suspend", "terminate", "soft-evict", "signal"};
  std::string out;
  const std::vector<cede_victim> victims = cli::all_of(cede_plan_victims, plan);
  for (std::size_t i = 0; i < victims.size(); ++i) {
    const cede_victim& victim = victims[i];
    const char* job = cede_plan_victim_job(plan, i);
    out += out.empty() ? ": " : ", ";
    out += (job ? job : "");
    const auto word = [&](std::int32_t action) {
      const auto at = static_cast<std::size_t>(action);
      return std::string(at < std::size(kWords) ? kWords[at] : "");
    };
    if (victim.hold == 0)
      out += " (" + word(victim.action) + (victim.then != 0 ? ", then " + word(victim.then) : "") + ')';
    if (victim.hold != 0) out += " (its hold)";
  }
  return out;
}

namespace {

std::vector<Place> places_of(const cede_plan* plan) {
  const std::vector<cede_place> places = cli::all_of(cede_plan_places, plan);
  std::vector<Place> out(places.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i].task = cede_plan_place_task(plan, i);
    out[i].node = cede_plan_place_node(plan, i);
    out[i].devices = places[i];
  }
  return out;
}

}  // namespace

std::vector<std::size_t> Manager::queue() const {
  std::vector<std::pair<WaitingOrder::Key, std::size_t>> waiting;
  for (std::size_t i = 0; i < jobs_.size(); ++i) {
    if (jobs_[i].waits()) waiting.emplace_back(order_.key(jobs_[i]), i);
  }
  std::sort(waiting.begin(), waiting.end());
  std::vector<std::size_t> out;
  for (const auto& [key, job] : waiting) out.push_back(job);
  return out;
}

std::vector<std::string> Manager::terms_of(const JobRun& job) const {
  std::vector<std::string> out;
  const std::vector<std::string>& only = job.starts == 0 ? job.spec->run.first : job.checkpoint_nodes;
  for (const std::string& node : only) out.push_back("only=" + node);
  return out;
}

// A new reason is reported once. An answer of the library is not a change.
void Manager::log_wait(const std::string& subject, std::string& rule, std::string& reason,
                       const cede_plan* plan) {
  const std::string decided_by = cede_plan_rule(plan);
  reason = cede_plan_reason(plan);
  if (decided_by == rule) return;
  rule = decided_by;
  const std::int64_t kept = last_change_;
  if (cede_plan_outcome(plan) == CEDE_OUTCOME_WAIT) log_event("wait", subject, rule + ": " + reason);
  last_change_ = kept;
}

// False if the plan is stale, or refused, which is a fault.
bool Manager::commit(const cli::Plan& plan, std::int64_t micros, std::uint64_t& entry) {
  std::string fault;
  entry = library_.commit(plan, now_, micros, fault);
  if (!fault.empty()) fault_ = "the library refuses its own plan: " + fault;
  if (entry != 0) dirty_ = true;
  return entry != 0;
}

// True if it was committed or the job has ended.
bool Manager::take_answer(std::size_t index, const cli::Plan& plan, std::int64_t micros, bool& stale) {
  JobRun& job = jobs_[index];
  const std::int32_t outcome = cede_plan_outcome(plan.get());
  if (outcome == CEDE_OUTCOME_IMPOSSIBLE) {
    end_job(index, JobEnd::impossible, cede_plan_reason(plan.get()));
    return true;
  }
  if (outcome != CEDE_OUTCOME_FITS && outcome != CEDE_OUTCOME_PREEMPT) {
    job.planned_places.clear();
    log_wait(job.spec->id, job.rule, job.reason, plan.get());
    return false;
  }
  std::uint64_t entry = 0;
  stale = !commit(plan, micros, entry);
  if (stale) return false;
  job.rule.clear();
  job.reason = cede_plan_reason(plan.get());
  job.planned_places = places_of(plan.get());
  if (outcome == CEDE_OUTCOME_PREEMPT) log_event("plan", job, job.reason + victims_text(plan.get()));
  return true;
}

// Asks for jobs of the same terms together. Each plan counts on those before it, so if one is stale, the rest
// is asked for again.
bool Manager::ask_jobs(const std::vector<std::size_t>& jobs) {
  const auto begun = std::chrono::steady_clock::now();
  const std::vector<std::string> terms = terms_of(jobs_[jobs.front()]);
  std::vector<std::string> names;
  for (const std::size_t job : jobs) names.push_back(jobs_[job].spec->id);
  std::string fault;
  const std::vector<cli::Plan> plans = library_.plan_batch(names, now_, terms, fault);
  const auto micros =
      std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - begun);
  if (!fault.empty()) {
    fault_ = "the library cannot plan for " + cli::quote(names.front()) + ": " + fault;
    return false;
  }
  bool any = false;
  for (std::size_t i = 0; i < plans.size(); ++i) {
    bool stale = false;
    any =
        take_answer(jobs[i], plans[i], micros.count() / static_cast<std::int64_t>(jobs.size()), stale) || any;
    if (!fault_.empty()) return false;
    if (!stale) continue;
    changed_ = true;
    break;
  }
  return any;
}

// True if anything was committed.
bool Manager::ask_for_plans() {
  if (!changed_ && Clock::ticks() < next_plans_) return false;
  const bool changed = std::exchange(changed_, false);
  next_plans_ = Clock::ticks() + kAskEvery;
  const std::int64_t enough = Clock::ticks() + kLongestAsking;
  // What is over its limit comes first: others may count on the space that its victims do not have.
  bool any = ask_for_relief(library_.in_flight(), changed);
  if (fault_.empty()) any = ask_for_claims() || any;
  if (!fault_.empty()) return false;
  std::set<std::string> in_flight;
  for (const LedgerEntry& entry : library_.in_flight()) {
    const bool of_job = entry.fields.purpose == CEDE_FOR_JOB;
    if (of_job && entry.fields.state <= CEDE_ENTRY_READY) in_flight.insert(entry.requester);
  }
  std::vector<std::size_t> waiting = queue();
  std::erase_if(waiting, [&](std::size_t job) { return in_flight.contains(jobs_[job].spec->id); });
  // Always ask for the front of the queue, and each time for another part of the rest.
  if (waiting.size() > kAlwaysAsked) {
    const std::size_t rest = waiting.size() - kAlwaysAsked;
    std::rotate(waiting.begin() + kAlwaysAsked,
                waiting.begin() + static_cast<std::ptrdiff_t>(kAlwaysAsked + cursor_ % rest), waiting.end());
  }
  std::size_t asked = 0;
  while (asked < waiting.size() && (asked < kAlwaysAsked || Clock::ticks() <= enough)) {
    const std::vector<std::string> terms = terms_of(jobs_[waiting[asked]]);
    std::vector<std::size_t> batch;
    for (; asked < waiting.size() && batch.size() < kAlwaysAsked; ++asked) {
      if (!batch.empty() && terms_of(jobs_[waiting[asked]]) != terms) break;
      batch.push_back(waiting[asked]);
    }
    any = ask_jobs(batch) || any;
    if (!fault_.empty()) return false;
  }
  cursor_ = asked < waiting.size() ? cursor_ + asked - kAlwaysAsked : 0;
  if (asked < waiting.size()) changed_ = true;
  return any;
}

// Empty, or why the entry has no new plan: the plan's own reason if that is a no.
std::string Manager::extend(std::uint64_t entry, const cli::Plan& plan) {
  const std::int32_t outcome = cede_plan_outcome(plan.get());
  if (outcome == CEDE_OUTCOME_FITS || outcome == CEDE_OUTCOME_PREEMPT)
    return library_.extend(entry, plan, now_);
  const std::string rule = cede_plan_rule(plan.get());
  return (rule.empty() ? "" : rule + ": ") + cede_plan_reason(plan.get());
}

void Manager::replan(const EngineAction& action) {
  if (replan_event(action)) return;
  std::string fault = "its job is gone";
  if (JobRun* job = find(action.preemptor.empty() ? action.job : action.preemptor); job && job->live()) {
    fault.clear();
    const cli::Plan plan = library_.plan(job->spec->id, now_, terms_of(*job), fault);
    if (plan) fault = extend(action.fields.entry, plan);
    log_event("replan", *job,
              fault.empty() ? cede_plan_reason(plan.get()) + victims_text(plan.get()) : fault);
  }
  if (!fault.empty()) library_.give_up(action.fields.entry, now_);
}

}  // namespace local
