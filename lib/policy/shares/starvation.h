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

// How patient a job is: its queue's settings, or its own where they are more patient.
struct StarvationTerms {
  Duration timeout = 0;
  Duration aggressive_timeout = 0;
  std::int64_t tolerance = kWhole;  // billionths
  bool aggressive = false;          // whether it may become aggressively starving at all
};

StarvationTerms starvation_terms(const EffectiveSettings& effective, JobId job);

// Below: the usage share is less than the fair share × tolerance, and than the demand. No tolerance where the
// fair share covers the whole demand.
ShareStatus share_status(const JobShares& standing, std::int64_t tolerance);

// When the job fell below its share, told after a new look at it: cleared at once when it is not below, else
// what is known already, else now.
constexpr Time below_since(ShareStatus status, Time known, Time now) {
  if (status == ShareStatus::normal) return kNoTime;
  return known == kNoTime ? now : known;
}

// A job starves when it has been below for longer than its timeout. Without `below_since` it has only just
// been found so.
Starvation starvation(ShareStatus status, Time below_since, Time now, const StarvationTerms& terms);

}  // namespace cede
