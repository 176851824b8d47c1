// SPDX-License-Identifier: MIT
#include "policy/rules/triggers.h"

#include <algorithm>

#include "base/text.h"
#include "policy/queue_shortfall.h"
#include "policy/shares/starvation.h"

namespace cede {

bool AttemptInterval::refuses(std::string* why) const {
  const Time last = context_.allowance.last_attempt;
  const Duration interval = context_.effective.setting(Setting::attempt_interval, context_.queue());
  if (!context_.requester() || last == kNoTime || context_.now - last >= interval) return false;
  if (why)
    *why = "it preempted last at " + format_time(last) + ", attempt_interval is " + format_duration(interval);
  return true;
}

namespace {

void sooner(Time& when, Time other) {
  if (other != kNoTime) when = when == kNoTime ? other : std::min(when, other);
}

std::string used_up(std::string_view what, Time when) {
  std::string out = "the limit of " + std::string(what) + " within the window is used up";
  return when == kNoTime ? out : out + "; more is allowed at " + format_time(when);
}

}  // namespace

bool Budget::refuses(std::string* why) const {
  const Allowance& allowed = context_.allowance;
  if (allowed.bounds_lost_work && allowed.lost_work.left == 0) {
    if (why) *why = used_up("lost work", allowed.lost_work.free_at);
    return true;
  }
  if (!allowed.bounds_queues && !allowed.bounds_users) return false;
  Time when = kNoTime;
  bool any = false;
  for (const Unit* each : context_.units) {
    const Unit& unit = *each;
    if (unit.hold != 0) return false;
    any = true;
    const NameId user = model().job_owners[unit.job.value].user;
    const auto queue = allowed.of_queue(model().jobs[unit.job].queue);
    const auto owner = allowed.of_user(user);
    const bool queue_left = !allowed.bounds_queues || queue.left > 0;
    const bool user_left = !allowed.bounds_users || user == kNoName || owner.left > 0;
    if (queue_left && user_left) return false;
    sooner(when, queue_left  ? owner.free_at
                 : user_left ? queue.free_at
                             : std::max(queue.free_at, owner.free_at));
  }
  if (!any) return false;
  if (why) *why = used_up("preemptions of every queue or user that runs", when);
  return true;
}

bool OvercommitGrace::refuses(std::string* why) const {
  if (context_.request.purpose != Purpose::relief_node) return false;
  const Duration grace = context_.effective.setting(Setting::overcommit_grace, QueueId{});
  if (grace == 0) return false;
  const Time stated = model().overcommitted(context_.request.node);
  const Time since =
      stated != kNoTime ? stated : context_.in_flight.overcommitted_since(context_.request.node);
  if (since != kNoTime && context_.now - since >= grace) return false;
  if (why) {
    *why = since == kNoTime
               ? "it is over its capacity since now, overcommit_grace is " + format_duration(grace)
               : "it is over its capacity since " + format_time(since) + ", overcommit_grace ends at " +
                     format_time(since + grace);
  }
  return true;
}

bool NoLowerPriority::refuses(std::string* why) const {
  if (!context_.requester()) return false;
  const std::int32_t own = context_.request.priority;
  const bool any = std::any_of(context_.units.begin(), context_.units.end(), [&](const Unit* unit) {
    return unit->job != context_.requester() && unit->priority < own;
  });
  if (any) return false;
  if (why) *why = "no running job has a priority below " + std::to_string(own);
  return true;
}

bool NoQuotaPreemption::refuses(std::string* why) const {
  const Purpose purpose = context_.request.purpose;
  if (purpose != Purpose::relief_queue && purpose != Purpose::relief_job) return false;
  if (why) *why = "profile class-cost never preempts because a quota is exceeded";
  return true;
}

bool NotFront::needs_front_job() const {
  return context_.requester() && context_.effective.flag(Setting::front_only, context_.queue());
}

bool NotFront::refuses(std::string* why) const {
  if (!context_.front_job) return false;
  if (why) *why = "job " + quote(model().job_name(context_.front_job)) + " is served first";
  return true;
}

bool NotStarving::refuses(std::string* why) const {
  if (!context_.requester()) return false;
  const FairShareStatus& fair = *context_.fair;
  if (fair.starvation(context_.requester()) != Starvation::non_starving) return false;
  if (why) {
    const Time since = fair.below_since(context_.requester());
    const Duration timeout = starvation_terms(context_.effective, context_.requester()).timeout;
    *why = fair.status(context_.requester()) == ShareStatus::normal
               ? "the job has its fair share"
               : "the job is below its fair share for " +
                     format_duration(since == kNoTime ? 0 : std::max<Duration>(0, context_.now - since)) +
                     ", it starves after " + format_duration(timeout);
  }
  return true;
}

bool OverGuarantee::refuses(std::string* why) const {
  if (!context_.requester() || for_required_node(context_)) return false;
  if (context_.effective.flag(Setting::intra_queue, context_.queue())) return false;
  if (lowest_justifying_queue(context_)) return false;
  if (why) *why = "no queue on its path lacks any of its guarantee";
  return true;
}

bool PendingDelay::refuses(std::string* why) const {
  if (!context_.requester() || for_required_node(context_)) return false;
  const Duration delay = context_.effective.preemption_delay(context_.queue());
  const Duration waited =
      std::max<Duration>(0, context_.now - context_.effective.waiting_since(context_.requester()));
  if (waited >= delay) return false;
  if (why)
    *why = "it has waited for " + format_duration(waited) + ", preemption.delay is " + format_duration(delay);
  return true;
}

bool QueueMax::refuses(std::string* why) const {
  if (!context_.requester()) return false;
  const std::vector<QueueShortfall> shortfall = queue_shortfalls(context_, context_.usage);
  if (why && !shortfall.empty()) *why = describe(model(), first_by_name(model(), shortfall));
  return !shortfall.empty();
}

bool QuotaMax::refuses(std::string* why) const {
  const std::vector<QueueShortfall> shortfall = maximum_shortfalls(context_);
  if (why && !shortfall.empty()) *why = describe(model(), first_by_name(model(), shortfall));
  return !shortfall.empty();
}

bool QuotaMin::refuses(std::string* why) const {
  const std::vector<QueueShortfall> shortfall = minimum_shortfalls(context_);
  if (why && !shortfall.empty()) *why = describe(model(), first_by_name(model(), shortfall));
  return !shortfall.empty();
}

}  // namespace cede
