// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>

#include "capi/array_places.h"
#include "capi/guard.h"
#include "capi/handles.h"

namespace cede::capi {

// An array of the caller under the growth rule: elements of an older header are zero-extended, and elements
// of a newer header must be zero beyond what this library knows.
template <class Struct>
class ArrayIn {
 public:
  ArrayIn(const void* entries, std::size_t size, std::size_t count)
      : bytes_(static_cast<const char*>(entries)), size_(size), count_(count) {}

  // Checks the array as a whole: 0, or a status with the error filled in. `word` is the name of one element.
  std::int32_t fault(const std::string& word, const std::string& list, cede_error* error) const {
    if (count_ == 0) return 0;
    if (!bytes_) return missing(error, list + ": NULL, but " + word + "_count is not 0");
    if (const std::int32_t status = size_fault<Struct>(size_, word + "_size", error)) return status;
    if (const std::int32_t status = memory_fault(count_, size_, word + "_count", error)) return status;
    for (std::size_t i = 0; i < count_ && size_ > sizeof(Struct); ++i) {
      const char* const tail = bytes_ + i * size_ + sizeof(Struct);
      if (std::all_of(tail, bytes_ + (i + 1) * size_, [](char byte) { return byte == 0; })) continue;
      return tell(error, CEDE_E_VERSION,
                  list + '[' + std::to_string(i) + "]: fields behind byte " + std::to_string(sizeof(Struct)) +
                      " are of a newer version than the library's");
    }
    return 0;
  }

  std::size_t size() const { return count_; }
  Struct operator[](std::size_t i) const {
    Struct entry;
    if (size_ == sizeof entry) {  // the same version: a copy of known size
      std::memcpy(&entry, bytes_ + i * sizeof entry, sizeof entry);
    } else {
      std::memset(&entry, 0, sizeof entry);
      std::memcpy(&entry, bytes_ + i * size_, std::min(size_, sizeof entry));
    }
    return entry;
  }
  // The element in the caller's memory if it has the same version and is aligned; otherwise a copy in `room`.
  const Struct& look(std::size_t i, Struct& room) const {
    const char* const at = bytes_ + i * size_;
    if (size_ == sizeof room && std::bit_cast<std::uintptr_t>(at) % alignof(Struct) == 0)
      return *static_cast<const Struct*>(static_cast<const void*>(at));
    return room = (*this)[i];
  }

 private:
  const char* bytes_;
  std::size_t size_;
  std::size_t count_;
};

// Checks that reserved fields and unknown bits are zero.
inline bool is_of_today(ArrayEdit& arrays, std::uint32_t reserved, std::uint32_t zero, std::uint32_t known) {
  if (reserved != 0) arrays.fail("reserved", std::to_string(reserved) + " is not 0", Status::version);
  if ((zero & ~known) != 0) {
    arrays.fail("zero", std::to_string(zero & ~known) + " is no bit of a field that may be 0",
                Status::version);
  }
  return reserved == 0 && (zero & ~known) == 0;
}

// Checks the count against a limit before any element is read: 0, or a status with the error filled in.
inline std::int32_t limit_fault(std::size_t count, std::uint64_t most, const std::string& list,
                                const char* limit, cede_error* error) {
  if (count <= most) return 0;
  return tell(error, CEDE_E_LIMIT,
              list + ": " + std::to_string(count) + " entries; at most " + std::to_string(most) +
                  " are allowed (limit " + limit + ')');
}

// One change from one array: `put` passes each element to the edit.
template <class Struct, class Put>
std::int32_t put_array(cede_engine* engine, const ArrayIn<Struct>& in, const std::string& word,
                       std::uint64_t Limits::*most, cede_error* error, Put put) {
  return guard(error, [&] {
    if (!engine) return missing(error, "engine: NULL is not an engine");
    const std::string list = word + 's';
    const std::string limit = "max_" + list;
    const std::uint64_t entries = engine->engine.options().limits.*most;
    if (const std::int32_t status = limit_fault(in.size(), entries, list, limit.c_str(), error))
      return status;
    if (const std::int32_t status = in.fault(word, list, error)) return status;
    Problems problems = engine->engine.new_problems();
    ArrayEdit arrays = engine->engine.edit_arrays(problems);
    for (std::size_t i = 0; i < in.size() && !problems.full(); ++i) {
      arrays.at(list, i);
      put(arrays, in[i]);
    }
    const bool taken = engine->engine.take(arrays);
    use_field_names(problems);
    return taken ? done(error, problems) : tell(error, problems);
  });
}

}  // namespace cede::capi
