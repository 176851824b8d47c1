// SPDX-License-Identifier: MIT
#include "engine/part_registry.h"

#include <cstring>

#include "base/text.h"
#include "document/part_reader.h"
#include "model/model.h"

namespace cede {

namespace {

constexpr std::uint32_t kIndexMask = (std::uint32_t{1} << 28) - 1;
constexpr char kEmptyPart = '\0';  // in front of every key: nothing at all is a part too, a text of its own

void append_name(std::string& key, std::string_view name) {
  key.push_back(static_cast<char>(name.size()));
  key.append(name);
}

std::string_view take_name(std::string_view& left) {
  const auto size = static_cast<unsigned char>(left.front());
  const std::string_view name = left.substr(1, size);
  left.remove_prefix(1 + size);
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
  // Room first: whoever finds a number must find its requirement too.
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
