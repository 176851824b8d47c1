// SPDX-License-Identifier: MIT
#include "engine/name_book.h"

#include "base/text.h"

namespace cede {

void NameBook::hold(InternTable& names, std::uint32_t number) {
  if (held_.size() <= number) held_.grow_to(number + 1);
  std::uint8_t& held = held_.edit(number);
  if (held != 0) return;
  names.retain(number);
  held = 1;
  ++count_;
}

std::uint32_t NameBook::add(InternTable& names, std::string_view text) {
  const InternTable::Id number = names.intern(text);
  if (!holds(number)) hold(names, number);
  return number;
}

void NameBook::add_all(InternTable& names, std::span<const std::string_view> texts, std::uint32_t* numbers) {
  names.intern_all(texts, [&](std::size_t i, InternTable::Id number) {
    hold(names, number);
    numbers[i] = number;
  });
}

std::uint32_t NameBook::find(const InternTable& names, std::string_view text) const {
  if (text.empty() || text.size() > kMaxNameBytes) return 0;
  const InternTable::Id known = names.find(text);
  return known != InternTable::kNotFound && holds(known) ? known : 0;
}

std::uint32_t NameBook::put_elsewhere(const InternTable& names, std::uint32_t number, InternTable& other) {
  if (elsewhere_.size() <= number) elsewhere_.grow_to(number + 1);
  std::uint32_t& name = elsewhere_.edit(number);
  const InternTable::Id found = other.intern(names.view(number));
  other.retain(found);
  return name = found;
}

bool NameBook::forget(InternTable& names, InternTable& other, std::uint32_t number) {
  if (!holds(number)) return false;
  held_.edit(number) = 0;
  --count_;
  names.release(number);
  if (const std::uint32_t name = elsewhere(number); name != 0) {
    elsewhere_.edit(number) = 0;
    other.release(name);
  }
  return true;
}

}  // namespace cede
