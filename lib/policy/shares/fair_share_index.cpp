// SPDX-License-Identifier: MIT
#include "policy/shares/fair_share_index.h"

#include <algorithm>
#include <utility>

namespace cede {

FairShareIndex::FairShareIndex(const EffectiveSettings& effective, GroupId group, std::vector<Total> capacity)
    : group_(group), amounts_(effective.model(), group) {
  const Model& model = effective.model();
  compute(model, std::move(capacity));
  tiers_.assign(model.tasks.id_bound(), TaskTier::preemptible);
  std::vector<TaskId> differing;
  model.jobs.for_each([&](JobId job, const JobCore& core) {
    if (core.group == group_) split(effective, job, differing);
  });
}

void FairShareIndex::compute(const Model& model, std::vector<Total> capacity) {
  FairShareTree tree = fair_share_tree(model, group_, amounts_, std::move(capacity));
  shares_ = compute_fair_shares(tree.tree);
  shares_.cap = {};
  tree.tree.elements = {};
  tree.tree.demand = {};
  tree_ = std::move(tree);
  ++computed_;
}

// The job holds another part of what it asks for. Its usage and that of its queues change, no share does.
void FairShareIndex::move(const Model& model, JobId job) {
  const std::vector<Total>& capacity = tree_.tree.capacity;
  const std::span<const Total> placed = amounts_.placed(job);
  const auto add = [&](std::uint32_t element, std::size_t r, Total amount) {
    Total& sum = tree_.placed[element * capacity.size() + r];
    sum += amount;
    tree_.usage[element * capacity.size() + r] = share_of(sum, capacity[r]);
  };
  for (std::size_t r = 0; r < capacity.size(); ++r) {
    const Total more = placed[r] - tree_.placed_of(tree_.element(job))[r];
    if (more == 0) continue;
    add(tree_.element(job), r, more);
    for (QueueId queue = model.jobs[job].queue; queue; queue = model.queues[queue].parent)
      add(tree_.element(queue), r, more);
  }
}

void FairShareIndex::split(const EffectiveSettings& effective, JobId job, std::vector<TaskId>& differing) {
  ++split_;
  for (const SplitTask& task : split_job(effective, tree_, shares_, job)) {
    if (std::exchange(tiers_[task.row.value], task.tier) != task.tier) differing.push_back(task.row);
  }
}

bool FairShareIndex::is_ours(const Model& model, JobId job) const {
  return job.value < model.jobs.id_bound() && model.jobs.is_live(job) && model.jobs[job].group == group_;
}

// Whether the job's part of its queue's share may differ for another reason than its amounts.
bool FairShareIndex::is_other_claim(const Model& before, const Model& now, JobId job) const {
  const bool there = is_ours(now, job);
  if (there != is_ours(before, job)) return true;
  if (!there) return false;
  const JobExtras& then_extras = before.job_extras[job.value];
  const JobExtras& now_extras = now.job_extras[job.value];
  return before.jobs[job].queue != now.jobs[job].queue || before.job_name(job) != now.job_name(job) ||
         then_extras.fair_share != now_extras.fair_share ||
         !std::ranges::equal(before.shape(then_extras.max), now.shape(now_extras.max));
}

bool FairShareIndex::is_other_queue(const Model& before, const Model& now) const {
  bool other = before.queues.id_bound() != now.queues.id_bound();
  now.queues.for_each_unshared(before.queues, [&](QueueId id) {
    if (other) return;
    const QueueRow& a = before.queues[id];
    const QueueRow& b = now.queues[id];
    other = a.parent != b.parent || a.weight != b.weight || a.fair_share != b.fair_share ||
            before.name(a.name) != now.name(b.name) ||
            !std::ranges::equal(before.shape(a.guaranteed), now.shape(b.guaranteed)) ||
            !std::ranges::equal(before.shape(a.max), now.shape(b.max));
  });
  return other;
}

std::vector<TaskId> FairShareIndex::follow(const Model& before, const EffectiveSettings& effective,
                                           std::vector<Total> capacity, std::span<const JobId> changed) {
  const Model& now = effective.model();
  const auto clear = [&](const Model& model, JobId job) {
    if (!is_ours(model, job)) return;
    const JobCore& core = model.jobs[job];
    for (std::uint32_t k = 0; k < core.task_rows; ++k)
      tiers_[core.first_task.value + k] = TaskTier::preemptible;
  };
  if (tiers_.size() < now.tasks.id_bound()) tiers_.resize(now.tasks.id_bound(), TaskTier::preemptible);
  bool others = capacity != tree_.tree.capacity || is_other_queue(before, now);
  std::vector<JobId> moved;
  for (const JobId job : changed) {
    clear(before, job);
    const JobAmounts::Change counted = amounts_.count(now, job);
    if (counted == JobAmounts::Change::moved) moved.push_back(job);
    others = others || counted == JobAmounts::Change::demand || is_other_claim(before, now, job);
  }
  std::vector<TaskId> differing;
  if (!others) {
    for (const JobId job : moved) move(now, job);
    for (const JobId job : changed) {
      if (is_ours(now, job)) split(effective, job, differing);
    }
    return differing;
  }
  const FairShareTree tree = std::move(tree_);
  const FairShares shares = std::move(shares_);
  const bool other_capacity = capacity != tree.tree.capacity;
  compute(now, std::move(capacity));
  const auto same = [](const JobShares& a, const JobShares& b) {
    return std::ranges::equal(a.usage, b.usage) && std::ranges::equal(a.fair, b.fair) &&
           std::ranges::equal(a.demand, b.demand);
  };
  now.jobs.for_each([&](JobId job, const JobCore& core) {
    if (core.group != group_) return;
    const bool known = !other_capacity && !std::binary_search(changed.begin(), changed.end(), job) &&
                       job.value < tree.job_elements.size() && tree.element(job) != FairShareTree::kNoElement;
    if (!known || !same(job_shares_of(tree, shares, job), job_shares_of(tree_, shares_, job)))
      split(effective, job, differing);
  });
  return differing;
}

}  // namespace cede
