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

// Names in the caller's memory.
class TextList {
 public:
  // Without sizes, a NUL ends each text. A null pointer is an empty text.
  TextList(const char* const* texts, const std::size_t* sizes, std::size_t count)
      : texts_(texts), sizes_(sizes), count_(count) {}
  // All in one buffer: name i is the bytes from offsets[i] up to offsets[i + 1].
  TextList(const char* packed, const std::uint64_t* offsets, std::size_t count)
      : packed_(packed), offsets_(offsets), count_(count) {}
  std::size_t size() const { return count_; }
  std::string_view operator[](std::size_t i) const {
    if (offsets_) return std::string_view(packed_ + offsets_[i], offsets_[i + 1] - offsets_[i]);
    if (!texts_[i]) return {};
    return sizes_ ? std::string_view(texts_[i], sizes_[i]) : std::string_view(texts_[i]);
  }

 private:
  const char* const* texts_ = nullptr;
  const std::size_t* sizes_ = nullptr;
  const char* packed_ = nullptr;
  const std::uint64_t* offsets_ = nullptr;
  std::size_t count_;
};

// The number of a name, or 0; and the name of a number, or nothing. `names` is the table of job names. Every
// name in it that has an owner has a number: owners are the callers that asked for it, the objects of the
// cluster, and the entries of the ledger. A NUL follows the text. It is valid until the next change of the
// table.
std::uint32_t number_of(const InternTable& names, std::string_view text);
inline std::string_view text_of(const InternTable& names, std::uint32_t number) {
  return number < names.id_bound() && names.owners(number) > 0 ? names.view(number) : std::string_view{};
}

// The names that callers of the array interface hold as numbers. The texts are in the model's table of job
// names, because most of them are names of jobs. So the number of a job is the name in its row, and each name
// is stored once. The table drops a name with its last owner; the caller is an owner until it releases the
// number.
//
// Nodes, queues and users have their names in another table. The registry remembers the name there from the
// first use of a number and holds it there too. So a node that is named ten thousand times, in one call or in
// many, is looked up by its text once. A copy takes constant time.
class NameRegistry {
 public:
  // The number of a name, from 1. The text must be a valid name (see name_fault()). If memory runs out, no
  // number is assigned, but the table may then contain a name without an owner.
  std::uint32_t add(InternTable& names, std::string_view text);
  // The same for many: numbers[i] is for texts[i]. Stops at the first text that is not a name and returns its
  // index. The texts before it have their numbers.
  std::size_t add_all(InternTable& names, const TextList& texts, std::uint32_t* numbers);
  bool empty() const { return count_ == 0; }

  bool holds(std::uint32_t number) const { return number < held_.size() && held_[number] != 0; }
  // The name of a number in the other table; kNoName if it was not looked up there yet.
  std::uint32_t elsewhere(std::uint32_t number) const {
    return number < elsewhere_.size() ? elsewhere_[number] : 0;
  }
  // Finds or adds the name there. The number must be assigned.
  std::uint32_t put_elsewhere(const InternTable& names, std::uint32_t number, InternTable& other);
  // The same for many, but only finds names. This is faster than one look-up after the other. Numbers that
  // are not assigned are skipped.
  void find_elsewhere(const InternTable& names, std::span<const std::uint32_t> numbers, InternTable& other);
  // Call it when the other table is replaced.
  void leave_elsewhere() noexcept { elsewhere_ = {}; }
  // A transaction on put_elsewhere() and find_elsewhere(): keep() or undo() ends what begin() starts. In
  // between, no number is assigned or released.
  void begin() noexcept { elsewhere_.begin(); }
  void keep() noexcept { elsewhere_.keep(); }
  void undo() noexcept { elsewhere_.undo(); }

  bool forget(InternTable& names, InternTable& other, std::uint32_t number);

 private:
  void hold(InternTable& names, std::uint32_t number);
  void note_elsewhere(std::uint32_t number, InternTable& other, std::uint32_t name);

  CowVector<std::uint8_t> held_;  // by number: 1 if it is assigned
  CowVector<std::uint32_t> elsewhere_;
  std::size_t count_ = 0;
};

// The kinds of parts: values that are not a single number or name. Those from `requirement` on are given as a
// small JSON text.
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

// The parts that callers of the array interface refer to by number: resource vectors, lists of names,
// requirements, settings. Parts do not refer to a model, so the numbers outlive every load. Equal parts have
// equal numbers. A number contains its kind, so that a number of the wrong kind is detected. A copy takes
// constant time.
class PartRegistry {
 public:
  using Amounts = std::vector<std::pair<std::string_view, Amount>>;

  std::uint32_t add_resources(const Amounts& amounts);
  std::uint32_t add_list(const std::vector<std::string_view>& names);
  // 0, with problems, if the text is invalid.
  std::uint32_t add_text(PartKind kind, std::string_view text, const Limits& limits, Problems& problems);
  bool forget(std::uint32_t number);

  bool holds(PartKind kind, std::uint32_t number) const;
  // The number must be assigned. Views are valid until the next change.
  Amounts resources(std::uint32_t number) const;
  std::vector<std::string_view> list(std::uint32_t number) const;
  const Requirement& requirement(std::uint32_t number) const;
  // Settings, labels and fingerprints in the form that a row of the model stores.
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
