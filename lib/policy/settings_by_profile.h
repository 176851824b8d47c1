// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "policy/setting_rows.h"

namespace cede::setting_rows {

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
    duration(Setting::checkpoint_estimate, "checkpoint_estimate", 5 * kMinute, SettingSide::victim,
             "assumed length of an automatic checkpoint where the job gives none"),
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
