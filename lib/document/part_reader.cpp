// SPDX-License-Identifier: MIT
#include "document/part_reader.h"

#include "document/parse.h"
#include "document/requirement_reader.h"
#include "document/settings_reader.h"
#include "document/small_sinks.h"
#include "document/topology_reader.h"
#include "model/edit.h"
#include "policy/settings/setting_values.h"

namespace cede {

std::shared_ptr<const Requirement> read_requirement_part(std::string_view text, const Limits& limits,
                                                         Problems& problems) {
  ModelEdit scratch({}, limits, problems, true);
  Reading reading(problems);
  RequirementSink sink(reading, scratch);
  RequirementId id;
  sink.start(id);
  if (!parse_document(text, limits, reading, sink)) return nullptr;
  // One that asks for nothing is not interned.
  return id ? scratch.model().requirements[id.value] : std::make_shared<const Requirement>();
}

std::string read_settings_part(std::string_view text, SettingHolder holder, const Limits& limits,
                               Problems& problems) {
  Reading reading(problems);
  SettingsSink sink(reading, holder);
  SettingValues values;
  SiteFields site;
  sink.start(values, site);
  return parse_document(text, limits, reading, sink) ? encode_settings(values) : std::string{};
}

std::string read_pairs_part(std::string_view text, const Limits& limits, Problems& problems) {
  Reading reading(problems);
  PairsSink sink(reading, limits);
  PairsSink::Pairs pairs;
  sink.start(pairs);
  if (!parse_document(text, limits, reading, sink)) return {};
  return encode_pairs({pairs.begin(), pairs.end()});
}

void read_topology_part(std::string_view text, NameId name, ModelEdit& edit) {
  Reading reading(edit.problems());
  TopologySink sink(reading, edit);
  sink.start(name);
  parse_document(text, edit.limits(), reading, sink);
}

}  // namespace cede
