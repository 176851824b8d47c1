// SPDX-License-Identifier: MIT
#include "document/reading.h"

#include <algorithm>
#include <array>
#include <boost/json/basic_parser_impl.hpp>
#include <cmath>
#include <deque>
#include <functional>
#include <set>
#include <utility>

#include "base/text.h"
#include "document/document.h"
#include "document/json_writer.h"

namespace cede {

namespace {

namespace json = boost::json;

// The handler of Boost.JSON's event parser. It passes each event to the sink of the enclosing container,
// skips unwanted values, and captures the text of `x-` fields.
class Driver {
 public:
  static constexpr std::size_t max_object_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_array_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_key_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_string_size = static_cast<std::size_t>(-1);

  Driver(Reading& reading, ValueSink& root, const Limits& limits)
      : reading_(reading), root_(root), limits_(limits), capture_(captured_) {
    reading_.steps().clear();
    sinks_.reserve(limits.max_nesting + 1);
    reading_.steps().reserve(limits.max_nesting + 1);
  }

  bool done() const { return done_; }
  void stop_when(const bool& flag) { stop_ = &flag; }

  bool on_document_begin(json::error_code&) { return true; }
  bool on_document_end(json::error_code&) {
    done_ = true;
    return true;
  }

  bool on_object_begin(json::error_code& ec) { return open(false, ec); }
  bool on_array_begin(json::error_code& ec) { return open(true, ec); }
  bool on_object_end(std::size_t, json::error_code& ec) { return close(false, ec); }
  bool on_array_end(std::size_t, json::error_code& ec) { return close(true, ec); }

  bool on_key_part(json::string_view part, std::size_t, json::error_code&) {
    scratch_.append(part.data(), part.size());
    return true;
  }
  bool on_key(json::string_view part, std::size_t, json::error_code& ec) {
    if (skipping_ > 0) return drop_scratch();
    const std::string_view key = whole(part);
    if (capturing_) {
      if (!capture_keys_.back().emplace(key).second) fail_twice(reading_, key);
      capture_.key(key);
      return drop_scratch();
    }
    Reading::Step& step = reading_.steps().back();
    // An escaped key is in the scratch buffer only until the next event; keep it for messages.
    step.key = scratch_.empty() ? key : std::string_view(kept_keys_.emplace_back(key));
    step.inside = true;
    ValueSink* sink = sinks_.back();
    if (key.starts_with("x-")) {
      if (SiteFields* site = sink->site()) {
        start_capture(*site, sink->site_prefix() + std::string(key));
        return drop_scratch();
      }
    }
    drop_next_ = !sink->key(key);
    scratch_.clear();
    return go_on(ec);
  }

  bool on_string_part(json::string_view part, std::size_t, json::error_code&) {
    scratch_.append(part.data(), part.size());
    return true;
  }
  bool on_string(json::string_view part, std::size_t, json::error_code& ec) {
    Scalar value;
    value.kind = Scalar::Kind::text;
    value.text = whole(part);
    return scalar(value, ec);
  }

  bool on_number_part(json::string_view part, json::error_code&) {
    scratch_.append(part.data(), part.size());
    return true;
  }
  bool on_int64(std::int64_t number, json::string_view part, json::error_code& ec) {
    Scalar value;
    value.kind = Scalar::Kind::number;
    value.is_integer = true;
    value.integer = number;
    value.text = whole(part);
    return scalar(value, ec);
  }
  bool on_uint64(std::uint64_t, json::string_view part, json::error_code& ec) { return digits(part, ec); }
  bool on_double(double number, json::string_view part, json::error_code& ec) {
    if (!std::isfinite(number)) return refuse_infinite(part, ec);
    return digits(part, ec);
  }
  bool on_bool(bool flag, json::error_code& ec) {
    Scalar value;
    value.kind = Scalar::Kind::boolean;
    value.flag = flag;
    return scalar(value, ec);
  }
  bool on_null(json::error_code& ec) { return scalar(Scalar{}, ec); }

  bool on_comment_part(json::string_view, json::error_code&) { return true; }
  bool on_comment(json::string_view, json::error_code&) { return true; }

 private:
  bool digits(json::string_view part, json::error_code& ec) {
    Scalar value;
    value.kind = Scalar::Kind::number;
    value.text = whole(part);
    return scalar(value, ec);
  }

  // Boost.JSON reads a number that is too large for a double as infinity, without an error. The sinks read
  // digits and would not notice, but a program that reads an exported `x-` field into a double would.
  bool refuse_infinite(json::string_view part, json::error_code& ec) {
    if (skipping_ > 0) return drop_scratch();
    if (!sinks_.empty() && !capturing_) next_element();
    reading_.fail(shorten(whole(part)) + " is larger than any number a document may hold");
    scratch_.clear();
    drop_next_ = false;
    if (capturing_) {
      capture_.raw("0");
      if (capture_depth_ == 0) finish_capture();
    }
    return go_on(ec);
  }

  // A text that arrived in parts is in the scratch buffer; a text that arrived whole is in the input.
  std::string_view whole(json::string_view part) {
    if (scratch_.empty()) return {part.data(), part.size()};
    scratch_.append(part.data(), part.size());
    return scratch_;
  }
  bool drop_scratch() {
    scratch_.clear();
    return true;
  }

  // The element number advances before the element is read, so that every message names the right one.
  void next_element() {
    if (sinks_.empty()) return;
    Reading::Step& step = reading_.steps().back();
    if (!step.is_array) return;
    if (step.inside) ++step.index;
    step.inside = true;
  }

  bool go_on(json::error_code& ec) {
    if (!stop_ || !*stop_) return true;
    ec = json::error::incomplete;  // any error stops the parser; the caller asked to stop
    return false;
  }

  bool scalar(const Scalar& value, json::error_code& ec) {
    if (skipping_ > 0) return drop_scratch();
    if (capturing_) {
      write_captured(value);
      scratch_.clear();
      if (capture_depth_ == 0) finish_capture();
      return go_on(ec);
    }
    if (sinks_.empty()) {
      reading_.fail_type("a document; an object is", value);
    } else {
      next_element();
      if (!drop_next_ && value.is_null()) sinks_.back()->null();
      if (!drop_next_ && !value.is_null()) sinks_.back()->scalar(value);
      drop_next_ = false;
    }
    scratch_.clear();
    return go_on(ec);
  }

  bool open(bool is_array, json::error_code& ec) {
    if (skipping_ > 0) {
      ++skipping_;
      return true;
    }
    if (capturing_) {
      is_array ? capture_.begin_array() : capture_.begin_object();
      capture_keys_.emplace_back();
      ++capture_depth_;
      return true;
    }
    ValueSink* inner = nullptr;
    if (sinks_.empty()) {
      if (is_array) {
        reading_.fail("a list is not a document; an object is");
      } else {
        inner = &root_;
      }
    } else {
      next_element();
      if (!drop_next_) inner = is_array ? sinks_.back()->array() : sinks_.back()->object();
      drop_next_ = false;
    }
    if (!inner) {
      skipping_ = 1;
      return go_on(ec);
    }
    sinks_.push_back(inner);
    reading_.steps().push_back({{}, 0, is_array, false});
    return true;
  }

  bool close(bool is_array, json::error_code& ec) {
    if (skipping_ > 0) {
      --skipping_;
      return true;
    }
    if (capturing_) {
      is_array ? capture_.end_array() : capture_.end_object();
      capture_keys_.pop_back();
      if (--capture_depth_ == 0) finish_capture();
      return go_on(ec);
    }
    reading_.steps().pop_back();
    ValueSink* sink = sinks_.back();
    sinks_.pop_back();
    sink->end();
    return go_on(ec);
  }

  void start_capture(SiteFields& into, std::string where) {
    capturing_ = &into;
    captured_.clear();
    capture_ = JsonWriter(captured_);
    capture_key_ = std::move(where);
  }
  void write_captured(const Scalar& value) {
    switch (value.kind) {
      case Scalar::Kind::null: capture_.raw("null"); break;
      case Scalar::Kind::boolean: capture_.flag(value.flag); break;
      case Scalar::Kind::number: capture_.raw(value.text); break;
      case Scalar::Kind::text: capture_.text(value.text); break;
    }
  }
  void finish_capture() {
    SiteFields& fields = *std::exchange(capturing_, nullptr);
    capture_keys_.clear();
    // Beyond the limit nothing is kept and nothing more is reported.
    if (fields.size() > limits_.max_site_bytes) return;
    const std::string key = capture_key_ + '\0';
    if (fields.starts_with(key) || fields.find('\0' + key) != std::string::npos) {
      fail_twice(reading_, capture_key_);
    }
    if (std::string fault = name_fault(reading_.steps().back().key); !fault.empty()) {
      return reading_.fail_key(std::move(fault));
    }
    fields.append(key).append(captured_).push_back('\0');
    if (fields.size() > limits_.max_site_bytes) {
      reading_.fail("the site's own fields of one object take more than " +
                        std::to_string(limits_.max_site_bytes) + " bytes (limit max_site_bytes)",
                    Status::limit);
    }
  }

  Reading& reading_;
  ValueSink& root_;
  const Limits& limits_;
  std::vector<ValueSink*> sinks_;
  std::size_t skipping_ = 0;  // depth inside an unwanted value
  bool drop_next_ = false;    // skip the value of a refused key
  std::string scratch_;
  std::deque<std::string> kept_keys_;
  SiteFields* capturing_ = nullptr;
  std::size_t capture_depth_ = 0;
  std::string captured_;
  std::string capture_key_;
  JsonWriter capture_;
  std::vector<std::set<std::string, std::less<>>> capture_keys_;  // for each open container inside the field
  const bool* stop_ = nullptr;
  bool done_ = false;
};

std::string syntax_message(const json::error_code& ec, const Limits& limits) {
  if (ec == json::error::incomplete) return "the text ends in the middle of the document";
  if (ec == json::error::too_deep) {
    return "nested deeper than " + std::to_string(limits.max_nesting) + " levels (limit max_nesting)";
  }
  if (ec == json::error::extra_data) return "more text after the end of the document";
  return "not JSON: " + ec.message();
}

bool run(std::string_view text, const Limits& limits, Reading& reading, ValueSink& root, const bool* stop) {
  if (text.size() > limits.max_document_bytes) {
    reading.fail("the document is " + std::to_string(text.size()) + " bytes long; at most " +
                     std::to_string(limits.max_document_bytes) + " are allowed (limit max_document_bytes)",
                 Status::limit);
    return false;
  }
  if (text.starts_with("\xEF\xBB\xBF")) {
    reading.fail("starts with a byte order mark; save the text as UTF-8 without one");
    return false;
  }
  json::parse_options options;
  options.max_depth = static_cast<std::size_t>(limits.max_nesting);
  json::basic_parser<Driver> parser(options, reading, root, limits);
  if (stop) parser.handler().stop_when(*stop);
  json::error_code ec;
  std::size_t used = parser.write_some(false, text.data(), text.size(), ec);
  const bool stopped = stop && *stop;
  if (!ec && used < text.size()) {
    used += text.substr(used).find_first_not_of(" \t\r\n") == std::string_view::npos ? text.size() - used : 0;
    if (used < text.size()) ec = json::error::extra_data;
  }
  if (ec && !stopped) {
    Problem problem;
    problem.status = ec == json::error::too_deep ? Status::limit : Status::document;
    problem.text = syntax_message(ec, limits);
    const Position at = position_of(text, std::min(used, text.size()));
    problem.line = at.line;
    problem.column = at.column;
    reading.problems().add(std::move(problem));
  }
  return !reading.problems().failed();
}

class FormatSink final : public ValueSink {
 public:
  using ValueSink::ValueSink;
  bool key(std::string_view key) override {
    at_format_ = key == "format";
    return true;
  }
  void scalar(const Scalar& value) override {
    if (!at_format_) return;
    static constexpr std::array<std::string_view, 3> kKnown{kClusterFormat, kChangesFormat, kPolicyFormat};
    found_ = true;
    if (value.kind == Scalar::Kind::text &&
        std::find(kKnown.begin(), kKnown.end(), value.text) != kKnown.end()) {
      format_ = value.text;
    } else {
      fail_format(reading_, value, kKnown);
    }
  }
  ValueSink* object() override { return nullptr; }
  ValueSink* array() override { return nullptr; }
  const bool& found() const { return found_; }
  const std::string& format() const { return format_; }

 private:
  bool at_format_ = false;
  bool found_ = false;
  std::string format_;
};

}  // namespace

bool parse_document(std::string_view text, const Limits& limits, Reading& reading, ValueSink& root) {
  const bool good = run(text, limits, reading, root, nullptr);
  place_problems(text, reading.problems());
  return good;
}

void fail_format(Reading& reading, const Scalar& value, std::span<const std::string_view> expected) {
  if (value.kind != Scalar::Kind::text) return reading.fail_type(one_of(expected), value);
  static constexpr std::array<std::string_view, 3> kKnown{kClusterFormat, kChangesFormat, kPolicyFormat};
  const auto family = [](std::string_view format) { return format.substr(0, format.find('/')); };
  const bool other_version = std::any_of(kKnown.begin(), kKnown.end(), [&](std::string_view known) {
    return value.text != known && value.text.find('/') != std::string_view::npos &&
           family(value.text) == family(known);
  });
  reading.fail(quote(value.text) + " is not " + one_of(expected),
               other_version ? Status::version : Status::document);
}

std::string document_format(std::string_view text, const Limits& limits, Reading& reading) {
  FormatSink sink(reading);
  run(text, limits, reading, sink, &sink.found());
  if (!reading.problems().failed() && !sink.found()) {
    reading.problems().error({PathStep::member("format")},
                             "missing; cede-cluster/1, cede-changes/1 or cede-policy/1 is wanted");
  }
  place_problems(text, reading.problems());
  return sink.format();
}

}  // namespace cede
