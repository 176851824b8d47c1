// SPDX-License-Identifier: MIT
#include "search/decision.h"

#include <algorithm>
#include <set>

#include "base/text.h"
#include "policy/composition.h"
#include "policy/eligibility.h"
#include "policy/rules/triggers.h"
#include "search/count_search.h"
#include "search/nodes.h"
#include "search/recall.h"

namespace cede {

namespace {

constexpr std::size_t kToldAtOnce = 256;             // units
constexpr std::size_t kFewNodesOfSpace = 500;        // that can all be looked at for every set
constexpr std::uint64_t kOtherJobsWork = 5'000'000;  // of it, to look at jobs that are served first

}  // namespace

Request request_of(const Effective& effective, const Question& question) {
  const Model& model = effective.model();
  Request request;
  switch (question.purpose) {
    case Purpose::job: return make_request(effective, question.job);
    case Purpose::relief_node:
      request.node = question.node;
      request.group = model.nodes[question.node].group;
      break;
    case Purpose::relief_queue:
      request.queue = question.queue;
      request.group = question.group;
      break;
    case Purpose::relief_job:
      request.job = question.job;
      request.queue = model.jobs[question.job].queue;
      request.group = model.jobs[question.job].group;
      break;
    case Purpose::reclaim:
    case Purpose::sensitive_claim:
      request.queue = question.queue;
      request.claimed = question.claimed;
      request.group = model.nodes[question.claimed.front()].group;
      std::sort(request.claimed.begin(), request.claimed.end(), [&](NodeId a, NodeId b) {
        return model.name(model.nodes[a].name) < model.name(model.nodes[b].name);
      });
      break;
  }
  request.purpose = question.purpose;
  return request;
}

Decision::Decision(const Outset& outset)
    : model_(*outset.model),
      question_(outset.question),
      ground_(outset.ground),
      means_(outset.means),
      effective_(model_, outset.policies, outset.policy, &ground_->queues()),
      request_(request_of(effective_, question_)),
      own_usage_(outset.in_flight->surplus.empty()
                     ? std::nullopt
                     : std::optional(ground_->usage().beside(*outset.in_flight))),
      fair_(composition(outset.policy.profile).inputs().fair_shares
                ? std::make_unique<const FairStanding>(effective_, request_.group, *outset.in_flight,
                                                       question_.now)
                : nullptr),
      asking_{effective_,
              request_,
              question_.now,
              question_.protect,
              own_usage_ ? *own_usage_ : ground_->usage(),
              *outset.in_flight,
              this,
              ground_->units(),
              fair_.get(),
              question_.allowance},
      profile_(composition(outset.policy.profile)),
      work_(kFirstAnswerWork + static_cast<std::uint64_t>(outset.policies.limits.search_work)) {
  std::sort(asking_.protect.begin(), asking_.protect.end());
  plan_.snapshot = outset.model;
  plan_.in_flight = outset.in_flight;
  plan_.protect = asking_.protect;
  plan_.avoid = question_.avoid;
  plan_.allowance = question_.allowance;
  plan_.now = question_.now;
  plan_.subject = request_;
  plan_.policy = outset.policy.name;
  plan_.profile = std::string(to_word(outset.policy.profile, kProfiles));
  plan_.cause = std::string(profile_.cause(asking_));
  if (request_.purpose == Purpose::relief_node) plan_.cause = "overcommit";
  if (request_.purpose == Purpose::relief_queue || request_.purpose == Purpose::relief_job)
    plan_.cause = "limit";
}

Plan Decision::decide() {
  Plan plan = run();
  plan.spent = work_.spent();
  return plan;
}

Plan Decision::answer(Outcome outcome, std::string_view rule, std::string reason) {
  plan_.outcome = outcome;
  plan_.rule = rule;
  plan_.reason = std::move(reason);
  return std::move(plan_);
}

bool Decision::refused(const RuleList<Trigger>& triggers, Plan& plan) {
  for (const auto& trigger : triggers) {
    std::string why;
    if (!trigger->refuses(&why)) continue;
    plan = answer(Outcome::wait, trigger->name(), std::move(why));
    return true;
  }
  return false;
}

bool Decision::over_budget(Plan& plan) {
  if (request_.purpose == Purpose::sensitive_claim) return false;
  RuleList<Trigger> budget(asking_);
  budget.add<Budget>();
  return refused(budget, plan);
}

// Requests with equal keys are possible or not together. Nothing where more than the key decides.
std::optional<Decision::RequestKey> Decision::key_of(const Request& request) const {
  if (request.tasks.empty()) return std::nullopt;
  const RequestTask& first = request.tasks.front();
  for (const RequestTask& task : request.tasks) {
    if (task.resources != first.resources || task.required_node != kNoName) return std::nullopt;
  }
  const JobCore& core = model_.jobs[request.job];
  for (std::uint32_t k = 0; k < core.task_rows; ++k) {
    if (model_.tasks.core(TaskId{core.first_task.value + k}).node) return std::nullopt;
  }
  const RequirementId require = model_.job_extras[request.job.value].require;
  for (std::size_t i = 0; require && i < model_.requirements[require.value]->network.size(); ++i) {
    if (model_.requirements[require.value]->network[i].expires != kNoDuration) return std::nullopt;
  }
  return RequestKey{require ? require.value : RequirementId::kNoValue, request.queue.value, first.resources,
                    request.tasks.size(), effective_.job_class(request.job)};
}

bool Decision::possible(JobId job) const {
  const auto known = possible_.find(job.value);
  if (known != possible_.end()) return known->second;
  const Request request = make_request(effective_, job);
  const std::optional<RequestKey> key = key_of(request);
  if (key) {
    if (const auto alike = possible_alike_.find(*key); alike != possible_alike_.end())
      return possible_[job.value] = alike->second;
  }
  bool fits = false;
  const WorkShare share(work_, kOtherJobsWork - std::min(kOtherJobsWork, others_spent_));
  const std::uint64_t before = work_.spent();
  if (!request.tasks.empty()) {
    const Asking asking{effective_,        request, question_.now, {},         asking_.usage,
                        asking_.in_flight, this,    asking_.units, fair_.get()};
    Space empty(asking, ground_->nodes(), Space::Fill::empty, &work_);
    mark_usable(empty, asking, {}, Usable::ever);
    work_.spend(50 + empty.size() / 2);
    // Who cannot be told to be impossible is in front.
    fits = lacking_room(asking, empty.usage()).empty() &&
           (work_.ended() || Placer(asking, empty.table(), work_).fits(empty) != PlaceAnswer::no_room);
  }
  others_spent_ += work_.spent() - before;
  if (key) possible_alike_[*key] = fits;
  return possible_[job.value] = fits;
}

void Decision::look_at_units() { plan_.units = asking_.units.size(); }

std::vector<const Unit*> Decision::units_in_order() const {
  std::vector<const Unit*> units(asking_.units.begin(), asking_.units.end());
  std::sort(units.begin(), units.end(),
            [&](const Unit* a, const Unit* b) { return comes_before(model_, *a, *b); });
  return units;
}

// Those who are on their way out are off their nodes in the model; the reader wants to see them all the same.
void Decision::list_leaving() {
  std::map<std::string_view, std::vector<TaskId>> leaving;  // by job
  for (const TaskId task : asking_.in_flight.leaving) {
    const TaskCore& core = model_.tasks.core(task);
    if (!core.node && model_.jobs[core.job].group == request_.group)
      leaving[model_.job_name(core.job)].push_back(task);
  }
  for (auto& [unused, tasks] : leaving) {
    const JobId job = model_.tasks.core(tasks.front()).job;
    const bool whole = tasks.size() == model_.jobs[job].task_rows;
    plan_.exclusions.push_back({job, std::move(tasks), whole, "held", "it gives way already"});
  }
}

std::vector<const Unit*> Decision::eligible(const Needs& needs, const Space& space) {
  if (request_.purpose != Purpose::job || !means_.policies || asking_.units.size() <= kToldAtOnce)
    return eligible_of(units_in_order(), needs, space, true);
  leave_untold();
  return eligible_of(asking_.units, needs, space, false);
}

void Decision::leave_untold() {
  plan_.units_told = false;
  plan_.policies = means_.policies;
}

std::vector<const Unit*> Decision::eligible_of(std::span<const Unit* const> units, const Needs& needs,
                                               const Space& space, bool told) {
  std::vector<const Unit*> out;
  if (!told) {
    const Eligibility rules(asking_);
    const auto is_in = [&](const Unit* unit) { return !rules.excludes(*unit) && needs.serves(*unit, space); };
    // Fair standings must not be asked by two threads at once.
    Crew* const crew = fair_ ? nullptr : crew_for(means_.crew, units.size());
    std::vector<std::vector<const Unit*>> pieces((units.size() + kUnitsAtOnce - 1) / kUnitsAtOnce);
    each_piece(crew, pieces.size(), [&](std::size_t piece) {
      const auto part =
          units.subspan(piece * kUnitsAtOnce, std::min(kUnitsAtOnce, units.size() - piece * kUnitsAtOnce));
      std::copy_if(part.begin(), part.end(), std::back_inserter(pieces[piece]), is_in);
    });
    for (const auto& piece : pieces) out.insert(out.end(), piece.begin(), piece.end());
    return out;
  }
  const RuleList<EligibilityRule> rules = eligibility_rules(asking_);
  for (const Unit* unit : units) {
    std::string why;
    std::string_view rule;
    for (const auto& each : rules) {
      if (!each->excludes(*unit, &why)) continue;
      rule = each->name();
      break;
    }
    if (rule.empty() && !needs.serves(*unit, space)) {
      rule = "frees-nothing";
      why = "nothing it holds is of use to the request";
    }
    if (rule.empty()) {
      out.push_back(unit);
    } else {
      plan_.exclusions.push_back({unit->job, unit->tasks, unit->whole_job, rule, std::move(why)});
    }
  }
  list_leaving();
  return out;
}

bool Decision::may_recall(const Placer& placer, const Space& space) const {
  return means_.policies && request_.purpose == Purpose::job && asking_.units.size() > kToldAtOnce &&
         Counting::decides(asking_, placer, space, profile_.one_node(asking_));
}

template <class Act>
auto Decision::with_recall(const Needs& needs, const Placer& placer, Space& space, const Act& act) const
    -> decltype(act(std::declval<Recall&>())) {
  if (!may_recall(placer, space)) return decltype(act(std::declval<Recall&>()))();
  const Objective objective(asking_);
  const RuleList<Cap> all = caps(asking_);
  CapList kept;
  for (const auto& cap : all) {
    if (cap->may_break()) kept.push_back(cap.get());
  }
  const SearchTerms terms{asking_,   placer, *ground_,        space,      needs,
                          objective, kept,   search_limits(), means_.crew};
  Recall recall(terms, question_);
  return act(recall);
}

std::optional<Plan> Decision::remembered(const Needs& needs, const Placer& placer, Space& space) {
  return with_recall(needs, placer, space, [&](Recall& recall) -> std::optional<Plan> {
    if (const std::optional<NoRoom> no = recall.no_room()) {
      plan_.work += no->work;
      leave_untold();
      return no_room(*no);
    }
    const WorkShare share(work_, work_.left() / 3);
    std::optional<SearchAnswer> found = recall.run();
    if (!found) return std::nullopt;
    plan_.work += found->work;
    leave_untold();
    return accept(std::move(*found), {}, &placer);
  });
}

SearchLimits Decision::search_limits() const {
  SearchLimits limits;
  limits.exact_units = effective_.policies().limits.exact_units;
  const auto proof = static_cast<std::uint64_t>(effective_.policies().limits.search_work);
  limits.proof = proof - std::min(proof, proof_spent_);
  return limits;
}

std::string_view Decision::no_set_rule(const std::vector<const Unit*>&) { return {}; }

// Whether what a cap lets the candidates free, all of them together, is less than the request lacks.
bool Decision::caps_leave_too_little(const Placer& placer, const Space& space, const RuleList<Cap>& caps,
                                     const std::vector<const Unit*>& candidates,
                                     std::size_t without_cap) const {
  for (std::uint32_t r = 0; r < model_.resources.size(); ++r) {
    if (placer.asked(r) == 0) continue;
    const Total lacking = placer.asked(r) - free_of(space, r);
    for (std::size_t i = 0; lacking > 0 && i < caps.size(); ++i) {
      const std::optional<Total> most = i == without_cap ? std::nullopt : caps[i].most_freed(candidates, r);
      if (most && *most < lacking) return true;
    }
  }
  return false;
}

SearchAnswer Decision::search_tier(const Needs& needs, const Placer* placer, Space& space,
                                   const Objective& objective, const RuleList<Cap>& caps,
                                   const std::vector<const Unit*>& candidates, std::size_t without_cap,
                                   OneNode one_node) {
  const SearchLimits limits = search_limits();
  const bool few =
      candidates.size() <= static_cast<std::size_t>(limits.exact_units) && space.size() <= kFewNodesOfSpace;
  if (placer && !few && caps_leave_too_little(*placer, space, caps, candidates, without_cap)) {
    SearchAnswer no;
    no.proven = true;
    no.needs_met = true;  // by all of them together, as far as it is known
    return no;
  }
  if (placer && !few && Counting::decides(asking_, *placer, space, one_node)) {
    CapList kept;
    for (std::size_t i = 0; i < caps.size(); ++i) {
      if (i != without_cap && caps[i].may_break()) kept.push_back(&caps[i]);
    }
    const SearchTerms terms{asking_, *placer, *ground_, space, needs, objective, kept, limits, means_.crew};
    const std::uint64_t before = work_.spent();
    std::optional<SearchAnswer> found = CountSearch(terms, candidates).run();
    if (found) {
      plan_.work += found->work;
      proof_spent_ += work_.spent() - before;
      return std::move(*found);
    }
  }
  std::vector<SearchPlace> places{{{}, candidates}};
  if (placer) {
    places = split_into_places(asking_, *placer, space, candidates,
                               static_cast<std::size_t>(limits.exact_units), one_node);
  }
  SearchAnswer found = VictimSearch(space, needs, objective, caps, limits, without_cap).run(places);
  plan_.work += found.work;
  proof_spent_ += found.work;
  return found;
}

int Decision::tier_of(const Unit& unit) const {
  return unit.last_resort ? std::numeric_limits<int>::max() : profile_.tier(asking_, unit);
}

Plan Decision::search(const Needs& needs, const Placer* placer, Space& space,
                      const std::vector<const Unit*>& all) {
  if (all.empty()) {
    return answer(Outcome::wait, "no-victims",
                  "none of the " + std::to_string(asking_.units.size()) + " running units may give way");
  }
  const Objective objective(asking_);
  const RuleList<Cap> kept = caps(asking_);
  // Units of a later tier only when those before are a proven no.
  std::vector<int> tiers;
  for (const Unit* unit : all) {
    const int tier = tier_of(*unit);
    if (std::find(tiers.begin(), tiers.end(), tier) == tiers.end()) tiers.push_back(tier);
  }
  std::sort(tiers.begin(), tiers.end());
  SearchAnswer found;
  for (const int tier : tiers) {
    std::vector<const Unit*> some;
    if (tier != tiers.back()) {
      std::copy_if(all.begin(), all.end(), std::back_inserter(some),
                   [&](const Unit* unit) { return tier_of(*unit) <= tier; });
    }
    found = search_tier(needs, placer, space, objective, kept, tier == tiers.back() ? all : some, SIZE_MAX,
                        profile_.one_node(asking_));
    if (found.best || !found.proven) break;
  }
  if (!found.best) return no_set(needs, placer, space, objective, kept, found, all);
  if (placer) with_recall(needs, *placer, space, [&](Recall& recall) { recall.keep(found); });
  return accept(std::move(found), all, placer);
}

// `one-node` is kept by where the search looks, so it is not among the caps: on how many nodes the victims
// would be without it; 0 where it does not hinder.
std::size_t Decision::nodes_needed(const Placer* placer, Space& space, const Objective& objective,
                                   const RuleList<Cap>& kept, const std::vector<const Unit*>& all) {
  if (!placer || profile_.one_node(asking_) == OneNode::anywhere) return 0;
  // The space for one task is on one node anyway; only what the group counts could come from elsewhere.
  const bool domain = placer->need().require().exclusive == Exclusive::domain;
  if (request_.tasks.size() == 1 && !domain && placer->has_group_room(space)) return 0;
  const RequestNeeds anywhere(asking_, *placer, OneNode::anywhere);
  const SearchAnswer found =
      search_tier(anywhere, placer, space, objective, kept, all, SIZE_MAX, OneNode::anywhere);
  std::set<NodeId> nodes;
  for (const Unit* unit : found.best ? found.best->victims : std::vector<const Unit*>{}) {
    for (const TaskId task : unit->tasks) nodes.insert(model_.tasks.core(task).node);
  }
  return nodes.size();
}

Plan Decision::no_set(const Needs& needs, const Placer* placer, Space& space, const Objective& objective,
                      const RuleList<Cap>& kept, const SearchAnswer& found,
                      const std::vector<const Unit*>& all) {
  spare(all, {});
  if (!found.proven)
    return answer(Outcome::wait, "undecided", "no set was found within the allowed work; there may be one");
  if (const std::size_t nodes = nodes_needed(placer, space, objective, kept, all); nodes > 0) {
    return answer(Outcome::wait, "one-node",
                  "victims on one node do not make room for it; it takes those of " + std::to_string(nodes));
  }
  if (!found.needs_met) {
    if (placer) {
      const std::optional<NoRoom> no =
          with_recall(needs, *placer, space, [&](Recall& recall) { return recall.no_room(all); });
      if (no) return no_room(*no);
    }
    for (const Unit* unit : all) {
      for (const TaskId task : unit->tasks) {
        if (space.holds(task)) space.release(task);
      }
    }
    if (const std::string_view rule = no_set_rule(all); !rule.empty())
      return answer(Outcome::wait, rule, "a hard entry of its requirement needs a topology that nobody gave");
    return answer(Outcome::wait, "no-set",
                  "even with all " + std::to_string(all.size()) + " eligible units gone " +
                      (placer ? "it does not fit: " : "") + needs.missing(space));
  }
  // Which cap alone stands in the way, and by how much at least.
  for (std::size_t i = 0; i < kept.size() && !work_.ended(); ++i) {
    const SearchAnswer without =
        search_tier(needs, placer, space, objective, kept, all, i, profile_.one_node(asking_));
    std::string why;
    if (!without.best || !kept[i].breaks(without.best->victims, &why)) continue;
    return answer(Outcome::wait, kept[i].name(), std::move(why));
  }
  return answer(Outcome::wait, "no-set", "no allowed set of the eligible units makes room for it");
}

Plan Decision::no_room(const NoRoom& found) {
  return answer(Outcome::wait, "no-set",
                "even with all " + std::to_string(found.units) +
                    " eligible units gone it does not fit: " + found.missing);
}

void Decision::spare(const std::vector<const Unit*>& eligible, const std::vector<const Unit*>& taken) {
  if (!plan_.units_told) return;
  std::set<TaskId> gone;
  for (const Unit* unit : taken) gone.insert(unit->tasks.begin(), unit->tasks.end());
  spare_but(eligible, gone);
}

void Decision::spare_but(const std::vector<const Unit*>& eligible, const std::set<TaskId>& gone) {
  for (const Unit* unit : eligible) {
    const bool stays = std::any_of(unit->tasks.begin(), unit->tasks.end(),
                                   [&](TaskId task) { return !gone.contains(task); });
    if (stays) plan_.spared.push_back({unit->job, unit->tasks, unit->whole_job, "not-needed", {}});
  }
}

namespace {

// Whether the first so many entries are the best there are, given that those of the victims are: what counts
// against the placement must be nothing.
bool proven_by_itself(const std::vector<Criterion>& objective, std::uint32_t entries) {
  for (std::uint32_t i = 0; i < entries; ++i) {
    const bool of_placement = objective[i].name == "preferences" || objective[i].name == "borrowed";
    if (of_placement && objective[i].number != 0) return false;
  }
  return true;
}

}  // namespace

Plan Decision::accept(SearchAnswer found, const std::vector<const Unit*>& all, const Placer* placer) {
  FoundSet& best = *found.best;
  plan_.placement = std::move(best.placement.tasks);
  plan_.objective = std::move(best.worth.shown);
  if (placer) {
    plan_.topology_met = placer->need().hard_names();
    for (std::size_t i = 0; i < placer->need().preferences(); ++i) {
      const std::string& name = placer->need().preference_name(i);
      const auto& missed = best.placement.missed;
      if (std::find(missed.begin(), missed.end(), name) == missed.end() &&
          std::find(plan_.topology_met.begin(), plan_.topology_met.end(), name) == plan_.topology_met.end())
        plan_.topology_met.push_back(name);
    }
    plan_.topology_missed = std::move(best.placement.missed);
  }
  plan_.proven = found.proven ? static_cast<std::uint32_t>(plan_.objective.size())
                              : std::max(static_cast<std::uint32_t>(found.proven_entries),
                                         plan_.objective.front().number == 0 ? 1u : 0u);
  if (found.proven && !found.placement_proven) {
    // Nothing counts against a placement less than nothing.
    while (plan_.proven > 0 && !proven_by_itself(plan_.objective, plan_.proven)) --plan_.proven;
  }
  if (placer && found.proven) {
    // Nodes of segments are chosen for room: what counts against the placement may not be the least.
    const auto& entries = placer->need().require().network;
    const bool segments = std::any_of(entries.begin(), entries.end(),
                                      [](const NetworkNeed& entry) { return entry.segment > 0; });
    const auto at = std::find_if(plan_.objective.begin(), plan_.objective.end(),
                                 [](const Criterion& each) { return each.name == "preferences"; });
    if (segments) plan_.proven = static_cast<std::uint32_t>(at - plan_.objective.begin());
  }
  plan_.optimal = found.proven;
  if (!best.in_name_order) best.victims = by_name(model_, best.victims);
  write_victims(asking_, best.victims, plan_);
  plan_.bound = plan_.cost;
  if (found.price_bound) {
    plan_.bound = *found.price_bound;
  } else if (!found.proven || !leads_with_price(asking_)) {  // else a proven best set is its own bound
    // Somebody must go: the cheapest costs that much. Of many this is not worth a look at each.
    if (!plan_.units_told) plan_.bound = 0;
    for (std::size_t i = 0; i < all.size() && plan_.bound > 0; ++i)
      plan_.bound = std::min(plan_.bound, cost_of(asking_, *all[i]));
  }
  for (const FoundSet& other : found.others) {
    Alternative alternative;
    alternative.victims = other.worth.names;
    for (const Unit* unit : other.victims) alternative.cost += cost_of(asking_, *unit);
    alternative.worse = "names";
    for (std::size_t i = 0; i < other.worth.shown.size(); ++i) {
      if (compare(plan_.objective[i], other.worth.shown[i]) == 0) continue;
      alternative.worse = std::string(other.worth.shown[i].name);
      break;
    }
    plan_.alternatives.push_back(std::move(alternative));
  }
  spare(all, best.victims);
  std::string text = done_text(plan_.victims.size());
  if (const std::string remark = profile_.remark(asking_); !remark.empty()) text += "; " + remark;
  return answer(Outcome::preempt, {}, std::move(text));
}

}  // namespace cede
