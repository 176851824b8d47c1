// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "search/node_solver.h"

namespace cede {

// Which sets the caps forbade when the best set of each node was searched. A result stays right, or a bound,
// until a cap leaves room for such a set; then its node must be searched again.
class CapRecord {
 public:
  // Whether the record can follow the cap: its answers change only with what queues and jobs use.
  static bool follows(const Cap& cap) {
    return cap.depends_on().within({Dependency::queue_usage, Dependency::fair_shares});
  }

  void begin(std::size_t nodes);
  // Before a node is searched again.
  void forget(std::uint32_t node) { ++searched_[node]; }
  // The cap forbids a set on the node; nullopt: not by one limit.
  void add(std::uint32_t node, const Cap& cap, const std::optional<Cap::Excess>& excess);
  // The nodes that must be searched again under these caps as they are now, in no order and perhaps several
  // times. They are no longer recorded.
  std::vector<std::uint32_t> outdated(const CapList& caps);

 private:
  struct Forbidden {
    Total taken = 0;
    std::uint32_t node = 0;
    std::uint32_t searched = 0;
    bool operator>(const Forbidden& other) const { return taken > other.taken; }
  };
  bool is_current(const Forbidden& each) const { return searched_[each.node] == each.searched; }
  void drop_outdated();

  std::vector<std::uint32_t> searched_;  // by node: how often
  // By cap and limit: a min-heap by what was taken; contains entries of earlier searches.
  std::map<std::pair<std::string_view, std::uint64_t>, std::vector<Forbidden>> by_limit_;
  std::vector<Forbidden> others_;  // forbidden by more than one limit
  std::size_t size_ = 0;           // of all lists, at most
  std::size_t most_ = 0;           // from this size on, entries of earlier searches are dropped
};

// A cap that remembers what it forbids.
class RecordedCap final : public Cap {
 public:
  RecordedCap(const RuleContext& rule_context, const Cap& cap) : Cap(rule_context), cap_(cap) {}
  std::string_view name() const override { return cap_.name(); }
  std::uint64_t work(std::span<const Unit* const> victims) const override { return cap_.work(victims); }
  bool breaks(std::span<const Unit* const> victims, std::string* why) const override;
  // Adds it to the record.
  void write(std::uint32_t node, CapRecord& record) const;

 private:
  const Cap& cap_;
  mutable std::vector<Excess> least_;  // by limit: the least that was too much
  mutable bool others_ = false;
};

}  // namespace cede
