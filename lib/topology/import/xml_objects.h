// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "topology/import/xml_reader.h"

namespace cede {

// More CPUs than any machine has. A wider set would only cost memory.
inline constexpr std::uint32_t kMaxSetBits = 65536;

// A set of CPUs or memory nodes as hwloc writes it: fields of 32 bits, the highest first, empty for zero, as
// in `0x000000ff,,0x1`.
class XmlSet {
 public:
  // Returns false if the text is malformed, the set is infinite (`0xf...f`) or wider than kMaxSetBits.
  bool parse(std::string_view text);

  bool empty() const { return words_.empty(); }
  bool contains(const XmlSet& other) const;
  bool intersects(const XmlSet& other) const;
  bool is_only(std::uint32_t member) const;
  // The lowest member; kMaxSetBits if the set is empty, because hwloc sorts empty sets last.
  std::uint32_t first() const;
  void add(const XmlSet& other);

 private:
  std::vector<std::uint32_t> words_;  // lowest first; the last one is not zero
};

// The matrices that describe links between devices; all others are left out.
inline constexpr std::array<std::string_view, 4> kLinkMatrices{"NVLinkBandwidth", "XGMIBandwidth", "XGMIHops",
                                                               "XeLinkBandwidth"};

struct XmlIndexedObject {
  std::uint32_t gp_index = 0;
  std::uint32_t line = 0;
  std::string_view type;
};

// Reads the current <distances2> or <distances2hetero> up to its end, and appends a link matrix to `clean`
// with numbers and lengths written anew. `objects` are sorted by gp_index. Returns false with `why` if the
// matrix breaks a rule.
bool read_xml_matrix(XmlReader& reader, std::span<const XmlIndexedObject> objects, std::string& clean,
                     std::string& why);

enum class XmlKind : std::uint8_t { machine, group, cache, pu, numa, memory_cache, bridge, pci, os, misc };

// One <object>, as far as its own tag describes it.
struct XmlObject {
  std::string_view type;
  XmlKind kind = XmlKind::group;
  std::uint32_t gp_index = 0;  // 2.x only
  bool dropped = false;        // contains nothing useful, or hwloc could not store it
  bool has_nodesets = false;
  XmlSet cpuset, complete_cpuset, nodeset, complete_nodeset;
  // Over the children read so far.
  XmlSet child_cpus, complete_child_cpus;
  std::uint32_t last_child = 0;
  bool has_children = false;
};

// Reads the attributes of the current <object> of an export of that major version, and appends the tag that
// hwloc may see to `clean` unless the object is dropped. Returns false with `why` if the object breaks a
// rule.
bool read_xml_object(const XmlReader& reader, unsigned version, XmlObject* parent, XmlObject& out,
                     std::string& clean, std::string& why);

// Whether the children that were read account for all CPUs of the object. PUs have no children.
bool is_complete(const XmlObject& object, unsigned version);

// A decimal number without sign, at most `max`.
bool parse_decimal(std::string_view text, std::uint64_t max, std::uint64_t& out);

// Appends ` name="value"`. Bytes outside ASCII become `?`, because hwloc itself never writes any.
void append_attribute(std::string& clean, std::string_view name, std::string_view value);

}  // namespace cede
