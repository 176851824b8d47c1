// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "model/model.h"

namespace cede {

// Appends the text as a JSON string in quotes.
void append_json_string(std::string& out, std::string_view text);

// Writes compact JSON, including commas. Keys and values are written in the given order; the caller keeps
// brackets balanced.
class JsonWriter {
 public:
  explicit JsonWriter(std::string& out) : out_(&out) {}

  JsonWriter& begin_object() { return open('{'); }
  JsonWriter& end_object() { return close('}'); }
  JsonWriter& begin_array() { return open('['); }
  JsonWriter& end_array() { return close(']'); }
  JsonWriter& key(std::string_view name);
  JsonWriter& text(std::string_view value);
  // Digits, true, false, null or any complete JSON value.
  JsonWriter& raw(std::string_view value);
  JsonWriter& number(std::int64_t value) { return raw(std::to_string(value)); }
  JsonWriter& flag(bool value) { return raw(value ? "true" : "false"); }
  // A line break between elements, for readability.
  JsonWriter& line();

 private:
  void separate();
  JsonWriter& open(char bracket);
  JsonWriter& close(char bracket);

  std::string* out_;
  bool need_comma_ = false;
};

// Parts that several objects of a cluster document share. A value that was not given is not written.
class ClusterParts {
 public:
  ClusterParts(const Model& model, JsonWriter& json) : model_(model), json_(json) {}

  void name(std::string_view key, NameId id);
  void shape(std::string_view key, ShapeId id);
  void time(std::string_view key, Time value);
  void duration(std::string_view key, Duration value);
  void scaled(std::string_view key, std::int64_t value, int places);  // negative: not given
  void flag(std::string_view key, OptionalFlag value);
  void preemptible(Preemptible value);
  // The site fields of the object itself, or of its part under the prefix, for example `checkpoint/`.
  void site(std::string_view fields, std::string_view prefix = {});
  bool has_site(std::string_view fields, std::string_view prefix) const;
  void settings(BlobId id, std::string_view site_fields);
  void devices(DeviceMask mask);

 private:
  const Model& model_;
  JsonWriter& json_;
};

// Where a topology keeps the site fields of one link. Links have no names, so the prefix is made of the
// devices they join.
std::string link_site_prefix(const NodeClass::LinkGroup& group);

void write_topology(const Model& model, const TopologyRow& row, JsonWriter& json);
// `pci`: one address per device, or empty; `site`: the site fields of the topology.
void write_node_class(const NodeClass& node_class, std::span<const std::string_view> pci,
                      std::string_view site, ClusterParts& parts, JsonWriter& json);
void write_requirement(const Requirement& requirement, const Model& model, JsonWriter& json);
void write_job(const Model& model, JobId id, JsonWriter& json);

}  // namespace cede
