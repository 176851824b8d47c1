// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace cede {

// Damages a text of XML in ways that leave most of it whole: bits and characters, digits, lines and whole
// objects lost, doubled or exchanged, attributes lost or given the value of another or one at the edge of
// what a number can be. The same seed does the same damage.
class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : random_(seed) {}

  std::uint64_t below(std::uint64_t bound) { return random_() % bound; }

  std::string flip_bit(std::string text) {
    text[below(text.size())] ^= static_cast<char>(1u << below(8));
    return text;
  }

  std::string mutate(std::string text) {
    for (std::uint64_t left = 1 + below(4); left > 0 && !text.empty(); --left) {
      switch (below(9)) {
        case 0: text = flip_bit(std::move(text)); break;
        case 1: text[below(text.size())] = static_cast<char>(' ' + below(95)); break;
        case 2: change_digit(text); break;
        case 3: move_line(text, true, false); break;
        case 4: move_line(text, false, true); break;
        case 5: move_line(text, true, true); break;
        case 6: lose_attribute(text); break;
        case 7: change_value(text); break;
        default: lose_object(text); break;
      }
    }
    return text;
  }

 private:
  struct Value {
    std::size_t begin = 0;
    std::size_t size = 0;
  };

  void change_digit(std::string& text) {
    for (int i = 0; i < 200; ++i) {
      char& c = text[below(text.size())];
      if (c < '0' || c > '9') continue;
      c = "0123456789abcdef"[below(16)];
      return;
    }
  }

  // The line around a random place.
  Value line(const std::string& text) {
    const std::size_t at = below(text.size());
    const std::size_t before = text.rfind('\n', at > 0 ? at - 1 : 0);
    const std::size_t begin = before == std::string::npos ? 0 : before + 1;
    return {begin, std::min(text.find('\n', begin), text.size() - 1) + 1 - begin};
  }

  void move_line(std::string& text, bool lose, bool put) {
    const Value from = line(text);
    const std::string moved = text.substr(from.begin, from.size);
    if (lose) text.erase(from.begin, from.size);
    if (put && !text.empty()) text.insert(line(text).begin, moved);
  }

  bool find_value(const std::string& text, Value& out) {
    const std::size_t found = text.find("=\"", below(text.size()));
    if (found == std::string::npos) return false;
    const std::size_t end = text.find('"', found + 2);
    if (end == std::string::npos) return false;
    out = {found + 2, end - found - 2};
    return true;
  }

  void lose_attribute(std::string& text) {
    Value value;
    if (!find_value(text, value)) return;
    const std::size_t begin = text.rfind(' ', value.begin);
    if (begin != std::string::npos) text.erase(begin, value.begin + value.size + 1 - begin);
  }

  void change_value(std::string& text) {
    static constexpr std::array<std::string_view, 14> kEdges{"",
                                                             "0",
                                                             "1",
                                                             "2",
                                                             "3",
                                                             "-1",
                                                             "0x0",
                                                             "0xffffffff",
                                                             "0xf...f",
                                                             "4294967295",
                                                             "2147483648",
                                                             "18446744073709551615",
                                                             "99999999999999999999",
                                                             "0x00000001,,,0x1"};
    Value from, to;
    if (!find_value(text, from) || !find_value(text, to)) return;
    const std::string value =
        below(2) == 0 ? text.substr(from.begin, from.size) : std::string(kEdges[below(kEdges.size())]);
    text.replace(to.begin, to.size, value);
  }

  void lose_object(std::string& text) {
    const std::size_t begin = text.find("<object", below(text.size()));
    if (begin == std::string::npos) return;
    std::size_t at = begin;
    for (int depth = 0; at < text.size();) {
      const std::size_t end = text.find('>', at);
      if (end == std::string::npos) return;
      const std::string_view tag = std::string_view(text).substr(at, end - at);
      if (tag.starts_with("<object") && !tag.ends_with('/')) ++depth;
      if (tag.starts_with("</object")) --depth;
      at = text.find('<', end);
      if (depth == 0 || at == std::string::npos) {
        text.erase(begin, end + 1 - begin);
        return;
      }
    }
  }

  std::mt19937_64 random_;
};

}  // namespace cede
