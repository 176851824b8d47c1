// SPDX-License-Identifier: MIT
#include "policy/profiles/priority.h"

#include <algorithm>

#include "base/text.h"

namespace cede::priority_profile {

namespace {

class PriorityThreshold final : public EligibilityRule {
 public:
  std::string_view name() const override { return "priority-threshold"; }
  std::optional<std::string> excludes(const Unit& unit, const Asking& asking) const override {
    const std::int64_t most =
        asking.effective.setting(Setting::preemptible_priority, asking.model().jobs[unit.job].queue);
    if (unit.priority <= most) return std::nullopt;
    return "its priority " + std::to_string(unit.priority) + " is above preemptible_priority " +
           std::to_string(most);
  }
};

class LowerPriority final : public EligibilityRule {
 public:
  std::string_view name() const override { return "priority"; }
  std::optional<std::string> excludes(const Unit& unit, const Asking& asking) const override {
    const std::int32_t own = asking.effective.priority(asking.request.job);
    if (unit.priority < own) return std::nullopt;
    return "its priority " + std::to_string(unit.priority) + " is not below the requester's " +
           std::to_string(own);
  }
};

class Scope final : public EligibilityRule {
 public:
  std::string_view name() const override { return "scope"; }
  std::optional<std::string> excludes(const Unit& unit, const Asking& asking) const override {
    const auto scope =
        static_cast<VictimScope>(asking.effective.setting(Setting::victim_scope, asking.queue()));
    const JobOwners& theirs = asking.model().job_owners[unit.job.value];
    const JobOwners& ours = asking.model().job_owners[asking.request.job.value];
    // An owner that nobody named equals no other.
    const auto same = [](NameId a, NameId b) { return a != kNoName && a == b; };
    switch (scope) {
      case VictimScope::group: return std::nullopt;
      case VictimScope::user:
        if (same(theirs.user, ours.user)) return std::nullopt;
        break;
      case VictimScope::project:
        if (same(theirs.project, ours.project)) return std::nullopt;
        break;
      case VictimScope::tenant:
        if (same(theirs.tenant, ours.tenant)) return std::nullopt;
        break;
    }
    return "victim_scope is " + std::string(to_word(scope, kVictimScopes)) + ", and the job is another's";
  }
};

std::int64_t highest(const std::vector<std::int64_t>& values) {
  return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
}

}  // namespace

EligibilityRules eligibility() {
  EligibilityRules rules = rules_of_every_profile();
  rules.push_back(std::make_unique<PriorityThreshold>());
  rules.push_back(std::make_unique<LowerPriority>());
  rules.push_back(std::make_unique<Scope>());
  return rules;
}

std::optional<Refusal> no_lower_priority(const Asking& asking, const std::vector<Unit>& units) {
  const std::int32_t own = asking.effective.priority(asking.request.job);
  const bool any = std::any_of(units.begin(), units.end(), [&](const Unit& unit) {
    return unit.job != asking.request.job && unit.priority < own;
  });
  if (any) return std::nullopt;
  return Refusal{"no-lower-priority", "no running job has a priority below " + std::to_string(own)};
}

bool served_before(const Effective& effective, JobId a, JobId b) {
  const std::int32_t pa = effective.priority(a);
  const std::int32_t pb = effective.priority(b);
  if (pa != pb) return pa > pb;
  if (effective.submitted(a) != effective.submitted(b))
    return effective.submitted(a) < effective.submitted(b);
  return effective.model().job_name(a) < effective.model().job_name(b);
}

std::vector<Criterion> objective(const Asking& asking, const std::vector<const Unit*>& victims,
                                 std::int64_t freed) {
  std::vector<std::int64_t> priorities;
  std::vector<Time> starts;
  std::int64_t last_resort = 0;
  for (const Unit* unit : victims) {
    priorities.push_back(unit->priority);
    starts.push_back(unit->start);
    last_resort += unit->last_resort ? 1 : 0;
  }
  const auto count = static_cast<std::int64_t>(victims.size());
  std::vector<Criterion> out{Criterion::of_number("last-resort", last_resort)};
  const auto order =
      static_cast<PreemptionOrder>(asking.effective.setting(Setting::preemption_order, asking.queue()));
  switch (order) {
    case PreemptionOrder::oldest:
    case PreemptionOrder::newest:
      out.push_back(Criterion::of_counts("priority", priorities));
      out.push_back(Criterion::of_times("started", starts, order == PreemptionOrder::newest));
      break;
    case PreemptionOrder::fewest:
      out.push_back(Criterion::of_number("highest-priority", highest(priorities)));
      out.push_back(Criterion::of_number("number", count));
      out.push_back(Criterion::of_counts("priority", priorities));
      break;
    case PreemptionOrder::smallest:
      out.push_back(Criterion::of_number("highest-priority", highest(priorities)));
      out.push_back(Criterion::of_number("size", freed));
      out.push_back(Criterion::of_counts("priority", priorities));
      break;
  }
  return out;
}

Leaving leaving(const Effective& effective, JobId victim) {
  const QueueId queue = effective.model().jobs[victim].queue;
  const auto mode = static_cast<PreemptionMode>(effective.setting(Setting::preemption_mode, queue));
  const auto requeue = static_cast<Requeue>(effective.setting(Setting::requeue, queue));
  const JobKind kind = effective.kind(victim);
  // An inference job's autoscaler brings new ones with their own priority; suspending it would serve nobody.
  const bool suspends = mode == PreemptionMode::suspend && kind != JobKind::inference;
  const bool back = requeue == Requeue::always || (requeue == Requeue::saved && suspends);
  // A suspended interactive job waits for its owner, not in the queue.
  return {suspends ? VictimAction::suspend : VictimAction::terminate,
          back && kind != JobKind::interactive && kind != JobKind::inference};
}

}  // namespace cede::priority_profile
