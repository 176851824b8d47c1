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

// Names where a caller has them.
class TextList {
 public:
  // Without sizes a NUL ends each; nothing at all is an empty one.
  TextList(const char* const* texts, const std::size_t* sizes, std::size_t count)
      : texts_(texts), sizes_(sizes), count_(count) {}
  std::size_t size() const { return count_; }
  std::string_view operator[](std::size_t i) const {
    if (!texts_[i]) return {};
    return sizes_ ? std::string_view(texts_[i], sizes_[i]) : std::string_view(texts_[i]);
  }

 private:
  const char* const* texts_;
  const std::size_t* sizes_;
  std::size_t count_;
};

// Which names a caller of the typed door holds as numbers. The names themselves are in the model's table of
// job names, for most of them are jobs': a job's number is the name its row has, and a name is kept once. The
// table forgets a name with its last owner, of whom the caller is one until it gives the number back.
//
// Nodes, queues and users have their names in another table. What a number stands for there is remembered
// from its first use on, and the name is held there too; so a call that names a node ten thousand times, or
// ten thousand calls, look for its text once.
// Copied in constant time.
class NameRegistry {
 public:
  // The number of a name, from 1. The text is a name (name_fault() finds nothing wrong). Where memory runs
  // out nobody has a number more; the table may know a name that has no owner.
  std::uint32_t add(InternTable& names, std::string_view text);
  // The same for many: numbers[i] is that of texts[i]. Stops at the first that is no name and says where;
  // those before it have their numbers.
  std::size_t add_all(InternTable& names, const TextList& texts, std::uint32_t* numbers);
  // 0 where nobody asked for it.
  std::uint32_t find(const InternTable& names, std::string_view text) const;
  bool empty() const { return count_ == 0; }

  bool holds(std::uint32_t number) const { return number < held_.size() && held_[number] != 0; }
  // Empty where the number is nobody's. A NUL follows; valid until the next change of the table.
  std::string_view text(const InternTable& names, std::uint32_t number) const {
    return holds(number) ? names.view(number) : std::string_view{};
  }
  // The name of a number in the other table; kNoName where nobody has asked for it there yet.
  std::uint32_t elsewhere(std::uint32_t number) const {
    return number < elsewhere_.size() ? elsewhere_[number] : 0;
  }
  // Finds or adds it there; the number must be somebody's.
  std::uint32_t put_elsewhere(const InternTable& names, std::uint32_t number, InternTable& other);
  // The same for many and only where they are found there, which is quicker than one after the other.
  // Whatever is nobody's is left out.
  void find_elsewhere(const InternTable& names, std::span<const std::uint32_t> numbers, InternTable& other);
  // That the other table is another one now.
  void leave_elsewhere() noexcept { elsewhere_ = {}; }
  // Whatever is put elsewhere after begin() is kept or was never there. Numbers are neither given out nor
  // back in between.
  void begin() noexcept { elsewhere_.begin(); }
  void keep() noexcept { elsewhere_.keep(); }
  void undo() noexcept { elsewhere_.undo(); }

  bool forget(InternTable& names, InternTable& other, std::uint32_t number);

 private:
  void hold(InternTable& names, std::uint32_t number);
  void note_elsewhere(std::uint32_t number, InternTable& other, std::uint32_t name);

  CowVector<std::uint8_t> held_;  // by number: 1 where it was given out
  CowVector<std::uint32_t> elsewhere_;
  std::size_t count_ = 0;
};

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
