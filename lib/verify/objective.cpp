// SPDX-License-Identifier: MIT
#include "verify/objective.h"

#include <algorithm>
#include <limits>

#include "verify/home.h"
#include "verify/plan_checks.h"
#include "verify/topology.h"

namespace cede {

namespace {

// A suspended job on its nodes can neither save nor handle a signal, and suspending it again frees nothing.
bool is_stopped(const PlanFacts& facts, JobId victim) {
  return facts.model.jobs[victim].state == JobState::suspended;
}

// A victim that states a checkpoint is asked to write it, unless its queue says otherwise.
bool is_hinted(const PlanFacts& facts, JobId victim) {
  const CheckpointMode mode = facts.model.job_checkpoints[victim.value].mode;
  return (mode == CheckpointMode::automatic || mode == CheckpointMode::manual) &&
         !is_stopped(facts, victim) && facts.flag(Setting::checkpoint_first, facts.model.jobs[victim].queue);
}

// The step after the checkpoint, or instead of it, as the table of the profiles has it.
VictimAction last_step(const PlanFacts& facts, JobId victim, bool saved) {
  const QueueId queue = facts.model.jobs[victim].queue;
  if (is_stopped(facts, victim) && !facts.is(Profile::quota)) return VictimAction::terminate;
  switch (facts.effective.profile()) {
    case Profile::priority:
      return facts.setting(Setting::preemption_mode, queue) ==
                         static_cast<std::int64_t>(PreemptionMode::suspend) &&
                     facts.effective.kind(victim) != JobKind::inference
                 ? VictimAction::suspend
                 : VictimAction::terminate;
    case Profile::class_cost: return saved ? VictimAction::suspend : VictimAction::terminate;
    case Profile::quota:
      return facts.setting(Setting::evict, queue) == static_cast<std::int64_t>(Evict::soft)
                 ? VictimAction::soft_evict
                 : VictimAction::terminate;
    case Profile::fair_share:
      return !saved && facts.model.jobs[victim].interruptible ? VictimAction::signal_first
                                                              : VictimAction::terminate;
    case Profile::guarantee: break;
  }
  return VictimAction::terminate;
}

bool stays_on_its_nodes(const PlanFacts& facts, JobId victim, VictimAction step) {
  return step == VictimAction::suspend && facts.is(Profile::priority) &&
         facts.setting(Setting::suspend_keep, facts.model.jobs[victim].queue) ==
             static_cast<std::int64_t>(SuspendKeep::local);
}

// Whether the victim waits again if all goes as expected. In `priority` an inference job is restarted by its
// autoscaler and an interactive one by its user.
bool comes_back(const PlanFacts& facts, JobId victim, const RequiredExit& exit) {
  const JobKind kind = facts.effective.kind(victim);
  if (facts.is(Profile::priority) && (kind == JobKind::inference || kind == JobKind::interactive))
    return false;
  switch (static_cast<Requeue>(facts.setting(Setting::requeue, facts.model.jobs[victim].queue))) {
    case Requeue::always: return true;
    case Requeue::saved:
      return exit.action == VictimAction::checkpoint || stays_on_its_nodes(facts, victim, exit.action);
    case Requeue::never: break;
  }
  return false;
}

}  // namespace

RequiredExit required_exit(const PlanFacts& facts, JobId victim) {
  RequiredExit exit;
  exit.without_saving = last_step(facts, victim, false);
  exit.action = exit.after_saving = exit.without_saving;
  if (is_hinted(facts, victim)) {
    exit.action = VictimAction::checkpoint;
    exit.after_saving = last_step(facts, victim, true);
  }
  exit.requeue = comes_back(facts, victim, exit);
  return exit;
}

namespace {

// How long the job's checkpoint is expected to take.
Duration checkpoint_time(const PlanFacts& facts, JobId job) {
  const Duration estimate = facts.model.job_checkpoints[job.value].estimate;
  if (estimate != kNoDuration) return estimate;
  if (facts.effective.checkpoint_mode(job) == CheckpointMode::manual)
    return facts.effective.checkpoint_timeout(job);
  return facts.setting(Setting::checkpoint_estimate, facts.model.jobs[job].queue);
}

std::int64_t half_up(Total numerator, Total denominator) {
  constexpr Total kMost = std::numeric_limits<std::int64_t>::max() / 4;  // keeps sums of parts in range
  return static_cast<std::int64_t>(std::min((2 * numerator + denominator) / (2 * denominator), kMost));
}

std::int64_t checkpoint_part(const PlanFacts& facts, JobId job, QueueId queue) {
  if (!is_hinted(facts, job)) return 0;
  Total length = 0;
  switch (facts.effective.checkpoint_mode(job)) {
    case CheckpointMode::automatic: {
      const Duration estimate = facts.model.job_checkpoints[job.value].estimate;
      length = estimate != kNoDuration ? estimate : facts.setting(Setting::checkpoint_estimate, queue);
      break;
    }
    case CheckpointMode::manual: length = facts.effective.checkpoint_timeout(job); break;
    default: return 0;
  }
  const std::int64_t weight = facts.setting(Setting::checkpoint_weight, queue);
  return half_up(length * kOne * weight, static_cast<Total>(kMinute) * kWhole);
}

std::int64_t recompute_part(const PlanFacts& facts, const VictimUnit& unit, QueueId queue) {
  if (is_hinted(facts, unit.job)) return 0;
  const Time last = facts.model.job_checkpoints[unit.job.value].last;
  Time since = running_since(facts.model, unit);
  if (last != kNoTime && last > since) since = last;
  const Total lost = std::max<Duration>(0, facts.plan.now - since);
  const std::int64_t weight = facts.setting(Setting::recompute_weight, queue);
  return half_up(lost * gpus_or_nodes_of(facts.model, facts.gpu, unit.tasks) * weight,
                 static_cast<Total>(kMinute) * kWhole);
}

// With f = elapsed / walltime: 1000 minutes if nearly done, 1 minute if just started, else 100 · f.
std::int64_t walltime_part(const PlanFacts& facts, const VictimUnit& unit, QueueId queue) {
  const Duration walltime = facts.model.job_times[unit.job.value].walltime;
  if (walltime == kNoDuration) return 0;
  const Total elapsed = std::max<Duration>(0, facts.plan.now - running_since(facts.model, unit));
  const Total late = facts.setting(Setting::near_completion_fraction, queue);
  const Total early = facts.setting(Setting::just_started_fraction, queue);
  if (walltime == 0 || elapsed * kWhole > late * walltime) return 1000 * kOne;
  if (elapsed * kWhole < early * walltime) return 1 * kOne;
  return half_up(elapsed * 100 * kOne, walltime);
}

}  // namespace

namespace {

// From the step to the end of the victim; kNoDuration: it may stay for ever.
Duration longest(const PlanFacts& facts, JobId victim, VictimAction step) {
  const QueueId queue = facts.model.jobs[victim].queue;
  Duration patience = 0;
  if (step == VictimAction::signal_first)
    patience = facts.setting(Setting::allocation_preemption_timeout, queue);
  if (step == VictimAction::soft_evict) {
    if (facts.setting(Setting::soft_evict_timeout, queue) == kNoSetting) return kNoDuration;
    patience = facts.setting(Setting::soft_evict_timeout, queue);
  }
  return patience + facts.setting(Setting::grace, queue);
}

}  // namespace

RequiredExitTime required_exit_time(const PlanFacts& facts, JobId victim, const RequiredExit& exit,
                                    Purpose purpose) {
  const QueueId queue = facts.model.jobs[victim].queue;
  const Duration grace = facts.setting(Setting::grace, queue);
  if (exit.action != VictimAction::checkpoint) return {grace, longest(facts, victim, exit.action)};
  const Duration timeout = facts.effective.checkpoint_timeout(victim);
  Total latest = timeout;
  // A victim on a node over its capacity gets no extension and no deferral, and a sensitive claim is not
  // deferred.
  if (purpose != Purpose::relief_node) {
    latest += static_cast<Total>(timeout) * facts.setting(Setting::timeout_extension, queue) / kWhole;
    if (purpose != Purpose::sensitive_claim) latest += facts.setting(Setting::max_deferral, queue);
  }
  Duration rest = 0;
  for (const VictimAction step : {exit.after_saving, exit.without_saving}) {
    const Duration here = longest(facts, victim, step);
    if (here == kNoDuration) return {checkpoint_time(facts, victim) + grace, kNoDuration};
    // A victim that does not stop in time is terminated, which takes another grace period.
    rest = std::max(rest, here + (step == VictimAction::suspend ? grace : 0));
  }
  const Duration last = static_cast<Duration>(latest) + rest;
  return {std::min(checkpoint_time(facts, victim) + grace, last), last};
}

bool counts_lost_work(const PlanFacts& facts) {
  return static_cast<CostModel>(facts.setting(Setting::cost_model, facts.queue())) == CostModel::lost_work;
}

std::int64_t lost_work_of(const PlanFacts& facts, const VictimUnit& unit) {
  if (unit.hold != 0) return 0;
  const JobCheckpoint& checkpoint = facts.model.job_checkpoints[unit.job.value];
  Total lost = checkpoint.restart == kNoDuration ? 0 : checkpoint.restart;
  if (is_hinted(facts, unit.job)) {
    lost += checkpoint_time(facts, unit.job);
  } else if (!stays_on_its_nodes(facts, unit.job, last_step(facts, unit.job, false))) {
    Time since = running_since(facts.model, unit);
    if (checkpoint.last != kNoTime && checkpoint.last > since) since = checkpoint.last;
    lost += std::max<Duration>(0, facts.plan.now - since);
  }
  const Total held = gpus_or_nodes_of(facts.model, facts.gpu, unit.tasks);
  return static_cast<std::int64_t>((held * lost + kMinute / 2) / kMinute);
}

std::vector<CostPart> class_price_of(const PlanFacts& facts, const VictimUnit& unit) {
  const QueueId queue = facts.model.jobs[unit.job].queue;
  const Total off = facts.setting(Setting::borrowed_discount, queue);
  std::vector<CostPart> parts{{"checkpoint", 0}, {"recompute", 0}, {"walltime", 0}, {"overhead", 0}};
  if (unit.hold == 0) {
    parts = {{"checkpoint", checkpoint_part(facts, unit.job, queue)},
             {"recompute", recompute_part(facts, unit, queue)},
             {"walltime", walltime_part(facts, unit, queue)},
             {"overhead", facts.setting(Setting::victim_overhead, queue)}};
  }
  if (off == 0) return parts;
  Total work = 0;
  for (std::size_t i = 0; i < 3 && is_borrowed(facts.model, unit); ++i) work += parts[i].value;
  parts.push_back({"borrowed_discount", -half_up(work * off, kWhole)});
  return parts;
}

std::vector<CostPart> cost_parts_of(const PlanFacts& facts, const VictimUnit& unit) {
  if (facts.is(Profile::class_cost) && !counts_lost_work(facts)) return class_price_of(facts, unit);
  return {{"lost-work", lost_work_of(facts, unit)}};
}

std::int64_t sum_of(const std::vector<CostPart>& parts) {
  std::int64_t sum = 0;
  for (const CostPart& part : parts) sum += part.value;
  return sum;
}

std::optional<std::int64_t> value_of_request(const PlanFacts& facts) {
  if (!facts.requester()) return std::nullopt;
  const std::int64_t own = facts.model.job_extras[facts.requester().value].value;
  if (own >= 0) return own;
  const std::int64_t rate = facts.setting(Setting::value_per_gpu_hour, facts.queue());
  const Duration walltime = facts.model.job_times[facts.requester().value].walltime;
  if (rate == kNoSetting || walltime == kNoDuration || facts.gpu == ResourceId::kNoValue) return std::nullopt;
  return half_up(facts.asked(facts.gpu) * walltime * rate, static_cast<Total>(kHour) * kOne);
}

namespace {

// The victims that the taken hold waits for: no start is promised before they are gone.
RequiredExitTime wait_for_hold(const PlanFacts& facts, const InFlight::Hold& hold) {
  const Time now = facts.plan.now;
  Time slowest = now;
  Time bound = std::max(now, hold.latest_start);
  for (const InFlight::Awaited& each : hold.awaited) {
    if (each.ends == kNoTime) {
      const RequiredExit exit = required_exit(facts, each.job);
      slowest =
          std::max(slowest, each.asked + required_exit_time(facts, each.job, exit, Purpose::job).expected);
    } else {
      slowest = std::max(slowest, each.ends);
      bound = std::max(bound, each.ends);
    }
  }
  if (hold.latest_start == kNoTime) return {slowest - now, kNoDuration};
  return {std::min(slowest, bound) - now, bound - now};
}

}  // namespace

namespace plan_check {

std::string actions(const PlanFacts& facts) {
  for (const PlannedVictim& victim : facts.plan.victims) {
    if (victim.hold != 0) continue;
    const RequiredExit right = required_exit(facts, victim.job);
    if (victim.action != right.action || victim.then != right.after_saving ||
        victim.unsaved != right.without_saving || victim.requeue != right.requeue)
      return facts.job_name(victim.job) + " leaves in another way than the policy says";
  }
  return {};
}

std::string cost(const PlanFacts& facts) {
  std::map<std::pair<JobId, std::uint64_t>, std::vector<CostPart>> right;  // by victim
  for (const VictimUnit& unit : facts.units()) {
    std::vector<CostPart>& sum = right[{unit.job, unit.hold}];
    const std::vector<CostPart> parts = cost_parts_of(facts, unit);
    if (sum.empty()) {
      sum = parts;
    } else {
      for (std::size_t i = 0; i < parts.size(); ++i) sum[i].value += parts[i].value;
    }
  }
  std::int64_t total = 0;
  for (const PlannedVictim& victim : facts.plan.victims) {
    const std::vector<CostPart>& parts = right[{victim.job, victim.hold}];
    if (sum_of(victim.cost_parts) != victim.cost)
      return facts.job_name(victim.job) + "'s parts do not add up to its cost";
    const bool same = std::equal(
        parts.begin(), parts.end(), victim.cost_parts.begin(), victim.cost_parts.end(),
        [](const CostPart& a, const CostPart& b) { return a.name == b.name && a.value == b.value; });
    if (!same) return facts.job_name(victim.job) + " costs " + format_scaled(sum_of(parts), 3);
    total += victim.cost;
  }
  if (total != facts.plan.cost) return "the victims' costs add up to " + std::to_string(total);
  if (facts.plan.bound > facts.plan.cost) return "the bound is above the cost";
  const std::optional<Criterion>& gap = facts.plan.gap_bound;
  if (gap && (facts.plan.proven >= facts.plan.objective.size() ||
              compare(facts.plan.objective[facts.plan.proven], *gap) < 0))
    return "the bound of the first criterion that is not proven is above its value";
  return {};
}

std::string start_times(const PlanFacts& facts) {
  const Plan& plan = facts.plan;
  if (!facts.yes())
    return plan.expected_start == kNoTime ? std::string{} : "a start is promised that will not come";
  Duration expected = 0;
  Duration latest = 0;
  for (const PlannedVictim& victim : plan.victims) {
    const InFlight::Hold* hold = victim.hold != 0 ? facts.plan.in_flight->hold(victim.job) : nullptr;
    if (victim.hold != 0 && !(hold && hold->waits)) continue;
    const RequiredExitTime time =
        hold ? wait_for_hold(facts, *hold)
             : required_exit_time(facts, victim.job, required_exit(facts, victim.job),
                                  facts.plan.subject.purpose);
    expected = std::max(expected, time.expected);
    if (latest != kNoDuration)
      latest = time.latest == kNoDuration ? kNoDuration : std::max(latest, time.latest);
  }
  // How slow the victims of other decisions are is not known here.
  const bool waits = !plan.after.empty();
  if (waits ? plan.expected_start < plan.now + expected : plan.expected_start != plan.now + expected)
    return "expected_start is not that of the slowest victim";
  const Time slowest = latest == kNoDuration ? kNoTime : plan.now + latest;
  const bool later =
      waits && (plan.latest_start == kNoTime || (slowest != kNoTime && plan.latest_start > slowest));
  return plan.latest_start == slowest || later ? std::string{}
                                               : "latest_start is not that of the slowest victim";
}

}  // namespace plan_check

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

// At equal price a set that class alone allows wins.
void add_reclaim(const PlanFacts& facts, List& list) {
  if (!may_reclaim(facts)) return;
  const bool any = std::any_of(facts.units().begin(), facts.units().end(),
                               [&](const VictimUnit& unit) { return is_taken_back(facts, unit); });
  list.out.push_back(Criterion::of_number("reclaim", any ? 1 : 0));
}

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
      if (!counts_lost_work(facts)) {
        list.sum("price", price);
        add_reclaim(facts, list);
      }
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
  list.sum("last-resort",
           [](const VictimUnit& unit) { return unit.last_resort || !unit.preemptible ? 1 : 0; });
  if (counts_lost_work(facts)) {
    list.sum("lost-work", [&](const VictimUnit& unit) { return lost_work_of(facts, unit); });
    add_reclaim(facts, list);
  }
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
