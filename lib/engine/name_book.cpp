// SPDX-License-Identifier: MIT
#include "engine/name_book.h"

#include "base/text.h"

namespace cede {

std::uint32_t NameBook::add(InternTable& names, std::string_view text) {
  const InternTable::Id number = names.intern(text);
  if (holds(number)) return number;
  if (held_.size() <= number) held_.grow_to(number + 1);
  std::uint8_t& held = held_.edit(number);
  names.retain(number);
  held = 1;
  ++count_;
  return number;
}

std::uint32_t NameBook::find(const InternTable& names, std::string_view text) const {
  if (text.empty() || text.size() > kMaxNameBytes) return 0;
  const InternTable::Id known = names.find(text);
  return known != InternTable::kNotFound && holds(known) ? known : 0;
}

bool NameBook::forget(InternTable& names, std::uint32_t number) {
  if (!holds(number)) return false;
  held_.edit(number) = 0;
  --count_;
  names.release(number);
  return true;
}

}  // namespace cede
