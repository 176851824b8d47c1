// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "model/ledger_view.h"

namespace cede {

inline constexpr std::string_view kInFlightFormat = "cede-in-flight/1";

// What is in flight as one document.
std::string write_ledger(const LedgerView& view);

}  // namespace cede
