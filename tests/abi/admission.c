/* SPDX-License-Identifier: MIT */
#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>

#include "documents.h"
#include "fixture.h"
#include "suites.h"

#define UNTOUCHED_ADMISSION ((cede_admission*)&untouched)

static cede_engine* sessions(void) { return engine_with(sessions_policy_text, sessions_cluster_text); }

/* Given a copy of the changes that ends where the text ends and is overwritten afterwards. */
static int32_t ask(const cede_engine* engine, const char* job, const char* changes,
                   cede_admission** admission, cede_error* error) {
  const size_t size = changes ? strlen(changes) : 0;
  char* copy = changes ? malloc(size > 0 ? size : 1) : NULL;
  if (copy) memcpy(copy, changes, size);
  const int32_t status = cede_engine_admit(engine, job, copy, size, admission, error);
  if (copy) memset(copy, '?', size);
  free(copy);
  return status;
}

static cede_admission* admission_of(const cede_engine* engine, const char* job, const char* changes) {
  cede_admission* admission = NULL;
  CU_ASSERT_EQUAL(ask(engine, job, changes, &admission, NULL), CEDE_OK);
  CU_ASSERT_PTR_NOT_NULL_FATAL(admission);
  return admission;
}

static cede_ruling ruling_of(const cede_admission* admission) {
  cede_ruling ruling;
  CU_ASSERT_EQUAL(cede_admission_get(admission, &ruling, sizeof ruling, NULL), CEDE_OK);
  return ruling;
}

static void shows_what_a_loaded_job_counts_as(void) {
  cede_engine* engine = sessions();
  cede_admission* admission = admission_of(engine, "w", NULL);
  CU_ASSERT_EQUAL(cede_admission_admitted(admission), 1);
  CU_ASSERT_STRING_EQUAL(cede_admission_rule(admission), "");
  CU_ASSERT_STRING_EQUAL(cede_admission_reason(admission),
                         "job 'w' is taken with priority 20 and class 4, and may be preempted");
  const cede_ruling ruling = ruling_of(admission);
  CU_ASSERT_EQUAL(ruling.priority, 20);
  CU_ASSERT_EQUAL(ruling.job_class, 4);
  CU_ASSERT_EQUAL(ruling.preemptible, CEDE_PREEMPTIBLE_YES);
  CU_ASSERT_EQUAL(ruling.min_priority, 5);
  CU_ASSERT_EQUAL(ruling.max_priority, 50);
  CU_ASSERT_EQUAL(ruling.default_priority, 20);
  CU_ASSERT_EQUAL(ruling.max_class, 7);
  CU_ASSERT_EQUAL(ruling.may_change, 1);
  CU_ASSERT_EQUAL(ruling.may_opt_out, 0);
  cede_admission_destroy(admission);
  cede_engine_destroy(engine);
}

static void answers_for_jobs_that_are_not_there_yet(void) {
  cede_engine* engine = sessions();
  Snapshot before = take_snapshot(engine);
  cede_admission* refused = admission_of(engine, "s1", submission_text);
  CU_ASSERT_EQUAL(cede_admission_admitted(refused), 0);
  CU_ASSERT_STRING_EQUAL(cede_admission_rule(refused), "priority");
  CU_ASSERT_STRING_EQUAL(cede_admission_reason(refused), "priority 60 is above 50, the limit of project 'p'");
  CU_ASSERT_EQUAL(ruling_of(refused).priority, 60);
  CU_ASSERT_EQUAL(ruling_of(refused).max_priority, 50);
  cede_admission* taken = admission_of(engine, "s2", submission_text);
  CU_ASSERT_EQUAL(cede_admission_admitted(taken), 1);
  CU_ASSERT_EQUAL(ruling_of(taken).job_class, 6);
  CU_ASSERT_TRUE(unchanged_since(&before, engine));
  cede_admission_destroy(taken);
  cede_admission_destroy(refused);
  cede_engine_destroy(engine);
}

static void every_value_has_its_field(void) {
  static const struct {
    const char* members;
    const char* rule;
    cede_ruling ruling;
  } cases[] = {
      {"\"user\": \"fixed\"", "", {10, 4, CEDE_PREEMPTIBLE_YES, 10, 10, 10, 9, 0, 1, 10, 10}},
      {"\"user\": \"fixed\", \"priority\": 11",
       "priority",
       {11, 4, CEDE_PREEMPTIBLE_YES, 10, 10, 10, 9, 0, 0, 10, 10}},
      {"\"preemptible\": false", "", {10, 4, CEDE_PREEMPTIBLE_NO, 0, 100, 10, 9, 1, 1, 0, 100}},
      {"\"preemptible\": \"last-resort\"",
       "",
       {10, 4, CEDE_PREEMPTIBLE_LAST_RESORT, 0, 100, 10, 9, 1, 1, 0, 100}},
      {"\"user\": \"u\", \"preemptible\": false",
       "opt-out",
       {20, 4, CEDE_PREEMPTIBLE_NO, 0, 100, 20, 9, 1, 0, 1, 0}},
      {"\"user\": \"high\", \"preemptible\": false",
       "opt-out",
       {10, 4, CEDE_PREEMPTIBLE_NO, 0, 100, 10, 9, 1, 0, 50, 100}},
      {"\"user\": \"high\", \"priority\": 50, \"preemptible\": false",
       "",
       {50, 4, CEDE_PREEMPTIBLE_NO, 0, 100, 10, 9, 1, 1, 50, 100}},
      {"\"kind\": \"sensitive\"", "class", {10, 10, CEDE_PREEMPTIBLE_NO, 0, 100, 10, 9, 1, 1, 0, 100}},
  };
  cede_engine* engine = sessions();
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    char text[256];
    strcpy(text,
           "{\"format\": \"cede-changes/1\", \"put\": {\"jobs\": [{\"id\": \"x\", \"queue\": \"root\", ");
    strcat(text, cases[i].members);
    strcat(text, ", \"tasks\": [{}]}]}}");
    cede_admission* admission = admission_of(engine, "x", text);
    CU_ASSERT_STRING_EQUAL(cede_admission_rule(admission), cases[i].rule);
    const cede_ruling ruling = ruling_of(admission);
    CU_ASSERT_EQUAL(memcmp(&ruling, &cases[i].ruling, sizeof ruling), 0);
    cede_admission_destroy(admission);
  }
  cede_engine_destroy(engine);
}

static void refuses_what_is_missing_or_wrong(void) {
  cede_engine* engine = sessions();
  cede_engine* without = engine_with(NULL, sessions_cluster_text);
  cede_admission* admission = UNTOUCHED_ADMISSION;
  const struct {
    const cede_engine* engine;
    const char* job;
    const char* changes;
    int32_t status;
    const char* part;
  } refused[] = {
      {NULL, "w", NULL, CEDE_E_INVALID, "engine"},
      {engine, NULL, NULL, CEDE_E_INVALID, "job"},
      {without, "w", NULL, CEDE_E_INVALID, "no policy"},
      {engine, "nobody", NULL, CEDE_E_UNKNOWN, "unknown-job: 'nobody'"},
      {engine, "", NULL, CEDE_E_UNKNOWN, "unknown-job: ''"},
      {engine, "s1", NULL, CEDE_E_UNKNOWN, "unknown-job: 's1'"},
      {engine, "s3", submission_text, CEDE_E_UNKNOWN, "7 jobs are known"},
      {engine, "s1", wrong_submission_text, CEDE_E_DOCUMENT, "put.jobs[0].priority: 101"},
      {engine, "w", sessions_cluster_text, CEDE_E_DOCUMENT, "cede-changes/1"},
      {engine, "w", "", CEDE_E_DOCUMENT, ""},
      {engine, "w", "{", CEDE_E_DOCUMENT, ""},
  };
  Snapshot before = take_snapshot(engine);
  for (size_t i = 0; i < sizeof refused / sizeof refused[0]; ++i) {
    cede_error error;
    memset(&error, 'x', sizeof error);
    CU_ASSERT_EQUAL(ask(refused[i].engine, refused[i].job, refused[i].changes, &admission, &error),
                    refused[i].status);
    CU_ASSERT_TRUE(well_formed(&error, refused[i].status));
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, refused[i].part));
    CU_ASSERT_PTR_EQUAL(admission, UNTOUCHED_ADMISSION);
    CU_ASSERT_EQUAL(ask(refused[i].engine, refused[i].job, refused[i].changes, &admission, NULL),
                    refused[i].status);
  }
  cede_error error;
  CU_ASSERT_EQUAL(cede_engine_admit(engine, "w", NULL, 0, NULL, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_engine_admit(engine, "w", NULL, 1, &admission, &error), CEDE_E_INVALID);
  CU_ASSERT_TRUE(well_formed(&error, CEDE_E_INVALID));
  CU_ASSERT_PTR_EQUAL(admission, UNTOUCHED_ADMISSION);
  CU_ASSERT_TRUE(unchanged_since(&before, engine));
  cede_engine_destroy(without);
  cede_engine_destroy(engine);
}

static void accessors_survive_null(void) {
  cede_error error;
  cede_ruling ruling;
  cede_text* text = UNTOUCHED_TEXT;
  CU_ASSERT_EQUAL(cede_admission_admitted(NULL), CEDE_E_INVALID);
  CU_ASSERT_PTR_NULL(cede_admission_rule(NULL));
  CU_ASSERT_PTR_NULL(cede_admission_reason(NULL));
  CU_ASSERT_EQUAL(cede_admission_get(NULL, &ruling, sizeof ruling, &error), CEDE_E_INVALID);
  CU_ASSERT_TRUE(well_formed(&error, CEDE_E_INVALID));
  CU_ASSERT_EQUAL(cede_admission_json(NULL, &text, &error), CEDE_E_INVALID);
  CU_ASSERT_PTR_EQUAL(text, UNTOUCHED_TEXT);
  cede_engine* engine = sessions();
  cede_admission* admission = admission_of(engine, "w", NULL);
  CU_ASSERT_EQUAL(cede_admission_get(admission, NULL, sizeof ruling, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_admission_get(admission, &ruling, 0, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_admission_json(admission, NULL, &error), CEDE_E_INVALID);
  cede_admission_destroy(admission);
  cede_admission_destroy(NULL);
  cede_engine_destroy(engine);
}

/* The answer is of then, whatever happens to its engine. */
static void outlives_its_engine(void) {
  cede_engine* engine = sessions();
  cede_admission* admission = admission_of(engine, "w", NULL);
  cede_text* before = NULL;
  cede_text* after = NULL;
  CU_ASSERT_EQUAL(cede_admission_json(admission, &before, NULL), CEDE_OK);
  CU_ASSERT_EQUAL(
      apply_text(engine, "{\"format\": \"cede-changes/1\", \"remove\": {\"jobs\": [\"w\"]}}", NULL), CEDE_OK);
  cede_engine_destroy(engine);
  CU_ASSERT_EQUAL(cede_admission_json(admission, &after, NULL), CEDE_OK);
  CU_ASSERT_STRING_EQUAL(cede_text_data(before), cede_text_data(after));
  CU_ASSERT_EQUAL(cede_text_size(after), strlen(cede_text_data(after)));
  CU_ASSERT_EQUAL(strncmp(cede_text_data(after), "{\"format\":\"cede-admission/1\",\"job\":\"w\",", 38), 0);
  CU_ASSERT_EQUAL(cede_admission_admitted(admission), 1);
  cede_text_destroy(before);
  cede_text_destroy(after);
  cede_admission_destroy(admission);
}

CU_TestInfo admission_tests[] = {
    {"shows what a loaded job counts as", shows_what_a_loaded_job_counts_as},
    {"answers for jobs that are not there yet", answers_for_jobs_that_are_not_there_yet},
    {"every value has its field", every_value_has_its_field},
    {"refuses what is missing or wrong", refuses_what_is_missing_or_wrong},
    {"accessors survive NULL", accessors_survive_null},
    {"outlives its engine", outlives_its_engine},
    CU_TEST_INFO_NULL,
};
