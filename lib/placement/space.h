// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/work.h"
#include "placement/node_table.h"
#include "policy/rule_context.h"

namespace cede {

// Free space of a group by node, with the resources that the group counts and the usage of every queue. A
// search tries sets of victims by removing tasks and putting them back. The node table underneath never
// changes: only nodes with moved tasks are copied.
class Space {
 public:
  using Fill = NodeTable::Fill;
  // `work`: the budget for everything done in this space; null: unlimited.
  Space(const RuleContext& rule_context, const NodeTable& table, Fill fill = Fill::as_it_is,
        Work* work = nullptr);
  // With a node table of its own.
  explicit Space(const RuleContext& rule_context, Fill fill = Fill::as_it_is);
  Space(const Space&) = delete;
  Space& operator=(const Space&) = delete;

  const Model& model() const { return model_; }
  const RuleContext& rule_context() const { return context_; }
  const NodeTable& table() const { return table_; }
  Work& work() const { return work_; }
  // Nodes are numbered in the byte order of their names.
  std::size_t size() const { return base_.size(); }
  const NodeSpace& node(std::size_t index) const {
    const std::uint32_t own = own_.empty() ? 0 : own_[index];
    return own == 0 ? base_[index] : moved_[own - 1]->space;
  }
  // The number of the node; kNoValue outside the group.
  std::uint32_t index_of(NodeId node) const { return table_.index_of(node); }
  // The free amount of a resource on all nodes together, usable or not; nullopt if a task was moved.
  std::optional<Total> free_on_nodes(std::uint32_t resource) const {
    if (!moved_.empty()) return std::nullopt;
    return table_.free_on_nodes(held_by_all_ ? Fill::as_it_is : Fill::empty, resource);
  }
  // Whether the request may use the node. A node that is kept as a whole for another request stays closed,
  // whichever units leave it.
  bool usable(std::size_t index) const {
    return usable_[index] != 0 && (closed_.empty() || closed_[index] == 0);
  }
  std::vector<std::uint8_t>& usable() { return usable_; }

  void release(TaskId task);
  void take(TaskId task);
  // The same for the task's space alone: the usage of its queue does not change.
  void vacate(TaskId task) { move(task, -1); }
  void occupy(TaskId task) { move(task, 1); }
  // Whether the task still holds its resources.
  bool holds(TaskId task) const { return held_by_all_ && !gone_[task.value]; }

  // What is left of a resource that the group counts.
  Total group_free(std::uint32_t resource) const { return group_free_[resource]; }
  bool counted_by_group(std::uint32_t resource) const { return table_.counted_by_group(resource); }
  // What the subtree of every queue uses in this group.
  const GroupUsage& usage() const { return usage_ ? *usage_ : context_.usage; }

 private:
  // `made` or `table` is given.
  Space(const RuleContext& rule_context, std::unique_ptr<const NodeTable> made, const NodeTable* table,
        Fill fill, Work* work);
  struct Moved {
    NodeSpace space;
    std::vector<Total> free;
  };
  // Space that a decision in flight blocks. It is unblocked and blocked again together with the first task of
  // its hold.
  struct Kept {
    TaskId with;  // none: always blocked
    std::uint32_t node = ResourceId::kNoValue;
    std::vector<ResourceAmount> amounts;
    DeviceMask gpus = 0;
    std::vector<DeviceShare> shares;
    std::uint32_t unknown = 0;
    bool closes_node = false;
    bool active = false;  // blocked now
  };
  void move(TaskId task, int sign);
  // The entry whose hold belongs to the task, if its victims still hold room in queues; 0: none.
  std::uint64_t surplus_with(TaskId task) const;
  void block_what_is_kept();
  void mark_surplus_room();
  void mark_hold(TaskId task, int sign);
  void block(Kept& kept, int sign);
  DeviceMask kept_by_others(const Kept& kept) const;
  NodeSpace& own(std::size_t index);
  GroupUsage& own_usage();
  bool is_fixed_job(TaskId task);

  const RuleContext& context_;
  const Model& model_;
  const std::unique_ptr<const NodeTable> made_;
  const NodeTable& table_;
  const std::span<const NodeSpace> base_;
  const bool held_by_all_;
  const std::unique_ptr<Work> own_work_;
  Work& work_;
  std::vector<std::uint32_t> own_;  // by node: position in moved_ + 1; empty if no task was moved
  std::vector<std::unique_ptr<Moved>> moved_;
  std::vector<std::uint8_t> usable_;
  std::optional<GroupUsage> usage_;
  JobId last_job_;  // last argument of is_fixed_job()
  bool last_is_fixed_ = false;
  std::vector<Total> group_free_;
  std::vector<bool> gone_;  // by task row
  std::vector<Kept> kept_;
  std::vector<std::uint16_t> closed_;  // by node: number of entries that keep it as a whole; empty: none
};

}  // namespace cede
