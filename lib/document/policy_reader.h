// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/problem.h"
#include "document/reading.h"
#include "model/limits.h"
#include "model/requirement.h"
#include "policy/settings/policy.h"
#include "policy/settings/setting.h"
#include "policy/settings/setting_values.h"

namespace cede {

// The `settings` object of a policy (whose profile is known), a queue or a job.
class SettingsSink final : public ValueSink {
 public:
  SettingsSink(Reading& reading, SettingHolder holder)
      : ValueSink(reading), amounts_(*this), holder_(holder) {}

  ValueSink* start(SettingValues& out, SiteFields& site, std::optional<Profile> profile = std::nullopt);
  bool key(std::string_view key) override;
  void scalar(const Scalar& value) override;
  ValueSink* object() override;
  ValueSink* array() override;
  SiteFields* site() override { return site_; }
  std::string site_prefix() const override { return "settings/"; }

 private:
  // The value of a setting that is an object of amounts.
  class AmountsSink final : public ValueSink {
   public:
    explicit AmountsSink(SettingsSink& owner) : ValueSink(owner.reading_), owner_(owner) {}
    void start() { amounts_.clear(); }
    bool key(std::string_view key) override;
    void scalar(const Scalar& value) override;
    void end() override { owner_.out_->set_usage_threshold(std::move(amounts_)); }

   private:
    SettingsSink& owner_;
    std::string key_;
    NamedAmounts amounts_;
  };

  AmountsSink amounts_;
  const SettingHolder holder_;
  std::optional<Profile> profile_;
  SettingValues* out_ = nullptr;
  SiteFields* site_ = nullptr;
  const SettingSpec* spec_ = nullptr;
};

// Single objects of a cluster document, for callers that pass everything else as arrays. Each function
// reports problems of the text with line and column; then its result must not be used.

// The value of a job's `require`.
std::shared_ptr<const Requirement> read_requirement_part(std::string_view text, const Limits& limits,
                                                         Problems& problems);
// The value of a queue's or job's `settings`, in the form of a row.
std::string read_settings_part(std::string_view text, SettingHolder holder, const Limits& limits,
                               Problems& problems);
// The value of a node's `labels` or `fingerprint`, in the form of a row.
std::string read_pairs_part(std::string_view text, const Limits& limits, Problems& problems);

class ModelEdit;
// The value of one entry of `topologies`, put into the edit under that name.
void read_topology_part(std::string_view text, std::uint32_t name, ModelEdit& edit);

// Reads a policy document and checks everything that does not depend on a cluster. Returns false if there are
// problems.
bool read_policy(std::string_view text, const Limits& limits, Problems& problems, PolicySet& out);

}  // namespace cede
