// SPDX-License-Identifier: MIT
#include "engine/name_book.h"

#include <array>
#include <cstring>

#include "base/text.h"

namespace cede {

namespace {

// A name with its NUL, on the stack.
class Ended {
 public:
  explicit Ended(std::string_view text) : size_(text.size() + 1) {
    std::memcpy(bytes_.data(), text.data(), text.size());
    bytes_[text.size()] = '\0';
  }
  operator std::string_view() const { return {bytes_.data(), size_}; }

 private:
  std::array<char, kMaxNameBytes + 1> bytes_;
  std::size_t size_;
};

}  // namespace

std::uint32_t NameBook::add(std::string_view text) {
  const InternTable::Id number = texts_.intern(Ended(text));
  if (texts_.owners(number) == 0) texts_.retain(number);
  return number;
}

std::uint32_t NameBook::find(std::string_view text) const {
  if (text.empty() || text.size() > kMaxNameBytes) return 0;
  const InternTable::Id known = texts_.find(Ended(text));
  return known == InternTable::kNotFound ? 0 : known;
}

std::string_view NameBook::text(std::uint32_t number) const {
  if (number >= texts_.id_bound()) return {};
  const std::string_view ended = texts_.view(number);
  return ended.empty() ? ended : ended.substr(0, ended.size() - 1);
}

bool NameBook::forget(std::uint32_t number) {
  if (text(number).empty()) return false;
  texts_.release(number);
  return true;
}

}  // namespace cede
