// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "policy/rule.h"

namespace cede {

// A remedy says what to change so that a rule is out of the way, as an order to a person: `raise the class of
// 'train' from 5 to 8`. Empty: no single change does it.

// So that this eligibility rule no longer excludes the unit. `alone`: a change of the unit's own job will do,
// too; else only one that also serves other units.
std::string unit_remedy(const RuleContext& rule_context, std::string_view rule, const Unit& unit,
                        bool alone = true);

// So that this trigger no longer refuses the request. `alone`: with other ways to the same end.
std::string trigger_remedy(const RuleContext& rule_context, std::string_view trigger, bool alone = true);

// So that the cap, which these victims break, allows them.
std::string cap_remedy(const RuleContext& rule_context, const Cap& cap, std::span<const Unit* const> victims);

// So that every `max` on the request's path admits it on top of this usage.
std::string limit_remedy(const RuleContext& rule_context, const GroupUsage& usage);

}  // namespace cede
