// SPDX-License-Identifier: MIT
#pragma once

#include "console.h"
#include "json_tree.h"

namespace cli {

// A cede-shares/1 document for people: per group a sentence and a table in which queues and their jobs stand
// as a tree.
void print_shares(const JsonNode& document, Console& console);

}  // namespace cli
