// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace cede {

// Counted work: what one query may spend before it answers with what it has found. One unit is about ten
// nanoseconds of one core, so a limit bounds time without reading a clock, and equal queries stop at the same
// point on every machine. Not thread-safe: each thread has its own, added up afterwards.
class Work {
 public:
  static constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();

  explicit Work(std::uint64_t limit = kUnlimited) : limit_(limit) {}

  // Counts the units; false if the limit is passed. The caller may still do the work if it is little.
  bool spend(std::uint64_t units = 1) {
    spent_ += units;
    return spent_ <= limit_;
  }
  bool ended() const { return spent_ > limit_; }
  std::uint64_t spent() const { return spent_; }
  std::uint64_t left() const { return ended() ? 0 : limit_ - spent_; }

  // A search that answers no without having tried everything must call this. A no is proven only if the count
  // has not changed since the search began.
  void leave_open() { ++left_open_; }
  std::uint64_t left_open() const { return left_open_; }

  // Adds work that was done elsewhere for the same query.
  void add(const Work& other) {
    spent_ += other.spent_;
    left_open_ += other.left_open_;
  }

 private:
  friend class WorkShare;
  std::uint64_t limit_;
  std::uint64_t spent_ = 0;
  std::uint64_t left_open_ = 0;
};

// The recursion limit of every search, because the stack is limited.
inline constexpr std::size_t kDeepest = 4096;

// Limits a part of a query to a share of its work during the lifetime of this object.
class WorkShare {
 public:
  WorkShare(Work& work, std::uint64_t most) : work_(work), before_(work.limit_) {
    const std::uint64_t end = most > Work::kUnlimited - work.spent_ ? Work::kUnlimited : work.spent_ + most;
    work.limit_ = std::min(work.limit_, end);
  }
  ~WorkShare() { work_.limit_ = before_; }
  WorkShare(const WorkShare&) = delete;
  WorkShare& operator=(const WorkShare&) = delete;

 private:
  Work& work_;
  const std::uint64_t before_;
};

}  // namespace cede
