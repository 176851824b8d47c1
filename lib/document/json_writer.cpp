// SPDX-License-Identifier: MIT
#include "document/json_writer.h"

#include <algorithm>
#include <vector>

#include "policy/settings/setting.h"
#include "policy/settings/setting_values.h"

namespace cede {

void append_json_string(std::string& out, std::string_view text) {
  static constexpr std::string_view kHex = "0123456789abcdef";
  out.push_back('"');
  for (const char c : text) {
    switch (c) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\n': out += "\\n"; break;
      case '\r': out += "\\r"; break;
      case '\t': out += "\\t"; break;
      default:
        if (static_cast<unsigned char>(c) < 0x20) {
          out += "\\u00";
          out.push_back(kHex[static_cast<unsigned char>(c) >> 4]);
          out.push_back(kHex[static_cast<unsigned char>(c) & 0xF]);
        } else {
          out.push_back(c);
        }
    }
  }
  out.push_back('"');
}

void JsonWriter::separate() {
  if (need_comma_) out_->push_back(',');
  need_comma_ = true;
}

JsonWriter& JsonWriter::open(char bracket) {
  separate();
  out_->push_back(bracket);
  need_comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
  out_->push_back(bracket);
  need_comma_ = true;
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  separate();
  append_json_string(*out_, name);
  out_->push_back(':');
  need_comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::text(std::string_view value) {
  separate();
  append_json_string(*out_, value);
  return *this;
}

JsonWriter& JsonWriter::raw(std::string_view value) {
  separate();
  *out_ += value;
  return *this;
}

JsonWriter& JsonWriter::line() {
  if (need_comma_) out_->push_back(',');
  need_comma_ = false;
  out_->push_back('\n');
  return *this;
}

namespace {

// Calls visit(key, json) for each site field directly under the prefix.
template <class Visit>
void each_site_field(std::string_view fields, std::string_view prefix, Visit visit) {
  while (!fields.empty()) {
    const std::size_t key_end = fields.find('\0');
    const std::size_t value_end = fields.find('\0', key_end + 1);
    const std::string_view key = fields.substr(0, key_end);
    if (key.starts_with(prefix) && key.substr(prefix.size()).starts_with("x-")) {
      visit(key.substr(prefix.size()), fields.substr(key_end + 1, value_end - key_end - 1));
    }
    fields.remove_prefix(value_end + 1);
  }
}

}  // namespace

void ClusterParts::name(std::string_view key, NameId id) {
  if (id != kNoName) json_.key(key).text(model_.name(id));
}

void ClusterParts::shape(std::string_view key, ShapeId id) {
  if (id == kNoShape) return;
  std::vector<ResourceAmount> entries(model_.shape(id).begin(), model_.shape(id).end());
  std::sort(entries.begin(), entries.end(), [&](const ResourceAmount& a, const ResourceAmount& b) {
    return model_.resource_name(a.resource) < model_.resource_name(b.resource);
  });
  json_.key(key).begin_object();
  for (const ResourceAmount& entry : entries) {
    json_.key(model_.resource_name(entry.resource)).raw(format_amount(entry.amount));
  }
  json_.end_object();
}

void ClusterParts::time(std::string_view key, Time value) {
  if (value != kNoTime) json_.key(key).raw(format_seconds(value));
}

void ClusterParts::duration(std::string_view key, Duration value) {
  if (value != kNoDuration) json_.key(key).raw(format_seconds(value));
}

void ClusterParts::scaled(std::string_view key, std::int64_t value, int places) {
  if (value >= 0) json_.key(key).raw(format_scaled(value, places));
}

void ClusterParts::flag(std::string_view key, OptionalFlag value) {
  if (value != OptionalFlag::absent) json_.key(key).flag(value == OptionalFlag::yes);
}

void ClusterParts::preemptible(Preemptible value) {
  if (value == Preemptible::absent) return;
  json_.key("preemptible");
  if (value == Preemptible::last_resort) {
    json_.text("last-resort");
  } else {
    json_.flag(value == Preemptible::yes);
  }
}

void ClusterParts::site(std::string_view fields, std::string_view prefix) {
  each_site_field(fields, prefix,
                  [&](std::string_view key, std::string_view value) { json_.key(key).raw(value); });
}

bool ClusterParts::has_site(std::string_view fields, std::string_view prefix) const {
  bool found = false;
  each_site_field(fields, prefix, [&](std::string_view, std::string_view) { found = true; });
  return found;
}

void ClusterParts::settings(BlobId id, std::string_view site_fields) {
  if (id == kNoBlob && !has_site(site_fields, "settings/")) return;
  const SettingValues values = decode_settings(model_.blobs.view(id));
  json_.key("settings").begin_object();
  for (const SettingValues::Entry& entry : values.entries()) {
    const SettingSpec& spec = setting_anywhere(entry.id);
    json_.key(spec.name);
    if (spec.unit == SettingUnit::amounts && entry.value != kNoSetting) {
      json_.begin_object();
      for (const auto& [resource, amount] : values.usage_threshold())
        json_.key(resource).raw(format_amount(amount));
      json_.end_object();
    } else {
      json_.raw(format_setting(spec, entry.value));
    }
  }
  site(site_fields, "settings/");
  json_.end_object();
}

void ClusterParts::devices(DeviceMask mask) {
  json_.begin_array();
  for (std::uint32_t d = 0; d < kMaxDevices; ++d) {
    if ((mask >> d & 1) != 0) json_.number(d);
  }
  json_.end_array();
}

namespace {

// Writes only what differs from the defaults, as a person would write a requirement.
class RequirementWriter {
 public:
  RequirementWriter(const Requirement& requirement, const Model& model, JsonWriter& json)
      : r_(requirement), json_(json), parts_(model, json) {}

  void write() {
    json_.begin_object();
    bounds("nodes", r_.nodes);
    bounds("tasks_per_node", r_.tasks_per_node);
    texts("gpu_model", r_.gpu_models);
    word("uniform_model", r_.uniform_model, UniformModel::off, kUniformModels);
    gpus();
    nic();
    if (open("cpu", "cpu/", r_.cpu_numa != CpuNuma::none)) {
      word("numa", r_.cpu_numa, CpuNuma::none, kCpuNumas);
      close("cpu/");
    }
    network();
    exclusive();
    conformance();
    word("placement", r_.placement, PlacementStyle::tight, kPlacementStyles);
    hosts();
    parts_.site(r_.site_fields);
    json_.end_object();
  }

 private:
  using Pairs = std::vector<std::pair<std::string, std::string>>;

  bool open(std::string_view key, std::string_view prefix, bool wanted) {
    if (!wanted && !parts_.has_site(r_.site_fields, prefix)) return false;
    json_.key(key).begin_object();
    return true;
  }
  void close(std::string_view prefix) {
    parts_.site(r_.site_fields, prefix);
    json_.end_object();
  }
  template <class Enum, std::size_t kCount>
  void word(std::string_view key, Enum value, Enum fallback,
            const std::array<std::string_view, kCount>& words) {
    if (value != fallback) json_.key(key).text(to_word(value, words));
  }
  void bounds(std::string_view key, const Bounds& b) {
    const std::string prefix = std::string(key) + '/';
    if (!open(key, prefix, b != Bounds{})) return;
    if (b.min != 0) json_.key("min").number(b.min);
    if (b.max != kNoBound) json_.key("max").number(b.max);
    close(prefix);
  }
  void texts(std::string_view key, const std::vector<std::string>& list) {
    if (list.empty()) return;
    json_.key(key).begin_array();
    for (const std::string& text : list) json_.text(text);
    json_.end_array();
  }
  void pairs(std::string_view key, const Pairs& list) {
    if (list.empty()) return;
    json_.key(key).begin_object();
    for (const auto& [name, value] : list) json_.key(name).text(value);
    json_.end_object();
  }
  void gpus() {
    if (r_.gpus.empty()) return;
    json_.key("gpus").begin_array();
    for (std::size_t i = 0; i < r_.gpus.size(); ++i) {
      const GpuRequirement& need = r_.gpus[i];
      json_.begin_object();
      word("scope", need.scope, GpuScope::task, kGpuScopes);
      json_.key("level").text(to_word(need.level, kGpuLevels));
      word("mode", need.mode, GpuMode::clique, kGpuModes);
      word("strength", need.strength, Strength::hard, kStrengths);
      close("gpus/" + std::to_string(i) + '/');
    }
    json_.end_array();
  }
  void nic() {
    if (!r_.nic.given) return;
    json_.key("nic").begin_object();
    word("level", r_.nic.level, GpuLevel::pcie, kGpuLevels);
    if (!r_.nic.per_gpu) json_.key("per_gpu").flag(false);
    word("strength", r_.nic.strength, Strength::hard, kStrengths);
    close("nic/");
  }
  void network() {
    if (r_.network.empty()) return;
    json_.key("network").begin_array();
    for (std::size_t i = 0; i < r_.network.size(); ++i) {
      const NetworkRequirement& need = r_.network[i];
      json_.begin_object().key("level").text(need.level);
      const std::uint32_t usual = need.segment > 0 ? kNoBound : 1;
      if (need.max_domains != usual) json_.key("max_domains").number(need.max_domains);
      if (need.segment > 0) json_.key("segment").number(need.segment);
      if (!need.consolidate.empty()) json_.key("consolidate").text(need.consolidate);
      if (need.spread) json_.key("spread").flag(true);
      parts_.duration("expires", need.expires);
      word("strength", need.strength, Strength::hard, kStrengths);
      close("network/" + std::to_string(i) + '/');
    }
    json_.end_array();
  }
  void exclusive() {
    switch (r_.exclusive) {
      case Exclusive::none: break;
      case Exclusive::node: json_.key("exclusive").text("node"); break;
      case Exclusive::user: json_.key("exclusive").text("user"); break;
      case Exclusive::domain: json_.key("exclusive").text("domain:" + r_.exclusive_level); break;
    }
  }
  void conformance() {
    const ConformanceRequirement& need = r_.conformance;
    if (!open("conformance", "conformance/", need != ConformanceRequirement{})) return;
    word("mode", need.mode, ConformanceMode::absent, kConformanceModes);
    texts("components", need.components);
    word("scope", need.scope, ConformanceScope::job, kConformanceScopes);
    parts_.duration("max_age", need.max_age);
    pairs("baseline", need.baseline);
    close("conformance/");
  }
  void hosts() {
    if (!open("hosts", "hosts/", r_.hosts != HostRequirement{})) return;
    texts("include", r_.hosts.include);
    texts("exclude", r_.hosts.exclude);
    pairs("labels", r_.hosts.labels);
    close("hosts/");
  }

  const Requirement& r_;
  JsonWriter& json_;
  ClusterParts parts_;
};

}  // namespace

void write_requirement(const Requirement& requirement, const Model& model, JsonWriter& json) {
  RequirementWriter(requirement, model, json).write();
}

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
