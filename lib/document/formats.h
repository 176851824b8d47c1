// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace cede {

// What stands in `format`. The first three and events are read; all but events are written.
inline constexpr std::string_view kClusterFormat = "cede-cluster/1";
inline constexpr std::string_view kChangesFormat = "cede-changes/1";
inline constexpr std::string_view kPolicyFormat = "cede-policy/1";
inline constexpr std::string_view kPlanFormat = "cede-plan/1";
inline constexpr std::string_view kInFlightFormat = "cede-in-flight/1";
inline constexpr std::string_view kEventsFormat = "cede-events/1";
inline constexpr std::string_view kActionsFormat = "cede-actions/1";
inline constexpr std::string_view kAdmissionFormat = "cede-admission/1";
inline constexpr std::string_view kSharesFormat = "cede-shares/1";
inline constexpr std::string_view kTopologyFormat = "cede-topology/1";

}  // namespace cede
