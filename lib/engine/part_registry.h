// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/amount.h"
#include "base/cow_vector.h"
#include "base/intern_table.h"
#include "base/problem.h"
#include "model/limits.h"
#include "model/requirement.h"

namespace cede {

// The parts of an object that are no single value. Those from `requirement` on are given as a small JSON
// text.
enum class PartKind : std::uint8_t {
  none,
  resources,
  list,
  requirement,
  queue_settings,
  job_settings,
  labels,
  fingerprint
};
inline constexpr std::size_t kPartKinds = 8;

// What a caller of the typed door said once and refers to by number: resource vectors, lists of names,
// requirements, settings. Names nothing of a model, so the numbers outlive every load. Equal parts have equal
// numbers, which carry their kind, so that one of another kind is noticed. Copied in constant time.
class PartRegistry {
 public:
  using Amounts = std::vector<std::pair<std::string_view, Amount>>;

  std::uint32_t add_resources(const Amounts& amounts);
  std::uint32_t add_list(const std::vector<std::string_view>& names);
  // 0 and problems where the text is not right.
  std::uint32_t add_text(PartKind kind, std::string_view text, const Limits& limits, Problems& problems);
  bool forget(std::uint32_t number);

  bool holds(PartKind kind, std::uint32_t number) const;
  // Of a number it holds. Views are valid until the next change.
  Amounts resources(std::uint32_t number) const;
  std::vector<std::string_view> list(std::uint32_t number) const;
  const Requirement& requirement(std::uint32_t number) const;
  // Settings, labels and fingerprints as a model's row keeps them.
  std::string_view bytes(std::uint32_t number) const;

 private:
  static constexpr std::uint32_t kKindShift = 28;
  static std::uint32_t numbered(PartKind kind, std::uint32_t index) {
    return static_cast<std::uint32_t>(kind) << kKindShift | index;
  }
  std::uint32_t add(PartKind kind, std::string_view key);
  std::uint32_t add_requirement(std::string_view text, const Limits& limits, Problems& problems);

  std::array<InternTable, kPartKinds> keys_;
  CowVector<std::shared_ptr<const Requirement>> requirements_;  // by the number within its kind
};

}  // namespace cede
