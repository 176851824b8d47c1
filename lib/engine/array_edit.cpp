// SPDX-License-Identifier: MIT
#include "engine/array_edit.h"

#include <algorithm>

#include "base/text.h"

namespace cede {

namespace {

constexpr std::array<std::string_view, kPartKinds> kPartWords{
    "",       "resources",    "a list", "a requirement", "a queue's settings", "a job's settings",
    "labels", "a fingerprint"};

}  // namespace

ArrayEdit::ArrayEdit(Model& model, NameRegistry& names, const PartRegistry& parts, const Limits& limits,
                     Problems& problems)
    : names_(names), parts_(parts), problems_(problems), undo_(model), edit_(model, limits, problems) {
  edit_.take_one_list();
  names_.begin();
}

void ArrayEdit::fail(std::string_view member, std::string text, Status status) {
  Path path{PathStep::member(list_), PathStep::element(index_)};
  if (task_ != kNoTask) {
    path.push_back(PathStep::member("tasks"));
    path.push_back(PathStep::element(task_));
  }
  while (!member.empty()) {
    const std::size_t dot = std::min(member.find('.'), member.size());
    path.push_back(PathStep::member(member.substr(0, dot)));
    member.remove_prefix(std::min(dot + 1, member.size()));
  }
  problems_.error(std::move(path), std::move(text), status);
}

std::string_view ArrayEdit::text(std::uint32_t number, std::string_view member) {
  const std::string_view text = names_.text(texts(), number);
  if (text.empty()) fail(member, std::to_string(number) + " is not the number of a name", Status::unknown);
  return text;
}

NameId ArrayEdit::new_name(std::uint32_t number, std::string_view member) {
  NameId name = names_.elsewhere(number);
  if (name == kNoName) {
    if (text(number, member).empty()) return kNoName;
    name = names_.put_elsewhere(texts(), number, edit_.model().names);
  }
  known_[number & (known_.size() - 1)] = {number, name};
  return name;
}

NameId ArrayEdit::unknown_job(std::uint32_t number, std::string_view member) {
  text(number, member);  // says what is wrong
  return kNoName;
}

bool ArrayEdit::holds(PartKind kind, std::uint32_t number, std::string_view member) {
  if (parts_.holds(kind, number)) return true;
  fail(member, std::to_string(number) + " is not the number of " + std::string(to_word(kind, kPartWords)),
       Status::unknown);
  return false;
}

ShapeId ArrayEdit::new_shape(std::uint32_t number, bool keep_zeros, std::string_view member) {
  if (!holds(PartKind::resources, number, member)) return kNoShape;
  const std::uint64_t key = key_of(number, keep_zeros);
  KnownShape& known = known_shapes_[key % known_shapes_.size()];
  known = {key, make_shape(number, keep_zeros, member), 0};
  for (const auto& [name, amount] : parts_.resources(number)) {
    if (name == "gpu") known.gpu = amount;
  }
  return known.shape;
}

ShapeId ArrayEdit::make_shape(std::uint32_t number, bool keep_zeros, std::string_view member) {
  Model& model = edit_.model();
  std::vector<ResourceAmount> entries;
  for (const auto& [name, amount] : parts_.resources(number)) {
    ResourceAmount entry;
    entry.amount = amount;
    entry.resource = edit_.resource(model.names.intern(name));
    if (entry.resource == ResourceId::kNoValue) {
      const std::uint64_t most = edit_.limits().max_resources;
      fail(member,
           quote(name) + " is one resource too many; at most " + std::to_string(most) +
               " names are allowed (limit max_resources)",
           Status::limit);
      return kNoShape;
    }
    if (amount != 0 || keep_zeros) entries.push_back(entry);
  }
  std::sort(entries.begin(), entries.end(),
            [](const ResourceAmount& a, const ResourceAmount& b) { return a.resource < b.resource; });
  return model.shapes.intern({static_cast<const char*>(static_cast<const void*>(entries.data())),
                              entries.size() * sizeof(ResourceAmount)});
}

void ArrayEdit::list(std::uint32_t number, std::string_view member, std::vector<NameId>& out) {
  if (number == 0 || !holds(PartKind::list, number, member)) return;
  for (const std::string_view name : parts_.list(number)) out.push_back(edit_.model().names.intern(name));
}

RequirementId ArrayEdit::known_requirement(std::uint32_t number, std::string_view member) {
  const auto known = known_requirements_.find(number);
  if (known != known_requirements_.end()) return known->second;
  if (!holds(PartKind::requirement, number, member)) return {};
  const Requirement& asked = parts_.requirement(number);
  const RequirementId id = asked == Requirement{} ? RequirementId{} : edit_.intern_requirement(asked);
  known_requirements_.emplace(number, id);
  return id;
}

BlobId ArrayEdit::known_bytes(PartKind kind, std::uint32_t number, std::string_view member) {
  if (!holds(kind, number, member)) return kNoBlob;
  return edit_.model().blobs.intern(parts_.bytes(number));
}

BlobId ArrayEdit::share_of_device(const DeviceShare& share) {
  return edit_.model().blobs.intern(
      {static_cast<const char*>(static_cast<const void*>(&share)), sizeof share});
}

void ArrayEdit::fail_range(std::int64_t value, std::int64_t min, std::int64_t max, std::string_view member) {
  fail(member, std::to_string(value) + " is outside " + std::to_string(min) + ".." + std::to_string(max));
}

}  // namespace cede
