/* SPDX-License-Identifier: MIT */
/* Runs each test in a process of its own, so that a crash is that test's and the others still run. With names
 * (or parts of names) as arguments only those tests run. */
#include <CUnit/CUnit.h>
#include <CUnit/TestRun.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "motion_scene.h"

static CU_TestInfo* const suites[] = {motion_crash_tests,     motion_booking_tests, motion_loss_tests,
                                      motion_batch_tests,     motion_account_tests, motion_lives_tests,
                                      motion_limits_tests,    motion_names_tests,   motion_removal_tests,
                                      motion_requester_tests, motion_unnamed_tests};

static int run_alone(const CU_TestInfo* test) {
  CU_TestInfo tests[] = {*test, CU_TEST_INFO_NULL};
  CU_SuiteInfo alone[] = {{"motion", NULL, NULL, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
  if (CU_initialize_registry() != CUE_SUCCESS || CU_register_suites(alone) != CUE_SUCCESS) return 2;
  const CU_ErrorCode ran = CU_run_all_tests();
  const unsigned failed = CU_get_number_of_failures();
  for (const CU_FailureRecord* each = CU_get_failure_list(); each; each = each->pNext)
    printf("  %s:%u: %s\n", each->strFileName, each->uiLineNumber, each->strCondition);
  CU_cleanup_registry();
  fflush(NULL);
  return ran == CUE_SUCCESS && failed == 0 ? 0 : 1;
}

static int run_in_child(const CU_TestInfo* test) {
  fflush(NULL);
  const pid_t child = fork();
  if (child < 0) return 2;
  if (child == 0) _exit(run_alone(test));
  int status = 0;
  if (waitpid(child, &status, 0) != child) return 2;
  if (WIFSIGNALED(status)) {
    printf("crashed (signal %d): %s\n", WTERMSIG(status), test->pName);
    return 1;
  }
  printf("%s: %s\n", WEXITSTATUS(status) == 0 ? "passed" : "failed", test->pName);
  return WEXITSTATUS(status);
}

int main(int argc, char** argv) {
  unsigned ran = 0, failed = 0;
  for (size_t s = 0; s < sizeof suites / sizeof suites[0]; ++s) {
    for (const CU_TestInfo* test = suites[s]; test->pName; ++test) {
      int wanted = argc == 1;
      for (int i = 1; i < argc; ++i) wanted = wanted || strstr(test->pName, argv[i]) != NULL;
      if (!wanted) continue;
      ++ran;
      if (run_in_child(test) != 0) ++failed;
    }
  }
  printf("%u tests, %u failed\n", ran, failed);
  return ran > 0 && failed == 0 ? 0 : 1;
}
