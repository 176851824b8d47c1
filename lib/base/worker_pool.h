// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>

namespace cede {

// The threads that may work on one decision, started on first use. They never change an answer: the number of
// pieces of work does not depend on them.
class WorkerPool {
 public:
  // `threads`: 0 means as many as the process allows. A plan about fewer than `least` units would be finished
  // before the threads have started.
  explicit WorkerPool(std::size_t threads, std::size_t least = 8192);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  // Calls work(0) … work(pieces - 1) in any order and in parallel. The worker threads handle no signals.
  void each(std::size_t pieces, const std::function<void(std::size_t)>& work);

  // Runs a pipeline. fill(b) fills block b and returns false for the last one; then each of `steps` works on
  // the block. Every stage works on one block at a time and in order, while other stages work on other
  // blocks. The blocks 0 to blocks - 1 are used in turn.
  using Step = std::function<void(std::size_t)>;
  void run_pipeline(std::size_t blocks, const std::function<bool(std::size_t)>& fill,
                    std::span<const Step> steps);

  std::size_t threads() const { return threads_; }
  bool is_worth(std::size_t units) const { return units >= least_; }

 private:
  struct Arena;
  Arena& arena();

  const std::size_t threads_;
  const std::size_t least_;
  std::unique_ptr<Arena> arena_;
};

// The workers if so many units are worth it; null if the caller should work alone.
inline WorkerPool* workers_for(WorkerPool* workers, std::size_t units) {
  return workers && workers->is_worth(units) ? workers : nullptr;
}

// The size of one piece of work if each item takes little time.
inline constexpr std::size_t kUnitsAtOnce = 4096;
inline constexpr std::size_t kNodesAtOnce = 4096;

// Without workers the pieces are done one after the other.
void each_piece(WorkerPool* workers, std::size_t pieces, const std::function<void(std::size_t)>& work);

}  // namespace cede
