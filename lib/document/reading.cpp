// SPDX-License-Identifier: MIT
#include "document/reading.h"

#include "base/intern_table.h"
#include "base/text.h"

namespace cede {

namespace {

std::string shown(const Scalar& value) {
  switch (value.kind) {
    case Scalar::Kind::null: return "null";
    case Scalar::Kind::boolean: return value.flag ? "true" : "false";
    case Scalar::Kind::number: return shorten(value.text);
    case Scalar::Kind::text: return quote(value.text);
  }
  return {};
}

}  // namespace

Path Reading::path() const {
  Path path;
  for (const Step& step : steps_) {
    if (!step.inside) continue;
    path.push_back(step.is_array ? PathStep::element(step.index) : PathStep::member(step.key));
  }
  return path;
}

void Reading::fail(std::string text, Status status) { problems_.error(path(), std::move(text), status); }

void Reading::fail_key(std::string text) {
  Problem problem;
  problem.path = path();
  problem.text = std::move(text);
  problem.at_key = true;
  problems_.add(std::move(problem));
}

void Reading::fail_member(std::string_view member, std::string text) {
  Path at = path();
  at.push_back(PathStep::member(member));
  problems_.error(std::move(at), std::move(text));
}

void Reading::fail_type(std::string_view wanted, const Scalar& value) {
  fail(shown(value) + " is not " + std::string(wanted));
}

void Reading::fail_container(std::string_view wanted, std::string_view given) {
  fail(std::string(given) + " is not " + std::string(wanted));
}

void Reading::fail_word(const Scalar& value, std::span<const std::string_view> words) {
  fail(shown(value) + " is not " + one_of(words) +
       (value.kind == Scalar::Kind::text ? did_you_mean(value.text, words) : std::string{}));
}

void Reading::read(const Scalar& value, bool& out) {
  if (value.is_null()) return;
  if (value.kind != Scalar::Kind::boolean) return fail_type("true or false", value);
  out = value.flag;
}

void Reading::read(const Scalar& value, Tri& out) {
  if (value.is_null()) return;
  if (value.kind != Scalar::Kind::boolean) return fail_type("true or false", value);
  out = value.flag ? Tri::yes : Tri::no;
}

void Reading::read_integer(const Scalar& value, std::int64_t min, std::int64_t max, std::int64_t& out) {
  if (value.is_null()) return;
  if (value.kind != Scalar::Kind::number) return fail_type("a whole number", value);
  std::int64_t number = value.integer;
  if (!value.is_integer) {
    // 2.0 and 1e3 are whole numbers too; parse_scaled is exact.
    std::string_view digits = value.text;
    const bool negative = digits.starts_with('-');
    if (negative) digits.remove_prefix(1);
    std::string why;
    if (!parse_scaled(digits, 0, std::numeric_limits<std::int64_t>::max(), number, why)) {
      return fail(shown(value) + " is not a whole number in " + std::to_string(min) + ".." +
                  std::to_string(max));
    }
    if (negative) number = -number;
  }
  if (number < min || number > max) {
    return fail(shown(value) + " is outside " + std::to_string(min) + ".." + std::to_string(max));
  }
  out = number;
}

void Reading::read_amount(const Scalar& value, Amount& out) {
  if (value.is_null()) return;
  if (value.is_integer && value.integer >= 0 && value.integer <= kMaxAmountUnits) {
    out = value.integer * kOne;
    return;
  }
  if (value.kind != Scalar::Kind::number && value.kind != Scalar::Kind::text)
    return fail_type("an amount", value);
  std::string why;
  if (!parse_amount(value.text, out, why)) fail(std::move(why));
}

void Reading::read_decimal(const Scalar& value, int places, std::int64_t max, std::int64_t& out) {
  if (value.is_null()) return;
  if (value.kind != Scalar::Kind::number) return fail_type("a number", value);
  std::string why;
  if (!parse_scaled(cut_fraction(value.text, places), places, max, out, why)) fail(std::move(why));
}

void Reading::read_time(const Scalar& value, Time& out) {
  if (value.is_null()) return;
  if (value.is_integer && value.integer >= 0 && value.integer <= kMaxTime / kSecond) {
    out = value.integer * kSecond;
    return;
  }
  std::string why;
  if (value.kind == Scalar::Kind::number) {
    if (!parse_time_number(value.text, out, why)) fail(std::move(why));
  } else if (value.kind == Scalar::Kind::text) {
    if (!parse_time_text(value.text, out, why)) fail(std::move(why));
  } else {
    fail_type("a time", value);
  }
}

void Reading::read_duration(const Scalar& value, Duration& out) {
  if (value.is_null()) return;
  std::string why;
  if (value.kind == Scalar::Kind::number) {
    if (!parse_duration_number(value.text, out, why)) fail(std::move(why));
  } else if (value.kind == Scalar::Kind::text) {
    if (!parse_duration_text(value.text, out, why)) fail(std::move(why));
  } else {
    fail_type("a duration", value);
  }
}

void Reading::read_name(const Scalar& value, InternTable& table, NameId& out) {
  if (value.is_null()) return;
  if (value.kind != Scalar::Kind::text) return fail_type("a name", value);
  if (!is_plain_name(value.text)) {
    std::string fault = name_fault(value.text);
    if (!fault.empty()) return fail(std::move(fault));
  }
  out = table.intern(value.text);
}

void Reading::read_text(const Scalar& value, std::string& out) {
  if (value.is_null()) return;
  if (value.kind != Scalar::Kind::text) return fail_type("a text", value);
  std::string fault = name_fault(value.text);
  if (!fault.empty()) return fail(std::move(fault));
  out = value.text;
}

}  // namespace cede
