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

// Fills the caller's error, if there is one. Cuts at a character and marks the cut; allocates nothing, for it
// also tells that memory ran out.
inline std::int32_t tell(cede_error* error, std::int32_t status, std::string_view text,
                         std::uint32_t line = 0) {
  if (!error) return status;
  error->status = status;
  error->line = line;
  if (text.empty()) {
    error->text[0] = '\0';  // said of most calls, and of some a million times
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

// The first error of a document call. A problem's message allocates, so call it inside guard().
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

// The only try/catch at the boundary. What throws is memory running out, or a container asked for more than
// any memory could hold; anything else is a bug that must not take the host down.
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

// No address space holds more. A count or size above it is a mistake of the caller's, and is refused before
// anything reads as far or makes room for as much.
inline constexpr std::size_t kMostBytes = static_cast<std::size_t>(
    std::min<std::uint64_t>(std::numeric_limits<std::ptrdiff_t>::max(), std::uint64_t{1} << 47));

// 0, or what is wrong with `count` entries of `size` bytes each, told; `name` is the argument's.
inline std::int32_t memory_fault(std::size_t count, std::size_t size, std::string_view name,
                                 cede_error* error) {
  if (count <= kMostBytes / std::max<std::size_t>(size, 1)) return 0;
  return missing(error, std::string(name) + ": " + std::to_string(count) + " is more than memory can hold");
}

// The same for a document, which has a limit of its own.
inline std::int32_t text_size_fault(std::size_t size, std::uint64_t most, cede_error* error) {
  if (size <= most && size <= kMostBytes) return 0;
  return tell(error, CEDE_E_LIMIT,
              "the document is " + std::to_string(size) + " bytes long; at most " +
                  std::to_string(std::min<std::uint64_t>(most, kMostBytes)) +
                  " are allowed (limit max_document_bytes)");
}

// Whether a caller's time is none; told where it is.
inline bool wrong_now(std::int64_t now, cede_error* error) {
  static_assert(CEDE_NOW_OF_CLUSTER == kNoTime);
  if (now == CEDE_NOW_OF_CLUSTER || (now >= 0 && now <= kMaxTime)) return false;
  missing(error, "now: " + std::to_string(now) + " is outside 0.." + std::to_string(kMaxTime));
  return true;
}

}  // namespace cede::capi
