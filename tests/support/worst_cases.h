// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace cede_test {

// A question that drives one part of a decision to its worst case, as documents.
struct WorstCase {
  std::string name;
  std::string policy;
  std::string cluster;
  std::string asks;  // a job's name, `relief:TARGET` or `claim`
};

// Names of all cases, and one of them. `size`: 1 is what a test drives; a benchmark takes more.
std::vector<std::string> worst_case_names();
WorstCase worst_case(const std::string& name, unsigned size = 1);

}  // namespace cede_test
