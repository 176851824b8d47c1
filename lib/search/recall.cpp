// SPDX-License-Identifier: MIT
#include "search/recall.h"

#include <algorithm>

#include "policy/composition.h"
#include "search/domain_search.h"
#include "search/request_memos.h"

namespace cede {

namespace {

RequestKind kind_of(const Asking& asking, const Placer& placer) {
  const Model& model = asking.model();
  const JobId job = asking.request.job;
  const JobOwners& owners = model.job_owners[job.value];
  RequestKind kind;
  kind.queue = asking.request.queue;
  kind.priority = asking.effective.priority(job);
  kind.job_class = asking.effective.job_class(job);
  kind.kind = asking.effective.kind(job);
  kind.app = owners.app;
  kind.user = owners.user;
  kind.project = owners.project;
  kind.tenant = owners.tenant;
  kind.shape = asking.request.tasks.front().resources;
  kind.require = model.job_extras[job.value].require;
  const auto tasks = static_cast<std::uint32_t>(asking.request.tasks.size());
  kind.most_per_node = std::min(placer.arranger().require().tasks_per_node.max, tasks);
  kind.gang = tasks > 1;
  return kind;
}

}  // namespace

// Nothing is asked for but space, by a job that has nothing yet.
bool Recall::is_plain_request() const {
  const Asking& asking = terms_.asking;
  const Model& model = asking.model();
  const auto bound = [](const RequestTask& task) { return task.required_node != kNoName; };
  if (std::any_of(asking.request.tasks.begin(), asking.request.tasks.end(), bound)) return false;
  const JobCore& job = model.jobs[asking.request.job];
  for (std::uint32_t k = 0; k < job.task_rows; ++k) {
    if (model.tasks.core(TaskId{job.first_task.value + k}).node) return false;
  }
  return terms_.placer.need().preferences() == 0 && !terms_.placer.arranger().sharing_matters();
}

// Whether who may go from a node, and what that counts, is a matter of the node and its jobs alone.
bool Recall::depends_on_place_alone() const {
  const Asking& asking = terms_.asking;
  const InFlight& in_flight = asking.in_flight;
  const Profile profile = asking.effective.profile();
  const bool moving = !in_flight.leaving.empty() || !in_flight.holds.empty() || !in_flight.blocked.empty() ||
                      !in_flight.surplus.empty();
  if (profile == Profile::quota && moving) return false;
  if (profile != Profile::priority && profile != Profile::quota && profile != Profile::class_cost)
    return false;
  // A hold that can still be taken goes with what is blocked beside it, wherever that is.
  if (std::any_of(in_flight.holds.begin(), in_flight.holds.end(),
                  [](const InFlight::Hold& hold) { return !hold.ready; }))
    return false;
  const Ground& ground = terms_.ground;
  if (!ground.is_timeless() || ground.special_units() > 0 || ground.nodes().any_home()) return false;
  if (!asking.protect.empty() || !question_.avoid.empty() || asking.model().reservations.live() > 0)
    return false;
  const Parts<Measure>& measures = terms_.objective.measures();
  return std::none_of(measures.begin(), measures.end(),
                      [](const auto& measure) { return measure->kind() == Measure::Kind::highest; });
}

bool Recall::leads_with_price() const {
  const Parts<Measure>& measures = terms_.objective.measures();
  return measures.size() > 1 && measures[0].name() == "last-resort" &&
         (measures[1].name() == "price" || measures[1].name() == "lost-work");
}

bool Recall::prices_never_fall() const {
  return composition(terms_.asking.effective.profile()).price_never_falls(terms_.asking);
}

std::optional<SearchAnswer> Recall::for_one_task(const NodeView::Eligible& eligible, bool timeless) {
  const Asking& asking = terms_.asking;
  NodeMemo& memo = terms_.ground.memos().nodes(terms_.ground, kind_of(asking, terms_.placer));
  std::uint32_t node = 0;
  const NodeMemo::Entry* best = memo.best(terms_, eligible, timeless, node);
  if (!best) return std::nullopt;
  SearchAnswer answer;
  answer.best = found_set(terms_, best->units, {&node, 1}, true);
  if (!answer.best) return std::nullopt;
  answer.needs_met = true;
  answer.proven = memo.is_certain();
  answer.work = terms_.space.size();
  return answer;
}

std::optional<SearchAnswer> Recall::for_gang(const NodeView::Eligible& eligible) {
  const ChoiceNeed& need = terms_.placer.arranger().need();
  if (need.domains.size() != 1 || need.uniform != UniformOver::nothing) return std::nullopt;
  const Asking& asking = terms_.asking;
  DomainMemo& memo = terms_.ground.memos().domains(terms_.ground, kind_of(asking, terms_.placer));
  return DomainSearch(terms_, eligible, memo, need.domains.front()).run();
}

std::optional<SearchAnswer> Recall::run() {
  if (!is_plain_request() || !depends_on_place_alone()) return std::nullopt;
  const bool priced = leads_with_price();
  const bool timeless = !priced && terms_.asking.effective.profile() != Profile::class_cost;
  if (!timeless && !prices_never_fall()) return std::nullopt;
  const bool gang = terms_.asking.request.tasks.size() > 1;
  if (gang ? !priced : !terms_.placer.arranger().need().domains.empty()) return std::nullopt;
  const Parts<EligibilityRule> rules = eligibility_rules(terms_.asking);
  const NodeView::Eligible eligible = [&](const Unit& unit) {
    return std::none_of(rules.begin(), rules.end(),
                        [&](const auto& rule) { return rule->excludes(unit, nullptr); }) &&
           terms_.needs.serves(unit, terms_.space);
  };
  const std::lock_guard lock(terms_.ground.memos().mutex);
  std::optional<SearchAnswer> found = gang ? for_gang(eligible) : for_one_task(eligible, timeless);
  if (found && breaks_any(terms_.caps, found->best->victims)) return std::nullopt;
  return found;
}

}  // namespace cede
