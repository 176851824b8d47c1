// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <initializer_list>

namespace cede {

// What a rule's answer about a unit may depend on, besides the settings, the terms of the request (its queue,
// priority, class, kind, owners, amounts and requirement) and the unit's own job and nodes.
enum class Dependency : std::uint8_t {
  node_in_flight,  // what is in flight on the unit's nodes
  capacity,        // what the nodes of the group have together
  time_worsens,    // the time in one direction: as it passes, fewer units may go, or they cost more
  time,            // the time in any direction
  in_flight,       // what is in flight elsewhere
  queue_usage,     // what the queues use
  other_nodes,
  running_jobs,  // others than the unit's own
  waiting_jobs,
  requester,  // the requesting job itself: its name, its value
  query,      // what comes with the question: protected jobs, what the storm limits leave
};

// A set of them. Caches ask for it before they use an answer again.
class Dependencies {
 public:
  constexpr Dependencies() = default;
  constexpr Dependencies(std::initializer_list<Dependency> list) {
    for (const Dependency each : list) bits_ |= std::uint32_t{1} << static_cast<unsigned>(each);
  }
  // Also what nobody has given a name yet.
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
  // Whether there is nothing in it but these.
  constexpr bool within(Dependencies allowed) const { return (bits_ & ~allowed.bits_) == 0; }
  bool operator==(const Dependencies&) const = default;

 private:
  std::uint32_t bits_ = 0;
};

}  // namespace cede
