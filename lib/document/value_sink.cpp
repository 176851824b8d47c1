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

void fail_unknown(Reading& reading, std::string_view key, std::span<const std::string_view> known) {
  reading.fail_key("unknown field " + quote(key) + did_you_mean(key, known));
}

void fail_twice(Reading& reading, std::string_view key) { reading.fail_key(quote(key) + " is given twice"); }

}  // namespace cede
