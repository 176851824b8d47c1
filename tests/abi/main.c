/* SPDX-License-Identifier: MIT */
#include "suites.h"

int main(void) {
  CU_SuiteInfo suites[] = {
      {"version", NULL, NULL, NULL, NULL, version_tests},
      {"option", NULL, NULL, NULL, NULL, option_tests},
      {"profile", NULL, NULL, NULL, NULL, profile_tests},
      {"engine", NULL, NULL, NULL, NULL, engine_tests},
      {"engine_clone", NULL, NULL, NULL, NULL, engine_clone_tests},
      {"engine_load", NULL, NULL, NULL, NULL, engine_load_tests},
      {"engine_apply", NULL, NULL, NULL, NULL, engine_apply_tests},
      {"engine_log", NULL, NULL, NULL, NULL, engine_log_tests},
      {"engine_policy", NULL, NULL, NULL, NULL, engine_policy_tests},
      {"engine_walk", NULL, NULL, NULL, NULL, engine_walk_tests},
      {"document", NULL, NULL, NULL, NULL, document_tests},
      {"report", NULL, NULL, NULL, NULL, report_tests},
      {"size", NULL, NULL, NULL, NULL, size_tests},
      {"text", NULL, NULL, NULL, NULL, text_tests},
      {"array", NULL, NULL, NULL, NULL, array_tests},
      {"admission", NULL, NULL, NULL, NULL, admission_tests},
      {"plan", NULL, NULL, NULL, NULL, plan_tests},
      {"sequence", NULL, NULL, NULL, NULL, sequence_tests},
      {"shares", NULL, NULL, NULL, NULL, shares_tests},
      {"topology", NULL, NULL, NULL, NULL, topology_tests},
      {"plan_batch", NULL, NULL, NULL, NULL, plan_batch_tests},
      {"plan_create", NULL, NULL, NULL, NULL, plan_create_tests},
      {"number", NULL, NULL, NULL, NULL, number_tests},
      {"answer", NULL, NULL, NULL, NULL, answer_tests},
      CU_SUITE_INFO_NULL,
  };
  return run_suites(suites);
}
