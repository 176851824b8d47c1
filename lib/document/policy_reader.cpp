// SPDX-License-Identifier: MIT
#include "document/policy_reader.h"

#include <algorithm>

#include "base/text.h"
#include "document/document.h"
#include "document/policy_fields.h"
#include "document/reading.h"
#include "document/requirement_reader.h"
#include "document/topology_reader.h"
#include "model/edit.h"
#include "policy/settings/setting_values.h"

namespace cede {

ValueSink* SettingsSink::start(SettingValues& out, SiteFields& site, std::optional<Profile> profile) {
  out_ = &out;
  *out_ = {};
  site_ = &site;
  profile_ = profile;
  return this;
}

bool SettingsSink::key(std::string_view key) {
  std::string why;
  spec_ = accept_setting(profile_, holder_, key, why);
  if (!spec_) {
    reading_.fail_key(std::move(why));
    return false;
  }
  if (out_->has(spec_->id)) {
    fail_twice(reading_, key);
    return false;
  }
  return true;
}

void SettingsSink::scalar(const Scalar& value) {
  SettingInput input;
  input.kind = static_cast<SettingInput::Kind>(value.kind);
  static_assert(static_cast<int>(SettingInput::Kind::null) == static_cast<int>(Scalar::Kind::null) &&
                static_cast<int>(SettingInput::Kind::boolean) == static_cast<int>(Scalar::Kind::boolean) &&
                static_cast<int>(SettingInput::Kind::number) == static_cast<int>(Scalar::Kind::number) &&
                static_cast<int>(SettingInput::Kind::text) == static_cast<int>(Scalar::Kind::text));
  input.flag = value.flag;
  input.text = value.text;
  std::int64_t number = 0;
  std::string why;
  if (!read_setting(*spec_, input, number, why)) return reading_.fail(std::move(why));
  out_->set(spec_->id, number);
}

ValueSink* SettingsSink::object() {
  if (spec_->unit == SettingUnit::amounts) {
    amounts_.start();
    return &amounts_;
  }
  return array();
}

ValueSink* SettingsSink::array() {
  SettingInput input;
  input.kind = SettingInput::Kind::compound;
  std::int64_t number = 0;
  std::string why;
  read_setting(*spec_, input, number, why);
  reading_.fail(std::move(why));
  return nullptr;
}

bool SettingsSink::AmountsSink::key(std::string_view key) {
  std::string fault = name_fault(key);
  const auto same = [&](const auto& pair) { return pair.first == key; };
  if (fault.empty() && std::any_of(amounts_.begin(), amounts_.end(), same))
    fault = quote(key) + " is given twice";
  if (fault.empty() && amounts_.size() >= 256) fault = "more than 256 amounts";
  if (!fault.empty()) {
    reading_.fail_key(std::move(fault));
    return false;
  }
  key_ = key;
  return true;
}

void SettingsSink::AmountsSink::scalar(const Scalar& value) {
  if (value.is_null()) return reading_.fail_type("an amount", value);
  Amount amount = 0;
  reading_.read_amount(value, amount);
  amounts_.emplace_back(key_, amount);
}

std::shared_ptr<const Requirement> read_requirement_part(std::string_view text, const Limits& limits,
                                                         Problems& problems) {
  ModelEdit scratch({}, limits, problems, true);
  Reading reading(problems);
  RequirementSink sink(reading, scratch);
  RequirementId id;
  sink.start(id);
  if (!parse_document(text, limits, reading, sink)) return nullptr;
  // A requirement without entries is not interned.
  return id ? scratch.model().requirements[id.value] : std::make_shared<const Requirement>();
}

std::string read_settings_part(std::string_view text, SettingHolder holder, const Limits& limits,
                               Problems& problems) {
  Reading reading(problems);
  SettingsSink sink(reading, holder);
  SettingValues values;
  SiteFields site;
  sink.start(values, site);
  return parse_document(text, limits, reading, sink) ? encode_settings(values) : std::string{};
}

std::string read_pairs_part(std::string_view text, const Limits& limits, Problems& problems) {
  Reading reading(problems);
  PairsSink sink(reading, limits);
  PairsSink::Pairs pairs;
  sink.start(pairs);
  if (!parse_document(text, limits, reading, sink)) return {};
  return encode_pairs({pairs.begin(), pairs.end()});
}

void read_topology_part(std::string_view text, NameId name, ModelEdit& edit) {
  Reading reading(edit.problems());
  TopologySink sink(reading, edit);
  sink.start(name);
  parse_document(text, edit.limits(), reading, sink);
}

namespace {

constexpr std::size_t kMaxPolicies = 4096;
constexpr std::size_t kMaxRules = 1'000'000;

// One policy. JSON members have no order, so settings before the profile are accepted from any profile and
// checked against the right one at the end.
class PolicySink final : public ObjectSink<PolicyField, 2> {
 public:
  explicit PolicySink(Reading& reading)
      : ObjectSink(reading, kPolicyFields), settings_(reading, SettingHolder::policy) {}
  ValueSink* start(Policy& out) {
    ObjectSink::start();
    out_ = &out;
    known_ = false;
    return this;
  }
  void scalar(const Scalar& value) override {
    if (field() == PolicyField::settings) {
      if (!value.is_null()) reading_.fail_type("an object of settings", value);
      return;
    }
    const std::size_t before = reading_.problems().errors();
    reading_.read_word(value, spec(), out_->profile);
    if (value.is_null()) reading_.fail_word(value, kProfiles);
    known_ = reading_.problems().errors() == before;
  }
  ValueSink* object() override {
    if (field() != PolicyField::settings) return ObjectSink::object();
    return settings_.start(out_->settings, site_, known_ ? std::optional(out_->profile) : std::nullopt);
  }
  void end() override {
    require_fields();
    if (!known_) return;
    for (const SettingValues::Entry& entry : out_->settings.entries()) {
      std::string why;
      const std::string_view name = setting_anywhere(entry.id).name;
      if (!accept_setting(out_->profile, SettingHolder::policy, name, why))
        fail_setting(name, std::move(why));
    }
    if (reading_.problems().failed()) return;
    for (const SettingFault& fault : check_settings(out_->profile, {}, out_->settings)) {
      fail_setting(fault.setting, fault.message, fault.severity);
    }
  }
  SiteFields* site() override { return &site_; }

 private:
  void fail_setting(std::string_view name, std::string why, Severity severity = Severity::error) {
    Path path = reading_.path();
    path.push_back(PathStep::member("settings"));
    path.push_back(PathStep::member(name));
    if (severity == Severity::warning) {
      reading_.problems().warning(std::move(path), std::move(why));
    } else {
      reading_.problems().error(std::move(path), std::move(why));
    }
  }

  SettingsSink settings_;
  Policy* out_ = nullptr;
  bool known_ = false;
  SiteFields site_;
};

// An object whose keys are names chosen by the site. `item` reads each value, an object, into a new entry.
template <class Entry, class Item>
class NamedObjectsSink final : public ValueSink {
 public:
  NamedObjectsSink(Reading& reading, std::size_t limit) : ValueSink(reading), item_(reading), limit_(limit) {}
  ValueSink* start(std::vector<Entry>& out) {
    out_ = &out;
    return this;
  }
  bool key(std::string_view key) override {
    std::string fault = name_fault(key);
    if (fault.empty() && out_->size() >= limit_) fault = "more than " + std::to_string(limit_) + " entries";
    if (!fault.empty()) {
      reading_.fail_key(std::move(fault));
      return false;
    }
    key_ = key;
    return true;
  }
  ValueSink* object() override {
    Entry& entry = out_->emplace_back();
    entry.name = key_;
    return item_.start(entry);
  }
  void end() override {
    std::sort(out_->begin(), out_->end(), [](const Entry& a, const Entry& b) { return a.name < b.name; });
    const auto twice = std::adjacent_find(out_->begin(), out_->end(),
                                          [](const Entry& a, const Entry& b) { return a.name == b.name; });
    if (twice != out_->end()) reading_.fail_member(twice->name, quote(twice->name) + " is given twice");
  }

 private:
  Item item_;
  const std::size_t limit_;
  std::vector<Entry>* out_ = nullptr;
  std::string key_;
};

// `may_opt_out` as a range of priorities.
class PriorityRangeSink final : public ObjectSink<RangeField, 2> {
 public:
  explicit PriorityRangeSink(Reading& reading) : ObjectSink(reading, kRangeFields) {}
  ValueSink* start(PriorityRange& out) {
    ObjectSink::start();
    out = {};
    out_ = &out;
    return this;
  }
  void scalar(const Scalar& value) override {
    if (value.is_null()) return;
    reading_.read_integer(value, spec(), field() == RangeField::min ? out_->min : out_->max);
  }
  SiteFields* site() override { return &site_; }

 private:
  PriorityRange* out_ = nullptr;
  SiteFields site_;
};

class RuleSink final : public ObjectSink<RuleField, 6> {
 public:
  explicit RuleSink(Reading& reading) : ObjectSink(reading, kRuleFields), opt_out_(reading) {}
  ValueSink* start(AdmissionRule& out) {
    ObjectSink::start();
    out_ = &out;
    return this;
  }
  void scalar(const Scalar& value) override {
    if (value.is_null()) return;
    const auto priority = [&](std::optional<std::int32_t>& out) {
      std::int32_t number = 0;
      reading_.read_integer(value, spec(), number);
      out = number;
    };
    switch (field()) {
      case RuleField::default_priority: return priority(out_->default_priority);
      case RuleField::min: return priority(out_->min);
      case RuleField::max: return priority(out_->max);
      case RuleField::may_change: return reading_.read(value, out_->may_change);
      case RuleField::may_opt_out: {
        if (value.kind != Scalar::Kind::boolean)
          return reading_.fail_type("true, false or a range of priorities", value);
        bool may = true;
        reading_.read(value, may);
        out_->may_opt_out = may ? PriorityRange{} : kNoPriority;
        return;
      }
      case RuleField::max_class: {
        std::uint8_t number = 0;
        reading_.read_integer(value, spec(), number);
        out_->max_class = number;
      }
    }
  }
  ValueSink* array() override {
    if (field() != RuleField::may_opt_out) return ObjectSink::array();
    reading_.fail_container("true, false or a range of priorities", "a list");
    return nullptr;
  }
  ValueSink* object() override {
    return field() == RuleField::may_opt_out ? opt_out_.start(out_->may_opt_out) : ObjectSink::object();
  }
  SiteFields* site() override { return &site_; }

 private:
  PriorityRangeSink opt_out_;
  AdmissionRule* out_ = nullptr;
  SiteFields site_;
};

class AdmissionSink final : public ObjectSink<AdmissionField, 2> {
 public:
  AdmissionSink(Reading& reading, Admission& out)
      : ObjectSink(reading, kAdmissionFields), rules_(reading, kMaxRules), out_(out) {}
  void scalar(const Scalar& value) override {
    if (!value.is_null()) reading_.fail_type("an object", value);
  }
  ValueSink* object() override {
    return rules_.start(field() == AdmissionField::projects ? out_.projects : out_.users);
  }
  SiteFields* site() override { return &site_; }

 private:
  NamedObjectsSink<AdmissionRule, RuleSink> rules_;
  Admission& out_;
  SiteFields site_;
};

class LimitsSink final : public ObjectSink<LimitField, 6> {
 public:
  LimitsSink(Reading& reading, StormLimits& out)
      : ObjectSink(reading, kLimitFields), per_(reading, out), out_(out) {}
  void scalar(const Scalar& value) override {
    if (value.is_null()) return;
    switch (field()) {
      case LimitField::preemptions: {
        // The same limit applies to each victim queue and each victim user.
        std::int64_t count = 0;
        reading_.read_integer(value, 0, kMaxCount, count);
        out_.max_preemptions_per_queue = out_.max_preemptions_per_user = count;
        return;
      }
      case LimitField::lost_work: {
        std::int64_t minutes = 0;
        reading_.read_decimal(value, spec(), minutes);
        out_.max_lost_work = minutes;
        return;
      }
      case LimitField::window: return reading_.read_duration(value, spec(), out_.window);
      case LimitField::cooldown: return reading_.read_duration(value, out_.cooldown);
      case LimitField::exact_units: return reading_.read_integer(value, spec(), out_.exact_units);
      case LimitField::search_work: return reading_.read_integer(value, spec(), out_.search_work);
    }
  }
  ValueSink* object() override {
    return field() == LimitField::preemptions ? per_.start() : ObjectSink::object();
  }
  SiteFields* site() override { return &site_; }

 private:
  class PerSink final : public ObjectSink<PerField, 2> {
   public:
    PerSink(Reading& reading, StormLimits& out) : ObjectSink(reading, kPerFields), out_(out) {}
    ValueSink* start() {
      ObjectSink::start();
      return this;
    }
    void scalar(const Scalar& value) override {
      if (value.is_null()) return;
      std::int64_t count = 0;
      reading_.read_integer(value, spec(), count);
      (field() == PerField::queue ? out_.max_preemptions_per_queue : out_.max_preemptions_per_user) = count;
    }

   private:
    StormLimits& out_;
  };

  PerSink per_;
  StormLimits& out_;
  SiteFields site_;
};

class RootSink final : public ObjectSink<RootField, 5> {
 public:
  RootSink(Reading& reading, PolicySet& out)
      : ObjectSink(reading, kRootFields),
        policies_(reading, kMaxPolicies),
        admission_(reading, out.admission),
        limits_(reading, out.limits),
        out_(out) {}
  void scalar(const Scalar& value) override {
    if (field() == RootField::format) {
      if (value.kind != Scalar::Kind::text || value.text != kPolicyFormat) {
        fail_format(reading_, value, {&kPolicyFormat, 1});
      }
    } else if (field() == RootField::preemption) {
      Switch position = Switch::on;
      reading_.read_word(value, spec(), position);
      out_.preemption = position == Switch::on;
    } else if (!value.is_null()) {
      reading_.fail_type("an object", value);
    }
  }
  ValueSink* object() override {
    switch (field()) {
      case RootField::policies: return policies_.start(out_.policies);
      case RootField::admission: return &admission_;
      case RootField::limits: return &limits_;
      default: return ObjectSink::object();
    }
  }
  void end() override {
    require_fields();
    if (saw(RootField::policies) && out_.policies.empty())
      reading_.fail_member("policies", "names no policy");
  }
  SiteFields* site() override { return &site_; }

 private:
  NamedObjectsSink<Policy, PolicySink> policies_;
  AdmissionSink admission_;
  LimitsSink limits_;
  PolicySet& out_;
  SiteFields site_;
};

}  // namespace

bool read_policy(std::string_view text, const Limits& limits, Problems& problems, PolicySet& out) {
  Reading reading(problems);
  PolicySet set;
  RootSink root(reading, set);
  if (!parse_document(text, limits, reading, root)) return false;
  check_admission(set.admission, set.priorities(), problems);
  if (problems.failed()) {
    place_problems(text, problems);
    return false;
  }
  out = std::move(set);
  return true;
}

}  // namespace cede
