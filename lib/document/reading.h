// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/amount.h"
#include "base/problem.h"
#include "base/time.h"
#include "model/ids.h"
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
  void read(const Scalar& value, Tri& out);
  void read_integer(const Scalar& value, std::int64_t min, std::int64_t max, std::int64_t& out);
  template <class Number>
  void read_integer(const Scalar& value, std::int64_t min, std::int64_t max, Number& out) {
    std::int64_t wide = static_cast<std::int64_t>(out);
    read_integer(value, min, max, wide);
    out = static_cast<Number>(wide);
  }
  void read_amount(const Scalar& value, Amount& out);
  // A decimal in units of 10^-places, 0..max; finer digits are cut off.
  void read_decimal(const Scalar& value, int places, std::int64_t max, std::int64_t& out);
  void read_time(const Scalar& value, Time& out);
  void read_duration(const Scalar& value, Duration& out);
  void read_name(const Scalar& value, InternTable& table, NameId& out);
  void read_text(const Scalar& value, std::string& out);
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

}  // namespace cede
