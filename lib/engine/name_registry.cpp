// SPDX-License-Identifier: MIT
#include "engine/name_registry.h"

#include <vector>

#include "base/text.h"

namespace cede {

void NameRegistry::hold(InternTable& names, std::uint32_t number) {
  if (held_.size() <= number) held_.grow_to(number + 1);
  std::uint8_t& held = held_.edit(number);
  if (held != 0) return;
  names.retain(number);
  held = 1;
  ++count_;
}

std::uint32_t NameRegistry::add(InternTable& names, std::string_view text) {
  const InternTable::Id number = names.intern(text);
  if (!holds(number)) hold(names, number);
  return number;
}

namespace {

// Each, or an empty one where it is no name: they are looked at once, when they are hashed.
struct Names {
  const TextList& texts;
  std::string_view operator[](std::size_t i) const {
    const std::string_view text = texts[i];
    return is_name(text) ? text : std::string_view{};
  }
};

}  // namespace

std::size_t NameRegistry::add_all(InternTable& names, const TextList& texts, std::uint32_t* numbers) {
  return names.intern_all(Names{texts}, texts.size(), [&](std::size_t i, InternTable::Id number) {
    hold(names, number);
    numbers[i] = number;
  });
}

std::uint32_t NameRegistry::find(const InternTable& names, std::string_view text) const {
  if (text.empty() || text.size() > kMaxNameBytes) return 0;
  const InternTable::Id known = names.find(text);
  return known != InternTable::kNotFound && holds(known) ? known : 0;
}

void NameRegistry::note_elsewhere(std::uint32_t number, InternTable& other, std::uint32_t name) {
  if (elsewhere_.size() <= number) elsewhere_.grow_to(number + 1);
  std::uint32_t& place = elsewhere_.edit(number);
  other.retain(name);
  place = name;
}

std::uint32_t NameRegistry::put_elsewhere(const InternTable& names, std::uint32_t number,
                                          InternTable& other) {
  const InternTable::Id found = other.intern(names.view(number));
  note_elsewhere(number, other, found);
  return found;
}

void NameRegistry::find_elsewhere(const InternTable& names, std::span<const std::uint32_t> numbers,
                                  InternTable& other) {
  std::vector<std::uint32_t> asked;
  std::vector<std::string_view> texts;
  for (const std::uint32_t number : numbers) {
    if (!holds(number) || elsewhere(number) != 0) continue;
    asked.push_back(number);
    texts.push_back(names.view(number));
  }
  if (asked.empty()) return;
  std::vector<InternTable::Id> found(asked.size());
  other.find_all(texts, found.data());
  for (std::size_t i = 0; i < asked.size(); ++i) {
    // Twice in the list is once.
    if (found[i] != InternTable::kNotFound && elsewhere(asked[i]) == 0)
      note_elsewhere(asked[i], other, found[i]);
  }
}

bool NameRegistry::forget(InternTable& names, InternTable& other, std::uint32_t number) {
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
