// SPDX-License-Identifier: MIT
// Questions to the library and what is committed of the answers.
#include <algorithm>

#include "life.h"

namespace lives {

std::vector<std::string> Life::waiting_jobs() const {
  std::vector<std::string> out;
  for (const auto& [id, job] : told_.jobs) {
    if (job.waits()) out.push_back(id);
  }
  return out;
}

// Mostly the manager's clock; sometimes the engine's own time, or one long past.
Millis Life::ask_time() {
  if (random_.chance(90)) return clock_;
  return random_.chance(50) ? CEDE_NOW_OF_CLUSTER : clock_ - 100000;
}

std::vector<std::string> Life::random_terms(const std::string& group, bool places) {
  std::vector<std::string> terms;
  if (random_.chance(70)) return terms;
  std::vector<std::string> jobs;
  std::vector<std::string> nodes;
  for (const auto& [id, job] : told_.jobs) {
    if (job.runs()) jobs.push_back(id);
  }
  for (const auto& [id, node] : told_.nodes) {
    if (node.group == group) nodes.push_back(id);
  }
  if (random_.chance(50) && !jobs.empty()) terms.push_back("protect=" + random_.pick(jobs));
  if (!places || nodes.empty()) return terms;
  if (random_.chance(40)) terms.push_back("avoid=" + random_.pick(nodes));
  if (random_.chance(25)) terms.push_back("only=" + random_.pick(nodes));
  if (random_.chance(15)) terms.push_back("only=" + random_.pick(nodes));
  return terms;
}

Entry Life::entry_for_job(const std::string& name, const PlanView& plan) const {
  const Job& job = told_.jobs.at(name);
  Entry entry;
  entry.kind = RequesterKind::job;
  entry.requester = name;
  entry.group = job.group;
  entry.queue = job.queue;
  entry.profile = profiles_.at(static_cast<std::size_t>(told_.groups.at(job.group).policy.at(1) - '0'));
  entry.places = plan.places;
  entry.after = plan.after;
  for (const PlaceView& place : plan.places) {
    const Task* task = job.find(place.task);
    if (task) entry.asked[place.task] = task->resources;
  }
  return entry;
}

// Nothing that a request of this group could depend on.
void Life::unrelated_change(const std::string& group) {
  std::vector<std::string> others;
  for (const auto& [id, each] : real_.groups) {
    if (id != group) others.push_back(id);
  }
  if (others.empty()) return;
  const std::string other = random_.pick(others);
  Change change;
  for (auto& [id, node] : real_.nodes) {
    const Node* told = told_.node(id);
    if (node.group != other || !told || *told != node || !random_.chance(50)) continue;
    node.fingerprint = node.fingerprint == "550.1" ? "550.2" : "550.1";
    change.nodes.push_back(id);
    break;
  }
  if (change.empty()) {
    Job job = make_job("j" + std::to_string(next_job_++), true);
    job.group = other;
    job.priority = 0;
    job.kind = "batch";
    real_.jobs[job.id] = job;
    change.jobs.push_back(job.id);
  }
  ++recorder_.totals->unrelated_changes;
  tell(change, true);
}

void Life::ask_job() {
  const std::vector<std::string> jobs = waiting_jobs();
  if (jobs.empty()) return;
  const std::string job = random_.pick(jobs);
  const std::string group = told_.jobs.at(job).group;
  const std::vector<std::string> terms = random_terms(group, true);
  PlanView plan;
  const Millis now = ask_time();
  const int32_t status = engine_->plan(job, now, terms, plan);
  if (status < 0) {
    ++recorder_.totals->plans_refused;
    say("  plan for " + job + " refused: " + engine_->error());
    return found("plan refused", engine_->error());
  }
  std::string line = "  plan for " + job + ": " + plan.reason;
  for (const std::string& term : terms) line += ' ' + term;
  say(line + plan_text(plan));
  check_plan(plan, terms, job, false);
  Entry* known = book_.live_entry_of(job);
  if (!plan.can_be_committed()) {
    if (!random_.chance(20)) return;
    time_is_told();
    changing("note", [&] { return engine_->note(plan, clock_); });
    return;
  }
  if (known && known->state == CEDE_ENTRY_SHORT) {
    extend(*known, plan);
    return;
  }
  Entry entry = entry_for_job(job, plan);
  if (random_.chance(15)) {
    kept_.push_back({plan, entry, terms});
    return;
  }
  const bool changed = random_.chance(20);
  if (changed) unrelated_change(group);
  // Asked once more, it is asked about the time of the commit: a reservation may be over then.
  commit(plan, std::move(entry), !changed || now == clock_, terms);
}

void Life::ask_batch() {
  std::vector<std::string> jobs = waiting_jobs();
  random_.shuffle(jobs);
  jobs.resize(std::min<std::size_t>(jobs.size(), 2 + random_.below(4)));
  if (jobs.size() < 2) return;
  std::vector<std::string> terms = random_terms(told_.jobs.at(jobs.front()).group, random_.chance(50));
  std::vector<PlanView> plans;
  const int32_t status = engine_->batch(jobs, clock_, terms, plans);
  std::string line = "  batch";
  for (const std::string& job : jobs) line += ' ' + job;
  for (const std::string& term : terms) line += ' ' + term;
  say(line + (status < 0 ? ": " + engine_->error() : ""));
  if (status < 0) return found("batch refused", engine_->error());
  bool all = true;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    say("    part " + jobs[i] + ": " + plans[i].reason + plan_text(plans[i]));
  }
  for (std::size_t i = 0; i < jobs.size(); ++i) check_plan(plans[i], terms, jobs[i], false);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const PlanView& plan = plans[i];
    if (!plan.can_be_committed()) continue;
    Entry* known = book_.live_entry_of(jobs[i]);
    if (all && random_.chance(10)) {
      all = false;  // from here on a part may count on one that is missing
      continue;
    }
    if (known) {
      if (known->state == CEDE_ENTRY_SHORT && all) extend(*known, plan);
      continue;
    }
    if (commit(plan, entry_for_job(jobs[i], plan), all, terms)) ++recorder_.totals->parts_committed;
  }
}

void Life::ask_relief() {
  std::string target;
  std::string group;
  if (random_.chance(60) && !told_.nodes.empty()) {
    std::vector<std::string> nodes;
    for (const auto& [id, node] : told_.nodes) nodes.push_back(id);
    target = "node:" + random_.pick(nodes);
  } else if (random_.chance(60)) {
    std::vector<std::string> queues;
    for (const auto& [id, queue] : told_.queues) queues.push_back(id);
    target = "queue:" + random_.pick(queues);
    group = "g" + std::to_string(random_.below(told_.groups.size()));
  } else if (!told_.jobs.empty()) {
    target = "job:" + told_.jobs.begin()->first;
  }
  std::vector<std::string> terms = random_terms({}, false);
  if (random_.chance(40)) terms.push_back("partial");
  PlanView plan;
  const int32_t status = engine_->relief(target, group, ask_time(), terms, plan);
  say("  relief of " + target + ": " + (status < 0 ? engine_->error() : plan.reason));
  if (status < 0) return;
  check_plan(plan, terms, {}, false);
  if (plan.outcome != CEDE_OUTCOME_PREEMPT) return;
  Entry entry;
  entry.kind = RequesterKind::relief;
  entry.requester = target;
  entry.has_hold = false;
  if (random_.chance(80)) commit(plan, std::move(entry), true, terms);
}

void Life::ask_claim() {
  std::vector<std::string> nodes;
  const std::string group = "g" + std::to_string(random_.below(told_.groups.size()));
  for (const auto& [id, node] : told_.nodes) {
    if (node.group == group) nodes.push_back(id);
  }
  if (nodes.empty()) return;
  random_.shuffle(nodes);
  nodes.resize(std::min<std::size_t>(nodes.size(), 1 + random_.below(2)));
  std::vector<std::string> queues;
  for (const auto& [id, queue] : told_.queues) queues.push_back(id);
  std::string queue = random_.pick(queues);
  const bool sensitive = random_.chance(50);
  const std::string home = told_.nodes.at(nodes.front()).home;
  if (!sensitive && !home.empty()) queue = home;
  const std::vector<std::string> terms = random_terms(group, false);
  PlanView plan;
  const int32_t status =
      engine_->claim(queue, nodes, sensitive ? "sensitive" : "reclaim", ask_time(), terms, plan);
  std::string line = "  claim of " + queue + " on";
  for (const std::string& node : nodes) line += ' ' + node;
  say(line + ": " + (status < 0 ? engine_->error() : plan.reason));
  if (status < 0) return;
  check_plan(plan, terms, {}, sensitive);
  if (!plan.can_be_committed()) return;
  Entry entry;
  entry.kind = RequesterKind::claim;
  entry.requester = queue;
  entry.queue = queue;
  entry.group = group;
  entry.claimed = nodes;
  for (const std::string& node : nodes)
    entry.claimed_lost = entry.claimed_lost || told_.nodes.at(node).state != "up";
  commit(plan, std::move(entry), true, terms);
}

// A plan that was kept while other things happened: it is refused, or as sound as a new one.
void Life::ask_again_later() {
  if (kept_.empty()) return;
  const std::size_t index = random_.below(kept_.size());
  const Kept kept = kept_[index];
  kept_.erase(kept_.begin() + static_cast<std::ptrdiff_t>(index));
  say("  commit of the plan kept for " + kept.entry.requester);
  commit(kept.plan, kept.entry, false, kept.terms);
}

bool Life::commit(const PlanView& plan, Entry entry, bool at_once, const std::vector<std::string>& terms) {
  std::uint64_t id = 0;
  // The new entry is known to the book before the library is asked about its entries.
  const int32_t status = engine_->commit(plan, clock_, id);
  if (status < 0) {
    const std::string why = engine_->error();
    say("    not committed: " + why);
    check_unchanged("commit");
    ++recorder_.totals->stale;
    if (status != CEDE_E_STALE) found("commit refused", why);
    if (at_once) found("stale at once", "plan for " + entry.requester + ": " + why);
    return false;
  }
  say("    committed as entry " + std::to_string(id));
  ++recorder_.totals->commits;
  if (plan.outcome == CEDE_OUTCOME_PREEMPT) ++recorder_.totals->preempts;
  time_is_told();
  if (const auto known = book_.entries.find(id); known != book_.entries.end()) {
    // Committing for a job whose entry is short extends that entry.
    const LedgerEntry* before = ledger_.find(id);
    const bool extends = before && before->facts.state == CEDE_ENTRY_SHORT &&
                         known->second.kind == RequesterKind::job &&
                         known->second.requester == entry.requester;
    if (!extends) found("entry number used twice", std::to_string(id));
    entry.victims = known->second.victims;
    entry.state = CEDE_ENTRY_WAITING;
  }
  entry.id = id;
  for (const std::string& term : terms) {
    if (!term.starts_with("protect=") || entry.kind == RequesterKind::claim) continue;
    for (const VictimView& victim : plan.victims) {
      if (victim.hold == 0 && "protect=" + victim.job == term) found("protected job is taken", victim.job);
    }
  }
  check_commit(entry, plan);
  enter(std::move(entry), plan);
  observe("commit");
  return true;
}

// What the plan takes belongs to the entry from now on, with all that a taken hold had.
void Life::enter(Entry entry, const PlanView& plan) {
  for (const VictimView& victim : plan.victims) {
    if (victim.hold != 0) {
      ++recorder_.totals->holds_taken;
      Entry* const live = book_.live_entry_of(victim.job);
      Entry& taken = live && live->id != entry.id ? *live : book_.entries[victim.hold];
      taken.has_hold = false;
      for (const Victim& each : taken.victims) {
        if (!each.given_up) entry.victims.push_back(each);
      }
      entry.after.insert(entry.after.end(), taken.after.begin(), taken.after.end());
      std::erase_if(taken.victims, [](const Victim& each) { return !each.given_up; });
      // An entry that counts on the victims of the taken entry counts on them where they are now.
      for (auto& [id, other] : book_.entries) {
        if (std::find(other.after.begin(), other.after.end(), taken.requester) != other.after.end())
          other.after.push_back(entry.requester);
      }
      continue;
    }
    const Job* job = told_.job(victim.job);
    for (const std::string& name : victim.tasks) {
      const Task* task = job ? job->find(name) : nullptr;
      if (task && task->placed) entry.victims.push_back({victim.job, name, task->run, task->place});
    }
  }
  const std::uint64_t id = entry.id;
  book_.entries[id] = std::move(entry);
}

// Whether no victim of this job leaves for the entry any more, and one could not be removed.
bool Life::is_stuck(std::uint64_t entry, const std::string& job) const {
  const LedgerEntry* known = ledger_.find(entry);
  if (!known) return false;
  bool stuck = false;
  for (const auto& [name, phase] : known->victims) {
    if (name != job || phase == "released" || phase == "spared") continue;
    if (phase != "stuck") return false;
    stuck = true;
  }
  return stuck;
}

bool Life::extend(Entry& entry, const PlanView& plan) {
  const int32_t status = engine_->extend(entry.id, plan, clock_);
  if (status < 0) {
    const std::string why = engine_->error();
    say("    not extended: " + why);
    check_unchanged("extend");
    found("extend refused at once", "entry " + std::to_string(entry.id) + ": " + why);
    return false;
  }
  say("    entry " + std::to_string(entry.id) + " is extended");
  ++recorder_.totals->extended;
  time_is_told();
  Entry next = entry_for_job(entry.requester, plan);
  next.id = entry.id;
  next.victims = entry.victims;
  for (Victim& victim : next.victims) victim.given_up = victim.given_up || is_stuck(next.id, victim.job);
  next.state = CEDE_ENTRY_WAITING;
  check_commit(next, plan);
  enter(std::move(next), plan);
  observe("extend");
  return true;
}

}  // namespace lives
