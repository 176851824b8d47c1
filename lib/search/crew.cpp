// SPDX-License-Identifier: MIT
#include "search/crew.h"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <mutex>

namespace cede {

struct Crew::Arena {
  std::once_flag made;
  std::unique_ptr<tbb::task_arena> arena;
};

namespace {

// Threads made meanwhile inherit the mask: a signal for the host never runs on one of them.
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

Crew::Crew(std::size_t threads, std::size_t least)
    : threads_(threads == 0 ? allowed() : std::min(threads, allowed())),
      least_(least),
      arena_(std::make_unique<Arena>()) {}

Crew::~Crew() = default;

void Crew::each(std::size_t pieces, const std::function<void(std::size_t)>& work) {
  if (threads_ <= 1 || pieces <= 1) {
    for (std::size_t i = 0; i < pieces; ++i) work(i);
    return;
  }
  const SignalsBlocked blocked;
  std::call_once(arena_->made,
                 [&] { arena_->arena = std::make_unique<tbb::task_arena>(static_cast<int>(threads_)); });
  arena_->arena->execute([&] { tbb::parallel_for(std::size_t{0}, pieces, work, tbb::simple_partitioner()); });
}

void each_piece(Crew* crew, std::size_t pieces, const std::function<void(std::size_t)>& work) {
  if (crew) return crew->each(pieces, work);
  for (std::size_t i = 0; i < pieces; ++i) work(i);
}

}  // namespace cede
