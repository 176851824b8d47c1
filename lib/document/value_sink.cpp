// SPDX-License-Identifier: MIT
#include "document/value_sink.h"

#include "base/text.h"

namespace cede {

void ValueSink::scalar(const Scalar& value) { reading_.fail_type("allowed here", value); }

ValueSink* ValueSink::object() {
  reading_.fail_container("allowed here", "an object");
  return nullptr;
}

ValueSink* ValueSink::array() {
  reading_.fail_container("allowed here", "a list");
  return nullptr;
}

void fail_unknown(Reading& reading, std::string_view key, std::span<const std::string_view> known) {
  reading.fail_key("unknown field " + quote(key) + did_you_mean(key, known));
}

void fail_twice(Reading& reading, std::string_view key) { reading.fail_key(quote(key) + " is given twice"); }

}  // namespace cede
