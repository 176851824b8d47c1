// SPDX-License-Identifier: MIT
#include "verify/eligibility.h"

#include <algorithm>
#include <set>

#include "verify/guarantee_laws.h"
#include "verify/home.h"
#include "verify/plan_checks.h"

namespace cede {

EligibilityTerms::EligibilityTerms(const PlanFacts& of) : facts(of) {
  const JobId job = facts.requester();
  if (!job) return;
  priority = facts.priority();
  own_offset = facts.effective.priority_offset(facts.queue());
  job_class = facts.effective.job_class(job);
  if (facts.is(Profile::guarantee) && !facts.needs_named_node()) {
    fence = fence_above(facts);
    justifying = justifying_queue(facts);
  }
  if (facts.fair) aggressive = facts.fair->starvation(job) == Starvation::aggressively_starving;
}

namespace {

using Terms = EligibilityTerms;

const JobCore& job_of(const Terms& terms, const VictimUnit& unit) { return terms.facts.model.jobs[unit.job]; }
QueueId queue_of(const Terms& terms, const VictimUnit& unit) { return job_of(terms, unit).queue; }
std::int64_t victim_setting(const Terms& terms, const VictimUnit& unit, Setting id) {
  return terms.facts.setting(id, queue_of(terms, unit));
}

TaskTier share_tier(const Terms& terms, const VictimUnit& unit) {
  return terms.facts.fair->tier(unit.job, unit.tasks);
}

// ---- every profile ----

// A job with some waiting tasks is pending, but its placed tasks run.
bool not_running(const Terms& terms, const VictimUnit& unit) {
  const JobState state = job_of(terms, unit).state;
  return state == JobState::checkpointing || state == JobState::preempting || state == JobState::suspended;
}

bool same_job(const Terms& terms, const VictimUnit& unit) {
  return terms.facts.requester() && unit.job == terms.facts.requester();
}

bool other_group(const Terms& terms, const VictimUnit& unit) {
  return job_of(terms, unit).group != terms.facts.group();
}

bool is_sensitive(const Terms& terms, const VictimUnit& unit) {
  return terms.facts.effective.kind(unit.job) == JobKind::sensitive ||
         terms.facts.effective.job_class(unit.job) == kSensitiveClass;
}

// A hold may be taken until its start is ordered. Running tasks of a job with a hold are not taken, and
// neither is a victim on its way out.
bool is_held(const Terms& terms, const VictimUnit& unit) {
  const InFlight& known = *terms.facts.plan.in_flight;
  const InFlight::Hold* hold = known.hold(unit.job);
  if (hold && unit.hold == 0) return true;
  if (hold && hold->ready) return true;
  return std::any_of(unit.tasks.begin(), unit.tasks.end(),
                     [&](TaskId task) { return known.is_leaving(task); });
}

bool is_protected(const Terms& terms, const VictimUnit& unit) {
  const std::vector<JobId>& named = terms.facts.plan.protect;
  return std::find(named.begin(), named.end(), unit.job) != named.end();
}

bool opted_out(const Terms&, const VictimUnit& unit) { return !unit.preemptible; }

bool queue_is_off(const Terms& terms, const VictimUnit& unit) {
  return !terms.facts.effective.preemption_on(queue_of(terms, unit));
}

bool ran_too_short(const Terms& terms, const VictimUnit& unit) {
  const Duration ran = terms.facts.plan.now - running_since(terms.facts.model, unit);
  return std::max<Duration>(ran, 0) < victim_setting(terms, unit, Setting::min_runtime);
}

bool preempted_often(const Terms& terms, const VictimUnit& unit) {
  const std::int64_t most = victim_setting(terms, unit, Setting::max_preempted_count);
  return most != kNoSetting && terms.facts.model.job_extras[unit.job.value].preempted_count >= most;
}

bool cools_down(const Terms& terms, const VictimUnit& unit) {
  const Time resumed = terms.facts.model.job_state_times[unit.job.value].resumed;
  return resumed != kNoTime &&
         terms.facts.plan.now - resumed < terms.facts.effective.policies().limits.cooldown;
}

// ---- priority, quota ----

bool above_threshold(const Terms& terms, const VictimUnit& unit) {
  return unit.priority > victim_setting(terms, unit, Setting::preemptible_priority);
}

bool not_lower_priority(const Terms& terms, const VictimUnit& unit) {
  return terms.facts.requester() && unit.priority >= terms.priority;
}

// An owner without a name equals no other owner.
bool out_of_scope(const Terms& terms, const VictimUnit& unit) {
  const PlanFacts& facts = terms.facts;
  if (!facts.requester()) return false;
  const auto differ = [](NameId a, NameId b) { return a == kNoName || a != b; };
  const JobOwners& victim_owners = facts.model.job_owners[unit.job.value];
  const JobOwners& own_owners = facts.model.job_owners[facts.requester().value];
  switch (static_cast<VictimScope>(facts.setting(Setting::victim_scope, facts.queue()))) {
    case VictimScope::user: return differ(victim_owners.user, own_owners.user);
    case VictimScope::project: return differ(victim_owners.project, own_owners.project);
    case VictimScope::tenant: return differ(victim_owners.tenant, own_owners.tenant);
    case VictimScope::group: return false;
  }
  return false;
}

// ---- class-cost ----

// What borrows the requester's home nodes gives way whatever its class.
bool class_not_below(const Terms& terms, const VictimUnit& unit) {
  return terms.facts.requester() && !class_allows(terms.facts, terms.facts.effective.job_class(unit.job)) &&
         !is_lent(terms.facts, unit);
}

bool unsaved_high_class(const Terms& terms, const VictimUnit& unit) {
  return terms.facts.effective.job_class(unit.job) >= 7 &&
         terms.facts.effective.checkpoint_mode(unit.job) == CheckpointMode::none;
}

bool near_completion(const Terms& terms, const VictimUnit& unit) {
  const Duration walltime = terms.facts.model.job_times[unit.job.value].walltime;
  if (walltime == kNoDuration) return false;
  Time since = running_since(terms.facts.model, unit);
  // A gang, elastic or not, began as a whole.
  if (unit.hold == 0 && terms.facts.effective.is_gang(unit.job)) {
    const std::vector<TaskId> placed = terms.facts.placed_tasks(unit.job);
    since = running_since(terms.facts.model, unit_of(terms.facts.effective, unit.job, placed, true));
  }
  const Time end = since + walltime;
  return end - terms.facts.plan.now <= victim_setting(terms, unit, Setting::near_completion_threshold);
}

bool service_at_home(const Terms& terms, const VictimUnit& unit) {
  const JobKind kind = terms.facts.effective.kind(unit.job);
  return (kind == JobKind::service || kind == JobKind::inference) && !is_borrowed(terms.facts.model, unit);
}

// A unit on nodes of its own home is spared from requests outside that home's subtree. Class 10 is exempt.
bool at_home(const Terms& terms, const VictimUnit& unit) {
  const PlanFacts& facts = terms.facts;
  if (!facts.queue() || victim_setting(terms, unit, Setting::protect_home) == 0) return false;
  if (facts.requester() && terms.job_class == kSensitiveClass) return false;
  if (is_borrowed(facts.model, unit)) return false;
  return std::any_of(unit.tasks.begin(), unit.tasks.end(), [&](TaskId task) {
    return is_borrowed_by(facts.model, facts.queue(), facts.model.tasks.core(task).node);
  });
}

// ---- fair-share ----

bool protected_task(const Terms& terms, const VictimUnit& unit) {
  return share_tier(terms, unit) == TaskTier::non_preemptible;
}

bool needs_aggressive(const Terms& terms, const VictimUnit& unit) {
  return terms.facts.requester() && !terms.aggressive &&
         share_tier(terms, unit) == TaskTier::aggressively_preemptible;
}

bool aggressive_forbidden(const Terms& terms, const VictimUnit& unit) {
  return share_tier(terms, unit) == TaskTier::aggressively_preemptible &&
         victim_setting(terms, unit, Setting::allow_aggressive_preemption) == 0;
}

bool starving_victim(const Terms& terms, const VictimUnit& unit) {
  return terms.facts.requester() &&
         victim_setting(terms, unit, Setting::allow_preemption_from_starving) == 0 &&
         terms.facts.fair->starvation(unit.job) != Starvation::non_starving;
}

bool node_backs_off(const Terms& terms, const VictimUnit& unit) {
  const PlanFacts& facts = terms.facts;
  if (!facts.requester()) return false;
  const Duration backoff = facts.setting(Setting::preemptive_scheduling_backoff, facts.queue());
  return std::any_of(unit.tasks.begin(), unit.tasks.end(), [&](TaskId task) {
    const NodeRow& node = facts.model.nodes[facts.model.tasks.core(task).node];
    const Time last = facts.plan.in_flight->last_commit(facts.model.name(node.name));
    return last != kNoTime && facts.plan.now - last < backoff;
  });
}

// ---- guarantee ----

// A job without `app` is an application of its own.
bool same_app(const Terms& terms, const VictimUnit& unit) {
  const PlanFacts& facts = terms.facts;
  if (!facts.requester()) return false;
  const auto app = [&](JobId job) {
    const NameId stated = facts.model.job_owners[job.value].app;
    return stated == kNoName ? facts.model.job_name(job) : facts.model.name(stated);
  };
  return app(unit.job) == app(facts.requester());
}

bool outside_fence(const Terms& terms, const VictimUnit& unit) {
  return terms.fence && !terms.facts.model.is_below(queue_of(terms, unit), terms.fence);
}

bool is_bound(const PlanFacts& facts, const VictimUnit& unit) {
  return std::any_of(unit.tasks.begin(), unit.tasks.end(),
                     [&](TaskId task) { return facts.model.tasks.extras(task).required_node != kNoName; });
}

// Law 6: at most the requester's priority.
bool above_requester(const Terms& terms, const VictimUnit& unit) {
  const PlanFacts& facts = terms.facts;
  if (!facts.requester()) return false;
  const QueueId queue = queue_of(terms, unit);
  const std::int64_t own = terms.priority + terms.own_offset;
  const std::int64_t victim_priority = unit.priority + facts.effective.priority_offset(queue);
  return victim_priority > own;
}

// Equal priorities: none is taken that could take its place back. A request bound to named nodes breaks no
// tie: it takes its equals, and is not taken by them.
bool takes_its_equal(const Terms& terms, const VictimUnit& unit) {
  const PlanFacts& facts = terms.facts;
  if (!facts.requester() || facts.needs_named_node()) return false;
  const QueueId queue = queue_of(terms, unit);
  if (unit.priority + facts.effective.priority_offset(queue) != terms.priority + terms.own_offset)
    return false;
  return queue == facts.queue() || is_bound(facts, unit);
}

bool bound_as_well(const Terms& terms, const VictimUnit& unit) {
  const PlanFacts& facts = terms.facts;
  return facts.requester() && facts.needs_named_node() && is_bound(facts, unit);
}

// Victims of a request bound to named nodes run there.
bool on_no_named_node(const Terms& terms, const VictimUnit& unit) {
  const PlanFacts& facts = terms.facts;
  if (!facts.requester() || !facts.needs_named_node()) return false;
  std::set<NameId> named;
  for (const PlanFacts::Wanted& task : facts.wanted())
    named.insert(facts.model.tasks.extras(task.row).required_node);
  return std::none_of(unit.tasks.begin(), unit.tasks.end(), [&](TaskId task) {
    return named.contains(facts.model.nodes[facts.model.tasks.core(task).node].name);
  });
}

bool shares_guarantee(const Terms& terms, const VictimUnit& unit) {
  const PlanFacts& facts = terms.facts;
  if (!facts.requester() || facts.needs_named_node()) return false;
  const QueueId queue = queue_of(terms, unit);
  if (is_intra_queue(facts, queue)) return false;
  return !terms.justifying || facts.model.is_below(queue, terms.justifying);
}

bool queue_not_over(const Terms& terms, const VictimUnit& unit) {
  const PlanFacts& facts = terms.facts;
  if (!facts.requester() || facts.needs_named_node() || is_intra_queue(facts, queue_of(terms, unit)))
    return false;
  return static_cast<bool>(
      queue_below_guarantee(facts, lost_by(facts, unit), queue_that_may_shrink(facts, {&unit, 1})));
}

// ---- which rules a request has ----

struct Rule {
  RuleReason says;
  bool (*spares)(const Terms&, const VictimUnit&);
  int dropped_at = kOtherRulesStep;  // to the relief of a node
};

constexpr Rule kRunning{{"running", "the job is not running"}, not_running};
constexpr Rule kSameGroup{{"same-group", "the job is in another group"}, other_group, kNeverStep};
constexpr Rule kSensitive{
    {"sensitive", "the job is of kind sensitive or of class 10"}, is_sensitive, kNeverStep};
constexpr Rule kHeld{{"held", "an earlier decision about it is not finished"}, is_held, kNeverStep};

constexpr Rule kProtected{{"protected", "the caller asked to leave the job alone"}, is_protected, kNeverStep};

constexpr Rule kOfSensitiveClaims[] = {kRunning, kSameGroup, kSensitive, kHeld};

constexpr Rule kOfEveryProfile[] = {
    kRunning,
    {{"same-job", "it belongs to the requester itself"}, same_job},
    kSameGroup,
    kSensitive,
    kHeld,
    kProtected,
    {{"not-preemptible", "the job opted out of preemption"}, opted_out, 1},
    {{"queue-off", "preemption is off for its queue"}, queue_is_off, kNeverStep},
    {{"min-runtime", "it has run for less than min_runtime"}, ran_too_short},
    {{"preempted-often", "it was preempted max_preempted_count times already"}, preempted_often},
    {{"cooldown", "it resumed less than the cooldown ago"}, cools_down},
};

// What no relief of a node takes.
constexpr Rule kNeverForRelief[] = {kSameGroup,
                                    kSensitive,
                                    kHeld,
                                    kProtected,
                                    {{"queue-off", "preemption is off for its queue"}, queue_is_off}};

constexpr Rule kPriority{{"priority", "its priority is not below the requester's"}, not_lower_priority};

constexpr Rule kOfPriority[] = {
    {{"priority-threshold", "its priority is above preemptible_priority"}, above_threshold},
    kPriority,
    {{"scope", "victim_scope excludes it"}, out_of_scope},
};
constexpr Rule kOfClassCost[] = {
    {{"class", "the requester's class does not take one of its class"}, class_not_below},
    {{"unsaved-high-class", "its class is 7 or above and it cannot checkpoint"}, unsaved_high_class},
    {{"near-completion", "no more than near_completion_threshold of its walltime is left"}, near_completion},
    {{"home-service", "it is a service and on no borrowed node"}, service_at_home},
    {{"home", "it is on a node of its own queue's home"}, at_home},
};
constexpr Rule kOfQuota[] = {kPriority};
constexpr Rule kOfFairShare[] = {
    {{"protected-task", "it is within the protected part of its job's fair share"}, protected_task},
    {{"aggressive-only", "it is within its job's fair share, and the requester does not starve aggressively"},
     needs_aggressive},
    {{"aggressive-forbidden", "its queue does not allow aggressive preemption"}, aggressive_forbidden},
    {{"starving-victim", "its job starves itself"}, starving_victim},
    {{"node-backoff", "its node was preempted on a short while ago"}, node_backs_off},
};
constexpr Rule kOfGuarantee[] = {
    {{"same-app", "it is of the same application"}, same_app},
    {{"fence", "its queue is outside the requester's fence"}, outside_fence},
    {{"priority", "its priority, with offsets, is above the requester's"}, above_requester},
    {{"priority", "its priority, with offsets, equals the requester's, and it would take its place back"},
     takes_its_equal},
    {{"required-node", "it is not on the node where the task must run"}, on_no_named_node},
    {{"required-node", "it is bound to its node as well"}, bound_as_well},
    {{"shared-guarantee", "no guarantee that it does not share justifies the request"}, shares_guarantee},
    {{"queue-not-over", "its queue would lose its guarantee by it alone"}, queue_not_over},
};

std::span<const Rule> rules_of(Profile profile) {
  switch (profile) {
    case Profile::priority: return kOfPriority;
    case Profile::class_cost: return kOfClassCost;
    case Profile::quota: return kOfQuota;
    case Profile::fair_share: return kOfFairShare;
    case Profile::guarantee: return kOfGuarantee;
  }
  return {};
}

std::optional<RuleReason> first_of(std::span<const Rule> rules, const Terms& terms, const VictimUnit& unit) {
  for (const Rule& rule : rules) {
    if (rule.spares(terms, unit)) return rule.says;
  }
  return std::nullopt;
}

}  // namespace

int relief_step(const EligibilityTerms& terms, const VictimUnit& unit) {
  int step = unit.last_resort ? 1 : 0;
  for (const std::span<const Rule> rules :
       {std::span<const Rule>(kOfEveryProfile), rules_of(terms.facts.effective.profile())}) {
    for (const Rule& rule : rules) {
      if (rule.spares(terms, unit)) step = std::max(step, rule.dropped_at);
      if (step == kNeverStep) return step;  // a job of another group has no shares in this one
    }
  }
  return is_bound(terms.facts, unit) ? std::max(step, kBoundTasksStep) : step;
}

int relief_rank(const EligibilityTerms& terms, const VictimUnit& unit) {
  const int step = relief_step(terms, unit);
  return step * kReliefTiers + (step > kBoundTasksStep && is_bound(terms.facts, unit) ? 1 : 0);
}

std::optional<RuleReason> exclusion_of(const EligibilityTerms& terms, const VictimUnit& unit) {
  if (terms.facts.subject.purpose == Purpose::relief_node) {
    if (relief_step(terms, unit) < kNeverStep) return std::nullopt;
    return first_of(kNeverForRelief, terms, unit);
  }
  if (terms.facts.subject.purpose == Purpose::sensitive_claim)
    return first_of(kOfSensitiveClaims, terms, unit);
  if (const auto found = first_of(kOfEveryProfile, terms, unit)) return found;
  return first_of(rules_of(terms.facts.effective.profile()), terms, unit);
}

int tier_of(const PlanFacts& facts, const VictimUnit& unit) {
  constexpr int kLast = 9;
  if (facts.subject.purpose == Purpose::relief_node) {
    if (const int rank = relief_rank(EligibilityTerms(facts), unit); rank > 0) return rank;
    return facts.fair && facts.fair->tier(unit.job, unit.tasks) != TaskTier::preemptible ? 1 : 0;
  }
  if (unit.last_resort) return kLast;
  if (!facts.fair) return 0;
  switch (facts.fair->tier(unit.job, unit.tasks)) {
    case TaskTier::preemptible: return 0;
    case TaskTier::aggressively_preemptible: return 1;
    case TaskTier::non_preemptible: return 2;
  }
  return 0;
}

std::string plan_check::eligible(const PlanFacts& facts) {
  if (facts.plan.victims.empty()) return {};
  const EligibilityTerms terms(facts);
  for (const VictimUnit& unit : facts.units()) {
    const std::optional<RuleReason> found = exclusion_of(terms, unit);
    if (!found) continue;
    return facts.job_name(unit.job) + " is excluded by " + std::string(found->rule) + ": " +
           std::string(found->why);
  }
  return {};
}

}  // namespace cede
