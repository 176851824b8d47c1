// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "topology/import/xml_reader.h"

namespace cede {

// The matrices that tell about links between devices; all others are left out.
inline constexpr std::array<std::string_view, 4> kLinkMatrices{"NVLinkBandwidth", "XGMIBandwidth", "XGMIHops",
                                                               "XeLinkBandwidth"};

struct XmlIndexedObject {
  std::uint32_t gp_index = 0;
  std::uint32_t line = 0;
  std::string_view type;
};

// Reads the <distances2> or <distances2hetero> the reader stands at, up to its end, and appends a link matrix
// to `clean`, numbers and lengths written afresh. `objects` are sorted by gp_index. False with `why` when it
// breaks a rule.
bool read_xml_matrix(XmlReader& reader, std::span<const XmlIndexedObject> objects, std::string& clean,
                     std::string& why);

}  // namespace cede
