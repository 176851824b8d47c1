/* SPDX-License-Identifier: MIT */
#include <CUnit/CUnit.h>
#include <cede/cede.h>
#include <stdio.h>
#include <string.h>

#include "suites.h"

static void library_is_the_one_of_the_header(void) {
  char text[32];
  CU_ASSERT_EQUAL(cede_version(), CEDE_VERSION);
  snprintf(text, sizeof text, "%d.%d.%d", CEDE_VERSION_MAJOR, CEDE_VERSION_MINOR, CEDE_VERSION_PATCH);
  CU_ASSERT_STRING_EQUAL(cede_version_text(), text);
}

static void features_are_known_by_their_exact_names(void) {
  CU_ASSERT_EQUAL(cede_has_feature("documents"), 1);
  CU_ASSERT_EQUAL(cede_has_feature("check"), 1);
  CU_ASSERT_EQUAL(cede_has_feature("hwloc-xml"), 1);
  CU_ASSERT_EQUAL(cede_has_feature("plan"), 1);
  CU_ASSERT_EQUAL(cede_has_feature("admit"), 1);
  CU_ASSERT_EQUAL(cede_has_feature("nccl-xml"), 1);
  CU_ASSERT_EQUAL(cede_has_feature("slurm-topology"), 1);
  CU_ASSERT_EQUAL(cede_has_feature("topology"), 1);
  CU_ASSERT_EQUAL(cede_has_feature("relief"), 1);
  CU_ASSERT_EQUAL(cede_has_feature("claims"), 1);
  CU_ASSERT_EQUAL(cede_has_feature("shares"), 1);
  CU_ASSERT_EQUAL(cede_has_feature("sequence"), 1);
  CU_ASSERT_EQUAL(cede_has_feature("document"), 0);
  CU_ASSERT_EQUAL(cede_has_feature("documents "), 0);
  CU_ASSERT_EQUAL(cede_has_feature("Check"), 0);
  CU_ASSERT_EQUAL(cede_has_feature(""), 0);
  CU_ASSERT_EQUAL(cede_has_feature(NULL), 0);
}

static void every_status_has_its_name(void) {
  static const struct {
    int32_t status;
    const char* name;
  } names[] = {
      {CEDE_OK, "CEDE_OK"},
      {CEDE_REMARK_WARNINGS, "CEDE_REMARK_WARNINGS"},
      {CEDE_E_INVALID, "CEDE_E_INVALID"},
      {CEDE_E_DOCUMENT, "CEDE_E_DOCUMENT"},
      {CEDE_E_LIMIT, "CEDE_E_LIMIT"},
      {CEDE_E_VERSION, "CEDE_E_VERSION"},
      {CEDE_E_NOMEM, "CEDE_E_NOMEM"},
      {CEDE_E_INTERNAL, "CEDE_E_INTERNAL"},
      {CEDE_E_UNKNOWN, "CEDE_E_UNKNOWN"},
      {CEDE_E_STALE, "CEDE_E_STALE"},
      {CEDE_E_DAMAGED, "CEDE_E_DAMAGED"},
  };
  for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
    CU_ASSERT_STRING_EQUAL(cede_status_name(names[i].status), names[i].name);
  }
}

static void other_numbers_have_no_meaning(void) {
  static const int32_t others[] = {2, 3, 100, -10, -11, -1000, INT32_MAX, INT32_MIN};
  for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i) {
    CU_ASSERT_STRING_EQUAL(cede_status_name(others[i]), "CEDE_E_?");
  }
}

CU_TestInfo version_tests[] = {
    {"library is the one of the header", library_is_the_one_of_the_header},
    {"features are known by their exact names", features_are_known_by_their_exact_names},
    {"every status has its name", every_status_has_its_name},
    {"other numbers have no meaning", other_numbers_have_no_meaning},
    CU_TEST_INFO_NULL,
};
