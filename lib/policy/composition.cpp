// SPDX-License-Identifier: MIT
#include "policy/composition.h"

#include <algorithm>

#include "policy/profiles/profiles.h"
#include "policy/rules/caps.h"
#include "policy/rules/eligibility.h"
#include "policy/rules/measures.h"
#include "policy/unit.h"

namespace cede {

void Composition::add_admission(RuleList<Trigger>&) const {}

ProfileExit Composition::profile_exit(const EffectiveSettings&, JobId) const { return {}; }

std::vector<CostPart> Composition::price(const RuleContext& rule_context, const Unit& unit) const {
  return {{"lost-work", lost_work(rule_context, unit)}};
}

bool Composition::may_use(const RuleContext&, NodeId) const { return true; }

OneNode Composition::one_node(const RuleContext&) const { return OneNode::anywhere; }

int Composition::tier(const RuleContext&, const Unit&) const { return 0; }

std::string Composition::remark(const RuleContext&) const { return {}; }

const Composition& composition(Profile profile) {
  switch (profile) {
    case Profile::priority: return priority_profile();
    case Profile::class_cost: return class_cost_profile();
    case Profile::quota: return quota_profile();
    case Profile::fair_share: return fair_share_profile();
    case Profile::guarantee: return guarantee_profile();
  }
  return priority_profile();
}

RuleList<EligibilityRule> eligibility_rules(const RuleContext& rule_context) {
  RuleList<EligibilityRule> rules(rule_context);
  rules.add<Running>();
  // A sensitive claim may take every unit that is not sensitive itself.
  if (rule_context.request.purpose == Purpose::sensitive_claim) {
    rules.add<SameGroup>().add<Sensitive>().add<Held>();
    return rules;
  }
  rules.add<SameJob>().add<SameGroup>().add<Sensitive>().add<Held>().add<ProtectedJob>();
  rules.add<NotPreemptible>().add<QueueOff>().add<MinRuntime>().add<PreemptedOften>().add<Cooldown>();
  composition(rule_context.effective.profile()).add_eligibility(rules);
  return rules;
}

RuleList<Cap> caps(const RuleContext& rule_context) {
  RuleList<Cap> list(rule_context);
  list.add<MaxVictims>();
  if (rule_context.request.purpose != Purpose::sensitive_claim) list.add<BudgetLeft>();
  // Relief never takes a queue below its guarantee, in any profile.
  if (rule_context.request.is_relief()) list.add<BelowGuarantee>();
  composition(rule_context.effective.profile()).add_caps(list);
  return list;
}

RuleList<Cap> caps_at(const RuleContext& rule_context, ReliefStep step) {
  RuleList<Cap> list = caps(rule_context);
  list.drop_if([&](const Cap& cap) { return cap.dropped_at() <= step; });
  return list;
}

ReliefStep relief_step(const RuleList<EligibilityRule>& rules, const Unit& unit, std::string_view& rule,
                       std::string& why) {
  ReliefStep step = ReliefStep::every_rule;
  for (const auto& each : rules) {
    if (!each->excludes(unit, rule.empty() ? &why : nullptr)) continue;
    if (rule.empty()) rule = each->name();
    step = std::max(step, each->dropped_at());
  }
  if (unit.last_resort) step = std::max(step, ReliefStep::opted_out);
  return is_bound_to_node(rules.rule_context().model(), unit) ? std::max(step, ReliefStep::required_node)
                                                              : step;
}

bool is_bound_to_node(const Model& model, const Unit& unit) {
  return std::any_of(unit.tasks.begin(), unit.tasks.end(),
                     [&](TaskId task) { return model.tasks.extras(task).required_node != kNoName; });
}

RuleList<Measure> measures(const RuleContext& rule_context) {
  RuleList<Measure> list(rule_context);
  list.add<LastResort>();
  if (uses_lost_work(rule_context)) list.add<WorkLost>();
  composition(rule_context.effective.profile()).add_measures(list);
  return list;
}

bool leads_with_price(const RuleList<Measure>& measures) {
  return measures.size() > kPriceMeasure && measures[kPriceMeasure].is_price();
}

bool uses_lost_work(const RuleContext& rule_context) {
  return rule_context.effective.setting(Setting::cost_model, rule_context.queue()) ==
         static_cast<std::int64_t>(CostModel::lost_work);
}

bool keeps_local(const EffectiveSettings& effective, JobId victim) {
  return effective.profile() == Profile::priority &&
         effective.setting(Setting::suspend_keep, effective.model().jobs[victim].queue) ==
             static_cast<std::int64_t>(SuspendKeep::local);
}

VictimExit victim_exit(const EffectiveSettings& effective, JobId victim) {
  ProfileExit own = composition(effective.profile()).profile_exit(effective, victim);
  // A suspended job that still holds its nodes does not leave them by being suspended, nor by a signal that
  // it would have to handle.
  const bool stopped = effective.model().jobs[victim].state == JobState::suspended;
  if (stopped && own.unsaved != VictimAction::soft_evict) own.unsaved = VictimAction::terminate;
  const auto requeue =
      static_cast<Requeue>(effective.setting(Setting::requeue, effective.model().jobs[victim].queue));
  const bool saves = effective.saves_first(victim);
  VictimExit out{saves ? VictimAction::checkpoint : own.unsaved, saves ? own.saved : own.unsaved,
                 own.unsaved};
  const bool keeps = saves || (own.unsaved == VictimAction::suspend && keeps_local(effective, victim));
  out.requeue = own.may_requeue && (requeue == Requeue::always || (requeue == Requeue::saved && keeps));
  return out;
}

namespace {

// How long a victim may take to be gone once it is asked to leave in this way. A victim that is stopped after
// a checkpoint and does not end gets TERM and another grace period.
Duration latest_exit(const EffectiveSettings& effective, QueueId queue, VictimAction action,
                     bool after_hint) {
  const Duration grace = effective.setting(Setting::grace, queue);
  switch (action) {
    case VictimAction::signal_first:
      return effective.setting(Setting::allocation_preemption_timeout, queue) + grace;
    case VictimAction::soft_evict: {
      const std::int64_t timeout = effective.setting(Setting::soft_evict_timeout, queue);
      return timeout == kNoSetting ? kNoDuration : timeout + grace;
    }
    case VictimAction::suspend: return after_hint ? 2 * grace : grace;
    case VictimAction::checkpoint:
    case VictimAction::terminate: break;
  }
  return grace;
}

}  // namespace

ExitTime exit_time(const EffectiveSettings& effective, JobId victim, const VictimExit& exit,
                   Purpose purpose) {
  const QueueId queue = effective.model().jobs[victim].queue;
  const Duration grace = effective.setting(Setting::grace, queue);
  if (exit.action != VictimAction::checkpoint)
    return {grace, latest_exit(effective, queue, exit.action, false)};
  const Duration timeout = effective.checkpoint_timeout(victim);
  Duration saving = timeout;
  if (may_extend(purpose))
    saving += static_cast<Duration>(static_cast<Total>(timeout) *
                                    effective.setting(Setting::timeout_extension, queue) / kWhole);
  if (may_defer(purpose)) saving += effective.setting(Setting::max_deferral, queue);
  const Duration saved = latest_exit(effective, queue, exit.then, true);
  const Duration unsaved = latest_exit(effective, queue, exit.unsaved, true);
  const Duration expected = expected_checkpoint(effective, victim) + grace;
  if (saved == kNoDuration || unsaved == kNoDuration) return {expected, kNoDuration};
  const Duration latest = saving + std::max(saved, unsaved);
  return {std::min(expected, latest), latest};  // a job may estimate more than its timeout allows
}

Duration expected_checkpoint(const EffectiveSettings& effective, JobId job) {
  const JobCheckpoint& checkpoint = effective.model().job_checkpoints[job.value];
  if (checkpoint.estimate != kNoDuration) return checkpoint.estimate;
  if (effective.checkpoint_mode(job) == CheckpointMode::manual) return effective.checkpoint_timeout(job);
  return effective.setting(Setting::checkpoint_estimate, effective.model().jobs[job].queue);
}

std::int64_t lost_work(const EffectiveSettings& effective, Time now, const Unit& unit) {
  if (unit.hold != 0) return 0;
  const JobCheckpoint& checkpoint = effective.model().job_checkpoints[unit.job.value];
  Duration lost = checkpoint.restart == kNoDuration ? 0 : checkpoint.restart;
  const VictimAction action = victim_exit(effective, unit.job).action;
  if (action == VictimAction::checkpoint) {
    lost += expected_checkpoint(effective, unit.job);
  } else if (action != VictimAction::suspend || !keeps_local(effective, unit.job)) {
    Time since = effective.running_since(unit);
    if (checkpoint.last != kNoTime) since = std::max(since, checkpoint.last);
    lost += std::max<Duration>(0, now - since);
  }
  return static_cast<std::int64_t>((gpus_or_nodes(effective.model(), unit) * lost + kMinute / 2) / kMinute);
}

}  // namespace cede
