// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "policy/unit.h"

namespace cede {

// The running units of each job, at addresses that stay while the job has them. Most jobs are one unit, and
// those share pages; of any other job they lie in an array of its own, in the order they were made.
class UnitTable {
 public:
  UnitTable() = default;
  UnitTable(const UnitTable& other);
  UnitTable& operator=(const UnitTable&) = delete;

  std::span<Unit> of(JobId job);
  // For a job that has none.
  std::span<Unit> put(JobId job, std::vector<Unit> units);
  // The same where it is one, which is for the caller to fill in.
  Unit& put_one(JobId job) {
    if (job.value >= places_.size()) make_place(job);
    const std::uint32_t found = take_place();
    places_[job.value] = found + 1;
    return at(found);
  }
  // For jobs below this bound: none of them makes the table grow.
  void expect(std::size_t jobs) { places_.resize(std::max(jobs, places_.size()), 0); }
  void drop(JobId job);

  // Those of all jobs, job by job.
  template <class Visit>
  void for_each(Visit visit) {
    for (std::size_t i = 0; i < places_.size(); ++i) {
      for (Unit& unit : of(JobId{i})) visit(unit);
    }
  }

 private:
  static constexpr std::uint32_t kPageUnits = 64;
  using Page = std::array<Unit, kPageUnits>;

  Unit& at(std::uint32_t place) { return (*pages_[place / kPageUnits])[place % kPageUnits]; }
  std::uint32_t take_place() {
    if (free_ == 0) {
      if (fresh_ == pages_.size() * kPageUnits) pages_.push_back(std::make_unique<Page>());
      return fresh_++;
    }
    const std::uint32_t found = free_ - 1;
    free_ = at(found).slot;
    return found;
  }
  void make_place(JobId job);

  static constexpr std::uint32_t kSeveral = static_cast<std::uint32_t>(-1);
  std::vector<std::uint32_t> places_;  // by JobId, plus 1; 0: none
  std::vector<std::unique_ptr<Page>> pages_;
  std::uint32_t free_ = 0;   // the first place given back, plus 1; each tells the next one in its `slot`
  std::uint32_t fresh_ = 0;  // the first place that nobody ever had
  std::map<JobId, std::vector<Unit>> several_;
};

}  // namespace cede
