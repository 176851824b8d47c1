// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "policy/admit.h"

namespace cede {

inline constexpr std::string_view kAdmissionFormat = "cede-admission/1";

// The answer as a document.
std::string write_admission(const AdmissionAnswer& answer);

}  // namespace cede
