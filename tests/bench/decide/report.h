// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "decide/run.h"

namespace bench {

// The table, a line as soon as it is known; then what twice the nodes cost.
void print_head();
void print(const Row& row);
void print_growth(const std::vector<Row>& rows);

void print_comparison_head();
void print(const Comparison& row);

// All of it for programs, and a picture of it for people. The program ends where a file cannot be written.
void write_json(const std::vector<Row>& rows, const std::vector<Comparison>& comparisons,
                const std::string& file);
void write_svg(const std::vector<Row>& rows, const std::string& file);

}  // namespace bench
