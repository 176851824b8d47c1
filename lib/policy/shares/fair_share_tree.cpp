// SPDX-License-Identifier: MIT
#include "policy/shares/fair_share_tree.h"

namespace cede {

namespace {

class Builder {
 public:
  Builder(const Model& model, GroupId group)
      : model_(model), group_(group), resources_(model.resources.size()) {}

  FairShareTree build() {
    out_.tree.capacity = group_capacity(model_, group_);
    add_queues();
    add_jobs();
    std::vector<Total> total(model_.queues.live() * resources_, 0);
    model_.queues.for_each([&](QueueId id, const QueueRow&) {
      for (QueueId at = id; at; at = model_.queues[at].parent) {
        for (std::size_t r = 0; r < resources_; ++r)
          total[out_.element(at) * resources_ + r] += direct_[out_.element(id) * resources_ + r];
      }
    });
    for (std::size_t i = 0; i < total.size(); ++i)
      out_.usage[i] = share_of(total[i], out_.tree.capacity[i % resources_]);
    return std::move(out_);
  }

 private:
  void add_queues() {
    std::vector<ShareElement>& elements = out_.tree.elements;
    out_.queue_elements.assign(model_.queues.id_bound(), FairShareTree::kNoElement);
    model_.queues.for_each([&](QueueId id, const QueueRow& row) {
      out_.queue_elements[id.value] = static_cast<std::uint32_t>(elements.size());
      elements.push_back({.name = model_.name(row.name),
                          .weight = row.weight == kNoAmount ? kOne : row.weight,
                          .given = row.fair_share,
                          .guarantee = model_.shape(row.guaranteed),
                          .max = model_.shape(row.max)});
    });
    model_.queues.for_each([&](QueueId id, const QueueRow& row) {
      if (row.parent) elements[out_.element(id)].parent = out_.element(row.parent);
    });
    direct_.assign(elements.size() * resources_, 0);
    out_.usage.assign(elements.size() * resources_, 0);
    out_.tree.demand.assign(elements.size() * resources_, 0);
  }

  void add_jobs() {
    out_.job_elements.assign(model_.jobs.id_bound(), FairShareTree::kNoElement);
    std::vector<Total> placed(resources_);
    std::vector<Total> waiting(resources_);
    model_.jobs.for_each([&](JobId id, const JobCore& job) {
      if (job.group != group_) return;
      out_.job_elements[id.value] = static_cast<std::uint32_t>(out_.tree.elements.size());
      const JobExtras& extras = model_.job_extras[id.value];
      const std::uint32_t queue = out_.element(job.queue);
      out_.tree.elements.push_back({.parent = queue,
                                    .is_job = true,
                                    .name = model_.job_name(id),
                                    .given = extras.fair_share,
                                    .max = model_.shape(extras.max)});
      placed.assign(resources_, 0);
      waiting.assign(resources_, 0);
      for (std::uint32_t k = 0; k < job.task_rows; ++k) {
        const TaskCore& task = model_.tasks.core(TaskId{job.first_task.value + k});
        std::vector<Total>& side = task.node ? placed : waiting;
        for (const ResourceAmount& entry : model_.shape(task.resources))
          side[entry.resource] += static_cast<Total>(entry.amount) * task.count;
      }
      for (std::size_t r = 0; r < resources_; ++r) {
        direct_[queue * resources_ + r] += placed[r];
        out_.tree.demand.push_back(placed[r] + waiting[r]);
        out_.usage.push_back(share_of(placed[r], out_.tree.capacity[r]));
      }
    });
  }

  const Model& model_;
  const GroupId group_;
  const std::size_t resources_;
  FairShareTree out_;
  std::vector<Total> direct_;  // usage of a queue's own jobs
};

}  // namespace

std::vector<Total> group_capacity(const Model& model, GroupId group) {
  std::vector<Total> capacity(model.resources.size(), 0);
  std::vector<bool> counted(model.resources.size(), false);
  for (const ResourceAmount& entry : model.shape(model.groups[group].resources)) {
    capacity[entry.resource] = entry.amount;
    counted[entry.resource] = true;
  }
  model.nodes.for_each([&](NodeId, const NodeRow& node) {
    if (node.group != group || node.state != NodeState::up) return;
    for (const ResourceAmount& entry : model.shape(node.resources)) {
      if (!counted[entry.resource]) capacity[entry.resource] += entry.amount;
    }
  });
  return capacity;
}

FairShareTree fair_share_tree(const EffectiveSettings& effective, GroupId group) {
  return Builder(effective.model(), group).build();
}

JobShares job_shares_of(const FairShareTree& tree, const FairShares& shares, JobId job) {
  const std::uint32_t element = tree.element(job);
  return {tree.usage_of(element), shares.fair_of(element), shares.demand_of(element)};
}

bool covers_demand(const JobShares& shares) {
  for (std::size_t r = 0; r < shares.fair.size(); ++r) {
    if (share_less(shares.fair[r], shares.demand[r])) return false;
  }
  return true;
}

}  // namespace cede
