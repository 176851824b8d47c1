// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstring>
#include <string>

#include "capi/struct_size.h"

namespace cede::capi {

// Checks the place for an answer: 0, or a status with the error filled in. `name` is the argument.
template <class Struct>
std::int32_t place_fault(const Struct* out, std::size_t out_size, const std::string& name,
                         cede_error* error) {
  if (!out) return missing(error, name + ": NULL is no place for the answer");
  return size_fault<Struct>(out_size, name + "_size", error);
}

// Writes an answer under the growth rule: an older caller gets the part it knows, a newer caller gets zeros
// after it.
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

// Reads one struct of the caller under the same rule: fields that an older caller lacks are zero, and fields
// that a newer caller adds must be zero. `where()` names the struct.
template <class Struct, class Where>
std::int32_t take_in(const void* from, std::size_t size, Struct& out, Where where, cede_error* error) {
  std::memset(&out, 0, sizeof out);
  std::memcpy(&out, from, std::min(size, sizeof out));
  const auto* bytes = static_cast<const unsigned char*>(from);
  for (std::size_t i = sizeof out; i < size; ++i) {
    if (bytes[i] != 0)
      return tell(error, CEDE_E_VERSION, where() + ": has a field this library does not know");
  }
  return CEDE_OK;
}

}  // namespace cede::capi
