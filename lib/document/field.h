// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/amount.h"
#include "base/time.h"
#include "document/formats.h"
#include "policy/settings/setting.h"

namespace cede {

// How the value of a field is written.
enum class FieldType : std::uint8_t {
  format,           // the document's own format
  name,             // a text that is a name
  raw_text,         // a text of any length and content
  file,             // the name of a file that the command reads and puts in; the library refuses it
  flag,             // true or false
  integer,          // a whole number, min..max
  decimal,          // a number in units of 10^-places, min..max
  amount,           // a number or text such as "16Gi"
  time,             // seconds since the epoch or RFC 3339 text
  duration,         // seconds or text such as "90s"
  word,             // one of `words`
  names,            // a list of names
  devices,          // a list of device indexes
  device_lists,     // a list of lists of device indexes
  amounts,          // an object that maps resources to amounts
  texts_by_name,    // an object that maps names to texts
  object,           // an object with the fields of `object`
  objects,          // a list of such objects
  objects_by_name,  // an object that maps names to such objects
  settings,         // the settings of a policy, queue or job: `min` is the SettingHolder
  custom            // whatever `schema` says
};

struct ObjectSpec;

// One field of an object of a document: how it is read, and what schema and manual say about it. Readers take
// range, words and whether the field must be given from here, so the reference cannot say anything else.
struct FieldSpec {
  std::uint8_t field = 0;  // the value of the object's enum
  FieldType type = FieldType::custom;
  std::string_view name = {};
  std::string_view help = {};  // one sentence
  std::int64_t min = 0;
  std::int64_t max = 0;
  int places = 0;
  std::span<const std::string_view> words = {};
  const ObjectSpec* object = nullptr;
  std::string_view schema = {};    // of a custom field: members of its JSON Schema
  std::string_view shown = {};     // what the manual calls a custom field's type
  std::string_view unit = {};      // of a number; empty: none
  std::string_view fallback = {};  // the default as JSON; empty: none that can be written down
  std::string_view absent = {};    // in words, what holds if the field is not given
  bool required = false;
  bool nullable = true;  // null means "not given"
  bool above_zero = false;
  std::string_view wanted = {};  // of a required field: what a message asks for
};

// One kind of object: its fields and what is said about it as a whole.
struct ObjectSpec {
  std::string_view name;
  std::string_view help;
  std::span<const FieldSpec> fields;
  bool site_fields = true;       // fields that start with `x-` are the site's own
  std::string_view schema = {};  // further members of its JSON Schema: what no single field can say
};

// The fields of one kind of object, in the order of the enum `Field`, with a small hash table of their names
// built at compile time.
template <class FieldEnum, std::size_t kCount>
struct Fields {
  static_assert(kCount <= 64, "seen fields are kept in one word");
  static constexpr std::size_t kSlots = kCount <= 16 ? 64 : 256;

  std::array<FieldSpec, kCount> rows;
  std::array<std::string_view, kCount> names{};
  std::array<std::uint8_t, kSlots> slots{};
  std::uint64_t required = 0;

  explicit consteval Fields(const std::array<FieldSpec, kCount>& given) : rows(given) {
    slots.fill(0xFF);
    for (std::size_t i = 0; i < kCount; ++i) {
      if (rows[i].field != i) throw "the rows are not in the order of the enum";
      if (rows[i].help.empty()) throw "a field has no help";
      names[i] = rows[i].name;
      if (rows[i].required) required |= std::uint64_t{1} << i;
      std::size_t slot = hash(names[i]) % kSlots;
      while (slots[slot] != 0xFF) slot = (slot + 1) % kSlots;
      slots[slot] = static_cast<std::uint8_t>(i);
    }
  }

  static constexpr std::size_t hash(std::string_view key) {
    const auto byte = [&](std::size_t i) {
      return static_cast<std::size_t>(static_cast<unsigned char>(key[i]));
    };
    return key.size() * 7 + byte(0) * 31 + byte(key.size() / 2) * 5 + byte(key.size() - 1) * 131;
  }

  // The field's index, or -1.
  constexpr int find(std::string_view key) const {
    if (key.empty()) return -1;
    for (std::size_t slot = hash(key) % kSlots; slots[slot] != 0xFF; slot = (slot + 1) % kSlots) {
      if (names[slots[slot]] == key) return slots[slot];
    }
    return -1;
  }

  constexpr const FieldSpec& operator[](FieldEnum field) const {
    return rows[static_cast<std::size_t>(field)];
  }
};

// One function for each type of field, so that a table reads like the document.
namespace field_rows {

template <class FieldEnum>
constexpr FieldSpec row(FieldEnum field, FieldType type, std::string_view name, std::string_view help) {
  FieldSpec spec;
  spec.field = static_cast<std::uint8_t>(field);
  spec.type = type;
  spec.name = name;
  spec.help = help;
  return spec;
}

struct Range {
  std::int64_t min;
  std::int64_t max;
};
inline constexpr Range kInt32{INT32_MIN, INT32_MAX};

constexpr FieldSpec integer(auto field, std::string_view name, Range range, std::string_view help) {
  FieldSpec spec = row(field, FieldType::integer, name, help);
  spec.min = range.min;
  spec.max = range.max;
  return spec;
}

constexpr FieldSpec decimal(auto field, std::string_view name, int places, std::int64_t max,
                            std::string_view help) {
  FieldSpec spec = row(field, FieldType::decimal, name, help);
  spec.places = places;
  spec.max = max;
  return spec;
}

constexpr FieldSpec word(auto field, std::string_view name, std::span<const std::string_view> words,
                         std::string_view help) {
  FieldSpec spec = row(field, FieldType::word, name, help);
  spec.words = words;
  return spec;
}

constexpr FieldSpec nested(auto field, FieldType type, std::string_view name, const ObjectSpec& object,
                           std::string_view help) {
  FieldSpec spec = row(field, type, name, help);
  spec.object = &object;
  return spec;
}

constexpr FieldSpec custom(auto field, std::string_view name, std::string_view shown, std::string_view schema,
                           std::string_view help) {
  FieldSpec spec = row(field, FieldType::custom, name, help);
  spec.shown = shown;
  spec.schema = schema;
  return spec;
}

constexpr FieldSpec format(auto field, std::string_view name) {
  FieldSpec spec = row(field, FieldType::format, "format", "the format of the document");
  spec.fallback = name;
  spec.required = true;
  spec.nullable = false;
  return spec;
}

constexpr FieldSpec name(auto field, std::string_view key, std::string_view help) {
  return row(field, FieldType::name, key, help);
}
constexpr FieldSpec flag(auto field, std::string_view key, std::string_view help) {
  return row(field, FieldType::flag, key, help);
}
constexpr FieldSpec time(auto field, std::string_view key, std::string_view help) {
  return row(field, FieldType::time, key, help);
}
constexpr FieldSpec duration(auto field, std::string_view key, std::string_view help) {
  FieldSpec spec = row(field, FieldType::duration, key, help);
  spec.max = kMaxDuration;
  return spec;
}
constexpr FieldSpec amount(auto field, std::string_view key, std::int64_t max, std::string_view help) {
  FieldSpec spec = row(field, FieldType::amount, key, help);
  spec.max = max;
  return spec;
}
constexpr FieldSpec amounts(auto field, std::string_view key, std::string_view help) {
  return row(field, FieldType::amounts, key, help);
}
constexpr FieldSpec names(auto field, std::string_view key, std::string_view help) {
  return row(field, FieldType::names, key, help);
}
constexpr FieldSpec object(auto field, std::string_view key, const ObjectSpec& spec, std::string_view help) {
  return nested(field, FieldType::object, key, spec, help);
}
constexpr FieldSpec objects(auto field, std::string_view key, const ObjectSpec& spec, std::string_view help) {
  return nested(field, FieldType::objects, key, spec, help);
}
constexpr FieldSpec objects_by_name(auto field, std::string_view key, const ObjectSpec& spec,
                                    std::string_view help) {
  return nested(field, FieldType::objects_by_name, key, spec, help);
}

// The settings that a policy, queue or job may hold.
constexpr FieldSpec settings(auto field, SettingHolder holder, std::string_view help) {
  FieldSpec spec = row(field, FieldType::settings, "settings", help);
  spec.min = static_cast<std::int64_t>(holder);
  return spec;
}

constexpr FieldSpec or_default(FieldSpec spec, std::string_view json) {
  spec.fallback = json;
  return spec;
}
constexpr FieldSpec or_else(FieldSpec spec, std::string_view words) {
  spec.absent = words;
  return spec;
}
constexpr FieldSpec not_null(FieldSpec spec) {
  spec.nullable = false;
  return spec;
}
constexpr FieldSpec required(FieldSpec spec, std::string_view wanted = {}) {
  spec.required = true;
  spec.nullable = false;
  spec.wanted = wanted;
  return spec;
}
// A list or an object with at least one entry.
constexpr FieldSpec not_empty(FieldSpec spec) {
  spec.min = 1;
  return spec;
}
constexpr FieldSpec above_zero(FieldSpec spec) {
  spec.above_zero = true;
  return spec;
}
// The schema of a custom field speaks of such objects.
constexpr FieldSpec with_object(FieldSpec spec, const ObjectSpec& object) {
  spec.object = &object;
  return spec;
}
constexpr FieldSpec in_unit(FieldSpec spec, std::string_view unit) {
  spec.unit = unit;
  return spec;
}

// Of a document that is only written: the field is always there, null or not.
constexpr FieldSpec always(FieldSpec spec) {
  spec.required = true;
  spec.nullable = false;
  return spec;
}
constexpr FieldSpec always_or_null(FieldSpec spec) {
  spec.required = true;
  spec.nullable = true;
  return spec;
}

}  // namespace field_rows

}  // namespace cede
