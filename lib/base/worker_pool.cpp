// SPDX-License-Identifier: MIT
#include "base/worker_pool.h"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/task_arena.h>
#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <mutex>

namespace cede {

struct WorkerPool::Arena {
  std::once_flag made;
  std::unique_ptr<tbb::task_arena> arena;
};

namespace {

// Threads started during its lifetime inherit the mask, so they never handle a signal for the host.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_;
};

std::size_t allowed() {
  return tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
}

}  // namespace

WorkerPool::WorkerPool(std::size_t threads, std::size_t least)
    : threads_(threads == 0 ? allowed() : std::min(threads, allowed())),
      least_(least),
      arena_(std::make_unique<Arena>()) {}

WorkerPool::~WorkerPool() = default;

WorkerPool::Arena& WorkerPool::arena() {
  std::call_once(arena_->made,
                 [&] { arena_->arena = std::make_unique<tbb::task_arena>(static_cast<int>(threads_)); });
  return *arena_;
}

void WorkerPool::each(std::size_t pieces, const std::function<void(std::size_t)>& work) {
  if (threads_ <= 1 || pieces <= 1) {
    for (std::size_t i = 0; i < pieces; ++i) work(i);
    return;
  }
  const SignalsBlocked blocked;
  arena().arena->execute([&] { tbb::parallel_for(std::size_t{0}, pieces, work, tbb::simple_partitioner()); });
}

void WorkerPool::run_pipeline(std::size_t blocks, const std::function<bool(std::size_t)>& fill,
                              std::span<const Step> steps) {
  std::size_t turn = 0;
  bool more = true;
  const auto next = [&] {
    const std::size_t block = turn++ % blocks;
    more = fill(block);
    return block;
  };
  if (threads_ <= 1) {
    while (more) {
      const std::size_t block = next();
      for (const Step& step : steps) step(block);
    }
    return;
  }
  constexpr auto kMode = tbb::filter_mode::serial_in_order;
  tbb::filter<void, std::size_t> line =
      tbb::make_filter<void, std::size_t>(kMode, [&](tbb::flow_control& flow) {
        if (more) return next();
        flow.stop();
        return std::size_t{0};
      });
  for (const Step& step : steps) {
    line = line & tbb::make_filter<std::size_t, std::size_t>(kMode, [&step](std::size_t block) {
             step(block);
             return block;
           });
  }
  const SignalsBlocked blocked;
  arena().arena->execute([&] {
    // At most `blocks` blocks are in the pipeline.
    tbb::parallel_pipeline(blocks, line & tbb::make_filter<std::size_t, void>(kMode, [](std::size_t) {}));
  });
}

void each_piece(WorkerPool* workers, std::size_t pieces, const std::function<void(std::size_t)>& work) {
  if (workers) return workers->each(pieces, work);
  for (std::size_t i = 0; i < pieces; ++i) work(i);
}

}  // namespace cede
