// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "model/network_description.h"

namespace cede {

// The network as a tree of its domains, at most kPictureColumns wide, with the number of nodes in each and
// the names of those below it directly. Of many domains below one the first few stand for all. Ends with a
// line break.
std::string draw_network(const NetworkDescription& network, std::string_view title);

}  // namespace cede
