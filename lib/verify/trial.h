// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "verify/plan_facts.h"

namespace cede {

// Whether a plan's request would fit with other tasks gone. It tries assignments of tasks to nodes and only
// counts devices. It answers yes only if that is certain, so it does not judge requests with entries about
// devices, and it tries at most a fixed number of assignments.
class Trial {
 public:
  // Every set passed to fits() must be a subset of `may_go`.
  Trial(const PlanFacts& facts, const TaskSet& may_go);
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;

  static bool can_judge(const PlanFacts& facts);
  bool fits(const TaskSet& gone);

 private:
  std::vector<std::vector<NodeId>> taking(const std::vector<NodeId>& nodes);
  bool place_from(std::size_t task);
  void place(std::size_t task, NodeId node);

  Plan plan_;
  PlanFacts facts_;
  std::vector<NodeId> touched_;                 // nodes with tasks of may_go
  std::vector<std::vector<NodeId>> untouched_;  // by task: other nodes that can take it alone
  std::vector<std::vector<NodeId>> nodes_;      // by task: all nodes that can take it alone
  std::size_t left_ = 0;
  std::size_t total_;
};

}  // namespace cede
