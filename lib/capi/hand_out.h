// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstring>

#include "capi/guard.h"

namespace cede::capi {

// An answer under the growth rule: an older caller gets the part it knows, a newer one zeros behind it.
template <class Struct>
void write_out(const Struct& facts, void* out, std::size_t out_size) {
  std::memset(out, 0, out_size);
  std::memcpy(out, &facts, std::min(out_size, sizeof facts));
}

template <class Struct>
std::int32_t hand_out(const Struct& facts, void* out, std::size_t out_size, cede_error* error) {
  write_out(facts, out, out_size);
  return tell(error, CEDE_OK, {});
}

}  // namespace cede::capi
