// SPDX-License-Identifier: MIT
#include "base/nearest_name.h"

#include <algorithm>

#include "base/edit_distance.h"
#include "base/text.h"

namespace cede {

// Of a name with fewer than three bytes, every other short name is near.
NearestName::NearestName(std::string_view text) : text_(text), distance_(text.size() / 3) {}

bool NearestName::differs_in_digits_only(std::string_view candidate) const {
  return candidate.size() == text_.size() &&
         std::equal(text_.begin(), text_.end(), candidate.begin(),
                    [](char a, char b) { return a == b || (is_digit(a) && is_digit(b)); });
}

void NearestName::offer(std::string_view candidate) {
  const std::size_t longer = std::max(candidate.size(), text_.size());
  const std::size_t shorter = std::min(candidate.size(), text_.size());
  if (longer - shorter > distance_ || distance_ == 0 || differs_in_digits_only(candidate)) return;
  const std::size_t distance =
      cede_edit_distance(text_.data(), text_.size(), candidate.data(), candidate.size());
  if (distance > distance_ || (distance == distance_ && !found_.empty() && found_ < candidate)) return;
  distance_ = distance;
  found_ = candidate;
}

std::string NearestName::question() const {
  return found_.empty() ? std::string{} : "; did you mean " + quote(found_) + '?';
}

}  // namespace cede
