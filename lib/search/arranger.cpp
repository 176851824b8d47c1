// SPDX-License-Identifier: MIT
#include "search/arranger.h"

#include <algorithm>
#include <set>

#include "search/missed_preferences.h"
#include "search/mixed_arranger.h"
#include "topology/device_models.h"

namespace cede {

namespace {

constexpr std::uint64_t kOneArrangement = 2'000'000;  // of a question's work

}  // namespace

Arranger::Arranger(const Asking& asking, const NodeTable& nodes, Requirement require, Unknown unknown,
                   Work& work)
    : asking_(asking),
      model_(asking.model()),
      require_(std::move(require)),
      terrain_(asking, nodes, require_.conformance),
      sharing_matters_(Sharing::matters(asking, require_)),
      domains_shared_(sharing_matters_ && Sharing::concerns_domains(asking, require_)) {
  const std::vector<RequestTask>& tasks = asking.request.tasks;
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
    // Where nobody said what the devices are, no node will do: not even each by itself, which an empty name
    // would ask.
    if (models.empty()) models.insert(std::string(1, '\0'));
    if (unknown == Unknown::passes) models.insert(std::string{});
  }
  for (const std::string& model : models) {
    Seatings& seatings = seatings_.emplace_back();
    for (const ShapeId shape : shapes)
      seatings.try_emplace(shape, asking, nodes, require_, shape, unknown, model, work);
  }
  need_ = choice_need();
  pin_placed_siblings(nodes);
}

const Seating* Arranger::only_seating() const {
  if (!alike_ || seatings_.size() != 1 || asking_.request.tasks.empty()) return nullptr;
  return &seatings_.front().at(asking_.request.tasks.front().resources);
}

// How many devices all tasks together use; one alone is of one model, whatever it is.
std::uint64_t Arranger::devices_asked() const {
  const std::uint32_t gpu = model_.find_resource("gpu");
  std::uint64_t sum = 0;
  for (const RequestTask& task : asking_.request.tasks) {
    if (gpu != ResourceId::kNoValue)
      sum += static_cast<std::uint64_t>((amount_of(model_.shape(task.resources), gpu) + kOne - 1) / kOne);
  }
  return sum;
}

ChoiceNeed Arranger::choice_need() const {
  ChoiceNeed need;
  need.tasks = static_cast<std::uint32_t>(asking_.request.tasks.size());
  need.nodes = require_.nodes;
  need.least_per_node = std::max<std::uint32_t>(require_.tasks_per_node.min, 1);
  need.style = require_.placement;
  need.levels = terrain_.levels();
  const ConformanceNeed& conformance = require_.conformance;
  need.favour_largest_set = conformance.mode == ConformanceMode::prefer;
  if (conformance.mode == ConformanceMode::uniform) need.uniform = UniformOver::job;
  for (const NetworkNeed& entry : require_.network) {
    const std::uint32_t level = terrain_.level(entry.level);
    if (entry.max_domains != kNoBound) need.domains.push_back({level, entry.max_domains, {}});
    if (entry.segment == 0) continue;
    need.segment = segment_need(terrain_, entry);
    if (conformance.mode == ConformanceMode::uniform && conformance.scope == ConformanceScope::segment)
      need.uniform = UniformOver::segment;
  }
  return need;
}

// The whole job must meet the requirement, also the tasks that run already and stay.
void Arranger::pin_placed_siblings(const NodeTable& nodes) {
  const JobId job = asking_.requester();
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
    for (DomainNeed& entry : need_.domains) {
      const std::uint32_t domain = terrain_.domains(i)[entry.level];
      const bool known = std::find(entry.pinned.begin(), entry.pinned.end(), domain) != entry.pinned.end();
      if (domain != kNowhere && !known) entry.pinned.push_back(domain);
    }
    if (need_.uniform != UniformOver::job) continue;
    const std::uint32_t own = terrain_.fingerprint(i);
    const bool other = need_.pinned_fingerprint != kNowhere && need_.pinned_fingerprint != own;
    need_.pinned_fingerprint = other ? kNowhere - 1 : own;  // they differ already: no node will do
  }
}

std::vector<std::uint32_t> Arranger::open_nodes(const Space& space, NodeList within) const {
  space.work().spend(within.empty() ? space.size() : within.size());
  std::vector<std::uint32_t> open;
  const auto add = [&](std::uint32_t node) {
    if (space.usable(node) && terrain_.meets_baseline(node)) open.push_back(node);
  };
  if (within.empty()) {
    for (std::uint32_t i = 0; i < space.size(); ++i) add(i);
  } else {
    for (const std::uint32_t i : within) add(i);
  }
  if (!sharing_matters_) return open;
  if (!domains_shared_) {
    space.work().spend(10 * open.size());
    std::erase_if(open, [&](std::uint32_t node) { return !Sharing::node_allows(space, require_, node); });
    return open;
  }
  space.work().spend(8 * model_.nodes.live() + 4 * model_.tasks.id_bound());
  const Sharing sharing(space, terrain_, require_);
  std::erase_if(open, [&](std::uint32_t node) { return !sharing.allows(node); });
  return open;
}

// Whether any nodes will do as long as they take all tasks together.
bool Arranger::takes_any_nodes() const {
  return alike_ && seatings_.size() == 1 && !sharing_matters_ && need_.domains.empty() && !need_.segment &&
         need_.uniform == UniformOver::nothing && need_.nodes == Bounds{} && need_.least_per_node <= 1;
}

PlaceAnswer Arranger::count_tasks(const Space& space, NodeList within) const {
  const Seating& seating = *only_seating();
  const std::uint32_t most = std::min(require_.tasks_per_node.max, need_.tasks);
  std::uint64_t sum = 0;
  const std::size_t count = within.empty() ? space.size() : within.size();
  const NodeSpace* before = nullptr;
  std::uint32_t room = 0;  // of that one
  std::size_t i = 0;
  for (; i < count && sum < need_.tasks; ++i) {
    const std::size_t node = within.empty() ? i : within[i];
    if (!space.usable(node) || !terrain_.meets_baseline(node)) continue;
    const NodeSpace& here = space.node(node);
    if (!before || !seating.are_alike(*before, here)) room = seating.capacity(space, node, most);
    before = &here;
    sum += room;
  }
  space.work().spend(1 + i / 2);
  if (sum >= need_.tasks) return PlaceAnswer::placed;
  return seating.is_doubtful() ? PlaceAnswer::undecided : PlaceAnswer::no_room;
}

PlaceAnswer Arranger::arrange(const Space& space, NodeList within, Arrangement* out) const {
  Work& work = space.work();
  const std::uint64_t before = work.left_open();
  const WorkShare share(work, kOneArrangement);
  PlaceAnswer answer = find(space, within, out);
  if (answer == PlaceAnswer::no_room && work.left_open() != before) answer = PlaceAnswer::undecided;
  if (answer == PlaceAnswer::undecided && work.left_open() == before) work.leave_open();
  return answer;
}

PlaceAnswer Arranger::find(const Space& space, NodeList within, Arrangement* out) const {
  const Seating* seating = only_seating();
  if (seating && !seating->may_have_room(space, need_.tasks))
    return seating->is_doubtful() ? PlaceAnswer::undecided : PlaceAnswer::no_room;
  if (takes_any_nodes()) {
    const PlaceAnswer answer = count_tasks(space, within);
    if (!out || answer == PlaceAnswer::no_room) return answer;
  }
  const std::vector<std::uint32_t> open = open_nodes(space, within);
  bool undecided = false;
  for (const Seatings& seatings : seatings_) {
    const PlaceAnswer answer =
        alike_ ? arrange_alike(space, open, seatings, out) : arrange_mixed(space, open, seatings, out);
    if (answer == PlaceAnswer::placed) return answer;
    undecided = undecided || answer == PlaceAnswer::undecided;
  }
  return undecided ? PlaceAnswer::undecided : PlaceAnswer::no_room;
}

PlaceAnswer Arranger::arrange_alike(const Space& space, std::span<const std::uint32_t> open,
                                    const Seatings& seatings, Arrangement* out) const {
  const std::vector<RequestTask>& tasks = asking_.request.tasks;
  const Seating& seating = seatings.at(tasks.front().resources);
  const std::uint32_t most = std::min(require_.tasks_per_node.max, need_.tasks);
  std::vector<NodeOffer> offers;
  std::vector<std::uint32_t> nodes;
  const NodeSpace* before = nullptr;
  std::uint32_t room = 0;  // of that one
  for (const std::uint32_t node : open) {
    const NodeSpace& here = space.node(node);
    if (!before || !seating.are_alike(*before, here)) room = seating.capacity(space, node, most);
    before = &here;
    if (room < need_.least_per_node) continue;
    nodes.push_back(node);
    offers.push_back({room, terrain_.domains(node), terrain_.fingerprint(node), terrain_.reports(node),
                      terrain_.borrowed(node)});
  }
  NodeChoice choice;
  space.work().spend(open.size());
  const ChoiceAnswer answer = choose_nodes(offers, need_, out ? &choice : nullptr, space.work());
  if (answer != ChoiceAnswer::chosen) {
    const bool doubt = answer == ChoiceAnswer::undecided || seating.is_doubtful();
    return doubt ? PlaceAnswer::undecided : PlaceAnswer::no_room;
  }
  if (!out) return PlaceAnswer::placed;
  *out = {};
  out->outside = choice.outside;
  out->borrowed = choice.borrowed;
  std::size_t next = 0;
  std::vector<Seat> seats;
  for (const auto& [offer, count] : choice.nodes) {
    if (!seating.seat(space, nodes[offer], count, seats)) return PlaceAnswer::undecided;
    for (const Seat& seat : seats)
      out->tasks.push_back(planned_task(tasks[next++], space.node(nodes[offer]).id, seat));
  }
  return PlaceAnswer::placed;
}

PlaceAnswer Arranger::arrange_mixed(const Space& space, std::span<const std::uint32_t> open,
                                    const Seatings& seatings, Arrangement* out) const {
  return MixedArranger(asking_, space, terrain_, require_, need_, open, seatings).run(out);
}

}  // namespace cede
