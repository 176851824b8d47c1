/* SPDX-License-Identifier: MIT */
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "documents.h"
#include "fixture.h"
#include "suites.h"

static int32_t kind_of(const char* text, cede_error* error) {
  return cede_document_kind(text, strlen(text), error);
}

static void knows_the_three_kinds(void) {
  CU_ASSERT_EQUAL(kind_of(cluster_text, NULL), CEDE_DOCUMENT_CLUSTER);
  CU_ASSERT_EQUAL(kind_of(full_cluster_text, NULL), CEDE_DOCUMENT_CLUSTER);
  CU_ASSERT_EQUAL(kind_of(change_text, NULL), CEDE_DOCUMENT_CHANGES);
  CU_ASSERT_EQUAL(kind_of(policy_text, NULL), CEDE_DOCUMENT_POLICY);
}

/* Only what the text says it is: whether the rest is right is for a check to tell. */
static void does_not_look_further(void) {
  CU_ASSERT_EQUAL(kind_of(wrong_cluster_text, NULL), CEDE_DOCUMENT_CLUSTER);
  CU_ASSERT_EQUAL(kind_of("{\"format\": \"cede-policy/1\", \"nonsense\": [1, 2, {}]}", NULL),
                  CEDE_DOCUMENT_POLICY);
}

static void finds_the_format_anywhere_at_the_top(void) {
  CU_ASSERT_EQUAL(
      kind_of("{\"x-site\": {\"format\": \"cede-policy/1\"}, \"format\": \"cede-cluster/1\"}", NULL),
      CEDE_DOCUMENT_CLUSTER);
  CU_ASSERT_EQUAL(
      kind_of("{\"put\": {\"format\": \"cede-policy/1\"}, \"remove\": [\"format\", \"cede-policy/1\"], "
              "\"\\u0066ormat\": \"cede-changes/1\"}",
              NULL),
      CEDE_DOCUMENT_CHANGES);
  CU_ASSERT_EQUAL(kind_of(" \r\n\t{\"format\"\n:\n\"cede-policy\\/1\"}\n", NULL), CEDE_DOCUMENT_POLICY);
}

static void refuses_other_texts(void) {
  static const struct {
    const char* text;
    int32_t status;
  } refused[] = {
      {"", CEDE_E_DOCUMENT},
      {" ", CEDE_E_DOCUMENT},
      {"cede-cluster/1", CEDE_E_DOCUMENT},
      {"\"cede-cluster/1\"", CEDE_E_DOCUMENT},
      {"null", CEDE_E_DOCUMENT},
      {"[{\"format\": \"cede-cluster/1\"}]", CEDE_E_DOCUMENT},
      {"{}", CEDE_E_DOCUMENT},
      {"{\"Format\": \"cede-cluster/1\"}", CEDE_E_DOCUMENT},
      {"{\"format\": null}", CEDE_E_DOCUMENT},
      {"{\"format\": [\"cede-cluster/1\"]}", CEDE_E_DOCUMENT},
      {"{\"format\": \"\"}", CEDE_E_DOCUMENT},
      {"{\"format\": \"cede\"}", CEDE_E_DOCUMENT},
      {"{\"format\": \"other/1\"}", CEDE_E_DOCUMENT},
      {"{\"format\": \"cede-cluster/2\"}", CEDE_E_VERSION},
      {"{\"format\": \"cede-policy/17\"}", CEDE_E_VERSION},
      {"{\"x-site\": {\"format\": \"cede-cluster/1\"}}", CEDE_E_DOCUMENT},
  };
  for (size_t i = 0; i < sizeof refused / sizeof refused[0]; ++i) {
    cede_error error;
    const int32_t status = kind_of(refused[i].text, &error);
    const bool right = status == refused[i].status && well_formed(&error, status);
    if (!right) printf("\n      %s: %s %s ", refused[i].text, cede_status_name(status), error.text);
    CU_ASSERT_TRUE(right);
    CU_ASSERT_EQUAL(kind_of(refused[i].text, NULL), status);
  }
}

/* Nothing is claimed before the format has been read; what is cut off behind it is for the load to tell. */
static void a_cut_off_format_is_no_format(void) {
  const size_t whole = (size_t)(strrchr(policy_text, '}') - policy_text) + 1;
  const size_t format_ends = (size_t)(strstr(policy_text, "policy/1") - policy_text) + strlen("policy/1\"");
  size_t wrong = 0;
  for (size_t cut = 0; cut < whole; ++cut) {
    char* copy = malloc(cut + 1);
    memcpy(copy, policy_text, cut);
    const int32_t kind = cede_document_kind(copy, cut, NULL);
    if (cut < format_ends ? kind >= 0 : kind >= 0 && kind != CEDE_DOCUMENT_POLICY) ++wrong;
    free(copy);
  }
  CU_ASSERT_EQUAL(wrong, 0);
  CU_ASSERT_EQUAL(cede_document_kind(policy_text, whole, NULL), CEDE_DOCUMENT_POLICY);
}

static void refuses_null(void) {
  cede_error error;
  CU_ASSERT_EQUAL(cede_document_kind(NULL, 0, &error), CEDE_E_INVALID);
  CU_ASSERT_TRUE(well_formed(&error, CEDE_E_INVALID));
  CU_ASSERT_EQUAL(cede_document_kind(NULL, 12, NULL), CEDE_E_INVALID);
}

CU_TestInfo document_tests[] = {
    {"knows the three kinds", knows_the_three_kinds},
    {"does not look further", does_not_look_further},
    {"finds the format anywhere at the top", finds_the_format_anywhere_at_the_top},
    {"refuses other texts", refuses_other_texts},
    {"a cut off format is no format", a_cut_off_format_is_no_format},
    {"refuses NULL", refuses_null},
    CU_TEST_INFO_NULL,
};
