// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

#include "base/cow_vector.h"
#include "base/intern_table.h"

namespace cede {

// Which names a caller of the typed door holds as numbers. The names themselves are in the model's table of
// job names, for most of them are jobs': a job's number is the name its row has, and a name is kept once. The
// table forgets a name with its last owner, of whom the caller is one until it gives the number back.
// Copied in constant time.
class NameBook {
 public:
  // The number of a name, from 1. The text is a name (name_fault() finds nothing wrong). Where memory runs
  // out nobody has a number more; the table may know a name that has no owner.
  std::uint32_t add(InternTable& names, std::string_view text);
  // 0 where nobody asked for it.
  std::uint32_t find(const InternTable& names, std::string_view text) const;
  bool empty() const { return count_ == 0; }

  bool holds(std::uint32_t number) const { return number < held_.size() && held_[number] != 0; }
  // Empty where the number is nobody's. A NUL follows; valid until the next change of the table.
  std::string_view text(const InternTable& names, std::uint32_t number) const {
    return holds(number) ? names.view(number) : std::string_view{};
  }
  bool forget(InternTable& names, std::uint32_t number);

 private:
  CowVector<std::uint8_t> held_;  // by number: 1 where it was given out
  std::size_t count_ = 0;
};

}  // namespace cede
