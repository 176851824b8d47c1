// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>

#include "base/text.h"
#include "document/job_reader.h"

namespace cede {

namespace {
constexpr FieldNames<11> kTaskFields{{"id", "node", "resources", "gpus", "started", "priority", "originator",
                                      "preemptible", "may_preempt", "count", "required_node"}};
constexpr FieldNames<2> kShareFields{{"index", "share"}};
}  // namespace

void read_preemptible(Reading& reading, const Scalar& value, Preemptible& out) {
  if (value.is_null()) return;
  if (value.kind == Scalar::Kind::boolean) {
    out = value.flag ? Preemptible::yes : Preemptible::no;
  } else if (value.kind == Scalar::Kind::text && value.text == "last-resort") {
    out = Preemptible::last_resort;
  } else {
    reading.fail_type("true, false or 'last-resort'", value);
  }
}

TaskSink::TaskSink(Reading& reading, ModelEdit& edit)
    : ObjectSink(reading, kTaskFields),
      edit_(edit),
      resources_(reading, edit, false),
      gpus_(reading, *this) {}

ValueSink* TaskSink::start(std::vector<TaskDraft>& out) {
  ObjectSink::start();
  out_ = &out;
  out_->emplace_back();
  site_.clear();
  shares_.clear();
  return this;
}

void TaskSink::scalar(const Scalar& value) {
  TaskDraft& task = draft();
  InternTable& names = edit_.model().names;
  switch (field()) {
    case TaskField::id: return reading_.read_name(value, names, task.extras.name);
    case TaskField::node: return reading_.read_name(value, names, task.node);
    case TaskField::required_node: return reading_.read_name(value, names, task.extras.required_node);
    case TaskField::started: return reading_.read_time(value, task.extras.started);
    case TaskField::priority:
      if (value.is_null()) return;
      task.extras.has_priority = true;
      return reading_.read_integer(value, std::numeric_limits<std::int32_t>::min(),
                                   std::numeric_limits<std::int32_t>::max(), task.extras.priority);
    case TaskField::originator: return reading_.read(value, task.extras.originator);
    case TaskField::preemptible: return read_preemptible(reading_, value, task.extras.preemptible);
    case TaskField::may_preempt: return reading_.read(value, task.extras.may_preempt);
    case TaskField::count: return read_count(value, task.core);
    case TaskField::gpus:
      if (!value.is_null()) reading_.fail_type("a list of devices", value);
      return;
    case TaskField::resources:
      if (!value.is_null()) reading_.fail_type("an object of amounts", value);
  }
}

void TaskSink::read_count(const Scalar& value, TaskCore& core) {
  if (value.is_null()) return;
  std::uint32_t count = core.count;
  reading_.read_integer(value, 1, static_cast<std::int64_t>(edit_.limits().max_tasks_per_job), count);
  core.count = count & kMaxTaskCount;
  core.counted = true;
}

ValueSink* TaskSink::object() {
  return field() == TaskField::resources ? resources_.start(draft().core.resources) : ObjectSink::object();
}

ValueSink* TaskSink::array() { return field() == TaskField::gpus ? gpus_.start_list() : ObjectSink::array(); }

void TaskSink::end() {
  Model& model = edit_.model();
  if (!shares_.empty()) {
    std::sort(shares_.begin(), shares_.end(),
              [](const DeviceShare& a, const DeviceShare& b) { return a.device < b.device; });
    draft().extras.shares =
        model.blobs.intern({static_cast<const char*>(static_cast<const void*>(shares_.data())),
                            shares_.size() * sizeof(DeviceShare)});
  }
  if (!site_.empty()) draft().extras.site = model.blobs.intern(site_);
}

TaskSink::GpusSink::GpusSink(Reading& reading, TaskSink& owner)
    : ObjectSink(reading, kShareFields), owner_(owner), list_(reading, *this) {}

ValueSink* TaskSink::GpusSink::start_list() {
  owner_.draft().core.gpus_given = true;
  return &list_;
}

void TaskSink::GpusSink::ListSink::scalar(const Scalar& value) {
  if (value.is_null()) return reading_.fail_type("a device", value);
  std::int64_t device = -1;
  reading_.read_integer(value, 0, kMaxDevices - 1, device);
  owner_.take(device, kOne);
}

ValueSink* TaskSink::GpusSink::ListSink::object() {
  owner_.ObjectSink::start();
  owner_.site_.clear();
  owner_.index_ = -1;
  owner_.share_ = -1;
  return &owner_;
}

void TaskSink::GpusSink::scalar(const Scalar& value) {
  if (field() == ShareField::index) return reading_.read_integer(value, 0, kMaxDevices - 1, index_);
  Amount share = share_;
  reading_.read_amount(value, share);  // exact: a share is part of the amount the task holds
  share_ = share;
  if (share_ > kOne) {
    reading_.fail(format_amount(share_) + " is more than the whole device");
    share_ = -1;
  }
  if (share_ == 0) reading_.fail("0 is not a share; it must be above 0");
}

void TaskSink::GpusSink::end() {
  if (!saw(ShareField::index)) reading_.fail_member("index", "missing");
  if (!saw(ShareField::share)) reading_.fail_member("share", "missing");
  if (share_ > 0) take(index_, share_);
  move_site_fields(site_, "gpus/" + std::to_string(index_) + '/', owner_.site_);
}

void TaskSink::GpusSink::take(std::int64_t device, std::int64_t share) {
  if (device < 0) return;
  DeviceMask& whole = owner_.draft().core.gpus;
  const DeviceMask bit = DeviceMask{1} << device;
  const bool shared = std::any_of(owner_.shares_.begin(), owner_.shares_.end(), [&](const DeviceShare& s) {
    return s.device == static_cast<std::uint32_t>(device);
  });
  if ((whole & bit) != 0 || shared)
    return reading_.fail("device " + std::to_string(device) + " is listed twice");
  if (share == kOne) {
    whole |= bit;
  } else {
    owner_.shares_.push_back({static_cast<std::uint32_t>(device), static_cast<std::uint32_t>(share)});
  }
}

}  // namespace cede
