// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace cede {

// Counted work: what one question may do before it answers with what it has found. A unit stands for about
// ten nanoseconds of one core, so a limit bounds time without reading a clock, and equal questions stop at
// the same point on every machine. Not for two threads at once: each has its own, added up afterwards.
class Work {
 public:
  static constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();

  explicit Work(std::uint64_t limit = kUnlimited) : limit_(limit) {}

  // Counts; false where the limit is passed. What is counted may be done all the same if it is little.
  bool spend(std::uint64_t units = 1) {
    spent_ += units;
    return spent_ <= limit_;
  }
  bool ended() const { return spent_ > limit_; }
  std::uint64_t spent() const { return spent_; }
  std::uint64_t left() const { return ended() ? 0 : limit_ - spent_; }

  // Whoever answers no without having tried everything says so here; a no is proven only if nobody did
  // since the search began.
  void leave_open() { ++left_open_; }
  std::uint64_t left_open() const { return left_open_; }

  // What was done elsewhere for the same question.
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

// The deepest a search calls itself, whatever work it has: a stack is only so large.
inline constexpr std::size_t kDeepest = 4096;

// At most so much of a question's work for one part of it, as long as this is there.
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
