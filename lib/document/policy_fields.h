// SPDX-License-Identifier: MIT
#pragma once

#include "document/field.h"
#include "model/limits.h"
#include "policy/settings/profile.h"

// The fields of policy documents. The settings have a table of their own (policy/settings/setting_table.h).
namespace cede {

inline constexpr std::int64_t kMaxCount = 1'000'000'000'000;
inline constexpr std::int64_t kMaxExactUnits = 64;

enum class PolicyField : std::uint8_t { profile, settings };
inline constexpr Fields<PolicyField, 2> kPolicyFields{{{
    field_rows::required(
        field_rows::word(PolicyField::profile, "profile", kProfiles, "the rules by which it decides"),
        "priority, class-cost, quota, fair-share or guarantee is wanted"),
    field_rows::settings(PolicyField::settings, SettingHolder::policy,
                         "settings of the profile that differ from their defaults"),
}}};
inline constexpr ObjectSpec kPolicyObject{"policy", "a profile and its settings", kPolicyFields.rows};

enum class RangeField : std::uint8_t { min, max };
inline constexpr Fields<RangeField, 2> kRangeFields{{{
    field_rows::or_else(field_rows::integer(RangeField::min, "min", field_rows::kInt32, "from this priority"),
                        "no bound"),
    field_rows::or_else(field_rows::integer(RangeField::max, "max", field_rows::kInt32, "to this priority"),
                        "no bound"),
}}};
inline constexpr ObjectSpec kRangeObject{"priorities", "a range of priorities", kRangeFields.rows};

inline constexpr std::string_view kOptOutSchema =
    R"("anyOf":[{"type":["boolean","null"]},{"$ref":"#/$defs/priorities"}])";

enum class RuleField : std::uint8_t { default_priority, may_change, min, max, may_opt_out, max_class };
inline constexpr Fields<RuleField, 6> kRuleFields{{{
    field_rows::or_else(field_rows::integer(RuleField::default_priority, "default_priority",
                                            field_rows::kInt32, "the priority of a job that states none"),
                        "the profile's"),
    field_rows::or_default(field_rows::flag(RuleField::may_change, "may_change",
                                            "whether a job may ask for another priority than the default"),
                           "true"),
    field_rows::or_else(field_rows::integer(RuleField::min, "min", field_rows::kInt32,
                                            "the lowest priority that a job may have"),
                        "no bound"),
    field_rows::or_else(field_rows::integer(RuleField::max, "max", field_rows::kInt32,
                                            "the highest priority that a job may have"),
                        "no bound"),
    field_rows::or_default(
        field_rows::with_object(
            field_rows::custom(
                RuleField::may_opt_out, "may_opt_out", "true, false or a range", kOptOutSchema,
                "whether a job may ask not to be preempted, or the priorities at which it may"),
            kRangeObject),
        "true"),
    field_rows::or_default(field_rows::integer(RuleField::max_class, "max_class", {0, kMaxClass},
                                               "the highest class that a job may have"),
                           "9"),
}}};
inline constexpr ObjectSpec kRuleObject{"admission_rule", "what jobs of a project or user may ask for",
                                        kRuleFields.rows};

enum class AdmissionField : std::uint8_t { projects, users };
inline constexpr Fields<AdmissionField, 2> kAdmissionFields{{{
    field_rows::objects_by_name(AdmissionField::projects, "projects", kRuleObject, "a rule for each project"),
    field_rows::objects_by_name(AdmissionField::users, "users", kRuleObject, "a rule for each user"),
}}};
inline constexpr ObjectSpec kAdmissionObject{"admission", "what jobs may ask for", kAdmissionFields.rows};

enum class PerField : std::uint8_t { queue, user };
inline constexpr Fields<PerField, 2> kPerFields{{{
    field_rows::or_else(field_rows::integer(PerField::queue, "queue", {0, kMaxCount}, "of one victim queue"),
                        "no limit"),
    field_rows::or_else(field_rows::integer(PerField::user, "user", {0, kMaxCount}, "of one victim user"),
                        "no limit"),
}}};
inline constexpr ObjectSpec kPerObject{"per_owner", "a limit for each queue and for each user",
                                       kPerFields.rows, false};

inline constexpr std::string_view kPreemptionsSchema =
    R"("anyOf":[{"type":["integer","null"],"minimum":0,"maximum":1000000000000},{"$ref":"#/$defs/per_owner"}])";

enum class LimitField : std::uint8_t { preemptions, lost_work, window, cooldown, exact_units, search_work };
inline constexpr Fields<LimitField, 6> kLimitFields{{{
    field_rows::or_else(
        field_rows::with_object(
            field_rows::custom(
                LimitField::preemptions, "max_preemptions_per_window", "number or object", kPreemptionsSchema,
                "the most preemptions in a window of any one queue and user, or of each separately"),
            kPerObject),
        "no limit"),
    field_rows::or_else(
        field_rows::in_unit(
            field_rows::decimal(LimitField::lost_work, "max_lost_work_per_window", 3, kMaxCount * 1000,
                                "the most work that a group may lose in a window"),
            "GPU-minutes"),
        "no limit"),
    field_rows::or_default(
        field_rows::above_zero(field_rows::duration(LimitField::window, "window", "the length of a window")),
        "\"10m\""),
    field_rows::or_default(field_rows::duration(LimitField::cooldown, "cooldown",
                                                "for how long a preempted job is not preempted again"),
                           "0"),
    field_rows::or_default(
        field_rows::integer(LimitField::exact_units, "exact_units", {0, kMaxExactUnits},
                            "up to this many candidates the search always ends with the best set"),
        "20"),
    field_rows::or_default(
        field_rows::in_unit(field_rows::integer(LimitField::search_work, "search_work", {0, kMaxCount},
                                                "how much counted work one search may do"),
                            "about 10 nanoseconds each"),
        "10000000"),
}}};
inline constexpr ObjectSpec kLimitsObject{
    "limits", "bounds on how much is preempted in a window and on the work of a search", kLimitFields.rows};

enum class RootField : std::uint8_t { format, policies, admission, limits, preemption };
inline constexpr Fields<RootField, 5> kRootFields{{{
    field_rows::format(RootField::format, kPolicyFormat),
    field_rows::required(field_rows::not_empty(field_rows::objects_by_name(
        RootField::policies, "policies", kPolicyObject, "the policies by name; at least one"))),
    field_rows::object(RootField::admission, "admission", kAdmissionObject, "what jobs may ask for"),
    field_rows::object(RootField::limits, "limits", kLimitsObject,
                       "bounds on how much is preempted in a window and on the work of a search"),
    field_rows::or_default(field_rows::word(RootField::preemption, "preemption", kSwitches,
                                            "the kill switch: off preempts nothing anywhere"),
                           "\"on\""),
}}};
inline constexpr ObjectSpec kPolicyDocumentObject{"policy_document", "how to decide which jobs give way",
                                                  kRootFields.rows};

}  // namespace cede
