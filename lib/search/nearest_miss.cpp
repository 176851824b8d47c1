// SPDX-License-Identifier: MIT
#include "search/nearest_miss.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "placement/node_attributes.h"
#include "policy/queue_shortfall.h"
#include "policy/rules/remedies.h"
#include "report/text_block.h"
#include "search/choose_victims.h"
#include "search/decide.h"
#include "search/nearest_place.h"
#include "search/triggers.h"

namespace cede {

namespace {

using Units = std::vector<const Unit*>;

constexpr std::size_t kPlacesTried = 4;
constexpr std::size_t kNodesTried = 64;   // in one place
constexpr std::size_t kUnitsTried = 256;  // in one place
constexpr std::size_t kBlockersListed = 5;
constexpr std::size_t kChangesListed = 3;
constexpr std::size_t kRemediesJoined = 4;  // in one change

// The rules that end a decision before any unit is looked at.
constexpr std::array<std::string_view, 16> kTriggers{
    "attempt-interval",  "budget",        "job-max",      "leaving",   "may-not-preempt",
    "no-lower-priority", "not-front",     "not-starving", "off",       "over-guarantee",
    "overcommit-grace",  "pending-delay", "queue-max",    "quota-max", "quota-min",
    "worth-waiting"};

bool is_one_of(std::span<const std::string_view> words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

using Parts = std::vector<std::string>;  // of one change; all of them are needed

// Adds what is not said yet. Of two figures for the same thing, the one that goes further counts.
void add_part(Parts& parts, const std::string& part) {
  if (part.empty()) return;
  const std::size_t figure = part.rfind(" to ");
  for (std::string& known : parts) {
    if (known == part) return;
    const bool same = figure != std::string::npos && known.rfind(" to ") == figure &&
                      known.compare(0, figure, part, 0, figure) == 0;
    if (!same) continue;
    const bool higher = known.size() != part.size() ? known.size() < part.size() : known < part;
    if (higher != part.starts_with("lower")) known = part;
    return;
  }
  parts.push_back(part);
}

std::string sentence(const Parts& parts) {
  std::string out;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) out += i + 1 == parts.size() ? " and " : ", ";
    out += parts[i];
  }
  return out;
}

// A unit that some rule spares, with every such rule: all have to change before it may be taken.
struct Spared {
  struct Reason {
    std::string_view rule;
    std::string why;
  };
  const Unit* unit = nullptr;
  std::vector<Reason> reasons;
  bool can_change = true;  // each rule has a remedy
  bool is_enough = false;  // with this unit gone as well, the request fits
};

class NearestMissSearch {
 public:
  NearestMissSearch(DecisionContext& context, const Plan& plan)
      : context_(context),
        rules_(eligibility_rules(context.rule_context)),
        impossible_(plan.outcome == Outcome::impossible),
        space_(context.rule_context, context.group_index->nodes(),
               impossible_ ? Space::Fill::empty : Space::Fill::as_it_is, &context.work),
        placer_(context.rule_context, space_.table(), context.work),
        one_node_(context.profile.one_node(context.rule_context)),
        needs_(context.rule_context, placer_, one_node_),
        rule_(plan.rule) {
    if (impossible_) {
      mark_usable(space_, context.rule_context, {}, Usable::ever);
    } else {
      mark_usable(space_, context.rule_context, context.query.avoid, Usable::now);
    }
    if (is_one_of(kTriggers, rule_)) open_gate(rule_);
    if (rule_ == "nodes-unavailable") find_gate();
    if (gate_rule_.empty() && job_shortfall(context.model, context.request)) gate_rule_ = "job-max";
  }

  std::optional<NearestMiss> run() {
    if (is_one_of(kTriggers, rule_) && trigger_remedy(context_.rule_context, rule_).empty())
      return std::nullopt;
    PlanBuilder unused(context_);
    if (!impossible_) eligible_ = explained_eligible_units(context_, needs_, space_, unused);
    move(eligible_, -1);
    if (lifts_limits_) limit_left_ = limit_remedy(context_.rule_context, space_.usage());
    if (fits({})) {
      move(eligible_, 1);
      look_at_sets();
    } else {
      look_at_places();
    }
    if (miss_.place.empty() && miss_.changes.empty()) return std::nullopt;
    return std::move(miss_);
  }

 private:
  // What the trigger that refused asks for is a part of every change that takes victims.
  void open_gate(std::string_view rule) {
    if (rule == "not-front" && !context_.rule_context.front_job)
      context_.rule_context.front_job =
          find_front_job(context_.rule_context, *context_.group_index, context_.work);
    gate_rule_ = rule;
    lifts_limits_ = rule == "queue-max" || rule == "quota-max" || rule == "quota-min";
  }

  // The decision ended before the triggers were asked.
  void find_gate() {
    if (!context_.effective.preemption_on(context_.request.queue)) return open_gate("off");
    if (!context_.request.may_preempt) return open_gate("may-not-preempt");
    if (const std::optional<Verdict> refused = refused_by_profile(context_)) open_gate(refused->rule);
  }

  void move(const Units& units, int sign) {
    for (const Unit* unit : units) {
      for (const TaskId task : unit->tasks) {
        if (sign < 0 && space_.holds(task)) space_.release(task);
        if (sign > 0 && !space_.holds(task)) space_.take(task);
      }
    }
  }

  bool fits(NodeList within) const {
    if (context_.work.ended()) return false;
    return (lifts_limits_ || queue_shortfalls(context_.rule_context, space_.usage()).empty()) &&
           placer_.fits(space_, within) == PlacementResult::placed;
  }

  void propose(const Parts& change, const std::string& also = {}) {
    Parts parts;
    const bool alone = change.empty() && also.empty();
    if (lifts_limits_ || !without_victims_)
      add_part(parts, trigger_remedy(context_.rule_context, gate_rule_, alone));
    if (lifts_limits_ && gate_rule_ != "queue-max") add_part(parts, limit_left_);
    for (const std::string& part : change) add_part(parts, part);
    add_part(parts, also);
    std::string text = sentence(parts);
    if (text.empty() || miss_.changes.size() >= kChangesListed) return;
    if (std::find(miss_.changes.begin(), miss_.changes.end(), text) == miss_.changes.end())
      miss_.changes.push_back(std::move(text));
  }

  // What else has to change so that a set of these candidates is allowed: empty text, nothing; a cap's
  // remedy; nullopt, more than one cap. The space must be as it was at first.
  std::optional<std::string> besides(const Units& candidates) { return besides(placer_, needs_, candidates); }

  std::optional<std::string> besides(const Placer& placer, const Needs& needs, const Units& candidates) {
    without_victims_ = false;
    if (lifts_limits_ || impossible_ || context_.work.ended()) return std::string{};
    const Objective objective(context_.rule_context);
    const RuleList<Cap> kept = caps(context_.rule_context);
    const VictimProblem problem{needs, &placer, space_, one_node_, objective, kept};
    without_victims_ = needs.are_met(space_, {});
    if (without_victims_) return std::string{};
    if (!candidates.empty() && search_tiers(context_, problem, candidates).best) return std::string{};
    for (std::size_t i = 0; i < kept.size() && !context_.work.ended(); ++i) {
      if (candidates.empty() || !kept[i].may_break()) continue;
      const SearchResult without = search_candidates(context_, problem, candidates, i);
      if (!without.best || !kept[i].breaks(without.best->victims, nullptr)) continue;
      name_set(without.best->victims);
      return cap_remedy(context_.rule_context, kept[i], without.best->victims);
    }
    if (one_node_ != OneNode::anywhere && context_.effective.profile() == Profile::guarantee)
      return "set cross_node for queue " +
             quote(context_.model.name(context_.model.queues[context_.request.queue].name));
    return std::nullopt;
  }

  // The nodes of a set that only a cap forbids.
  void name_set(const Units& victims) {
    if (!miss_.place.empty()) return;
    std::vector<std::string_view> nodes, jobs;
    for (const Unit* unit : victims) {
      jobs.push_back(context_.model.job_name(unit->job));
      for (const TaskId task : unit->tasks)
        nodes.push_back(context_.model.name(context_.model.nodes[context_.model.tasks.core(task).node].name));
    }
    for (std::vector<std::string_view>* names : {&nodes, &jobs}) {
      std::sort(names->begin(), names->end());
      names->erase(std::unique(names->begin(), names->end()), names->end());
    }
    miss_.place = std::string(nodes.size() == 1 ? "node " : "nodes ") + fold_names(nodes, kPictureColumns);
    miss_.missing = "it would fit without " + std::string(jobs.size() == 1 ? "job " : "jobs ") +
                    fold_names(jobs, kPictureColumns);
  }

  // There is room once every eligible unit is gone; only what is allowed of a set, or a trigger, is in the
  // way.
  void look_at_sets() {
    const std::optional<std::string> also = besides(eligible_);
    if (also) propose({}, *also);
  }

  bool makes_queue_room(const Unit& unit) const {
    return !lifts_limits_ &&
           std::any_of(shortfalls_.begin(), shortfalls_.end(), [&](const QueueShortfall& each) {
             return context_.model.is_below(context_.model.jobs[unit.job].queue, each.queue) &&
                    std::any_of(unit.tasks.begin(), unit.tasks.end(), [&](TaskId task) {
                      return amount_of(context_.model.shape(context_.model.tasks.core(task).resources),
                                       each.resource) > 0;
                    });
           });
  }

  // Whether the unit holds anything on these nodes, or in a queue, that the request asks for.
  bool is_in_the_way(const Unit& unit, const std::vector<bool>& here) const {
    if (makes_queue_room(unit)) return true;
    return std::any_of(unit.tasks.begin(), unit.tasks.end(), [&](TaskId task) {
      const TaskCore& core = context_.model.tasks.core(task);
      const std::uint32_t at = core.node ? space_.index_of(core.node) : NodeId::kNoValue;
      if (at == NodeId::kNoValue || !here[at] || !space_.usable(at) || !space_.holds(task)) return false;
      const ResourceView held = context_.model.shape(core.resources);
      return std::any_of(held.begin(), held.end(),
                         [&](const ResourceAmount& part) { return placer_.asked(part.resource) > 0; });
    });
  }

  std::vector<Spared> spared_in(const Place& place) const {
    if (impossible_) return {};
    std::vector<bool> here(space_.size());
    for (const std::uint32_t node : place.nodes) here[node] = true;
    std::vector<Spared> out;
    for (const Unit* unit : units_) {
      if (!is_in_the_way(*unit, here)) continue;
      Spared spared{unit, {}};
      for (const auto& rule : rules_) {
        std::string why;
        if (!rule->excludes(*unit, &why)) continue;
        spared.can_change =
            spared.can_change && !unit_remedy(context_.rule_context, rule->name(), *unit).empty();
        spared.reasons.push_back({rule->name(), std::move(why)});
      }
      if (!spared.reasons.empty()) out.push_back(std::move(spared));
    }
    std::stable_sort(out.begin(), out.end(), [](const Spared& a, const Spared& b) {
      return a.can_change != b.can_change ? a.can_change : a.reasons.size() < b.reasons.size();
    });
    return out;
  }

  Parts remedies(const std::vector<const Spared*>& spared) const {
    Parts parts;
    for (const Spared* each : spared) {
      for (const Spared::Reason& reason : each->reasons)
        add_part(parts, unit_remedy(context_.rule_context, reason.rule, *each->unit, spared.size() == 1));
    }
    if (parts.size() <= kRemediesJoined) return parts;
    std::vector<std::string_view> jobs;
    for (const Spared* each : spared) jobs.push_back(context_.model.job_name(each->unit->job));
    return {"let " + counted(jobs.size(), "more job") +
            " be preempted: " + fold_names(jobs, kPictureColumns)};
  }

  // Empty: the node can never be used for this request.
  std::string node_remedy(std::uint32_t index) const {
    const Model& model = context_.model;
    const NodeRow& row = model.nodes[space_.node(index).id];
    const std::string name = "node " + quote(model.name(row.name));
    if (row.state != NodeState::up)
      return "bring " + name + " back (it is " +
             (row.state == NodeState::drain ? "draining" : std::string(to_word(row.state, kNodeStates))) +
             ')';
    if (!context_.query.avoid.allow(space_.node(index).id)) return "do not rule out " + name;
    return context_.profile.may_use(context_.rule_context, space_.node(index).id)
               ? "lift the reservation of " + name
               : std::string{};
  }

  // One node more, else as few as possible.
  bool try_nodes(const Place& place) {
    if (impossible_) return false;
    Space ever(context_.rule_context, context_.group_index->nodes(), Space::Fill::empty, &context_.work);
    mark_usable(ever, context_.rule_context, {}, Usable::ever);
    std::vector<std::uint32_t> closed;
    for (const std::uint32_t node : place.nodes) {
      const bool may_open =
          space_.usable()[node] == 0 && ever.usable()[node] != 0 && !node_remedy(node).empty();
      if (may_open && closed.size() < kNodesTried) closed.push_back(node);
    }
    for (const std::uint32_t node : closed) {
      space_.usable()[node] = 1;
      const bool found = fits(place.nodes) && open_nodes({node});
      space_.usable()[node] = 0;
      if (found) return true;
    }
    for (const std::uint32_t node : closed) space_.usable()[node] = 1;
    std::vector<std::uint32_t> opened = closed;
    const bool enough = !closed.empty() && fits(place.nodes);
    for (std::size_t i = enough ? closed.size() : 0; i-- > 0;) {
      space_.usable()[closed[i]] = 0;
      if (fits(place.nodes)) {
        opened.erase(opened.begin() + static_cast<std::ptrdiff_t>(i));
      } else {
        space_.usable()[closed[i]] = 1;
      }
    }
    const bool found = enough && open_nodes(opened);
    for (const std::uint32_t node : closed) space_.usable()[node] = 0;
    return found;
  }

  // Proposes these nodes, which are open now, if that is enough.
  bool open_nodes(const std::vector<std::uint32_t>& nodes) {
    move(eligible_, 1);
    const std::optional<std::string> also = besides(eligible_);
    move(eligible_, -1);
    // A node more changes the fair shares, and with them whom the request may take.
    if (!also || (context_.fair && !without_victims_)) return false;
    Parts parts;
    for (const std::uint32_t node : nodes) parts.push_back(node_remedy(node));
    propose(parts, *also);
    return true;
  }

  bool try_units(const std::vector<const Spared*>& spared) {
    Units candidates = eligible_;
    for (const Spared* each : spared) candidates.push_back(each->unit);
    move(candidates, 1);
    const std::optional<std::string> also = besides(candidates);
    move(eligible_, -1);
    if (also) propose(remedies(spared), *also);
    return also.has_value();
  }

  // One unit more, else as few as possible.
  bool try_blockers(const Place& place, std::vector<Spared>& spared) {
    const std::size_t most = std::min(spared.size(), kUnitsTried);
    bool found = false;
    for (std::size_t i = 0; i < most && !context_.work.ended(); ++i) {
      move({spared[i].unit}, -1);
      spared[i].is_enough = fits(place.nodes);
      move({spared[i].unit}, 1);
      if (spared[i].is_enough && spared[i].can_change && !found) found = try_units({&spared[i]});
    }
    if (found) return true;
    std::vector<const Spared*> all;
    for (const Spared& each : spared) {
      if (each.can_change) all.push_back(&each);
    }
    for (const Spared* each : all) move({each->unit}, -1);
    bool enough = fits(place.nodes);
    for (std::size_t i = enough ? all.size() : 0; i-- > 0 && !context_.work.ended();) {
      move({all[i]->unit}, 1);
      if (fits(place.nodes)) {
        all.erase(all.begin() + static_cast<std::ptrdiff_t>(i));
      } else {
        move({all[i]->unit}, -1);
      }
    }
    for (const Spared* each : all) move({each->unit}, 1);
    return enough && !all.empty() && try_units(all);
  }

  void list_blockers(const Place& place, std::vector<Spared> spared) {
    std::vector<bool> here(space_.size());
    for (const std::uint32_t node : place.nodes) here[node] = true;
    const auto rank = [&](const Spared& each) {
      const bool next = std::any_of(each.unit->tasks.begin(), each.unit->tasks.end(), [&](TaskId task) {
        return space_.index_of(context_.model.tasks.core(task).node) == place.next;
      });
      return each.is_enough ? 0 : next ? 1 : 2;
    };
    std::stable_sort(spared.begin(), spared.end(),
                     [&](const Spared& a, const Spared& b) { return rank(a) < rank(b); });
    miss_.blocked = spared.size();
    for (std::size_t i = 0; i < std::min(spared.size(), kBlockersListed); ++i) {
      const Unit& unit = *spared[i].unit;
      NodeId node;
      for (const TaskId task : unit.tasks) {
        const NodeId at = context_.model.tasks.core(task).node;
        if (!node || (here[space_.index_of(at)] && !here[space_.index_of(node)])) node = at;
      }
      miss_.blockers.push_back({unit.job,
                                {unit.tasks.begin(), unit.tasks.end()},
                                node,
                                spared[i].reasons.front().rule,
                                spared[i].reasons.front().why});
    }
  }

  // Whether the job's requirement without one of its hard entries is enough, with everything else as it is.
  bool is_enough_without(const EffectiveRequirement::Lighter& lighter) const {
    auto changed = std::make_shared<Model>(context_.model);
    const auto number = static_cast<std::uint32_t>(changed->requirements.size());
    changed->requirements.grow_to(number + 1);
    changed->requirements.edit(number) = std::make_shared<const Requirement>(lighter.require);
    JobExtras extras = changed->job_extras[context_.request.job.value];
    extras.require = RequirementId{number};
    changed->job_extras.set(context_.request.job.value, extras);
    const Plan plan = decide({changed, context_.input.policies, context_.input.in_flight}, context_.query);
    context_.work.spend(plan.spent);
    return plan.outcome == Outcome::fits || plan.outcome == Outcome::preempt ||
           (impossible_ && plan.outcome == Outcome::wait);
  }

  // The request without one hard entry. One after the other, until one is enough.
  void try_without_entry() {
    if (!gate_rule_.empty()) return;
    for (const EffectiveRequirement::Lighter& lighter : placer_.need().each_left_out()) {
      if (context_.work.ended()) return;
      const Arranger arranger(context_.rule_context, space_.table(), lighter.require, Unknown::fails,
                              context_.work);
      if (arranger.arrange(space_, {}, nullptr) != PlacementResult::placed || !is_enough_without(lighter))
        continue;
      return propose({"make the requirement " + lighter.without + " a preference"});
    }
  }

  // The largest part of the request that fits.
  void try_fewer_tasks() {
    Request& request = context_.request;
    const Request whole = request;
    const auto shrink = [&](std::size_t tasks) {
      request = whole;
      request.tasks.resize(tasks);
      for (std::size_t r = 0; r < request.asked.size(); ++r) {
        request.asked[r] = 0;
        for (const RequestTask& task : request.tasks)
          request.asked[r] += amount_of(context_.model.shape(task.resources), static_cast<std::uint32_t>(r));
      }
      return Placer(context_.rule_context, space_.table(), context_.work).fits(space_) ==
             PlacementResult::placed;
    };
    std::size_t most = 0;
    for (std::size_t low = 1, high = whole.tasks.size() - 1; low <= high && !context_.work.ended();) {
      const std::size_t middle = (low + high) / 2;
      if (shrink(middle)) {
        most = middle;
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    if (most > 0) {
      shrink(most);
      const Placer placer(context_.rule_context, space_.table(), context_.work);
      const RequestNeeds needs(context_.rule_context, placer, one_node_);
      move(eligible_, 1);
      const std::optional<std::string> also = besides(placer, needs, eligible_);
      move(eligible_, -1);
      if (also)
        propose({"ask for " + counted(most, "task") + " instead of " + std::to_string(whole.tasks.size())},
                *also);
    }
    request = whole;
  }

  void look_at_places() {
    if (!impossible_) units_ = units_in_order(context_);
    if (!lifts_limits_) shortfalls_ = queue_shortfalls(context_.rule_context, space_.usage());
    std::vector<Place> places = roomiest_places(context_, placer_, space_, kPlacesTried);
    if (places.empty()) return;
    std::size_t chosen = 0;
    std::vector<Spared> spared;
    for (std::size_t i = 0; i < places.size(); ++i) {
      std::vector<Spared> here = spared_in(places[i]);
      const bool by_node = shortfalls_.empty() && try_nodes(places[i]);
      const bool by_unit = try_blockers(places[i], here);
      if (i > 0 && !by_node && !by_unit) continue;
      chosen = i;
      spared = std::move(here);
      if (by_node || by_unit) break;
    }
    const Place& place = places[chosen];
    if (shortfalls_.empty()) {
      miss_.place = place.name;
      miss_.missing = what_is_missing(context_, placer_, space_, place);
    } else {
      const QueueShortfall& first = first_by_name(context_.model, shortfalls_);
      miss_.place = "queue " + quote(context_.model.name(context_.model.queues[first.queue].name));
      miss_.missing = "it would hold " + format_total(first.would_be) + ' ' +
                      std::string(context_.model.resource_name(first.resource)) + ", its max is " +
                      format_total(first.bound);
      if (placer_.fits(space_) == PlacementResult::placed)
        propose({limit_remedy(context_.rule_context, space_.usage())});
    }
    list_blockers(place, std::move(spared));
    if (!shortfalls_.empty()) return;
    try_without_entry();
    if (context_.request.tasks.size() > 1) try_fewer_tasks();
  }

  DecisionContext& context_;
  const RuleList<EligibilityRule> rules_;
  const bool impossible_;  // not even empty nodes are enough: no unit matters
  Space space_;
  const Placer placer_;
  const OneNode one_node_;
  const RequestNeeds needs_;
  const std::string_view rule_;
  bool lifts_limits_ = false;     // the trigger's remedy raises every limit in the way
  std::string_view gate_rule_;    // the trigger that refuses, if one does
  bool without_victims_ = false;  // what is tried fits into free space
  std::string limit_left_;        // the remedy for limits that are exceeded with every eligible unit gone
  Units eligible_;
  Units units_;  // all, in display order
  std::vector<QueueShortfall> shortfalls_;  // that are left with every eligible unit gone
  NearestMiss miss_;
};

}  // namespace

std::optional<NearestMiss> find_nearest_miss(DecisionContext& context, const Plan& plan) {
  const bool no = plan.outcome == Outcome::wait || plan.outcome == Outcome::impossible;
  if (!no || plan.rule == "not-waiting" || context.request.purpose != Purpose::job) return std::nullopt;
  return NearestMissSearch(context, plan).run();
}

}  // namespace cede
