// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cede {

inline constexpr std::size_t kMaxNameBytes = 1024;

// The text with invisible characters, and those that change how the text around them looks, written as
// escapes: control characters, line and paragraph separators and the controls of bidirectional text as
// `\u202e`, bytes that are not UTF-8 as `\xff`. For people only; documents hold the text unchanged.
std::string visible(std::string_view text);

// At most about 60 bytes of the text, cut at a character, with `…` for what is left out, made visible.
// Messages are built from hostile input and must stay one readable line.
std::string shorten(std::string_view text);

// The shortened text in single quotes, as messages show offending values.
std::string quote(std::string_view text);

// The candidate nearest to the text by edit distance; empty if none is near enough.
std::string_view nearest(std::string_view text, std::span<const std::string_view> candidates);

// `; did you mean 'x'?`, or nothing.
std::string did_you_mean(std::string_view text, std::span<const std::string_view> candidates);

// `a, b or c`
std::string one_of(std::span<const std::string_view> words);

// Why the text is not a name; empty if it is one. A name is 1..1,024 bytes of UTF-8 without control
// characters. The text must be valid UTF-8.
std::string name_fault(std::string_view text);

// Whether the text is a name of printable ASCII only, as most are: a quick test before name_fault().
bool is_plain_name(std::string_view text);
// Whether arbitrary bytes are a name, and why they are not.
bool is_name(std::string_view bytes);
std::string text_fault(std::string_view bytes);

bool is_utf8(std::string_view text);

// ASCII only, in every locale.
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Sorts by merging if the items come in few sorted runs. Numbered names do if their numbers have no leading
// zeros.
template <class Item, class Before>
void sort_runs(std::vector<Item>& items, Before before) {
  std::vector<std::size_t> ends;
  for (std::size_t i = 1; i <= items.size(); ++i) {
    if (i == items.size() || before(items[i], items[i - 1])) ends.push_back(i);
  }
  if (ends.size() > 1 + items.size() / 64) return std::sort(items.begin(), items.end(), before);
  std::vector<Item> merged(ends.size() > 1 ? items.size() : 0);
  while (ends.size() > 1) {
    std::vector<std::size_t> next;
    for (std::size_t k = 0, from = 0; k < ends.size(); k += 2) {
      const std::size_t middle = ends[k];
      const std::size_t end = k + 1 < ends.size() ? ends[k + 1] : middle;
      const auto at = [&](std::size_t i) { return items.begin() + static_cast<std::ptrdiff_t>(i); };
      std::merge(at(from), at(middle), at(middle), at(end),
                 merged.begin() + static_cast<std::ptrdiff_t>(from), before);
      next.push_back(from = end);
    }
    items.swap(merged);
    ends.swap(next);
  }
}

// Sorts ids into the byte order of their names. Most names of one kind have a common prefix and differ in the
// next few bytes, so these are compared as one number. Most lists are sorted already.
template <class IdType, class NameOf>
void sort_by_name(std::vector<IdType>& ids, NameOf name_of) {
  struct Named {
    std::uint64_t key = 0;
    std::string_view name;
    IdType id;
  };
  std::vector<Named> named;
  named.reserve(ids.size());
  std::size_t alike = static_cast<std::size_t>(-1);
  for (const IdType id : ids) {
    const std::string_view name = name_of(id);
    alike = std::min(alike, name.size());
    const std::string_view first = named.empty() ? name : named.front().name;
    if (std::memcmp(name.data(), first.data(), alike) != 0)
      alike = static_cast<std::size_t>(
          std::mismatch(name.begin(), name.begin() + static_cast<std::ptrdiff_t>(alike), first.begin())
              .first -
          name.begin());
    named.push_back({0, name, id});
  }
  for (Named& each : named) {
    const std::size_t bytes = std::min<std::size_t>(sizeof each.key, each.name.size() - alike);
    std::memcpy(&each.key, each.name.data() + alike, bytes);
    if constexpr (std::endian::native == std::endian::little) each.key = __builtin_bswap64(each.key);
  }
  const auto before = [](const Named& a, const Named& b) {
    return a.key != b.key ? a.key < b.key : a.name < b.name;
  };
  sort_runs(named, before);
  std::transform(named.begin(), named.end(), ids.begin(), [](const Named& each) { return each.id; });
}

// CRC-64/XZ: detects every damage within 64 consecutive bits, and any other damage except for one case in
// 2^64.
std::uint64_t crc64(std::string_view bytes);

// 32 hexadecimal digits that identify a text: equal for equal bytes, on every machine and in every version
// (128-bit FNV-1a). Does not authenticate.
std::string signature_of(std::string_view bytes);

}  // namespace cede
