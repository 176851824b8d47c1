// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "policy/rule.h"
#include "search/needs.h"

namespace cede {

// Brings a target that is over its limit down as far as the caps allow, unit by unit in a given order.
// Without any one of the chosen units, some resource would be further over. The chosen units are removed from
// the space.
class PartialRelief {
 public:
  PartialRelief(Space& space, const ReliefNeeds& needs, const RuleList<Cap>& caps)
      : space_(space), needs_(needs), caps_(caps), over_(needs.excesses(space)) {}

  // A unit that a cap keeps, and what the cap says.
  struct Kept {
    const Unit* unit;
    std::string_view cap;
    std::string why;
  };

  void take(std::span<const Unit* const> order);
  const std::vector<const Unit*>& chosen() const { return chosen_; }
  const std::vector<Kept>& kept() const { return kept_; }

 private:
  void add(const Unit& unit);
  // Gives back units that are no longer needed, last added first. True if there were any.
  bool give_back();
  void remove(const Unit& unit);
  void put_back(const Unit& unit);
  bool is_allowed(const Unit& newest);

  Space& space_;
  const ReliefNeeds& needs_;
  const RuleList<Cap>& caps_;
  std::vector<ReliefNeeds::Excess> over_;
  std::vector<const Unit*> chosen_;
  std::vector<Kept> kept_;
};

}  // namespace cede
