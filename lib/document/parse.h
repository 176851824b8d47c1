// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "document/value_sinks.h"
#include "model/limits.h"

namespace cede {

// Runs a JSON text through `root`, which takes the members of the outermost object. One pass, no tree in
// memory. Problems are reported to the reading; each gets its line and column. Returns false when there were
// any.
bool parse_document(std::string_view text, const Limits& limits, Reading& reading, ValueSink& root);

inline constexpr std::string_view kClusterFormat = "cede-cluster/1";
inline constexpr std::string_view kChangesFormat = "cede-changes/1";
inline constexpr std::string_view kPolicyFormat = "cede-policy/1";

// Reports a `format` that is not one of the expected: another version of a known one, or something else
// altogether.
void fail_format(Reading& reading, const Scalar& value, std::span<const std::string_view> expected);

// The text of the outermost `format` member; empty and a problem where the text is no JSON object or has
// none.
std::string document_format(std::string_view text, const Limits& limits, Reading& reading);

}  // namespace cede
