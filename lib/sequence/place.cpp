// SPDX-License-Identifier: MIT
#include "sequence/place.h"

#include "base/text.h"

namespace cede {

std::string space_fault(const Place& place) {
  if (place.share > static_cast<std::uint32_t>(kOne) ||
      (place.share > 0 && place.share_device >= kMaxDevices))
    return "share: " + std::to_string(place.share) + " thousandths of device " +
           std::to_string(place.share_device) + " is outside 1..1000 of 0.." +
           std::to_string(kMaxDevices - 1);
  if (place.share > 0 && (place.gpus >> place.share_device & 1) != 0)
    return "device " + std::to_string(place.share_device) + " is held whole and in part";
  if (!place.devices_known && (place.gpus != 0 || place.share > 0))
    return "devices are named that are said to be unknown";
  for (const auto& [resource, amount] : place.resources) {
    if (resource.empty() || amount < 0 || amount > kMaxAmount)
      return "resource " + quote(resource) + ": " + std::to_string(amount) + " is outside 0.." +
             std::to_string(kMaxAmount) + " thousandths";
  }
  return {};
}

}  // namespace cede
