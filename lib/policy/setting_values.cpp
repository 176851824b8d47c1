// SPDX-License-Identifier: MIT
#include "policy/setting_values.h"

#include <algorithm>

namespace cede {

std::optional<std::int64_t> SettingValues::get(Setting id) const {
  const auto at = std::ranges::lower_bound(entries_, id, {}, &Entry::id);
  if (at == entries_.end() || at->id != id) return std::nullopt;
  return at->value;
}

void SettingValues::set(Setting id, std::int64_t value) {
  const auto at = std::ranges::lower_bound(entries_, id, {}, &Entry::id);
  if (at != entries_.end() && at->id == id) {
    at->value = value;
  } else {
    entries_.insert(at, {id, value});
  }
}

void SettingValues::set_usage_threshold(NamedAmounts amounts) {
  std::ranges::sort(amounts);
  set(Setting::non_preemptible_resource_usage_threshold,
      amounts.empty() ? kNoSetting : static_cast<std::int64_t>(amounts.size()));
  usage_threshold_ = std::move(amounts);
}

void SettingValues::override_by(const SettingValues& nearer) {
  const bool stays_off = get(Setting::preemption) == static_cast<std::int64_t>(Switch::off);
  for (const Entry& entry : nearer.entries_) set(entry.id, entry.value);
  if (stays_off) set(Setting::preemption, static_cast<std::int64_t>(Switch::off));
  if (nearer.has(Setting::non_preemptible_resource_usage_threshold))
    usage_threshold_ = nearer.usage_threshold_;
}

std::int64_t value_or_default(const SettingSpec& spec, const SettingValues& values, JobKind queue_kind) {
  const std::optional<std::int64_t> stated = values.get(spec.id);
  if (stated) return *stated;
  return queue_kind == JobKind::training ? spec.training_fallback.value_or(spec.fallback) : spec.fallback;
}

std::int64_t value_for_job(const SettingSpec& spec, std::int64_t of_queue, std::int64_t of_job) {
  switch (spec.job_may) {
    case JobMay::raise: return std::max(of_queue, of_job);
    case JobMay::lower: return std::min(of_queue, of_job);
    case JobMay::not_set: break;
  }
  return of_queue;
}

}  // namespace cede
