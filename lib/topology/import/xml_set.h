// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace cede {

// More CPUs than any machine has; a wider set would only cost memory.
inline constexpr std::uint32_t kMaxSetBits = 65536;

// A set of CPUs or memory nodes as hwloc writes it: fields of 32 bits, the highest first, empty for zero, as
// in `0x000000ff,,0x1`.
class XmlSet {
 public:
  // False when the text is malformed, the set infinite (`0xf...f`) or wider than kMaxSetBits.
  bool parse(std::string_view text);

  bool empty() const { return words_.empty(); }
  bool contains(const XmlSet& other) const;
  bool intersects(const XmlSet& other) const;
  bool is_only(std::uint32_t member) const;
  // The lowest member; kMaxSetBits when there is none, as hwloc sorts empty sets last.
  std::uint32_t first() const;
  void add(const XmlSet& other);

 private:
  std::vector<std::uint32_t> words_;  // lowest first; the last one is not zero
};

}  // namespace cede
