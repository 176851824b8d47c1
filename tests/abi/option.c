/* SPDX-License-Identifier: MIT */
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <string.h>

#include "documents.h"
#include "fixture.h"
#include "suites.h"

enum { kMaxOptions = 64 };

static int32_t create_with(const char* const* options, size_t count, cede_engine** engine,
                           cede_error* error) {
  return cede_engine_create(policy_text, strlen(policy_text), options, count, CEDE_VERSION, engine, error);
}

static int32_t create_with_one(const char* option, cede_error* error) {
  cede_engine* engine = UNTOUCHED_ENGINE;
  const int32_t status = create_with(&option, 1, &engine, error);
  if (status < 0) {
    CU_ASSERT_PTR_EQUAL(engine, UNTOUCHED_ENGINE);
  } else {
    cede_engine_destroy(engine);
  }
  return status;
}

static void every_option_is_described(void) {
  const size_t count = cede_option_count();
  CU_ASSERT_TRUE(count > 0);
  for (size_t i = 0; i < count; ++i) {
    const char* name = cede_option_name(i);
    CU_ASSERT_PTR_NOT_NULL_FATAL(name);
    CU_ASSERT_TRUE(strlen(name) > 0 && !strpbrk(name, "= \n"));
    CU_ASSERT_PTR_NOT_NULL_FATAL(cede_option_default(i));
    CU_ASSERT_PTR_NOT_NULL_FATAL(cede_option_help(i));
    CU_ASSERT_TRUE(strlen(cede_option_default(i)) > 0);
    CU_ASSERT_TRUE(strlen(cede_option_help(i)) > 0 && !strchr(cede_option_help(i), '\n'));
    for (size_t other = 0; other < i; ++other) CU_ASSERT_STRING_NOT_EQUAL(name, cede_option_name(other));
    CU_ASSERT_PTR_EQUAL(cede_option_name(i), name);
  }
}

static void beyond_the_last_is_null(void) {
  const size_t beyond[] = {cede_option_count(), cede_option_count() + 1, SIZE_MAX};
  for (size_t i = 0; i < 3; ++i) {
    CU_ASSERT_PTR_NULL(cede_option_name(beyond[i]));
    CU_ASSERT_PTR_NULL(cede_option_default(beyond[i]));
    CU_ASSERT_PTR_NULL(cede_option_help(beyond[i]));
  }
}

static void every_default_is_accepted(void) {
  char text[256];
  for (size_t i = 0; i < cede_option_count(); ++i) {
    snprintf(text, sizeof text, "%s=%s", cede_option_name(i), cede_option_default(i));
    CU_ASSERT_EQUAL(create_with_one(text, NULL), CEDE_OK);
  }
}

static void all_defaults_at_once_are_accepted(void) {
  char texts[kMaxOptions][128];
  const char* options[kMaxOptions];
  const size_t count = cede_option_count();
  cede_engine* engine = NULL;
  CU_ASSERT_TRUE_FATAL(count <= kMaxOptions);
  for (size_t i = 0; i < count; ++i) {
    snprintf(texts[i], sizeof texts[i], "%s=%s", cede_option_name(i), cede_option_default(i));
    options[i] = texts[i];
  }
  CU_ASSERT_EQUAL(create_with(options, count, &engine, NULL), CEDE_OK);
  memset(texts, '?', sizeof texts);
  CU_ASSERT_EQUAL(load_text(engine, cluster_text, NULL), CEDE_OK);
  cede_engine_destroy(engine);
}

static void unknown_option_names_the_nearest(void) {
  cede_error error;
  CU_ASSERT_EQUAL(create_with_one("max_finding=3", &error), CEDE_E_UNKNOWN);
  CU_ASSERT_TRUE(well_formed(&error, CEDE_E_UNKNOWN));
  CU_ASSERT_EQUAL(error.line, 0);
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "'max_finding'"));
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "'max_findings'"));
  CU_ASSERT_EQUAL(create_with_one("max_finding=3", NULL), CEDE_E_UNKNOWN);
  CU_ASSERT_EQUAL(create_with_one("Max_Findings=3", NULL), CEDE_E_UNKNOWN);
  CU_ASSERT_EQUAL(create_with_one("max_findings =3", NULL), CEDE_E_UNKNOWN);
}

static void wrong_values_are_refused(void) {
  static const char* const wrong[] = {
      "max_findings=",   "max_findings=x",  "max_findings=-1", "max_findings=1.5",
      "max_findings=3x", "max_findings= 3", "max_findings=3 ", "max_findings=99999999999999999999",
      "max_findings==3", "max_findings=+3",
  };
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
    cede_error error;
    const int32_t status = create_with_one(wrong[i], &error);
    CU_ASSERT_EQUAL(status, CEDE_E_INVALID);
    CU_ASSERT_TRUE(well_formed(&error, status));
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "max_findings"));
  }
}

static void texts_that_are_no_option_are_refused(void) {
  cede_error error;
  CU_ASSERT_EQUAL(create_with_one("max_findings", &error), CEDE_E_INVALID);
  CU_ASSERT_TRUE(well_formed(&error, CEDE_E_INVALID));
  CU_ASSERT_TRUE(create_with_one("", &error) < 0);
  CU_ASSERT_TRUE(create_with_one("=", &error) < 0);
  CU_ASSERT_TRUE(create_with_one("=3", &error) < 0);
}

static void null_options_are_refused(void) {
  cede_engine* engine = UNTOUCHED_ENGINE;
  const char* const options[] = {"max_findings=3", NULL};
  cede_error error;
  CU_ASSERT_EQUAL(create_with(NULL, 1, &engine, &error), CEDE_E_INVALID);
  CU_ASSERT_TRUE(well_formed(&error, CEDE_E_INVALID));
  CU_ASSERT_EQUAL(create_with(options, 2, &engine, &error), CEDE_E_INVALID);
  CU_ASSERT_TRUE(well_formed(&error, CEDE_E_INVALID));
  CU_ASSERT_EQUAL(create_with(NULL, 1, &engine, NULL), CEDE_E_INVALID);
  CU_ASSERT_PTR_EQUAL(engine, UNTOUCHED_ENGINE);
  /* No options: the pointer does not matter. */
  CU_ASSERT_EQUAL(create_with(options, 0, &engine, NULL), CEDE_OK);
  cede_engine_destroy(engine);
}

/* Limits are inputs' documented bounds: what is beyond one is refused with the name of the option that moves
 * it. */
static void an_option_does_what_it_says(void) {
  static const char* const limits[] = {"max_nodes=1", "max_jobs=1", "max_queues=2", "max_resources=2"};
  for (size_t i = 0; i < sizeof limits / sizeof limits[0]; ++i) {
    cede_engine* engine = NULL;
    cede_error error;
    char name[32];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(limits[i], "="), limits[i]);
    CU_ASSERT_EQUAL_FATAL(create_with(&limits[i], 1, &engine, NULL), CEDE_OK);
    CU_ASSERT_EQUAL(load_text(engine, small_cluster_text, NULL), CEDE_OK);
    Snapshot before = take_snapshot(engine);
    CU_ASSERT_EQUAL(load_text(engine, cluster_text, &error), CEDE_E_LIMIT);
    CU_ASSERT_TRUE(well_formed(&error, CEDE_E_LIMIT));
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, name));
    CU_ASSERT_TRUE(unchanged_since(&before, engine));
    cede_engine_destroy(engine);
  }
}

CU_TestInfo option_tests[] = {
    {"every option is described", every_option_is_described},
    {"beyond the last is NULL", beyond_the_last_is_null},
    {"every default is accepted", every_default_is_accepted},
    {"all defaults at once are accepted", all_defaults_at_once_are_accepted},
    {"unknown option names the nearest", unknown_option_names_the_nearest},
    {"wrong values are refused", wrong_values_are_refused},
    {"texts that are no option are refused", texts_that_are_no_option_are_refused},
    {"NULL options are refused", null_options_are_refused},
    {"an option does what it says", an_option_does_what_it_says},
    CU_TEST_INFO_NULL,
};
