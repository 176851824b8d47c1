// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "policy/setting_rows.h"

namespace cede::setting_rows {

// What every profile has, with the defaults of one.
constexpr auto shared_settings(Profile profile) {
  constexpr auto requester = SettingSide::requester;
  constexpr auto victim = SettingSide::victim;
  const ProfileFacts& own = facts(profile);
  return std::array{
      choice(Setting::preemption, "preemption", Switch::on, kSwitches, SettingSide::both,
             "the kill switch: off here is off in every queue below; their jobs neither preempt nor are "
             "preempted"),
      duration(Setting::checkpoint_timeout, "checkpoint_timeout", 10 * kMinute, victim,
               "how long a victim that states no timeout has to write its checkpoint"),
      duration(Setting::grace, "grace", 30 * kSecond, victim,
               "time between asking a victim to end and killing it"),
      duration(Setting::max_deferral, "max_deferral", 5 * kMinute, victim,
               "how long in total a victim may put off its checkpoint"),
      factor(Setting::timeout_extension, "timeout_extension", 500, 10, victim,
             "part of the timeout added once for a checkpoint that is still making progress"),
      choice(Setting::requeue, "requeue", own.requeue, kRequeues, victim,
             "which victims wait again afterwards: all, those whose state was saved, or none"),
      duration(Setting::min_runtime, "min_runtime", 0, victim, "a unit that has run for less is left alone"),
      or_none(count(Setting::max_victims, "max_victims", own.max_victims.value_or(kNoSetting), {1, kMillion},
                    requester, "most jobs that one plan may take from")),
      or_none(count(Setting::max_preempted_count, "max_preempted_count", kNoSetting, {0, kMillion}, victim,
                    "a job preempted this many times is left alone from then on")),
      duration(Setting::wait_horizon, "wait_horizon", 0, requester,
               "wait rather than preempt if walltimes free the space this soon; 0 never waits"),
      choice(Setting::cost_model, "cost_model", CostModel::formula, kCostModels, requester,
             "compare victims as the profile does, or first by GPU-minutes of work lost"),
      duration(Setting::hold_timeout, "hold_timeout", 10 * kMinute, requester,
               "how long freed space is kept for a job that could start but does not", kAboveZero),
      duration(
          Setting::entry_timeout, "entry_timeout", kHour, requester,
          "a decision whose victims are not gone by then has failed; never before the plan's latest start"),
      duration(Setting::action_timeout, "action_timeout", 60 * kSecond, requester,
               "an action the resource manager has not answered by then counts as failed", kAboveZero),
      count(Setting::max_action_retries, "max_action_retries", 3, {0, 1000}, requester,
            "failed attempts to remove a victim, each harsher, before the plan is made anew"),
      or_none(duration(Setting::soft_evict_timeout, "soft_evict_timeout", kNoSetting, victim,
                       "how long a marked victim may stay before it is terminated; none: for ever")),
      or_none(count(Setting::tasks_per_plan, "tasks_per_plan", own.tasks_per_plan.value_or(kNoSetting),
                    {1, kMillion}, requester,
                    "how many waiting tasks of a job that is not a gang one plan places"),
              "all"),
  };
}

}  // namespace cede::setting_rows
