/* SPDX-License-Identifier: MIT */
/* The tests of 0.2.0, as it had them and with its header, against the library as it is now. What they
 * promised holds for every later version: a test here that fails is a mistake of the library, not of the
 * test. Texts of messages are no promise; if one changes, its test here may follow. */
#include "suites.h"

int main(void) {
  CU_SuiteInfo suites[] = {
      {"plan", NULL, NULL, NULL, NULL, plan_tests},
      {"plan_batch", NULL, NULL, NULL, NULL, plan_batch_tests},
      {"sequence", NULL, NULL, NULL, NULL, sequence_tests},
      {"number", NULL, NULL, NULL, NULL, number_tests},
      CU_SUITE_INFO_NULL,
  };
  return run_suites(suites);
}
