// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/amount.h"
#include "model/ids.h"

namespace cede {

// One element of a resource vector. Vectors are interned as bytes, sorted by resource. The struct has no
// padding, so equal vectors have equal ids.
struct ResourceAmount {
  Amount amount = 0;
  std::uint32_t resource = 0;
  std::uint32_t zero = 0;

  bool operator==(const ResourceAmount&) const = default;
};
static_assert(sizeof(ResourceAmount) == 16);

using ResourceView = std::span<const ResourceAmount>;

// The amount of one resource, or `absent` if the vector does not contain it.
inline Amount amount_of(ResourceView view, std::uint32_t resource, Amount absent = 0) {
  for (const ResourceAmount& entry : view) {
    if (entry.resource == resource) return entry.amount;
  }
  return absent;
}

// A share of a device that a task holds.
struct DeviceShare {
  std::uint32_t device = 0;
  std::uint32_t share = 0;  // in thousandths of the device, 1..999
};
static_assert(sizeof(DeviceShare) == 8);

}  // namespace cede
