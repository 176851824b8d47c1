// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "model/node_class.h"

namespace cede {

// The machine as text, at most kPictureColumns wide: a box per NUMA node (per socket where those are not
// known) with its cores, in it a box per PCIe switch with its GPUs and NICs; below, the NICs that are near no
// switch, and the links. Ends with a line break.
std::string draw_node_class(const NodeClass& node_class, std::string_view title);

}  // namespace cede
