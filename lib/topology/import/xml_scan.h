// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cede {

inline constexpr std::size_t kMaxXmlBytes = std::size_t{4} << 20;
inline constexpr std::size_t kMaxXmlObjects = 20'000;
inline constexpr std::size_t kMaxMatrixObjects = 256;

// The root object of a cleaned text carries this info. A topology without it did not come from that text.
inline constexpr const char* kScanMark = "CedeScan";

// What may be shown to hwloc.
struct CleanXml {
  std::string text;
  // The CPUs that jobs may use, as hwloc writes sets; empty: all. Kept from hwloc, which would cut the
  // machine down to them and, with HWLOC_THISSYSTEM in the environment, to those of the machine we run on.
  std::string allowed_cpuset;
};

// Reads an hwloc XML export (1.x or 2.x) with distrust and writes what hwloc may see of it. hwloc 2.9
// crashes, asserts or prints on some malformed texts, so it never gets the original: `clean` holds only
// elements, attributes and link matrices that the import uses, in the form that hwloc itself would write, and
// every rule that hwloc relies on without testing it was tested here:
//
// * at most kMaxXmlBytes, kMaxXmlDepth levels, kMaxXmlObjects objects, kMaxMatrixObjects per matrix, no
// userdata;
// * every object of the CPU and memory tree has all its sets, they lie inside its parent's, siblings are
// disjoint
//   and in order, a PU or NUMA node is exactly the member its os_index names;
// * objects are nested as hwloc nests them; gp_index is there, unique and below 2^31; matrices name objects
// that exist.
//
// One pass, time linear in the text. On false `why` is one sentence with the line.
bool scan_hwloc_xml(std::string_view xml, CleanXml& clean, std::string& why);

}  // namespace cede
