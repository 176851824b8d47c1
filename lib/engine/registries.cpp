// SPDX-License-Identifier: MIT
#include "engine/registries.h"

#include <cstring>
#include <vector>

#include "base/text.h"
#include "document/policy_reader.h"
#include "model/model.h"

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

// Each text, or an empty one if it is not a name. This checks each text once, while it is hashed.
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

std::uint32_t number_of(const InternTable& names, std::string_view text) {
  if (text.empty() || text.size() > kMaxNameBytes) return 0;
  const InternTable::Id known = names.find(text);
  return known != InternTable::kNotFound && names.owners(known) > 0 ? known : 0;
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
    // The list may contain a number twice.
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

namespace {

constexpr std::uint32_t kIndexMask = (std::uint32_t{1} << 28) - 1;
constexpr char kEmptyPart = '\0';  // starts every key, so that an empty part has a key too

void append_name(std::string& key, std::string_view name) {
  static_assert(kMaxNameBytes <= 0xFFFF);
  const auto size = static_cast<std::uint16_t>(name.size());
  key.append(static_cast<const char*>(static_cast<const void*>(&size)), sizeof size);
  key.append(name);
}

std::string_view take_name(std::string_view& left) {
  std::uint16_t size = 0;
  std::memcpy(&size, left.data(), sizeof size);
  const std::string_view name = left.substr(sizeof size, size);
  left.remove_prefix(sizeof size + size);
  return name;
}

}  // namespace

std::uint32_t PartRegistry::add(PartKind kind, std::string_view key) {
  InternTable& table = keys_[static_cast<std::size_t>(kind)];
  const InternTable::Id id = table.intern(key);
  if (table.owners(id) == 0) table.retain(id);
  return numbered(kind, id);
}

std::uint32_t PartRegistry::add_resources(const Amounts& amounts) {
  std::string key(1, kEmptyPart);
  for (const auto& [name, amount] : amounts) {
    append_name(key, name);
    key.append(static_cast<const char*>(static_cast<const void*>(&amount)), sizeof amount);
  }
  return add(PartKind::resources, key);
}

PartRegistry::Amounts PartRegistry::resources(std::uint32_t number) const {
  Amounts out;
  for (std::string_view left = bytes(number); !left.empty();) {
    const std::string_view name = take_name(left);
    Amount amount = 0;
    std::memcpy(&amount, left.data(), sizeof amount);
    left.remove_prefix(sizeof amount);
    out.emplace_back(name, amount);
  }
  return out;
}

std::uint32_t PartRegistry::add_list(const std::vector<std::string_view>& names) {
  std::string key(1, kEmptyPart);
  for (const std::string_view name : names) append_name(key, name);
  return add(PartKind::list, key);
}

std::vector<std::string_view> PartRegistry::list(std::uint32_t number) const {
  std::vector<std::string_view> out;
  for (std::string_view left = bytes(number); !left.empty();) out.push_back(take_name(left));
  return out;
}

std::uint32_t PartRegistry::add_text(PartKind kind, std::string_view text, const Limits& limits,
                                     Problems& problems) {
  if (kind == PartKind::requirement) return add_requirement(text, limits, problems);
  std::string key(1, kEmptyPart);
  if (kind == PartKind::queue_settings) {
    key += read_settings_part(text, SettingHolder::queue, limits, problems);
  } else if (kind == PartKind::job_settings) {
    key += read_settings_part(text, SettingHolder::job, limits, problems);
  } else if (kind == PartKind::fingerprint && !text.starts_with('{')) {
    std::string fault = is_utf8(text) ? name_fault(text) : "it is not UTF-8";
    if (!fault.empty()) problems.error({}, std::move(fault));
    key += encode_pairs({{std::string_view{}, text}});
  } else {
    key += read_pairs_part(text, limits, problems);
  }
  return problems.failed() ? 0 : add(kind, key);
}

std::uint32_t PartRegistry::add_requirement(std::string_view text, const Limits& limits, Problems& problems) {
  std::shared_ptr<const Requirement> requirement = read_requirement_part(text, limits, problems);
  if (!requirement) return 0;
  const std::string key = kEmptyPart + encode_requirement(*requirement);
  const InternTable& table = keys_[static_cast<std::size_t>(PartKind::requirement)];
  // Grow first: every number in the table must have its requirement, even if memory runs out.
  if (requirements_.size() < table.id_bound() + 1) requirements_.grow_to(table.id_bound() + 1);
  const InternTable::Id known = table.find(key);
  if (known != InternTable::kNotFound) return numbered(PartKind::requirement, known);
  const std::uint32_t number = add(PartKind::requirement, key);
  requirements_.edit(number & kIndexMask).swap(requirement);
  return number;
}

bool PartRegistry::holds(PartKind kind, std::uint32_t number) const {
  if (number >> kKindShift != static_cast<std::uint32_t>(kind)) return false;
  const InternTable& table = keys_[static_cast<std::size_t>(kind)];
  return (number & kIndexMask) < table.id_bound() && !table.view(number & kIndexMask).empty();
}

bool PartRegistry::forget(std::uint32_t number) {
  const std::uint32_t kind = number >> kKindShift;
  if (kind == 0 || kind >= kPartKinds || !holds(static_cast<PartKind>(kind), number)) return false;
  const std::uint32_t index = number & kIndexMask;
  if (static_cast<PartKind>(kind) == PartKind::requirement) requirements_.edit(index).reset();
  keys_[kind].release(index);
  return true;
}

const Requirement& PartRegistry::requirement(std::uint32_t number) const {
  return *requirements_[number & kIndexMask];
}

std::string_view PartRegistry::bytes(std::uint32_t number) const {
  return keys_[number >> kKindShift].view(number & kIndexMask).substr(1);
}

}  // namespace cede
