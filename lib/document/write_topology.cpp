// SPDX-License-Identifier: MIT
#include <algorithm>

#include "document/write_parts.h"

namespace cede {

std::string link_site_prefix(const NodeClass::LinkGroup& group) {
  return "links/" + std::string(to_word(group.link, kLinkClasses)) + '/' + std::to_string(group.devices) +
         '/' + std::to_string(group.lanes) + '/';
}

void write_topology(const Model& model, const TopologyRow& row, JsonWriter& json) {
  std::vector<std::string_view> pci;
  for (std::string_view left = model.blobs.view(row.pci); !left.empty();) {
    const std::size_t end = left.find('\0');
    pci.push_back(left.substr(0, end));
    left.remove_prefix(end + 1);
  }
  ClusterParts parts(model, json);
  write_node_class(*model.classes[row.node_class.value], pci, model.blobs.view(row.site), parts, json);
}

void write_node_class(const NodeClass& c, std::span<const std::string_view> pci, std::string_view site,
                      ClusterParts& parts, JsonWriter& json) {
  json.begin_object().key("gpus").number(static_cast<std::int64_t>(c.devices.size()));

  const auto any = [&](auto member) {
    return std::any_of(c.devices.begin(), c.devices.end(),
                       [&](const NodeClass::Device& d) { return d.*member != NodeClass::Device{}.*member; });
  };
  const auto text_or_null = [&](std::string_view text) {
    if (text.empty()) {
      json.raw("null");
    } else {
      json.text(text);
    }
  };
  if (any(&NodeClass::Device::model)) {
    json.key("model").begin_array();
    for (const NodeClass::Device& device : c.devices) text_or_null(device.model);
    json.end_array();
  }
  if (!pci.empty()) {
    json.key("pci").begin_array();
    for (const std::string_view address : pci) text_or_null(address);
    json.end_array();
  }
  if (any(&NodeClass::Device::parent)) {
    json.key("parent").begin_array();
    for (const NodeClass::Device& device : c.devices) {
      if (device.parent < 0) {
        json.raw("null");
      } else {
        json.number(device.parent);
      }
    }
    json.end_array();
  }
  const auto masks = [&](std::string_view key, const std::vector<DeviceMask>& list) {
    if (list.empty()) return;
    json.key(key).begin_array();
    for (const DeviceMask mask : list) parts.devices(mask);
    json.end_array();
  };
  masks("numa", c.numa);
  masks("sockets", c.sockets);
  masks("pcie", c.pcie);
  masks("host_bridges", c.host_bridges);
  if (!c.cores.empty()) {
    json.key("cores").begin_array();
    for (const std::uint32_t cores : c.cores) json.number(cores);
    json.end_array();
  }
  if (c.links_known || !c.links.empty()) {
    if (!c.links_known) json.key("links_known").flag(false);
    json.key("links").begin_object();
    for (std::size_t i = 0; i < c.links.size(); ++i) {  // sorted by class
      if (i == 0 || c.links[i].link != c.links[i - 1].link) {
        if (i > 0) json.end_array();
        json.key(to_word(c.links[i].link, kLinkClasses)).begin_array();
      }
      const std::string prefix = link_site_prefix(c.links[i]);
      if (c.links[i].lanes == 0 && !parts.has_site(site, prefix)) {
        parts.devices(c.links[i].devices);
        continue;
      }
      json.begin_object().key("devices");
      parts.devices(c.links[i].devices);
      if (c.links[i].lanes > 0) json.key("lanes").number(c.links[i].lanes);
      parts.site(site, prefix);
      json.end_object();
    }
    if (!c.links.empty()) json.end_array();
    parts.site(site, "links/");
    json.end_object();
  }
  if (c.nics_known) {
    json.key("nics").begin_array();
    for (std::size_t i = 0; i < c.nics.size(); ++i) {
      const NodeClass::Nic& nic = c.nics[i];
      json.begin_object();
      if (!nic.name.empty()) json.key("name").text(nic.name);
      json.key("near");
      parts.devices(nic.near);
      if (nic.level != LinkClass::pcie) json.key("level").text(to_word(nic.level, kLinkClasses));
      parts.site(site, "nics/" + std::to_string(i) + '/');
      json.end_object();
    }
    json.end_array();
  }
  if (!c.degraded.empty()) {
    json.key("degraded").begin_array();
    for (const auto& pair : c.degraded) json.begin_array().number(pair[0]).number(pair[1]).end_array();
    json.end_array();
  }
  parts.site(site);
  json.end_object();
}

}  // namespace cede
