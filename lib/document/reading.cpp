// SPDX-License-Identifier: MIT
#include "document/reading.h"

#include <algorithm>

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

void Reading::fail_zero(const FieldSpec& spec) {
  fail("0 is not a " + std::string(spec.name) + "; it must be above 0");
}

void Reading::read(const Scalar& value, bool& out) {
  if (value.is_null()) return;
  if (value.kind != Scalar::Kind::boolean) return fail_type("true or false", value);
  out = value.flag;
}

void Reading::read(const Scalar& value, OptionalFlag& out) {
  if (value.is_null()) return;
  if (value.kind != Scalar::Kind::boolean) return fail_type("true or false", value);
  out = value.flag ? OptionalFlag::yes : OptionalFlag::no;
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

void Reading::read_decimal(const Scalar& value, const FieldSpec& spec, std::int64_t& out) {
  if (value.is_null()) return;
  if (value.kind != Scalar::Kind::number) return fail_type("a number", value);
  std::string why;
  if (!parse_scaled(cut_fraction(value.text, spec.places), spec.places, spec.max, out, why))
    return fail(std::move(why));
  if (spec.above_zero && out == 0) fail_zero(spec);
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

void Reading::read_duration(const Scalar& value, const FieldSpec& spec, Duration& out) {
  read_duration(value, out);
  if (spec.above_zero && out == 0) fail_zero(spec);
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

void ValueSink::scalar(const Scalar& value) { reading_.fail_type("allowed here", value); }

ValueSink* ValueSink::object() {
  reading_.fail_container("allowed here", "an object");
  return nullptr;
}

ValueSink* ValueSink::array() {
  reading_.fail_container("allowed here", "a list");
  return nullptr;
}

void move_site_fields(SiteFields& from, std::string_view prefix, SiteFields& to) {
  for (std::string_view left = from; !left.empty();) {
    const std::size_t key = left.find('\0');
    const std::size_t value = left.find('\0', key + 1);
    const std::string name = std::string(prefix) + std::string(left.substr(0, key)) + '\0';
    if (!to.starts_with(name) && to.find('\0' + name) == std::string::npos) {
      to.append(name).append(left.substr(key + 1, value - key));
    }
    left.remove_prefix(value + 1);
  }
  from.clear();
}

namespace {

constexpr std::size_t kMostListed = 12;  // a longer list would hide what is wrong

// The nearest known field or, if none is near, all of them.
std::string known_instead(std::string_view key, std::span<const std::string_view> known) {
  std::string text = did_you_mean(key, known);
  if (!text.empty() || known.size() > kMostListed) return text;
  for (std::size_t i = 0; i < known.size(); ++i)
    text += (i == 0 ? "" : i + 1 == known.size() ? " and " : ", ") + std::string(known[i]);
  return (known.size() == 1 ? "; known is " : "; known are ") + text;
}

}  // namespace

void fail_unknown(Reading& reading, std::string_view key, std::span<const std::string_view> known) {
  reading.fail_key("unknown field " + quote(key) + known_instead(key, known));
}

void fail_twice(Reading& reading, std::string_view key) { reading.fail_key(quote(key) + " is given twice"); }

void fail_missing(Reading& reading, std::span<const FieldSpec> fields, std::uint64_t missing) {
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if ((missing >> i & 1) == 0) continue;
    const bool format = fields[i].type == FieldType::format;
    const std::string wanted =
        format ? quote(fields[i].fallback) + " is wanted" : std::string(fields[i].wanted);
    reading.fail_member(fields[i].name, wanted.empty() ? "missing" : "missing; " + wanted);
  }
}

namespace {

// Whether one more entry is allowed. Reports the first entry beyond the limit only.
bool has_room(Reading& reading, std::size_t size, std::uint64_t limit, std::string_view limit_name) {
  if (size < limit) return true;
  if (size == limit) {
    reading.fail("more than " + std::to_string(limit) + " entries (limit " + std::string(limit_name) + ')',
                 Status::limit);
  }
  return false;
}

}  // namespace

ValueSink* NameListSink::start(InternTable& table, std::vector<NameId>& out) {
  table_ = &table;
  out_ = &out;
  out_->clear();
  return this;
}

void NameListSink::scalar(const Scalar& value) {
  if (value.is_null()) return reading_.fail_type("a name", value);
  if (!has_room(reading_, out_->size(), limits_.max_list, "max_list")) return;
  NameId name = kNoName;
  reading_.read_name(value, *table_, name);
  out_->push_back(name);
}

ValueSink* TextListSink::start(std::vector<std::string>& out) {
  out_ = &out;
  out_->clear();
  return this;
}

void TextListSink::scalar(const Scalar& value) {
  if (value.is_null()) return reading_.fail_type("a text", value);
  if (!has_room(reading_, out_->size(), limits_.max_list, "max_list")) return;
  reading_.read_text(value, out_->emplace_back());
}

ValueSink* PairsSink::start(Pairs& out) {
  out_ = &out;
  out_->clear();
  return this;
}

bool PairsSink::key(std::string_view key) {
  std::string fault = name_fault(key);
  if (!fault.empty()) {
    reading_.fail_key(std::move(fault));
    return false;
  }
  if (!has_room(reading_, out_->size(), limits_.max_labels, "max_labels")) return false;
  const auto same = [&](const auto& pair) { return pair.first == key; };
  if (std::any_of(out_->begin(), out_->end(), same)) {
    fail_twice(reading_, key);
    return false;
  }
  key_ = key;
  return true;
}

void PairsSink::scalar(const Scalar& value) {
  if (value.kind != Scalar::Kind::text) return reading_.fail_type("a text", value);
  if (value.text.size() > kMaxNameBytes || value.text.find('\0') != std::string_view::npos) {
    return reading_.fail("a text of at most " + std::to_string(kMaxNameBytes) + " bytes is wanted");
  }
  out_->emplace_back(key_, value.text);
}

void PairsSink::end() { std::sort(out_->begin(), out_->end()); }

ValueSink* ResourceSink::start(ShapeId& out) {
  out_ = &out;
  entries_.clear();
  return this;
}

// Finds or adds the resource of a key. Reports why if it cannot.
bool ResourceSink::look_up(std::string_view key) {
  Model& model = edit_.model();
  std::string fault = name_fault(key);
  if (!fault.empty()) {
    reading_.fail_key(std::move(fault));
    return false;
  }
  resource_ = edit_.resource(model.names.intern(key));
  if (resource_ != ResourceId::kNoValue) return true;
  reading_.fail(quote(key) + " is one resource too many; at most " +
                    std::to_string(edit_.limits().max_resources) + " names are allowed (limit max_resources)",
                Status::limit);
  return false;
}

bool ResourceSink::key(std::string_view key) {
  const std::size_t position = entries_.size();
  if (position < last_keys_.size() && last_keys_[position].first == key) {
    resource_ = last_keys_[position].second;
  } else {
    if (!look_up(key)) return false;
    if (position >= last_keys_.size()) last_keys_.resize(position + 1);
    last_keys_[position] = {std::string(key), resource_};
  }
  const auto same = [&](const ResourceAmount& entry) { return entry.resource == resource_; };
  if (std::any_of(entries_.begin(), entries_.end(), same)) {
    fail_twice(reading_, key);
    return false;
  }
  return true;
}

void ResourceSink::scalar(const Scalar& value) {
  if (value.is_null()) return reading_.fail_type("an amount", value);
  ResourceAmount entry;
  entry.resource = resource_;
  reading_.read_amount(value, entry.amount);
  entries_.push_back(entry);
}

void ResourceSink::end() {
  if (!keep_zeros_) std::erase_if(entries_, [](const ResourceAmount& entry) { return entry.amount == 0; });
  std::sort(entries_.begin(), entries_.end(),
            [](const ResourceAmount& a, const ResourceAmount& b) { return a.resource < b.resource; });
  *out_ = edit_.model().shapes.intern({static_cast<const char*>(static_cast<const void*>(entries_.data())),
                                       entries_.size() * sizeof(ResourceAmount)});
}

ValueSink* DeviceListSink::start(DeviceMask& out, std::uint32_t bound) {
  out_ = &out;
  bound_ = bound;
  *out_ = 0;
  return this;
}

void DeviceListSink::scalar(const Scalar& value) {
  if (value.is_null()) return reading_.fail_type("a device index", value);
  if (bound_ == 0) return reading_.fail("there are no devices");
  std::int64_t device = -1;
  reading_.read_integer(value, 0, bound_ - 1, device);
  if (device < 0) return;
  const DeviceMask bit = DeviceMask{1} << device;
  if ((*out_ & bit) != 0) return reading_.fail("device " + std::to_string(device) + " is listed twice");
  *out_ |= bit;
}

}  // namespace cede
