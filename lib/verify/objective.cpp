// SPDX-License-Identifier: MIT
#include "verify/objective.h"

#include <algorithm>
#include <limits>

#include "verify/eligibility.h"
#include "verify/plan_checks.h"
#include "verify/preferences.h"
#include "verify/price.h"

namespace cede {

namespace {

// What a unit frees of the requested resources, in billionths of the group's capacity, each rounded up.
// Relief and claims request no amounts, so everything that the unit holds counts.
Total freed_by(const PlanFacts& facts, const VictimUnit& unit) {
  Total parts = 0;
  for (std::uint32_t r = 0; r < facts.model.resources.size(); ++r) {
    const Total capacity = facts.usage.capacity(r);
    const bool counts = facts.wanted().empty() || facts.asked().contains(r);
    if (!counts || capacity == 0) continue;
    Total sum = 0;
    for (const TaskId task : unit.tasks) sum += facts.amount(task, r);
    parts += (sum * 1'000'000'000 + capacity - 1) / capacity;
  }
  return parts;
}

class List {
 public:
  explicit List(const PlanFacts& facts) : facts_(facts) {}

  template <class Of>
  void sum(std::string_view name, Of of) {
    Total total = 0;
    for (const VictimUnit& unit : facts_.units()) total += std::min<Total>(of(unit), kMost);
    out.push_back(Criterion::of_number(name, static_cast<std::int64_t>(std::min<Total>(total, kMost))));
  }
  template <class Of>
  std::vector<std::int64_t> values(Of of) const {
    std::vector<std::int64_t> all;
    for (const VictimUnit& unit : facts_.units()) all.push_back(of(unit));
    return all;
  }
  // How many units have the highest value, then the next.
  template <class Of>
  void counts(std::string_view name, Of of) {
    std::map<std::int64_t, std::int64_t, std::greater<>> counted;
    for (const std::int64_t value : values(of)) ++counted[value];
    Criterion& entry = out.emplace_back();
    entry.name = name;
    entry.kind = Criterion::Kind::counts;
    entry.counts.assign(counted.begin(), counted.end());
  }
  void times(bool newest_first, bool later_wins) {
    Criterion& entry = out.emplace_back();
    entry.name = "started";
    entry.kind = Criterion::Kind::times;
    entry.times = values([](const VictimUnit& unit) { return unit.start; });
    std::sort(entry.times.begin(), entry.times.end());
    if (newest_first) std::reverse(entry.times.begin(), entry.times.end());
    entry.later_wins = later_wins;
  }

  std::vector<Criterion> out;

 private:
  static constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  const PlanFacts& facts_;
};

void add_own(const PlanFacts& facts, List& list) {
  const auto one = [](const VictimUnit&) { return 1; };
  const auto priority = [](const VictimUnit& unit) { return unit.priority; };
  const auto freed = [&](const VictimUnit& unit) { return freed_by(facts, unit); };
  const auto job_class = [&](const VictimUnit& unit) { return facts.effective.job_class(unit.job); };
  const auto price = [&](const VictimUnit& unit) { return sum_of(class_price_of(facts, unit)); };
  const auto checkpoint = [&](const VictimUnit& unit) { return class_price_of(facts, unit).front().value; };
  const auto highest = [&] {
    const std::vector<std::int64_t> all = list.values(priority);
    list.out.push_back(Criterion::of_number("highest-priority", *std::max_element(all.begin(), all.end())));
  };
  switch (facts.effective.profile()) {
    case Profile::priority:
      switch (static_cast<PreemptionOrder>(facts.setting(Setting::preemption_order, facts.queue()))) {
        case PreemptionOrder::oldest:
          list.counts("priority", priority);
          list.times(false, false);
          return;
        case PreemptionOrder::newest:
          list.counts("priority", priority);
          list.times(true, true);
          return;
        case PreemptionOrder::fewest:
          highest();
          list.sum("number", one);
          list.counts("priority", priority);
          return;
        case PreemptionOrder::smallest:
          highest();
          list.sum("size", freed);
          list.counts("priority", priority);
          return;
      }
      return;
    case Profile::class_cost: {
      const bool class_first = facts.flag(Setting::class_first, facts.queue());
      if (class_first) list.counts("class", job_class);
      if (!counts_lost_work(facts)) list.sum("price", price);
      if (!class_first) list.counts("class", job_class);
      list.sum("checkpoint", checkpoint);
      return;
    }
    case Profile::quota: list.counts("priority", priority); return;
    case Profile::fair_share:
      list.sum("aggressive", [&](const VictimUnit& unit) {
        return facts.fair->tier(unit.job, unit.tasks) == TaskTier::preemptible ? 0 : 1;
      });
      list.sum("number", one);
      list.times(false, true);
      return;
    case Profile::guarantee:
      list.sum("originators", [&](const VictimUnit& unit) {
        return std::count_if(unit.tasks.begin(), unit.tasks.end(),
                             [&](TaskId task) { return facts.model.tasks.extras(task).originator; });
      });
      list.counts("priority", priority);
      return;
  }
}

bool is_equal(const Criterion& a, const Criterion& b) {
  return a.name == b.name && a.kind == b.kind && a.number == b.number && a.counts == b.counts &&
         a.times == b.times && a.later_wins == b.later_wins;
}

bool is_of_placement(const Criterion& criterion) {
  return criterion.name == "preferences" || criterion.name == "borrowed";
}

std::string in_words(const Criterion& criterion) {
  if (criterion.kind == Criterion::Kind::number) return std::to_string(criterion.number);
  std::string out;
  const auto add = [&](const std::string& text) { out += (out.empty() ? "[" : ", ") + text; };
  for (const auto& [value, count] : criterion.counts)
    add(std::to_string(value) + " × " + std::to_string(count));
  for (const Time time : criterion.times) add(format_seconds(time));
  return out + "]";
}

}  // namespace

std::int64_t borrowed_nodes(const PlanFacts& facts) {
  if (!facts.for_job()) return 0;
  return std::count_if(facts.nodes_used().begin(), facts.nodes_used().end(),
                       [&](NodeId node) { return is_borrowed_by(facts.model, facts.queue(), node); });
}

std::vector<Criterion> objective_of(const PlanFacts& facts, bool placement) {
  List list(facts);
  list.sum("last-resort", [](const VictimUnit& unit) { return unit.last_resort ? 1 : 0; });
  if (counts_lost_work(facts))
    list.sum("lost-work", [&](const VictimUnit& unit) { return lost_work_of(facts, unit); });
  add_own(facts, list);
  list.sum("victims", [](const VictimUnit&) { return 1; });
  list.sum("freed", [&](const VictimUnit& unit) { return freed_by(facts, unit); });
  list.out.push_back(Criterion::of_number("preferences", placement ? preferences_missed(facts) : 0));
  list.out.push_back(Criterion::of_number("borrowed", placement ? borrowed_nodes(facts) : 0));
  return std::move(list.out);
}

namespace plan_check {

std::string objective(const PlanFacts& facts) {
  const Plan& plan = facts.plan;
  if (plan.outcome != Outcome::preempt)
    return plan.objective.empty() ? std::string{} : "an objective without victims";
  if (plan.objective.empty() || plan.objective.front().name != "last-resort")
    return "it does not begin with last-resort";
  const std::vector<Criterion> right = objective_of(facts, false);
  for (std::size_t i = 0; i < right.size(); ++i) {
    if (i >= plan.objective.size() || plan.objective[i].name != right[i].name)
      return "entry " + std::to_string(i) + " is not " + std::string(right[i].name);
    if (!is_of_placement(right[i]) && !is_equal(right[i], plan.objective[i]))
      return std::string(right[i].name) + " is " + in_words(right[i]);
  }
  if (plan.objective.size() > right.size()) return "it has more entries than the profile";
  return plan.proven <= plan.objective.size() ? std::string{} : "more entries are proven than there are";
}

std::string preferences(const PlanFacts& facts) {
  for (const Criterion& criterion : facts.plan.objective) {
    if (criterion.name == "preferences" && criterion.number != preferences_missed(facts))
      return std::to_string(preferences_missed(facts)) + " preferences are missed";
    if (criterion.name == "borrowed" && criterion.number != borrowed_nodes(facts))
      return std::to_string(borrowed_nodes(facts)) + " borrowed nodes are used";
  }
  return {};
}

}  // namespace plan_check
}  // namespace cede
