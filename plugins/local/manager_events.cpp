// SPDX-License-Identifier: MIT
// What the scenario lets happen to the cluster, and what follows: relief and claims.
#include <algorithm>
#include <array>

#include "cli/json_text.h"
#include "cli/message_text.h"
#include "duration.h"
#include "manager.h"

namespace local {

namespace {

using Kind = EventSpec::Kind;

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : " ") + word;
  return out;
}

std::string event_text(const EventSpec& event) {
  if (event.kind == Kind::claim) return event.reason + " of " + joined(event.nodes);
  std::string out;
  for (const auto& [name, amount] : event.amounts) out += (out.empty() ? "" : ", ") + name + ' ' + amount;
  if (event.kind == Kind::lower_max) return "at most " + out;
  if (event.kind != Kind::overcommit) return {};
  if (!event.node.empty()) return "it has " + out;
  return (event.task.empty() ? "each task" : event.task) + " uses " + out;
}

bool is_live(const LedgerEntry& entry) { return entry.fields.state <= CEDE_ENTRY_READY; }

// Whether a victim may still run on.
bool may_run_on(const LedgerEntry& entry) {
  constexpr std::array<std::string_view, 4> kPhases{"planned", "checkpointing", "deferred", "marked"};
  return std::any_of(entry.victims.begin(), entry.victims.end(), [&](const auto& victim) {
    return std::find(kPhases.begin(), kPhases.end(), victim.second) != kPhases.end();
  });
}

}  // namespace

void Manager::begin_events() {
  if (stopping_) return;
  for (EventRun& event : events_) {
    const bool due = event.phase == EventPhase::coming && event.spec->at <= now_ - clock_->origin();
    // A change that the library refuses may be accepted once something else has changed.
    if (due || (event.phase == EventPhase::refused && changed_)) begin_event(event);
    if (!fault_.empty()) return;
    const bool enough =
        event.phase == EventPhase::ready && event.spec->keep && now_ >= event.ready + *event.spec->keep;
    if (enough) engine_events_.push_back({.kind = CEDE_EVENT_CLAIM_DONE, .entry = event.entry});
  }
}

void Manager::begin_event(EventRun& event) {
  const EventSpec& spec = *event.spec;
  const bool first = event.phase == EventPhase::coming;
  if (event.is_claim()) {
    event.phase = EventPhase::asking;
    dirty_ = changed_ = true;
    return log_event(word_of(spec.kind), spec.target(), event_text(spec));
  }
  apply_changes();
  if (!fault_.empty()) return;
  event.phase = EventPhase::refused;
  dirty_ = dirty_ || first;
  cluster_.apply(events_, &spec, jobs_);
  event.reason = tell_library(spec);
  if (!event.reason.empty()) {
    cluster_.apply(events_, nullptr, jobs_);
    if (first) log_event("wait", spec.target(), "refused: " + event.reason);
    return;
  }
  for (EventRun& each : events_) {
    if (each.phase != EventPhase::refused || !change_the_same(*each.spec, spec)) continue;
    each.phase = EventPhase::happened;
    log_event(word_of(each.spec->kind), each.spec->target(), event_text(*each.spec));
  }
  dirty_ = changed_ = true;
  if (spec.kind == Kind::node_down) lose_tasks(spec.node);
  if (spec.kind == Kind::node_up) engine_events_.push_back({.kind = CEDE_EVENT_NODE_UP, .node = spec.node});
  watch_limits(spec);
}

// Empty, or why it refuses the change.
std::string Manager::tell_library(const EventSpec& event) {
  std::string list, object;
  if (!event.node.empty()) {
    list = "nodes";
    object = cluster_.node_json(event.node);
  } else if (!event.queue.empty()) {
    list = "queues";
    object = cluster_.queue_json(event.queue);
  } else {
    const JobRun* job = find(event.job);
    if (!in_model_.contains(event.job)) return {};  // it is applied when the job arrives
    list = "jobs";
    object = job->json();
  }
  return library_.apply(changes_begin() + "\"put\":{\"" + list + "\":[" + object + "]}}");
}

// From now on the manager asks the library whether these are within their limits.
void Manager::watch_limits(const EventSpec& event) {
  if (event.kind != Kind::overcommit && event.kind != Kind::lower_max) return;
  if (!event.node.empty()) return watch("node:" + event.node, {}, event.partial);
  const auto watch_queue = [&](const std::string& queue, const std::string& group) {
    for (const GroupSpec& each : scenario_.groups) {
      if (group.empty() || group == each.id) watch("queue:" + queue, each.id, event.partial);
    }
  };
  if (!event.queue.empty()) return watch_queue(event.queue, {});
  const JobRun& job = *find(event.job);
  watch("job:" + event.job, {}, event.partial);
  if (event.kind == Kind::lower_max) return;
  for (const TaskRun& task : job.tasks) {
    if (task.state == TaskState::running) watch("node:" + task.place.node, {}, event.partial);
  }
  for (const std::string& queue : cluster_.path_of(job.spec->queue)) watch_queue(queue, job.spec->group);
}

void Manager::watch(const std::string& target, const std::string& group, bool partial) {
  std::vector<ReliefRun>& all = journal_.relief;
  const auto known = std::find_if(all.begin(), all.end(), [&](const ReliefRun& each) {
    return each.target == target && each.group == group;
  });
  if (known == all.end()) {
    all.push_back({target, group, partial});
  } else {
    known->partial = partial;
  }
}

// Everything on the node ends at once.
void Manager::lose_tasks(const std::string& node) {
  lost_nodes_.insert(node);
  for (std::size_t i = 0; i < jobs_.size(); ++i) {
    for (std::size_t t = 0; t < jobs_[i].tasks.size(); ++t) {
      TaskRun& task = jobs_[i].tasks[t];
      if (task.state != TaskState::running || task.place.node != node) continue;
      task.lost = true;
      pending_actions_.push_back({0, {{i, t, "kill"}}});
    }
  }
}

// True if anything was committed or cancelled.
bool Manager::ask_for_relief(const std::vector<LedgerEntry>& in_flight, bool changed) {
  bool any = false;
  for (ReliefRun& relief : journal_.relief) {
    const auto live = std::find_if(in_flight.begin(), in_flight.end(), [&](const LedgerEntry& entry) {
      return entry.fields.entry == relief.entry && is_live(entry);
    });
    if (live == in_flight.end()) {
      any = ask_for_relief(relief) || any;
    } else if (changed && may_run_on(*live) &&
               library_.is_within_without(relief.entry, relief.target, relief.group, now_)) {
      library_.cancel(relief.entry, now_);
      relief.over = false;
      relief.entry = 0;
      log_event("relieved", relief.target, "no job has to leave any more");
      dirty_ = any = true;
    }
    if (!fault_.empty()) return false;
  }
  return any;
}

bool Manager::ask_for_relief(ReliefRun& relief) {
  if (relief.target.starts_with("job:") && !in_model_.contains(relief.target.substr(4))) return false;
  std::string fault;
  const cli::Plan plan = library_.plan_relief(relief.target, relief.group, relief.partial, now_, fault);
  if (!plan) {
    fault_ = "the library cannot plan relief of " + cli::quote(relief.target) + ": " + fault;
    return false;
  }
  switch (cede_plan_outcome(plan.get())) {
    case CEDE_OUTCOME_FITS:
      relief.rule.clear();
      relief.reason.clear();
      if (!relief.over) return false;
      relief.over = false;
      dirty_ = true;
      log_event("relieved", relief.target, cede_plan_reason(plan.get()));
      return false;
    case CEDE_OUTCOME_PREEMPT: break;
    default:
      dirty_ = dirty_ || !relief.over;
      relief.over = true;
      log_wait(relief.target, relief.rule, relief.reason, plan.get());
      return false;
  }
  if (!commit(plan, -1, relief.entry)) return false;
  relief.over = true;
  ++relief.plans;
  relief.victims += static_cast<std::uint32_t>(cede_plan_victim_count(plan.get()));
  relief.rule.clear();
  relief.reason = cede_plan_reason(plan.get());
  log_event("plan", relief.target, relief.reason + victims_text(plan.get()));
  return true;
}

// True if anything was committed.
bool Manager::ask_for_claims() {
  bool any = false;
  for (EventRun& claim : events_) {
    if (claim.phase != EventPhase::asking) continue;
    std::string fault;
    const EventSpec& spec = *claim.spec;
    const cli::Plan plan = library_.plan_claim(spec.queue, spec.nodes, spec.reason, now_, fault);
    if (!plan) {
      fault_ = "the library cannot plan a claim of " + cli::quote(spec.queue) + ": " + fault;
      return false;
    }
    const std::int32_t outcome = cede_plan_outcome(plan.get());
    if (outcome != CEDE_OUTCOME_FITS && outcome != CEDE_OUTCOME_PREEMPT) {
      log_wait(spec.target(), claim.rule, claim.reason, plan.get());
      continue;
    }
    if (!commit(plan, -1, claim.entry)) {
      if (!fault_.empty()) return false;
      continue;
    }
    claim.phase = EventPhase::leaving;
    claim.victims += static_cast<std::uint32_t>(cede_plan_victim_count(plan.get()));
    claim.rule.clear();
    claim.reason = cede_plan_reason(plan.get());
    log_event("plan", spec.target(), claim.reason + victims_text(plan.get()));
    any = true;
  }
  return any;
}

// The nodes of a claim are free, or it has ended.
void Manager::accept_claim_action(const EngineAction& action) {
  for (EventRun& claim : events_) {
    if (!claim.is_open_claim() || claim.entry == 0 || claim.entry != action.fields.entry) continue;
    const EventSpec& spec = *claim.spec;
    if (action.fields.kind == CEDE_DO_CLAIM_READY) {
      if (claim.phase == EventPhase::ready) continue;  // listed twice
      claim.phase = EventPhase::ready;
      claim.ready = now_;
      log_event("claim-ready", spec.target(), joined(spec.nodes));
    } else if (claim.phase == EventPhase::ready) {
      claim.phase = EventPhase::happened;
      const bool kept = spec.keep && now_ >= claim.ready + *spec.keep;
      log_event("claim-done", spec.target(),
                joined(spec.nodes) + (kept ? " is free again" : " has a job of the queue"));
    } else {
      // If the queue has lost its nodes, for whatever reason, it asks again.
      claim.phase = EventPhase::asking;
      claim.entry = 0;
    }
  }
}

// False if the entry is a job's.
bool Manager::replan_event(const EngineAction& action) {
  const std::uint64_t entry = action.fields.entry;
  for (EventRun& claim : events_) {
    if (!claim.is_open_claim() || claim.entry != entry) continue;
    const EventSpec& spec = *claim.spec;
    claim.phase = EventPhase::leaving;
    claim.ready = 0;
    std::string fault;
    const cli::Plan plan = library_.plan_claim(spec.queue, spec.nodes, spec.reason, now_, fault);
    if (plan) fault = extend(entry, plan);
    if (plan && fault.empty())
      claim.victims += static_cast<std::uint32_t>(cede_plan_victim_count(plan.get()));
    log_event("replan", spec.target(),
              fault.empty() ? cede_plan_reason(plan.get()) + victims_text(plan.get()) : fault);
    if (!fault.empty()) library_.give_up(entry, now_);
    return true;
  }
  for (const ReliefRun& relief : journal_.relief) {
    if (relief.entry != entry) continue;
    // The next round asks again, with what is known about the victims by then.
    library_.give_up(entry, now_);
    log_event("replan", relief.target, "a victim cannot be removed");
    return true;
  }
  return false;
}

// Whether something may still happen without a job: an event that comes, or an entry that is not a claim
// which waits for a job of its queue.
bool Manager::waits_for_events() const {
  const auto comes = [](const EventRun& event) {
    return event.phase == EventPhase::coming || (event.phase == EventPhase::ready && event.spec->keep);
  };
  if (std::any_of(events_.begin(), events_.end(), comes)) return true;
  const std::vector<LedgerEntry> entries = library_.in_flight();
  return std::any_of(entries.begin(), entries.end(), [](const LedgerEntry& entry) {
    return (entry.fields.purpose != CEDE_FOR_RECLAIM && entry.fields.purpose != CEDE_FOR_SENSITIVE) ||
           entry.fields.state != CEDE_ENTRY_READY;
  });
}

}  // namespace local
