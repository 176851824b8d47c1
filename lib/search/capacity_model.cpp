// SPDX-License-Identifier: MIT
#include "search/capacity_model.h"

#include <algorithm>

#include "base/bits.h"
#include "policy/queue_shortfall.h"
#include "search/capacity_search.h"

namespace cede {

bool CapacityModel::decides(const RuleContext& rule_context, const Placer& placer, const Space& space,
                            OneNode one_node) {
  const Arranger& arranger = placer.arranger();
  const NodeChoiceConstraints& need = arranger.need();
  const DeviceAllocator* allocator = arranger.only_allocator();
  if (!allocator || allocator->is_doubtful()) return false;
  // A set without a superfluous victim keeps `one-node` for each task by itself.
  if (one_node == OneNode::all_victims && need.tasks != 1) return false;
  if (need.nodes != Bounds{} || need.least_per_node > 1 || need.segment ||
      need.uniform == UniformOver::segment || need.pinned_fingerprint != kNowhere)
    return false;
  if (std::any_of(need.domains.begin(), need.domains.end(), [](const DomainConstraint& entry) {
        return !entry.pinned.empty() || entry.level == kNowhere || entry.max_domains == 0;
      }))
    return false;
  if (arranger.sharing_matters() && Exclusivity::concerns_domains(rule_context, arranger.require()))
    return false;
  return queue_shortfalls(rule_context, space.usage()).empty() && placer.has_group_room(space);
}

CapacityModel::CapacityModel(const RuleContext& rule_context, const Placer& placer,
                             const GroupIndex& group_index, const Space& space, const CandidateScores& scores,
                             std::vector<Index>* book)
    : context_(rule_context),
      group_index_(group_index),
      space_(space),
      scores_(scores),
      arranger_(placer.arranger()),
      allocator_(*arranger_.only_allocator()),
      about_devices_(allocator_.needs_fit() || allocator_.share() > 0),
      most_(std::min(arranger_.require().tasks_per_node.max, arranger_.need().tasks)),
      candidates_(book ? *book : own_book_) {
  if (candidates_.size() < group_index.units().size())
    candidates_.resize(group_index.units().size(), kNoCandidate);
  for (const ResourceAmount& entry :
       rule_context.model().shape(rule_context.request.tasks.front().resources)) {
    if (entry.amount > 0 && !space.counted_by_group(entry.resource)) asked_.push_back(entry);
  }
  for (Index i = 0; i < scores.size(); ++i) candidates_[scores.unit(i).slot] = i;
}

CapacityModel::~CapacityModel() {
  for (Index i = 0; i < scores_.size(); ++i) candidates_[scores_.unit(i).slot] = kNoCandidate;
}

void CapacityModel::nodes_of(Index unit, std::vector<std::uint32_t>& out) const {
  out.clear();
  for (const TaskId task : scores_.unit(unit).tasks)
    out.push_back(space_.index_of(context_.model().tasks.core(task).node));
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
}

NodeTrial::NodeTrial(const CapacityModel& capacity_model, Work& work, std::shared_ptr<Space> space)
    : capacity_model_(capacity_model),
      work_(work),
      width_(capacity_model.asked_.size() + 1),
      free_(width_),
      needs_(width_),
      space_(std::move(space)) {}

void NodeTrial::load(std::uint32_t node, const Fixings& fixings) {
  restore();
  node_ = node;
  const NodeSpace& here = capacity_model_.space_.node(node);
  plain_ = capacity_model_.is_plain(here);
  counts_devices_ = plain_ && here.devices > 0 && capacity_model_.allocator_.whole() > 0;
  units_.clear();
  gains_.clear();
  rest_.clear();
  tasks_.clear();
  for (std::size_t r = 0; r < capacity_model_.asked_.size(); ++r) {
    free_[r] = here.free[capacity_model_.asked_[r].resource];
    needs_[r] = capacity_model_.asked_[r].amount;
  }
  free_.back() = counts_devices_ ? static_cast<Total>(count_bits(here.free_devices())) - here.unknown : 0;
  needs_.back() = counts_devices_ ? capacity_model_.allocator_.whole() : 0;
  const std::span<const Occupant> occupants = capacity_model_.group_index_.occupants(node);
  work_.spend(3 + width_ / 2 + occupants.size() * (1 + width_ / 4));
  if (!plain_ && !space_) {
    space_ = std::make_shared<Space>(capacity_model_.context_, capacity_model_.space_.table(),
                                     Space::Fill::as_it_is, &work_);
  }
  for (const Occupant& occupant : occupants) {
    const Index unit = capacity_model_.candidate(*occupant.unit);
    if (unit == CapacityModel::kNoCandidate || fixings[unit] == Fixing::stays) continue;
    if (fixings[unit] == Fixing::gone) {
      if (plain_) {
        add_gain(occupant, free_.data());
      } else {
        space_->vacate(occupant.task);
        moved_.push_back(occupant.task);
      }
      continue;
    }
    // A unit with one task occurs once.
    std::size_t at = occupant.unit->tasks.size() == 1 ? units_.size() : 0;
    while (at < units_.size() && units_[at] != unit) ++at;
    if (at == units_.size()) {
      units_.push_back(unit);
      gains_.resize(gains_.size() + width_, 0);
      if (!plain_) tasks_.emplace_back();
    }
    if (plain_) {
      add_gain(occupant, &gains_[at * width_]);
    } else {
      tasks_[at].push_back(occupant.task);
    }
  }
}

void NodeTrial::add_gain(const Occupant& occupant, Total* to) {
  if (occupant.resources != shape_) {
    const ResourceView shape = capacity_model_.context_.model().shape(occupant.resources);
    amounts_.clear();
    for (const ResourceAmount& asked : capacity_model_.asked_)
      amounts_.push_back(amount_of(shape, asked.resource));
    shape_ = occupant.resources;
  }
  for (std::size_t r = 0; r < amounts_.size(); ++r) to[r] += amounts_[r];
  if (counts_devices_) to[width_ - 1] += occupant.devices;
}

void NodeTrial::restore() {
  for (const TaskId task : moved_) space_->occupy(task);
  moved_.clear();
}

void NodeTrial::arrange(std::span<const std::uint32_t> order) {
  work_.spend(order.size() * (1 + width_ / 4));
  old_units_.swap(units_);
  old_gains_.swap(gains_);
  units_.clear();
  gains_.clear();
  std::vector<std::vector<TaskId>> tasks;
  for (const std::uint32_t at : order) {
    units_.push_back(old_units_[at]);
    gains_.insert(gains_.end(), old_gains_.begin() + static_cast<std::ptrdiff_t>(at * width_),
                  old_gains_.begin() + static_cast<std::ptrdiff_t>((at + 1) * width_));
    if (!plain_) tasks.push_back(std::move(tasks_[at]));
  }
  tasks_.swap(tasks);
  sum_rest();
}

void NodeTrial::sum_rest() {
  rest_.assign((units_.size() + 1) * width_, 0);
  for (std::size_t at = units_.size(); at-- > 0;) {
    for (std::size_t r = 0; r < width_; ++r)
      rest_[at * width_ + r] = rest_[(at + 1) * width_ + r] + gains_[at * width_ + r];
  }
}

void NodeTrial::move(std::size_t at, int sign) {
  if (plain_) {
    work_.spend(1);
    for (std::size_t r = 0; r < width_; ++r) free_[r] += gains_[at * width_ + r] * sign;
    return;
  }
  for (const TaskId task : tasks_[at]) {
    if (sign > 0) {
      space_->vacate(task);
      moved_.push_back(task);
    } else {
      space_->occupy(task);
      std::erase(moved_, task);
    }
  }
}

bool NodeTrial::takes(std::uint32_t tasks) const {
  if (!plain_) return capacity() >= tasks;
  for (std::size_t r = 0; r < width_; ++r) {
    if (needs_[r] > 0 && free_[r] < needs_[r] * tasks) return false;
  }
  return true;
}

bool NodeTrial::takes_without_rest(std::size_t at, std::uint32_t tasks) {
  if (plain_) {
    work_.spend(1);
    for (std::size_t r = 0; r < width_; ++r) {
      if (needs_[r] > 0 && free_[r] + rest_[at * width_ + r] < needs_[r] * tasks) return false;
    }
    return true;
  }
  for (std::size_t i = at; i < units_.size(); ++i) remove(i);
  const bool enough = takes(tasks);
  for (std::size_t i = at; i < units_.size(); ++i) put_back(i);
  return enough;
}

std::uint32_t NodeTrial::capacity() const {
  if (!plain_) {
    if (capacity_model_.arranger_.sharing_matters() &&
        !Exclusivity::node_allows(*space_, capacity_model_.arranger_.require(), node_))
      return 0;
    return capacity_model_.allocator_.capacity(*space_, node_, capacity_model_.most_);
  }
  Total most = capacity_model_.most_;
  for (std::size_t r = 0; r < width_; ++r) {
    if (needs_[r] == 0) continue;
    if (free_[r] < needs_[r]) return 0;
    if (free_[r] < needs_[r] * most) most = free_[r] / needs_[r];
  }
  return static_cast<std::uint32_t>(most);
}

// The scarcest resource limits the capacity. The gain is at most the freed amount of that resource in tasks,
// rounded up.
std::uint32_t NodeTrial::most_gain(std::size_t at) const {
  if (!plain_) return capacity_model_.most_;
  Total most = 0;
  for (std::size_t r = 0; r < width_; ++r) {
    if (needs_[r] > 0) most = std::max(most, (gains_[at * width_ + r] + needs_[r] - 1) / needs_[r]);
  }
  return static_cast<std::uint32_t>(std::min<Total>(most, capacity_model_.most_));
}

bool NodeTrial::needs_everybody(std::uint32_t tasks) {
  if (!plain_) return false;
  bool one_more = tasks < capacity_model_.most_;
  rest_.assign(free_.begin(), free_.end());
  for (std::size_t i = 0; i < gains_.size(); i += width_) {
    for (std::size_t r = 0; r < width_; ++r) rest_[r] += gains_[i + r];
  }
  for (std::size_t r = 0; r < width_; ++r) {
    rest_[r] -= needs_[r] * tasks;  // what may stay in use
    if (needs_[r] > 0 && rest_[r] < 0) return false;
    one_more = one_more && rest_[r] >= needs_[r];
  }
  for (std::size_t i = 0; i < gains_.size(); i += width_) {
    bool needed = false;
    for (std::size_t r = 0; r < width_; ++r) needed = needed || (needs_[r] > 0 && gains_[i + r] > rest_[r]);
    if (!needed) return false;
  }
  return !one_more;
}

bool NodeTrial::frees_as_much(std::size_t one, std::size_t other) const {
  if (!plain_) return false;
  for (std::size_t r = 0; r < width_; ++r) {
    if (gains_[one * width_ + r] < gains_[other * width_ + r]) return false;
  }
  return true;
}

SubproblemCapacity::SubproblemCapacity(const CapacityModel& capacity_model,
                                       std::span<const std::uint32_t> nodes, const Fixings& fixings,
                                       Work& work)
    : numbers_(capacity_model.scores().size(), CapacityModel::kNoCandidate) {
  std::shared_ptr<Space> space;
  const bool plain = std::all_of(nodes.begin(), nodes.end(), [&](std::uint32_t node) {
    return capacity_model.is_plain(capacity_model.space_.node(node));
  });
  work.spend(10 * nodes.size() + capacity_model.scores().size() / 8);
  if (!plain) {
    space = std::make_shared<Space>(capacity_model.context_, capacity_model.space_.table(),
                                    Space::Fill::as_it_is, &work);
  }
  trials_.reserve(nodes.size());
  for (const std::uint32_t node : nodes) {
    NodeTrial& trial = trials_.emplace_back(capacity_model, work, space);
    trial.load(node, fixings);
    taken_.push_back(trial.capacity());
    total_ += taken_.back();
    for (std::uint32_t at = 0; at < trial.size(); ++at) {
      std::uint32_t& number = numbers_[trial.unit(at)];
      if (number == CapacityModel::kNoCandidate) {
        number = static_cast<std::uint32_t>(units_.size());
        units_.push_back(trial.unit(at));
        assignments_.emplace_back();
      }
      assignments_[number].push_back({static_cast<std::uint32_t>(trials_.size() - 1), at});
    }
  }
}

std::uint64_t SubproblemCapacity::most_gain(Index unit) const {
  std::uint64_t sum = 0;
  for (const TrialUnit& assignment : assignments_[numbers_[unit]])
    sum += trials_[assignment.trial].most_gain(assignment.at);
  return sum;
}

void SubproblemCapacity::move(Index unit, bool away) {
  for (const TrialUnit& assignment : assignments_[numbers_[unit]]) {
    NodeTrial& trial = trials_[assignment.trial];
    if (away) {
      trial.remove(assignment.at);
    } else {
      trial.put_back(assignment.at);
    }
    total_ -= taken_[assignment.trial];
    taken_[assignment.trial] = trial.capacity();
    total_ += taken_[assignment.trial];
  }
}

// Searches a few domains out of many. The steps of each domain are computed once. The cheapest steps bound
// the cost of a combination, and only combinations that could hold a better set are solved.
void CapacitySearch::search_combinations(const Nodes& region, const DomainConstraint& need) {
  const std::vector<Nodes> domains = domains_of(region, need.level);
  struct Curve {
    std::size_t domain = 0;
    std::uint64_t takes = 0;
    std::vector<Cost> steps;
    Cost bound;  // for every combination with this domain
    std::uint64_t most() const { return takes + steps.size(); }
  };
  std::vector<Curve> curves(domains.size());
  const std::size_t pieces = (domains.size() + kSubproblemsAtOnce - 1) / kSubproblemsAtOnce;
  const std::uint64_t each = work_.left() / 2 / std::max<std::size_t>(1, pieces);
  std::vector<Work> parts(pieces);
  each_piece(workers_, pieces, [&](std::size_t piece) {
    ScratchLease scratch(*this, each);
    const std::size_t end = std::min(domains.size(), (piece + 1) * kSubproblemsAtOnce);
    for (std::size_t i = piece * kSubproblemsAtOnce; i < end; ++i) {
      const SubproblemSolver subproblem(capacity_model_, problem_.caps, *scratch, domains[i], &need);
      curves[i] = {i, subproblem.takes(), subproblem.step_costs(), {}};
    }
    parts[piece] = scratch->work;
  });
  for (const Work& part : parts) gather(part, true, {});
  std::erase_if(curves, [](const Curve& curve) { return curve.most() == 0; });
  const std::uint64_t tasks = capacity_model_.tasks();
  const std::size_t most_domains = std::min<std::size_t>(need.max_domains, curves.size());
  // By number of tasks: the least cost of that many tasks, as far as there is room.
  using Row = std::vector<Cost>;
  const auto row_of = [&](std::uint64_t takes, const std::vector<Cost>& steps) {
    Row row(1 + std::min<std::uint64_t>(tasks, takes + steps.size()));
    work_.spend(row.size());
    for (std::size_t t = takes + 1; t < row.size(); ++t) {
      row[t] = row[t - 1];
      row[t].add(steps[t - takes - 1]);
    }
    return row;
  };
  const auto join = [&](const Row& a, const Row& b) {
    std::vector<std::optional<Cost>> least(std::min<std::size_t>(tasks + 1, a.size() + b.size() - 1));
    for (std::size_t i = 0; i < a.size(); ++i) {
      for (std::size_t k = 0; k < b.size() && i + k < least.size(); ++k) {
        Cost sum = a[i];
        sum.add(b[k]);
        if (!least[i + k] || sum < *least[i + k]) least[i + k] = sum;
      }
    }
    Row out;
    for (const std::optional<Cost>& cost : least) out.push_back(*cost);
    return out;
  };
  const auto full = [&](const Row& a, const Row& b) {
    std::optional<Cost> least;
    work_.spend(a.size());
    for (std::size_t i = tasks < b.size() ? 0 : tasks - b.size() + 1; i < a.size(); ++i) {
      Cost sum = a[i];
      sum.add(b[tasks - i]);
      if (!least || sum < *least) least = sum;
    }
    return least;
  };
  // rows[r]: a lower bound on the cost of so many tasks in up to r domains, as if each domain were the best
  // one for its part. If that takes too much work, the bound for any number of domains.
  Row one(1);
  std::uint64_t takes_anywhere = 0;
  std::vector<Cost> anywhere;
  for (const Curve& curve : curves) {
    takes_anywhere += curve.takes;
    anywhere.insert(anywhere.end(), curve.steps.begin(), curve.steps.end());
    const Row row = row_of(curve.takes, curve.steps);
    for (std::size_t t = 0; t < row.size(); ++t) {
      if (t == one.size()) {
        one.push_back(row[t]);
      } else {
        one[t] = std::min(one[t], row[t]);
      }
    }
  }
  std::vector<Row> rows{Row(1)};
  const std::uint64_t joins = std::uint64_t{most_domains} * (tasks + 1) * one.size() * 2;
  if (joins < work_.left() / 4) {
    work_.spend(joins);
    while (rows.size() < most_domains) rows.push_back(join(rows.back(), one));
  } else {
    work_.spend(8 * anywhere.size());
    std::sort(anywhere.begin(), anywhere.end());
    const Row row = row_of(takes_anywhere, anywhere);
    while (rows.size() < most_domains) rows.push_back(row);
  }
  std::erase_if(curves, [&](Curve& curve) {
    const auto least = full(row_of(curve.takes, curve.steps), rows[most_domains - 1]);
    if (least) curve.bound = *least;
    return !least;
  });
  if (curves.empty()) return;
  std::stable_sort(curves.begin(), curves.end(),
                   [](const Curve& a, const Curve& b) { return a.bound < b.bound; });
  std::vector<std::size_t> taken;
  const auto solve = [&] {
    Nodes nodes;
    for (const std::size_t i : taken)
      nodes.insert(nodes.end(), domains[curves[i].domain].begin(), domains[curves[i].domain].end());
    std::sort(nodes.begin(), nodes.end());
    work_.spend(10 * nodes.size());
    ScratchLease scratch(*this, work_.left());
    SubproblemSolver subproblem(capacity_model_, problem_.caps, *scratch, nodes);
    Solution solution{best_.set, nodes};
    const bool certain = subproblem.improve(proof_left() / 16, solution.set);
    gather(scratch->work, certain, subproblem.bound());
    keep(std::move(solution));
  };
  const auto combine = [&](const auto& self, std::size_t from, std::uint64_t takes,
                           const std::vector<Cost>& steps) -> void {
    const std::size_t left = most_domains - taken.size();
    if (left == 0) return;
    for (std::size_t i = from; i < curves.size(); ++i) {
      if (best_.set && curves[i].bound > best_.set->cost) break;
      if (work_.ended() || (best_.set && proof_left() == 0)) {
        leave_open(curves[i].bound);
        return;
      }
      std::vector<Cost> together;
      together.reserve(steps.size() + curves[i].steps.size());
      std::merge(steps.begin(), steps.end(), curves[i].steps.begin(), curves[i].steps.end(),
                 std::back_inserter(together));
      const std::uint64_t both = takes + curves[i].takes;
      const Row row = row_of(both, together);
      work_.spend(10 + 2 * together.size());
      taken.push_back(i);
      if (row.size() > tasks && (!best_.set || row[tasks] <= best_.set->cost)) solve();
      const auto least = full(row, rows[left - 1]);
      if (left > 1 && least && (!best_.set || *least <= best_.set->cost)) self(self, i + 1, both, together);
      taken.pop_back();
    }
  };
  combine(combine, 0, 0, {});
}

}  // namespace cede
