/* SPDX-License-Identifier: MIT */
/* Several jobs asked at once: the same as asking and committing one after the other. */
#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "suites.h"

#define UNTOUCHED_PLAN ((cede_plan*)&untouched)
enum { kJobs = 3 };

static const char policy[] =
    "{\"format\": \"cede-policy/1\", \"policies\": {\"default\": {\"profile\": \"priority\", \"settings\": "
    "{\"front_only\": false, \"preemptible_priority\": 60}}}}";
/* Two full nodes; jobs a and b can have one each, nothing is left for c; d may take from any job. */
static const char cluster[] =
    "{\"format\": \"cede-cluster/1\", \"now\": 1760000000, \"groups\": [{\"id\": \"g\"}], \"queues\": "
    "[{\"id\": "
    "\"root\"}], \"nodes\": [{\"id\": \"n1\", \"resources\": {\"cpu\": 2}}, {\"id\": \"n2\", \"resources\": "
    "{\"cpu\": 2}}], \"jobs\": [\n"
    "{\"id\": \"v1\", \"queue\": \"root\", \"state\": \"running\", \"started\": 1759990000, \"priority\": 1, "
    "\"tasks\": [{\"node\": \"n1\", \"resources\": {\"cpu\": 2}}]},\n"
    "{\"id\": \"v2\", \"queue\": \"root\", \"state\": \"running\", \"started\": 1759991000, \"priority\": 2, "
    "\"tasks\": [{\"node\": \"n2\", \"resources\": {\"cpu\": 2}}]},\n"
    "{\"id\": \"a\", \"queue\": \"root\", \"submitted\": 1759999000, \"priority\": 50, \"tasks\": "
    "[{\"resources\": {\"cpu\": 2}}]},\n"
    "{\"id\": \"b\", \"queue\": \"root\", \"submitted\": 1759999000, \"priority\": 50, \"tasks\": "
    "[{\"resources\": {\"cpu\": 2}}]},\n"
    "{\"id\": \"c\", \"queue\": \"root\", \"submitted\": 1759999000, \"priority\": 50, \"tasks\": "
    "[{\"resources\": {\"cpu\": 2}}]},\n"
    "{\"id\": \"d\", \"queue\": \"root\", \"submitted\": 1759999000, \"priority\": 90, \"tasks\": "
    "[{\"resources\": {\"cpu\": 2}}]}]}";

static int32_t ask(const cede_engine* engine, const char* const* jobs, size_t count, cede_plan** plans,
                   cede_error* error) {
  return cede_plan_create_batch(engine, jobs, count, CEDE_NOW_OF_CLUSTER, NULL, 0, plans, error);
}

static char* json_of(const cede_plan* plan) {
  cede_text* text = NULL;
  CU_ASSERT_EQUAL_FATAL(cede_plan_json(plan, &text, NULL), CEDE_OK);
  char* copy = malloc(cede_text_size(text) + 1);
  CU_ASSERT_PTR_NOT_NULL_FATAL(copy);
  memcpy(copy, cede_text_data(text), cede_text_size(text) + 1);
  cede_text_destroy(text);
  return copy;
}

static void equals_one_after_the_other(void) {
  static const char* const jobs[kJobs] = {"b", "a", "c"};
  cede_engine* engine = engine_with(policy, cluster);
  Snapshot before = take_snapshot(engine);
  cede_engine* clone = NULL;
  cede_plan* plans[kJobs];
  CU_ASSERT_EQUAL_FATAL(cede_engine_clone(engine, &clone, NULL), CEDE_OK);
  CU_ASSERT_EQUAL_FATAL(ask(engine, jobs, kJobs, plans, NULL), CEDE_OK);
  CU_ASSERT_TRUE(unchanged_since(&before, engine));
  CU_ASSERT_EQUAL(cede_plan_outcome(plans[0]), CEDE_OUTCOME_PREEMPT);
  CU_ASSERT_EQUAL(cede_plan_outcome(plans[1]), CEDE_OUTCOME_PREEMPT);
  CU_ASSERT_EQUAL(cede_plan_outcome(plans[2]), CEDE_OUTCOME_WAIT);
  CU_ASSERT_STRING_EQUAL(cede_plan_victim_job(plans[0], 0), "v1");
  CU_ASSERT_STRING_EQUAL(cede_plan_victim_job(plans[1], 0), "v2");
  for (int i = 0; i < kJobs; ++i) {
    cede_plan* alone = NULL;
    uint64_t entry = 0;
    CU_ASSERT_EQUAL_FATAL(cede_plan_create(clone, jobs[i], CEDE_NOW_OF_CLUSTER, NULL, 0, &alone, NULL),
                          CEDE_OK);
    char* expected = json_of(alone);
    char* found = json_of(plans[i]);
    CU_ASSERT_STRING_EQUAL(found, expected);
    free(expected);
    free(found);
    CU_ASSERT_EQUAL(cede_plan_verify(plans[i], NULL), CEDE_OK);
    CU_ASSERT_EQUAL(cede_plan_revision(plans[i]), cede_engine_revision(engine));
    CU_ASSERT_EQUAL(cede_plan_after_count(plans[i]), 0);
    if (i < 2)
      CU_ASSERT_EQUAL(cede_engine_commit(clone, alone, CEDE_NOW_OF_CLUSTER, -1, &entry, NULL), CEDE_OK);
    cede_plan_destroy(alone);
  }
  cede_text* text = NULL;
  CU_ASSERT_EQUAL(cede_plan_batch_json((const cede_plan* const*)plans, kJobs, &text, NULL), CEDE_OK);
  CU_ASSERT_EQUAL(strncmp(cede_text_data(text), "{\"format\":\"cede-plan/1\",\"batch\":[", 33), 0);
  CU_ASSERT_PTR_NOT_NULL(strstr(cede_text_data(text), "\"job\":\"c\""));
  cede_text_destroy(text);
  /* The parts are plans like any other, to be committed in turn. */
  uint64_t entries[2] = {0, 0};
  CU_ASSERT_EQUAL(cede_engine_commit(engine, plans[0], CEDE_NOW_OF_CLUSTER, -1, &entries[0], NULL), CEDE_OK);
  CU_ASSERT_EQUAL(cede_engine_commit(engine, plans[1], CEDE_NOW_OF_CLUSTER, -1, &entries[1], NULL), CEDE_OK);
  CU_ASSERT_NOT_EQUAL(entries[0], entries[1]);
  for (int i = 0; i < kJobs; ++i) cede_plan_destroy(plans[i]);
  cede_engine_destroy(clone);
  cede_engine_destroy(engine);
}

static void refuses(void) {
  static const char* const jobs[] = {"a", "b", "a"};
  static const char* const unknown[] = {"a", "nobody"};
  static const char* const hole[] = {"a", NULL};
  cede_engine* engine = engine_with(policy, cluster);
  cede_plan* plans[kJobs] = {UNTOUCHED_PLAN, UNTOUCHED_PLAN, UNTOUCHED_PLAN};
  cede_error error;
  cede_text* text = UNTOUCHED_TEXT;
  CU_ASSERT_EQUAL(ask(engine, jobs, 3, plans, &error), CEDE_E_INVALID);
  CU_ASSERT_STRING_EQUAL(error.text, "jobs[2]: 'a' is named twice");
  CU_ASSERT_EQUAL(ask(engine, unknown, 2, plans, &error), CEDE_E_UNKNOWN);
  CU_ASSERT_EQUAL(ask(engine, hole, 2, plans, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(ask(engine, NULL, 2, plans, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(ask(engine, jobs, 2, NULL, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(ask(NULL, jobs, 2, plans, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(ask(engine, NULL, 0, plans, &error), CEDE_OK);
  for (int i = 0; i < kJobs; ++i) CU_ASSERT_PTR_EQUAL(plans[i], UNTOUCHED_PLAN);
  const cede_plan* none[1] = {NULL};
  CU_ASSERT_EQUAL(cede_plan_batch_json(none, 1, &text, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_plan_batch_json(NULL, 1, &text, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_plan_batch_json(none, 0, NULL, &error), CEDE_E_INVALID);
  CU_ASSERT_PTR_EQUAL(text, UNTOUCHED_TEXT);
  CU_ASSERT_EQUAL(cede_plan_after_count(NULL), 0);
  CU_ASSERT_PTR_NULL(cede_plan_after(NULL, 0));
  cede_engine_destroy(engine);
}

/* A part that takes the space kept for another part says so, and cannot be committed without it. */
static void a_part_names_the_jobs_it_counts_on(void) {
  static const char* const jobs[kJobs] = {"a", "b", "d"};
  cede_engine* engine = engine_with(policy, cluster);
  cede_plan* plans[kJobs];
  uint64_t entry = 0;
  cede_error error;
  CU_ASSERT_EQUAL_FATAL(ask(engine, jobs, kJobs, plans, NULL), CEDE_OK);
  CU_ASSERT_EQUAL(cede_plan_outcome(plans[2]), CEDE_OUTCOME_PREEMPT);
  CU_ASSERT_EQUAL_FATAL(cede_plan_after_count(plans[2]), 1);
  char* text = json_of(plans[2]);
  CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"after\":[\""));
  free(text);
  CU_ASSERT_EQUAL(cede_engine_commit(engine, plans[2], CEDE_NOW_OF_CLUSTER, -1, &entry, &error),
                  CEDE_E_STALE);
  CU_ASSERT_EQUAL(cede_engine_commit(engine, plans[0], CEDE_NOW_OF_CLUSTER, -1, &entry, &error), CEDE_OK);
  CU_ASSERT_EQUAL(cede_engine_commit(engine, plans[1], CEDE_NOW_OF_CLUSTER, -1, &entry, &error), CEDE_OK);
  CU_ASSERT_EQUAL(cede_engine_commit(engine, plans[2], CEDE_NOW_OF_CLUSTER, -1, &entry, &error), CEDE_OK);
  for (int i = 0; i < kJobs; ++i) cede_plan_destroy(plans[i]);
  cede_engine_destroy(engine);
}

/* One victim of four serves three jobs, but none of them without the one it was taken for. */
static void one_victim_serves_several(void) {
  static const char shared[] =
      "{\"format\": \"cede-cluster/1\", \"now\": 1760000000, \"groups\": [{\"id\": \"g\"}], \"queues\": "
      "[{\"id\": \"root\"}], \"nodes\": [{\"id\": \"n1\", \"resources\": {\"cpu\": 4}}], \"jobs\": [\n"
      "{\"id\": \"v\", \"queue\": \"root\", \"state\": \"running\", \"started\": 1759990000, \"priority\": "
      "1, \"tasks\": [{\"node\": \"n1\", \"resources\": {\"cpu\": 4}}]},\n"
      "{\"id\": \"a\", \"queue\": \"root\", \"submitted\": 1759999000, \"priority\": 50, \"tasks\": "
      "[{\"resources\": {\"cpu\": 2}}]},\n"
      "{\"id\": \"b\", \"queue\": \"root\", \"submitted\": 1759999000, \"priority\": 50, \"tasks\": "
      "[{\"resources\": {\"cpu\": 1}}]},\n"
      "{\"id\": \"c\", \"queue\": \"root\", \"submitted\": 1759999000, \"priority\": 50, \"tasks\": "
      "[{\"resources\": {\"cpu\": 1}}]}]}";
  static const char* const jobs[kJobs] = {"a", "b", "c"};
  cede_engine* engine = engine_with(policy, shared);
  cede_plan* plans[kJobs];
  uint64_t entry = 77;
  cede_error error;
  CU_ASSERT_EQUAL_FATAL(ask(engine, jobs, kJobs, plans, NULL), CEDE_OK);
  CU_ASSERT_EQUAL(cede_plan_outcome(plans[0]), CEDE_OUTCOME_PREEMPT);
  CU_ASSERT_EQUAL(cede_plan_after_count(plans[0]), 0);
  for (int i = 1; i < kJobs; ++i) {
    CU_ASSERT_EQUAL(cede_plan_outcome(plans[i]), CEDE_OUTCOME_FITS);
    CU_ASSERT_EQUAL(cede_plan_victim_count(plans[i]), 0);
    CU_ASSERT_EQUAL_FATAL(cede_plan_after_count(plans[i]), 1);
    CU_ASSERT_STRING_EQUAL(cede_plan_after(plans[i], 0), "a");
    CU_ASSERT_PTR_NULL(cede_plan_after(plans[i], 1));
    CU_ASSERT_EQUAL(cede_plan_verify(plans[i], NULL), CEDE_OK);
    Snapshot before = take_snapshot(engine);
    CU_ASSERT_EQUAL(cede_engine_commit(engine, plans[i], CEDE_NOW_OF_CLUSTER, -1, &entry, &error),
                    CEDE_E_STALE);
    CU_ASSERT_TRUE(well_formed(&error, CEDE_E_STALE));
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "'a'"));
    CU_ASSERT_EQUAL(entry, 77);
    CU_ASSERT_TRUE(unchanged_since(&before, engine));
  }
  for (int i = 0; i < kJobs; ++i)
    CU_ASSERT_EQUAL(cede_engine_commit(engine, plans[i], CEDE_NOW_OF_CLUSTER, -1, &entry, &error), CEDE_OK);
  for (int i = 0; i < kJobs; ++i) cede_plan_destroy(plans[i]);
  cede_engine_destroy(engine);
}

CU_TestInfo plan_batch_tests[] = {
    {"equals one after the other", equals_one_after_the_other},
    {"refuses", refuses},
    {"a part names the jobs it counts on", a_part_names_the_jobs_it_counts_on},
    {"one victim serves several", one_victim_serves_several},
    CU_TEST_INFO_NULL,
};
