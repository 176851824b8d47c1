// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "json_tree.h"

namespace cli {

// The figures of a plan's document in words, with their units.

// Thousandths as `40.7`: at most one decimal, none if it is zero.
std::string tenths(std::int64_t thousandths);
// A decimal number as it is written, without zeros at its end: `56`, `40.722`.
std::string trimmed(std::string_view number);
// Thousandths of a decimal number as the library writes it; 0 if it is none.
std::int64_t thousandths_of(std::string_view number);

// `56 GPU-min`, or `node-min` if the victims hold no GPUs.
std::string work_text(const JsonNode& plan, std::int64_t thousandths);
// Of all victims, in thousandths of a minute of one GPU.
std::int64_t lost_work_of(const JsonNode& plan);
// Whether the plan's cost is a price of its own, not the lost work.
bool has_price(const JsonNode& plan);

// `proven optimal`, `within 3 % of the best possible`, `best found; no proof within the allowed work`.
std::string proof_text(const JsonNode& plan);

// One criterion's value: `40.722 min`, `2 of class 3, 1 of class 1`.
std::string criterion_text(const JsonNode& plan, std::string_view name, const JsonNode& value);
// By how much an alternative is worse: `1293.6 min more`.
std::string worse_text(const JsonNode& plan, const JsonNode& alternative);

// `checkpoint, then suspend; requeued`.
std::string exit_text(const JsonNode& victim);

}  // namespace cli
