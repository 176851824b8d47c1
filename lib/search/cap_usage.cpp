// SPDX-License-Identifier: MIT
#include "search/cap_usage.h"

#include <algorithm>

namespace cede {

CapLimits::CapLimits(std::span<const Cap* const> caps, std::span<const Unit* const> candidates)
    : first_(candidates.size() + 1, 0) {
  std::vector<LinearLimit> limits;
  for (const Cap* cap : caps) {
    for (LinearLimit& limit : cap->linear_limits(candidates)) {
      Total sum = 0;
      for (const LinearLimit::Taken& each : limit.taken) sum += each.amount;
      if (sum > limit.most) limits.push_back(std::move(limit));  // the others limit nothing
    }
  }
  for (const LinearLimit& limit : limits) {
    most_.push_back(limit.most);
    for (const LinearLimit::Taken& each : limit.taken) ++first_[each.candidate + 1];
  }
  for (std::size_t i = 0; i < candidates.size(); ++i) first_[i + 1] += first_[i];
  shares_.resize(first_.back());
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  for (std::uint32_t i = 0; i < limits.size(); ++i) {
    for (const LinearLimit::Taken& each : limits[i].taken) shares_[next[each.candidate]++] = {i, each.amount};
  }
}

bool CapUsage::fits(Index candidate) const {
  const std::span<const CapLimits::Share> shares = limits_->shares(candidate);
  return std::all_of(shares.begin(), shares.end(), [&](const CapLimits::Share& share) {
    return taken_[share.limit] + share.amount <= limits_->most(share.limit);
  });
}

std::size_t CapUsage::first_exceeded() const {
  std::uint32_t limit = 0;
  while (limit < taken_.size() && taken_[limit] <= limits_->most(limit)) ++limit;
  return limit;
}

void CapUsage::change(Index candidate, int sign) {
  for (const CapLimits::Share& share : limits_->shares(candidate)) taken_[share.limit] += sign * share.amount;
}

}  // namespace cede
