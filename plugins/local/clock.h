// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace local {

// A time from which another process can measure, even if the wall clock was set in between.
struct Timestamp {
  std::int64_t wall = 0;        // milliseconds since 1970
  std::int64_t since_boot = 0;  // milliseconds, without time asleep; nobody can set this clock
  std::string boot;             // the id of the boot; empty if it is not known

  static Timestamp now();
  // Milliseconds from `before` to this one, never below 0. The wall clock is used only across a boot.
  std::int64_t since(const Timestamp& before) const;
};

// The scenario's time. It passes `speed` times as fast as real time, also while no manager runs. It is
// measured from the boot, so setting the machine's clock does not change it. It stands still while the
// machine sleeps, as the jobs do.
class Clock {
 public:
  // `origin` is the scenario's time at the beginning of the run, `passed` the real milliseconds since then.
  Clock(std::int64_t origin, std::int64_t passed, double speed)
      : origin_(origin), speed_(speed), begun_(ticks() - passed) {}

  // Milliseconds since 1970, in the scenario's time.
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

  // Real milliseconds since an arbitrary time: only differences mean something.
  static std::int64_t ticks();

 private:
  std::int64_t origin_;
  double speed_;
  std::int64_t begun_;  // in ticks
  std::optional<std::int64_t> paused_at_;
};

}  // namespace local
