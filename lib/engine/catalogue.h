// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace cede {

// The texts of `cede policy`, made from the tables of settings once and kept for the life of the library.
struct Catalogue {
  static constexpr std::size_t kColumns = 6;  // name, default, unit, range, side, help
  struct ProfileTexts {
    std::string name;
    std::string help;
    std::vector<std::array<std::string, kColumns>> settings;
  };
  std::vector<ProfileTexts> profiles;
};

Catalogue make_catalogue();

}  // namespace cede
