// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>

#include "engine/outlook.h"

namespace cede {

// The outlook in which the room that victims of some entries leave over is free: for a plan that comes after
// those entries. The one given where they leave nothing.
std::shared_ptr<const Outlook> with_spare_room(const std::shared_ptr<const Outlook>& outlook,
                                               const Sequence& sequence, std::span<const EntryId> lenders);

}  // namespace cede
