// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>

namespace cede {

// The threads that may work on one decision. They are made when they are first needed, and never change an
// answer: work is cut into pieces whose number does not depend on them.
class WorkerPool {
 public:
  // 0: as many as the process allows. A plan about fewer units than `least` is made before threads are up.
  explicit WorkerPool(std::size_t threads, std::size_t least = 8192);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  // Calls work(0) … work(pieces - 1), in any order and at the same time. Signals stay with the threads that
  // were there before.
  void each(std::size_t pieces, const std::function<void(std::size_t)>& work);

  // Work in steps, each done by one thread at a time and in order, for one block while those before it go on
  // with the next: fill(b) fills block b and is false for the last one, and then comes each of `steps`. The
  // blocks are 0 to blocks - 1, used in turn.
  using Step = std::function<void(std::size_t)>;
  void relay(std::size_t blocks, const std::function<bool(std::size_t)>& fill, std::span<const Step> steps);

  std::size_t threads() const { return threads_; }
  bool is_worth(std::size_t units) const { return units >= least_; }

 private:
  struct Arena;
  Arena& arena();

  const std::size_t threads_;
  const std::size_t least_;
  std::unique_ptr<Arena> arena_;
};

// Whoever is to work on so many units: the crew, or nobody beside the caller.
inline WorkerPool* crew_for(WorkerPool* workers, std::size_t units) {
  return workers && workers->is_worth(units) ? workers : nullptr;
}

// What one piece of work looks at, where looking at one of them takes little.
inline constexpr std::size_t kUnitsAtOnce = 4096;
inline constexpr std::size_t kNodesAtOnce = 4096;

// Without a crew the pieces are done one after the other.
void each_piece(WorkerPool* workers, std::size_t pieces, const std::function<void(std::size_t)>& work);

}  // namespace cede
