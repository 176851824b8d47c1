// SPDX-License-Identifier: MIT
#include "document/write_parts.h"

namespace cede {

namespace {

// Writes what differs from the defaults, so that a requirement reads back as people would write it.
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

}  // namespace cede
