// SPDX-License-Identifier: MIT
#include "clock.h"

#include <algorithm>
#include <ctime>

#include "file_io.h"

namespace local {

namespace {

std::int64_t milliseconds_of(clockid_t clock) {
  timespec time{};
  ::clock_gettime(clock, &time);
  return static_cast<std::int64_t>(time.tv_sec) * 1000 + time.tv_nsec / 1'000'000;
}

}  // namespace

Timestamp Timestamp::now() {
  std::string boot;
  read_proc("/proc/sys/kernel/random/boot_id", boot);
  return {milliseconds_of(CLOCK_REALTIME), milliseconds_of(CLOCK_MONOTONIC), boot.substr(0, 36)};
}

std::int64_t Timestamp::since(const Timestamp& before) const {
  const bool same_boot = !boot.empty() && boot == before.boot;
  return std::max<std::int64_t>(0, same_boot ? since_boot - before.since_boot : wall - before.wall);
}

std::int64_t Clock::ticks() { return milliseconds_of(CLOCK_MONOTONIC); }

}  // namespace local
