// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "finding.h"
#include "replacement.h"

namespace cli {

// A topology's XML in a document, as a JSON text with its quotes.
struct TopologyXml {
  std::string path;    // of the member, as the user wrote it
  std::string member;  // as the library knows it: `hwloc_xml`
  std::string token;
};

// Replaces `"hwloc_xml_file": "name"` and its kind in every object under `topologies`, and
// `"slurm_topology_file": "name"` in `network` (in a changes document `put.topologies` and `put.network`), by
// `"hwloc_xml": "…"` and so on with that file's content: the library reads no files. Names are relative to
// the document's folder. Every other byte and every line stays where it is. Stops where the JSON is
// malformed; the library reports that. Also collects the XML of all topologies.
std::vector<Finding> inline_topology_files(const std::string& document_name, bool in_changes,
                                           std::string& text, Replacements& replaced,
                                           std::vector<TopologyXml>& topologies);

// The path that a finding of the library has when the member's text came from a file: `…hwloc_xml_file`.
std::string path_of_file(const std::string& path);

// Parses each XML in a child process first (limited_child.h says why).
std::vector<Finding> try_topologies(const std::vector<TopologyXml>& topologies);

}  // namespace cli
