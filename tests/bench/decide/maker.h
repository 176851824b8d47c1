// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <random>
#include <string>

#include "decide/cluster.h"

namespace bench {

inline std::string numbered(const char* prefix, std::size_t number) {
  return prefix + std::to_string(number);
}

// Writes a description piece by piece. Equal seeds give equal descriptions.
class Maker {
 public:
  Maker(const char* shape, int size, std::uint64_t seed) : random_(seed) {
    out_.shape = shape;
    out_.size = std::to_string(size) + " nodes";
  }

  std::uint64_t below(std::uint64_t n) { return random_() % n; }
  Description& out() { return out_; }
  const Description& out() const { return out_; }

  void node(std::int64_t capacity, std::size_t per_leaf = 0) {
    const std::size_t n = out_.nodes.size();
    out_.nodes.push_back(
        {numbered("n", n), capacity, per_leaf == 0 ? std::string{} : numbered("l", n / per_leaf)});
  }
  Description::Job& runs(std::size_t node, std::int64_t amount, std::int32_t priority) {
    Description::Job& job = out_.jobs.emplace_back();
    job.name = numbered("r", out_.jobs.size());
    job.running = true;
    job.priority = priority;
    job.since = kNow - kMinute * static_cast<std::int64_t>(60 + below(6000));
    job.tasks.push_back({static_cast<std::uint32_t>(node), amount});
    return job;
  }
  Description::Job& asks(std::int64_t amount, std::size_t tasks, std::int32_t priority) {
    Description::Job& job = out_.jobs.emplace_back();
    job.name = numbered("w", out_.jobs.size());
    job.priority = priority;
    job.since = kNow - kMinute * 10;
    job.tasks.assign(tasks, {0, amount});
    out_.asked.push_back(job.name);
    return job;
  }

 private:
  std::mt19937_64 random_;
  Description out_;
};

}  // namespace bench
