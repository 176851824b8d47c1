// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/cow_vector.h"
#include "base/intern_table.h"

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

}  // namespace cede
