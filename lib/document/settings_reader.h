// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "document/value_sink.h"
#include "policy/settings/setting_text.h"
#include "policy/settings/setting_values.h"

namespace cede {

// A `settings` object: of a policy (whose profile is known), a queue or a job.
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

}  // namespace cede
