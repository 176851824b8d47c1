// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/text.h"

namespace cede {

// Writes and reads what SavedBytes in both directions share: little-endian integers, texts and lists with
// their length. One list of fields per struct (saved_fields.h) serves both, so that they cannot disagree.
class SavedWriter {
 public:
  static constexpr bool kReads = false;

  // Whether fields that came with this version are there.
  static constexpr bool has(std::uint32_t) { return true; }

  template <class Number>
  void number(const Number& value) {
    auto bits = static_cast<std::make_unsigned_t<Number>>(value);
    for (std::size_t i = 0; i < sizeof(Number); ++i) {
      bytes_ += static_cast<char>(bits & 0xFFU);
      bits = static_cast<std::make_unsigned_t<Number>>(bits >> (sizeof(Number) > 1 ? 8U : 0U));
    }
  }
  void flag(const bool& value) { number(static_cast<std::uint8_t>(value ? 1 : 0)); }
  void text(const std::string& value) {
    number(static_cast<std::uint32_t>(value.size()));
    bytes_ += value;
  }
  template <class Enum>
  void word(const Enum& value, std::size_t, std::string_view) {
    number(static_cast<std::uint8_t>(value));
  }
  template <class Item, class Fields>
  void list(const std::vector<Item>& items, Fields fields) {
    number(static_cast<std::uint32_t>(items.size()));
    for (const Item& item : items) fields(item);
  }

  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// Never reads beyond its bytes and never allocates more than they could fill. After the first fault
// everything reads as zero; fault() says what it was.
class SavedReader {
 public:
  static constexpr bool kReads = true;

  explicit SavedReader(std::string_view bytes, std::uint32_t version = 0)
      : bytes_(bytes), version_(version) {}

  bool has(std::uint32_t version) const { return version_ >= version; }

  template <class Number>
  void number(Number& value) {
    std::make_unsigned_t<Number> bits = 0;
    const std::string_view raw = take(sizeof(Number));
    for (std::size_t i = 0; i < raw.size(); ++i) {
      bits = static_cast<std::make_unsigned_t<Number>>(
          bits | static_cast<std::uint64_t>(static_cast<unsigned char>(raw[i])) << (8 * i));
    }
    value = static_cast<Number>(bits);
  }
  void flag(bool& value) {
    std::uint8_t bits = 0;
    number(bits);
    if (bits > 1) fail("a flag is " + std::to_string(bits));
    value = bits == 1;
  }
  // Every text of the library is UTF-8, and is handed out as such.
  void text(std::string& value) {
    value = std::string(take(length()));
    if (is_utf8(value)) return;
    value.clear();
    fail("a text is not UTF-8");
  }
  template <class Enum>
  void word(Enum& value, std::size_t known, std::string_view what) {
    std::uint8_t bits = 0;
    number(bits);
    if (bits >= known) fail(std::string(what) + ' ' + std::to_string(bits) + " is unknown");
    value = static_cast<Enum>(failed() ? 0 : bits);
  }
  template <class Item, class Fields>
  void list(std::vector<Item>& items, Fields fields) {
    const std::size_t count = length();  // an item has a byte at least
    items.clear();
    for (std::size_t i = 0; i < count && !failed(); ++i) {
      items.emplace_back();
      fields(items.back());
    }
  }

  void fail(std::string why) {
    if (fault_.empty()) fault_ = std::move(why);
    bytes_ = {};
  }
  bool failed() const { return !fault_.empty(); }
  const std::string& fault() const { return fault_; }
  bool at_end() const { return bytes_.empty(); }

 private:
  std::string_view take(std::size_t count) {
    if (count > bytes_.size()) {
      fail("a field goes beyond the end");
      return {};
    }
    const std::string_view taken = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return taken;
  }
  std::size_t length() {
    std::uint32_t count = 0;
    number(count);
    if (count <= bytes_.size()) return count;
    fail("a list goes beyond the end");
    return 0;
  }

  std::string_view bytes_;
  std::uint32_t version_;
  std::string fault_;
};

}  // namespace cede
