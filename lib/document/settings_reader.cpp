// SPDX-License-Identifier: MIT
#include "document/settings_reader.h"

#include <algorithm>

#include "base/text.h"
#include "document/parse.h"
#include "document/requirement_reader.h"
#include "document/topology_reader.h"
#include "document/value_sinks.h"
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

}  // namespace cede
