// SPDX-License-Identifier: MIT
#include "search/job_decision.h"

#include <algorithm>
#include <set>

#include "base/text.h"
#include "search/nodes.h"
#include "search/request_memos.h"

namespace cede {

Plan JobDecision::fits(const Placement& placement, const Placer& placer) {
  plan_.placement = placement.tasks;
  plan_.topology_met = placer.need().hard_names();
  plan_.topology_missed = placement.missed;
  plan_.expected_start = plan_.latest_start = question_.now;
  plan_.optimal = true;
  return answer(Outcome::fits, "fits", "it fits into free space; nobody has to give way");
}

std::string JobDecision::why_impossible(const Placer& placer, const Space& empty) const {
  const std::vector<Lacking> lacking = lacking_room(asking_, empty.usage());
  if (lacking.empty())
    return "it would not fit even with every node up and empty: " +
           RequestNeeds(asking_, placer, OneNode::anywhere).missing(empty);
  return "queue " + quote(model_.name(model_.queues[lacking[0].queue].name)) + " allows " +
         format_total(lacking[0].bound) + ' ' + std::string(model_.resource_name(lacking[0].resource)) +
         ", the request alone needs " + format_total(placer.asked(lacking[0].resource));
}

bool JobDecision::would_fit_if_known(const Placer& placer, const Space& space) const {
  return placer.asks_topology() &&
         Placer(asking_, space.table(), work_, Unknown::passes).fits(space) == PlaceAnswer::placed;
}

// Into what is free. Where all tasks are alike, nodes without room for one of them need not be asked.
bool JobDecision::place(const Needs& needs, const Placer& placer, const Space& space,
                        Placement& placement) const {
  if (!placer.arranger().only_seating()) return needs.place(space, {}, placement);
  const ShapeId shape = request_.tasks.front().resources;
  std::vector<std::uint32_t> nodes;
  {
    RequestMemos& memos = ground_->memos();
    const std::lock_guard lock(memos.mutex);
    nodes = memos.free(*ground_, shape).nodes(model_.shape(shape));
  }
  return !nodes.empty() && needs.place(space, nodes, placement);
}

Plan JobDecision::run() {
  const bool decided = asking_.in_flight.has_entry(question_.job);
  if (!decided && gives_way())
    return answer(Outcome::wait, "not-waiting", "the job is giving way to another request itself");
  if (!decided && request_.tasks.empty())
    return answer(Outcome::wait, "not-waiting", "the job has no task that waits");
  if (!effective_.preemption_on(request_.queue)) {
    return answer(
        Outcome::wait, "off",
        "preemption is switched off for queue " + quote(model_.name(model_.queues[request_.queue].name)));
  }
  if (decided)
    return answer(Outcome::in_progress, "in-progress", "an earlier decision for the job is not finished yet");
  Space space(asking_, ground_->nodes(), Space::Fill::as_it_is, &work_);
  mark_usable(space, asking_, question_.avoid, Usable::now);
  const Placer placer(asking_, space.table(), work_);
  const RequestNeeds needs(asking_, placer, profile_.one_node(asking_));
  RuleList<Trigger> admission(asking_);
  profile_.add_admission(admission);
  bool admitted = true;
  for (const auto& rule : admission) admitted = admitted && !rule->refuses(nullptr);
  Placement placement;
  if (admitted && place(needs, placer, space, placement)) return fits(placement, placer);

  Space empty(asking_, ground_->nodes(), Space::Fill::empty, &work_);
  mark_usable(empty, asking_, {}, Usable::ever);
  const bool room = lacking_room(asking_, empty.usage()).empty();
  if (!room || placer.fits(empty) == PlaceAnswer::no_room) {
    if (room && would_fit_if_known(placer, empty))
      return answer(Outcome::wait, "topology-unknown",
                    "a hard entry of its requirement needs a topology that nobody gave");
    return answer(Outcome::impossible, "impossible", why_impossible(placer, empty));
  }
  mark_usable(empty, asking_, question_.avoid, Usable::now);
  if (placer.fits(empty) == PlaceAnswer::no_room) {
    return answer(
        Outcome::wait, "nodes-unavailable",
        "it would fit the group, but not without nodes that are down, draining, reserved, avoided or "
        "another queue's home");
  }
  if (!effective_.may_preempt(question_.job))
    return answer(Outcome::wait, "may-not-preempt", "the job may not preempt, and nothing is free for it");
  look_at_units();
  RuleList<Trigger> triggers(asking_);
  profile_.add_triggers(triggers);
  Plan no;
  if (refused(triggers, no)) return no;
  std::string why;
  if (worth_waiting(needs, &why)) return answer(Outcome::wait, "worth-waiting", std::move(why));
  if (over_budget(no)) return no;
  if (question_.triggers_only) return answer(Outcome::preempt, {}, "somebody has to give way");
  if (std::optional<Plan> plan = remembered(needs, placer, space)) return std::move(*plan);
  return search(needs, &placer, space, eligible(needs, space));
}

bool JobDecision::gives_way() const {
  const JobCore& job = model_.jobs[question_.job];
  for (std::uint32_t k = 0; k < job.task_rows; ++k) {
    if (asking_.in_flight.is_leaving(TaskId{job.first_task.value + k})) return true;
  }
  return false;
}

// What run() does up to the eligible units, with every reason told.
void JobDecision::tell(Plan& plan) {
  Space space(asking_, ground_->nodes(), Space::Fill::as_it_is, &work_);
  mark_usable(space, asking_, question_.avoid, Usable::now);
  const Placer placer(asking_, space.table(), work_);
  const RequestNeeds needs(asking_, placer, profile_.one_node(asking_));
  const std::vector<const Unit*> may_go = eligible_of(units_in_order(), needs, space, true);
  std::set<TaskId> gone;
  for (const PlannedVictim& victim : plan.victims) gone.insert(victim.tasks.begin(), victim.tasks.end());
  spare_but(may_go, gone);
  plan.exclusions = std::move(plan_.exclusions);
  plan.spared = std::move(plan_.spared);
  plan.units_told = true;
}

// Whether walltimes alone make room within the horizon, and when.
bool JobDecision::worth_waiting(const Needs& needs, std::string* why) const {
  const Duration horizon = effective_.setting(Setting::wait_horizon, asking_.queue());
  if (horizon == 0) return false;
  Space space(asking_, ground_->nodes(), Space::Fill::as_it_is, &work_);
  mark_usable(space, asking_, question_.avoid, Usable::now);
  std::vector<std::pair<Time, TaskId>> ends;
  model_.jobs.for_each([&](JobId id, const JobCore& core) {
    const JobTimes& times = model_.job_times[id.value];
    if (core.group != request_.group || times.walltime == kNoDuration) return;
    const Time resumed = model_.job_spells[id.value].resumed;
    for (std::uint32_t k = 0; k < core.task_rows; ++k) {
      const TaskId task{core.first_task.value + k};
      if (!model_.tasks.core(task).node) continue;
      const Time begun = resumed != kNoTime ? resumed : effective_.task_start(task);
      const Time end = begun + times.walltime;
      if (end <= question_.now + horizon) ends.emplace_back(std::max(end, question_.now), task);
    }
  });
  std::sort(ends.begin(), ends.end());
  work_.spend(20 * ends.size());
  // More room never makes a request unfit: the first moment that does is found by halving.
  std::size_t gone = 0;
  const auto fits_at = [&](std::size_t moment) {  // an index into `ends`
    std::size_t until = moment;
    while (until < ends.size() && ends[until].first == ends[moment].first) ++until;
    for (; gone < until; ++gone) space.release(ends[gone].second);
    for (; gone > until; --gone) space.take(ends[gone - 1].second);
    return needs.are_met(space, {});
  };
  if (ends.empty() || !fits_at(ends.size() - 1)) return false;
  std::size_t low = 0;
  std::size_t high = ends.size() - 1;
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (fits_at(middle)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  *why = "by their walltimes, running jobs make room at " + format_time(ends[low].first);
  return true;
}

std::string JobDecision::done_text(std::size_t jobs) const {
  return std::to_string(jobs) + (jobs == 1 ? " job gives" : " jobs give") + " way to " +
         quote(model_.job_name(question_.job));
}

std::string_view JobDecision::no_set_rule(const std::vector<const Unit*>& all) {
  const Placer placer(asking_, ground_->nodes(), work_);
  if (!placer.asks_topology()) return {};
  Space space(asking_, ground_->nodes(), Space::Fill::as_it_is, &work_);
  mark_usable(space, asking_, question_.avoid, Usable::now);
  for (const Unit* unit : all) {
    for (const TaskId task : unit->tasks) {
      if (space.holds(task)) space.release(task);
    }
  }
  const bool unknown = lacking_room(asking_, space.usage()).empty() &&
                       placer.fits(space) != PlaceAnswer::placed && would_fit_if_known(placer, space);
  return unknown ? "topology-unknown" : std::string_view{};
}

}  // namespace cede
