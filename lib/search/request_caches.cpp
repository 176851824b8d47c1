// SPDX-License-Identifier: MIT
#include "search/request_caches.h"

#include <algorithm>
#include <numeric>

namespace cede {

bool FreeNodeCache::takes_one(std::uint32_t node) const {
  const NodeTable& table = group_index_.nodes();
  const Total* free = table.nodes()[node].free;
  return std::all_of(shape_.begin(), shape_.end(), [&](const ResourceAmount& entry) {
    return entry.amount <= 0 || table.counted_by_group(entry.resource) ||
           free[entry.resource] >= entry.amount;
  });
}

const std::vector<std::uint32_t>& FreeNodeCache::nodes(ResourceView shape) {
  if (!begun_ || seen_ < group_index_.forgotten() ||
      !std::equal(shape_.begin(), shape_.end(), shape.begin(), shape.end())) {
    begun_ = false;  // until the list is complete: an allocation may fail
    nodes_.clear();
    shape_.assign(shape.begin(), shape.end());
    const auto all = static_cast<std::uint32_t>(group_index_.nodes().size());
    for (std::uint32_t node = 0; node < all; ++node) {
      if (takes_one(node)) nodes_.push_back(node);
    }
    begun_ = true;
    seen_ = group_index_.touched_end();
  }
  for (; seen_ < group_index_.touched_end(); ++seen_) {
    const std::uint32_t node = group_index_.touched(seen_);
    const auto at = std::lower_bound(nodes_.begin(), nodes_.end(), node);
    const bool listed = at != nodes_.end() && *at == node;
    if (takes_one(node) == listed) continue;
    if (listed) {
      nodes_.erase(at);
    } else {
      nodes_.insert(at, node);
    }
  }
  return nodes_;
}

bool GangAnswerCache::is_same_request(const SearchProblem& problem) const {
  const Request& request = problem.rule_context.request;
  return request.job == job_ &&
         std::equal(tasks_.begin(), tasks_.end(), request.tasks.begin(), request.tasks.end(),
                    [](const RequestTask& a, const RequestTask& b) {
                      return a.row == b.row && a.index == b.index && a.resources == b.resources;
                    });
}

const SearchResult* GangAnswerCache::find(const SearchProblem& problem) {
  bool everything = false;
  if (!watch_.changed(problem, everything).empty()) answer_.reset();
  return answer_ && is_same_request(problem) ? &*answer_ : nullptr;
}

void GangAnswerCache::keep(const SearchProblem& problem, const SearchResult& answer) {
  bool everything = false;
  answer_.reset();
  // Another query may have seen another state since the search began.
  if (!watch_.changed(problem, everything).empty()) return;
  job_ = problem.rule_context.request.job;
  tasks_ = problem.rule_context.request.tasks;
  answer_ = answer;
}

void RoomCache::begin(const SearchProblem& problem) {
  const NodeChoiceConstraints& need = problem.placer.arranger().need();
  bound_ = !need.domains.empty();
  need_ = bound_ ? need.domains.front() : DomainConstraint{};
  asked_.clear();
  for (std::uint32_t r = 0; r < problem.rule_context.model().resources.size(); ++r) {
    if (problem.placer.asked(r) > 0 && !problem.space.counted_by_group(r)) asked_.push_back(r);
  }
  by_node_.assign(group_index_.nodes().size(), {});
  free_.assign(by_node_.size() * asked_.size(), 0);
  by_domain_.assign(problem.placer.arranger().attributes().domain_count(), 0);
  sums_.assign(asked_.size(), 0);
  tasks_ = counted_nodes_ = units_ = 0;
}

std::vector<const Unit*> RoomCache::units_on(const std::vector<std::uint32_t>& nodes) const {
  if (nodes.size() == by_node_.size()) return {group_index_.units().begin(), group_index_.units().end()};
  std::vector<const Unit*> units;
  for (const std::uint32_t node : nodes) {
    for (const Occupant& occupant : group_index_.occupants(node)) units.push_back(occupant.unit);
  }
  std::sort(units.begin(), units.end(), [](const Unit* a, const Unit* b) { return a->slot < b->slot; });
  units.erase(std::unique(units.begin(), units.end()), units.end());
  return units;
}

// Any node of a unit can change its eligibility, but a unit is counted at its first node.
void RoomCache::add_first_nodes(std::vector<std::uint32_t>& nodes) const {
  if (nodes.size() == by_node_.size()) return;
  const std::size_t changed = nodes.size();
  for (std::size_t i = 0; i < changed; ++i) {
    for (const Occupant& occupant : group_index_.occupants(nodes[i])) {
      const TaskId first = occupant.unit->tasks.front();
      if (first != occupant.task)
        nodes.push_back(group_index_.nodes().index_of(group_index_.model().tasks.core(first).node));
    }
  }
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
}

void RoomCache::count(std::uint32_t node, int sign) {
  const NodeRoom& room = by_node_[node];
  const auto step = [&](auto& sum, auto value) {
    if (sign > 0) {
      sum += value;
    } else {
      sum -= value;
    }
  };
  step(units_, room.units);
  if (!room.usable) return;
  step(tasks_, room.tasks);
  for (std::size_t i = 0; i < asked_.size(); ++i) step(sums_[i], free_[node * asked_.size() + i]);
  if (!is_counted(room)) return;
  step(counted_nodes_, 1U);
  if (bound_) step(by_domain_[room.domain], room.tasks);
}

void RoomCache::follow(const SearchProblem& problem, const NodeCandidates::Eligible& eligible) {
  bool everything = false;
  std::vector<std::uint32_t> nodes = watch_.changed(problem, everything);
  if (nodes.empty()) return;
  if (everything) begin(problem);
  add_first_nodes(nodes);
  std::vector<const Unit*> units = units_on(nodes);
  std::erase_if(units, [&](const Unit* unit) { return !eligible(*unit); });
  const Model& model = problem.rule_context.model();
  const CandidateScores scores(model, units);
  const CapacityModel capacity_model(problem.rule_context, problem.placer, group_index_, problem.space,
                                     scores, &book_);
  const Fixings gone(scores.size(), Fixing::gone);
  Work work;
  NodeTrial trial(capacity_model, work);
  for (const std::uint32_t node : nodes) {
    if (!everything) count(node, -1);
    NodeRoom& room = by_node_[node];
    room = {};
    room.usable = capacity_model.may_use(node);
    if (bound_) room.domain = group_index_.nodes().domains(node)[need_.level];
    Total* const free = free_.data() + node * asked_.size();
    const NodeSpace& space = problem.space.node(node);
    for (std::size_t i = 0; i < asked_.size(); ++i) free[i] = space.free[asked_[i]];
    for (const Occupant& occupant : group_index_.occupants(node)) {
      if (capacity_model.candidate(*occupant.unit) == CapacityModel::kNoCandidate) continue;
      room.units += occupant.unit->tasks.front() == occupant.task ? 1 : 0;
      const ResourceView shape = model.shape(occupant.resources);
      for (std::size_t i = 0; i < asked_.size(); ++i) free[i] += amount_of(shape, asked_[i]);
    }
    for (std::size_t i = 0; i < asked_.size(); ++i) free[i] = std::max<Total>(free[i], 0);
    if (room.usable) {
      trial.load(node, gone);
      room.tasks = trial.capacity();
    }
    count(node, 1);
  }
}

bool RoomCache::takes(std::uint64_t tasks) const {
  if (!bound_) return tasks_ >= tasks;
  if (need_.max_domains == 1)
    return std::any_of(by_domain_.begin(), by_domain_.end(), [&](std::uint64_t sum) { return sum >= tasks; });
  std::vector<std::uint64_t> most(std::min<std::size_t>(need_.max_domains, by_domain_.size()));
  std::partial_sort_copy(by_domain_.begin(), by_domain_.end(), most.begin(), most.end(), std::greater<>());
  return std::accumulate(most.begin(), most.end(), std::uint64_t{0}) >= tasks;
}

Total RoomCache::free(std::uint32_t resource) const {
  const auto at = std::find(asked_.begin(), asked_.end(), resource);
  return at == asked_.end() ? 0 : sums_[static_cast<std::size_t>(at - asked_.begin())];
}

namespace {

// The number of kinds is limited so that all caches together know at most this many nodes.
constexpr std::size_t kNodesKnown = 2'000'000;
constexpr std::size_t kFewestKinds = 4;
constexpr std::size_t kMostKinds = 64;

}  // namespace

std::size_t RequestCaches::most_kept(const GroupIndex& group_index) {
  return std::clamp(kNodesKnown / std::max<std::size_t>(1, group_index.nodes().size()), kFewestKinds,
                    kMostKinds);
}

std::uint64_t RequestCaches::searched_nodes() const {
  std::uint64_t sum = 0;
  for (const auto& [kind, caches] : by_kind_) sum += caches.nodes ? caches.nodes->searched() : 0;
  return sum;
}

RequestCaches::Caches& RequestCaches::of(const GroupIndex& group_index, const RequestKind& kind) {
  const auto at = by_kind_.find(kind);
  if (at != by_kind_.end()) return at->second;
  if (by_kind_.size() >= most_kept(group_index)) by_kind_.clear();
  return by_kind_[kind];
}

FreeNodeCache& RequestCaches::free(const GroupIndex& group_index, ShapeId shape) {
  const auto at = by_shape_.find(shape);
  if (at != by_shape_.end()) return at->second;
  if (by_shape_.size() >= most_kept(group_index)) by_shape_.clear();
  return by_shape_.try_emplace(shape, group_index).first->second;
}

NodeCache& RequestCaches::nodes(const GroupIndex& group_index, const RequestKind& kind) {
  Caches& cache = of(group_index, kind);
  if (!cache.nodes) cache.nodes = std::make_unique<NodeCache>(group_index);
  return *cache.nodes;
}

DomainCache& RequestCaches::domains(const GroupIndex& group_index, const RequestKind& kind) {
  Caches& cache = of(group_index, kind);
  if (!cache.domains) cache.domains = std::make_unique<DomainCache>(group_index);
  return *cache.domains;
}

GangAnswerCache& RequestCaches::answer(const GroupIndex& group_index, const RequestKind& kind) {
  Caches& cache = of(group_index, kind);
  if (!cache.answer) cache.answer = std::make_unique<GangAnswerCache>(group_index);
  return *cache.answer;
}

RoomCache& RequestCaches::room(const GroupIndex& group_index, const RequestKind& kind) {
  Caches& cache = of(group_index, kind);
  if (!cache.room) cache.room = std::make_unique<RoomCache>(group_index);
  return *cache.room;
}

RoomCache* RequestCaches::known_room(const RequestKind& kind) {
  const auto at = by_kind_.find(kind);
  return at == by_kind_.end() ? nullptr : at->second.room.get();
}

}  // namespace cede
