// SPDX-License-Identifier: MIT
// Save and restore: here, from longer ago, into another cluster, and with damaged bytes.
#include <algorithm>
#include <utility>

#include "life.h"

namespace lives {

namespace {

constexpr Millis kShortestTimeout = 5000;  // of actions, in the policies made here

bool moves_victim(int32_t kind) {
  return kind == CEDE_DO_CHECKPOINT_HINT || kind == CEDE_DO_SIGNAL || kind == CEDE_DO_SUSPEND ||
         kind == CEDE_DO_TERMINATE || kind == CEDE_DO_MARK;
}

bool tells_ready(int32_t kind) { return kind == CEDE_DO_START || kind == CEDE_DO_CLAIM_READY; }

// Without the time, which the new engine may have from its cluster.
std::string entries_of(const LedgerView& ledger) {
  const std::size_t at = ledger.json.find("\"entries\"");
  return at == std::string::npos ? ledger.json : ledger.json.substr(at);
}

// Without the time and what was given before it.
std::string cluster_of(const std::string& exported) {
  const std::size_t at = exported.find("\"groups\"");
  return at == std::string::npos ? exported : exported.substr(at);
}

}  // namespace

void Life::save_or_restore() {
  switch (random_.below(6)) {
    case 0:
    case 1: restore_here(); break;
    case 2:
      say("  save");
      saved_ = engine_->save();
      saved_book_ = book_;
      break;
    case 3: restore_older(); break;
    case 4: restore_elsewhere(); break;
    default: restore_damaged();
  }
}

// The new engine has the cluster from one document, the old one from all that was told.
void Life::replace_engine(const std::string& bytes, bool load_first) {
  Engine next(recorder_, policy_, settings_.audit);
  const std::string document = cluster_document(told_, book_.now);
  if (load_first && next.load(document) < 0) throw Finding{"harness: cluster refused", next.error()};
  if (next.restore(bytes) < 0) throw Finding{"restore refused", next.error()};
  if (!load_first && next.load(document) < 0) throw Finding{"harness: cluster refused", next.error()};
  const std::string here = cluster_of(engine_->exported());
  const std::string there = cluster_of(next.exported());
  if (here != there) found("told otherwise than loaded", here + " is now " + there);
  engine_ = std::move(next);
  cluster_now_ = book_.now / 1000 * 1000;  // what was told to the old one the new one has not heard
  kept_.clear();
  restored_ = true;
  ++recorder_.totals->restored;
}

// The host has crashed and comes back with what it saved before it acted: nothing is lost, nothing is begun
// anew, and unanswered actions are listed again.
void Life::restore_here() {
  tell_all();
  StepView last;
  if (engine_->step(book_.now, {}, last) < 0) return found("step refused", engine_->error());
  take_step(last, {}, book_.now);  // what is due is done before
  const std::string before = entries_of(ledger_);
  const bool load_first = random_.chance(50);
  say(std::string("  restore, ") + (load_first ? "cluster first" : "state first"));
  replace_engine(engine_->save(), load_first);
  observe("restore");
  // Only the old engine had heard of runs that they are gone though the cluster shows them.
  const bool any_lie = std::any_of(told_.jobs.begin(), told_.jobs.end(), [&](const auto& each) {
    return std::any_of(each.second.tasks.begin(), each.second.tasks.end(),
                       [&](const Task& task) { return task.placed && book_.released.contains(task.run); });
  });
  if (entries_of(ledger_) != before && !any_lie)
    found("restore changes the ledger", before + " is now " + entries_of(ledger_));
  std::map<std::pair<std::uint64_t, std::string>, std::uint64_t> latest;
  for (const auto& [id, action] : book_.issued) {
    if (moves_victim(action.facts.kind)) latest[{action.facts.entry, action.job}] = id;
    if (tells_ready(action.facts.kind)) latest[{action.facts.entry, {}}] = id;
  }
  StepView step;
  const Millis now = book_.now;
  if (engine_->step(now, {}, step) < 0) return found("step refused", engine_->error());
  next_due_ = step.next_due;
  restored_ = false;
  std::set<std::uint64_t> listed;
  std::set<std::uint64_t> told_anew;  // entries that have become ready only now
  for (const ActionView& action : step.actions) {
    listed.insert(action.facts.id);
    if (tells_ready(action.facts.kind)) told_anew.insert(action.facts.entry);
  }
  const LedgerView after = engine_->in_flight();
  for (const auto& [id, action] : book_.open) {
    const LedgerEntry* entry = after.find(action.facts.entry);
    if (!entry || listed.contains(id)) continue;
    // An action without an answer for so long has failed; a start never does.
    if (action.facts.kind != CEDE_DO_START && now - action.given >= kShortestTimeout) continue;
    const bool start = tells_ready(action.facts.kind) && latest[{action.facts.entry, {}}] == id &&
                       !told_anew.contains(action.facts.entry);
    const std::string what = std::string(action_name(action.facts)) + " #" + std::to_string(id) +
                             " of entry " + std::to_string(action.facts.entry) + ' ' + action.job;
    if (start && entry->facts.state == CEDE_ENTRY_READY) found("action is not listed again", what);
    if (!moves_victim(action.facts.kind) || latest[{action.facts.entry, action.job}] != id) continue;
    // Victims of one job that came from two entries cannot be told apart here.
    const auto same_job = [&job = action.job](const auto& victim) { return victim.first == job; };
    if (std::count_if(entry->victims.begin(), entry->victims.end(), same_job) > 1) continue;
    for (const auto& [job, phase] : entry->victims) {
      const bool moving = phase != "planned" && phase != "stuck" && phase != "released" && phase != "spared";
      if (job == action.job && moving) found("action is not listed again", what + " in phase " + phase);
    }
  }
  observe("step");
  for (const ActionView& action : step.actions) {
    const bool again = book_.issued.contains(action.facts.id);
    say(std::string("    do ") + (again ? "again " : "") + action_name(action.facts) + " #" +
        std::to_string(action.facts.id) + ' ' + action.job);
    check_action(action, again);
    handle(action);
  }
}

// A state from some steps ago, with the cluster of today. What was decided since is forgotten.
void Life::restore_older() {
  if (saved_.empty()) return;
  tell_all();
  say("  restore of an older state");
  const Millis now = book_.now;
  book_ = saved_book_;
  std::erase_if(happenings_, [](const Happening& each) {
    return each.kind == Happening::start || each.kind == Happening::replan ||
           each.kind == Happening::fill_claim || each.event.action != 0 || each.event.entry != 0;
  });
  std::erase_if(events_, [](const EventOut& each) { return each.action != 0 || each.entry != 0; });
  // Others may have come to what was planned for an entry.
  for (auto& [id, entry] : book_.entries) {
    entry.queues_disturbed = entry.claim_disturbed = entry.space_disturbed = true;
  }
  const Millis then = std::exchange(book_.now, now);
  replace_engine(saved_, random_.chance(50));
  book_.now = then;  // steps count from the saved time
  observe("restore");
}

// A cluster that has nothing to do with the state except that names are alike.
void Life::restore_elsewhere() {
  say("  restore into another cluster");
  const std::string bytes = engine_->save();
  Settings settings = settings_;
  Life other(recorder_, random_.next() % 1000000, settings);
  other.book_ = book_;
  std::map<std::uint64_t, Millis> terminated;
  for (auto& [id, entry] : other.book_.entries) {
    entry.queues_disturbed = entry.claim_disturbed = entry.space_disturbed = true;
    for (Victim& victim : entry.victims) {
      const Job* job = other.told_.job(victim.job);
      const Task* task = job ? job->find(victim.task) : nullptr;
      const bool same = task && task->placed && task->place.node == victim.place.node;
      const auto told = book_.terminated.find(victim.run);
      victim.run = same ? task->run : 0;
      if (told != book_.terminated.end()) terminated[victim.run] = told->second;
    }
  }
  other.book_.terminated = terminated;
  other.book_.released.clear();
  other.grace_ = grace_;
  other.clock_ = std::max(other.clock_, book_.now);
  if (other.engine_->restore(bytes) < 0) {
    say("    refused: " + other.engine_->error());
    ++recorder_.totals->restore_refused;
    return;
  }
  other.restored_ = true;
  other.observe("restore");
  for (int i = 0; i < 4; ++i) {
    const std::vector<std::string> jobs = other.waiting_jobs();
    PlanView plan;
    if (!jobs.empty() && other.engine_->plan(random_.pick(jobs), other.clock_, {}, plan) >= 0)
      other.check_plan(plan, {}, {}, false);
    other.clock_ += 5000;
    other.do_step(true);
  }
  other.engine_->save();
}

void Life::restore_damaged() {
  std::string bytes = engine_->save();
  if (random_.chance(30)) {
    bytes.resize(random_.below(bytes.size()));
  } else {
    char& byte = bytes[random_.below(bytes.size())];
    byte = static_cast<char>(byte ^ (1 << random_.below(8)));
  }
  const int32_t status = bytes.empty() ? CEDE_E_DAMAGED : engine_->restore(bytes);
  if (status >= 0) found("damage is not seen", "restore took bytes that were changed");
  if (status < 0 && status != CEDE_E_DAMAGED && status != CEDE_E_VERSION)
    found("damage has another name", engine_->error());
  check_unchanged("restore of damaged bytes");
}

}  // namespace lives
