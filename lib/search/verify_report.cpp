// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>

#include "base/bits.h"
#include "policy/composition.h"
#include "search/plan_facts.h"

namespace cede::plan_check {

std::string objective(const PlanFacts& facts) {
  const Plan& plan = facts.plan;
  if (plan.outcome != Outcome::preempt)
    return plan.objective.empty() ? std::string{} : "an objective without victims";
  const std::vector<Unit> units = facts.victim_units();
  const auto count = static_cast<std::int64_t>(units.size());
  const auto last_resort =
      std::count_if(units.begin(), units.end(), [](const Unit& unit) { return unit.last_resort; });
  std::int64_t price = 0;
  for (const PlannedVictim& victim : plan.victims) price += victim.cost;
  for (const Criterion& criterion : plan.objective) {
    const auto is = [&](std::string_view name, std::int64_t value) {
      return criterion.name == name && criterion.number != value;
    };
    if (is("last-resort", last_resort)) return "last-resort is " + std::to_string(last_resort);
    if (is("victims", count) || is("number", count))
      return std::string(criterion.name) + " is " + std::to_string(count);
    if (is("price", price) || is("lost-work", price)) return "the price is " + std::to_string(price);
    if (criterion.kind == Criterion::Kind::counts) {
      std::int64_t sum = 0;
      for (const auto& [value, number] : criterion.counts) sum += number;
      if (sum != count) return std::string(criterion.name) + " counts " + std::to_string(sum) + " units";
    }
  }
  if (plan.objective.empty() || plan.objective.front().name != "last-resort")
    return "it does not begin with last-resort";
  return plan.proven <= plan.objective.size() ? std::string{} : "more entries are proven than there are";
}

std::string cost(const PlanFacts& facts) {
  std::int64_t sum = 0;
  for (const PlannedVictim& victim : facts.plan.victims) {
    std::int64_t parts = 0;
    for (const CostPart& part : victim.cost_parts) parts += part.value;
    if (parts != victim.cost) return facts.job_name(victim.job) + "'s parts do not add up to its cost";
    sum += victim.cost;
  }
  if (sum != facts.plan.cost) return "the victims' costs add up to " + std::to_string(sum);
  return facts.plan.bound <= facts.plan.cost ? std::string{} : "the bound is above the cost";
}

std::string start_times(const PlanFacts& facts) {
  const Plan& plan = facts.plan;
  if (!facts.yes())
    return plan.expected_start == kNoTime ? std::string{} : "a start is promised that will not come";
  Duration expected = 0;
  Duration latest = 0;
  for (const PlannedVictim& victim : plan.victims) {
    if (victim.hold != 0) continue;
    const WayOutTime time = leaving_time(facts.effective, victim.job, {victim.action, victim.requeue});
    expected = std::max(expected, time.expected);
    if (latest != kNoDuration)
      latest = time.latest == kNoDuration ? kNoDuration : std::max(latest, time.latest);
  }
  // Of the victims of others it is not known here how slow they are.
  const bool waits = !plan.after.empty();
  if (waits ? plan.expected_start < plan.now + expected : plan.expected_start != plan.now + expected)
    return "expected_start is not that of the slowest victim";
  const Time slowest = latest == kNoDuration ? kNoTime : plan.now + latest;
  const bool later =
      waits && (plan.latest_start == kNoTime || (slowest != kNoTime && plan.latest_start > slowest));
  return plan.latest_start == slowest || later ? std::string{}
                                               : "latest_start is not that of the slowest victim";
}

bool enough_devices(const PlanFacts& facts) {
  const std::uint32_t gpu = facts.model.find_resource("gpu");
  if (gpu == ResourceId::kNoValue) return true;
  std::map<std::uint32_t, Amount> wanted;
  for (const PlannedTask& task : facts.plan.placement)
    wanted[task.node.value] += amount_of(facts.model.shape(facts.model.tasks.core(task.task).resources), gpu);
  for (const auto& [id, amount] : wanted) {
    const NodeRow& node = facts.model.nodes[NodeId{id}];
    const std::uint32_t devices = facts.model.device_count(node);
    if (devices == 0 || amount == 0) continue;
    DeviceMask busy = 0;
    Amount unknown = 0;  // devices held by who does not say which; a part of one counts as one
    for (TaskId t = node.first_task; t; t = facts.model.tasks.core(t).next_on_node) {
      if (facts.gone.contains(t.value)) continue;
      const TaskCore& core = facts.model.tasks.core(t);
      if (!core.gpus_given) unknown += (amount_of(facts.model.shape(core.resources), gpu) + kOne - 1) / kOne;
      busy |= core.gpus;
      for (const DeviceShare& share : facts.model.shares(facts.model.tasks.extras(t)))
        busy |= DeviceMask{1} << share.device;
    }
    for (const InFlight::Blocked* each : facts.kept_from_it(NodeId{id})) {
      unknown += each->unknown;
      busy |= each->gpus;
      for (const DeviceShare& share : each->shares) busy |= DeviceMask{1} << share.device;
    }
    if ((static_cast<Amount>(devices) - count_bits(busy) - unknown) * kOne < amount) return false;
  }
  return true;
}

namespace {

// Whether the request could do with fewer victims: assignments of tasks to nodes, devices by number only.
// Says yes only where that is certain, so requests with entries about devices are not judged, and neither is
// more than a fixed number of assignments.
class Trial {
 public:
  explicit Trial(const PlanFacts& facts)
      : request_(facts.request),
        plan_(without_placement(facts.plan)),
        facts_(plan_, facts.effective.policies(), facts.effective.policy(), &facts.usage) {
    for (const std::uint32_t task : facts.gone) touched_.insert(facts.model.tasks.core(TaskId{task}).node);
    std::vector<NodeId> others;
    facts.model.nodes.for_each([&](NodeId id, const NodeRow& row) {
      if (row.group == facts.group() && row.state == NodeState::up && !touched_.contains(id))
        others.push_back(id);
    });
    untouched_ = taking(others);
  }

  // With these tasks gone and no others.
  bool fits(const std::set<std::uint32_t>& gone) {
    facts_.gone = gone;
    nodes_ = taking({touched_.begin(), touched_.end()});
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      nodes_[i].insert(nodes_[i].end(), untouched_[i].begin(), untouched_[i].end());
    left_ = std::min(kBudget, total_);
    const std::size_t before = left_;
    const bool found = place_from(0);
    total_ -= before - left_;
    return found;
  }

 private:
  static constexpr std::size_t kBudget = 2'000;
  static constexpr std::size_t kTotal = 20'000;

  // By task, those of the nodes that take it alone: what they do not take alone they do not take beside
  // others.
  std::vector<std::vector<NodeId>> taking(const std::vector<NodeId>& nodes) {
    std::vector<std::vector<NodeId>> out;
    std::map<ShapeId, std::size_t> known;
    for (std::size_t i = 0; i < request_.tasks.size(); ++i) {
      const RequestTask& task = request_.tasks[i];
      const bool bound = task.required_node != kNoName;
      if (const auto like = known.find(task.resources); !bound && like != known.end()) {
        out.push_back(out[like->second]);
        continue;
      }
      std::vector<NodeId>& own = out.emplace_back();
      for (const NodeId node : nodes) {
        if (own.size() == kBudget) break;
        place(i, node);
        facts_.read_placement();
        if (plan_check::nodes(facts_).empty() && node_space(facts_).empty() && enough_devices(facts_))
          own.push_back(node);
        plan_.placement.pop_back();
      }
      if (!bound) known.emplace(task.resources, i);
    }
    return out;
  }

  bool place_from(std::size_t task) {
    if (left_ == 0) return false;
    --left_;
    if (task == request_.tasks.size()) {
      facts_.read_placement();
      return node_space(facts_).empty() && enough_devices(facts_) && group_space(facts_).empty() &&
             queue_max(facts_).empty() && spread_over_nodes(facts_).empty() && network(facts_).empty() &&
             conformance(facts_).empty() && exclusivity(facts_).empty();
    }
    for (const NodeId node : nodes_[task]) {
      place(task, node);
      const bool done = place_from(task + 1);
      plan_.placement.pop_back();
      if (done) return true;
    }
    return false;
  }

  static Plan without_placement(const Plan& plan) {
    Plan out = plan;
    out.outcome = Outcome::fits;
    out.placement.clear();
    return out;
  }
  void place(std::size_t task, NodeId node) {
    PlannedTask planned;
    planned.task = request_.tasks[task].row;
    planned.index = request_.tasks[task].index;
    planned.node = node;
    plan_.placement.push_back(planned);
  }

  const Request& request_;
  Plan plan_;
  PlanFacts facts_;
  std::set<NodeId> touched_;                    // where a victim is
  std::vector<std::vector<NodeId>> untouched_;  // by task: other nodes that take it
  std::vector<std::vector<NodeId>> nodes_;      // by task: all that take it
  std::size_t left_ = 0;
  std::size_t total_ = kTotal;
};

}  // namespace

// Without any one victim, what the others leave is not enough; what is relieved in part would be more over.
std::string minimal(const PlanFacts& facts) {
  if (facts.plan.outcome != Outcome::preempt || facts.request.is_claim() || facts.plan.placement.size() > 6)
    return {};
  const Requirement& require = facts.require();
  const bool judged = require.gpus.empty() && !require.nic.given && require.gpu_models.empty() &&
                      require.uniform_model == UniformModel::off && require.cpu_numa == CpuNuma::none;
  const std::uint32_t gpu = facts.model.find_resource("gpu");
  const bool in_parts =
      std::any_of(facts.request.tasks.begin(), facts.request.tasks.end(), [&](const RequestTask& t) {
        return gpu != ResourceId::kNoValue && amount_of(facts.model.shape(t.resources), gpu) % kOne != 0;
      });
  // Where victims must be on the node of the placement, whether those that free what the group counts may be
  // elsewhere decides about other nodes; that is not judged here.
  const bool of_group =
      std::any_of(facts.request.tasks.begin(), facts.request.tasks.end(), [&](const RequestTask& task) {
        const ResourceView shape = facts.model.shape(task.resources);
        return std::any_of(shape.begin(), shape.end(), [&](const ResourceAmount& entry) {
          return entry.amount > 0 && facts.counted_by_group(entry.resource);
        });
      });
  const bool one_node =
      facts.for_job() &&
      composition(facts.effective.profile()).one_node(facts.rule_context) != OneNode::anywhere;
  if (!judged || in_parts || (of_group && one_node)) return {};
  if (facts.for_job()) {
    Trial trial(facts);
    for (const Unit& unit : facts.victim_units()) {
      std::set<std::uint32_t> gone = facts.gone;
      for (const TaskId task : unit.tasks) gone.erase(task.value);
      if (trial.fits(gone)) return facts.job_name(unit.job) + " need not give way";
    }
    return {};
  }
  const PlanFacts::Amounts stays = held_by_target(facts);
  const PlanFacts::Amounts over = over_limit(facts, stays);
  for (const Unit& unit : facts.victim_units()) {
    PlanFacts::Amounts with = stays;
    for (const TaskId task : unit.tasks) {
      if (!is_of_target(facts, task)) continue;
      for (const ResourceAmount& entry : facts.model.shape(facts.model.tasks.core(task).resources))
        with[entry.resource] += entry.amount;
    }
    if (over_limit(facts, with) == over) return facts.job_name(unit.job) + " need not give way";
  }
  return {};
}

}  // namespace cede::plan_check
