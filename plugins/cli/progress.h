// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

#include "console.h"

namespace cli {

// Shows a line on standard error if something takes longer than half a second, and removes it at the end.
// Does nothing unless standard error is a terminal. A thread shows it, because the library has no progress
// callback.
class Progress {
 public:
  Progress(const Console& console, std::string what);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // `all`: of how many, where that is known; 0: it is not.
  void set_bytes(std::uint64_t bytes, std::uint64_t all) {
    all_bytes_.store(all, std::memory_order_relaxed);
    bytes_.store(bytes, std::memory_order_relaxed);
  }

 private:
  void show();

  std::string what_;
  std::atomic<std::uint64_t> bytes_{0};
  std::atomic<std::uint64_t> all_bytes_{0};
  std::mutex mutex_;
  std::condition_variable ended_;
  bool over_ = false;
  std::thread thread_;
};

}  // namespace cli
