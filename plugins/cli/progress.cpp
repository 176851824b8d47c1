// SPDX-License-Identifier: MIT
#include "progress.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>

namespace cli {

Progress::Progress(const Console& console, std::string what) : what_(std::move(what)) {
  if (!console.errors_on_terminal()) return;
  try {
    thread_ = std::thread(&Progress::show, this);
  } catch (const std::system_error&) {
    // Without a thread the work continues and shows no progress.
  }
}

Progress::~Progress() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  ended_.notify_one();
  thread_.join();
}

void Progress::show() {
  constexpr auto kPatience = std::chrono::milliseconds(500);
  constexpr auto kBetween = std::chrono::milliseconds(250);
  const auto begin = std::chrono::steady_clock::now();
  std::unique_lock lock(mutex_);
  if (ended_.wait_for(lock, kPatience, [this] { return over_; })) return;
  do {
    const auto elapsed =
        std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - begin);
    std::string line = "\r" + what_;
    const std::uint64_t bytes = bytes_.load(std::memory_order_relaxed);
    const std::uint64_t all = all_bytes_.load(std::memory_order_relaxed);
    if (all > 0) line += ", " + std::to_string(100 * std::min(bytes, all) / all) + " %";
    if (bytes > 0) line += ", " + std::to_string(bytes >> 20) + " MiB";
    line += ", " + std::to_string(elapsed.count()) + " s\033[K";
    write_all(STDERR_FILENO, line);
  } while (!ended_.wait_for(lock, kBetween, [this] { return over_; }));
  write_all(STDERR_FILENO, "\r\033[K");
}

}  // namespace cli
