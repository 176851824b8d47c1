// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>

#include "base/worker_pool.h"
#include "engine/array_edit.h"

namespace cede {

// Puts the jobs of an array. If there are many jobs and several threads, the work is a pipeline: one thread
// reads jobs, another puts their tasks, and free threads write the rows. A large cluster then loads in little
// more than half the time. Problems are found in no certain order, so the caller puts the jobs again in one
// thread to report them.
class JobPipeline {
 public:
  // Reads the next job into the draft. A job that could not be read has no name or no queue. False: no job is
  // left.
  using Read = std::function<bool(JobDraft& draft)>;

  JobPipeline(ArrayEdit& arrays, WorkerPool* workers)
      : arrays_(arrays), edit_(arrays.edit()), workers_(workers) {}
  // `jobs`: about how many. Returns whether several threads worked.
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
