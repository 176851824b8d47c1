// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/problem.h"
#include "model/limits.h"
#include "model/step_view.h"

namespace cede {

class JsonWriter;

// The most events that one document may have.
inline constexpr std::size_t kMostEvents = 10'000'000;

// Reads a cede-events/1 document. Returns false if there are problems.
bool read_events(std::string_view text, const Limits& limits, Problems& problems,
                 std::vector<EventView>& out);

std::string write_step(const StepView& view);

// The place of one task, as documents about what is in flight show it.
void write_place(JsonWriter& json, const LedgerView::Place& place);

}  // namespace cede
