// SPDX-License-Identifier: MIT
#include "model/model.h"

#include <algorithm>
#include <charconv>
#include <type_traits>
#include <vector>

#include "base/text.h"

namespace cede {

template class Undo<Model>;

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

bool Model::is_limited(QueueId queue) const {
  while (queue && queues[queue].max == kNoShape) queue = queues[queue].parent;
  return static_cast<bool>(queue);
}

std::string Model::task_name(const JobCore& job, std::uint32_t position) const {
  const NameId name = tasks.extras(TaskId{job.first_task.value + position}).name;
  return name == kNoName ? "t" + std::to_string(position) : std::string(job_names.view(name));
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

namespace {

// Sorts objects by name, so that warnings do not depend on the order of a document.
template <class IdType>
void sort_by_name(const Model& model, std::vector<IdType>& ids, const auto& table) {
  std::sort(ids.begin(), ids.end(),
            [&](IdType a, IdType b) { return model.name(table[a].name) < model.name(table[b].name); });
}

}  // namespace

void warn_about_queues(const Model& model, Problems& problems) {
  const std::size_t resources = model.resources.size();
  std::vector<Total> promised(model.queues.id_bound() * resources, 0);
  model.queues.for_each([&](QueueId, const QueueRow& row) {
    if (!row.parent) return;
    for (const ResourceAmount& entry : model.shape(row.guaranteed)) {
      promised[row.parent.value * resources + entry.resource] += entry.amount;
    }
  });
  std::vector<QueueId> ids;
  model.queues.for_each([&](QueueId id, const QueueRow& row) {
    if (row.guaranteed != kNoShape) ids.push_back(id);
  });
  sort_by_name(model, ids, model.queues);
  for (const QueueId id : ids) {
    const QueueRow& row = model.queues[id];
    // A resource missing in the queue's guarantee counts as zero. A queue without a guarantee is not checked.
    for (std::uint32_t r = 0; r < resources; ++r) {
      const Total sum = promised[id.value * resources + r];
      const Amount own = amount_of(model.shape(row.guaranteed), r);
      if (sum <= own) continue;
      problems.warning({PathStep::member("queues"), PathStep::member(model.name(row.name)),
                        PathStep::member("guaranteed"), PathStep::member(model.resource_name(r))},
                       "the children of " + quote(model.name(row.name)) + " are guaranteed " +
                           format_total(sum) + ", the queue itself only " + format_amount(own));
    }
  }
}

namespace {

constexpr Time k2000 = 946'684'800'000;
constexpr Amount kTenth = kOne / 10;

class UnitWarnings {
 public:
  UnitWarnings(const Model& model, Problems& problems)
      : model_(model), problems_(problems), gpu_(model.find_resource("gpu")) {}

  bool is_odd(JobId id) const {
    const JobCore& job = model_.jobs[id];
    bool odd = is_early(model_.job_times[id.value].started);
    for (std::uint32_t k = 0; k < job.task_rows && !odd; ++k)
      odd = is_early(started(job, k)) || is_small(job, k);
    return odd;
  }

  void warn(JobId id) {
    const JobCore& job = model_.jobs[id];
    const Path path{PathStep::member("jobs"), PathStep::member(model_.job_name(id))};
    if (const Time start = model_.job_times[id.value].started; is_early(start)) warn_start(path, start);
    for (std::uint32_t k = 0; k < job.task_rows; ++k) {
      Path task = path;
      task.push_back(PathStep::member("tasks"));
      task.push_back(PathStep::element(k));
      if (is_early(started(job, k))) warn_start(task, started(job, k));
      if (is_small(job, k)) warn_amount(std::move(task), gpus(job, k));
    }
  }

 private:
  static bool is_early(Time time) { return time != kNoTime && time < k2000; }
  static TaskId row(const JobCore& job, std::uint32_t k) { return TaskId{job.first_task.value + k}; }
  Time started(const JobCore& job, std::uint32_t k) const { return model_.tasks.extras(row(job, k)).started; }
  Amount gpus(const JobCore& job, std::uint32_t k) const {
    return gpu_ == ResourceId::kNoValue
               ? 0
               : amount_of(model_.shape(model_.tasks.core(row(job, k)).resources), gpu_);
  }
  bool is_small(const JobCore& job, std::uint32_t k) const {
    const Amount amount = gpus(job, k);
    return amount > 0 && amount < kTenth && model_.shares(model_.tasks.extras(row(job, k))).empty();
  }

  void warn_start(Path path, Time start) {
    path.push_back(PathStep::member("started"));
    problems_.warning(std::move(path), format_seconds(start) +
                                           " seconds since 1970 is before the year 2000; documents have "
                                           "seconds, arrays milliseconds");
  }
  void warn_amount(Path path, Amount amount) {
    path.push_back(PathStep::member("resources"));
    path.push_back(PathStep::member("gpu"));
    problems_.warning(std::move(path),
                      format_amount(amount) + " is less than a tenth of a GPU; arrays have thousandths");
  }

  const Model& model_;
  Problems& problems_;
  const std::uint32_t gpu_;
};

}  // namespace

void warn_about_units(const Model& model, Problems& problems) {
  UnitWarnings warnings(model, problems);
  std::vector<JobId> odd;
  model.jobs.for_each([&](JobId id, const JobCore&) {
    if (warnings.is_odd(id)) odd.push_back(id);
  });
  std::sort(odd.begin(), odd.end(), [&](JobId a, JobId b) { return model.job_name(a) < model.job_name(b); });
  for (const JobId id : odd) warnings.warn(id);
}

void warn_about_nodes(const Model& model, Problems& problems) {
  std::vector<NodeId> over;
  std::vector<Total> used(model.resources.size());
  const auto first_over = [&](const NodeRow& row) {
    std::fill(used.begin(), used.end(), 0);
    for (TaskId task = row.first_task; task; task = model.tasks.core(task).next_on_node) {
      for (const ResourceAmount& entry : model.shape(model.tasks.core(task).resources)) {
        used[entry.resource] += entry.amount;
      }
    }
    const ResourceView capacity = model.shape(row.resources);
    std::size_t r = 0;
    while (r < used.size() && used[r] <= amount_of(capacity, static_cast<std::uint32_t>(r))) ++r;
    return r;
  };
  model.nodes.for_each([&](NodeId id, const NodeRow& row) {
    if (row.first_task && first_over(row) < used.size()) over.push_back(id);
  });
  sort_by_name(model, over, model.nodes);
  for (const NodeId id : over) {
    const NodeRow& row = model.nodes[id];
    const std::size_t r = first_over(row);
    const auto resource = static_cast<std::uint32_t>(r);
    problems.warning({PathStep::member("nodes"), PathStep::member(model.name(row.name))},
                     "is overcommitted: its tasks hold " + format_total(used[r]) + ' ' +
                         std::string(model.resource_name(resource)) + ", it has " +
                         format_amount(amount_of(model.shape(row.resources), resource)));
  }
}

}  // namespace cede

// Canonical encodings of the two interned structures. They never leave the process. Equal values have equal
// bytes, and different values have different bytes.

namespace cede {

namespace {

class Encoder {
 public:
  template <class Number>
  requires(std::is_integral_v<Number> || std::is_enum_v<Number>) Encoder& operator<<(Number number) {
    auto left = static_cast<std::uint64_t>(number);
    for (int i = 0; i < 8; ++i, left >>= 8) bytes_.push_back(static_cast<char>(left & 0xFF));
    return *this;
  }
  Encoder& operator<<(const std::string& text) {
    *this << text.size();
    bytes_ += text;
    return *this;
  }
  template <class First, class Second>
  Encoder& operator<<(const std::pair<First, Second>& pair) {
    return *this << pair.first << pair.second;
  }
  template <class Item>
  Encoder& operator<<(const std::vector<Item>& items) {
    *this << items.size();
    for (const Item& item : items) *this << item;
    return *this;
  }
  Encoder& operator<<(const std::array<std::uint8_t, 2>& pair) { return *this << pair[0] << pair[1]; }
  Encoder& operator<<(const NodeClass::Device& d) { return *this << d.model << d.parent; }
  Encoder& operator<<(const NodeClass::LinkGroup& l) { return *this << l.link << l.devices << l.lanes; }
  Encoder& operator<<(const NodeClass::Nic& n) { return *this << n.name << n.near << n.level; }
  Encoder& operator<<(const Bounds& b) { return *this << b.min << b.max; }
  Encoder& operator<<(const GpuRequirement& n) { return *this << n.scope << n.level << n.mode << n.strength; }
  Encoder& operator<<(const NetworkRequirement& n) {
    return *this << n.level << n.max_domains << n.segment << n.consolidate << n.spread << n.expires
                 << n.strength;
  }

  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

}  // namespace

std::string encode_class(const NodeClass& c) {
  Encoder out;
  out << c.devices << c.numa << c.sockets << c.pcie << c.host_bridges << c.cores << c.links << c.links_known
      << c.nics << c.nics_known << c.degraded;
  return out.take();
}

std::string encode_requirement(const Requirement& r) {
  Encoder out;
  out << r.nodes << r.tasks_per_node << r.gpu_models << r.uniform_model << r.gpus;
  out << r.nic.given << r.nic.level << r.nic.per_gpu << r.nic.strength << r.cpu_numa << r.network;
  out << r.exclusive << r.exclusive_level;
  out << r.conformance.mode << r.conformance.scope << r.conformance.components << r.conformance.max_age
      << r.conformance.baseline;
  out << r.placement << r.hosts.include << r.hosts.exclude << r.hosts.labels << r.site_fields;
  return out.take();
}

}  // namespace cede
