// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace local {

// A moment that another process can measure from, also after somebody has set the clock.
struct Timestamp {
  std::int64_t wall = 0;        // milliseconds since 1970
  std::int64_t since_boot = 0;  // milliseconds without those asleep; nobody can set them
  std::string boot;             // which boot; empty where the system does not tell

  static Timestamp now();
  // Milliseconds from `before` to this one, never below 0. Only across a boot it is the wall clock that
  // counts.
  std::int64_t since(const Timestamp& before) const;
};

// The scenario's time: it passes `speed` times as fast as the real one, and goes on while nobody looks. It is
// measured from the boot, so that setting the machine's clock does not move it; while the machine sleeps it
// stands still, as the jobs do.
class Clock {
 public:
  // `origin` is what the scenario called the beginning of the run, `passed` the real milliseconds since.
  Clock(std::int64_t origin, std::int64_t passed, double speed)
      : origin_(origin), speed_(speed), begun_(ticks() - passed) {}

  // Milliseconds since 1970 as the scenario has it.
  std::int64_t now() const { return origin_ + elapsed(); }
  // Since the run began.
  std::int64_t elapsed() const { return static_cast<std::int64_t>(static_cast<double>(passed()) * speed_); }
  // The same in real milliseconds.
  std::int64_t passed() const { return (paused_at_ ? *paused_at_ : ticks()) - begun_; }
  // From pause() to unpause() the scenario's time stands still.
  void pause() {
    if (!paused_at_) paused_at_ = ticks();
  }
  void unpause() {
    if (paused_at_) begun_ += ticks() - *paused_at_;
    paused_at_.reset();
  }
  std::int64_t origin() const { return origin_; }
  double speed() const { return speed_; }

  std::int64_t to_real(std::int64_t length) const {
    return static_cast<std::int64_t>(static_cast<double>(length) / speed_);
  }

  // Real milliseconds since some moment: only their differences mean something.
  static std::int64_t ticks();

 private:
  std::int64_t origin_;
  double speed_;
  std::int64_t begun_;  // in ticks
  std::optional<std::int64_t> paused_at_;
};

}  // namespace local
