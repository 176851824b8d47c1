// SPDX-License-Identifier: MIT
#include <cede/cede.h>

#include "limited_child.h"
#include "topology_files.h"

namespace cli {

namespace {

void check(const TopologyXml& topology) {
  const std::string document = "{\"format\":\"cede-cluster/1\",\"topologies\":{\"t\":{\"" + topology.member +
                               "\":" + topology.token + "}}}";
  cede_engine* engine = nullptr;
  cede_report* report = nullptr;
  if (cede_engine_create(nullptr, 0, nullptr, 0, CEDE_VERSION, &engine, nullptr) < 0) return;
  // What is wrong with an XML that can be parsed is told when the document is checked.
  cede_engine_check(engine, document.data(), document.size(), &report, nullptr);
  cede_report_destroy(report);
  cede_engine_destroy(engine);
}

}  // namespace

std::vector<Finding> try_topologies(const std::vector<TopologyXml>& topologies) {
  const std::optional<ChildEnd> end =
      run_limited(topologies.size(), [&](std::size_t i) { check(topologies[i]); });
  if (!end) return {};
  if (end->by_system) return {{.by_system = true, .text = end->why}};
  return {{.path = topologies[end->piece].path, .text = end->why}};
}

}  // namespace cli
