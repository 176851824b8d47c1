// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/problem.h"
#include "engine/engine.h"
#include "sequence/sequence.h"

namespace cede {

// The events of a cede-events/1 document, or nothing with problems.
std::optional<std::vector<Event>> read_events_text(std::string_view text, const Limits& limits,
                                                   Problems& problems);

// The result of a step as a cede-actions/1 document.
std::string step_document(const StepResult& result, Time next_due);

}  // namespace cede
