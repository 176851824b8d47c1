// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/time.h"
#include "model/ids.h"
#include "model/in_flight.h"
#include "model/model.h"

namespace cede {

struct PolicySet;

enum class Outcome : std::uint8_t { fits, preempt, wait, in_progress, impossible };
inline constexpr std::array<std::string_view, 5> kOutcomes{"fits", "preempt", "wait", "in-progress",
                                                           "impossible"};

enum class VictimAction : std::uint8_t { checkpoint, suspend, terminate, soft_evict, signal_first };
inline constexpr std::array<std::string_view, 5> kVictimActions{"checkpoint", "suspend", "terminate",
                                                                "soft-evict", "signal-first"};

// Why preemption is needed: for a waiting job; because a node, queue or job is over its limit; or because a
// queue claims nodes.
enum class Purpose : std::uint8_t { job, relief_node, relief_queue, relief_job, reclaim, sensitive_claim };

// Nodes that the caller rules out. They are terms of the query: a plan keeps them, and they also apply at the
// commit.
struct NodeTerms {
  std::vector<NodeId> avoid;  // not to be used; sorted
  std::vector<NodeId> only;   // if not empty, no other node may be used; sorted

  bool empty() const { return avoid.empty() && only.empty(); }
  bool allow(NodeId node) const {
    return !std::binary_search(avoid.begin(), avoid.end(), node) &&
           (only.empty() || std::binary_search(only.begin(), only.end(), node));
  }
};

// The subject of a plan.
struct Subject {
  Purpose purpose = Purpose::job;
  JobId job;      // the waiting job, or the job over its `max`
  QueueId queue;  // the job's queue, the queue over its `max`, or the claiming queue
  NodeId node;    // the node over its capacity
  GroupId group;
  std::vector<NodeId> claimed;  // sorted by name

  bool is_relief() const {
    return purpose == Purpose::relief_node || purpose == Purpose::relief_queue ||
           purpose == Purpose::relief_job;
  }
  bool is_claim() const { return purpose == Purpose::reclaim || purpose == Purpose::sensitive_claim; }
};

// One criterion of the list that compares two sets of victims; the smaller list wins. A criterion is a
// number, counts of values compared from the highest value down, or start times compared one by one.
struct Criterion {
  enum class Kind : std::uint8_t { number, counts, times };
  std::string_view name;
  Kind kind = Kind::number;
  std::int64_t number = 0;
  std::vector<std::pair<std::int64_t, std::int64_t>> counts;  // value and count, highest value first
  std::vector<Time> times;                                    // in the order of comparison
  bool later_wins = false;                                    // for times

  static Criterion of_number(std::string_view name, std::int64_t number);
  static Criterion of_counts(std::string_view name, std::vector<std::int64_t> values);
  // Oldest first if the older set wins, newest first if the newer set wins.
  static Criterion of_times(std::string_view name, std::vector<Time> times, bool later_wins);
  // The set whose oldest victim started last wins, then the next oldest.
  static Criterion of_younger(std::string_view name, std::vector<Time> times);
};

std::strong_ordering compare(const Criterion& a, const Criterion& b);
std::strong_ordering compare(const std::vector<Criterion>& a, const std::vector<Criterion>& b);

// One part of a victim's cost, in thousandths.
struct CostPart {
  std::string_view name;
  std::int64_t value = 0;
};

// One victim job with all its chosen tasks.
struct PlannedVictim {
  JobId job;
  std::vector<TaskId> tasks;  // in the job's order
  bool whole_job = false;     // no placed task of it stays
  std::uint64_t hold = 0;     // the victim is the hold of this entry for the job, not the job itself
  VictimAction action = VictimAction::terminate;
  // If the action is checkpoint: what follows once it is written, and what follows if it is not. Otherwise
  // both are the action.
  VictimAction then = VictimAction::terminate;
  VictimAction unsaved = VictimAction::terminate;
  bool requeue = false;
  std::int64_t cost = 0;
  std::vector<CostPart> cost_parts;
};

// The place of one waiting task.
struct PlannedTask {
  TaskId task;              // its row
  std::uint32_t index = 0;  // among the row's `count`
  NodeId node;
  DeviceMask gpus = 0;  // whole devices
  std::uint32_t share_device = kMaxDevices;
  std::uint32_t share = 0;    // in thousandths of share_device
  bool devices_known = true;  // false: the number is known, the devices are not

  bool operator==(const PlannedTask&) const = default;
};

// Why a unit was not taken: the first rule that excluded it and the compared values.
struct Exclusion {
  JobId job;
  std::vector<TaskId> tasks;
  bool whole_job = false;
  std::string_view rule;
  std::string values;
};

// Another sufficient set of victims, and the criterion by which it was worse.
struct Alternative {
  std::vector<std::string> victims;
  std::int64_t cost = 0;
  std::string worse;          // the criterion that decided against it
  std::size_t criterion = 0;  // its position in the objective; past the end: only names decided
  Criterion value;            // of this set
};

// What people ask about a victim first; computed on demand, with the explanation.
struct VictimFacts {
  Time since = kNoTime;        // of its tasks, the earliest start of the current run
  Total gpus = 0;              // held by the chosen tasks, in thousandths
  std::int64_t lost_work = 0;  // in thousandths of a GPU-minute
};

// The place where a request that was refused comes nearest to fitting, once every unit that may be taken is
// gone; what is missing there, and what would have to change.
struct NearestMiss {
  struct Blocker {
    JobId job;
    std::vector<TaskId> tasks;
    NodeId node;  // of the first of these tasks in the place
    std::string_view rule;
    std::string values;
  };
  std::string place;                 // `leaf 'leaf-a'`; empty: what is missing is no space
  std::string missing;               // `it has 15 of 16 gpu`
  std::vector<Blocker> blockers;     // those whose leaving would help most
  std::uint64_t blocked = 0;         // how many there are in all
  std::vector<std::string> changes;  // each is enough; the cheapest first
};

// The immutable answer to one query. It keeps the model it was made on, so that it can be explained and
// verified later.
struct Plan {
  std::shared_ptr<const Model> snapshot;      // null only until a decision sets it
  std::shared_ptr<const InFlight> in_flight;  // never null
  Allowance allowance;
  std::uint64_t revision = 0;
  Time now = 0;
  Subject subject;
  std::string policy;
  std::string profile;
  std::string cause;
  Outcome outcome = Outcome::wait;
  std::string rule;  // empty if the outcome is preempt
  std::string reason;
  std::vector<PlannedVictim> victims;  // by name, holds last
  // The requesters of the entries that the plan counts on: it uses surplus room of the entry or takes its
  // hold.
  std::vector<JobId> after;
  std::vector<PlannedTask> placement;
  std::vector<Criterion> objective;  // the criteria that documents show
  std::uint32_t proven = 0;          // how many leading criteria are proven best
  std::int64_t cost = 0;             // in thousandths
  std::int64_t bound = 0;
  bool priced = false;  // the objective leads with the cost; otherwise it is for information, and unbounded
  bool optimal = false;
  // If not optimal: of the first criterion that is not proven, no set that equals this one in those before it
  // has a better value.
  std::optional<Criterion> gap_bound;
  bool partial = false;  // relief: reduced as far as possible and still over the limit
  Time expected_start = kNoTime;
  Time latest_start = kNoTime;
  std::uint64_t units = 0;

  std::vector<std::string> topology_met;     // met entries of the requirement
  std::vector<std::string> topology_missed;  // missed preferences

  std::vector<Exclusion> exclusions;
  std::vector<Exclusion> not_needed;  // eligible but not needed
  // With many units, `exclusions` and `not_needed` are computed on demand (explain_units) from the inputs of
  // the query.
  bool units_explained = true;
  std::shared_ptr<const PolicySet> policies;  // that the plan was made by
  std::vector<VictimFacts> victim_facts;      // by victim; computed on demand (explain_plan)
  std::optional<NearestMiss> nearest_miss;    // of a no; likewise
  // Terms of the query.
  std::vector<JobId> protect;  // sorted
  NodeTerms avoid;
  // Made in a batch, as if the earlier plans were committed. The commit does not check again whether
  // preemption is needed.
  bool in_batch = false;
  std::vector<Alternative> alternatives;
  std::uint64_t work = 0;   // of the search, in the units of base/work.h
  std::uint64_t spent = 0;  // of the whole query; it depends on caches, so no document shows it

  const Model& model() const { return *snapshot; }
};

}  // namespace cede
