// SPDX-License-Identifier: MIT
#include "engine/name_book.h"

#include "base/text.h"

namespace cede {

std::uint32_t NameBook::add(std::string_view text) {
  const InternTable::Id number = texts_.intern(text);
  if (texts_.owners(number) == 0) texts_.retain(number);
  return number;
}

std::uint32_t NameBook::find(std::string_view text) const {
  if (text.empty() || text.size() > kMaxNameBytes) return 0;
  const InternTable::Id known = texts_.find(text);
  return known == InternTable::kNotFound ? 0 : known;
}

std::string_view NameBook::text(std::uint32_t number) const {
  return number < texts_.id_bound() ? texts_.view(number) : std::string_view{};
}

bool NameBook::forget(std::uint32_t number) {
  if (text(number).empty()) return false;
  texts_.release(number);
  return true;
}

}  // namespace cede
