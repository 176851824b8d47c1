// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>

#include "base/worker_pool.h"
#include "engine/array_edit.h"

namespace cede {

// Puts the jobs of an array. Where they are many and there is somebody to help, one thread reads, another
// puts the tasks of those that are read, and the rows of those before are written by whoever is free: a large
// cluster is loaded in little more than half the time. Then what is wrong is noticed in no certain order, and
// who is to tell of it puts them again without help.
class JobPipeline {
 public:
  // The next job into the draft, without a name or a queue where it could not be read; false: there is none.
  using Read = std::function<bool(JobDraft& draft)>;

  JobPipeline(ArrayEdit& arrays, WorkerPool* workers)
      : arrays_(arrays), edit_(arrays.edit()), workers_(workers) {}
  // About so many. Whether anybody helped.
  bool run(std::size_t jobs, const Read& read);

 private:
  struct Block;

  void put(JobDraft& draft);
  void one_by_one(std::size_t most, const Read& read);
  std::size_t in_steps(const Read& read, std::vector<Block>& blocks, PendingJobNames& arrivals);

  ArrayEdit& arrays_;
  ModelEdit& edit_;
  WorkerPool* const workers_;
  JobDraft draft_;
  bool at_end_ = false;
};

}  // namespace cede
