// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <exception>
#include <limits>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>

#include "base/problem.h"
#include "base/time.h"
#include "cede/cede.h"

namespace cede::capi {

// Fills the caller's error, if there is one. A long text is cut between characters and marked. It allocates
// nothing, because it also reports that memory ran out.
inline std::int32_t tell(cede_error* error, std::int32_t status, std::string_view text,
                         std::uint32_t line = 0) {
  if (!error) return status;
  error->status = status;
  error->line = line;
  if (text.empty()) {
    error->text[0] = '\0';  // the common case: some callers make a million calls that succeed
    return status;
  }
  std::memset(error->text, 0, sizeof error->text);
  std::size_t size = text.size();
  constexpr std::size_t kRoom = sizeof error->text - 1;
  constexpr std::string_view kCut = "...";
  if (size > kRoom) {
    size = kRoom - kCut.size();
    while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0u) == 0x80u) --size;
    std::memcpy(error->text + size, kCut.data(), kCut.size());
  }
  if (size > 0) std::memcpy(error->text, text.data(), size);
  return status;
}

// Reports the first error of a call. The message of a problem allocates, so call it inside guard().
inline std::int32_t tell(cede_error* error, const Problems& problems) {
  for (const Problem& problem : problems.all()) {
    if (problem.severity != Severity::error) continue;
    const std::size_t more = problems.errors() - 1;
    std::string text = problem.message();
    if (more > 0) text += "; " + std::to_string(more) + (more == 1 ? " more error" : " more errors");
    return tell(error, static_cast<std::int32_t>(problem.status), text, problem.line);
  }
  return tell(error, CEDE_E_INTERNAL, "an error without a text");
}

inline std::int32_t done(cede_error* error, const Problems& problems) {
  return tell(error, problems.all().empty() ? CEDE_OK : CEDE_REMARK_WARNINGS, {});
}

// The only try/catch at the boundary. Expected exceptions are that memory runs out or a container exceeds its
// maximum size. Anything else is a bug that must not crash the host.
template <class Body>
std::int32_t guard(cede_error* error, Body body) noexcept {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return tell(error, CEDE_E_NOMEM, "out of memory");
  } catch (const std::length_error&) {
    return tell(error, CEDE_E_NOMEM, "out of memory: more is wanted than memory can hold");
  } catch (const std::exception& e) {
    return tell(error, CEDE_E_INTERNAL, e.what());
  } catch (...) {
    return tell(error, CEDE_E_INTERNAL, "an unknown exception");
  }
}

inline std::int32_t missing(cede_error* error, std::string_view what) {
  return tell(error, CEDE_E_INVALID, what);
}

// No address space holds more. A larger count or size is a mistake of the caller. It is refused before
// anything is read or allocated.
inline constexpr std::size_t kMostBytes = static_cast<std::size_t>(
    std::min<std::uint64_t>(std::numeric_limits<std::ptrdiff_t>::max(), std::uint64_t{1} << 47));

// Checks `count` elements of `size` bytes each: 0, or a status with the error filled in. `name` is the
// argument.
inline std::int32_t memory_fault(std::size_t count, std::size_t size, std::string_view name,
                                 cede_error* error) {
  if (count <= kMostBytes / std::max<std::size_t>(size, 1)) return 0;
  return missing(error, std::string(name) + ": " + std::to_string(count) + " is more than memory can hold");
}

// The same for a document, which has its own limit.
inline std::int32_t text_size_fault(std::size_t size, std::uint64_t most, cede_error* error) {
  if (size <= most && size <= kMostBytes) return 0;
  return tell(error, CEDE_E_LIMIT,
              "the document is " + std::to_string(size) + " bytes long; at most " +
                  std::to_string(std::min<std::uint64_t>(most, kMostBytes)) +
                  " are allowed (limit max_document_bytes)");
}

// Whether a caller's time is invalid; fills in the error.
inline bool wrong_now(std::int64_t now, cede_error* error) {
  static_assert(CEDE_NOW_OF_CLUSTER == kNoTime);
  if (now == CEDE_NOW_OF_CLUSTER || (now >= 0 && now <= kMaxTime)) return false;
  missing(error, "now: " + std::to_string(now) + " is outside 0.." + std::to_string(kMaxTime));
  return true;
}

}  // namespace cede::capi
