// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "topology/import/xml_reader.h"
#include "topology/import/xml_set.h"

namespace cede {

enum class XmlKind : std::uint8_t { machine, group, cache, pu, numa, memory_cache, bridge, pci, os, misc };

// One <object> as far as its own tag tells.
struct XmlObject {
  std::string_view type;
  XmlKind kind = XmlKind::group;
  std::uint32_t gp_index = 0;  // 2.x only
  bool dropped = false;        // nothing in it is of use, or hwloc could not hold it
  bool has_nodesets = false;
  XmlSet cpuset, complete_cpuset, nodeset, complete_nodeset;
  // Over the children read so far.
  XmlSet child_cpus, complete_child_cpus;
  std::uint32_t last_child = 0;
  bool has_children = false;
};

// Reads the attributes of the <object> the reader stands at, for an export of that major version, and appends
// the tag that hwloc may see to `clean` unless the object is dropped. False with `why` when it breaks a rule.
bool read_xml_object(const XmlReader& reader, unsigned version, XmlObject* parent, XmlObject& out,
                     std::string& clean, std::string& why);

// Whether the children that were read account for all CPUs of the object; PUs are where it ends.
bool is_complete(const XmlObject& object, unsigned version);

// A decimal number without sign, at most `max`.
bool parse_decimal(std::string_view text, std::uint64_t max, std::uint64_t& out);

// Appends ` name="value"`. Bytes outside ASCII become `?`, as hwloc itself never writes any.
void append_attribute(std::string& clean, std::string_view name, std::string_view value);

}  // namespace cede
