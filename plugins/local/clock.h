// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>

namespace local {

// The scenario's time: it passes `speed` times as fast as the real one, and goes on while nobody looks.
class Clock {
 public:
  // `begun` is when the run began, in real milliseconds since 1970; `origin` what the scenario called that.
  Clock(std::int64_t origin, std::int64_t begun, double speed)
      : origin_(origin), speed_(speed), real_at_start_(wall() - begun), steady_start_(Steady::now()) {}

  // Milliseconds since 1970 as the scenario has it.
  std::int64_t now() const { return origin_ + elapsed(); }
  // Since the run began.
  std::int64_t elapsed() const {
    using namespace std::chrono;
    const std::int64_t here = duration_cast<milliseconds>(Steady::now() - steady_start_).count();
    return static_cast<std::int64_t>(static_cast<double>(real_at_start_ + here) * speed_);
  }
  std::int64_t origin() const { return origin_; }
  double speed() const { return speed_; }

  std::int64_t to_real(std::int64_t length) const {
    return static_cast<std::int64_t>(static_cast<double>(length) / speed_);
  }

  static std::int64_t wall() {
    using namespace std::chrono;
    return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
  }

 private:
  using Steady = std::chrono::steady_clock;
  std::int64_t origin_;
  double speed_;
  std::int64_t real_at_start_;
  Steady::time_point steady_start_;
};

}  // namespace local
