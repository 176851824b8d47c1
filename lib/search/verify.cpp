// SPDX-License-Identifier: MIT
#include "search/verify.h"

#include <algorithm>
#include <bit>
#include <map>
#include <set>

#include "base/text.h"
#include "policy/effective.h"
#include "policy/profiles/priority.h"

namespace cede {

namespace {

using Amounts = std::map<std::uint32_t, Total>;  // by resource

class Verifier {
 public:
  Verifier(const Plan& plan, const PolicySet& policies, const Policy& policy)
      : plan_(plan), model_(plan.model), effective_(plan.model, policies, policy) {
    for (const PlannedVictim& victim : plan.victims) {
      for (const TaskId task : victim.tasks) gone_.insert(task.value);
    }
  }

  std::string run() {
    using Check = std::string (Verifier::*)() const;
    static constexpr std::pair<std::string_view, Check> kChecks[] = {
        {"outcome", &Verifier::outcome},
        {"victims-run", &Verifier::victims_run},
        {"victims-once", &Verifier::victims_once},
        {"units", &Verifier::units},
        {"eligible", &Verifier::eligible},
        {"actions", &Verifier::actions},
        {"whole-request", &Verifier::whole_request},
        {"nodes", &Verifier::nodes},
        {"node-space", &Verifier::node_space},
        {"devices", &Verifier::devices},
        {"group-space", &Verifier::group_space},
        {"queue-max", &Verifier::queue_max},
        {"spread-over-nodes", &Verifier::spread},
        {"max-victims", &Verifier::max_victims},
        {"objective", &Verifier::objective},
        {"cost", &Verifier::cost},
        {"start-times", &Verifier::start_times},
        {"minimal", &Verifier::minimal},
    };
    for (const auto& [name, check] : kChecks) {
      const std::string found = (this->*check)();
      if (!found.empty()) return std::string(name) + ": " + found;
    }
    return {};
  }

 private:
  std::string job_name(JobId id) const { return quote(model_.job_name(id)); }
  std::string node_name(NodeId id) const { return quote(model_.name(model_.nodes[id].name)); }
  bool yes() const { return plan_.outcome == Outcome::preempt || plan_.outcome == Outcome::fits; }
  Request request() const { return make_request(effective_, plan_.job); }
  std::vector<TaskId> placed_tasks(JobId id) const {
    std::vector<TaskId> out;
    const JobCore& job = model_.jobs[id];
    for (std::uint32_t k = 0; k < job.task_rows; ++k) {
      const TaskId task{job.first_task.value + k};
      if (model_.tasks.core(task).node) out.push_back(task);
    }
    return out;
  }

  std::string outcome() const {
    if (plan_.outcome == Outcome::preempt && plan_.victims.empty()) return "it preempts, but nobody";
    if (plan_.outcome == Outcome::preempt && !plan_.rule.empty())
      return "it preempts, and names a rule that says no";
    if (plan_.outcome != Outcome::preempt && !plan_.victims.empty())
      return "it names victims without preempting";
    if (plan_.outcome != Outcome::preempt && plan_.rule.empty()) return "no rule is named";
    if (!yes() && !plan_.placement.empty()) return "the answer is no, and a placement is named";
    if (plan_.reason.empty()) return "no reason is given";
    return {};
  }

  std::string victims_run() const {
    for (const PlannedVictim& victim : plan_.victims) {
      if (!model_.jobs.is_live(victim.job)) return "a victim is not a job of this cluster";
      if (victim.tasks.empty()) return job_name(victim.job) + " is a victim without a task";
      for (const TaskId task : victim.tasks) {
        if (task.value >= model_.tasks.id_bound() || model_.tasks.core(task).job != victim.job) {
          return job_name(victim.job) + " names a task of another job";
        }
        if (!model_.tasks.core(task).node) return job_name(victim.job) + " names a task that waits";
      }
    }
    return {};
  }

  std::string victims_once() const {
    std::set<std::uint32_t> jobs;
    std::size_t tasks = 0;
    for (const PlannedVictim& victim : plan_.victims) {
      if (!jobs.insert(victim.job.value).second) return job_name(victim.job) + " is listed twice";
      tasks += victim.tasks.size();
    }
    return tasks == gone_.size() ? std::string{} : "a task is listed twice";
  }

  // A gang goes whole; an elastic one whole or down to min_tasks, newest first and no originator.
  std::string units() const {
    for (const PlannedVictim& victim : plan_.victims) {
      const std::vector<TaskId> placed = placed_tasks(victim.job);
      const bool whole = victim.tasks.size() == placed.size();
      if (whole != victim.whole_job) return job_name(victim.job) + " is wrong about whole_job";
      if (whole || !effective_.is_gang(victim.job)) continue;
      const std::uint32_t least = model_.job_extras[victim.job.value].min_tasks;
      const std::size_t stays = placed.size() - victim.tasks.size();
      if (least == 0) return job_name(victim.job) + " is a gang and loses only a part";
      if (stays < least)
        return job_name(victim.job) + " would keep " + std::to_string(stays) + " tasks of at least " +
               std::to_string(least);
      for (const TaskId task : victim.tasks) {
        if (model_.tasks.extras(task).originator) return job_name(victim.job) + " loses an originator";
        std::size_t newer = 0;
        for (const TaskId other : placed) {
          if (model_.tasks.extras(other).originator) continue;
          const Time theirs = effective_.task_start(other);
          const Time own = effective_.task_start(task);
          newer += theirs > own || (theirs == own && other > task) ? 1 : 0;
        }
        if (newer >= placed.size() - least)
          return job_name(victim.job) + " loses a task that is not among its newest";
      }
    }
    return {};
  }

  std::string eligible() const {
    const Request asked = request();
    Asking asking{effective_, asked, plan_.now, {}};
    for (const PlannedVictim& victim : plan_.victims) {
      Unit unit;
      unit.job = victim.job;
      unit.tasks = victim.tasks;
      unit.priority = std::numeric_limits<std::int32_t>::min();
      unit.start = std::numeric_limits<Time>::max();
      for (const TaskId task : victim.tasks) {
        unit.priority = std::max(unit.priority, effective_.task_priority(task));
        unit.start = std::min(unit.start, effective_.task_start(task));
        if (effective_.preemptible(task) == Preemptible::no) unit.preemptible = false;
      }
      for (const auto& rule : priority_profile::eligibility()) {
        if (const auto values = rule->excludes(unit, asking)) {
          return job_name(victim.job) + " is excluded by " + std::string(rule->name()) + ": " + *values;
        }
      }
    }
    return {};
  }

  std::string actions() const {
    for (const PlannedVictim& victim : plan_.victims) {
      const priority_profile::Leaving right = priority_profile::leaving(effective_, victim.job);
      if (victim.action != right.action || victim.requeue != right.requeue) {
        return job_name(victim.job) + " leaves in another way than the policy says";
      }
    }
    return {};
  }

  std::string whole_request() const {
    if (!yes()) return {};
    std::set<std::pair<std::uint32_t, std::uint32_t>> wanted;
    for (const RequestTask& task : request().tasks) wanted.emplace(task.row.value, task.index);
    for (const PlannedTask& task : plan_.placement) {
      if (wanted.erase({task.task.value, task.index}) == 0)
        return "a task is placed that was not asked for, or twice";
    }
    return wanted.empty() ? std::string{}
                          : std::to_string(wanted.size()) + " tasks of the request are not placed";
  }

  std::string nodes() const {
    const RequirementId require = model_.job_extras[plan_.job.value].require;
    for (const PlannedTask& task : plan_.placement) {
      if (!model_.nodes.is_live(task.node)) return "a task is placed on no node of this cluster";
      const NodeRow& node = model_.nodes[task.node];
      if (node.group != model_.jobs[plan_.job].group) return node_name(task.node) + " is of another group";
      if (node.state != NodeState::up) return node_name(task.node) + " is not up";
      const NameId required = model_.tasks.extras(task.task).required_node;
      if (required != kNoName && required != node.name)
        return "a task that requires a node is on " + node_name(task.node);
      if (reserved(task.node)) return node_name(task.node) + " is reserved";
      if (!require) continue;
      const HostNeed& hosts = model_.requirements[require.value]->hosts;
      const std::string name(model_.name(node.name));
      const auto has = [&](const std::vector<std::string>& list) {
        return std::find(list.begin(), list.end(), name) != list.end();
      };
      if ((!hosts.include.empty() && !has(hosts.include)) || has(hosts.exclude)) {
        return node_name(task.node) + " is not among the hosts allowed";
      }
      for (const auto& [key, value] : hosts.labels) {
        bool found = false;
        for (const auto& [k, v] : model_.pairs(node.labels)) found = found || (k == key && v == value);
        if (!found) return node_name(task.node) + " has not the labels asked for";
      }
    }
    return {};
  }

  bool reserved(NodeId id) const {
    bool found = false;
    const Duration walltime = model_.job_times[plan_.job.value].walltime;
    model_.reservations.for_each([&](ReservationId, const ReservationRow& row) {
      const auto listed = model_.reservation_nodes(row);
      if (std::find(listed.begin(), listed.end(), id) == listed.end()) return;
      if (row.until != kNoTime && row.until <= plan_.now) return;
      if (walltime != kNoDuration && plan_.now + walltime <= row.from) return;
      bool ours =
          row.reserved_for == ReservedFor::user && model_.job_owners[plan_.job.value].user == row.user;
      ours = ours || (row.reserved_for == ReservedFor::job && model_.jobs[plan_.job].name == row.job);
      for (QueueId q = model_.jobs[plan_.job].queue; q && row.reserved_for == ReservedFor::queue;
           q = model_.queues[q].parent) {
        ours = ours || q == row.queue;
      }
      found = found || !ours;
    });
    return found;
  }

  bool by_group(std::uint32_t resource) const {
    for (const ResourceAmount& entry : model_.shape(model_.groups[model_.jobs[plan_.job].group].resources)) {
      if (entry.resource == resource) return true;
    }
    return false;
  }

  // What tasks hold that pass the filter and are not on their way out.
  template <class Filter>
  Amounts held(Filter filter) const {
    Amounts sum;
    model_.jobs.for_each([&](JobId id, const JobCore& job) {
      for (const TaskId task : placed_tasks(id)) {
        if (gone_.contains(task.value) || !filter(job, model_.tasks.core(task))) continue;
        for (const ResourceAmount& entry : model_.shape(model_.tasks.core(task).resources))
          sum[entry.resource] += entry.amount;
      }
    });
    return sum;
  }

  std::string node_space() const {
    std::map<std::uint32_t, Amounts> added;
    for (const PlannedTask& task : plan_.placement) {
      for (const ResourceAmount& entry : model_.shape(model_.tasks.core(task.task).resources)) {
        if (!by_group(entry.resource)) added[task.node.value][entry.resource] += entry.amount;
      }
    }
    for (const auto& [node, amounts] : added) {
      const NodeId id{node};
      Amounts stays = held([&](const JobCore&, const TaskCore& task) { return task.node == id; });
      for (const auto& [resource, amount] : amounts) {
        const Amount has = amount_of(model_.shape(model_.nodes[id].resources), resource);
        if (stays[resource] + amount > has) {
          return "node " + node_name(id) + " would hold " + format_total(stays[resource] + amount) + ' ' +
                 std::string(model_.resource_name(resource)) + " of " + format_amount(has);
        }
      }
    }
    return {};
  }

  std::string devices() const {
    const std::uint32_t gpu = model_.find_resource("gpu");
    std::map<std::uint32_t, DeviceMask> whole;                                // by node, taken by this plan
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> shares;  // by node and device
    for (const PlannedTask& task : plan_.placement) {
      const NodeRow& node = model_.nodes[task.node];
      const Amount asked = gpu == ResourceId::kNoValue
                               ? 0
                               : amount_of(model_.shape(model_.tasks.core(task.task).resources), gpu);
      const std::uint32_t count = model_.device_count(node);
      DeviceMask busy = 0;
      std::array<std::uint32_t, kMaxDevices> part{};
      bool unknown = false;
      for (TaskId t = node.first_task; t; t = model_.tasks.core(t).next_on_node) {
        if (gone_.contains(t.value)) continue;
        const TaskExtras& extras = model_.tasks.extras(t);
        const bool holds =
            gpu != ResourceId::kNoValue && amount_of(model_.shape(model_.tasks.core(t).resources), gpu) > 0;
        unknown = unknown || (holds && !extras.gpus_given);
        busy |= model_.tasks.core(t).gpus;
        for (const DeviceShare& share : model_.shares(extras)) part[share.device] += share.share;
      }
      const bool knowable = asked == 0 || count == 0 || !unknown;
      if (task.devices_known != knowable)
        return node_name(task.node) + " is wrong about whether its devices are known";
      if (asked == 0 || count == 0 || unknown) {
        if (task.gpus != 0 || task.share != 0)
          return "devices of " + node_name(task.node) + " are named without being known";
        continue;
      }
      if (static_cast<Amount>(std::popcount(task.gpus)) * kOne + task.share != asked) {
        return "a task is given another number of devices than it asked for";
      }
      DeviceMask named = task.gpus;
      if (task.share > 0) named |= DeviceMask{1} << task.share_device;
      if (count < kMaxDevices && named >> count != 0)
        return "a device outside node " + node_name(task.node) + " is given";
      if ((task.gpus & (busy | whole[task.node.value])) != 0)
        return "a device of " + node_name(task.node) + " is given that another holds";
      for (std::uint32_t d = 0; d < count; ++d) {
        std::uint32_t sum = part[d] + shares[{task.node.value, d}];
        if ((task.gpus >> d & 1) != 0 && sum > 0)
          return "a shared device of " + node_name(task.node) + " is given whole";
        if (task.share > 0 && d == task.share_device) {
          sum += task.share;
          if (sum > kOne || ((busy | whole[task.node.value]) >> d & 1) != 0)
            return "a device of " + node_name(task.node) + " is shared beyond 1";
          shares[{task.node.value, d}] += task.share;
        }
      }
      whole[task.node.value] |= task.gpus;
    }
    return {};
  }

  Amounts asked() const {
    Amounts sum;
    for (const PlannedTask& task : plan_.placement) {
      for (const ResourceAmount& entry : model_.shape(model_.tasks.core(task.task).resources))
        sum[entry.resource] += entry.amount;
    }
    return sum;
  }

  std::string group_space() const {
    if (!yes()) return {};
    const GroupId group = model_.jobs[plan_.job].group;
    Amounts wanted = asked();
    Amounts stays = held([&](const JobCore& job, const TaskCore&) { return job.group == group; });
    for (const ResourceAmount& entry : model_.shape(model_.groups[group].resources)) {
      if (wanted[entry.resource] > 0 && stays[entry.resource] + wanted[entry.resource] > entry.amount) {
        return "the group would use " + format_total(stays[entry.resource] + wanted[entry.resource]) + ' ' +
               std::string(model_.resource_name(entry.resource)) + " of " + format_amount(entry.amount);
      }
    }
    return {};
  }

  std::string queue_max() const {
    if (!yes()) return {};
    const GroupId group = model_.jobs[plan_.job].group;
    Amounts wanted = asked();
    for (QueueId queue = model_.jobs[plan_.job].queue; queue; queue = model_.queues[queue].parent) {
      Amounts stays = held([&](const JobCore& job, const TaskCore&) {
        bool below = false;
        for (QueueId q = job.queue; q; q = model_.queues[q].parent) below = below || q == queue;
        return below && job.group == group;
      });
      for (const ResourceAmount& bound : model_.shape(model_.queues[queue].max)) {
        if (wanted[bound.resource] > 0 && stays[bound.resource] + wanted[bound.resource] > bound.amount) {
          return "queue " + quote(model_.name(model_.queues[queue].name)) + " would use " +
                 format_total(stays[bound.resource] + wanted[bound.resource]) + ' ' +
                 std::string(model_.resource_name(bound.resource)) + " of " + format_amount(bound.amount);
        }
      }
    }
    return {};
  }

  std::string spread() const {
    const RequirementId id = model_.job_extras[plan_.job.value].require;
    if (!yes() || !id) return {};
    const Requirement& require = *model_.requirements[id.value];
    std::map<std::uint32_t, std::uint32_t> tasks;
    for (const PlannedTask& task : plan_.placement) ++tasks[task.node.value];
    if (tasks.size() < require.nodes.min || tasks.size() > require.nodes.max) {
      return std::to_string(tasks.size()) + " nodes are used, another number is required";
    }
    for (const auto& [node, count] : tasks) {
      if (count < require.tasks_per_node.min || count > require.tasks_per_node.max) {
        return node_name(NodeId{node}) + " gets " + std::to_string(count) +
               " tasks, another number is required";
      }
    }
    return {};
  }

  std::string max_victims() const {
    const std::int64_t most = effective_.setting(Setting::max_victims, model_.jobs[plan_.job].queue);
    if (most == kNoSetting || static_cast<std::int64_t>(plan_.victims.size()) <= most) return {};
    return std::to_string(plan_.victims.size()) + " jobs give way, max_victims is " + std::to_string(most);
  }

  // Units as the objective counts them: a whole gang is one, any other task is one.
  std::int64_t unit_count() const {
    std::int64_t count = 0;
    for (const PlannedVictim& victim : plan_.victims) {
      const bool one = effective_.is_gang(victim.job) && victim.whole_job;
      count += one ? 1 : static_cast<std::int64_t>(victim.tasks.size());
    }
    return count;
  }

  std::string objective() const {
    if (plan_.outcome != Outcome::preempt)
      return plan_.objective.empty() ? std::string{} : "an objective without victims";
    std::int64_t last_resort = 0;
    for (const PlannedVictim& victim : plan_.victims) {
      const bool one = effective_.is_gang(victim.job) && victim.whole_job;
      std::int64_t here = 0;
      for (const TaskId task : victim.tasks)
        here += effective_.preemptible(task) == Preemptible::last_resort ? 1 : 0;
      last_resort += one ? std::min<std::int64_t>(here, 1) : here;
    }
    for (const Criterion& criterion : plan_.objective) {
      if (criterion.name == "last-resort" && criterion.number != last_resort)
        return "last-resort is " + std::to_string(last_resort);
      if ((criterion.name == "victims" || criterion.name == "number") && criterion.number != unit_count()) {
        return std::string(criterion.name) + " is " + std::to_string(unit_count());
      }
      if (criterion.kind == Criterion::Kind::counts) {
        std::int64_t sum = 0;
        for (const auto& [value, count] : criterion.counts) sum += count;
        if (sum != unit_count())
          return std::string(criterion.name) + " counts " + std::to_string(sum) + " units";
      }
    }
    if (plan_.objective.empty() || plan_.objective.front().name != "last-resort")
      return "it does not begin with last-resort";
    if (plan_.proven > plan_.objective.size()) return "more entries are proven than there are";
    return {};
  }

  std::string cost() const {
    std::int64_t sum = 0;
    for (const PlannedVictim& victim : plan_.victims) {
      std::int64_t parts = 0;
      for (const CostPart& part : victim.cost_parts) parts += part.value;
      if (parts != victim.cost) return job_name(victim.job) + "'s parts do not add up to its cost";
      sum += victim.cost;
    }
    if (sum != plan_.cost) return "the victims' costs add up to " + std::to_string(sum);
    return plan_.bound <= plan_.cost ? std::string{} : "the bound is above the cost";
  }

  std::string start_times() const {
    if (!yes())
      return plan_.expected_start == kNoTime ? std::string{} : "a start is promised that will not come";
    Duration longest = 0;
    for (const PlannedVictim& victim : plan_.victims) {
      longest = std::max(longest, effective_.setting(Setting::grace, model_.jobs[victim.job].queue));
    }
    if (plan_.expected_start != plan_.now + longest) return "expected_start is not now and the longest grace";
    return plan_.latest_start >= plan_.expected_start ? std::string{}
                                                      : "latest_start is before expected_start";
  }

  // Without any one victim, what the others leave is not enough: tried by plain recursion over tasks and
  // nodes, for requests small enough for it.
  std::string minimal() const {
    if (plan_.outcome != Outcome::preempt || plan_.placement.size() > 6) return {};
    for (const PlannedVictim& victim : plan_.victims) {
      const bool one = effective_.is_gang(victim.job) && victim.whole_job;
      for (const TaskId task : victim.tasks) {
        std::set<std::uint32_t> gone = gone_;
        if (one) {
          for (const TaskId each : victim.tasks) gone.erase(each.value);
        } else {
          gone.erase(task.value);
        }
        if (would_fit(gone)) return job_name(victim.job) + " need not give way";
        if (one) break;
      }
    }
    return {};
  }

  bool would_fit(const std::set<std::uint32_t>& gone) const {
    Verifier other(plan_, effective_.policies(), effective_.policy());
    other.gone_ = gone;
    Plan trial = plan_;
    trial.outcome = Outcome::fits;
    const Request wanted = request();
    std::vector<NodeId> nodes;
    model_.nodes.for_each([&](NodeId id, const NodeRow&) { nodes.push_back(id); });
    std::size_t budget = 20'000;
    return place_rest(trial, gone, wanted, 0, nodes, budget);
  }

  // Every assignment of tasks to nodes, devices by number only: enough to show that a victim was not needed.
  bool place_rest(Plan& trial, const std::set<std::uint32_t>& gone, const Request& wanted, std::size_t task,
                  const std::vector<NodeId>& nodes, std::size_t& budget) const {
    if (task == 0) trial.placement.clear();
    if (task == wanted.tasks.size()) {
      Verifier check(trial, effective_.policies(), effective_.policy());
      check.gone_ = gone;
      return check.nodes().empty() && check.node_space().empty() && check.free_devices_suffice() &&
             check.group_space().empty() && check.queue_max().empty() && check.spread().empty();
    }
    for (const NodeId node : nodes) {
      if (budget == 0) return false;
      --budget;
      PlannedTask planned;
      planned.task = wanted.tasks[task].row;
      planned.index = wanted.tasks[task].index;
      planned.node = node;
      trial.placement.push_back(planned);
      const bool done = place_rest(trial, gone, wanted, task + 1, nodes, budget);
      trial.placement.pop_back();
      if (done) return true;
    }
    return false;
  }

  // Whether each node has as many whole free devices as its tasks ask for; parts of devices are left to
  // node-space.
  bool free_devices_suffice() const {
    const std::uint32_t gpu = model_.find_resource("gpu");
    if (gpu == ResourceId::kNoValue) return true;
    std::map<std::uint32_t, Amount> wanted;
    for (const PlannedTask& task : plan_.placement) {
      const Amount amount = amount_of(model_.shape(model_.tasks.core(task.task).resources), gpu);
      if (amount % kOne != 0) return false;  // be careful: claim nothing about shares
      wanted[task.node.value] += amount / kOne;
    }
    for (const auto& [id, count] : wanted) {
      const NodeRow& node = model_.nodes[NodeId{id}];
      const std::uint32_t devices = model_.device_count(node);
      if (devices == 0) continue;
      DeviceMask busy = 0;
      bool unknown = false;
      for (TaskId t = node.first_task; t; t = model_.tasks.core(t).next_on_node) {
        if (gone_.contains(t.value)) continue;
        const bool holds = amount_of(model_.shape(model_.tasks.core(t).resources), gpu) > 0;
        unknown = unknown || (holds && !model_.tasks.extras(t).gpus_given);
        busy |= model_.tasks.core(t).gpus;
        for (const DeviceShare& share : model_.shares(model_.tasks.extras(t)))
          busy |= DeviceMask{1} << share.device;
      }
      if (!unknown && static_cast<Amount>(devices) - std::popcount(busy) < count) return false;
    }
    return true;
  }

  const Plan& plan_;
  const Model& model_;
  const Effective effective_;
  std::set<std::uint32_t> gone_;  // task rows on their way out
};

}  // namespace

std::string verify(const Plan& plan, const PolicySet& policies) {
  const Policy* policy = policies.find(plan.policy);
  if (!policy) return "policy: " + quote(plan.policy) + " is not known";
  if (!plan.model.jobs.is_live(plan.job)) return "requester: the job is not in the cluster";
  return Verifier(plan, policies, *policy).run();
}

}  // namespace cede
