// SPDX-License-Identifier: MIT
#include "policy/class_price.h"

#include <algorithm>
#include <limits>

#include "policy/held_amount.h"

namespace cede {

namespace {

constexpr std::int64_t kFinishing = 1'000'000;  // 1000 minutes
constexpr std::int64_t kJustStarted = 1'000;    // 1 minute
constexpr std::int64_t kPerWalltime = 100'000;  // 100 minutes for the whole of it

std::int64_t cut(Total value) {
  return static_cast<std::int64_t>(std::min<Total>(value, std::numeric_limits<std::int64_t>::max() / 4));
}

Total half_up(Total numerator, Total denominator) {
  return (numerator * 2 + denominator) / (denominator * 2);
}

std::int64_t checkpoint_part(const Effective& effective, const Unit& unit, QueueId queue) {
  const JobCheckpoint& checkpoint = effective.model().job_checkpoints[unit.job.value];
  Duration length = 0;
  switch (effective.checkpoint_mode(unit.job)) {
    case CheckpointMode::automatic:
      length = checkpoint.estimate != kNoDuration ? checkpoint.estimate
                                                  : effective.setting(Setting::checkpoint_estimate, queue);
      break;
    case CheckpointMode::manual: length = effective.checkpoint_timeout(unit.job); break;
    default: return 0;
  }
  const Total weight = effective.setting(Setting::checkpoint_weight, queue);
  return cut(half_up(static_cast<Total>(length) * kOne * weight, static_cast<Total>(kMinute) * kWhole));
}

std::int64_t recompute_part(const Asking& asking, const Unit& unit, QueueId queue) {
  if (asking.effective.checkpoint_mode(unit.job) != CheckpointMode::none) return 0;
  const Time last = asking.model().job_checkpoints[unit.job.value].last;
  Time since = asking.effective.running_since(unit);
  if (last != kNoTime) since = std::max(since, last);
  const Total lost = std::max<Duration>(0, asking.now - since);
  const Total weight = asking.effective.setting(Setting::recompute_weight, queue);
  return cut(
      half_up(lost * gpus_or_nodes(asking.model(), unit) * weight, static_cast<Total>(kMinute) * kWhole));
}

std::int64_t walltime_part(const Asking& asking, const Unit& unit, QueueId queue) {
  const Duration walltime = asking.model().job_times[unit.job.value].walltime;
  if (walltime == kNoDuration) return 0;
  if (walltime == 0) return kFinishing;
  const Total elapsed = std::max<Duration>(0, asking.now - asking.effective.running_since(unit));
  const Effective& effective = asking.effective;
  if (elapsed * kWhole >
      walltime * static_cast<Total>(effective.setting(Setting::near_completion_fraction, queue)))
    return kFinishing;
  if (elapsed * kWhole <
      walltime * static_cast<Total>(effective.setting(Setting::just_started_fraction, queue)))
    return kJustStarted;
  return cut(half_up(elapsed * kPerWalltime, walltime));
}

}  // namespace

std::int64_t checkpoint_price(const Asking& asking, const Unit& unit) {
  return unit.hold != 0 ? 0 : checkpoint_part(asking.effective, unit, asking.model().jobs[unit.job].queue);
}

std::array<CostPart, 4> class_price(const Asking& asking, const Unit& unit) {
  std::array<CostPart, 4> parts{{{"checkpoint", 0}, {"recompute", 0}, {"walltime", 0}, {"overhead", 0}}};
  if (unit.hold != 0) return parts;
  const QueueId queue = asking.model().jobs[unit.job].queue;
  parts[0].value = checkpoint_part(asking.effective, unit, queue);
  parts[1].value = recompute_part(asking, unit, queue);
  parts[2].value = walltime_part(asking, unit, queue);
  parts[3].value = asking.effective.setting(Setting::victim_overhead, queue);
  return parts;
}

bool class_price_never_falls(const Asking& asking) {
  bool out = true;
  asking.model().queues.for_each([&](QueueId queue, const QueueRow&) {
    const Total fraction = asking.effective.setting(Setting::just_started_fraction, queue);
    out = out && half_up(fraction * kPerWalltime, kWhole) >= kJustStarted;
  });
  return out;
}

std::int64_t request_value(const Asking& asking) {
  if (!asking.requester()) return -1;
  const std::int64_t own = asking.model().job_extras[asking.requester().value].value;
  if (own >= 0) return own;
  const std::int64_t rate = asking.effective.setting(Setting::value_per_gpu_hour, asking.queue());
  const Duration walltime = asking.model().job_times[asking.requester().value].walltime;
  const std::uint32_t gpu = asking.model().find_resource("gpu");
  if (rate == kNoSetting || walltime == kNoDuration || gpu == ResourceId::kNoValue) return -1;
  Total gpus = 0;
  for (const RequestTask& task : asking.request.tasks)
    gpus += amount_of(asking.model().shape(task.resources), gpu);
  return cut(half_up(gpus * walltime * rate, static_cast<Total>(kHour) * kOne));
}

}  // namespace cede
