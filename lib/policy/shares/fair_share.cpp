// SPDX-License-Identifier: MIT
#include "policy/shares/fair_share.h"

#include <algorithm>

#include "policy/shares/water_filling.h"

namespace cede {

namespace {

// Sums of demands saturate here, far above any value that matters.
constexpr Share kMostSum = 4 * kMostShare;

class Computation {
 public:
  explicit Computation(const ShareTree& tree) : tree_(tree), resources_(tree.resources()) {
    const std::size_t size = tree.elements.size();
    shares_.resources = resources_;
    shares_.demand.assign(size * resources_, 0);
    shares_.cap.assign(size * resources_, 0);
    shares_.fair.assign(size * resources_, 0);
    shares_.dominant.assign(size, 0);
    guarantee_.assign(size * resources_, 0);
    order();
  }

  FairShares run() {
    for (auto element = order_.rbegin(); element != order_.rend(); ++element) demand(*element);
    for (const std::uint32_t element : order_) {
      if (tree_.elements[element].parent == ShareElement::kNoParent) root(element);
      if (!children(element).empty()) divide(element);
    }
    return std::move(shares_);
  }

 private:
  // Parents come before children. The children of a parent are adjacent, in the byte order of their names.
  void order() {
    const std::vector<ShareElement>& elements = tree_.elements;
    const std::size_t roots = elements.size();  // the index of elements without parent
    const auto parent = [&](std::uint32_t i) {
      return elements[i].parent == ShareElement::kNoParent ? roots : elements[i].parent;
    };
    first_child_.assign(elements.size() + 2, 0);
    for (std::uint32_t i = 0; i < elements.size(); ++i) ++first_child_[parent(i) + 1];
    for (std::size_t i = 0; i <= roots; ++i) first_child_[i + 1] += first_child_[i];
    children_.resize(elements.size());
    std::vector<std::uint32_t> next = first_child_;
    for (std::uint32_t i = 0; i < elements.size(); ++i) children_[next[parent(i)]++] = i;
    std::vector<Named> named;
    for (std::size_t i = 0; i <= roots; ++i) sort_by_name(first_child_[i], first_child_[i + 1], named);
    order_.reserve(elements.size());
    const std::span<const std::uint32_t> top = children(roots);
    order_.assign(top.begin(), top.end());
    for (std::size_t i = 0; i < order_.size(); ++i) {
      for (const std::uint32_t child : children(order_[i])) order_.push_back(child);
    }
  }

  struct Named {
    std::uint64_t start;  // first bytes of the name, so that most comparisons need not read the name itself
    std::uint32_t element;
  };

  void sort_by_name(std::size_t from, std::size_t to, std::vector<Named>& named) {
    const std::vector<ShareElement>& elements = tree_.elements;
    named.clear();
    for (std::size_t i = from; i < to; ++i) {
      const std::string_view name = elements[children_[i]].name;
      std::uint64_t start = 0;
      for (std::size_t at = 0; at < sizeof start; ++at)
        start = start << 8 | (at < name.size() ? static_cast<unsigned char>(name[at]) : 0);
      named.push_back({start, children_[i]});
    }
    std::sort(named.begin(), named.end(), [&](const Named& a, const Named& b) {
      if (a.start != b.start) return a.start < b.start;
      const ShareElement& x = elements[a.element];
      const ShareElement& y = elements[b.element];
      return x.name != y.name ? x.name < y.name : x.is_job < y.is_job;
    });
    for (std::size_t i = from; i < to; ++i) children_[i] = named[i - from].element;
  }

  std::span<const std::uint32_t> children(std::size_t element) const {
    return std::span(children_).subspan(first_child_[element],
                                        first_child_[element + 1] - first_child_[element]);
  }

  std::span<Share> row(std::vector<Share>& all, std::size_t element) const {
    return std::span(all).subspan(element * resources_, resources_);
  }

  void demand(std::uint32_t index) {
    const ShareElement& element = tree_.elements[index];
    const std::span<Share> demand = row(shares_.demand, index);
    const std::span<Share> cap = row(shares_.cap, index);
    for (std::size_t r = 0; element.is_job && r < resources_; ++r)
      demand[r] = share_of(tree_.demand[index * resources_ + r], tree_.capacity[r]);
    for (const std::uint32_t child : children(index)) {
      for (std::size_t r = 0; r < resources_; ++r)
        demand[r] = std::min(kMostSum, demand[r] + shares_.cap[child * resources_ + r]);
    }
    std::copy(demand.begin(), demand.end(), cap.begin());
    for (const ResourceAmount& most : element.max) {
      cap[most.resource] = std::min(cap[most.resource], share_of(most.amount, tree_.capacity[most.resource]));
    }
    for (const ResourceAmount& least : element.guarantee) {
      guarantee_[index * resources_ + least.resource] =
          std::min(cap[least.resource], share_of(least.amount, tree_.capacity[least.resource]));
    }
  }

  void root(std::uint32_t index) {
    const std::span<Share> fair = row(shares_.fair, index);
    const std::span<Share> cap = row(shares_.cap, index);
    if (tree_.elements[index].given != kNoShare) return take_given(index);
    for (std::size_t r = 0; r < resources_; ++r) fair[r] = std::min(cap[r], kFullShare);
    shares_.dominant[index] = dominant(fair);
  }

  void take_given(std::uint32_t index) {
    const std::span<Share> fair = row(shares_.fair, index);
    const std::span<Share> cap = row(shares_.cap, index);
    const Share given = tree_.elements[index].given;
    const Share largest = dominant(cap);
    for (std::size_t r = 0; r < resources_; ++r)
      fair[r] = given >= largest ? cap[r] : static_cast<Share>(static_cast<Wide>(cap[r]) * given / largest);
    shares_.dominant[index] = given;
  }

  void divide(std::uint32_t index) {
    const std::span<const Share> fair = row(shares_.fair, index);
    std::vector<Share> left(fair.begin(), fair.end());
    std::vector<std::uint32_t> claimants;
    std::vector<ShareClaim> claims;
    for (const std::uint32_t child : children(index)) {
      const ShareElement& element = tree_.elements[child];
      if (element.given != kNoShare) {
        take_given(child);
        for (std::size_t r = 0; r < resources_; ++r)
          left[r] = std::max<Share>(0, left[r] - shares_.fair[child * resources_ + r]);
        continue;
      }
      claimants.push_back(child);
      claims.push_back({row(shares_.cap, child), row(guarantee_, child),
                        std::clamp<Amount>(element.weight, 1, kMaxWeight)});
    }
    std::vector<Share> out(claims.size() * resources_, 0);
    divide_share(left, claims, out);
    for (std::size_t c = 0; c < claimants.size(); ++c) {
      const std::span<Share> share = row(shares_.fair, claimants[c]);
      for (std::size_t r = 0; r < resources_; ++r) share[r] = out[c * resources_ + r];
      shares_.dominant[claimants[c]] = dominant(share);
    }
  }

  const ShareTree& tree_;
  const std::size_t resources_;
  FairShares shares_;
  std::vector<Share> guarantee_;  // limited by the demand
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> children_;     // of all elements, parent by parent; the roots last
  std::vector<std::uint32_t> first_child_;  // by parent, into children_
};

}  // namespace

FairShares compute_fair_shares(const ShareTree& tree) { return Computation(tree).run(); }

namespace {

class Builder {
 public:
  Builder(const Model& model, GroupId group, const JobAmounts& amounts)
      : model_(model), group_(group), amounts_(amounts), resources_(model.resources.size()) {}

  FairShareTree build(std::vector<Total> capacity) {
    out_.tree.capacity = std::move(capacity);
    add_queues();
    add_jobs();
    std::vector<Total> total(model_.queues.live() * resources_, 0);
    model_.queues.for_each([&](QueueId id, const QueueRow&) {
      for (QueueId at = id; at; at = model_.queues[at].parent) {
        for (std::size_t r = 0; r < resources_; ++r)
          total[out_.element(at) * resources_ + r] += direct_[out_.element(id) * resources_ + r];
      }
    });
    for (std::size_t i = 0; i < total.size(); ++i) {
      out_.usage[i] = share_of(total[i], out_.tree.capacity[i % resources_]);
      out_.placed[i] = total[i];
    }
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
    out_.placed.assign(elements.size() * resources_, 0);
    out_.tree.demand.assign(elements.size() * resources_, 0);
  }

  void add_jobs() {
    out_.job_elements.assign(model_.jobs.id_bound(), FairShareTree::kNoElement);
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
      const std::span<const Total> placed = amounts_.placed(id);
      const std::span<const Total> waiting = amounts_.waiting(id);
      for (std::size_t r = 0; r < resources_; ++r) {
        direct_[queue * resources_ + r] += placed[r];
        out_.tree.demand.push_back(placed[r] + waiting[r]);
        out_.usage.push_back(share_of(placed[r], out_.tree.capacity[r]));
        out_.placed.push_back(placed[r]);
      }
    });
  }

  const Model& model_;
  const GroupId group_;
  const JobAmounts& amounts_;
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

JobAmounts::JobAmounts(const Model& model, GroupId group)
    : group_(group),
      resources_(model.resources.size()),
      placed_(model.jobs.id_bound() * resources_),
      waiting_(placed_.size()),
      counted_(2 * resources_) {
  model.jobs.for_each([&](JobId id, const JobCore&) { count(model, id); });
}

JobAmounts::Change JobAmounts::count(const Model& model, JobId id) {
  const std::size_t size = (id.value + 1) * resources_;
  if (placed_.size() < size) {
    placed_.resize(size);
    waiting_.resize(size);
  }
  std::fill(counted_.begin(), counted_.end(), 0);
  if (id.value < model.jobs.id_bound() && model.jobs.is_live(id) && model.jobs[id].group == group_) {
    const JobCore& job = model.jobs[id];
    for (std::uint32_t k = 0; k < job.task_rows; ++k) {
      const TaskCore& task = model.tasks.core(TaskId{job.first_task.value + k});
      Total* const side = counted_.data() + (task.node ? 0 : resources_);
      for (const ResourceAmount& entry : model.shape(task.resources))
        side[entry.resource] += static_cast<Total>(entry.amount) * task.count;
    }
  }
  bool moved = false;
  bool demand = false;
  for (std::size_t r = 0; r < resources_; ++r) {
    const std::size_t at = id.value * resources_ + r;
    moved = moved || placed_[at] != counted_[r];
    demand = demand || placed_[at] + waiting_[at] != counted_[r] + counted_[resources_ + r];
    placed_[at] = counted_[r];
    waiting_[at] = counted_[resources_ + r];
  }
  return demand ? Change::demand : moved ? Change::moved : Change::none;
}

FairShareTree fair_share_tree(const EffectiveSettings& effective, GroupId group) {
  const Model& model = effective.model();
  return fair_share_tree(model, group, JobAmounts(model, group), group_capacity(model, group));
}

FairShareTree fair_share_tree(const Model& model, GroupId group, const JobAmounts& amounts,
                              std::vector<Total> capacity) {
  return Builder(model, group, amounts).build(std::move(capacity));
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
