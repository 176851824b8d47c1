// SPDX-License-Identifier: MIT
#pragma once

#include "model/node_class.h"
#include "report/text_block.h"

namespace cede {

// What is linked to what: a sentence where each island is joined throughout, else a table of all pairs, which
// shows links that do not close as they are.
TextBlock draw_links(const NodeClass& node_class);

}  // namespace cede
