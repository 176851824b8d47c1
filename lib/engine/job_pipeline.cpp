// SPDX-License-Identifier: MIT
#include "engine/job_pipeline.h"

#include <array>
#include <atomic>
#include <limits>

namespace cede {

namespace {

constexpr std::size_t kBlocks = 4;  // in the pipeline at the same time
constexpr std::size_t kBlockJobs = 256;
// When the pipeline meets a job that it cannot put, so many jobs are put one by one. The number doubles each
// time, unless the pipeline has put many jobs since.
constexpr std::size_t kFewAlone = 64;
constexpr std::size_t kManyInSteps = 16 * kBlockJobs;

bool was_read(const JobDraft& draft) { return draft.core.name != kNoName && draft.queue != kNoName; }

}  // namespace

struct JobPipeline::Block {
  std::array<JobDraft, kBlockJobs> jobs;
  std::array<JobId, kBlockJobs> ids;  // none: there is nothing to write
  // How many jobs each step has done.
  std::size_t read = 0;
  std::size_t placed = 0;
  std::size_t added = 0;
};

bool JobPipeline::run(std::size_t jobs, const Read& read) {
  if (!workers_for(workers_, jobs) || workers_->threads() == 1) {
    one_by_one(std::numeric_limits<std::size_t>::max(), read);
    return false;
  }
  PendingJobNames arrivals(edit_.model().jobs, edit_.model().job_names.id_bound());
  std::vector<Block> blocks(kBlocks);
  std::size_t alone = kFewAlone;
  while (!at_end_) {
    arrivals.catch_up(edit_.model().jobs);
    const std::size_t in_order = in_steps(read, blocks, arrivals);
    alone = in_order >= kManyInSteps ? kFewAlone : 2 * alone;
    one_by_one(alone, [&](JobDraft& draft) {
      const bool any = read(draft);
      if (any) arrivals.mark(draft.core.name);
      return any;
    });
  }
  return true;
}

void JobPipeline::put(JobDraft& draft) {
  if (was_read(draft)) {
    edit_.put(draft);
  } else {
    edit_.skip(Kind::job);
  }
}

void JobPipeline::one_by_one(std::size_t most, const Read& read) {
  for (std::size_t i = 0; i < most && !at_end_; ++i) {
    at_end_ = !read(draft_);
    if (!at_end_) put(draft_);
  }
}

// Returns how many jobs the pipeline put before it met one that it cannot put. That job, and the jobs read
// after it, are put one by one.
std::size_t JobPipeline::in_steps(const Read& read, std::vector<Block>& blocks, PendingJobNames& arrivals) {
  edit_.expect_new();
  std::atomic<bool> stopped = false;
  std::size_t placed = 0;
  std::size_t first_left = 0;  // the block where the pipeline stopped
  const auto fill = [&](std::size_t number) {
    if (stopped.load(std::memory_order_acquire)) return false;  // the block may hold unplaced jobs
    Block& block = blocks[number];
    block.read = block.placed = block.added = 0;
    while (block.read < kBlockJobs && !at_end_) {
      at_end_ = !read(block.jobs[block.read]);
      if (!at_end_) ++block.read;
    }
    return !at_end_;
  };
  const WorkerPool::Step place = [&](std::size_t number) {
    Block& block = blocks[number];
    for (; block.placed < block.read && !stopped.load(std::memory_order_relaxed); ++block.placed) {
      JobDraft& draft = block.jobs[block.placed];
      JobId& id = block.ids[block.placed];
      id = {};
      if (!was_read(draft)) {
        edit_.skip(Kind::job);
        continue;
      }
      id = edit_.place_new(draft, arrivals);
      if (!id) {
        first_left = number;
        stopped.store(true, std::memory_order_release);
        break;
      }
      ++placed;
    }
  };
  const WorkerPool::Step add = [&](std::size_t number) {
    Block& block = blocks[number];
    for (; block.added < block.placed; ++block.added) {
      if (block.ids[block.added]) edit_.add_new(block.ids[block.added], block.jobs[block.added]);
    }
  };
  const std::array<WorkerPool::Step, 2> steps{place, add};
  {
    const ArrayEdit::ReadApart apart(arrays_);
    workers_->relay(blocks.size(), fill, steps);
  }
  for (std::size_t k = 0; k < blocks.size() && stopped; ++k) {
    Block& block = blocks[(first_left + k) % blocks.size()];
    for (std::size_t i = block.placed; i < block.read && !arrays_.problems().full(); ++i) {
      arrivals.mark(block.jobs[i].core.name);
      put(block.jobs[i]);
    }
    block.read = block.placed = block.added = 0;
  }
  return placed;
}

}  // namespace cede
