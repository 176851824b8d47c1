// SPDX-License-Identifier: MIT
#include "capi/guard.h"
#include "capi/handles.h"

using cede::Problems;
using cede::capi::guard;
using cede::capi::missing;
using cede::capi::tell;

int32_t cede_engine_shares(const cede_engine* engine, const char* group, int64_t now, cede_text** text,
                           cede_error* error) {
  return guard(error, [&] {
    if (!engine) return missing(error, "engine: NULL is not an engine");
    if (!text) return missing(error, "text: NULL is not a place for the new text");
    static_assert(CEDE_NOW_OF_CLUSTER == cede::kNoTime);
    if (now != CEDE_NOW_OF_CLUSTER && (now < 0 || now > cede::kMaxTime)) {
      return missing(error,
                     "now: " + std::to_string(now) + " is outside 0.." + std::to_string(cede::kMaxTime));
    }
    std::optional<std::string_view> wanted;
    if (group) wanted.emplace(group);
    Problems problems = engine->engine.new_problems();
    std::optional<std::string> made = engine->engine.shares(wanted, now, problems);
    if (!made) return tell(error, problems);
    *text = new cede_text{std::move(*made)};
    return tell(error, CEDE_OK, {});
  });
}
