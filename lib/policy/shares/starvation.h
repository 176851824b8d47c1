// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "model/in_flight.h"
#include "policy/shares/fair_share.h"
#include "policy/shares/fair_share_index.h"
#include "policy/shares/task_split.h"
#include "policy/unit.h"

namespace cede {

enum class ShareStatus : std::uint8_t { normal, below_fair_share };
inline constexpr std::array<std::string_view, 2> kShareStatuses{"normal", "below_fair_share"};

enum class Starvation : std::uint8_t { non_starving, starving, aggressively_starving };
inline constexpr std::array<std::string_view, 3> kStarvations{"non_starving", "starving",
                                                              "aggressively_starving"};

// How long a job waits before it starves: its queue's settings, or its own if they are more patient.
struct StarvationTerms {
  Duration timeout = 0;
  Duration aggressive_timeout = 0;
  std::int64_t tolerance = kWhole;  // billionths
  bool aggressive = false;          // whether the job may become aggressively starving at all
};

StarvationTerms starvation_terms(const EffectiveSettings& effective, JobId job);

// Below: the usage is less than fair share × tolerance and less than the demand. The tolerance does not apply
// if the fair share covers the whole demand.
ShareStatus share_status(const JobShares& shares, std::int64_t tolerance);

// Updates the time since which the job is below its share: cleared if it is not below, else the known time,
// else now.
constexpr Time below_since(ShareStatus status, Time known, Time now) {
  if (status == ShareStatus::normal) return kNoTime;
  return known == kNoTime ? now : known;
}

// A job starves if it has been below its share for longer than its timeout. Without `below_since` it was
// found below just now and does not starve.
Starvation starvation(ShareStatus status, Time below_since, Time now, const StarvationTerms& terms);

// Fair shares of one group at one moment, and what they mean for its jobs: which jobs starve, and which jobs
// may take which tasks. It must not outlive the model, and two threads must not use it at once, because
// splits are cached on first use.
class FairShareStatus {
 public:
  // `index`: of the same state; must outlive this object. If null, everything is computed for this object.
  FairShareStatus(const EffectiveSettings& effective, GroupId group, const InFlight& in_flight, Time now,
                  const FairShareIndex* index = nullptr);
  FairShareStatus(const FairShareStatus&) = delete;
  FairShareStatus& operator=(const FairShareStatus&) = delete;

  const FairShareTree& tree() const { return tree_; }
  const FairShares& shares() const { return shares_; }
  JobShares of(JobId job) const { return job_shares_of(tree_, shares_, job); }

  ShareStatus status(JobId job) const;
  // Since when the job is below its share: from the document, else from the engine. kNoTime: it was found
  // below just now.
  Time below_since(JobId job) const;
  Starvation starvation(JobId job) const;
  const std::vector<SplitTask>& split(JobId job) const;
  TaskTier tier(const Unit& unit) const {
    return index_ ? index_->tier(unit.tasks) : most_protected(split(unit.job), unit.tasks);
  }

 private:
  const EffectiveSettings& effective_;
  const InFlight& in_flight_;
  const Time now_;
  const FairShareIndex* const index_;
  const FairShareTree own_tree_;  // without an index
  const FairShares own_shares_;
  const FairShareTree& tree_;
  const FairShares& shares_;
  mutable std::map<std::uint32_t, std::vector<SplitTask>> splits_;
};

}  // namespace cede
