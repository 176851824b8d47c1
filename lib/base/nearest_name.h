// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cede {

// Finds the known name that somebody probably meant, among very many. A name that differs in its digits alone
// is another one on purpose: whoever writes n12 does not mean n11.
class NearestName {
 public:
  // The text must outlive this object.
  explicit NearestName(std::string_view text);
  // The candidate must outlive this object. The nearest wins, of equally near ones the first by name.
  void offer(std::string_view candidate);
  // `; did you mean 'x'?`, or nothing.
  std::string question() const;

 private:
  bool differs_in_digits_only(std::string_view candidate) const;

  const std::string_view text_;
  std::size_t distance_;  // what a better candidate must not exceed
  std::string_view found_;
};

}  // namespace cede
