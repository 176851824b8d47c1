// SPDX-License-Identifier: MIT
#include "model/model.h"

#include <charconv>

#include <algorithm>

namespace cede {

namespace {

// The array that was interned as bytes. Slots are 16-byte aligned (InternTable::Slot; larger texts come from
// operator new), which is enough for every type stored this way.
template <class Item>
std::span<const Item> as_array(std::string_view bytes) {
  return {static_cast<const Item*>(static_cast<const void*>(bytes.data())), bytes.size() / sizeof(Item)};
}

}  // namespace

ResourceView Model::shape(ShapeId id) const { return as_array<ResourceAmount>(shapes.view(id)); }

std::span<const DomainId> Model::node_domains(const NodeRow& node) const {
  return as_array<DomainId>(blobs.view(node.network));
}

std::span<const NodeId> Model::reservation_nodes(const ReservationRow& reservation) const {
  return as_array<NodeId>(blobs.view(reservation.nodes));
}

std::span<const DeviceShare> Model::shares(BlobId id) const { return as_array<DeviceShare>(blobs.view(id)); }

TextPairs Model::pairs(BlobId id) const {
  TextPairs out;
  std::string_view left = blobs.view(id);
  while (!left.empty()) {
    const std::size_t key = left.find('\0');
    const std::size_t value = left.find('\0', key + 1);
    out.emplace_back(left.substr(0, key), left.substr(key + 1, value - key - 1));
    left.remove_prefix(value + 1);
  }
  return out;
}

bool Model::is_below(QueueId queue, QueueId root) const {
  while (queue && queue != root) queue = queues[queue].parent;
  return queue == root;
}

std::string Model::task_name(const JobCore& job, std::uint32_t position) const {
  const NameId name = tasks.extras(TaskId{job.first_task.value + position}).name;
  return name == kNoName ? "t" + std::to_string(position) : std::string(names.view(name));
}

Model::FoundTask Model::find_task(JobId job, std::string_view label) const {
  const JobCore& core = jobs[job];
  // Most names are `t` and a position. No other task of the job can have such a name.
  if (label.starts_with('t')) {
    std::uint32_t position = 0;
    const auto [end, error] = std::from_chars(label.data() + 1, label.data() + label.size(), position);
    const TaskId row{core.first_task.value + position};
    if (error == std::errc{} && end == label.data() + label.size() && position < core.task_rows &&
        tasks.extras(row).name == kNoName && !tasks.core(row).counted && task_name(core, position) == label)
      return {row, 0};
  }
  for (std::uint32_t k = 0; k < core.task_rows; ++k) {
    const TaskId row{core.first_task.value + k};
    const std::string name = task_name(core, k);
    if (!label.starts_with(name)) continue;
    const std::string_view rest = label.substr(name.size());
    if (!tasks.core(row).counted) {
      if (rest.empty()) return {row, 0};
      continue;
    }
    std::uint32_t index = 0;
    if (rest.empty() || rest.front() != '#') continue;
    const auto [end, fault] = std::from_chars(rest.data() + 1, rest.data() + rest.size(), index);
    if (fault == std::errc{} && end == rest.data() + rest.size() && index < tasks.core(row).count)
      return {row, index};
  }
  return {};
}

const NodeClass* Model::node_class(const NodeRow& node) const {
  return node.topology ? classes[topologies[node.topology].node_class.value].get() : nullptr;
}

std::uint32_t Model::device_count(const NodeRow& node, std::uint32_t gpu) const {
  if (const NodeClass* known = node_class(node)) return static_cast<std::uint32_t>(known->devices.size());
  if (gpu == ResourceId::kNoValue) return 0;
  return static_cast<std::uint32_t>(
      std::min<Amount>(amount_of(shape(node.resources), gpu) / kOne, kMaxDevices));
}

std::uint32_t Model::find_resource(std::string_view text) const {
  const NameId name = names.find(text);
  for (std::size_t i = 0; i < resources.size(); ++i) {
    if (resources[i] == name) return static_cast<std::uint32_t>(i);
  }
  return ResourceId::kNoValue;
}

std::string encode_pairs(const TextPairs& pairs) {
  std::string out;
  for (const auto& [key, value] : pairs) {
    out.append(key).push_back('\0');
    out.append(value).push_back('\0');
  }
  return out;
}

}  // namespace cede
