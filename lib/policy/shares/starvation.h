// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "policy/shares/fair_share_tree.h"

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

}  // namespace cede
