// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "decide/cluster.h"
#include "decide/strategies.h"

namespace bench {

// What the verifier makes of a choice, and how it compares with the library's own plan for the same job.
struct Verdict {
  std::string fault;  // empty: accepted
  std::int64_t cost = 0;
  int compared = 0;  // of the objective: < 0 better than the library's, 0 alike, > 0 worse
};

Verdict verify_choice(const Cluster& cluster, const Description& description, const Description::Job& asked,
                      const Choice& choice);

}  // namespace bench
