// SPDX-License-Identifier: MIT
// Answers questions about random clusters until a check finds a fault. packaging/mutate runs it with a
// library whose rules are wrong; with the right one nothing is found.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "support/answer_check.h"

namespace {

constexpr const char* kUsage =
    "usage: cede_answer_check verifier|enumerator PROFILE[,PROFILE...] CLUSTERS [FIRST-SEED]\n"
    "status 0: nothing found; 1: a fault, reported in one line; 2: wrong use\n";

int run(bool by_verifier, const std::vector<std::string>& profiles, std::uint64_t clusters,
        std::uint64_t first) {
  std::uint64_t checked = 0;
  for (std::uint64_t i = 0; i < clusters; ++i) {
    const std::string& profile = profiles[i % profiles.size()];
    const std::uint64_t seed = first + i / profiles.size();
    const cede::AnsweredQuery answered(seed, profile);
    if (!answered.plan) continue;
    ++checked;
    const std::string fault = by_verifier ? fault_by_verifier(answered) : fault_by_enumerator(answered).fault;
    if (fault.empty()) continue;
    std::printf("%llu clusters, %s seed %llu: %s\n", static_cast<unsigned long long>(i + 1), profile.c_str(),
                static_cast<unsigned long long>(seed), fault.c_str());
    if (std::getenv("CEDE_SHOW_CLUSTER")) std::puts(answered.description().c_str());
    return 1;
  }
  std::printf("nothing found in %llu clusters\n", static_cast<unsigned long long>(checked));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view check = argc > 1 ? argv[1] : "";
  if (argc < 4 || (check != "verifier" && check != "enumerator")) {
    std::fputs(kUsage, stderr);
    return 2;
  }
  std::vector<std::string> profiles;
  std::istringstream list(argv[2]);
  for (std::string each; std::getline(list, each, ',');) profiles.push_back(each);
  try {
    return run(check == "verifier", profiles, std::strtoull(argv[3], nullptr, 10),
               argc > 4 ? std::strtoull(argv[4], nullptr, 10) : 1);
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "cede_answer_check: %s\n", problem.what());
    return 2;
  }
}
