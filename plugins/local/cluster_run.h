// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "job_run.h"
#include "scenario.h"

namespace local {

enum class EventPhase : std::uint8_t {
  coming,
  refused,   // its time has come, but the library does not take the change yet
  happened,  // also the end of a claim
  asking,    // a claim without an entry
  leaving,   // a claim whose entry is in flight
  ready,     // a claim whose nodes are free
};

// The state of one event.
struct EventRun {
  explicit EventRun(const EventSpec& event) : spec(&event) {}

  const EventSpec* spec;
  EventPhase phase = EventPhase::coming;
  std::uint64_t entry = 0;    // of a claim
  std::int64_t ready = 0;     // when the nodes of a claim were free; 0: not yet
  std::uint32_t victims = 0;  // of a claim
  std::string rule{};         // why nothing comes of it at present
  std::string reason{};

  bool is_claim() const { return spec->kind == EventSpec::Kind::claim; }
  bool is_open_claim() const { return phase >= EventPhase::asking; }
};

// Whether both change the same thing. Whether a node is up does not depend on what it has.
bool change_the_same(const EventSpec& a, const EventSpec& b);

// Something that is, or was, to be brought within its limits.
struct ReliefRun {
  std::string target;  // `node:n1`
  std::string group;   // only of a queue
  bool partial = false;
  std::uint64_t entry = 0;    // of the last plan
  std::uint32_t plans = 0;    // committed
  std::uint32_t victims = 0;  // of all plans
  bool over = false;          // it was over its limit when last asked
  std::string rule{};         // why nobody leaves at present
  std::string reason{};
};

// Nodes and queues as the events have changed them.
class ClusterRun {
 public:
  explicit ClusterRun(const Scenario& scenario);

  // Everything that these events change, from the beginning: those that have happened and, if `due` is
  // not NULL, those that were refused and change the same as that one.
  void apply(const std::vector<EventRun>& events, const EventSpec* due, std::vector<JobRun>& jobs);

  bool is_down(const std::string& node) const;
  std::string node_json(const std::string& id) const;
  std::string queue_json(const std::string& id) const;
  // The members `nodes` and `queues` of a cluster document.
  std::string members() const;
  // The queue and those above it.
  std::vector<std::string> path_of(const std::string& queue) const;

 private:
  struct NodeRun {
    const NodeSpec* spec;
    Amounts resources{};
    std::string_view state{};
  };
  struct QueueRun {
    const QueueSpec* spec;
    Amounts max{};
  };

  static std::string json(const NodeRun& node);
  static std::string json(const QueueRun& queue);
  void change(const EventSpec& event, std::vector<JobRun>& jobs);

  std::vector<NodeRun> nodes_;
  std::vector<QueueRun> queues_;
};

}  // namespace local
