// SPDX-License-Identifier: MIT
#pragma once

#include "base/time.h"
#include "policy/setting.h"

// How a row of the tables is written: one function per unit.
namespace cede::setting_rows {

inline constexpr std::int64_t kMillion = 1'000'000;
inline constexpr Duration kAboveZero = 1;

constexpr SettingSpec flag(Setting id, std::string_view name, bool fallback, SettingSide side,
                           std::string_view help) {
  return {.id = id,
          .name = name,
          .unit = SettingUnit::flag,
          .fallback = fallback ? 1 : 0,
          .max = 1,
          .side = side,
          .help = help};
}

template <class Enum>
constexpr SettingSpec choice(Setting id, std::string_view name, Enum fallback,
                             std::span<const std::string_view> words, SettingSide side,
                             std::string_view help) {
  return {.id = id,
          .name = name,
          .unit = SettingUnit::choice,
          .fallback = static_cast<std::int64_t>(fallback),
          .max = static_cast<std::int64_t>(words.size()) - 1,
          .choices = words,
          .side = side,
          .help = help};
}

struct Range {
  std::int64_t min;
  std::int64_t max;
};

constexpr SettingSpec number(SettingUnit unit, Setting id, std::string_view name, std::int64_t fallback,
                             Range range, SettingSide side, std::string_view help) {
  return {.id = id,
          .name = name,
          .unit = unit,
          .fallback = fallback,
          .min = range.min,
          .max = range.max,
          .side = side,
          .help = help};
}

constexpr SettingSpec count(Setting id, std::string_view name, std::int64_t fallback, Range range,
                            SettingSide side, std::string_view help) {
  return number(SettingUnit::count, id, name, fallback, range, side, help);
}

constexpr SettingSpec duration(Setting id, std::string_view name, Duration fallback, SettingSide side,
                               std::string_view help, Duration min = 0) {
  return number(SettingUnit::duration, id, name, fallback, {min, kMaxDuration}, side, help);
}

// The fallback in thousandths, which is fine enough for every default.
constexpr SettingSpec ratio(Setting id, std::string_view name, std::int64_t thousandths, SettingSide side,
                            std::string_view help) {
  return number(SettingUnit::ratio, id, name, thousandths * kMillion, {0, kWhole}, side, help);
}

constexpr SettingSpec factor(Setting id, std::string_view name, std::int64_t thousandths, std::int64_t most,
                             SettingSide side, std::string_view help) {
  return number(SettingUnit::factor, id, name, thousandths * kMillion, {0, most * kWhole}, side, help);
}

constexpr SettingSpec minutes(Setting id, std::string_view name, std::int64_t thousandths, std::int64_t most,
                              SettingSide side, std::string_view help) {
  return number(SettingUnit::minutes, id, name, thousandths, {0, most * 1000}, side, help);
}

constexpr SettingSpec amounts(Setting id, std::string_view name, SettingSide side, std::string_view help) {
  return number(SettingUnit::amounts, id, name, kNoSetting, {0, 0}, side, help);
}

constexpr SettingSpec or_none(SettingSpec row, std::string_view word = "none") {
  row.none_word = word;
  return row;
}

constexpr SettingSpec in_training(SettingSpec row, std::int64_t thousandths) {
  row.training_fallback = thousandths * kMillion;
  return row;
}

constexpr SettingSpec job_may(JobMay what, SettingSpec row) {
  row.job_may = what;
  return row;
}

constexpr SettingSpec queue_field(SettingSpec row) {
  row.queue_field = true;
  return row;
}

}  // namespace cede::setting_rows
