// SPDX-License-Identifier: MIT
#include "topology/fit/device_sets.h"

#include <algorithm>
#include <bit>

#include "base/bits.h"
#include "topology/import/device_catalogue.h"

namespace cede {

namespace {

template <class Visit>
void for_each_device(DeviceMask set, Visit visit) {
  for (; set != 0; set &= set - 1) visit(static_cast<std::size_t>(std::countr_zero(set)));
}

bool is_clique(DeviceMask set, const std::vector<DeviceMask>& related) {
  bool holds = true;
  for_each_device(set, [&](std::size_t d) { holds = holds && (set & ~related[d]) == 0; });
  return holds;
}

// The devices reached from the set's lowest device without leaving `within`.
DeviceMask reached(DeviceMask set, DeviceMask within, const std::vector<DeviceMask>& related) {
  DeviceMask found = set & (~set + 1);
  for (DeviceMask before = 0; before != found;) {
    before = found;
    for_each_device(before, [&](std::size_t d) { found |= related[d] & within; });
  }
  return found;
}

bool is_met(GpuMode mode, DeviceMask set, DeviceMask all, const std::vector<DeviceMask>& related) {
  switch (mode) {
    case GpuMode::clique: return is_clique(set, related);
    case GpuMode::connected: return reached(set, set, related) == set;
    case GpuMode::same: return (set & ~reached(set, all, related)) == 0;
  }
  return false;
}

// The union of the masks that contain any of these devices.
DeviceMask spread(DeviceMask devices, const std::vector<DeviceMask>& masks) {
  DeviceMask found = 0;
  for (const DeviceMask mask : masks) found |= (mask & devices) != 0 ? mask : 0;
  return found;
}

DeviceMask united(const std::vector<DeviceMask>& masks) { return spread(~DeviceMask{0}, masks); }

Certainty verdict(bool sure, bool maybe) {
  return sure ? Certainty::yes : maybe ? Certainty::unknown : Certainty::no;
}

}  // namespace

DeviceSets::DeviceSets(const NodeClass& node_class)
    : all_(node_class.devices.empty() ? 0 : ~DeviceMask{0} >> (kMaxDevices - node_class.devices.size())),
      nics_known_(node_class.nics_known) {
  for (const NodeClass::Device& device : node_class.devices) models_.push_back(fold_model(device.model));
  // with more, a NumaSet cannot hold them
  if (node_class.numa.size() <= kMaxNumaNodes) numa_ = node_class.numa;
  numa_placed_ = united(numa_);
  relations_ = {nvl_relation(node_class), place_relation(node_class.pcie), place_relation(node_class.numa),
                place_relation(node_class.sockets)};
  same_model_ = model_relation();
  for (const GpuLevel level : {GpuLevel::pcie, GpuLevel::numa, GpuLevel::socket}) {
    near_[static_cast<std::size_t>(level)] = nearness(node_class, level);
  }
}

DeviceSets::Relation DeviceSets::nvl_relation(const NodeClass& node_class) const {
  Relation out;
  for (std::size_t d = 0; d < count(); ++d) {
    DeviceMask linked = bit(d);
    for (const NodeClass::LinkGroup& group : node_class.links) {
      if (group.link == LinkClass::nvl && (group.devices & bit(d)) != 0) linked |= group.devices;
    }
    DeviceMask possible = node_class.links_known ? linked : all_;
    for (const std::array<std::uint8_t, 2>& pair : node_class.degraded) {
      const DeviceMask other = pair[0] == d ? bit(pair[1]) : pair[1] == d ? bit(pair[0]) : 0;
      linked &= ~other;
      possible &= ~other;
    }
    out.sure.push_back(linked & all_);
    out.maybe.push_back(possible);
  }
  return out;
}

DeviceSets::Relation DeviceSets::place_relation(const std::vector<DeviceMask>& masks) const {
  Relation out;
  const DeviceMask unplaced = all_ & ~united(masks);
  for (std::size_t d = 0; d < count(); ++d) {
    const DeviceMask beside = spread(bit(d), masks) & all_;
    out.sure.push_back(beside | bit(d));
    out.maybe.push_back(beside == 0 ? all_ : beside | unplaced);
  }
  return out;
}

DeviceSets::Relation DeviceSets::model_relation() const {
  Relation out;
  for (std::size_t a = 0; a < count(); ++a) {
    DeviceMask equal = bit(a);
    DeviceMask possible = bit(a);
    for (std::size_t b = 0; b < count(); ++b) {
      const bool known = !models_[a].empty() && !models_[b].empty();
      if (known && models_[a] == models_[b]) equal |= bit(b);
      if (!known || models_[a] == models_[b]) possible |= bit(b);
    }
    out.sure.push_back(equal);
    out.maybe.push_back(possible);
  }
  return out;
}

DeviceSets::Nearness DeviceSets::nearness(const NodeClass& node_class, GpuLevel level) const {
  Nearness out;
  for (const NodeClass::Nic& nic : node_class.nics) {
    // `near` lists every device at the NIC's own level, so unknowns begin one level further out.
    DeviceMask sure = nic.near & all_;
    DeviceMask maybe = sure;
    const auto widen = [&](const std::vector<DeviceMask>& masks, bool own_level) {
      const DeviceMask placed = united(masks);
      const DeviceMask shared = spread(sure, masks) & all_;
      if (!own_level) maybe = shared == 0 ? all_ : sure | shared | (all_ & ~placed);
      sure |= shared;
      maybe |= sure;
    };
    const bool too_far = (level == GpuLevel::pcie && nic.level != LinkClass::pcie) ||
                         (level == GpuLevel::numa && nic.level == LinkClass::socket);
    if (too_far || sure == 0) {
      sure = maybe = 0;
    } else {
      if (level != GpuLevel::pcie && nic.level != LinkClass::socket) {
        widen(node_class.numa, nic.level == LinkClass::numa);
      }
      if (level == GpuLevel::socket) widen(node_class.sockets, nic.level == LinkClass::socket);
    }
    out.sure.push_back(sure);
    out.maybe.push_back(maybe);
  }
  return out;
}

Certainty DeviceSets::related(DeviceMask set, const GpuRequirement& need) const {
  set &= all_;
  if (count_bits(set) <= 1) return Certainty::yes;
  const Relation& relation = relations_[static_cast<std::size_t>(need.level)];
  const GpuMode mode = need.level == GpuLevel::nvl ? need.mode : GpuMode::clique;
  return verdict(is_met(mode, set, all_, relation.sure), is_met(mode, set, all_, relation.maybe));
}

Certainty DeviceSets::near_nic(DeviceMask set, const NicRequirement& need) const {
  set &= all_;
  if (set == 0) return Certainty::yes;
  if (!nics_known_) return Certainty::unknown;
  const Nearness& near = near_[static_cast<std::size_t>(need.level)];
  const auto is_near = [&](const std::vector<DeviceMask>& nics) {
    if (need.per_gpu) return (set & ~united(nics)) == 0;
    return std::any_of(nics.begin(), nics.end(), [&](DeviceMask nic) { return (set & ~nic) == 0; });
  };
  return verdict(is_near(near.sure), is_near(near.maybe));
}

Certainty DeviceSets::of_models(DeviceMask set, std::span<const std::string> listed) const {
  if (listed.empty()) return Certainty::yes;
  Certainty found = Certainty::yes;
  for_each_device(set & all_, [&](std::size_t d) {
    const bool listed_here = std::any_of(
        listed.begin(), listed.end(), [&](const std::string& name) { return names_model(name, models_[d]); });
    found = std::min(found, verdict(listed_here, models_[d].empty()));
  });
  return found;
}

Certainty DeviceSets::of_model(DeviceMask set, std::string_view model) const {
  const std::string wanted = fold_model(model);
  Certainty found = Certainty::yes;
  for_each_device(set & all_, [&](std::size_t d) {
    found = std::min(found, verdict(!wanted.empty() && models_[d] == wanted, models_[d].empty()));
  });
  return found;
}

Certainty DeviceSets::one_model(DeviceMask set) const {
  set &= all_;
  return verdict(is_clique(set, same_model_.sure), is_clique(set, same_model_.maybe));
}

NumaSet DeviceSets::numa_nodes(DeviceMask set) const {
  NumaSet nodes = 0;
  for (std::size_t i = 0; i < numa_.size(); ++i) nodes |= (numa_[i] & set) != 0 ? NumaSet{1} << i : 0;
  return nodes;
}

DeviceMask DeviceSets::devices_of(NumaSet nodes) const {
  DeviceMask devices = 0;
  for (; nodes != 0; nodes &= nodes - 1) devices |= numa_[static_cast<std::size_t>(std::countr_zero(nodes))];
  return devices & all_;
}

Certainty DeviceSets::within_numa(DeviceMask set, std::uint32_t nodes) const {
  set &= all_;
  const bool few = static_cast<std::uint32_t>(count_bits(numa_nodes(set))) <= nodes;
  return verdict(few && (set & ~numa_placed_) == 0, few);
}

bool DeviceSets::same_relations(std::uint32_t a, std::uint32_t b, GpuLevel level) const {
  const Relation& relation = relations_[static_cast<std::size_t>(level)];
  const DeviceMask others = ~(bit(a) | bit(b));
  return ((relation.sure[a] ^ relation.sure[b]) & others) == 0 &&
         ((relation.maybe[a] ^ relation.maybe[b]) & others) == 0;
}

bool DeviceSets::same_nics(std::uint32_t a, std::uint32_t b, GpuLevel level) const {
  const Nearness& near = near_[static_cast<std::size_t>(level)];
  const auto alike = [&](DeviceMask nic) { return (nic >> a & 1) == (nic >> b & 1); };
  return std::all_of(near.sure.begin(), near.sure.end(), alike) &&
         std::all_of(near.maybe.begin(), near.maybe.end(), alike);
}

}  // namespace cede
