// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <initializer_list>

namespace cede {

// What a rule's answer about a unit may depend on. Settings, the terms of the request (its queue, priority,
// class, kind, owners, amounts and requirement) and the unit's own job and nodes are always inputs and are
// not listed.
enum class Dependency : std::uint8_t {
  node_in_flight,  // what is in flight on the unit's nodes
  capacity,        // the total capacity of the group's nodes
  time_worsens,    // time, one way: as it passes, fewer units are eligible, or units cost more
  time,            // time, either way
  in_flight,       // what is in flight on other nodes
  queue_usage,     // what the queues use
  other_nodes,
  running_jobs,  // jobs other than the unit's own
  waiting_jobs,
  requester,  // the requesting job itself: its name, its value
  query,      // terms of the query: protected jobs, what the storm limits leave
};

// A set of dependencies. Caches check it before they reuse an answer.
class Dependencies {
 public:
  constexpr Dependencies() = default;
  constexpr Dependencies(std::initializer_list<Dependency> list) {
    for (const Dependency each : list) bits_ |= std::uint32_t{1} << static_cast<unsigned>(each);
  }
  // Includes dependencies that have no name yet.
  static constexpr Dependencies everything() {
    Dependencies all;
    all.bits_ = ~std::uint32_t{0};
    return all;
  }

  constexpr Dependencies operator|(Dependencies other) const {
    other.bits_ |= bits_;
    return other;
  }
  constexpr bool has(Dependency one) const { return (bits_ & Dependencies{one}.bits_) != 0; }
  // Whether the set contains nothing but these.
  constexpr bool within(Dependencies allowed) const { return (bits_ & ~allowed.bits_) == 0; }
  bool operator==(const Dependencies&) const = default;

 private:
  std::uint32_t bits_ = 0;
};

}  // namespace cede
