// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/amount.h"
#include "base/problem.h"
#include "policy/settings/setting.h"

namespace cede {

using NamedAmounts = std::vector<std::pair<std::string, Amount>>;  // sorted by resource

// The settings that one policy, queue or job states itself, sorted by setting. None is a value too: it
// overrides the value from above.
class SettingValues {
 public:
  struct Entry {
    Setting id;
    std::int64_t value;  // kNoSetting: none or all
    bool operator==(const Entry&) const = default;
  };

  bool empty() const { return entries_.empty(); }
  bool has(Setting id) const { return get(id).has_value(); }
  std::optional<std::int64_t> get(Setting id) const;
  void set(Setting id, std::int64_t value);

  // The value of `non_preemptible_resource_usage_threshold`; empty: none. An empty object also means none:
  // read literally, every job would be below it and none preemptible.
  const NamedAmounts& usage_threshold() const { return usage_threshold_; }
  void set_usage_threshold(NamedAmounts amounts);

  // The values of a queue below override these values. Only preemption stays off once it is off; otherwise it
  // would be no kill switch.
  void override_by(const SettingValues& nearer);

  const std::vector<Entry>& entries() const { return entries_; }
  bool operator==(const SettingValues&) const = default;

 private:
  std::vector<Entry> entries_;
  NamedAmounts usage_threshold_;  // the value of its entry is their number
};

// The stated value, else the default, which may depend on the kind of the queue.
std::int64_t value_or_default(const SettingSpec& spec, const SettingValues& values,
                              JobKind queue_kind = JobKind::batch);

// The value for a job that states its own: the more patient of the two counts.
std::int64_t value_for_job(const SettingSpec& spec, std::int64_t of_queue, std::int64_t of_job);

// Settings as bytes, interned in the row of a queue or job. The bytes never leave the process.
std::string encode_settings(const SettingValues& values);
SettingValues decode_settings(std::string_view bytes);

struct SettingFault {
  std::string_view setting;  // where to report the fault: one of the given settings
  std::string message;
  Severity severity = Severity::error;
};

// Contradictions between two settings, at least one of them in `own`. `inherited` holds the values of the
// policy and the queues above; defaults count too. A contradiction is reported once, where it was written.
// Values with which jobs could preempt each other for ever are warnings.
std::vector<SettingFault> check_settings(Profile profile, const SettingValues& inherited,
                                         const SettingValues& own);

}  // namespace cede
