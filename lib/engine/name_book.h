// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

#include "base/intern_table.h"

namespace cede {

// The names a caller of the typed door holds as numbers. Apart from the model's tables: those forget a name
// with its last owner, while a caller's number stays until the caller gives it back. Copied in constant time.
class NameBook {
 public:
  // The number of a name, from 1. The text is a name (name_fault() finds nothing wrong).
  std::uint32_t add(std::string_view text);
  // 0 where nobody asked for it.
  std::uint32_t find(std::string_view text) const;
  bool empty() const { return texts_.live() == 0; }

  // Empty where the number is nobody's. A NUL follows; valid until the next add() or forget().
  std::string_view text(std::uint32_t number) const;
  bool forget(std::uint32_t number);

 private:
  InternTable texts_{InternTable::End::nul};
};

}  // namespace cede
