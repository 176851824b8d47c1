// SPDX-License-Identifier: MIT
#include "verify/trial.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "verify/devices.h"
#include "verify/plan_checks.h"
#include "verify/topology.h"
#include "verify/triggers.h"

namespace cede {

namespace {

constexpr std::size_t kBudget = 2'000;  // assignments per call of fits()
constexpr std::size_t kTotal = 20'000;  // assignments in total
constexpr std::size_t kMostTasks = 6;
constexpr std::size_t kMostKinds = 64;  // of waiting tasks that are tried alone

Plan without_placement(const Plan& plan) {
  Plan out = plan;
  out.outcome = Outcome::fits;
  out.placement.clear();
  return out;
}

// Whether what stays on the node leaves the amounts that the task asks for: a first look, because nearly all
// nodes of a busy cluster are full. What is kept for others is looked at later.
bool has_amounts(const PlanFacts& facts, NodeId node, TaskId task) {
  const Model& model = facts.model;
  const NodeRow& row = model.nodes[node];
  const ResourceView asked = model.shape(model.tasks.core(task).resources);
  const ResourceView capacity = model.shape(row.resources);
  return std::all_of(asked.begin(), asked.end(), [&](const ResourceAmount& each) {
    if (facts.counted_by_group(each.resource)) return true;
    Total left = amount_of(capacity, each.resource) - each.amount;
    for (TaskId t = row.first_task; t && left >= 0; t = model.tasks.core(t).next_on_node) {
      const Amount held = amount_of(model.shape(model.tasks.core(t).resources), each.resource);
      if (held > 0 && !facts.gone().contains(t)) left -= held;
    }
    return left >= 0;
  });
}

}  // namespace

bool Trial::can_judge(const PlanFacts& facts) {
  const Requirement& require = facts.require();
  const bool about_devices = !require.gpus.empty() || require.nic.given || !require.gpu_models.empty() ||
                             require.uniform_model != UniformModel::off || require.cpu_numa != CpuNuma::none;
  const bool in_parts = std::any_of(
      facts.wanted().begin(), facts.wanted().end(),
      [&](const PlanFacts::Wanted& task) { return facts.amount(task.row, facts.gpu) % kOne != 0; });
  return facts.for_job() && facts.wanted().size() <= kMostTasks && !about_devices && !in_parts;
}

Trial::Trial(const PlanFacts& facts, const TaskSet& may_go)
    : plan_(without_placement(facts.plan)),
      facts_(plan_, facts.effective.policies(), facts.effective.policy(), &facts.usage, facts.choice()),
      total_(kTotal) {
  const UsableNodes usable(facts_);
  std::set<NodeId> touched;
  for (const std::uint32_t row : may_go.rows()) touched.insert(facts.model.tasks.core(TaskId{row}).node);
  std::vector<NodeId> others;
  facts.model.nodes.for_each([&](NodeId id, const NodeRow&) {
    if (usable.fault(id).empty()) (touched.contains(id) ? touched_ : others).push_back(id);
  });
  facts_.set_gone(may_go);
  untouched_ = taking(others);
}

// Every complete assignment is checked in full, so a superfluous node in the list does no harm.
bool Trial::fits(const TaskSet& gone) {
  facts_.set_gone(gone);
  nodes_ = taking(touched_);
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    nodes_[i].insert(nodes_[i].end(), untouched_[i].begin(), untouched_[i].end());
  left_ = std::min(kBudget, total_);
  const std::size_t before = left_;
  const bool found = place_from(0);
  total_ -= before - left_;
  return found;
}

// For each task, the nodes that can take it alone. A node that cannot take a task alone cannot take it
// together with others.
std::vector<std::vector<NodeId>> Trial::taking(const std::vector<NodeId>& nodes) {
  std::vector<std::vector<NodeId>> out;
  std::map<std::pair<ShapeId, NameId>, std::size_t> known;  // by shape and required node
  for (std::size_t i = 0; i < facts_.wanted().size(); ++i) {
    const TaskId row = facts_.wanted()[i].row;
    const NameId required = facts_.model.tasks.extras(row).required_node;
    const std::pair shape{facts_.model.tasks.core(row).resources, required};
    if (const auto like = known.find(shape); like != known.end()) {
      out.push_back(out[like->second]);
      continue;
    }
    known.emplace(shape, i);
    std::vector<NodeId>& own = out.emplace_back();
    for (const NodeId node : nodes) {
      if (own.size() == kBudget) break;
      if (required != kNoName && required != facts_.model.nodes[node].name) continue;
      if (!has_amounts(facts_, node, row)) continue;
      place(i, node);
      facts_.read_placement();
      if (plan_check::node_space(facts_).empty() && has_enough_devices(facts_)) own.push_back(node);
      plan_.placement.pop_back();
    }
  }
  return out;
}

bool Trial::place_from(std::size_t task) {
  if (left_ == 0) return false;
  --left_;
  if (task == facts_.wanted().size()) {
    using namespace plan_check;
    facts_.read_placement();
    if (!has_enough_devices(facts_)) return false;
    for (const auto check :
         {node_space, group_space, queue_max, spread_over_nodes, network, conformance, exclusivity, home}) {
      if (!check(facts_).empty()) return false;
    }
    return true;
  }
  for (const NodeId node : nodes_[task]) {
    place(task, node);
    const bool done = place_from(task + 1);
    plan_.placement.pop_back();
    if (done) return true;
  }
  return false;
}

void Trial::place(std::size_t task, NodeId node) {
  PlannedTask planned;
  planned.task = facts_.wanted()[task].row;
  planned.index = facts_.wanted()[task].index;
  planned.node = node;
  plan_.placement.push_back(planned);
}

}  // namespace cede

// Without any single victim, some need is not met.

namespace cede::plan_check {

namespace {

// If victims must be on the nodes of the placement, but victims for resources of the group may be elsewhere,
// another placement may not be allowed. Such requests are not judged here.
bool hinges_on_one_node(const PlanFacts& facts) {
  const bool one_node = facts.is(Profile::fair_share) ||
                        (facts.is(Profile::guarantee) && !facts.flag(Setting::cross_node, facts.queue()));
  return one_node && std::any_of(facts.asked().begin(), facts.asked().end(), [&](const auto& asked) {
           return asked.second > 0 && facts.counted_by_group(asked.first);
         });
}

// Without any single victim, the target of relief, even of partial relief, would be further over its limit.
std::string relief_is_minimal(const PlanFacts& facts) {
  const PlanFacts::Amounts held = held_by_target(facts);
  const PlanFacts::Amounts over = over_limit(facts, held);
  for (const VictimUnit& unit : facts.units()) {
    PlanFacts::Amounts with = held;
    for (const TaskId task : unit.tasks) {
      if (!is_of_target(facts, task)) continue;
      for (const ResourceAmount& entry : facts.model.shape(facts.model.tasks.core(task).resources))
        with[entry.resource] += entry.amount;
    }
    if (over_limit(facts, with) == over) return facts.job_name(unit.job) + " need not give way";
  }
  return {};
}

}  // namespace

// Tasks of a job that is not a gang start as they fit. A plan without victims serves the first task that fits
// alone, with as many of those equal to it as fit too. Any other answer is given only if no task fits alone.
std::string free_first(const PlanFacts& facts) {
  const bool undecided = facts.plan.outcome == Outcome::in_progress || facts.plan.rule == "not-waiting" ||
                         facts.plan.rule == "topology-unknown" || facts.plan.rule == "undecided";
  if (!facts.for_job() || undecided || facts.effective.is_gang(facts.requester())) return {};
  const auto fits = [&](PlanFacts::Choice choice) {
    Plan question = facts.plan;
    question.outcome = Outcome::fits;
    question.victims.clear();
    question.placement.clear();
    question.after.clear();
    const PlanFacts other(question, facts.effective.policies(), facts.effective.policy(), &facts.usage,
                          choice);
    return Trial::can_judge(other) && quota(other).empty() && job_max(other).empty() &&
           Trial(other, {}).fits({});
  };
  const auto name = [&](const PlanFacts::Wanted& task) {
    return "task " + quote(facts.model.task_name(
                         facts.model.jobs[facts.requester()],
                         task.row.value - facts.model.jobs[facts.requester()].first_task.value));
  };
  const bool started = facts.plan.outcome == Outcome::fits;
  const auto [chosen, tasks] = facts.choice();
  for (std::size_t i = 0; i < std::min(started ? chosen : facts.request_count(), kMostKinds); ++i) {
    if (fits({i, 1})) return name(facts.request(i, 1).front()) + " fits without victims and comes first";
  }
  if (!started || facts.request_count() == 0) return {};
  const std::vector<PlanFacts::Wanted> more = facts.request(chosen, tasks + 1);
  if (more.size() > tasks && fits({chosen, tasks + 1}))
    return name(more.back()) + " fits without victims too";
  return {};
}

std::string minimal(const PlanFacts& facts) {
  if (facts.plan.outcome != Outcome::preempt || facts.subject.is_claim()) return {};
  if (facts.subject.is_relief()) return relief_is_minimal(facts);
  if (!Trial::can_judge(facts) || hinges_on_one_node(facts)) return {};
  Trial trial(facts, facts.gone());
  for (const VictimUnit& unit : facts.units()) {
    if (trial.fits(facts.gone().without(unit.tasks))) return facts.job_name(unit.job) + " need not give way";
  }
  return {};
}

}  // namespace cede::plan_check
