// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "capi/guard.h"
#include "capi/handles.h"

namespace cede::capi {

// An array of the caller that an answer is written to.
template <class Struct>
struct ArrayOut {
  Struct* out;
  std::size_t size;  // of one element, as the caller knows it
  std::size_t capacity;
  std::size_t* count;  // may be null
};

// Writes the elements that the caller has room for, and how many there are in all. `one(i)` makes an element.
template <class Struct, class One>
std::int32_t write_array(const ArrayOut<Struct>& to, std::size_t all, One one, cede_error* error) {
  if (to.capacity > 0) {
    if (const std::int32_t status = place_fault(to.out, to.size, "out", error)) return status;
    if (const std::int32_t status = memory_fault(to.capacity, to.size, "capacity", error)) return status;
  }
  const std::size_t some = std::min(to.capacity, all);
  for (std::size_t i = 0; i < some; ++i)
    write_out(one(i), static_cast<char*>(static_cast<void*>(to.out)) + i * to.size, to.size);
  if (to.count) *to.count = all;
  return tell(error, CEDE_OK, {});
}

// The same for elements that exist already.
template <class Struct>
std::int32_t write_array(const ArrayOut<Struct>& to, const std::vector<Struct>& from, cede_error* error) {
  return write_array(
      to, from.size(), [&](std::size_t i) -> const Struct& { return from[i]; }, error);
}

}  // namespace cede::capi
