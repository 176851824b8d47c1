// SPDX-License-Identifier: MIT
#include "document/document.h"

#include <algorithm>
#include <map>

#include "document/json_writer.h"
#include "policy/request.h"
#include "report/plan_cells.h"

namespace cede {

namespace {

// Thousandths as a decimal with three digits, as prices are shown.
std::string price(std::int64_t value) {
  std::string digits = std::to_string(value < 0 ? -value : value);
  if (digits.size() < 4) digits.insert(0, 4 - digits.size(), '0');
  return (value < 0 ? "-" : "") + digits.substr(0, digits.size() - 3) + '.' +
         digits.substr(digits.size() - 3);
}

class PlanWriter {
 public:
  PlanWriter(const Plan& plan, std::string& out) : plan_(plan), model_(plan.model()), json_(out) {}

  void write(bool explained) {
    json_.begin_object().key("format").text(kPlanFormat);
    after();
    subject();
    json_.key("policy").text(plan_.policy).key("profile").text(plan_.profile).key("cause").text(plan_.cause);
    json_.key("outcome").text(to_word(plan_.outcome, kOutcomes)).key("rule");
    if (plan_.rule.empty()) {
      json_.raw("null");
    } else {
      json_.text(plan_.rule);
    }
    json_.key("reason").text(plan_.reason);
    victims();
    placement();
    json_.key("objective");
    objective();
    json_.key("proven").number(plan_.proven);
    json_.key("cost")
        .raw(price(plan_.cost))
        .key("bound")
        .raw(plan_.priced ? price(plan_.bound) : "null")
        .key("optimal")
        .flag(plan_.optimal);
    gap();
    json_.key("topology").begin_object().key("met");
    texts(plan_.topology_met);
    json_.key("preferred_missed");
    texts(plan_.topology_missed);
    json_.end_object();
    time("expected_start", plan_.expected_start);
    time("latest_start", plan_.latest_start);
    json_.key("units").number(static_cast<std::int64_t>(plan_.units));
    if (explained) explain();
    json_.end_object();
  }

  void objective() {
    json_.begin_array();
    for (const Criterion& criterion : plan_.objective) {
      json_.begin_array().text(criterion.name);
      value(criterion);
      json_.end_array();
    }
    json_.end_array();
  }

 private:
  void value(const Criterion& criterion) {
    switch (criterion.kind) {
      case Criterion::Kind::number: json_.number(criterion.number); break;
      case Criterion::Kind::counts:
        json_.begin_array();
        for (const auto& [each, count] : criterion.counts)
          json_.begin_array().number(each).number(count).end_array();
        json_.end_array();
        break;
      case Criterion::Kind::times:
        json_.begin_array();
        for (const Time time : criterion.times) json_.raw(format_seconds(time));
        json_.end_array();
        break;
    }
  }

  void gap() {
    if (!plan_.gap_bound) return;
    json_.key("gap").begin_object().key("criterion").text(plan_.gap_bound->name).key("value");
    value(plan_.objective[plan_.proven]);
    json_.key("bound");
    value(*plan_.gap_bound);
    json_.end_object();
  }

  void after() {
    if (plan_.after.empty()) return;
    json_.key("after").begin_array();
    for (const JobId job : plan_.after) json_.text(model_.job_name(job));
    json_.end_array();
  }

  // The waiting job, or the target of relief or a claim.
  void subject() {
    const Subject& subject = plan_.subject;
    json_.key("job");
    if (subject.purpose == Purpose::job) {
      json_.text(model_.job_name(subject.job)).key("for").raw("null");
      return;
    }
    const auto named = [&](std::string_view what, std::string_view name) {
      json_.raw("null").key("for").text(std::string(what) + ':' + std::string(name));
    };
    switch (subject.purpose) {
      case Purpose::relief_node: named("node", model_.name(model_.nodes[subject.node].name)); break;
      case Purpose::relief_job: named("job", model_.job_name(subject.job)); break;
      case Purpose::relief_queue: named("queue", model_.name(model_.queues[subject.queue].name)); break;
      default: named("claim", model_.name(model_.queues[subject.queue].name)); break;
    }
  }

  void texts(const std::vector<std::string>& list) {
    json_.begin_array();
    for (const std::string& text : list) json_.text(text);
    json_.end_array();
  }

  void time(std::string_view key, Time value) {
    json_.key(key).raw(value == kNoTime ? "null" : format_seconds(value));
  }

  void task_names(const std::vector<TaskId>& tasks) {
    json_.begin_array();
    for (const TaskId task : tasks) json_.text(task_label(model_, task, 0));
    json_.end_array();
  }

  void victims() {
    json_.key("victims").begin_array();
    for (const PlannedVictim& victim : plan_.victims) {
      json_.begin_object();
      if (victim.hold != 0) json_.key("hold").raw(std::to_string(victim.hold));
      json_.key("job").text(model_.job_name(victim.job)).key("tasks");
      task_names(victim.tasks);
      if (victim.hold == 0) {
        json_.key("whole_job").flag(victim.whole_job);
        json_.key("action").text(to_word(victim.action, kVictimActions));
        if (victim.action == VictimAction::checkpoint)
          json_.key("then").text(to_word(victim.then, kVictimActions));
        json_.key("requeue").flag(victim.requeue);
      }
      json_.key("cost").raw(price(victim.cost)).key("cost_parts").begin_object();
      for (const CostPart& part : victim.cost_parts) json_.key(part.name).raw(price(part.value));
      json_.end_object().key("frees").begin_object();
      std::map<std::string_view, Total> frees;
      for (const TaskId task : victim.tasks) {
        for (const ResourceAmount& entry : model_.shape(model_.tasks.core(task).resources)) {
          frees[model_.resource_name(entry.resource)] += entry.amount;
        }
      }
      for (const auto& [resource, amount] : frees) json_.key(resource).raw(format_total(amount));
      json_.end_object().end_object();
    }
    json_.end_array();
  }

  void placement() {
    json_.key("placement").begin_array();
    for (const PlannedTask& task : plan_.placement) {
      json_.begin_object().key("task").text(task_label(model_, task.task, task.index));
      json_.key("node").text(model_.name(model_.nodes[task.node].name)).key("gpus");
      if (!task.devices_known) {
        json_.raw("null").key("devices").text("assumed");
      } else {
        json_.begin_array();
        for (std::uint32_t d = 0; d < kMaxDevices; ++d) {
          if ((task.gpus >> d & 1) != 0) json_.number(d);
        }
        if (task.share > 0) {
          json_.begin_object().key("index").number(task.share_device);
          json_.key("share").raw(format_scaled(task.share, 3)).end_object();
        }
        json_.end_array();
      }
      json_.end_object();
    }
    json_.end_array();
  }

  void explain() {
    time("now", plan_.now);
    std::map<std::string_view, std::int64_t> considered;
    for (const Exclusion& exclusion : plan_.exclusions) ++considered[exclusion.rule];
    json_.key("considered").begin_object();
    for (const auto& [rule, count] : considered) json_.key(rule).number(count);
    json_.end_object().line().key("excluded").begin_array();
    for (const Exclusion& exclusion : plan_.exclusions) {
      json_.line().begin_object().key("job").text(model_.job_name(exclusion.job)).key("tasks");
      task_names(exclusion.tasks);
      json_.key("rule").text(exclusion.rule).key("values").text(exclusion.values).end_object();
    }
    json_.end_array().line().key("not_needed").begin_array();
    for (const Exclusion& unit : plan_.not_needed) {
      json_.line().begin_object().key("job").text(model_.job_name(unit.job)).key("tasks");
      task_names(unit.tasks);
      json_.end_object();
    }
    json_.end_array().line().key("alternatives").begin_array();
    for (const Alternative& alternative : plan_.alternatives) {
      json_.line().begin_object().key("victims").begin_array();
      for (const std::string& name : alternative.victims) json_.text(name);
      json_.end_array().key("cost").raw(price(alternative.cost)).key("worse").text(alternative.worse);
      if (alternative.criterion < plan_.objective.size()) {
        json_.key("best");
        value(plan_.objective[alternative.criterion]);
        json_.key("value");
        value(alternative.value);
      }
      json_.end_object();
    }
    json_.end_array().line();
    leaving();
    nearest_miss();
    nodes();
    json_.key("work")
        .begin_object()
        .key("placements")
        .number(static_cast<std::int64_t>(plan_.work))
        .end_object();
  }

  // What people ask about the victims first, in the order of `victims`.
  void leaving() {
    json_.key("leaving").begin_array();
    for (std::size_t i = 0; i < plan_.victim_facts.size(); ++i) {
      const VictimFacts& facts = plan_.victim_facts[i];
      const JobId job = plan_.victims[i].job;
      json_.line().begin_object().key("job").text(model_.job_name(job)).key("user");
      name_or_null(model_.job_owners[job.value].user);
      json_.key("queue").text(model_.name(model_.queues[model_.jobs[job].queue].name));
      json_.key("gpus").raw(format_total(facts.gpus));
      time("since", facts.since);
      json_.key("lost_work").raw(price(facts.lost_work)).end_object();
    }
    json_.end_array().line();
  }

  void name_or_null(NameId name) {
    if (name == kNoName) {
      json_.raw("null");
    } else {
      json_.text(model_.name(name));
    }
  }

  void nearest_miss() {
    json_.key("nearest_miss");
    if (!plan_.nearest_miss) {
      json_.raw("null").line();
      return;
    }
    const NearestMiss& miss = *plan_.nearest_miss;
    json_.begin_object().key("place").text(miss.place).key("missing").text(miss.missing);
    json_.key("blocked").number(static_cast<std::int64_t>(miss.blocked)).key("blockers").begin_array();
    for (const NearestMiss::Blocker& each : miss.blockers) {
      json_.line().begin_object().key("job").text(model_.job_name(each.job)).key("tasks");
      task_names(each.tasks);
      json_.key("node");
      name_or_null(each.node ? model_.nodes[each.node].name : kNoName);
      json_.key("rule").text(each.rule).key("values").text(each.values).end_object();
    }
    json_.end_array().key("changes");
    texts(miss.changes);
    json_.end_object().line();
  }

  // The nodes that the plan touches, one cell per device.
  void nodes() {
    json_.key("nodes").begin_array();
    for (const NodeCells& node : plan_cells(plan_))
      json_.begin_object().key("id").text(node.name).key("cells").text(node.cells).end_object();
    json_.end_array();
  }

  const Plan& plan_;
  const Model& model_;
  JsonWriter json_;
};

}  // namespace

std::string write_plan(const Plan& plan, bool explained) {
  std::string out;
  PlanWriter(plan, out).write(explained);
  out.push_back('\n');
  return out;
}

std::string write_objective(const Plan& plan) {
  std::string out;
  PlanWriter(plan, out).objective();
  return out;
}

}  // namespace cede
