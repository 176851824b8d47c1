// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/engine.h"
#include "support/rule_cluster.h"

namespace cede {

// A question about a random cluster, and the answer.
struct AnsweredQuery {
  AnsweredQuery(std::uint64_t seed, const std::string& profile);
  // The answer, the policy and the cluster, to print with a fault.
  std::string description() const;

  RuleCluster random;
  Engine engine;
  std::optional<Plan> plan;  // none: the profile does not accept such a cluster
};

// Two checks of an answer. Neither uses a rule of lib/policy. An empty text: nothing is wrong.

// What the verifier finds: a plan that breaks a condition, or states its objective wrongly.
std::string fault_by_verifier(const AnsweredQuery& answered);

struct EnumeratorFinding {
  std::string fault;
  bool tried_all = false;  // whether every set was tried; too many units, and some kinds of request, are not
};

// What trying every set finds: a no where there is a set, or a plan that is not the best.
EnumeratorFinding fault_by_enumerator(const AnsweredQuery& answered);

}  // namespace cede
