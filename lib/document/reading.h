// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/amount.h"
#include "base/intern_table.h"
#include "base/problem.h"
#include "base/time.h"
#include "document/field.h"
#include "model/edit.h"
#include "model/ids.h"
#include "model/limits.h"
#include "model/node_class.h"
#include "model/words.h"

namespace cede {

class InternTable;

// A JSON value that is not a container. Numbers keep their digits; no value passes through floating point.
struct Scalar {
  enum class Kind : std::uint8_t { null, boolean, number, text };
  Kind kind = Kind::null;
  bool flag = false;
  bool is_integer = false;  // `integer` holds the number
  std::int64_t integer = 0;
  std::string_view text;  // a text, or the digits of a number

  bool is_null() const { return kind == Kind::null; }
};

// The state of reading: the current position in the document, and the problems so far. The conversions report
// a wrong value at the current position and leave the target unchanged. Null means "not given".
class Reading {
 public:
  explicit Reading(Problems& problems) : problems_(problems) {}

  Problems& problems() { return problems_; }
  Path path() const;
  void fail(std::string text, Status status = Status::document);
  // The key is wrong, not the value.
  void fail_key(std::string text);
  void fail_member(std::string_view member, std::string text);

  void read(const Scalar& value, bool& out);
  void read(const Scalar& value, OptionalFlag& out);
  void read_integer(const Scalar& value, std::int64_t min, std::int64_t max, std::int64_t& out);
  template <class Number>
  void read_integer(const Scalar& value, std::int64_t min, std::int64_t max, Number& out) {
    std::int64_t wide = static_cast<std::int64_t>(out);
    read_integer(value, min, max, wide);
    out = static_cast<Number>(wide);
  }
  template <class Number>
  void read_integer(const Scalar& value, const FieldSpec& spec, Number& out) {
    read_integer(value, spec.min, spec.max, out);
  }
  void read_amount(const Scalar& value, Amount& out);
  // A decimal in units of 10^-places, 0..max; finer digits are cut off.
  void read_decimal(const Scalar& value, const FieldSpec& spec, std::int64_t& out);
  void read_time(const Scalar& value, Time& out);
  void read_duration(const Scalar& value, Duration& out);
  // The same for a field that may have to be above 0.
  void read_duration(const Scalar& value, const FieldSpec& spec, Duration& out);
  void read_name(const Scalar& value, InternTable& table, NameId& out);
  void read_text(const Scalar& value, std::string& out);
  template <class Enum>
  void read_word(const Scalar& value, const FieldSpec& spec, Enum& out) {
    read_word(value, spec.words, out);
  }
  template <class Enum>
  void read_word(const Scalar& value, std::span<const std::string_view> words, Enum& out) {
    if (value.is_null()) return;
    if (value.kind == Scalar::Kind::text) {
      if (const auto found = from_word<Enum>(value.text, words)) {
        out = *found;
        return;
      }
    }
    fail_word(value, words);
  }
  void fail_word(const Scalar& value, std::span<const std::string_view> words);
  // The value has the wrong JSON type; `wanted` names the right one.
  void fail_type(std::string_view wanted, const Scalar& value);
  void fail_zero(const FieldSpec& spec);
  void fail_container(std::string_view wanted, std::string_view given);

  // Maintained by the driver.
  struct Step {
    std::string_view key;
    std::size_t index = 0;
    bool is_array = false;
    bool inside = false;  // a member or element has begun
  };
  std::vector<Step>& steps() { return steps_; }

 private:
  Problems& problems_;
  std::vector<Step> steps_;
};

// The site's own fields of one object: pairs of a place (`x-note`, or `checkpoint/x-note` for a nested
// object) and its JSON text, in the encoding of encode_pairs().
using SiteFields = std::string;

// Moves fields that were read before their place was known to that place. Existing fields there are kept.
void move_site_fields(SiteFields& from, std::string_view prefix, SiteFields& to);

// Receives the events inside one JSON object or array. The driver calls key() before each member's value, and
// exactly one of scalar(), object() and array() for each value. object() and array() return the sink for the
// contents, or null to skip them; then this sink has reported why. end() is called when the container closes.
class ValueSink {
 public:
  explicit ValueSink(Reading& reading) : reading_(reading) {}
  ValueSink(const ValueSink&) = delete;
  ValueSink& operator=(const ValueSink&) = delete;
  virtual ~ValueSink() = default;

  // Whether the member's value is wanted. If not, the sink has reported why.
  virtual bool key(std::string_view) { return true; }
  virtual void scalar(const Scalar& value);
  virtual void null() { scalar(Scalar{}); }
  virtual ValueSink* object();
  virtual ValueSink* array();
  virtual void end() {}
  // Where `x-` fields of this object are kept, and under which prefix. Null if the keys are the user's own.
  virtual SiteFields* site() { return nullptr; }
  virtual std::string site_prefix() const { return {}; }

 protected:
  Reading& reading_;
};

void fail_unknown(Reading& reading, std::string_view key, std::span<const std::string_view> known);
void fail_twice(Reading& reading, std::string_view key);
void fail_missing(Reading& reading, std::span<const FieldSpec> fields, std::uint64_t missing);

// Finds the field of a key and notes it in `seen`. False, with a problem, if there is no such field or it was
// given before.
template <class Field, std::size_t kCount>
bool enter_field(Reading& reading, const Fields<Field, kCount>& fields, std::string_view key,
                 std::uint64_t& seen, Field& field) {
  const int found = fields.find(key);
  if (found < 0) {
    fail_unknown(reading, key, fields.names);
    return false;
  }
  const std::uint64_t bit = std::uint64_t{1} << found;
  if ((seen & bit) != 0) {
    fail_twice(reading, key);
    return false;
  }
  seen |= bit;
  field = static_cast<Field>(found);
  return true;
}

// An object with a fixed set of fields. Unknown and repeated keys are reported here.
template <class Field, std::size_t kCount>
class ObjectSink : public ValueSink {
 public:
  ObjectSink(Reading& reading, const Fields<Field, kCount>& fields) : ValueSink(reading), fields_(fields) {}

  bool key(std::string_view key) final { return enter_field(reading_, fields_, key, seen_, field_); }

  void null() final {
    null_ |= std::uint64_t{1} << static_cast<unsigned>(field_);
    this->scalar(Scalar{});
  }

 protected:
  void start() { seen_ = null_ = 0; }
  // Whether the field is given and not null. Null means "not given" everywhere.
  bool saw(Field field) const { return ((seen_ & ~null_) >> static_cast<unsigned>(field) & 1) != 0; }
  Field field() const { return field_; }
  const FieldSpec& spec() const { return fields_.rows[static_cast<std::size_t>(field_)]; }
  // Reports the required fields that are not given.
  void require_fields() {
    const std::uint64_t missing = fields_.required & ~(seen_ & ~null_);
    if (missing != 0) fail_missing(reading_, fields_.rows, missing);
  }

 private:
  const Fields<Field, kCount>& fields_;
  std::uint64_t seen_ = 0;
  std::uint64_t null_ = 0;
  Field field_{};
};

// A list of objects. One `item`, restarted for each element, reads them all.
template <class Item>
class ObjectListSink final : public ValueSink {
 public:
  ObjectListSink(Reading& reading, Item& item) : ValueSink(reading), item_(item) {}
  ValueSink* object() override { return item_.start(); }

 private:
  Item& item_;
};

// A list of names, which are interned.
class NameListSink final : public ValueSink {
 public:
  NameListSink(Reading& reading, const Limits& limits) : ValueSink(reading), limits_(limits) {}
  ValueSink* start(InternTable& table, std::vector<NameId>& out);
  void scalar(const Scalar& value) override;

 private:
  const Limits& limits_;
  InternTable* table_ = nullptr;
  std::vector<NameId>* out_ = nullptr;
};

// A list of texts, each a name.
class TextListSink final : public ValueSink {
 public:
  TextListSink(Reading& reading, const Limits& limits) : ValueSink(reading), limits_(limits) {}
  ValueSink* start(std::vector<std::string>& out);
  void scalar(const Scalar& value) override;

 private:
  const Limits& limits_;
  std::vector<std::string>* out_ = nullptr;
};

// An object whose keys are the user's own: names to texts, sorted by name at the end.
class PairsSink final : public ValueSink {
 public:
  using Pairs = std::vector<std::pair<std::string, std::string>>;
  PairsSink(Reading& reading, const Limits& limits) : ValueSink(reading), limits_(limits) {}
  ValueSink* start(Pairs& out);
  bool key(std::string_view key) override;
  void scalar(const Scalar& value) override;
  void end() override;

 private:
  const Limits& limits_;
  Pairs* out_ = nullptr;
  std::string key_;
};

// An object that maps resource names to amounts, interned as a shape. Limits keep explicit zeros, because
// zero forbids the resource.
class ResourceSink final : public ValueSink {
 public:
  ResourceSink(Reading& reading, ModelEdit& edit, bool keep_zeros)
      : ValueSink(reading), edit_(edit), keep_zeros_(keep_zeros) {}
  ValueSink* start(ShapeId& out);
  bool key(std::string_view key) override;
  void scalar(const Scalar& value) override;
  void end() override;

 private:
  ModelEdit& edit_;
  const bool keep_zeros_;
  ShapeId* out_ = nullptr;
  std::uint32_t resource_ = 0;
  std::vector<ResourceAmount> entries_;
  // The keys of the previous object, by position, because documents repeat the same keys.
  std::vector<std::pair<std::string, std::uint32_t>> last_keys_;
  bool look_up(std::string_view key);
};

// A list of device indexes as a mask.
class DeviceListSink final : public ValueSink {
 public:
  using ValueSink::ValueSink;
  // Indexes must be below `bound`.
  ValueSink* start(DeviceMask& out, std::uint32_t bound);
  void scalar(const Scalar& value) override;

 private:
  DeviceMask* out_ = nullptr;
  std::uint32_t bound_ = kMaxDevices;
};

// Parses a JSON text into `root`, which receives the members of the outermost object. One pass, no tree in
// memory. Problems are reported to `reading`, each with line and column. Returns false if there are any.
bool parse_document(std::string_view text, const Limits& limits, Reading& reading, ValueSink& root);

// Reports an unexpected `format`: another version of a known format, or an unknown one.
void fail_format(Reading& reading, const Scalar& value, std::span<const std::string_view> expected);

// The text of the outermost `format` member. Empty, with a problem, if the text is no JSON object or has no
// such member.
std::string document_format(std::string_view text, const Limits& limits, Reading& reading);

}  // namespace cede
