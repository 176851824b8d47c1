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
#include "model/allowance.h"
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

// Why somebody has to give way: for a waiting job; because a node, queue or job is over its limit; or because
// a queue claims nodes.
enum class Purpose : std::uint8_t { job, relief_node, relief_queue, relief_job, reclaim, sensitive_claim };

// Nodes that whoever asked has ruled out. Terms of the question: a plan keeps them, and they hold at commit
// too.
struct NodeTerms {
  std::vector<NodeId> avoid;  // not to be used; sorted
  std::vector<NodeId> only;   // where any are given, no other is to be used; sorted

  bool empty() const { return avoid.empty() && only.empty(); }
  bool allow(NodeId node) const {
    return !std::binary_search(avoid.begin(), avoid.end(), node) &&
           (only.empty() || std::binary_search(only.begin(), only.end(), node));
  }
};

// What a plan is about.
struct Subject {
  Purpose purpose = Purpose::job;
  JobId job;      // that waits, or that is over its `max`
  QueueId queue;  // of the job; that is over its `max`; that claims
  NodeId node;    // that is over its capacity
  GroupId group;
  std::vector<NodeId> claimed;  // sorted by name

  bool is_relief() const {
    return purpose == Purpose::relief_node || purpose == Purpose::relief_queue ||
           purpose == Purpose::relief_job;
  }
  bool is_claim() const { return purpose == Purpose::reclaim || purpose == Purpose::sensitive_claim; }
};

// One entry of the list that decides between two sets of victims; the smaller list wins. A criterion is a
// number, counts of values compared from the highest value down, or start times compared one by one.
struct Criterion {
  enum class Kind : std::uint8_t { number, counts, times };
  std::string_view name;
  Kind kind = Kind::number;
  std::int64_t number = 0;
  std::vector<std::pair<std::int64_t, std::int64_t>> counts;  // value and how many, highest value first
  std::vector<Time> times;                                    // sorted the way they are compared
  bool later_wins = false;                                    // of times

  static Criterion of_number(std::string_view name, std::int64_t number);
  static Criterion of_counts(std::string_view name, std::vector<std::int64_t> values);
  // Oldest first where the older set wins, newest first where the newer one does.
  static Criterion of_times(std::string_view name, std::vector<Time> times, bool later_wins);
  // The set whose oldest victim started last wins, then the next oldest.
  static Criterion of_younger(std::string_view name, std::vector<Time> times);
};

std::strong_ordering compare(const Criterion& a, const Criterion& b);
std::strong_ordering compare(const std::vector<Criterion>& a, const std::vector<Criterion>& b);

// What a victim's price is made of, in thousandths.
struct CostPart {
  std::string_view name;
  std::int64_t value = 0;
};

// One victim job with all of its chosen tasks.
struct PlannedVictim {
  JobId job;
  std::vector<TaskId> tasks;  // in the job's own order
  bool whole_job = false;     // none of its placed tasks stays
  std::uint64_t hold = 0;     // not the job itself: the space kept for it by this entry
  VictimAction action = VictimAction::terminate;
  bool requeue = false;
  std::int64_t cost = 0;
  std::vector<CostPart> cost_parts;
};

// Where one waiting task goes.
struct PlannedTask {
  TaskId task;              // its row
  std::uint32_t index = 0;  // among the row's `count`
  NodeId node;
  DeviceMask gpus = 0;  // whole devices
  std::uint32_t share_device = kMaxDevices;
  std::uint32_t share = 0;    // in thousandths of share_device
  bool devices_known = true;  // false: how many is certain, which ones is not

  bool operator==(const PlannedTask&) const = default;
};

// Why a unit was not taken: the first rule that excluded it, with the values it compared.
struct Exclusion {
  JobId job;
  std::vector<TaskId> tasks;
  bool whole_job = false;
  std::string_view rule;
  std::string values;
};

// A set of victims that would have done too, and where it was worse.
struct Alternative {
  std::vector<std::string> victims;
  std::int64_t cost = 0;
  std::string worse;  // the criterion that decided against it
};

// The immutable answer to one request. Plain data; it keeps the model it was made on, so that it can be
// explained and verified later.
struct Plan {
  std::shared_ptr<const Model> snapshot;      // null only until a decision fills it in
  std::shared_ptr<const InFlight> in_flight;  // never null
  Allowance allowance;
  std::uint64_t revision = 0;
  Time now = 0;
  Subject subject;
  std::string policy;
  std::string profile;
  std::string cause;
  Outcome outcome = Outcome::wait;
  std::string rule;  // empty where the outcome is preempt
  std::string reason;
  std::vector<PlannedVictim> victims;  // by name, holds last
  // The requesters of entries that it counts on: their victims leave room that it uses, or it takes their
  // hold.
  std::vector<JobId> after;
  std::vector<PlannedTask> placement;
  std::vector<Criterion> objective;  // the entries documents show
  std::uint32_t proven = 0;          // how many leading ones are proven best
  std::int64_t cost = 0;             // in thousandths
  std::int64_t bound = 0;
  bool optimal = false;
  bool partial = false;  // relief: brought down as far as can be, and still over
  Time expected_start = kNoTime;
  Time latest_start = kNoTime;
  std::uint64_t units = 0;

  std::vector<std::string> topology_met;     // entries of the requirement
  std::vector<std::string> topology_missed;  // preferences

  std::vector<Exclusion> exclusions;
  std::vector<Exclusion> not_needed;  // eligible and not needed
  // Of many units these two are worked out when somebody asks (tell_units), from what the question was.
  bool units_told = true;
  std::shared_ptr<const PolicySet> policies;  // null where they are told
  // The question's terms.
  std::vector<JobId> protect;  // sorted
  NodeTerms avoid;
  // Made with others in one batch, as if those before it were committed: whether anybody has to give way at
  // all is not asked again at commit.
  bool in_batch = false;
  std::vector<Alternative> alternatives;
  std::uint64_t work = 0;   // of the search, in the units of base/work.h
  std::uint64_t spent = 0;  // on the whole question; depends on what was remembered, and is in no document

  const Model& model() const { return *snapshot; }
};

}  // namespace cede
