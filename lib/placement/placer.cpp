// SPDX-License-Identifier: MIT
#include "placement/placer.h"

#include <algorithm>
#include <set>

#include "base/bits.h"
#include "placement/effective_requirement.h"
#include "placement/mixed_arranger.h"
#include "topology/import/device_catalogue.h"

namespace cede {

namespace {

constexpr std::uint64_t kOneArrangement = 2'000'000;  // part of a query's work

}  // namespace

Arranger::Arranger(const RuleContext& rule_context, const NodeTable& nodes, Requirement require,
                   Unknown unknown, Work& work)
    : context_(rule_context),
      model_(rule_context.model()),
      require_(std::move(require)),
      attributes_(rule_context, nodes, require_.conformance),
      sharing_matters_(Exclusivity::matters(rule_context, require_)),
      domains_shared_(sharing_matters_ && Exclusivity::concerns_domains(rule_context, require_)) {
  const std::vector<RequestTask>& tasks = rule_context.request.tasks;
  std::set<ShapeId> shapes;
  for (const RequestTask& task : tasks) {
    if (&task == &tasks.front() || task.resources != (&task - 1)->resources) shapes.insert(task.resources);
    alike_ = alike_ && task.resources == tasks.front().resources && task.required_node == kNoName;
  }
  std::set<std::string> models{std::string{}};
  if (require_.uniform_model == UniformModel::job && devices_asked() > 1) {
    models.clear();
    for (const NodeSpace& node : nodes.nodes()) {
      const NodeClass* node_class = model_.node_class(model_.nodes[node.id]);
      if (!node_class) continue;
      for (std::string& each : distinct_models(*node_class)) models.insert(std::move(each));
    }
    // If no node says what its devices are, no node fits, not even alone. An empty name would admit any
    // model.
    if (models.empty()) models.insert(std::string(1, '\0'));
    if (unknown == Unknown::passes) models.insert(std::string{});
  }
  for (const std::string& model : models) {
    DeviceAllocators& allocators = allocators_.emplace_back();
    for (const ShapeId shape : shapes)
      allocators.try_emplace(shape, rule_context, nodes, require_, shape, unknown, model, work);
  }
  need_ = choice_need();
  pin_placed_siblings(nodes);
}

const DeviceAllocator* Arranger::only_allocator() const {
  if (!alike_ || allocators_.size() != 1 || context_.request.tasks.empty()) return nullptr;
  return &allocators_.front().at(context_.request.tasks.front().resources);
}

// The devices of all tasks together. A single device always is of one model.
std::uint64_t Arranger::devices_asked() const {
  const std::uint32_t gpu = model_.find_resource("gpu");
  std::uint64_t sum = 0;
  for (const RequestTask& task : context_.request.tasks) {
    if (gpu != ResourceId::kNoValue)
      sum += static_cast<std::uint64_t>((amount_of(model_.shape(task.resources), gpu) + kOne - 1) / kOne);
  }
  return sum;
}

NodeChoiceConstraints Arranger::choice_need() const {
  NodeChoiceConstraints need;
  need.tasks = static_cast<std::uint32_t>(context_.request.tasks.size());
  need.nodes = require_.nodes;
  need.least_per_node = std::max<std::uint32_t>(require_.tasks_per_node.min, 1);
  need.style = require_.placement;
  need.levels = attributes_.levels();
  const ConformanceRequirement& conformance = require_.conformance;
  need.favour_largest_set = conformance.mode == ConformanceMode::prefer;
  if (conformance.mode == ConformanceMode::uniform) need.uniform = UniformOver::job;
  for (const NetworkRequirement& entry : require_.network) {
    const std::uint32_t level = attributes_.level(entry.level);
    if (entry.max_domains != kNoBound) need.domains.push_back({level, entry.max_domains, {}});
    if (entry.segment == 0) continue;
    need.segment = segment_need(attributes_, entry);
    if (conformance.mode == ConformanceMode::uniform && conformance.scope == ConformanceScope::segment)
      need.uniform = UniformOver::segment;
  }
  return need;
}

// The whole job must meet the requirement, including its tasks that run already and stay.
void Arranger::pin_placed_siblings(const NodeTable& nodes) {
  const JobId job = context_.requester();
  if (!job) return;
  std::vector<NodeId> placed;
  const JobCore& core = model_.jobs[job];
  for (std::uint32_t k = 0; k < core.task_rows; ++k) {
    const NodeId node = model_.tasks.core(TaskId{core.first_task.value + k}).node;
    if (node) placed.push_back(node);
  }
  if (placed.empty()) return;
  std::sort(placed.begin(), placed.end());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!std::binary_search(placed.begin(), placed.end(), nodes.nodes()[i].id)) continue;
    for (DomainConstraint& entry : need_.domains) {
      const std::uint32_t domain = attributes_.domains(i)[entry.level];
      const bool known = std::find(entry.pinned.begin(), entry.pinned.end(), domain) != entry.pinned.end();
      if (domain != kNowhere && !known) entry.pinned.push_back(domain);
    }
    if (need_.uniform != UniformOver::job) continue;
    const std::uint32_t own = attributes_.fingerprint(i);
    const bool other = need_.pinned_fingerprint != kNowhere && need_.pinned_fingerprint != own;
    need_.pinned_fingerprint = other ? kNowhere - 1 : own;  // fingerprints differ already: no node fits
  }
}

std::vector<std::uint32_t> Arranger::open_nodes(const Space& space, NodeList within) const {
  space.work().spend(within.empty() ? space.size() : within.size());
  std::vector<std::uint32_t> open;
  const auto add = [&](std::uint32_t node) {
    if (space.usable(node) && attributes_.meets_baseline(node)) open.push_back(node);
  };
  if (within.empty()) {
    for (std::uint32_t i = 0; i < space.size(); ++i) add(i);
  } else {
    for (const std::uint32_t i : within) add(i);
  }
  if (!sharing_matters_) return open;
  if (!domains_shared_) {
    space.work().spend(10 * open.size());
    std::erase_if(open, [&](std::uint32_t node) { return !Exclusivity::node_allows(space, require_, node); });
    return open;
  }
  space.work().spend(8 * model_.nodes.live() + 4 * model_.tasks.id_bound());
  const Exclusivity sharing(space, attributes_, require_);
  std::erase_if(open, [&](std::uint32_t node) { return !sharing.allows(node); });
  return open;
}

// Whether any nodes do, as long as they take all tasks together.
bool Arranger::takes_any_nodes() const {
  return alike_ && allocators_.size() == 1 && !sharing_matters_ && need_.domains.empty() && !need_.segment &&
         need_.uniform == UniformOver::nothing && need_.nodes == Bounds{} && need_.least_per_node <= 1;
}

PlacementResult Arranger::count_tasks(const Space& space, NodeList within) const {
  const DeviceAllocator& allocator = *only_allocator();
  const std::uint32_t most = std::min(require_.tasks_per_node.max, need_.tasks);
  std::uint64_t sum = 0;
  const std::size_t count = within.empty() ? space.size() : within.size();
  const NodeSpace* before = nullptr;
  std::uint32_t room = 0;  // of `before`
  std::size_t i = 0;
  for (; i < count && sum < need_.tasks; ++i) {
    const std::size_t node = within.empty() ? i : within[i];
    if (!space.usable(node) || !attributes_.meets_baseline(node)) continue;
    const NodeSpace& here = space.node(node);
    if (!before || !allocator.are_alike(*before, here)) room = allocator.capacity(space, node, most);
    before = &here;
    sum += room;
  }
  space.work().spend(1 + i / 2);
  if (sum >= need_.tasks) return PlacementResult::placed;
  return allocator.is_doubtful() ? PlacementResult::undecided : PlacementResult::no_room;
}

PlacementResult Arranger::arrange(const Space& space, NodeList within, Arrangement* out) const {
  Work& work = space.work();
  const std::uint64_t before = work.left_open();
  const WorkShare share(work, kOneArrangement);
  PlacementResult answer = find(space, within, out);
  if (answer == PlacementResult::no_room && work.left_open() != before) answer = PlacementResult::undecided;
  if (answer == PlacementResult::undecided && work.left_open() == before) work.leave_open();
  return answer;
}

PlacementResult Arranger::find(const Space& space, NodeList within, Arrangement* out) const {
  const DeviceAllocator* allocator = only_allocator();
  if (allocator && !allocator->may_have_room(space, need_.tasks))
    return allocator->is_doubtful() ? PlacementResult::undecided : PlacementResult::no_room;
  if (takes_any_nodes()) {
    const PlacementResult answer = count_tasks(space, within);
    if (!out || answer == PlacementResult::no_room) return answer;
  }
  const std::vector<std::uint32_t> open = open_nodes(space, within);
  bool undecided = false;
  for (const DeviceAllocators& allocators : allocators_) {
    const PlacementResult answer =
        alike_ ? arrange_alike(space, open, allocators, out) : arrange_mixed(space, open, allocators, out);
    if (answer == PlacementResult::placed) return answer;
    undecided = undecided || answer == PlacementResult::undecided;
  }
  return undecided ? PlacementResult::undecided : PlacementResult::no_room;
}

PlacementResult Arranger::arrange_alike(const Space& space, std::span<const std::uint32_t> open,
                                        const DeviceAllocators& allocators, Arrangement* out) const {
  const std::vector<RequestTask>& tasks = context_.request.tasks;
  const DeviceAllocator& allocator = allocators.at(tasks.front().resources);
  const std::uint32_t most = std::min(require_.tasks_per_node.max, need_.tasks);
  std::vector<NodeOffer> offers;
  std::vector<std::uint32_t> nodes;
  const NodeSpace* before = nullptr;
  std::uint32_t room = 0;  // of `before`
  for (const std::uint32_t node : open) {
    const NodeSpace& here = space.node(node);
    if (!before || !allocator.are_alike(*before, here)) room = allocator.capacity(space, node, most);
    before = &here;
    if (room < need_.least_per_node) continue;
    nodes.push_back(node);
    offers.push_back({room, attributes_.domains(node), attributes_.fingerprint(node),
                      attributes_.reports(node), attributes_.borrowed(node)});
  }
  NodeChoice choice;
  space.work().spend(open.size());
  const NodeChoiceResult answer = choose_nodes(offers, need_, out ? &choice : nullptr, space.work());
  if (answer != NodeChoiceResult::chosen) {
    const bool undecided = answer == NodeChoiceResult::undecided || allocator.is_doubtful();
    return undecided ? PlacementResult::undecided : PlacementResult::no_room;
  }
  if (!out) return PlacementResult::placed;
  *out = {};
  out->outside = choice.outside;
  out->borrowed = choice.borrowed;
  std::size_t next = 0;
  std::vector<DeviceAssignment> assignments;
  for (const auto& [offer, count] : choice.nodes) {
    if (!allocator.assign(space, nodes[offer], count, assignments)) return PlacementResult::undecided;
    for (const DeviceAssignment& assignment : assignments)
      out->tasks.push_back(planned_task(tasks[next++], space.node(nodes[offer]).id, assignment));
  }
  return PlacementResult::placed;
}

PlacementResult Arranger::arrange_mixed(const Space& space, std::span<const std::uint32_t> open,
                                        const DeviceAllocators& allocators, Arrangement* out) const {
  return MixedArranger(context_, space, attributes_, require_, need_, open, allocators).run(out);
}

namespace {

constexpr std::size_t kMaxPreferences = 5;  // tried in every combination; the rest count as missed

}  // namespace

Placer::Placer(const RuleContext& rule_context, const NodeTable& nodes, Work& work, Unknown unknown)
    : context_(rule_context),
      need_(rule_context),
      asked_(rule_context.usage.resources(), 0),
      nodes_(nodes),
      unknown_(unknown) {
  std::copy_n(rule_context.request.asked.begin(), std::min(rule_context.request.asked.size(), asked_.size()),
              asked_.begin());
  considered_ = std::min(need_.preferences(), kMaxPreferences);
  arrangers_.resize(std::size_t{1} << considered_);
  demanding(0, work);
}

const Arranger& Placer::demanding(std::uint64_t preferences, Work& work) const {
  std::unique_ptr<const Arranger>& arranger = arrangers_[preferences];
  if (!arranger) {
    work.spend(100 + 2 * nodes_.size());
    arranger =
        std::make_unique<const Arranger>(context_, nodes_, need_.demanding(preferences), unknown_, work);
  }
  return *arranger;
}

bool Placer::has_group_room(const Space& space) const {
  for (std::uint32_t r = 0; r < asked_.size(); ++r) {
    if (asked_[r] > 0 && space.counted_by_group(r) && asked_[r] > space.group_free(r)) return false;
  }
  return true;
}

PlacementResult Placer::fits(const Space& space, NodeList within) const {
  if (!has_group_room(space)) return PlacementResult::no_room;
  return arranger().arrange(space, within, nullptr);
}

PlacementResult Placer::place(const Space& space, NodeList within, Placement& out) const {
  if (!has_group_room(space)) return PlacementResult::no_room;
  Arrangement best;
  Work& work = space.work();
  const std::uint64_t before = work.left_open();
  const PlacementResult answer = arranger().arrange(space, within, &best);
  if (answer != PlacementResult::placed) return answer;
  std::uint64_t met = 0;
  const auto missed = [&](std::uint64_t demanded) {
    return need_.preferences() - static_cast<std::size_t>(count_bits(demanded));
  };
  std::size_t against = missed(0) + best.outside;
  // Combinations with more preferences come first. A combination that misses more than the best one cannot be
  // better.
  std::vector<std::uint64_t> order;
  for (std::uint64_t demanded = 1; demanded < arrangers_.size(); ++demanded) order.push_back(demanded);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint64_t a, std::uint64_t b) { return missed(a) < missed(b); });
  for (const std::uint64_t demanded : order) {
    if (missed(demanded) > against) break;
    if (work.ended()) {
      work.leave_open();
      break;
    }
    Arrangement other;
    if (demanding(demanded, work).arrange(space, within, &other) != PlacementResult::placed) continue;
    const std::size_t worse = missed(demanded) + other.outside;
    if (worse > against || (worse == against && other.borrowed >= best.borrowed && met != 0)) continue;
    if (worse == against && other.borrowed > best.borrowed) continue;
    against = worse;
    met = demanded;
    best = std::move(other);
  }
  out = {};
  out.tasks = std::move(best.tasks);
  out.borrowed = best.borrowed;
  out.preferences = static_cast<std::int64_t>(against);
  // If something was left untried, the placement may meet preferences that were not demanded.
  out.certain = work.left_open() == before && considered_ == need_.preferences();
  if (!out.certain && need_.preferences() > 0) {
    const std::vector<bool> missing = missed_preferences(space, arranger().attributes(), need_, out.tasks);
    out.preferences = best.outside + std::count(missing.begin(), missing.end(), true);
    for (std::size_t i = 0; i < missing.size(); ++i) {
      if (missing[i]) out.missed.push_back(need_.preference_name(i));
    }
  }
  for (std::size_t i = 0; out.certain && i < need_.preferences(); ++i) {
    if ((met >> i & 1) == 0) out.missed.push_back(need_.preference_name(i));
  }
  if (best.outside > 0) out.missed.emplace_back("conformance");
  return PlacementResult::placed;
}

std::string Placer::hindrance(const Space& space) const {
  if (!has_group_room(space)) return {};
  for (const EffectiveRequirement::Lighter& lighter : need_.each_left_out()) {
    if (space.work().ended()) return {};
    const Arranger arranger(context_, space.table(), lighter.require, Unknown::fails, space.work());
    if (arranger.arrange(space, {}, nullptr) == PlacementResult::placed) return lighter.without;
  }
  return {};
}

}  // namespace cede
