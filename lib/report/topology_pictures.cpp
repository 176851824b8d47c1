// SPDX-License-Identifier: MIT
#include "report/topology_pictures.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <optional>
#include <vector>

#include "base/bits.h"
#include "report/text_block.h"

namespace cede {

NodeClassFacts count_facts(const NodeClass& node_class) {
  NodeClassFacts facts;
  facts.devices = static_cast<std::uint32_t>(node_class.devices.size());
  DeviceMask parents = 0;
  for (const NodeClass::Device& device : node_class.devices) {
    if (device.parent < 0) {
      ++facts.physical_devices;
    } else {
      parents |= DeviceMask{1} << device.parent;
    }
  }
  facts.physical_devices += static_cast<std::uint32_t>(count_bits(parents));
  facts.numa_nodes = static_cast<std::uint32_t>(node_class.numa.size());
  facts.sockets = static_cast<std::uint32_t>(node_class.sockets.size());
  facts.cores = std::accumulate(node_class.cores.begin(), node_class.cores.end(), std::uint32_t{0});
  facts.islands = static_cast<std::uint32_t>(link_islands(node_class).size());
  facts.nics = static_cast<std::uint32_t>(node_class.nics.size());
  return facts;
}

std::vector<DeviceMask> link_islands(const NodeClass& node_class) {
  std::vector<DeviceMask> islands;
  for (const NodeClass::LinkGroup& group : node_class.links) {
    if (group.link != LinkClass::nvl) continue;
    DeviceMask joined = group.devices;
    std::erase_if(islands, [&](DeviceMask island) {
      if ((island & joined) == 0) return false;
      joined |= island;
      return true;
    });
    islands.push_back(joined);
  }
  std::sort(islands.begin(), islands.end(),
            [](DeviceMask a, DeviceMask b) { return std::countr_zero(a) < std::countr_zero(b); });
  return islands;
}

std::string index_list(DeviceMask mask) {
  std::string out;
  while (mask != 0) {
    const int first = std::countr_zero(mask);
    const int size = std::countr_one(mask >> first);
    if (!out.empty()) out += ',';
    out += std::to_string(first);
    if (size > 1) out += (size == 2 ? ',' : '-') + std::to_string(first + size - 1);
    mask = first + size >= 64 ? 0 : mask >> (first + size) << (first + size);
  }
  return out;
}

namespace {

constexpr std::size_t kPartNameColumns = 24;

// A part of the machine that gets a box of its own.
struct Region {
  std::string name;    // `NUMA 3`
  std::string socket;  // `, socket 1`; empty: not known
  DeviceMask devices = 0;
  std::string cores;  // `56 cores`; empty: not known
};

class NodeClassPicture {
 public:
  NodeClassPicture(const NodeClass& node_class, std::size_t columns)
      : columns_(columns), class_(node_class), drawn_(node_class.nics.size()) {}

  TextBlock draw(std::string_view title) {
    TextBlock out = wrapped(headline(title), columns_, 2);
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
    append(out, arranged(boxes, columns_));
    append(out, list_quiet(quiet));
    append(out, draw_other_nics());
    append(out, draw_links(class_, columns_));
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
    std::string out = label(title, columns_ / 2) + ": " + counted(facts.devices, "GPU");
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

  // The devices are the only link between a NUMA node and its socket.
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
    TextBlock out = arranged(boxes, columns_ - 4);
    append(out, nic_lines(LinkClass::numa, region.devices));
    return out;
  }

  // One line per device; partitions of one device share a line.
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

  // The NICs of that level whose devices are all inside. Each is drawn once.
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

  // NICs of one place share a line.
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
      append(out, wrapped("NIC " + names + ": " + where, columns_, 2));
    }
    return out;
  }

  // Some machines have many NUMA nodes without anything to draw. Those with the same number of cores share a
  // line.
  TextBlock list_quiet(const std::vector<Region>& regions) const {
    std::vector<std::string_view> cores;
    std::string text;
    for (const Region& each : regions) {
      if (std::find(cores.begin(), cores.end(), each.cores) != cores.end()) continue;
      cores.push_back(each.cores);
      std::vector<std::string_view> names;
      for (const Region& other : regions) {
        if (other.cores == each.cores) names.push_back(other.name);
      }
      text += (text.empty() ? "without GPUs: " : "; ") + fold_names(names, columns_ - 30);
      if (!each.cores.empty()) text += ", " + each.cores + (names.size() > 1 ? " each" : "");
    }
    return text.empty() ? TextBlock{} : wrapped(text, columns_, 2);
  }

  const std::size_t columns_;
  const NodeClass& class_;
  std::vector<bool> drawn_;  // by NIC
};

}  // namespace

std::string draw_node_class(const NodeClass& node_class, std::string_view title, std::size_t columns) {
  std::string out;
  for (const std::string& line : NodeClassPicture(node_class, columns).draw(title)) out += line + '\n';
  return out;
}

namespace {

class Links {
 public:
  Links(const NodeClass& node_class, std::size_t columns)
      : columns_(columns),
        class_(node_class),
        size_(node_class.devices.size()),
        lanes_(size_ * size_),
        unknown_(size_ * size_) {
    for (const NodeClass::LinkGroup& group : class_.links) {
      for (std::size_t a = 0; a < size_; ++a) {
        for (std::size_t b = 0; b < size_; ++b) {
          if (a == b || (group.devices >> a & 1) == 0 || (group.devices >> b & 1) == 0) continue;
          if (group.link == LinkClass::nvl)
            lanes_[a * size_ + b] = std::max(lanes(a, b).value_or(0), group.lanes);
          if (group.link == LinkClass::unknown) unknown_[a * size_ + b] = true;
        }
      }
    }
  }

  TextBlock draw() const {
    if (size_ < 2) return {};
    TextBlock out;
    if (class_.links.empty()) {
      out.emplace_back(class_.links_known ? "links: none" : "links: not known");
    } else if (std::optional<std::string> sentence = describe_islands()) {
      out = wrapped(*sentence, columns_, 7);
    } else if (TextBlock table = draw_table(); columns_of(table) <= columns_) {
      out = std::move(table);
    } else {
      out = list_groups();
    }
    add_other_classes(out);
    return out;
  }

 private:
  const std::optional<std::uint16_t>& lanes(std::size_t a, std::size_t b) const {
    return lanes_[a * size_ + b];
  }
  bool is_degraded(std::size_t a, std::size_t b) const {
    const std::array<std::uint8_t, 2> pair{static_cast<std::uint8_t>(std::min(a, b)),
                                           static_cast<std::uint8_t>(std::max(a, b))};
    return std::find(class_.degraded.begin(), class_.degraded.end(), pair) != class_.degraded.end();
  }
  static std::string lanes_text(std::uint16_t lanes) {
    return lanes == 0 ? std::string() : ", " + counted(lanes, "link") + " per pair";
  }

  // nullopt if a pair of an island is not linked, or is linked differently from the others, or any link is
  // unknown or degraded.
  std::optional<std::string> describe_islands() const {
    if (!class_.degraded.empty() || std::count(unknown_.begin(), unknown_.end(), true) > 0)
      return std::nullopt;
    std::string out = "links:";
    DeviceMask joined = 0;
    for (const DeviceMask island : link_islands(class_)) {
      const auto first = static_cast<std::size_t>(std::countr_zero(island));
      const auto second = static_cast<std::size_t>(std::countr_zero(island & (island - 1)));
      for (std::size_t a = 0; a < size_; ++a) {
        for (std::size_t b = 0; b < a; ++b) {
          const bool inside = (island >> a & 1) != 0 && (island >> b & 1) != 0;
          if (inside && lanes(a, b) != lanes(first, second)) return std::nullopt;
        }
      }
      out += (joined == 0 ? " GPU " : "; GPU ") + index_list(island) + " each to each" +
             lanes_text(*lanes(first, second));
      joined |= island;
    }
    if (joined == 0) return std::nullopt;
    const DeviceMask all = ~DeviceMask{0} >> (kMaxDevices - size_);
    if ((all & ~joined) != 0) {
      out += "; GPU " + index_list(all & ~joined) + (class_.links_known ? " not at all" : ": not known");
    } else if (!class_.links_known) {
      out += "; others: not known";
    }
    return out;
  }

  std::string cell(std::size_t a, std::size_t b) const {
    if (a == b) return "-";
    const bool unknown = unknown_[a * size_ + b] || !class_.links_known;
    std::string out = !lanes(a, b)        ? (unknown ? "?" : ".")
                      : *lanes(a, b) == 0 ? "*"
                                          : std::to_string(*lanes(a, b));
    return is_degraded(a, b) ? out + '!' : out;
  }

  TextBlock draw_table() const {
    std::size_t width = std::to_string(size_ - 1).size();
    for (std::size_t a = 0; a < size_; ++a) {
      for (std::size_t b = 0; b < size_; ++b) width = std::max(width, cell(a, b).size());
    }
    const auto right = [&](const std::string& text) {
      return std::string(width + 1 - text.size(), ' ') + text;
    };
    TextBlock out{"links per pair (* some, . none, ? not known, ! degraded):"};
    std::string line = "  GPU" + std::string(3, ' ');
    for (std::size_t b = 0; b < size_; ++b) line += right(std::to_string(b));
    out.push_back(line);
    for (std::size_t a = 0; a < size_; ++a) {
      const std::string index = std::to_string(a);
      line = "  " + std::string(3 - index.size(), ' ') + index + std::string(3, ' ');
      for (std::size_t b = 0; b < size_; ++b) line += right(cell(a, b));
      out.push_back(line);
    }
    return out;
  }

  TextBlock list_groups() const {
    std::string text = "links:";
    for (const NodeClass::LinkGroup& group : class_.links) {
      if (group.link == LinkClass::nvl)
        text += " GPU " + index_list(group.devices) + lanes_text(group.lanes) + ';';
    }
    text += class_.links_known ? " no others" : " others: not known";
    for (const auto& pair : class_.degraded)
      text += "; " + std::to_string(pair[0]) + '-' + std::to_string(pair[1]) + " degraded";
    return wrapped(text, columns_, 7);
  }

  void add_other_classes(TextBlock& out) const {
    for (const NodeClass::LinkGroup& group : class_.links) {
      if (group.link == LinkClass::nvl || group.link == LinkClass::unknown) continue;
      const TextBlock lines = wrapped(std::string(kLinkClasses[static_cast<std::size_t>(group.link)]) +
                                          ": GPU " + index_list(group.devices) + lanes_text(group.lanes),
                                      columns_, 7);
      out.insert(out.end(), lines.begin(), lines.end());
    }
  }

  const std::size_t columns_;
  const NodeClass& class_;
  const std::size_t size_;
  std::vector<std::optional<std::uint16_t>> lanes_;
  std::vector<bool> unknown_;
};

}  // namespace

TextBlock draw_links(const NodeClass& node_class, std::size_t columns) {
  return Links(node_class, columns).draw();
}

namespace {

constexpr std::size_t kDomainNameColumns = 32;
// domains below one domain; a single further one is shown instead of `… 1 more`
constexpr std::size_t kShown = 8;
// in larger networks only the first domain of each list is drawn with its subtree
constexpr std::size_t kLarge = 64;

class NetworkPicture {
 public:
  NetworkPicture(const NetworkDescription& network, std::size_t columns)
      : columns_(columns),
        network_(network),
        children_(network.domains.size()),
        names_(network.domains.size()),
        nodes_(network.domains.size()) {
    for (const NetworkDescription::Node& node : network_.nodes) {
      names_[node.domain].push_back(node.name);
      for (std::int32_t at = static_cast<std::int32_t>(node.domain); at >= 0; at = domain(at).parent)
        ++nodes_[static_cast<std::size_t>(at)];
    }
    for (std::size_t i = 0; i < network_.domains.size(); ++i) {
      const std::int32_t parent = network_.domains[i].parent;
      (parent < 0 ? roots_ : children_[static_cast<std::size_t>(parent)]).push_back(i);
    }
  }

  TextBlock draw(std::string_view title) {
    lines_ = wrapped(headline(title), columns_, 2);
    draw_list(roots_, "", true);
    return std::move(lines_);
  }

 private:
  const NetworkDescription::Domain& domain(std::int32_t id) const {
    return network_.domains[static_cast<std::size_t>(id)];
  }

  // `topology.conf: 96 nodes; levels: 12 leaf, 6 spine, 1 core`
  std::string headline(std::string_view title) const {
    std::vector<std::size_t> count(network_.levels.size());
    for (const NetworkDescription::Domain& each : network_.domains) ++count[each.level];
    std::string out = label(title, columns_ / 2) + ": " + counted(network_.nodes.size(), "node");
    for (std::size_t i = 0; i < count.size(); ++i)
      out += (i == 0 ? "; levels: " : ", ") + std::to_string(count[i]) + ' ' + network_.levels[i];
    return out;
  }

  // The nearest levels come last, so that the top of the network is visible even if the list is cut.
  void draw_list(std::vector<std::size_t> ids, const std::string& indent, bool is_top) {
    std::stable_sort(ids.begin(), ids.end(), [this](std::size_t a, std::size_t b) {
      return network_.domains[a].level > network_.domains[b].level;
    });
    const std::size_t shown = ids.size() > kShown + 1 ? kShown : ids.size();
    for (std::size_t i = 0; i < shown; ++i) {
      const bool is_last = i + 1 == ids.size();
      draw_domain(ids[i], indent + (is_top ? "" : is_last ? "└─ " : "├─ "));
      if (i > 0 && network_.domains.size() >= kLarge) continue;
      draw_list(children_[ids[i]], indent + (is_top ? "" : is_last ? "   " : "│  "), false);
    }
    if (shown == ids.size()) return;
    std::size_t nodes = 0;
    for (std::size_t i = shown; i < ids.size(); ++i) nodes += nodes_[ids[i]];
    lines_.push_back(indent + (is_top ? "" : "└─ ") + "… " + std::to_string(ids.size() - shown) +
                     " more with " + counted(nodes, "node"));
  }

  void draw_domain(std::size_t id, const std::string& indent) {
    const NetworkDescription::Domain& each = network_.domains[id];
    std::string line = indent + network_.levels[each.level] + ' ' + label(each.name, kDomainNameColumns) +
                       "  " + counted(nodes_[id], "node");
    const std::size_t used = columns_of(line) + 2;
    if (!names_[id].empty() && used + 8 <= columns_) line += "  " + fold_names(names_[id], columns_ - used);
    lines_.push_back(label(line, columns_));
  }

  const std::size_t columns_;
  const NetworkDescription& network_;
  std::vector<std::vector<std::size_t>> children_;
  std::vector<std::vector<std::string_view>> names_;
  std::vector<std::size_t> nodes_;
  std::vector<std::size_t> roots_;
  TextBlock lines_;
};

}  // namespace

std::string draw_network(const NetworkDescription& network, std::string_view title, std::size_t columns) {
  std::string out;
  for (const std::string& line : NetworkPicture(network, columns).draw(title)) out += line + '\n';
  return out;
}

}  // namespace cede
