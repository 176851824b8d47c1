// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "document/reading.h"
#include "model/limits.h"

namespace cede {

// Parses a JSON text into `root`, which receives the members of the outermost object. One pass, no tree in
// memory. Problems are reported to `reading`, each with line and column. Returns false if there are any.
bool parse_document(std::string_view text, const Limits& limits, Reading& reading, ValueSink& root);

inline constexpr std::string_view kClusterFormat = "cede-cluster/1";
inline constexpr std::string_view kChangesFormat = "cede-changes/1";
inline constexpr std::string_view kPolicyFormat = "cede-policy/1";

// Reports an unexpected `format`: another version of a known format, or an unknown one.
void fail_format(Reading& reading, const Scalar& value, std::span<const std::string_view> expected);

// The text of the outermost `format` member. Empty, with a problem, if the text is no JSON object or has no
// such member.
std::string document_format(std::string_view text, const Limits& limits, Reading& reading);

}  // namespace cede
