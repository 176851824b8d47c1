// SPDX-License-Identifier: MIT
// How long the questions of support/worst_cases take, through the public header, with one thread: CPU-seconds
// for the first plan, the same again, verify and commit. The aim is that none takes more than a second.
#include <cede/cede.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string_view>

#include "support/worst_cases.h"

namespace {

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

bool failed(const char* what, const cede_error& error) {
  std::printf("%s: %s\n", what, error.text);
  return false;
}

bool run(const cede_test::WorstCase& given) {
  cede_error error;
  cede_engine* engine = nullptr;
  const char* const options[] = {"threads=1"};
  if (cede_engine_create(given.policy.data(), given.policy.size(), options, 1, CEDE_VERSION, &engine,
                         &error) < 0 ||
      cede_engine_load(engine, given.cluster.data(), given.cluster.size(), &error) < 0)
    return failed(given.name.c_str(), error);
  cede_plan* plan = nullptr;
  const auto ask = [&] {
    const bool relief = given.asks.rfind("relief:", 0) == 0;
    return relief
               ? cede_plan_create_relief(engine, given.asks.c_str() + 7, nullptr, CEDE_NOW_OF_CLUSTER,
                                         nullptr, 0, &plan, &error)
               : cede_plan_create(engine, given.asks.c_str(), CEDE_NOW_OF_CLUSTER, nullptr, 0, &plan, &error);
  };
  double took[4] = {};
  double begun = cpu_seconds();
  if (ask() < 0) return failed(given.name.c_str(), error);
  took[0] = cpu_seconds() - begun;
  cede_plan_destroy(plan);
  begun = cpu_seconds();
  if (ask() < 0) return failed(given.name.c_str(), error);
  took[1] = cpu_seconds() - begun;
  const int32_t outcome = cede_plan_outcome(plan);
  begun = cpu_seconds();
  if (cede_plan_verify(plan, &error) < 0) failed("verify", error);
  took[2] = cpu_seconds() - begun;
  uint64_t entry = 0;
  begun = cpu_seconds();
  if ((outcome == CEDE_OUTCOME_FITS || outcome == CEDE_OUTCOME_PREEMPT) &&
      cede_engine_commit(engine, plan, CEDE_NOW_OF_CLUSTER, -1, &entry, &error) < 0)
    failed("commit", error);
  took[3] = cpu_seconds() - begun;
  cede_text* text = nullptr;
  if (cede_plan_json(plan, &text, &error) < 0) return failed("document", error);
  const bool optimal =
      std::string_view(cede_text_data(text)).find("\"optimal\": true") != std::string_view::npos ||
      std::string_view(cede_text_data(text)).find("\"optimal\":true") != std::string_view::npos;
  cede_text_destroy(text);
  static const char* const kOutcomes[] = {"", "fits", "preempt", "wait", "in-progress", "impossible"};
  std::printf("%-26s %8.3f %8.3f %8.3f %8.3f  %-10s %-18s %6zu %s\n", given.name.c_str(), took[0], took[1],
              took[2], took[3], kOutcomes[outcome], cede_plan_rule(plan), cede_plan_victim_count(plan),
              outcome != CEDE_OUTCOME_PREEMPT ? ""
              : optimal                       ? "optimal"
                                              : "not proven");
  std::fflush(stdout);
  cede_plan_destroy(plan);
  cede_engine_destroy(engine);
  return took[0] <= 1 && took[1] <= 1;
}

}  // namespace

int main(int count, char** arguments) {
  unsigned size = 1;
  bool within = true;
  std::printf("%-26s %8s %8s %8s %8s  %-10s %-18s %6s\n", "case (CPU-seconds)", "plan", "again", "verify",
              "commit", "outcome", "rule", "victims");
  bool named = false;
  for (int i = 1; i < count; ++i) {
    if (std::strncmp(arguments[i], "--size=", 7) == 0) {
      size = static_cast<unsigned>(std::atoi(arguments[i] + 7));
      continue;
    }
    named = true;
    within = run(cede_test::worst_case(arguments[i], size)) && within;
  }
  if (!named) {
    for (const std::string& name : cede_test::worst_case_names())
      within = run(cede_test::worst_case(name, size)) && within;
  }
  if (!within) std::printf("a question took more than a CPU-second\n");
  return 0;
}
