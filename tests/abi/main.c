/* SPDX-License-Identifier: MIT */
#include <CUnit/Basic.h>
#include <stdio.h>

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
      CU_SUITE_INFO_NULL,
  };
  if (CU_initialize_registry() != CUE_SUCCESS || CU_register_suites(suites) != CUE_SUCCESS) {
    fprintf(stderr, "%s\n", CU_get_error_msg());
    return 2;
  }
  CU_basic_set_mode(CU_BRM_VERBOSE);
  const CU_ErrorCode ran = CU_basic_run_tests();
  const unsigned failed = CU_get_number_of_failures() + CU_get_number_of_suites_failed();
  const unsigned tests = CU_get_number_of_tests_run();
  CU_cleanup_registry();
  return ran == CUE_SUCCESS && failed == 0 && tests > 0 ? 0 : 1;
}
