// SPDX-License-Identifier: MIT
#include "search/answer_cache.h"

#include <algorithm>

#include "policy/composition.h"
#include "search/domain_search.h"
#include "search/plan_builder.h"
#include "search/request_caches.h"

namespace cede {

namespace {

RequestKind kind_of(const RuleContext& rule_context, const Placer& placer) {
  const Model& model = rule_context.model();
  const JobId job = rule_context.request.job;
  const JobOwners& owners = model.job_owners[job.value];
  RequestKind kind;
  kind.queue = rule_context.request.queue;
  kind.priority = rule_context.request.priority;
  kind.job_class = rule_context.effective.job_class(job);
  kind.kind = rule_context.effective.kind(job);
  kind.app = owners.app;
  kind.user = owners.user;
  kind.project = owners.project;
  kind.tenant = owners.tenant;
  kind.shape = rule_context.request.tasks.front().resources;
  kind.require = model.job_extras[job.value].require;
  const auto tasks = static_cast<std::uint32_t>(rule_context.request.tasks.size());
  kind.most_per_node = std::min(placer.arranger().require().tasks_per_node.max, tasks);
  kind.gang = tasks > 1;
  return kind;
}

}  // namespace

// Whether the request lacks nothing but room and the job holds nothing yet.
bool AnswerCache::is_plain_request() const {
  const RuleContext& rule_context = problem_.rule_context;
  const Model& model = rule_context.model();
  const auto bound = [](const RequestTask& task) { return task.required_node != kNoName; };
  if (std::any_of(rule_context.request.tasks.begin(), rule_context.request.tasks.end(), bound)) return false;
  const JobCore& job = model.jobs[rule_context.request.job];
  for (std::uint32_t k = 0; k < job.task_rows; ++k) {
    if (model.tasks.core(TaskId{job.first_task.value + k}).node) return false;
  }
  return problem_.placer.need().preferences() == 0 && !problem_.placer.arranger().sharing_matters();
}

// Whether the cluster and the objective contain only what the caches can handle.
bool AnswerCache::is_plain_state() const {
  const RuleContext& rule_context = problem_.rule_context;
  const InFlight& in_flight = rule_context.in_flight;
  // Taking a hold also frees what is blocked beside it, or was before it was lent, on any node.
  if (in_flight.any_open_hold() && (in_flight.any_blocked() || in_flight.any_blocked_lent())) return false;
  const GroupIndex& group_index = problem_.group_index;
  if (group_index.special_units() > 0 || group_index.nodes().any_home()) return false;
  if (!query_.avoid.empty() || rule_context.model().reservations.live() > 0) return false;
  const RuleList<Measure>& measures = problem_.objective.measures();
  return std::none_of(measures.begin(), measures.end(),
                      [](const auto& measure) { return measure->kind() == Measure::Kind::highest; });
}

namespace {

// The caches compare these or look at them again themselves; see NodeChangeTracker.
constexpr Dependencies kWatched{Dependency::node_in_flight, Dependency::capacity, Dependency::tier};
// Sets for one task are found as if rules that depend on these excluded no unit. If they do not exclude the
// best set, it is the best set.
constexpr Dependencies kAskedLast{Dependency::queue_usage, Dependency::requester, Dependency::query,
                                  Dependency::starvation, Dependency::commits};

}  // namespace

Reuse reuse_of(Dependencies eligibility, Dependencies measures, Dependencies caps) {
  constexpr Dependencies bound = kWatched | Dependencies{Dependency::time_worsens};
  const Dependencies sets = eligibility | measures;
  Reuse out;
  out.sets = sets.within(bound);
  out.one_task =
      measures.within(bound) && eligibility.within(bound | kAskedLast | Dependencies{Dependency::figure});
  out.timeless = out.one_task && !sets.has(Dependency::time_worsens);
  out.room = out.sets && eligibility.within(kWatched);
  out.answer = out.sets && out.timeless && caps.within(kWatched);
  return out;
}

bool may_reuse(Dependencies admission, const InFlight& in_flight) {
  const bool moving = !in_flight.leaving.empty() || in_flight.any_holds() || in_flight.any_blocked() ||
                      in_flight.any_surplus();
  return !moving || !admission.has(Dependency::in_flight);
}

const Eligibility& AnswerCache::eligibility() {
  if (!eligibility_) eligibility_.emplace(problem_.rule_context);
  return *eligibility_;
}

Reuse AnswerCache::find_reuse() {
  if (!is_plain_request() || !is_plain_state()) return {};
  RuleList<Trigger> admission(problem_.rule_context);
  composition(problem_.rule_context.effective.profile()).add_admission(admission);
  if (!may_reuse(depends_on(admission), problem_.rule_context.in_flight)) return {};
  Dependencies caps;
  for (const Cap* cap : problem_.caps) caps = caps | cap->depends_on();
  return reuse_of(eligibility().depends_on(), depends_on(problem_.objective.measures()), caps);
}

const Reuse& AnswerCache::reuse() {
  if (!reuse_) reuse_ = find_reuse();
  return *reuse_;
}

template <class Act>
auto AnswerCache::with_eligible(const Eligibility& rules, Act act) {
  const NodeCandidates::Eligible eligible = [&](const Unit& unit) {
    return !rules.excludes(unit) && problem_.needs.serves(unit, problem_.space);
  };
  const std::lock_guard lock(problem_.group_index.caches().mutex);
  return act(eligible);
}

std::optional<SearchResult> AnswerCache::for_one_task() {
  const RuleContext& rule_context = problem_.rule_context;
  const bool by_price = leads_with_price(problem_.objective.measures());
  const Eligibility rules(rule_context, kAskedLast);
  return with_eligible(rules, [&](const NodeCandidates::Eligible& eligible) -> std::optional<SearchResult> {
    using Order = NodeCache::Order;
    NodeCache& cache =
        problem_.group_index.caches().nodes(problem_.group_index, kind_of(rule_context, problem_.placer));
    const Order order = reuse().timeless ? Order::timeless : by_price ? Order::price : Order::other;
    std::uint32_t node = 0;
    const NodeCache::Entry* best = cache.best(problem_, {eligible, order, rules.figures()}, node);
    if (!best) return std::nullopt;
    SearchResult answer;
    answer.best = found_set(problem_, best->units, {&node, 1}, false);  // no other set to compare with
    if (!answer.best) return std::nullopt;
    answer.needs_met = true;
    answer.proven = cache.is_certain();
    answer.work = problem_.space.size();
    return answer;
  });
}

std::optional<SearchResult> AnswerCache::for_gang(const NodeCandidates::Eligible& eligible) {
  const NodeChoiceConstraints& need = problem_.placer.arranger().need();
  if (need.domains.size() != 1 || need.uniform != UniformOver::nothing) return std::nullopt;
  const RuleContext& rule_context = problem_.rule_context;
  DomainCache& cache =
      problem_.group_index.caches().domains(problem_.group_index, kind_of(rule_context, problem_.placer));
  return DomainSearch(problem_, eligible, cache, need.domains.front()).run();
}

// Whether the set and its placement follow from the nodes alone, at any time.
bool AnswerCache::reuses_answer() {
  return reuse().answer && problem_.rule_context.request.tasks.size() > 1 &&
         !problem_.group_index.nodes().any_fingerprint();
}

// Whether a rule excludes a victim, or a set of a lower tier might do.
bool AnswerCache::is_excluded(const SearchResult& found) {
  const RuleContext& rule_context = problem_.rule_context;
  const Composition& profile = composition(rule_context.effective.profile());
  const std::vector<const Unit*>& victims = found.best->victims;
  return std::any_of(victims.begin(), victims.end(), [&](const Unit* unit) {
    return eligibility().excludes(*unit) || profile.tier(rule_context, *unit) > 0;
  });
}

std::optional<SearchResult> AnswerCache::run() {
  if (!reuse().one_task) return std::nullopt;
  if (reuses_answer()) {
    RequestCaches& caches = problem_.group_index.caches();
    const std::lock_guard lock(caches.mutex);
    const SearchResult* known =
        caches.answer(problem_.group_index, kind_of(problem_.rule_context, problem_.placer)).find(problem_);
    return known ? std::optional(*known) : std::nullopt;
  }
  std::optional<SearchResult> found;
  if (problem_.rule_context.request.tasks.size() == 1) {
    if (!problem_.placer.arranger().need().domains.empty()) return std::nullopt;
    found = for_one_task();
    if (found && is_excluded(*found)) return std::nullopt;
  } else if (reuse().sets && leads_with_price(problem_.objective.measures())) {
    found = with_eligible(eligibility(),
                          [&](const NodeCandidates::Eligible& eligible) { return for_gang(eligible); });
  }
  if (found && breaks_any(problem_.caps, found->best->victims, problem_.space.work())) return std::nullopt;
  return found;
}

void AnswerCache::keep(SearchResult& found) {
  if (!reuses_answer()) return;
  found.best->victims = by_name(problem_.rule_context.model(), found.best->victims);
  found.best->in_name_order = true;
  RequestCaches& caches = problem_.group_index.caches();
  const std::lock_guard lock(caches.mutex);
  caches.answer(problem_.group_index, kind_of(problem_.rule_context, problem_.placer)).keep(problem_, found);
}

// Whether only room counts and sums show what is missing: the only hard entry is one for domains of a level,
// and eligibility does not depend on time.
bool AnswerCache::reuses_room() {
  if (!reuse().room) return false;
  const Composition& profile = composition(problem_.rule_context.effective.profile());
  if (profile.one_node(problem_.rule_context) != OneNode::anywhere) return false;
  const NodeChoiceConstraints& need = problem_.placer.arranger().need();
  return need.domains.size() <= 1 && need.uniform == UniformOver::nothing &&
         problem_.placer.need().each_left_out().size() == need.domains.size();
}

std::optional<NoRoom> AnswerCache::no_room() {
  RequestCaches& caches = problem_.group_index.caches();
  {
    const std::lock_guard lock(caches.mutex);
    if (!caches.known_room(kind_of(problem_.rule_context, problem_.placer))) return std::nullopt;
  }
  if (!reuses_room()) return std::nullopt;
  return with_eligible(eligibility(), [&](const NodeCandidates::Eligible& eligible) {
    return no_room(caches.room(problem_.group_index, kind_of(problem_.rule_context, problem_.placer)),
                   eligible);
  });
}

std::optional<NoRoom> AnswerCache::no_room(const std::vector<const Unit*>& all) {
  if (!reuses_room()) return std::nullopt;
  std::vector<bool> may_go(problem_.group_index.units().size(), false);
  for (const Unit* unit : all) may_go[unit->slot] = true;
  RequestCaches& caches = problem_.group_index.caches();
  const std::lock_guard lock(caches.mutex);
  return no_room(caches.room(problem_.group_index, kind_of(problem_.rule_context, problem_.placer)),
                 [&](const Unit& unit) { return may_go[unit.slot]; });
}

std::optional<NoRoom> AnswerCache::no_room(RoomCache& cache, const NodeCandidates::Eligible& eligible) const {
  cache.follow(problem_, eligible);
  const std::size_t tasks = problem_.rule_context.request.tasks.size();
  if (cache.takes(tasks)) return std::nullopt;
  // VictimSearch takes so few candidates as one subproblem and counts its work in another way.
  const bool few = cache.units() <= static_cast<std::size_t>(problem_.limits.exact_units);
  if (few) return std::nullopt;
  NoRoom out{cache.units(), {}, cache.counted_nodes()};
  const Model& model = problem_.rule_context.model();
  const std::uint32_t lacking = first_resource(model, [&](std::uint32_t r) {
    const Total needed = problem_.placer.asked(r);
    return needed > 0 && !problem_.space.counted_by_group(r) && cache.free(r) < needed;
  });
  if (lacking != ResourceId::kNoValue) {
    out.missing = too_little(model, lacking, problem_.placer.asked(lacking), cache.free(lacking));
    return out;
  }
  // Without the entry for domains, any nodes would do.
  const bool hinders = !problem_.placer.arranger().need().domains.empty() && cache.takes_anywhere(tasks);
  out.missing = no_arrangement(hinders ? problem_.placer.need().each_left_out().front().without : "", tasks);
  return out;
}

}  // namespace cede
