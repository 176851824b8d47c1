// SPDX-License-Identifier: MIT
// Rules that are wrong on purpose. packaging/mutate copies this file into lib/policy of a copy of the tree,
// where policy/rule.h includes it after the kinds of rules; nothing else uses it. The environment variable
// CEDE_MUTANT chooses one rule and what is wrong with it, as `lax:LowerClass` or `strict:off`.
//
// What is asked per unit is wrong for every other job only: a check has to notice more than a rule that is
// not there at all.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdlib>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <typeinfo>

namespace cede::mutant {

inline bool is_chosen(std::string_view kind, std::string_view rule) {
  static const char* const chosen = std::getenv("CEDE_MUTANT");
  return chosen && chosen == std::string(kind) + ":" + std::string(rule);
}

// Whether a rule of this class is wrong in this way.
template <class Rule>
bool is_chosen(std::string_view kind) {
  std::string_view name = typeid(Rule).name();  // N4cede10LowerClassE
  name.remove_prefix(name.find_first_not_of("N0123456789") + std::string_view("cede").size());
  name.remove_prefix(name.find_first_not_of("0123456789"));
  name.remove_suffix(1);
  return is_chosen(kind, name);
}

inline bool is_concerned(const Unit& unit) { return unit.job.value % 2 == 1; }

// The decision of a rule that is no class: whether it refuses.
inline bool refuses(std::string_view rule, bool right) {
  if (is_chosen("lax", rule)) return false;
  return right || is_chosen("strict", rule);
}

template <class Verdict>
std::optional<Verdict> refuses(std::string_view rule, std::optional<Verdict> right) {
  if (is_chosen("lax", rule)) return std::nullopt;
  if (!right && is_chosen("strict", rule)) return Verdict::wait(rule, "");
  return right;
}

template <class OneNode>
OneNode one_node(OneNode right) {
  if (is_chosen("lax", "one-node")) return OneNode::anywhere;
  return is_chosen("strict", "one-node") ? OneNode::all_victims : right;
}

// The relief of a node: the step from which a unit may be taken, and the step whose caps are kept.
inline ReliefStep taken_from(std::string_view rule, ReliefStep right) {
  if (right == ReliefStep::never) return right;
  if (is_chosen("lax", rule)) return ReliefStep::every_rule;
  return is_chosen("strict", rule) ? ReliefStep::guarantees : right;
}
inline ReliefStep caps_kept_at(std::string_view rule, ReliefStep right) {
  if (is_chosen("lax", rule)) return ReliefStep::guarantees;
  return is_chosen("strict", rule) ? ReliefStep::every_rule : right;
}

inline std::int64_t counts(std::string_view measure, std::int64_t right) {
  return right + (is_chosen("miscount", measure) ? 1 : 0);
}

template <class Rule>
class Mutant;

template <std::derived_from<Trigger> Rule>
class Mutant<Rule> final : public Rule {
 public:
  using Rule::Rule;
  bool refuses(std::string* why) const override {
    static const bool lax = is_chosen<Rule>("lax");
    static const bool strict = is_chosen<Rule>("strict");
    return !lax && (strict || Rule::refuses(why));
  }
};

template <std::derived_from<EligibilityRule> Rule>
class Mutant<Rule> final : public Rule {
 public:
  using Rule::Rule;
  bool excludes(const Unit& unit, std::string* why) const override {
    return is_wrong(unit) ? is_strict() : Rule::excludes(unit, why);
  }
  bool excludes_row(const UnitRow& row) const override {
    return is_wrong(row.unit) ? is_strict() : Rule::excludes_row(row);
  }
  bool may_exclude() const override { return is_strict() || Rule::may_exclude(); }

 private:
  static bool is_strict() {
    static const bool strict = is_chosen<Rule>("strict");
    return strict;
  }
  static bool is_wrong(const Unit& unit) {
    static const bool wrong = is_strict() || is_chosen<Rule>("lax");
    return wrong && is_concerned(unit);
  }
};

template <std::derived_from<Cap> Rule>
class Mutant<Rule> final : public Rule {
 public:
  using Rule::Rule;
  bool breaks(std::span<const Unit* const> victims, std::string* why) const override {
    if (is_lax()) return false;
    return Rule::breaks(victims, why) ||
           (is_strict() && std::any_of(victims.begin(), victims.end(),
                                       [](const Unit* unit) { return is_concerned(*unit); }));
  }
  bool may_break() const override { return is_strict() || Rule::may_break(); }
  std::optional<Total> most_freed(std::span<const Unit* const> candidates,
                                  std::uint32_t resource) const override {
    return is_lax() ? std::nullopt : Rule::most_freed(candidates, resource);
  }

 private:
  static bool is_lax() {
    static const bool lax = is_chosen<Rule>("lax");
    return lax;
  }
  static bool is_strict() {
    static const bool strict = is_chosen<Rule>("strict");
    return strict;
  }
};

template <std::derived_from<Measure> Rule>
class Mutant<Rule> final : public Rule {
 public:
  using Rule::Rule;
  std::int64_t of(const Unit& unit) const override {
    static const bool wrong = is_chosen<Rule>("miscount");
    return Rule::of(unit) + (wrong && is_concerned(unit) ? 1 : 0);
  }
};

}  // namespace cede::mutant
