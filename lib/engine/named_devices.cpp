// SPDX-License-Identifier: MIT
#include "engine/named_devices.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/bits.h"

namespace cede {

namespace {

class NameGuard {
 public:
  NameGuard(const Book& book, const Model& model, EntryId own, InFlight& out)
      : book_(book), model_(model), own_(own), gpu_(model.find_resource("gpu")), out_(out) {}

  void run() {
    if (gpu_ == ResourceId::kNoValue) return;
    std::map<NodeId, std::set<EntryId>> named;
    for (const BookEntry& entry : book_.entries()) {
      if (!entry.has_hold || entry.id == own_) continue;
      for (const BookPlace& place : entry.places) {
        const bool has_names = place.space.gpus != 0 || place.space.share > 0;
        if (place.state == PlaceState::kept && has_names) named[place.space.node].insert(entry.id);
      }
    }
    for (const auto& [node, entries] : named) guard(node, entries);
  }

 private:
  void guard(NodeId node, const std::set<EntryId>& entries) {
    const NodeRow& row = model_.nodes[node];
    const std::uint32_t devices = model_.device_count(row, gpu_);
    DeviceMask known = 0;
    std::uint32_t unknown = 0;
    Total free = amount_of(model_.shape(row.resources), gpu_);
    for (TaskId t = row.first_task; t; t = model_.tasks.core(t).next_on_node) {
      const TaskCore& core = model_.tasks.core(t);
      const Amount held = amount_of(model_.shape(core.resources), gpu_);
      free -= held;
      known |= core.gpus;
      for (const DeviceShare& share : model_.shares(model_.tasks.extras(t)))
        known |= DeviceMask{1} << share.device;
      if (!core.gpus_given)
        unknown += static_cast<std::uint32_t>(std::min<Amount>((held + kOne - 1) / kOne, devices));
    }
    // If only victims of this one entry have unknown devices, the named devices are certain once those
    // victims are gone.
    bool passes = unknown == 0 && entries.size() == 1;
    for (const InFlight::Blocked& each : out_.blocked) {
      if (each.node != node || each.group != row.group) continue;
      free -= amount_of(each.amounts, gpu_);
      known |= each.gpus;
      for (const DeviceShare& share : each.shares) known |= DeviceMask{1} << share.device;
      unknown += each.unknown;
      passes = passes && (each.unknown == 0 || entries.contains(each.entry));
    }
    if (unknown == 0) return;
    InFlight::Blocked blocked;
    blocked.entry = passes ? *entries.begin() : kNoEntry;
    blocked.node = node;
    blocked.group = row.group;
    const std::uint32_t used = static_cast<std::uint32_t>(count_bits(known)) + unknown;
    if (used < devices) blocked.unknown = devices - used;
    const bool by_group =
        amount_of(model_.shape(model_.groups[row.group].resources), gpu_, kNoAmount) != kNoAmount;
    if (free > 0 && !by_group) blocked.amounts.push_back({static_cast<Amount>(free), gpu_, 0});
    if (blocked.unknown > 0 || !blocked.amounts.empty()) out_.blocked.push_back(std::move(blocked));
  }

  const Book& book_;
  const Model& model_;
  const EntryId own_;
  const std::uint32_t gpu_;
  InFlight& out_;
};

}  // namespace

void keep_names(const Book& book, const Model& model, EntryId own, InFlight& in_flight) {
  NameGuard(book, model, own, in_flight).run();
}

}  // namespace cede
