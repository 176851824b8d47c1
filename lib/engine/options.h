// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/problem.h"
#include "model/limits.h"

namespace cede {

struct Options {
  Limits limits;
  std::uint64_t threads = 0;  // 0: as many as TBB allows
  std::uint64_t audit = 0;    // 1: audit after every change
};

// One row of the list behind cede_option_count() and its related calls.
struct OptionSpec {
  const char* name;
  const char* fallback;
  const char* help;
  std::uint64_t min;
  std::uint64_t max;
  std::uint64_t& (*in)(Options&);
};

std::span<const OptionSpec> option_specs();

// Sets an option from `name=value`. On failure `why` has the reason; the status is `unknown` for an unknown
// name and `invalid` otherwise.
Status set_option(Options& options, std::string_view text, std::string& why);

}  // namespace cede
