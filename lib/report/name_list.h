// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cede {

// Names in Slurm's notation, numbers that follow each other in brackets: `n[001-003,20],login`. In the order
// of prefix and number. Longer than `columns` it ends in `…`.
std::string fold_names(std::vector<std::string_view> names, std::size_t columns);

}  // namespace cede
