// SPDX-License-Identifier: MIT
#include "policy/profiles/class_cost.h"

#include "policy/borrowing.h"
#include "policy/class_price.h"
#include "policy/rules/checkpoint_price.h"
#include "policy/rules/class_counts.h"
#include "policy/rules/home.h"
#include "policy/rules/home_service.h"
#include "policy/rules/lower_class.h"
#include "policy/rules/near_completion.h"
#include "policy/rules/no_quota_preemption.h"
#include "policy/rules/price.h"
#include "policy/rules/queue_max.h"
#include "policy/rules/unsaved_high_class.h"
#include "policy/rules/value_exceeded.h"

namespace cede {

std::string_view ClassCostProfile::cause(const Asking& asking) const {
  switch (asking.request.purpose) {
    case Purpose::reclaim: return "reclaim";
    case Purpose::sensitive_claim: return "sensitive";
    default: return "priority";
  }
}

void ClassCostProfile::add_triggers(Parts<Trigger>& triggers) const {
  triggers.add<NoQuotaPreemption>().add<QueueMax>();
}

void ClassCostProfile::add_rules(Parts<EligibilityRule>& rules) const {
  rules.add<LowerClass>().add<UnsavedHighClass>().add<NearCompletion>().add<HomeService>().add<Home>();
}

void ClassCostProfile::add_caps(Parts<Cap>& caps) const { caps.add<ValueExceeded>(); }

void ClassCostProfile::add_measures(Parts<Measure>& measures) const {
  const Asking& asking = measures.asking();
  const bool class_first = asking.effective.flag(Setting::class_first, asking.queue());
  if (class_first) measures.add<ClassCounts>();
  if (!uses_lost_work(asking)) measures.add<Price>();
  if (!class_first) measures.add<ClassCounts>();
  measures.add<CheckpointPrice>();
}

Leaving ClassCostProfile::leaving(const Effective& effective, JobId victim) const {
  const auto requeue =
      static_cast<Requeue>(effective.setting(Setting::requeue, effective.model().jobs[victim].queue));
  const bool saves = effective.checkpoint_mode(victim) != CheckpointMode::none;
  return {saves ? VictimAction::checkpoint : VictimAction::terminate,
          requeue == Requeue::always || (requeue == Requeue::saved && saves)};
}

std::vector<CostPart> ClassCostProfile::price(const Asking& asking, const Unit& unit) const {
  if (uses_lost_work(asking)) return Composition::price(asking, unit);
  const auto parts = class_price(asking, unit);
  return {parts.begin(), parts.end()};
}

bool ClassCostProfile::price_never_falls(const Asking& asking) const {
  return uses_lost_work(asking) || class_price_never_falls(asking);
}

// Who could not be preempted is not put where the owner may want the node back (`borrowed-node`).
bool ClassCostProfile::may_use(const Asking& asking, NodeId node) const {
  if (!asking.requester() || !asking.effective.flag(Setting::avoid_borrowed, asking.queue())) return true;
  return !borrows(asking.model(), asking.queue(), node) ||
         !never_preempted(asking.effective, asking.requester());
}

std::string ClassCostProfile::remark(const Asking& asking) const {
  if (!asking.requester() || request_value(asking) >= 0) return {};
  return "nobody gave the request a value, so the cost was not weighed against one";
}

}  // namespace cede
