// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "cede/cede.h"
#include "model/plan.h"
#include "sequence/victim.h"

namespace cede::capi {

// Words of plans that the header numbers, from 1. A word that is not here has the number 0.
inline constexpr std::array<std::string_view, 9> kCauses{"priority",      "reclaim",    "sensitive",
                                                         "quota",         "starvation", "guarantee",
                                                         "required-node", "overcommit", "limit"};
static_assert(CEDE_CAUSE_PRIORITY == 1 && CEDE_CAUSE_LIMIT == static_cast<int>(kCauses.size()));

inline constexpr std::array<std::string_view, 6> kCostParts{"checkpoint", "recompute", "walltime",
                                                            "overhead",   "lost-work", "borrowed_discount"};
static_assert(CEDE_COST_CHECKPOINT == 1 &&
              CEDE_COST_BORROWED_DISCOUNT == static_cast<int>(kCostParts.size()));

template <std::size_t kSize>
std::int32_t number_of_word(const std::array<std::string_view, kSize>& words, std::string_view word) {
  const auto found = std::find(words.begin(), words.end(), word);
  return found == words.end() ? 0 : static_cast<std::int32_t>(found - words.begin()) + 1;
}

inline std::int32_t cause_number(std::string_view cause) { return number_of_word(kCauses, cause); }
inline std::int32_t cost_kind(std::string_view part) { return number_of_word(kCostParts, part); }

inline std::int32_t purpose_number(Purpose purpose) {
  switch (purpose) {
    case Purpose::job: return CEDE_FOR_JOB;
    case Purpose::relief_node: return CEDE_FOR_NODE;
    case Purpose::relief_queue: return CEDE_FOR_QUEUE;
    case Purpose::relief_job: return CEDE_FOR_JOB_MAX;
    case Purpose::reclaim: return CEDE_FOR_RECLAIM;
    case Purpose::sensitive_claim: return CEDE_FOR_SENSITIVE;
  }
  return 0;
}

inline std::int32_t how_number(ExitResult how) {
  switch (how) {
    case ExitResult::none: break;
    case ExitResult::completed: return CEDE_HOW_COMPLETED;
    case ExitResult::saved: return CEDE_HOW_SAVED;
    case ExitResult::terminated: return CEDE_HOW_TERMINATED;
    case ExitResult::failed:
    case ExitResult::lost: return CEDE_HOW_FAILED;
  }
  return 0;
}

}  // namespace cede::capi
