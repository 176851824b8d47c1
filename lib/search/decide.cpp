// SPDX-License-Identifier: MIT
#include "search/decide.h"

#include <algorithm>
#include <map>

#include "base/text.h"
#include "policy/profiles/priority.h"
#include "search/nodes.h"
#include "search/victim_search.h"

namespace cede {

namespace {

class Decision {
 public:
  Decision(const Model& model, const PolicySet& policies, const Policy& policy, const Question& question)
      : model_(model),
        question_(question),
        effective_(model, policies, policy),
        request_(make_request(effective_, question.job)),
        asking_{effective_, request_, question.now, question.protect},
        group_(model.jobs[question.job].group) {
    std::sort(asking_.protect.begin(), asking_.protect.end());
    plan_.model = model;
    plan_.now = question.now;
    plan_.job = question.job;
    plan_.policy = policy.name;
    plan_.profile = std::string(to_word(policy.profile, kProfiles));
    plan_.cause = "priority";
  }

  Plan run() {
    if (request_.tasks.empty()) return answer(Outcome::wait, "not-waiting", "the job has no task that waits");
    const QueueId queue = model_.jobs[question_.job].queue;
    if (!effective_.preemption_on(queue)) {
      return answer(Outcome::wait, "off", "preemption is switched off for queue " + quote(queue_name(queue)));
    }
    Placer placer(effective_, request_);
    Space space(model_, group_);
    mark_usable(space, asking_, question_.avoid, Usable::now);
    if (placer.has_queue_room(space) && placer.place(space, &plan_.placement) == PlaceAnswer::placed) {
      plan_.expected_start = plan_.latest_start = question_.now;
      plan_.optimal = true;
      return answer(Outcome::fits, "fits", "it fits into free space; nobody has to give way");
    }
    plan_.placement.clear();
    std::string why;
    if (!possible(question_.job, &why)) return answer(Outcome::impossible, "impossible", std::move(why));
    Space empty(model_, group_, Space::Fill::empty);
    mark_usable(empty, asking_, question_.avoid, Usable::now);
    if (placer.place(empty, nullptr) == PlaceAnswer::no_room) {
      return answer(
          Outcome::wait, "nodes-unavailable",
          "it would fit the group, but not without nodes that are down, draining, reserved or avoided");
    }
    if (!effective_.may_preempt(question_.job)) {
      return answer(Outcome::wait, "may-not-preempt", "the job may not preempt, and nothing is free for it");
    }
    const std::vector<Unit> units = make_units(effective_, group_);
    plan_.units = units.size();
    if (std::optional<Refusal> refusal = profile_trigger(units)) {
      return answer(Outcome::wait, refusal->rule, std::move(refusal->reason));
    }
    if (std::optional<Refusal> refusal = worth_waiting(placer)) {
      return answer(Outcome::wait, refusal->rule, std::move(refusal->reason));
    }
    return search(placer, space, units);
  }

 private:
  std::string queue_name(QueueId queue) const { return std::string(model_.name(model_.queues[queue].name)); }

  Plan answer(Outcome outcome, std::string_view rule, std::string reason) {
    plan_.outcome = outcome;
    plan_.rule = rule;
    plan_.reason = std::move(reason);
    return std::move(plan_);
  }

  // Whether the job would fit its group with every node up and empty, and every `max` on its path takes it.
  bool possible(JobId job, std::string* why) const {
    const Request request = job == question_.job ? request_ : make_request(effective_, job);
    if (request.tasks.empty()) return false;
    const Asking asking{effective_, request, question_.now, {}};
    Placer placer(effective_, request);
    Space empty(model_, group_, Space::Fill::empty);
    mark_usable(empty, asking, {}, Usable::ever);
    const std::vector<Placer::Lacking> lacking = placer.lacking_queue_room(empty);
    if (!lacking.empty()) {
      if (why) {
        *why =
            "queue " + quote(queue_name(lacking[0].queue)) + " allows " +
            format_amount(amount_of(model_.shape(model_.queues[lacking[0].queue].max), lacking[0].resource)) +
            ' ' + std::string(model_.resource_name(lacking[0].resource)) + ", the request alone needs " +
            format_total(placer.asked(lacking[0].resource));
      }
      return false;
    }
    if (placer.place(empty, nullptr) != PlaceAnswer::no_room) return true;
    if (why) *why = "it would not fit even with every node up and empty: " + shortage(placer, empty);
    return false;
  }

  // The resource of which the usable nodes have least for what is asked, in words.
  std::string shortage(const Placer& placer, const Space& space) const {
    for (std::uint32_t r = 0; r < model_.resources.size(); ++r) {
      if (placer.asked(r) == 0) continue;
      Total free = 0;
      if (space.counted_by_group(r)) {
        free = space.group_free(r);
      } else {
        for (const NodeSpace& node : space.nodes()) {
          if (node.usable && node.free[r] > 0) free += node.free[r];
        }
      }
      if (free < placer.asked(r)) {
        return format_total(placer.asked(r)) + ' ' + std::string(model_.resource_name(r)) + " needed, " +
               format_total(free) + " there";
      }
    }
    return "no arrangement of its " + std::to_string(request_.tasks.size()) +
           (request_.tasks.size() == 1 ? " task" : " tasks") + " on the nodes holds every one";
  }

  std::optional<Refusal> profile_trigger(const std::vector<Unit>& units) const {
    if (effective_.flag(Setting::front_only, asking_.queue())) {
      std::vector<JobId> before;
      model_.jobs.for_each([&](JobId id, const JobCore& core) {
        if (core.group == group_ && priority_profile::served_before(effective_, id, question_.job))
          before.push_back(id);
      });
      std::sort(before.begin(), before.end(),
                [&](JobId a, JobId b) { return priority_profile::served_before(effective_, a, b); });
      for (const JobId id : before) {
        if (!effective_.may_preempt(id) || !possible(id, nullptr)) continue;
        return Refusal{"not-front", "job " + quote(model_.job_name(id)) + " is served first"};
      }
    }
    return priority_profile::no_lower_priority(asking_, units);
  }

  // Whether walltimes alone make room within the horizon, and when.
  std::optional<Refusal> worth_waiting(const Placer& placer) const {
    const Duration horizon = effective_.setting(Setting::wait_horizon, asking_.queue());
    if (horizon == 0) return std::nullopt;
    Space space(model_, group_);
    mark_usable(space, asking_, question_.avoid, Usable::now);
    std::multimap<Time, TaskId> ends;
    model_.jobs.for_each([&](JobId id, const JobCore& core) {
      const JobTimes& times = model_.job_times[id.value];
      if (core.group != group_ || times.walltime == kNoDuration) return;
      for (std::uint32_t k = 0; k < core.task_rows; ++k) {
        const TaskId task{core.first_task.value + k};
        if (!model_.tasks.core(task).node) continue;
        const Time begun = times.resumed != kNoTime ? times.resumed : effective_.task_start(task);
        const Time end = begun + times.walltime;
        if (end <= question_.now + horizon) ends.emplace(std::max(end, question_.now), task);
      }
    });
    for (auto next = ends.begin(); next != ends.end();) {
      const Time when = next->first;
      for (; next != ends.end() && next->first == when; ++next) space.release(next->second);
      if (placer.has_queue_room(space) && placer.place(space, nullptr) == PlaceAnswer::placed) {
        return Refusal{"worth-waiting", "by their walltimes, running jobs make room at " + format_time(when)};
      }
    }
    return std::nullopt;
  }

  // Frees neither space on a node the request may use nor room in a queue of its path.
  bool frees_something(const Unit& unit, const Placer& placer, const Space& space) const {
    for (const TaskId task : unit.tasks) {
      const TaskCore& core = model_.tasks.core(task);
      const auto node = std::find_if(space.nodes().begin(), space.nodes().end(),
                                     [&](const NodeSpace& n) { return n.id == core.node; });
      for (const ResourceAmount& entry : model_.shape(core.resources)) {
        if (placer.asked(entry.resource) == 0) continue;
        if (node->usable || space.counted_by_group(entry.resource)) return true;
      }
    }
    for (const Placer::Lacking& lacking : placer.lacking_queue_room(space)) {
      for (QueueId queue = model_.jobs[unit.job].queue; queue; queue = model_.queues[queue].parent) {
        if (queue != lacking.queue) continue;
        for (const TaskId task : unit.tasks) {
          if (amount_of(model_.shape(model_.tasks.core(task).resources), lacking.resource) > 0) return true;
        }
      }
    }
    return false;
  }

  std::vector<const Unit*> eligible(const std::vector<Unit>& units, const Placer& placer,
                                    const Space& space) {
    const EligibilityRules rules = priority_profile::eligibility();
    std::vector<const Unit*> out;
    for (const Unit& unit : units) {
      std::optional<std::string> values;
      std::string_view rule;
      for (const auto& each : rules) {
        values = each->excludes(unit, asking_);
        rule = each->name();
        if (values) break;
      }
      if (!values && !frees_something(unit, placer, space)) {
        rule = "frees-nothing";
        values = "nothing it holds is of use to the request";
      }
      if (!values) {
        out.push_back(&unit);
      } else {
        plan_.exclusions.push_back({unit.job, unit.tasks, unit.whole_job, rule, std::move(*values)});
      }
    }
    return out;
  }

  Plan search(const Placer& placer, Space& space, const std::vector<Unit>& units) {
    const std::vector<const Unit*> all = eligible(units, placer, space);
    if (all.empty()) {
      return answer(Outcome::wait, "no-victims",
                    "none of the " + std::to_string(units.size()) + " running units may give way");
    }
    SearchLimits limits;
    limits.exact_units = effective_.policies().limits.exact_units;
    limits.search_work = effective_.policies().limits.search_work;
    const std::int64_t cap = effective_.setting(Setting::max_victims, asking_.queue());
    limits.max_victims = cap == kNoSetting ? -1 : cap;
    const Objective objective(asking_, space);
    // Last-resort units only when the others are a proven no.
    std::vector<const Unit*> first;
    std::copy_if(all.begin(), all.end(), std::back_inserter(first),
                 [](const Unit* unit) { return !unit->last_resort; });
    SearchAnswer found =
        VictimSearch(space, placer, objective, limits).run(first, request_.tasks.size() == 1);
    plan_.work += found.work;
    if (!found.best && found.proven && first.size() < all.size()) {
      found = VictimSearch(space, placer, objective, limits).run(all, request_.tasks.size() == 1);
      plan_.work += found.work;
    }
    if (!found.best) return no_set(found, placer, space, all);
    return accept(std::move(found), all);
  }

  Plan no_set(const SearchAnswer& found, const Placer& placer, Space& space,
              const std::vector<const Unit*>& all) {
    if (!found.needs_met) {
      for (const Unit* unit : all) {
        if (unit->whole_job) {
          for (const TaskId task : unit->tasks) space.release(task);
        }
      }
      const std::vector<Placer::Lacking> lacking = placer.lacking_queue_room(space);
      std::string what = lacking.empty()
                             ? shortage(placer, space)
                             : "queue " + quote(queue_name(lacking[0].queue)) + " would be " +
                                   format_total(lacking[0].amount) + ' ' +
                                   std::string(model_.resource_name(lacking[0].resource)) + " over its max";
      return answer(
          Outcome::wait, "no-set",
          "even with all " + std::to_string(all.size()) + " eligible units gone it does not fit: " + what);
    }
    if (found.cap_in_the_way && found.proven) {
      return answer(Outcome::wait, "max-victims",
                    "at least " + std::to_string(found.fewest_jobs) +
                        " jobs would have to go, max_victims is " +
                        std::to_string(effective_.setting(Setting::max_victims, asking_.queue())));
    }
    if (found.proven)
      return answer(Outcome::wait, "no-set", "no allowed set of the eligible units makes room for it");
    return answer(Outcome::wait, "undecided", "no set was found within the allowed work; there may be one");
  }

  Plan accept(SearchAnswer found, const std::vector<const Unit*>& all) {
    FoundSet& best = *found.best;
    plan_.placement = std::move(best.placement);
    plan_.objective = best.worth.shown;
    plan_.proven = found.proven ? static_cast<std::uint32_t>(plan_.objective.size())
                                : (plan_.objective.front().number == 0 ? 1u : 0u);
    plan_.optimal = found.proven;
    std::map<std::string_view, PlannedVictim> victims;
    Duration longest = 0;
    for (const Unit* unit : best.victims) {
      PlannedVictim& victim = victims[model_.job_name(unit->job)];
      const priority_profile::Leaving leaving = priority_profile::leaving(effective_, unit->job);
      victim.job = unit->job;
      victim.tasks.insert(victim.tasks.end(), unit->tasks.begin(), unit->tasks.end());
      victim.action = leaving.action;
      victim.requeue = leaving.requeue;
      const std::int64_t cost = lost_work(effective_, *unit, leaving.action, question_.now);
      victim.cost += cost;
      plan_.cost += cost;
      longest = std::max(longest, effective_.setting(Setting::grace, model_.jobs[unit->job].queue));
    }
    for (auto& [name, victim] : victims) {
      std::sort(victim.tasks.begin(), victim.tasks.end());
      std::size_t placed = 0;
      const JobCore& job = model_.jobs[victim.job];
      for (std::uint32_t k = 0; k < job.task_rows; ++k) {
        placed += model_.tasks.core(TaskId{job.first_task.value + k}).node ? 1 : 0;
      }
      victim.whole_job = victim.tasks.size() == placed;
      victim.cost_parts = {{"lost-work", victim.cost}};
      plan_.victims.push_back(std::move(victim));
    }
    plan_.bound = plan_.cost;
    for (const Unit* unit : all) {
      const VictimAction action = priority_profile::leaving(effective_, unit->job).action;
      plan_.bound = std::min(plan_.bound, lost_work(effective_, *unit, action, question_.now));
    }
    plan_.expected_start = plan_.latest_start = question_.now + longest;
    for (const FoundSet& other : found.others) {
      Alternative alternative;
      alternative.victims = other.worth.names;
      for (const Unit* unit : other.victims) {
        alternative.cost += lost_work(effective_, *unit,
                                      priority_profile::leaving(effective_, unit->job).action, question_.now);
      }
      alternative.worse = "names";
      for (std::size_t i = 0; i < other.worth.shown.size(); ++i) {
        if (compare(best.worth.shown[i], other.worth.shown[i]) == 0) continue;
        alternative.worse = std::string(other.worth.shown[i].name);
        break;
      }
      plan_.alternatives.push_back(std::move(alternative));
    }
    const std::size_t count = plan_.victims.size();
    return answer(Outcome::preempt, {},
                  std::to_string(count) + (count == 1 ? " job gives" : " jobs give") + " way to " +
                      quote(model_.job_name(question_.job)));
  }

  const Model& model_;
  const Question& question_;
  const Effective effective_;
  const Request request_;
  Asking asking_;
  const GroupId group_;
  Plan plan_;
};

}  // namespace

std::string undecidable(const Model& model, const PolicySet& policies, JobId job) {
  const Policy* policy = policy_of(model, model.groups[model.jobs[job].group], policies);
  if (!policy) return "the job's group has no policy";
  if (policy->profile != Profile::priority) {
    return "profile " + std::string(to_word(policy->profile, kProfiles)) +
           " cannot be planned by this version; priority can";
  }
  const RequirementId id = model.job_extras[job.value].require;
  if (!id) return {};
  // Everything of `require` that this version can hold a plan to; the rest must not be ignored silently.
  Requirement rest = *model.requirements[id.value];
  rest.nodes = {};
  rest.tasks_per_node = {};
  rest.hosts = {};
  rest.site_fields.clear();
  rest.placement = PlacementStyle::tight;
  if (rest != Requirement{})
    return "the job's 'require' asks for topology or conformance, which this version cannot check yet";
  return {};
}

Plan decide(const Model& model, const PolicySet& policies, const Question& question) {
  const Policy* policy = policy_of(model, model.groups[model.jobs[question.job].group], policies);
  return Decision(model, policies, *policy, question).run();
}

}  // namespace cede
