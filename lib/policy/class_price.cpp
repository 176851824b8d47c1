// SPDX-License-Identifier: MIT
#include "policy/class_price.h"

#include <algorithm>
#include <limits>

#include "policy/group_usage.h"
#include "policy/unit.h"

namespace cede {

bool borrows(const Model& model, QueueId queue, NodeId node) {
  const QueueId home = model.nodes[node].home;
  return home && !model.is_below(queue, home);
}

bool is_borrowed(const Model& model, const Unit& unit) {
  const QueueId queue = model.jobs[unit.job].queue;
  return std::any_of(unit.tasks.begin(), unit.tasks.end(),
                     [&](TaskId task) { return borrows(model, queue, model.tasks.core(task).node); });
}

bool never_preempted(const EffectiveSettings& effective, JobId job) {
  constexpr std::uint8_t kHighClass = 7;
  const std::uint8_t job_class = effective.job_class(job);
  const bool unsaved = effective.checkpoint_mode(job) == CheckpointMode::none && job_class >= kHighClass;
  return job_class == kSensitiveClass || unsaved || is_fixed(effective, job);
}

namespace {

constexpr std::int64_t kFinishing = 1'000'000;  // 1000 minutes
constexpr std::int64_t kJustStarted = 1'000;    // 1 minute
constexpr std::int64_t kPerWalltime = 100'000;  // 100 minutes for the full walltime

std::int64_t cut(Total value) {
  return static_cast<std::int64_t>(std::min<Total>(value, std::numeric_limits<std::int64_t>::max() / 4));
}

Total half_up(Total numerator, Total denominator) {
  // Both numbers are small nearly always. A 128-bit division takes several times as long.
  constexpr Total kSmall = std::numeric_limits<std::int64_t>::max() / 4;
  if (numerator >= 0 && numerator <= kSmall && denominator <= kSmall)
    return (static_cast<std::int64_t>(numerator) * 2 + static_cast<std::int64_t>(denominator)) /
           (static_cast<std::int64_t>(denominator) * 2);
  return (numerator * 2 + denominator) / (denominator * 2);
}

// A unit and the inputs of its price, looked up once for all parts.
struct Priced {
  Priced(const RuleContext& for_whom, const Unit& of)
      : rule_context(for_whom),
        effective(for_whom.effective),
        unit(of),
        queue(for_whom.model().jobs[of.job].queue),
        checkpoint(for_whom.model().job_checkpoints[of.job.value]),
        // A victim that is not asked to save loses its work, whatever it could have saved.
        mode(for_whom.effective.saves_first(of.job) ? EffectiveSettings::checkpoint_mode(checkpoint)
                                                    : CheckpointMode::none),
        since(for_whom.effective.running_since(of)) {}
  std::int64_t setting(Setting id) const { return effective.setting(id, queue); }

  const RuleContext& rule_context;
  const EffectiveSettings& effective;
  const Unit& unit;
  const QueueId queue;
  const JobCheckpoint& checkpoint;
  const CheckpointMode mode;
  const Time since;
};

std::int64_t checkpoint_part(const Priced& priced) {
  Duration length = 0;
  switch (priced.mode) {
    case CheckpointMode::automatic:
      length = priced.checkpoint.estimate != kNoDuration ? priced.checkpoint.estimate
                                                         : priced.setting(Setting::checkpoint_estimate);
      break;
    case CheckpointMode::manual: length = priced.effective.checkpoint_timeout(priced.unit.job); break;
    default: return 0;
  }
  const Total weight = priced.setting(Setting::checkpoint_weight);
  return cut(half_up(static_cast<Total>(length) * kOne * weight, static_cast<Total>(kMinute) * kWhole));
}

std::int64_t recompute_part(const Priced& priced) {
  if (priced.mode != CheckpointMode::none) return 0;
  const Time last = priced.checkpoint.last;
  const Time since = last == kNoTime ? priced.since : std::max(priced.since, last);
  const Total lost = std::max<Duration>(0, priced.rule_context.now - since);
  const Total weight = priced.setting(Setting::recompute_weight);
  return cut(half_up(lost * gpus_or_nodes(priced.rule_context.model(), priced.unit) * weight,
                     static_cast<Total>(kMinute) * kWhole));
}

std::int64_t walltime_part(const Priced& priced) {
  const Duration walltime = priced.rule_context.model().job_times[priced.unit.job.value].walltime;
  if (walltime == kNoDuration) return 0;
  if (walltime == 0) return kFinishing;
  const Duration elapsed = std::max<Duration>(0, priced.rule_context.now - priced.since);
  const auto wide = [](std::int64_t a, std::int64_t b) { return static_cast<Total>(a) * b; };
  if (wide(elapsed, kWhole) > wide(walltime, priced.setting(Setting::near_completion_fraction)))
    return kFinishing;
  if (wide(elapsed, kWhole) < wide(walltime, priced.setting(Setting::just_started_fraction)))
    return kJustStarted;
  return cut(half_up(wide(elapsed, kPerWalltime), walltime));
}

}  // namespace

std::int64_t checkpoint_price(const RuleContext& rule_context, const Unit& unit) {
  return unit.hold != 0 ? 0 : checkpoint_part(Priced(rule_context, unit));
}

namespace {

// The parts of the price that depend on what the unit does; the overhead does not.
struct WorkParts {
  explicit WorkParts(const Priced& priced)
      : checkpoint(checkpoint_part(priced)),
        recompute(recompute_part(priced)),
        walltime(walltime_part(priced)) {
    const Total part = priced.setting(Setting::borrowed_discount);
    if (part == 0 || !is_borrowed(priced.rule_context.model(), priced.unit)) return;
    const Total sum = static_cast<Total>(checkpoint) + recompute + walltime;
    discount = static_cast<std::int64_t>(half_up(sum * part, kWhole));
  }
  std::int64_t checkpoint = 0;
  std::int64_t recompute = 0;
  std::int64_t walltime = 0;
  std::int64_t discount = 0;  // never more than the sum of the others
};

}  // namespace

std::int64_t class_price_sum(const RuleContext& rule_context, const Unit& unit) {
  if (unit.hold != 0) return 0;
  const Priced priced(rule_context, unit);
  const WorkParts parts(priced);
  return parts.checkpoint + parts.recompute + parts.walltime - parts.discount +
         priced.setting(Setting::victim_overhead);
}

std::vector<CostPart> class_price(const RuleContext& rule_context, const Unit& unit) {
  const Priced priced(rule_context, unit);
  std::vector<CostPart> out{{"checkpoint", 0}, {"recompute", 0}, {"walltime", 0}, {"overhead", 0}};
  if (priced.setting(Setting::borrowed_discount) != 0) out.push_back({"borrowed_discount", 0});
  if (unit.hold != 0) return out;
  const WorkParts parts(priced);
  out[0].value = parts.checkpoint;
  out[1].value = parts.recompute;
  out[2].value = parts.walltime;
  out[3].value = priced.setting(Setting::victim_overhead);
  if (out.size() > 4) out[4].value = -parts.discount;
  return out;
}

bool class_price_never_falls(const RuleContext& rule_context) {
  bool out = true;
  rule_context.model().queues.for_each([&](QueueId queue, const QueueRow&) {
    const Total fraction = rule_context.effective.setting(Setting::just_started_fraction, queue);
    out = out && half_up(fraction * kPerWalltime, kWhole) >= kJustStarted;
  });
  return out;
}

std::int64_t request_value(const RuleContext& rule_context) {
  if (!rule_context.requester()) return -1;
  const std::int64_t own = rule_context.model().job_extras[rule_context.requester().value].value;
  if (own >= 0) return own;
  const std::int64_t rate = rule_context.effective.setting(Setting::value_per_gpu_hour, rule_context.queue());
  const Duration walltime = rule_context.model().job_times[rule_context.requester().value].walltime;
  const std::uint32_t gpu = rule_context.model().find_resource("gpu");
  if (rate == kNoSetting || walltime == kNoDuration || gpu == ResourceId::kNoValue) return -1;
  Total gpus = 0;
  for (const RequestTask& task : rule_context.request.tasks)
    gpus += amount_of(rule_context.model().shape(task.resources), gpu);
  return cut(half_up(gpus * walltime * rate, static_cast<Total>(kHour) * kOne));
}

}  // namespace cede
