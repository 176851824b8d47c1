/* SPDX-License-Identifier: MIT */
/* The suites of the conformance runner: one per noun of the header, the same name in both. */
#ifndef CEDE_TESTS_ABI_SUITES_H
#define CEDE_TESTS_ABI_SUITES_H

#include <CUnit/Basic.h>
#include <stdio.h>

extern CU_TestInfo version_tests[];
extern CU_TestInfo option_tests[];
extern CU_TestInfo profile_tests[];
extern CU_TestInfo engine_tests[];
extern CU_TestInfo engine_clone_tests[];
extern CU_TestInfo engine_load_tests[];
extern CU_TestInfo engine_apply_tests[];
extern CU_TestInfo engine_log_tests[];
extern CU_TestInfo engine_policy_tests[];
extern CU_TestInfo engine_walk_tests[];
extern CU_TestInfo document_tests[];
extern CU_TestInfo report_tests[];
extern CU_TestInfo size_tests[];
extern CU_TestInfo text_tests[];
extern CU_TestInfo plan_batch_tests[];
extern CU_TestInfo array_tests[];
extern CU_TestInfo array_growth_tests[];
int make_array_cluster(void);
int drop_array_cluster(void);
extern CU_TestInfo admission_tests[];
extern CU_TestInfo plan_tests[];
extern CU_TestInfo sequence_tests[];
extern CU_TestInfo shares_tests[];
extern CU_TestInfo topology_tests[];
extern CU_TestInfo plan_create_tests[];
extern CU_TestInfo number_tests[];
extern CU_TestInfo answer_tests[];

/* Runs them all; the status of the program. */
static inline int run_suites(CU_SuiteInfo* suites) {
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

#endif
