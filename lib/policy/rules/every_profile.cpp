// SPDX-License-Identifier: MIT
// The eligibility rules every profile begins with. The first that excludes a unit is the reason recorded for
// it.
#include <algorithm>

#include "base/text.h"
#include "policy/rule.h"

namespace cede {

namespace {

constexpr std::uint8_t kSensitiveClass = 10;

class Running final : public EligibilityRule {
 public:
  std::string_view name() const override { return "running"; }
  std::optional<std::string> excludes(const Unit& unit, const Asking& asking) const override {
    const JobState state = asking.model().jobs[unit.job].state;
    // A job that still waits for some tasks is pending; those it has placed run all the same.
    if (state == JobState::running || state == JobState::pending) return std::nullopt;
    return "the job is " + std::string(to_word(state, kJobStates));
  }
};

class SameJob final : public EligibilityRule {
 public:
  std::string_view name() const override { return "same-job"; }
  std::optional<std::string> excludes(const Unit& unit, const Asking& asking) const override {
    if (unit.job != asking.request.job) return std::nullopt;
    return "it belongs to the requester itself";
  }
};

class SameGroup final : public EligibilityRule {
 public:
  std::string_view name() const override { return "same-group"; }
  std::optional<std::string> excludes(const Unit& unit, const Asking& asking) const override {
    const Model& model = asking.model();
    const GroupId group = model.jobs[unit.job].group;
    if (group == model.jobs[asking.request.job].group) return std::nullopt;
    return "the job is in group " + quote(model.name(model.groups[group].name));
  }
};

class Sensitive final : public EligibilityRule {
 public:
  std::string_view name() const override { return "sensitive"; }
  std::optional<std::string> excludes(const Unit& unit, const Asking& asking) const override {
    if (asking.effective.kind(unit.job) == JobKind::sensitive) return "the job is of kind sensitive";
    if (asking.effective.job_class(unit.job) == kSensitiveClass) return "the job is of class 10";
    return std::nullopt;
  }
};

class Protected final : public EligibilityRule {
 public:
  std::string_view name() const override { return "protected"; }
  std::optional<std::string> excludes(const Unit& unit, const Asking& asking) const override {
    if (!std::binary_search(asking.protect.begin(), asking.protect.end(), unit.job)) return std::nullopt;
    return "the caller asked to leave the job alone";
  }
};

class NotPreemptible final : public EligibilityRule {
 public:
  std::string_view name() const override { return "not-preemptible"; }
  std::optional<std::string> excludes(const Unit& unit, const Asking&) const override {
    if (unit.preemptible) return std::nullopt;
    return "the job opted out of preemption";
  }
};

class QueueOff final : public EligibilityRule {
 public:
  std::string_view name() const override { return "queue-off"; }
  std::optional<std::string> excludes(const Unit& unit, const Asking& asking) const override {
    const QueueId queue = asking.model().jobs[unit.job].queue;
    if (asking.effective.preemption_on(queue)) return std::nullopt;
    return "preemption is off for queue " + quote(asking.model().name(asking.model().queues[queue].name));
  }
};

class MinRuntime final : public EligibilityRule {
 public:
  std::string_view name() const override { return "min-runtime"; }
  std::optional<std::string> excludes(const Unit& unit, const Asking& asking) const override {
    const Duration least =
        asking.effective.setting(Setting::min_runtime, asking.model().jobs[unit.job].queue);
    const Time resumed = asking.model().job_times[unit.job.value].resumed;
    const Duration ran = std::max<Duration>(0, asking.now - (resumed != kNoTime ? resumed : unit.start));
    if (ran >= least) return std::nullopt;
    return "it has run for " + format_duration(ran) + ", less than min_runtime " + format_duration(least);
  }
};

class PreemptedOften final : public EligibilityRule {
 public:
  std::string_view name() const override { return "preempted-often"; }
  std::optional<std::string> excludes(const Unit& unit, const Asking& asking) const override {
    const std::int64_t most =
        asking.effective.setting(Setting::max_preempted_count, asking.model().jobs[unit.job].queue);
    const std::uint32_t count = asking.model().job_extras[unit.job.value].preempted_count;
    if (most == kNoSetting || count < most) return std::nullopt;
    return "it was preempted " + std::to_string(count) + " times already, max_preempted_count is " +
           std::to_string(most);
  }
};

class Cooldown final : public EligibilityRule {
 public:
  std::string_view name() const override { return "cooldown"; }
  std::optional<std::string> excludes(const Unit& unit, const Asking& asking) const override {
    const Time resumed = asking.model().job_times[unit.job.value].resumed;
    const Duration cooldown = asking.effective.policies().limits.cooldown;
    if (resumed == kNoTime || cooldown == 0 || asking.now - resumed >= cooldown) return std::nullopt;
    return "it resumed " + format_duration(std::max<Duration>(0, asking.now - resumed)) +
           " ago, the cooldown is " + format_duration(cooldown);
  }
};

}  // namespace

EligibilityRules rules_of_every_profile() {
  EligibilityRules rules;
  rules.push_back(std::make_unique<Running>());
  rules.push_back(std::make_unique<SameJob>());
  rules.push_back(std::make_unique<SameGroup>());
  rules.push_back(std::make_unique<Sensitive>());
  rules.push_back(std::make_unique<Protected>());
  rules.push_back(std::make_unique<NotPreemptible>());
  rules.push_back(std::make_unique<QueueOff>());
  rules.push_back(std::make_unique<MinRuntime>());
  rules.push_back(std::make_unique<PreemptedOften>());
  rules.push_back(std::make_unique<Cooldown>());
  return rules;
}

}  // namespace cede
