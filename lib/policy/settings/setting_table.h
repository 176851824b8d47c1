// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "base/time.h"
#include "policy/settings/setting.h"

// Every setting of every profile: how a row is written (one function per unit), the rows that all profiles
// share, and the rows of each profile.
namespace cede::setting_rows {

inline constexpr std::int64_t kMillion = 1'000'000;
inline constexpr Duration kAboveZero = 1;

constexpr SettingSpec flag(Setting id, std::string_view name, bool fallback, SettingSide side,
                           std::string_view help) {
  return {.id = id,
          .name = name,
          .unit = SettingUnit::flag,
          .fallback = fallback ? 1 : 0,
          .max = 1,
          .side = side,
          .help = help};
}

template <class Enum>
constexpr SettingSpec choice(Setting id, std::string_view name, Enum fallback,
                             std::span<const std::string_view> words, SettingSide side,
                             std::string_view help) {
  return {.id = id,
          .name = name,
          .unit = SettingUnit::choice,
          .fallback = static_cast<std::int64_t>(fallback),
          .max = static_cast<std::int64_t>(words.size()) - 1,
          .choices = words,
          .side = side,
          .help = help};
}

struct Range {
  std::int64_t min;
  std::int64_t max;
};

constexpr SettingSpec number(SettingUnit unit, Setting id, std::string_view name, std::int64_t fallback,
                             Range range, SettingSide side, std::string_view help) {
  return {.id = id,
          .name = name,
          .unit = unit,
          .fallback = fallback,
          .min = range.min,
          .max = range.max,
          .side = side,
          .help = help};
}

constexpr SettingSpec count(Setting id, std::string_view name, std::int64_t fallback, Range range,
                            SettingSide side, std::string_view help) {
  return number(SettingUnit::count, id, name, fallback, range, side, help);
}

constexpr SettingSpec duration(Setting id, std::string_view name, Duration fallback, SettingSide side,
                               std::string_view help, Duration min = 0) {
  return number(SettingUnit::duration, id, name, fallback, {min, kMaxDuration}, side, help);
}

// The fallback is in thousandths, which is fine enough for every default.
constexpr SettingSpec ratio(Setting id, std::string_view name, std::int64_t thousandths, SettingSide side,
                            std::string_view help) {
  return number(SettingUnit::ratio, id, name, thousandths * kMillion, {0, kWhole}, side, help);
}

constexpr SettingSpec factor(Setting id, std::string_view name, std::int64_t thousandths, std::int64_t most,
                             SettingSide side, std::string_view help) {
  return number(SettingUnit::factor, id, name, thousandths * kMillion, {0, most * kWhole}, side, help);
}

constexpr SettingSpec minutes(Setting id, std::string_view name, std::int64_t thousandths, std::int64_t most,
                              SettingSide side, std::string_view help) {
  return number(SettingUnit::minutes, id, name, thousandths, {0, most * 1000}, side, help);
}

constexpr SettingSpec amounts(Setting id, std::string_view name, SettingSide side, std::string_view help) {
  return number(SettingUnit::amounts, id, name, kNoSetting, {0, 0}, side, help);
}

constexpr SettingSpec or_none(SettingSpec row, std::string_view word = "none") {
  row.none_word = word;
  return row;
}

constexpr SettingSpec in_training(SettingSpec row, std::int64_t thousandths) {
  row.training_fallback = thousandths * kMillion;
  return row;
}

constexpr SettingSpec in_suspend_mode(SettingSpec row, std::optional<Requeue> fallback) {
  if (fallback) row.suspend_fallback = static_cast<std::int64_t>(*fallback);
  return row;
}

constexpr SettingSpec job_may(JobMay what, SettingSpec row) {
  row.job_may = what;
  return row;
}

constexpr SettingSpec queue_field(SettingSpec row) {
  row.queue_field = true;
  return row;
}

// The settings that every profile has, with the defaults of one profile.
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
      flag(Setting::checkpoint_first, "checkpoint_first", true, victim,
           "let a victim that can write a checkpoint do so before it is made to leave"),
      duration(Setting::checkpoint_estimate, "checkpoint_estimate", 5 * kMinute, victim,
               "assumed length of an automatic checkpoint where the job gives none"),
      in_suspend_mode(
          choice(Setting::requeue, "requeue", own.requeue, kRequeues, victim,
                 "which victims wait again afterwards: all, those whose state was saved, or none"),
          own.requeue_suspended),
      duration(Setting::min_runtime, "min_runtime", 0, victim, "a unit that has run for less is left alone"),
      or_none(count(Setting::max_victims, "max_victims", own.max_victims.value_or(kNoSetting), {1, kMillion},
                    requester, "most jobs whose units one plan may take")),
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
      duration(Setting::overcommit_grace, "overcommit_grace", 0, SettingSide::both,
               "how long a node may be over its capacity before its relief takes a job; read on the policy"),
  };
}

inline constexpr std::array kPrioritySettings{
    count(Setting::preemptible_priority, "preemptible_priority", 5, {0, 100}, SettingSide::victim,
          "running jobs up to this priority may be preempted"),
    choice(Setting::preemption_order, "preemption_order", PreemptionOrder::oldest, kPreemptionOrders,
           SettingSide::requester,
           "among equal priorities: longest running, latest started, few or small victims"),
    choice(Setting::preemption_mode, "preemption_mode", PreemptionMode::terminate, kPreemptionModes,
           SettingSide::victim, "end victims for good, or suspend those that can resume"),
    choice(Setting::suspend_keep, "suspend_keep", SuspendKeep::nothing, kSuspendKeeps, SettingSide::victim,
           "what a suspended job leaves behind; local binds it to the nodes that keep its scratch"),
    choice(Setting::victim_scope, "victim_scope", VictimScope::group, kVictimScopes, SettingSide::requester,
           "whose jobs may be taken: those of the requester's user, project, tenant or whole group"),
    flag(Setting::front_only, "front_only", true, SettingSide::requester,
         "only the first waiting job of the group may preempt"),
};

inline constexpr std::array kClassCostSettings{
    choice(Setting::class_rule, "class_rule", ClassRule::lower, kClassRules, SettingSide::requester,
           "which classes give way: any lower one, or only those of a lower band (0, 1-3, 4-6, 7-9)"),
    duration(Setting::near_completion_threshold, "near_completion_threshold", 5 * kMinute,
             SettingSide::victim, "a job with less walltime left is allowed to finish"),
    ratio(Setting::near_completion_fraction, "near_completion_fraction", 900, SettingSide::victim,
          "a job past this part of its walltime costs 1000 minutes for the time it ran"),
    ratio(Setting::just_started_fraction, "just_started_fraction", 100, SettingSide::victim,
          "a job before this part of its walltime costs only 1 minute for the time it ran"),
    minutes(Setting::victim_overhead, "victim_overhead", 1000, kMillion, SettingSide::victim,
            "added to the price of each victim; more favours fewer and larger victims"),
    in_training(factor(Setting::checkpoint_weight, "checkpoint_weight", 1000, kMillion, SettingSide::victim,
                       "multiplies the checkpoint's part of the price"),
                3000),
    factor(Setting::recompute_weight, "recompute_weight", 1000, kMillion, SettingSide::victim,
           "price of a GPU-minute of work that cannot be saved; 0.016666667 counts GPU-hours"),
    or_none(minutes(Setting::value_per_gpu_hour, "value_per_gpu_hour", kNoSetting, 1000 * kMillion,
                    SettingSide::requester,
                    "what a request without a value may cost, per GPU and hour of walltime")),
    flag(Setting::class_first, "class_first", false, SettingSide::requester,
         "spare higher classes before looking at the price"),
    flag(
        Setting::protect_home, "protect_home", true, SettingSide::victim,
        "leave jobs on their own queue's nodes alone; without it reclaims and requests can chase each other"),
    flag(Setting::avoid_borrowed, "avoid_borrowed", true, SettingSide::requester,
         "keep jobs that could not be preempted off nodes that are another queue's home"),
    choice(
        Setting::reclaim, "reclaim", ReclaimMode::automatic, kReclaimModes, SettingSide::requester,
        "a waiting job takes back its queue's home nodes whatever the borrower's class, or only claims do"),
    ratio(Setting::borrowed_discount, "borrowed_discount", 0, SettingSide::victim,
          "part taken off the checkpoint, recompute and walltime price of a job on borrowed nodes"),
};

inline constexpr std::array kQuotaSettings{
    flag(Setting::disable_default_preemptible, "disable_default_preemptible", false, SettingSide::both,
         "a job that does not say counts as not preemptible"),
    flag(Setting::disable_default_trigger_preemption, "disable_default_trigger_preemption", false,
         SettingSide::requester, "a job that does not say may not preempt"),
    choice(Setting::evict, "evict", Evict::remove, kEvicts, SettingSide::victim,
           "delete victims, or mark them and leave their removal to another operator"),
    flag(Setting::check_parent_quota, "check_parent_quota", true, SettingSide::requester,
         "hold the queues above to their minimum and maximum as well"),
};

inline constexpr std::array kFairShareSettings{
    job_may(JobMay::raise,
            duration(Setting::fair_share_starvation_timeout, "fair_share_starvation_timeout", 30 * kSecond,
                     SettingSide::requester,
                     "a job below its fair share for longer than this starves and may preempt")),
    job_may(JobMay::raise,
            duration(Setting::fair_share_aggressive_starvation_timeout,
                     "fair_share_aggressive_starvation_timeout", 120 * kSecond, SettingSide::requester,
                     "after this long it may also take tasks within others' shares, where that is enabled")),
    job_may(JobMay::lower,
            ratio(Setting::fair_share_starvation_tolerance, "fair_share_starvation_tolerance", 800,
                  SettingSide::requester, "a job with less than this part of its share is below it")),
    factor(Setting::preemption_satisfaction_threshold, "preemption_satisfaction_threshold", 1000, 1000,
           SettingSide::victim, "tasks beyond this multiple of the job's share are preemptible"),
    factor(Setting::aggressive_preemption_satisfaction_threshold,
           "aggressive_preemption_satisfaction_threshold", 200, 1000, SettingSide::victim,
           "tasks beyond this multiple can be taken by aggressively starving jobs"),
    or_none(amounts(Setting::non_preemptible_resource_usage_threshold,
                    "non_preemptible_resource_usage_threshold", SettingSide::victim,
                    "a job whose usage is below every one of these amounts loses no task")),
    duration(Setting::preemptive_scheduling_backoff, "preemptive_scheduling_backoff", 5 * kSecond,
             SettingSide::requester, "time between two preemptions on one node"),
    duration(Setting::allocation_preemption_timeout, "allocation_preemption_timeout", 30 * kSecond,
             SettingSide::victim, "how long an interruptible job may go on after the interrupt signal"),
    flag(Setting::enable_aggressive_starvation, "enable_aggressive_starvation", false, SettingSide::requester,
         "let jobs that starve for long take tasks within others' shares"),
    flag(Setting::allow_aggressive_preemption, "allow_aggressive_preemption", true, SettingSide::victim,
         "let aggressively starving jobs take tasks from this queue"),
    flag(Setting::allow_preemption_from_starving, "allow_preemption_from_starving", false,
         SettingSide::victim, "let jobs that starve themselves lose tasks"),
};

inline constexpr std::array kGuaranteeSettings{
    queue_field(choice(Setting::preemption_policy, "preemption.policy", QueuePolicy::normal, kQueuePolicies,
                       SettingSide::both,
                       "fence: take nothing outside this queue; disabled: neither take nor give")),
    queue_field(duration(Setting::preemption_delay, "preemption.delay", 30 * kSecond, SettingSide::requester,
                         "how long a request waits before it may preempt; read on leaf queues", kAboveZero)),
    flag(Setting::strict_opt_out, "strict_opt_out", false, SettingSide::victim,
         "never take a job that opted out, not even as the last resort"),
    flag(Setting::within_guarantee, "within_guarantee", false, SettingSide::requester,
         "the request must fit into what its queue lacks, not merely serve it"),
    flag(Setting::cross_node, "cross_node", false, SettingSide::requester,
         "victims for one task's space may be on several nodes"),
    duration(Setting::attempt_interval, "attempt_interval", 15 * kSecond, SettingSide::requester,
             "time between two preemptions for the same request"),
    flag(Setting::intra_queue, "intra_queue", false, SettingSide::requester,
         "also take other applications of lower priority in the same leaf queue"),
};

}  // namespace cede::setting_rows
