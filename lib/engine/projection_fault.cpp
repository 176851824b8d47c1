// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <tuple>

#include "engine/project_cluster.h"

namespace cede {

namespace {

// Compares everything that planning sees, with the ids: both projections place the same tasks in the same
// order.
class ProjectionComparison {
 public:
  ProjectionComparison(const ProjectedCluster& kept, const ProjectedCluster& fresh)
      : a_(*kept.model), b_(*fresh.model), known_(kept.in_flight), fresh_(fresh.in_flight) {}

  std::string fault() {
    compare_tasks();
    compare_jobs();
    compare_nodes();
    compare_in_flight();
    return fault_;
  }

 private:
  void expect(bool same, const std::string& what) {
    if (!same && fault_.empty()) fault_ = what;
  }

  bool is_same_task(TaskId id) const {
    const TaskCore& a = a_.tasks.core(id);
    const TaskCore& b = b_.tasks.core(id);
    if (a.job != b.job || a.node != b.node || a.next_on_node != b.next_on_node ||
        a.previous_on_node != b.previous_on_node || a.resources != b.resources || a.count != b.count ||
        a.gpus != b.gpus || a.gpus_given != b.gpus_given || a.counted != b.counted)
      return false;
    const TaskExtras& of_a = a_.tasks.extras(id);
    const TaskExtras& of_b = b_.tasks.extras(id);
    const auto shares_a = a_.shares(of_a);
    const auto shares_b = b_.shares(of_b);
    const auto same_share = [](const DeviceShare& x, const DeviceShare& y) {
      return x.device == y.device && x.share == y.share;
    };
    return (of_a.name == kNoName) == (of_b.name == kNoName) &&
           (of_a.name == kNoName || a_.job_names.view(of_a.name) == b_.job_names.view(of_b.name)) &&
           of_a.started == of_b.started &&
           std::equal(shares_a.begin(), shares_a.end(), shares_b.begin(), shares_b.end(), same_share);
  }

  void compare_tasks() {
    expect(a_.tasks.id_bound() == b_.tasks.id_bound(), "the number of task rows");
    for (std::size_t i = 0; i < a_.tasks.id_bound() && fault_.empty(); ++i)
      expect(is_same_task(TaskId{i}), "task row " + std::to_string(i));
  }

  void compare_jobs() {
    a_.jobs.for_each([&](JobId id, const JobCore& a) {
      const JobCore& b = b_.jobs[id];
      expect(a.first_task == b.first_task && a.task_rows == b.task_rows && a.state == b.state &&
                 a_.job_times[id.value].started == b_.job_times[id.value].started,
             "job '" + std::string(a_.job_name(id)) + "'");
    });
  }

  void compare_nodes() {
    a_.nodes.for_each([&](NodeId id, const NodeRow& a) {
      const NodeRow& b = b_.nodes[id];
      expect(a.first_task == b.first_task && a.tasks == b.tasks,
             "node '" + std::string(a_.name(a.name)) + "'");
    });
  }

  static bool same_amounts(const std::vector<ResourceAmount>& a, const std::vector<ResourceAmount>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const ResourceAmount& x, const ResourceAmount& y) {
                        return x.resource == y.resource && x.amount == y.amount;
                      });
  }

  static bool same_hold(const InFlight::Hold& a, const InFlight::Hold& b) { return a == b; }

  static bool same_blocked(const InFlight::Blocked& a, const InFlight::Blocked& b) {
    const auto same_share = [](const DeviceShare& x, const DeviceShare& y) {
      return x.device == y.device && x.share == y.share;
    };
    return a.entry == b.entry && a.node == b.node && a.group == b.group && a.gpus == b.gpus &&
           a.unknown == b.unknown && a.whole_node == b.whole_node && a.queue == b.queue &&
           same_amounts(a.amounts, b.amounts) &&
           std::equal(a.shares.begin(), a.shares.end(), b.shares.begin(), b.shares.end(), same_share);
  }

  static bool same_surplus(const InFlight::QueueSurplus& a, const InFlight::QueueSurplus& b) {
    return a.entry == b.entry && a.group == b.group && a.queue == b.queue && a.resource == b.resource &&
           a.amount == b.amount;
  }

  static bool same_room(const InFlight::Room& a, const InFlight::Room& b) {
    return a.entry == b.entry && a.job == b.job &&
           std::equal(a.blocked.begin(), a.blocked.end(), b.blocked.begin(), b.blocked.end(), same_blocked) &&
           std::equal(a.surplus.begin(), a.surplus.end(), b.surplus.begin(), b.surplus.end(), same_surplus);
  }

  static std::vector<InFlight::Hold> holds_of(const InFlight& in_flight) {
    std::vector<InFlight::Hold> out;
    in_flight.each_hold([&](const InFlight::Hold& hold) { out.push_back(hold); });
    return out;
  }
  static std::vector<InFlight::Room> rooms_of(const InFlight& in_flight) {
    std::vector<InFlight::Room> out;
    in_flight.each_room([&](const InFlight::Room& room) { out.push_back(room); });
    return out;
  }
  using Sums = std::map<std::tuple<GroupId, QueueId, std::uint32_t>, Total>;
  static Sums sums_of(const InFlight& in_flight) {
    Sums out;
    in_flight.each_surplus_sum([&](const InFlight::QueueSurplus& each) {
      if (each.amount != 0) out[{each.group, each.queue, each.resource}] += each.amount;
    });
    return out;
  }

  void compare_in_flight() {
    const auto same = [](const auto& a, const auto& b, auto equal) {
      return std::equal(a.begin(), a.end(), b.begin(), b.end(), equal);
    };
    expect(known_.leaving == fresh_.leaving, "the leaving tasks");
    expect(same(holds_of(known_), holds_of(fresh_), same_hold), "the holds");
    expect(same(rooms_of(known_), rooms_of(fresh_), same_room), "the room that entries keep");
    expect(sums_of(known_) == sums_of(fresh_), "the surplus of queues");
    for (const InFlight::Hold& hold : holds_of(fresh_))
      expect(known_.hold(hold.job) && known_.hold(hold.job)->entry == hold.entry, "the holds by job");
    expect(known_.requesters == fresh_.requesters, "the requesters");
    expect(known_.relief == fresh_.relief, "the relief targets");
  }

  const Model& a_;
  const Model& b_;
  const InFlight& known_;
  const InFlight& fresh_;
  std::string fault_;
};

}  // namespace

std::string projection_fault(const ProjectedCluster& kept, const ProjectedCluster& fresh) {
  return ProjectionComparison(kept, fresh).fault();
}

}  // namespace cede
