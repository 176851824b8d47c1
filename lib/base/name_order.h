// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace cede {

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

}  // namespace cede
