// SPDX-License-Identifier: MIT
#include "search/placement.h"

#include <algorithm>
#include <bit>

namespace cede {

namespace {

const Requirement kNothingRequired;
constexpr std::size_t kMaxMixedTasks = 4096;  // the search goes as deep as there are tasks
constexpr std::size_t kMaxSteps = 200'000;    // of the search for mixed shapes

const Requirement& requirement_of(const Model& model, JobId job) {
  const RequirementId id = model.job_extras[job.value].require;
  return id ? *model.requirements[id.value] : kNothingRequired;
}

}  // namespace

Placer::Placer(const Effective& effective, const Request& request)
    : effective_(effective),
      model_(effective.model()),
      request_(request),
      require_(requirement_of(effective.model(), request.job)),
      gpu_(effective.model().find_resource("gpu")),
      asked_(effective.model().resources.size(), 0),
      by_group_(effective.model().resources.size(), false) {
  for (const ResourceAmount& entry : model_.shape(model_.groups[model_.jobs[request.job].group].resources)) {
    by_group_[entry.resource] = true;
  }
  for (const RequestTask& task : request.tasks) {
    for (const ResourceAmount& entry : model_.shape(task.resources)) asked_[entry.resource] += entry.amount;
    alike_ = alike_ && task.resources == request.tasks.front().resources && task.required_node == kNoName;
  }
}

std::vector<Placer::Lacking> Placer::lacking_queue_room(const Space& space) const {
  std::vector<Lacking> lacking;
  for (QueueId queue = model_.jobs[request_.job].queue; queue; queue = model_.queues[queue].parent) {
    for (const ResourceAmount& bound : model_.shape(model_.queues[queue].max)) {
      const Total over = space.usage(queue, bound.resource) + asked_[bound.resource] - bound.amount;
      if (over > 0 && asked_[bound.resource] > 0) lacking.push_back({queue, bound.resource, over});
    }
  }
  return lacking;
}

bool Placer::has_queue_room(const Space& space) const { return lacking_queue_room(space).empty(); }

bool Placer::has_group_room(const Space& space) const {
  for (std::uint32_t r = 0; r < asked_.size(); ++r) {
    if (by_group_[r] && asked_[r] > 0 && asked_[r] > space.group_free(r)) return false;
  }
  return true;
}

// Takes room for one task of the shape on the node, with the lowest devices that do.
bool Placer::seat(NodeSpace& node, ShapeId shape, Seat& out) const {
  out = {};
  Amount gpus = 0;
  for (const ResourceAmount& entry : model_.shape(shape)) {
    if (by_group_[entry.resource]) continue;
    if (node.free[entry.resource] < entry.amount) return false;
    if (entry.resource == gpu_) gpus = entry.amount;
  }
  if (gpus > 0 && node.devices > 0) {
    if (node.unknown_holders > 0) {
      out.devices_known = false;  // how many are free is certain, which ones is not
    } else {
      DeviceMask free = node.free_devices();
      const auto whole = static_cast<int>(gpus / kOne);
      out.share = static_cast<std::uint32_t>(gpus % kOne);
      if (out.share > 0) {
        for (std::uint32_t d = 0; d < node.devices && out.share_device == kMaxDevices; ++d) {
          const bool begun = node.shared[d] > 0 && (node.whole >> d & 1) == 0;
          if (begun && node.shared[d] + out.share <= static_cast<std::uint32_t>(kOne)) out.share_device = d;
        }
        if (out.share_device == kMaxDevices && free != 0) {
          out.share_device = static_cast<std::uint32_t>(std::countr_zero(free));
        }
        if (out.share_device == kMaxDevices) return false;
        free &= ~(DeviceMask{1} << out.share_device);
      }
      if (std::popcount(free) < whole) return false;
      for (int i = 0; i < whole; ++i) {
        const DeviceMask lowest = free & (~free + 1);
        out.gpus |= lowest;
        free &= ~lowest;
      }
      node.whole |= out.gpus;
      if (out.share > 0)
        node.shared[out.share_device] = static_cast<std::uint16_t>(node.shared[out.share_device] + out.share);
    }
  }
  for (const ResourceAmount& entry : model_.shape(shape)) {
    if (!by_group_[entry.resource]) node.free[entry.resource] -= entry.amount;
  }
  return true;
}

void Placer::unseat(NodeSpace& node, ShapeId shape, const Seat& seat) const {
  for (const ResourceAmount& entry : model_.shape(shape)) {
    if (!by_group_[entry.resource]) node.free[entry.resource] += entry.amount;
  }
  node.whole &= ~seat.gpus;
  if (seat.share > 0 && seat.devices_known) {
    node.shared[seat.share_device] = static_cast<std::uint16_t>(node.shared[seat.share_device] - seat.share);
  }
}

PlannedTask Placer::planned(const RequestTask& asked, NodeId node, const Seat& seat) {
  PlannedTask task;
  task.task = asked.row;
  task.index = asked.index;
  task.node = node;
  task.gpus = seat.gpus;
  task.devices_known = seat.devices_known;
  if (seat.devices_known && seat.share > 0) {
    task.share_device = seat.share_device;
    task.share = seat.share;
  }
  return task;
}

PlaceAnswer Placer::place(Space& space, std::vector<PlannedTask>* out, NodeId only) const {
  if (out) out->clear();
  if (!has_group_room(space)) return PlaceAnswer::no_room;
  return alike_ ? place_alike(space, out, only) : place_mixed(space, out, only);
}

// All tasks are alike: how many fit on each node decides. Of m nodes that take at least `tasks_per_node.min`
// each, the roomiest m hold the most; the request fits if for some allowed m that is enough and m × min is
// not too many.
PlaceAnswer Placer::place_alike(Space& space, std::vector<PlannedTask>* out, NodeId only) const {
  const auto wanted = static_cast<std::uint32_t>(request_.tasks.size());
  const ShapeId shape = request_.tasks.front().resources;
  const std::uint32_t least = std::max<std::uint32_t>(require_.tasks_per_node.min, 1);
  const std::uint32_t most = std::min(require_.tasks_per_node.max, wanted);
  struct Room {
    std::size_t node;
    std::uint32_t tasks;
  };
  std::vector<Room> rooms;
  std::uint64_t total = 0;
  const std::span<NodeSpace> nodes = space.nodes();
  const bool counts_matter = require_.nodes != Bounds{} || require_.tasks_per_node != Bounds{};
  std::vector<Seat> seats;
  for (std::size_t i = 0; i < nodes.size() && (counts_matter || total < wanted); ++i) {
    if (!nodes[i].usable || (only && nodes[i].id != only)) continue;
    seats.clear();
    Seat seat_here;
    while (seats.size() < most && seat(nodes[i], shape, seat_here)) seats.push_back(seat_here);
    for (auto back = seats.rbegin(); back != seats.rend(); ++back) unseat(nodes[i], shape, *back);
    if (seats.size() < least) continue;
    rooms.push_back({i, static_cast<std::uint32_t>(seats.size())});
    total += seats.size();
  }
  if (total < wanted) return PlaceAnswer::no_room;
  std::vector<Room> chosen = rooms;
  if (counts_matter) {
    std::stable_sort(chosen.begin(), chosen.end(),
                     [](const Room& a, const Room& b) { return a.tasks > b.tasks; });
    std::uint64_t held = 0;
    std::size_t count = 0;
    const std::size_t upper = std::min<std::size_t>(chosen.size(), require_.nodes.max);
    while (count < upper && (held < wanted || count < require_.nodes.min)) held += chosen[count++].tasks;
    if (held < wanted || count < require_.nodes.min || count * std::uint64_t{least} > wanted)
      return PlaceAnswer::no_room;
    chosen.resize(count);
    std::sort(chosen.begin(), chosen.end(), [](const Room& a, const Room& b) { return a.node < b.node; });
  }
  if (!out) return PlaceAnswer::placed;
  // Every chosen node gets its least, then the nodes fill up in order.
  std::vector<std::uint32_t> share(chosen.size(), counts_matter ? least : 0);
  std::uint32_t left = wanted - (counts_matter ? least * static_cast<std::uint32_t>(chosen.size()) : 0);
  for (std::size_t i = 0; i < chosen.size() && left > 0; ++i) {
    const std::uint32_t more = std::min(left, chosen[i].tasks - share[i]);
    share[i] += more;
    left -= more;
  }
  std::size_t task = 0;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    NodeSpace& node = nodes[chosen[i].node];
    seats.clear();
    for (std::uint32_t k = 0; k < share[i]; ++k, ++task) {
      Seat seat_here;
      seat(node, shape, seat_here);
      seats.push_back(seat_here);
      const RequestTask& asked = request_.tasks[task];
      out->push_back(planned(asked, node.id, seat_here));
    }
    for (auto back = seats.rbegin(); back != seats.rend(); ++back) unseat(node, shape, *back);
  }
  return PlaceAnswer::placed;
}

struct Placer::Mixed {
  std::span<NodeSpace> nodes;
  NodeId only;
  std::vector<std::uint32_t> on_node;  // tasks of the request per node
  std::uint32_t used = 0;              // nodes with at least one
  std::vector<std::size_t> at;         // node of each task
  std::vector<Seat> seats;
  std::size_t steps = 0;
};

bool Placer::place_from(Mixed& state, std::size_t task) const {
  if (task == request_.tasks.size()) {
    if (state.used < require_.nodes.min) return false;
    return std::all_of(state.on_node.begin(), state.on_node.end(),
                       [&](std::uint32_t n) { return n == 0 || n >= require_.tasks_per_node.min; });
  }
  const RequestTask& asked = request_.tasks[task];
  // Equal neighbours go to nodes in order: no arrangement is tried twice.
  const bool like_before = task > 0 && asked.resources == request_.tasks[task - 1].resources &&
                           asked.required_node == request_.tasks[task - 1].required_node;
  for (std::size_t i = like_before ? state.at[task - 1] : 0; i < state.nodes.size(); ++i) {
    NodeSpace& node = state.nodes[i];
    if (!node.usable || (state.only && node.id != state.only)) continue;
    if (asked.required_node != kNoName && model_.nodes[node.id].name != asked.required_node) continue;
    if (state.on_node[i] >= require_.tasks_per_node.max) continue;
    if (state.on_node[i] == 0 && state.used >= require_.nodes.max) continue;
    if (++state.steps > kMaxSteps) return false;
    Seat seat_here;
    if (!seat(node, asked.resources, seat_here)) continue;
    state.used += state.on_node[i]++ == 0 ? 1 : 0;
    state.at[task] = i;
    state.seats[task] = seat_here;
    if (place_from(state, task + 1)) {
      unseat(node, asked.resources, seat_here);
      return true;
    }
    unseat(node, asked.resources, seat_here);
    state.used -= --state.on_node[i] == 0 ? 1 : 0;
  }
  return false;
}

PlaceAnswer Placer::place_mixed(Space& space, std::vector<PlannedTask>* out, NodeId only) const {
  if (request_.tasks.size() > kMaxMixedTasks) return PlaceAnswer::undecided;
  Mixed state;
  state.nodes = space.nodes();
  state.only = only;
  state.on_node.assign(state.nodes.size(), 0);
  state.at.assign(request_.tasks.size(), 0);
  state.seats.resize(request_.tasks.size());
  if (!place_from(state, 0)) return state.steps > kMaxSteps ? PlaceAnswer::undecided : PlaceAnswer::no_room;
  if (out) {
    for (std::size_t i = 0; i < request_.tasks.size(); ++i) {
      const RequestTask& asked = request_.tasks[i];
      out->push_back(planned(asked, state.nodes[state.at[i]].id, state.seats[i]));
    }
  }
  return PlaceAnswer::placed;
}

}  // namespace cede
