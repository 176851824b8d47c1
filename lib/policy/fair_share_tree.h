// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "policy/effective.h"
#include "policy/fair_share.h"

namespace cede {

// All queues and the jobs of one group as the computation of fair shares takes them, with what each uses. It
// refers to the model's names and limits and must not outlive it.
struct FairShareTree {
  ShareTree tree;
  std::vector<Share> usage;  // element by element, by resource
  std::vector<std::uint32_t> queue_elements;
  std::vector<std::uint32_t> job_elements;

  static constexpr std::uint32_t kNoElement = ShareElement::kNoParent;
  std::uint32_t element(QueueId queue) const { return queue_elements[queue.value]; }
  // kNoElement for a job of another group.
  std::uint32_t element(JobId job) const { return job_elements[job.value]; }
  std::span<const Share> usage_of(std::uint32_t element) const {
    return std::span(usage).subspan(element * tree.resources(), tree.resources());
  }
};

// Sum over the group's nodes that are up; of a resource that the group counts itself, what the group says.
// By resource.
std::vector<Total> group_capacity(const Model& model, GroupId group);

// A job demands what its placed and waiting tasks hold and ask for, and uses what the placed ones hold,
// whatever the state of their nodes.
FairShareTree fair_share_tree(const Effective& effective, GroupId group);

}  // namespace cede
