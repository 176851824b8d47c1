// SPDX-License-Identifier: MIT
#include "report/node_class_picture.h"

#include <algorithm>
#include <bit>
#include <vector>

#include "base/bits.h"
#include "report/links_picture.h"
#include "report/name_list.h"
#include "report/node_class_facts.h"
#include "report/text_block.h"

namespace cede {
namespace {

constexpr std::size_t kPartNameColumns = 24;
constexpr std::size_t kInnerColumns = kPictureColumns - 4;  // inside the frame of a NUMA node

// A part of the machine that gets a box of its own.
struct Region {
  std::string name;    // `NUMA 3`
  std::string socket;  // `, socket 1`; empty: not known
  DeviceMask devices = 0;
  std::string cores;  // `56 cores`; empty: not known
};

class NodeClassPicture {
 public:
  explicit NodeClassPicture(const NodeClass& node_class)
      : class_(node_class), drawn_(node_class.nics.size()) {}

  TextBlock draw(std::string_view title) {
    TextBlock out = wrapped(headline(title), kPictureColumns, 2);
    std::vector<TextBlock> boxes;
    std::vector<Region> quiet;
    for (const Region& region : regions()) {
      const TextBlock content = draw_region(region);
      if (content.empty()) {
        quiet.push_back(region);
      } else {
        boxes.push_back(
            framed(region.name + region.socket + (region.cores.empty() ? "" : ", " + region.cores), content));
      }
    }
    append(out, arranged(boxes, kPictureColumns));
    append(out, list_quiet(quiet));
    append(out, draw_other_nics());
    append(out, draw_links(class_));
    return out;
  }

 private:
  static void append(TextBlock& out, const TextBlock& more) {
    out.insert(out.end(), more.begin(), more.end());
  }
  DeviceMask all() const {
    return class_.devices.empty() ? 0 : ~DeviceMask{0} >> (kMaxDevices - class_.devices.size());
  }

  // `dgx: 8 GPUs (H100), 2 NUMA nodes, 2 sockets, 112 cores, 8 NICs`
  std::string headline(std::string_view title) const {
    const NodeClassFacts facts = count_facts(class_);
    std::vector<std::string> models;
    for (const NodeClass::Device& device : class_.devices) {
      if (!device.model.empty()) models.push_back(label(device.model, kPartNameColumns));
    }
    std::sort(models.begin(), models.end());
    models.erase(std::unique(models.begin(), models.end()), models.end());
    std::string out = label(title, kPictureColumns / 2) + ": " + counted(facts.devices, "GPU");
    for (std::size_t i = 0; i < models.size(); ++i) out += (i == 0 ? " (" : ", ") + models[i];
    if (!models.empty()) out += ')';
    if (facts.physical_devices != facts.devices) out += " cut from " + std::to_string(facts.physical_devices);
    if (facts.numa_nodes > 0) out += ", " + counted(facts.numa_nodes, "NUMA node");
    if (facts.sockets > 0) out += ", " + counted(facts.sockets, "socket");
    if (facts.cores > 0) out += ", " + counted(facts.cores, "core");
    return out + ", " + (class_.nics_known ? counted(facts.nics, "NIC") : "NICs not known");
  }

  std::vector<Region> regions() const {
    std::vector<Region> out;
    const bool by_numa = !class_.numa.empty();
    const std::vector<DeviceMask>& masks = by_numa ? class_.numa : class_.sockets;
    DeviceMask rest = all();
    for (std::size_t i = 0; i < masks.size(); ++i) {
      Region region{(by_numa ? "NUMA " : "socket ") + std::to_string(i), {}, masks[i], {}};
      if (by_numa) region.socket = socket_of(masks[i]);
      if (by_numa && !class_.cores.empty()) region.cores = counted(class_.cores[i], "core");
      out.push_back(std::move(region));
      rest &= ~masks[i];
    }
    if (rest != 0) out.push_back({masks.empty() ? "machine" : "place not known", {}, rest, {}});
    return out;
  }

  // Only devices tell of which socket a NUMA node is.
  std::string socket_of(DeviceMask devices) const {
    for (std::size_t i = 0; i < class_.sockets.size(); ++i) {
      if (devices != 0 && (devices & ~class_.sockets[i]) == 0) return ", socket " + std::to_string(i);
    }
    return {};
  }

  TextBlock draw_region(const Region& region) {
    std::vector<TextBlock> boxes;
    DeviceMask alone = region.devices;
    for (DeviceMask rest = region.devices; rest != 0; rest &= rest - 1) {
      const auto device = static_cast<std::size_t>(std::countr_zero(rest));
      if ((alone >> device & 1) == 0) continue;
      const auto found = std::find_if(class_.pcie.begin(), class_.pcie.end(),
                                      [&](DeviceMask mask) { return (mask >> device & 1) != 0; });
      const DeviceMask together =
          found == class_.pcie.end() ? DeviceMask{1} << device : *found & region.devices;
      TextBlock content = draw_devices(together);
      append(content, nic_lines(LinkClass::pcie, found == class_.pcie.end() ? together : *found));
      boxes.push_back(framed(content.size() > 1 && found != class_.pcie.end() ? "PCIe switch" : "", content));
      alone &= ~together;
    }
    TextBlock out = arranged(boxes, kInnerColumns);
    append(out, nic_lines(LinkClass::numa, region.devices));
    return out;
  }

  // One line each, but the parts of one device on one.
  TextBlock draw_devices(DeviceMask devices) const {
    TextBlock out;
    while (devices != 0) {
      const auto first = static_cast<std::size_t>(std::countr_zero(devices));
      const NodeClass::Device& device = class_.devices[first];
      DeviceMask same = DeviceMask{1} << first;
      for (std::size_t i = first + 1; i < class_.devices.size() && device.parent >= 0; ++i) {
        if ((devices >> i & 1) != 0 && class_.devices[i] == device) same |= DeviceMask{1} << i;
      }
      std::string line = "GPU " + index_list(same);
      if (!device.model.empty()) line += "  " + label(device.model, kPartNameColumns);
      if (device.parent >= 0)
        line += ", " + std::string(count_bits(same) > 1 ? "parts" : "part") + " of device " +
                std::to_string(device.parent);
      out.push_back(std::move(line));
      devices &= ~same;
    }
    return out;
  }

  // The NICs of that level whose devices all lie in there. Each is drawn once.
  TextBlock nic_lines(LinkClass level, DeviceMask around) {
    TextBlock out;
    std::size_t nameless = 0;
    for (std::size_t i = 0; i < class_.nics.size(); ++i) {
      const NodeClass::Nic& nic = class_.nics[i];
      if (drawn_[i] || nic.level != level || nic.near == 0 || (nic.near & ~around) != 0) continue;
      drawn_[i] = true;
      if (nic.name.empty()) {
        ++nameless;
      } else {
        out.push_back("NIC " + label(nic.name, kPartNameColumns));
      }
    }
    if (nameless > 0) out.push_back(nameless == 1 ? "NIC" : counted(nameless, "NIC"));
    return out;
  }

  // Those of one place on one line.
  TextBlock draw_other_nics() {
    TextBlock out;
    for (std::size_t i = 0; i < class_.nics.size(); ++i) {
      if (drawn_[i]) continue;
      const NodeClass::Nic& place = class_.nics[i];
      std::string names;
      for (std::size_t k = i; k < class_.nics.size(); ++k) {
        const NodeClass::Nic& nic = class_.nics[k];
        if (drawn_[k] || nic.near != place.near || (nic.near != 0 && nic.level != place.level)) continue;
        drawn_[k] = true;
        names +=
            (names.empty() ? "" : ", ") + (nic.name.empty() ? "nameless" : label(nic.name, kPartNameColumns));
      }
      const std::string where =
          place.near == 0 ? "near no GPU"
                          : "same " + std::string(kLinkClasses[static_cast<std::size_t>(place.level)]) +
                                " as GPU " + index_list(place.near);
      append(out, wrapped("NIC " + names + ": " + where, kPictureColumns, 2));
    }
    return out;
  }

  // NUMA nodes without anything to draw are many on some machines: those with equally many cores together.
  static TextBlock list_quiet(const std::vector<Region>& regions) {
    std::vector<std::string_view> cores;
    std::string text;
    for (const Region& each : regions) {
      if (std::find(cores.begin(), cores.end(), each.cores) != cores.end()) continue;
      cores.push_back(each.cores);
      std::vector<std::string_view> names;
      for (const Region& other : regions) {
        if (other.cores == each.cores) names.push_back(other.name);
      }
      text += (text.empty() ? "without GPUs: " : "; ") + fold_names(names, kPictureColumns - 30);
      if (!each.cores.empty()) text += ", " + each.cores + (names.size() > 1 ? " each" : "");
    }
    return text.empty() ? TextBlock{} : wrapped(text, kPictureColumns, 2);
  }

  const NodeClass& class_;
  std::vector<bool> drawn_;  // by NIC
};

}  // namespace

std::string draw_node_class(const NodeClass& node_class, std::string_view title) {
  std::string out;
  for (const std::string& line : NodeClassPicture(node_class).draw(title)) out += line + '\n';
  return out;
}

}  // namespace cede
