// SPDX-License-Identifier: MIT
#include "policy/settings/policy.h"

#include <algorithm>

#include "base/text.h"
#include "model/model.h"

namespace cede {

namespace {

constexpr PriorityRange operator&(PriorityRange a, PriorityRange b) {
  return {std::max(a.min, b.min), std::min(a.max, b.max)};
}

const AdmissionRule* find(const std::vector<AdmissionRule>& rules, std::string_view name) {
  const auto at = std::ranges::lower_bound(rules, name, {}, &AdmissionRule::name);
  return at != rules.end() && at->name == name ? &*at : nullptr;
}

// Whether the rule can be met at all. Only then is it compared with other rules.
bool check_rule(const AdmissionRule& rule, std::string_view kind, PriorityRange legal, Problems& problems) {
  const auto refuse = [&](std::string_view field, std::int32_t value, std::string_view what,
                          std::int32_t bound) {
    problems.error({PathStep::member("admission"), PathStep::member(kind), PathStep::member(rule.name),
                    PathStep::member(field)},
                   std::to_string(value) + ' ' + std::string(what) + ' ' + std::to_string(bound));
    return false;
  };
  const PriorityRange range = rule.range();
  if (range.empty()) return refuse("min", range.min, "is above max", range.max);
  if (range.min > legal.max) return refuse("min", range.min, "is above the highest priority,", legal.max);
  if (range.max < legal.min) return refuse("max", range.max, "is below the lowest priority,", legal.min);
  const PriorityRange opt_out = rule.may_opt_out;
  if (opt_out != kNoPriority) {
    if (opt_out.empty()) return refuse("may_opt_out", opt_out.min, "is above max", opt_out.max);
    if (opt_out.min > legal.max)
      return refuse("may_opt_out", opt_out.min, "is above the highest priority,", legal.max);
    if (opt_out.max < legal.min)
      return refuse("may_opt_out", opt_out.max, "is below the lowest priority,", legal.min);
  }
  if (rule.default_priority && *rule.default_priority > legal.max) {
    refuse("default_priority", *rule.default_priority, "is above the highest priority,", legal.max);
  } else if (rule.default_priority && *rule.default_priority < legal.min) {
    refuse("default_priority", *rule.default_priority, "is below the lowest priority,", legal.min);
  } else if (rule.default_priority && *rule.default_priority > range.max) {
    refuse("default_priority", *rule.default_priority, "is above max", range.max);
  } else if (rule.default_priority && *rule.default_priority < range.min) {
    refuse("default_priority", *rule.default_priority, "is below min", range.min);
  }
  return true;
}

}  // namespace

std::string show(PriorityRange range) {
  const PriorityRange any;
  if (range == any) return "any";
  if (range.min == any.min) return "up to " + std::to_string(range.max);
  if (range.max == any.max) return std::to_string(range.min) + " and above";
  return std::to_string(range.min) + ".." + std::to_string(range.max);
}

PriorityRange AdmissionRule::range() const {
  const PriorityRange any;
  return {min.value_or(any.min), max.value_or(any.max)};
}

const AdmissionRule* Admission::project(std::string_view name) const { return find(projects, name); }
const AdmissionRule* Admission::user(std::string_view name) const { return find(users, name); }

bool combine(Profile profile, const AdmissionRule* project, const AdmissionRule* user, AdmissionTerms& out,
             std::string& why) {
  AdmissionTerms terms{.priorities = facts(profile).priorities,
                       .default_priority = facts(profile).default_priority};
  std::optional<std::uint8_t> max_class;
  for (const AdmissionRule* rule : {project, user}) {  // the user's default wins
    if (!rule) continue;
    terms.priorities = terms.priorities & rule->range();
    terms.default_priority = rule->default_priority.value_or(terms.default_priority);
    terms.may_change = terms.may_change && rule->may_change;
    terms.may_opt_out = terms.may_opt_out & rule->may_opt_out;
    if (rule->max_class) max_class = std::min(*rule->max_class, max_class.value_or(*rule->max_class));
  }
  terms.max_class = max_class.value_or(kDefaultMaxClass);
  terms.may_opt_out = terms.may_opt_out & terms.priorities;
  if (terms.may_opt_out.empty()) terms.may_opt_out = kNoPriority;
  if (terms.priorities.empty()) {
    out = terms;
    why = "no priority is left: profile " + std::string(to_word(profile, kProfiles)) + " allows " +
          show(facts(profile).priorities);
    if (project) why += ", project " + quote(project->name) + ' ' + show(project->range());
    if (user) why += ", user " + quote(user->name) + ' ' + show(user->range());
    return false;
  }
  terms.default_priority = std::clamp(terms.default_priority, terms.priorities.min, terms.priorities.max);
  out = terms;
  return true;
}

void check_admission(const Admission& admission, PriorityRange legal, Problems& problems) {
  std::vector<const AdmissionRule*> users;
  for (const AdmissionRule& user : admission.users) {
    if (check_rule(user, "users", legal, problems)) users.push_back(&user);
  }
  // If any user's range misses a project's range, then the range of one of these two users does.
  const auto lowest =
      std::ranges::min_element(users, {}, [](const AdmissionRule* user) { return user->range().max; });
  const auto highest =
      std::ranges::max_element(users, {}, [](const AdmissionRule* user) { return user->range().min; });
  for (const AdmissionRule& project : admission.projects) {
    if (!check_rule(project, "projects", legal, problems) || users.empty()) continue;
    const AdmissionRule* user = (project.range() & (*lowest)->range()).empty() ? *lowest : *highest;
    if (!(project.range() & user->range()).empty()) continue;
    problems.error({PathStep::member("admission"), PathStep::member("users"), PathStep::member(user->name)},
                   "no priority is left: the user is allowed " + show(user->range()) + ", project " +
                       quote(project.name) + ' ' + show(project.range()));
  }
}

const Policy* PolicySet::find(std::string_view name) const {
  const auto at = std::ranges::lower_bound(policies, name, {}, &Policy::name);
  return at != policies.end() && at->name == name ? &*at : nullptr;
}

PriorityRange PolicySet::priorities() const {
  if (policies.empty()) return {};
  PriorityRange all = facts(policies.front().profile).priorities;
  for (const Policy& policy : policies) {
    const PriorityRange own = facts(policy.profile).priorities;
    all = {std::min(all.min, own.min), std::max(all.max, own.max)};
  }
  return all;
}

const Policy* policy_of(const Model& model, const GroupRow& group, const PolicySet& policies) {
  if (group.policy != kNoName) return policies.find(model.name(group.policy));
  if (const Policy* usual = policies.find("default")) return usual;
  return policies.policies.size() == 1 ? &policies.policies.front() : nullptr;
}

}  // namespace cede
