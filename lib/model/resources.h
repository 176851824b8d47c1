// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/amount.h"
#include "model/ids.h"

namespace cede {

// One entry of a resource vector. Vectors are interned as their bytes, sorted by resource, so the struct has
// no padding and equal vectors have equal ids.
struct ResourceAmount {
  Amount amount = 0;
  std::uint32_t resource = 0;
  std::uint32_t zero = 0;

  bool operator==(const ResourceAmount&) const = default;
};
static_assert(sizeof(ResourceAmount) == 16);

using ResourceView = std::span<const ResourceAmount>;

// The amount of one resource, or `absent` where the vector does not name it.
inline Amount amount_of(ResourceView view, std::uint32_t resource, Amount absent = 0) {
  for (const ResourceAmount& entry : view) {
    if (entry.resource == resource) return entry.amount;
  }
  return absent;
}

// A device that a task holds in part.
struct DeviceShare {
  std::uint32_t device = 0;
  std::uint32_t share = 0;  // in thousandths of the device, 1..999
};
static_assert(sizeof(DeviceShare) == 8);

}  // namespace cede
