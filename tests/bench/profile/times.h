// SPDX-License-Identifier: MIT
#pragma once

#include <ctime>

#include "decide/measure.h"

namespace bench {

// Processor time is what is compared: other work on the machine does not count. Wall time stands beside it.
struct Times {
  Samples cpu;
  Samples wall;
};

class Watch {
 public:
  double cpu() const { return now() - start_; }
  void stop(Times& into, double per = 1) const {
    into.cpu.add(cpu() / per);
    into.wall.add(wall_.seconds() / per);
  }

 private:
  static double now() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
  }

  Clock wall_;
  double start_ = now();
};

}  // namespace bench
