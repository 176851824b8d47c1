// SPDX-License-Identifier: MIT
#include "topology/import/xml_set.h"

#include <algorithm>
#include <bit>
#include <charconv>

namespace cede {
namespace {

bool parse_field(std::string_view field, std::uint32_t& out) {
  out = 0;
  if (field.empty()) return true;
  if (!field.starts_with("0x") || field.size() < 3 || field.size() > 10) return false;
  const char* const end = field.data() + field.size();
  const auto [at, error] = std::from_chars(field.data() + 2, end, out, 16);
  return error == std::errc{} && at == end;
}

}  // namespace

bool XmlSet::parse(std::string_view text) {
  words_.clear();
  if (!text.starts_with("0x")) return false;
  for (;;) {
    const std::size_t comma = text.rfind(',');
    const bool last = comma == std::string_view::npos;
    std::uint32_t word = 0;
    if (!parse_field(last ? text : text.substr(comma + 1), word)) return false;
    if (words_.size() == kMaxSetBits / 32) return false;
    words_.push_back(word);
    if (last) break;
    text = text.substr(0, comma);
  }
  while (!words_.empty() && words_.back() == 0) words_.pop_back();
  return true;
}

bool XmlSet::contains(const XmlSet& other) const {
  if (other.words_.size() > words_.size()) return false;
  return std::equal(other.words_.begin(), other.words_.end(), words_.begin(),
                    [](std::uint32_t theirs, std::uint32_t mine) { return (theirs & ~mine) == 0; });
}

bool XmlSet::intersects(const XmlSet& other) const {
  const std::size_t shared = std::min(words_.size(), other.words_.size());
  for (std::size_t i = 0; i < shared; ++i) {
    if ((words_[i] & other.words_[i]) != 0) return true;
  }
  return false;
}

bool XmlSet::is_only(std::uint32_t member) const {
  return words_.size() == member / 32 + 1 && words_.back() == std::uint32_t{1} << member % 32 &&
         first() == member;
}

std::uint32_t XmlSet::first() const {
  for (std::size_t i = 0; i < words_.size(); ++i) {
    if (words_[i] != 0)
      return static_cast<std::uint32_t>(i * 32) + static_cast<std::uint32_t>(std::countr_zero(words_[i]));
  }
  return kMaxSetBits;
}

void XmlSet::add(const XmlSet& other) {
  if (other.words_.size() > words_.size()) words_.resize(other.words_.size());
  std::transform(other.words_.begin(), other.words_.end(), words_.begin(), words_.begin(), std::bit_or<>{});
}

}  // namespace cede
