/* SPDX-License-Identifier: MIT */
/* Create, destroy, export and revision; the other engine calls have files of their own, engine_*.c. */
#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>

#include "documents.h"
#include "fixture.h"
#include "suites.h"

static void create_refuses_what_is_missing(void) {
  cede_engine* engine = UNTOUCHED_ENGINE;
  cede_error error;
  CU_ASSERT_EQUAL(cede_engine_create(policy_text, strlen(policy_text), NULL, 0, CEDE_VERSION, NULL, &error),
                  CEDE_E_INVALID);
  CU_ASSERT_TRUE(well_formed(&error, CEDE_E_INVALID));
  CU_ASSERT_EQUAL(cede_engine_create(policy_text, strlen(policy_text), NULL, 0, CEDE_VERSION, NULL, NULL),
                  CEDE_E_INVALID);
  /* A size without a text is a mistake of the caller's, not "no policy". */
  CU_ASSERT_EQUAL(cede_engine_create(NULL, 5, NULL, 0, CEDE_VERSION, &engine, &error), CEDE_E_INVALID);
  CU_ASSERT_TRUE(well_formed(&error, CEDE_E_INVALID));
  CU_ASSERT_PTR_EQUAL(engine, UNTOUCHED_ENGINE);
}

static void create_refuses_a_newer_header(void) {
  static const uint32_t newer[] = {CEDE_VERSION + 1, CEDE_VERSION + 1000, UINT32_MAX};
  for (size_t i = 0; i < 3; ++i) {
    cede_engine* engine = UNTOUCHED_ENGINE;
    cede_error error;
    CU_ASSERT_EQUAL(cede_engine_create(NULL, 0, NULL, 0, newer[i], &engine, &error), CEDE_E_VERSION);
    CU_ASSERT_TRUE(well_formed(&error, CEDE_E_VERSION));
    CU_ASSERT_EQUAL(cede_engine_create(NULL, 0, NULL, 0, newer[i], &engine, NULL), CEDE_E_VERSION);
    CU_ASSERT_PTR_EQUAL(engine, UNTOUCHED_ENGINE);
  }
}

/* 0.1.0 was never kept: its structs had another layout. */
static void create_refuses_an_older_header(void) {
  cede_engine* engine = UNTOUCHED_ENGINE;
  cede_error error;
  CU_ASSERT_EQUAL(cede_engine_create(NULL, 0, NULL, 0, 1000, &engine, &error), CEDE_E_VERSION);
  CU_ASSERT_STRING_EQUAL(error.text,
                         "header_version: the program was built with the header of 0.1.0, and this library "
                         "takes those of 0.2.0 and later: build it again");
  CU_ASSERT_EQUAL(cede_engine_create(NULL, 0, NULL, 0, 0, &engine, NULL), CEDE_E_VERSION);
  CU_ASSERT_PTR_EQUAL(engine, UNTOUCHED_ENGINE);
}

static void create_refuses_wrong_policies(void) {
  static const char* const wrong[] = {
      "", "{}", "[]", "null", "{\"format\": \"cede-policy/1\"", cluster_text, bad_policy_text};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
    cede_engine* engine = UNTOUCHED_ENGINE;
    cede_error error;
    CU_ASSERT_EQUAL(cede_engine_create(wrong[i], strlen(wrong[i]), NULL, 0, CEDE_VERSION, &engine, &error),
                    CEDE_E_DOCUMENT);
    CU_ASSERT_TRUE(well_formed(&error, CEDE_E_DOCUMENT));
    CU_ASSERT_PTR_EQUAL(engine, UNTOUCHED_ENGINE);
  }
}

static void errors_name_place_value_and_nearest(void) {
  cede_engine* engine = UNTOUCHED_ENGINE;
  cede_error error;
  CU_ASSERT_EQUAL(
      cede_engine_create(bad_policy_text, strlen(bad_policy_text), NULL, 0, CEDE_VERSION, &engine, &error),
      CEDE_E_DOCUMENT);
  CU_ASSERT_EQUAL(error.line, 4);
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "policies.late.settings"));
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "'max_victim'"));
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "'max_victims'"));
}

/* A caller's error struct is often used again: success must not leave the last failure in it. */
static void success_clears_the_error(void) {
  cede_error error;
  cede_engine* engine = NULL;
  memset(&error, 'x', sizeof error);
  CU_ASSERT_EQUAL(cede_engine_create(NULL, 0, NULL, 0, CEDE_VERSION, &engine, &error), CEDE_OK);
  CU_ASSERT_EQUAL(error.status, CEDE_OK);
  CU_ASSERT_EQUAL(error.line, 0);
  CU_ASSERT_STRING_EQUAL(error.text, "");
  memset(&error, 'x', sizeof error);
  CU_ASSERT_EQUAL(load_text(engine, odd_cluster_text, &error), CEDE_REMARK_WARNINGS);
  CU_ASSERT_EQUAL(error.status, CEDE_REMARK_WARNINGS);
  CU_ASSERT_PTR_NOT_NULL(memchr(error.text, '\0', sizeof error.text));
  cede_engine_destroy(engine);
}

static void works_without_a_policy(void) {
  cede_engine* engine = engine_with(NULL, cluster_text);
  cede_engine* with_policy = loaded_engine();
  CU_ASSERT_TRUE(same_export(engine, with_policy));
  /* What only a policy forbids is not checked: no group policy of this name is known here. */
  CU_ASSERT_EQUAL(load_text(engine, gold_cluster_text, NULL), CEDE_OK);
  cede_engine_destroy(with_policy);
  cede_engine_destroy(engine);
}

static void destroy_takes_null(void) {
  cede_engine_destroy(NULL);
  cede_engine* engine = new_engine();
  cede_engine_destroy(engine);
  CU_ASSERT_EQUAL(cede_engine_revision(NULL), 0);
}

/* Before a load the engine has an empty cluster: it exports to a document that loads, and changes find
 * nothing. */
static void an_engine_without_a_cluster_is_usable(void) {
  cede_engine* engine = new_engine();
  cede_engine* other = new_engine();
  cede_report* report = NULL;
  cede_error error;
  char* empty = export_of(engine);
  CU_ASSERT_TRUE(load_text(other, empty, &error) >= 0);
  CU_ASSERT_TRUE(same_export(engine, other));
  free(empty);
  CU_ASSERT_TRUE(cede_engine_check(engine, NULL, 0, &report, &error) >= 0);
  cede_report_destroy(report);
  CU_ASSERT_EQUAL(set_policy_text(engine, policy_text, &error), CEDE_OK);
  Snapshot before = take_snapshot(engine);
  CU_ASSERT_TRUE(apply_text(engine, change_text, &error) < 0);
  CU_ASSERT_TRUE(unchanged_since(&before, engine));
  CU_ASSERT_EQUAL(load_text(engine, cluster_text, &error), CEDE_OK);
  cede_engine_destroy(engine);
  cede_engine_destroy(other);
}

static void export_refuses_what_is_missing(void) {
  cede_engine* engine = loaded_engine();
  cede_text* text = UNTOUCHED_TEXT;
  cede_error error;
  CU_ASSERT_EQUAL(cede_engine_export(NULL, &text, &error), CEDE_E_INVALID);
  CU_ASSERT_TRUE(well_formed(&error, CEDE_E_INVALID));
  CU_ASSERT_EQUAL(cede_engine_export(engine, NULL, &error), CEDE_E_INVALID);
  CU_ASSERT_TRUE(well_formed(&error, CEDE_E_INVALID));
  CU_ASSERT_EQUAL(cede_engine_export(NULL, NULL, NULL), CEDE_E_INVALID);
  CU_ASSERT_PTR_EQUAL(text, UNTOUCHED_TEXT);
  cede_engine_destroy(engine);
}

static void revision_grows_on_success_only(void) {
  cede_engine* engine = new_engine();
  cede_report* report = NULL;
  uint64_t last = cede_engine_revision(engine);
  CU_ASSERT_EQUAL(load_text(engine, cluster_text, NULL), CEDE_OK);
  CU_ASSERT_TRUE(cede_engine_revision(engine) > last);
  last = cede_engine_revision(engine);
  CU_ASSERT_TRUE(load_text(engine, wrong_cluster_text, NULL) < 0);
  CU_ASSERT_EQUAL(cede_engine_revision(engine), last);
  CU_ASSERT_EQUAL(apply_text(engine, change_text, NULL), CEDE_OK);
  CU_ASSERT_TRUE(cede_engine_revision(engine) > last);
  last = cede_engine_revision(engine);
  CU_ASSERT_TRUE(apply_text(engine, change_text, NULL) < 0); /* j2 is gone */
  CU_ASSERT_EQUAL(cede_engine_revision(engine), last);
  CU_ASSERT_EQUAL(set_policy_text(engine, policy_text, NULL), CEDE_OK);
  CU_ASSERT_TRUE(cede_engine_revision(engine) > last);
  last = cede_engine_revision(engine);
  CU_ASSERT_TRUE(set_policy_text(engine, bad_policy_text, NULL) < 0);
  CU_ASSERT_EQUAL(cede_engine_revision(engine), last);
  CU_ASSERT_EQUAL(check_text(engine, cluster_text, &report, NULL), CEDE_OK);
  cede_report_destroy(report);
  free(export_of(engine));
  CU_ASSERT_EQUAL(cede_engine_revision(engine), last);
  cede_engine_destroy(engine);
}

static void engines_never_see_each_other(void) {
  cede_engine* a = loaded_engine();
  cede_engine* b = engine_with(gold_policy_text, gold_cluster_text);
  Snapshot of_b = take_snapshot(b);
  CU_ASSERT_EQUAL(apply_text(a, change_text, NULL), CEDE_OK);
  CU_ASSERT_EQUAL(load_text(a, small_cluster_text, NULL), CEDE_OK);
  CU_ASSERT_TRUE(apply_text(b, change_text, NULL) < 0);
  cede_engine_destroy(a);
  CU_ASSERT_TRUE(unchanged_since(&of_b, b));
  /* b's policy has no "default" although a's had one. */
  CU_ASSERT_EQUAL(load_text(b, cluster_text, NULL), CEDE_E_DOCUMENT);
  cede_engine_destroy(b);
}

CU_TestInfo engine_tests[] = {
    {"create refuses what is missing", create_refuses_what_is_missing},
    {"create refuses a newer header", create_refuses_a_newer_header},
    {"create refuses an older header", create_refuses_an_older_header},
    {"create refuses wrong policies", create_refuses_wrong_policies},
    {"errors name place, value and nearest", errors_name_place_value_and_nearest},
    {"success clears the error", success_clears_the_error},
    {"works without a policy", works_without_a_policy},
    {"destroy takes NULL", destroy_takes_null},
    {"an engine without a cluster is usable", an_engine_without_a_cluster_is_usable},
    {"export refuses what is missing", export_refuses_what_is_missing},
    {"revision grows on success only", revision_grows_on_success_only},
    {"engines never see each other", engines_never_see_each_other},
    CU_TEST_INFO_NULL,
};
