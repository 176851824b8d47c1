// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "policy/rule_context.h"

namespace cede {

// Whether a victim of one class gives way to a requester of another (`class_rule`).
class ClassOrder {
 public:
  explicit ClassOrder(const RuleContext& rule_context);
  // The lowest class that may take a victim of this class.
  int least_for(int victim_class) const;
  bool allows(int victim_class) const { return own_ >= least_for(victim_class); }
  int own() const { return own_; }

 private:
  const int own_;
  const bool by_bands_;
};

// Reclaim as a decision, in profile `class-cost`: a waiting job takes back nodes that are the home of its
// queue, or of a queue above it, from those who borrow them, whatever their class.
//
// A unit is *at home* if it borrows none of its nodes and at least one of them has a home. Closed loops come
// to rest because of two rules. A unit at home gives way only to a request that is at home afterwards. A
// request that takes back a node is at home afterwards as well. So the classes of what is at home only grow,
// and everything else follows from classes alone. Such victims therefore *bind* the request to its home: see
// binds() and may_use(). Without that, R (home a) takes V (home a) and one node of another home, Y takes R,
// V takes its node back from Y, and R takes V again.
class Reclaim {
 public:
  explicit Reclaim(const RuleContext& rule_context);

  // Whether the request may take back nodes: `reclaim` is auto, and its queue or one above is a home.
  bool applies() const { return applies_; }
  // Whether the unit borrows a home node of the requester.
  bool is_lent(const Unit& unit) const;
  // Whether the unit is eligible although the rule `class` spares it.
  bool takes_back(const Unit& unit) const;
  // Whether a plan with this victim uses only the nodes of may_use().
  bool binds(const Unit& unit) const;
  // Home nodes of the requester, and nodes without a home unless one of the jobs there runs on a home node as
  // well: the requester would take that job for its home node and could then run on the other one. If victims
  // can help a request without freeing room where it runs, only home nodes.
  bool may_use(NodeId node) const;

 private:
  bool is_home(NodeId node) const;
  bool is_at_home(const Unit& unit) const;
  bool any_help_elsewhere() const;

  const RuleContext& context_;
  const ClassOrder classes_;
  bool applies_ = false;
  bool binds_at_home_ = false;
  mutable std::optional<bool> home_only_;
};

}  // namespace cede
