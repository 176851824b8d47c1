/* SPDX-License-Identifier: MIT */
#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "suites.h"

#define UNTOUCHED_PLAN ((cede_plan*)&untouched)

static const char priority_policy[] =
    "{\"format\": \"cede-policy/1\", \"policies\": {\"default\": {\"profile\": \"priority\"}}}";
static const char busy_cluster[] =
    "{\"format\": \"cede-cluster/1\", \"now\": 1000, \"groups\": [{\"id\": \"g\"}], \"queues\": [{\"id\": "
    "\"root\"}],"
    " \"nodes\": [{\"id\": \"n1\", \"resources\": {\"gpu\": 4}}, {\"id\": \"n2\", \"resources\": {\"gpu\": "
    "4}}],"
    " \"jobs\": [{\"id\": \"v1\", \"queue\": \"root\", \"state\": \"running\", \"started\": 10, "
    "\"priority\": 1,"
    " \"tasks\": [{\"node\": \"n1\", \"resources\": {\"gpu\": 4}, \"gpus\": [0, 1, 2, 3]}]},"
    " {\"id\": \"v2\", \"queue\": \"root\", \"state\": \"running\", \"started\": 20, \"priority\": 1,"
    " \"tasks\": [{\"node\": \"n2\", \"resources\": {\"gpu\": 4}, \"gpus\": [0, 1, 2, 3]}]},"
    " {\"id\": \"p\", \"queue\": \"root\", \"priority\": 50, \"tasks\": [{\"id\": \"w\", \"count\": 1,"
    " \"resources\": {\"gpu\": 2}}]}]}";

static cede_plan* plan_with(const cede_engine* engine, const char* term) {
  cede_plan* plan = NULL;
  CU_ASSERT_EQUAL(cede_plan_create(engine, "p", CEDE_NOW_OF_CLUSTER, &term, term ? 1 : 0, &plan, NULL),
                  CEDE_OK);
  CU_ASSERT_PTR_NOT_NULL_FATAL(plan);
  return plan;
}

static void shows_all_of_it(void) {
  cede_engine* engine = engine_with(priority_policy, busy_cluster);
  cede_plan* plan = plan_with(engine, NULL);
  CU_ASSERT_EQUAL(cede_plan_outcome(plan), CEDE_OUTCOME_PREEMPT);
  CU_ASSERT_STRING_EQUAL(cede_plan_rule(plan), "");
  CU_ASSERT_TRUE(strlen(cede_plan_reason(plan)) > 0);
  CU_ASSERT_EQUAL(cede_plan_revision(plan), cede_engine_revision(engine));
  CU_ASSERT_EQUAL(cede_plan_victim_count(plan), 1);
  CU_ASSERT_STRING_EQUAL(cede_plan_victim_job(plan, 0), "v1");
  CU_ASSERT_STRING_EQUAL(cede_plan_victim_task(plan, 0, 0), "t0");
  CU_ASSERT_PTR_NULL(cede_plan_victim_task(plan, 0, 1));
  CU_ASSERT_PTR_NULL(cede_plan_victim_job(plan, 1));
  cede_victim victim;
  CU_ASSERT_EQUAL(cede_plan_victims(plan, &victim, sizeof victim, 1, NULL, NULL), CEDE_OK);
  CU_ASSERT_EQUAL(victim.action, CEDE_ACTION_TERMINATE);
  CU_ASSERT_EQUAL(victim.requeue, 0);
  CU_ASSERT_EQUAL(victim.whole_job, 1);
  CU_ASSERT_EQUAL(victim.task_count, 1);
  CU_ASSERT_EQUAL(victim.cost, cede_plan_cost(plan));
  CU_ASSERT_EQUAL(victim.cost, 66000);               /* 4 GPUs for the 16.5 minutes since its start */
  CU_ASSERT_EQUAL(cede_plan_bound(plan), CEDE_NONE); /* profile priority tells the cost for information */
  CU_ASSERT_EQUAL(cede_plan_place_count(plan), 1);
  CU_ASSERT_STRING_EQUAL(cede_plan_place_task(plan, 0), "w#0");
  CU_ASSERT_STRING_EQUAL(cede_plan_place_node(plan, 0), "n1");
  CU_ASSERT_PTR_NULL(cede_plan_place_node(plan, 1));
  cede_place place;
  CU_ASSERT_EQUAL(cede_plan_places(plan, &place, sizeof place, 1, NULL, NULL), CEDE_OK);
  CU_ASSERT_EQUAL(place.gpus, 3);
  CU_ASSERT_EQUAL(place.devices_known, 1);
  CU_ASSERT_EQUAL(strncmp(cede_plan_objective(plan), "[[\"last-resort\",0],", 19), 0);
  cede_error error;
  CU_ASSERT_EQUAL(cede_plan_verify(plan, &error), CEDE_OK);
  cede_plan_destroy(plan);
  cede_engine_destroy(engine);
}

static void terms_count(void) {
  cede_engine* engine = engine_with(priority_policy, busy_cluster);
  static const struct {
    const char* term;
    const char* victim;
  } taken[] = {{"protect=v1", "v2"}, {"avoid=n1", "v2"}, {"only=n2", "v2"}, {"only=n1", "v1"}};
  for (size_t i = 0; i < sizeof taken / sizeof taken[0]; ++i) {
    cede_plan* plan = plan_with(engine, taken[i].term);
    CU_ASSERT_STRING_EQUAL(cede_plan_victim_job(plan, 0), taken[i].victim);
    cede_plan_destroy(plan);
  }
  static const struct {
    const char* term;
    int32_t status;
  } refused[] = {{"protect=x", CEDE_E_UNKNOWN},
                 {"avoid=x", CEDE_E_UNKNOWN},
                 {"protct=v1", CEDE_E_INVALID},
                 {"", CEDE_E_INVALID},
                 {"only", CEDE_E_UNKNOWN}};
  for (size_t i = 0; i < sizeof refused / sizeof refused[0]; ++i) {
    cede_plan* plan = UNTOUCHED_PLAN;
    cede_error error;
    CU_ASSERT_EQUAL(cede_plan_create(engine, "p", 0, &refused[i].term, 1, &plan, &error), refused[i].status);
    CU_ASSERT_TRUE(well_formed(&error, refused[i].status));
    CU_ASSERT_PTR_EQUAL(plan, UNTOUCHED_PLAN);
  }
  cede_engine_destroy(engine);
}

static void refuses_what_is_missing(void) {
  cede_engine* engine = engine_with(priority_policy, busy_cluster);
  cede_engine* without = engine_with(NULL, busy_cluster);
  cede_plan* plan = UNTOUCHED_PLAN;
  cede_error error;
  CU_ASSERT_EQUAL(cede_plan_create(NULL, "p", 0, NULL, 0, &plan, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_plan_create(engine, NULL, 0, NULL, 0, &plan, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_plan_create(engine, "p", 0, NULL, 0, NULL, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_plan_create(engine, "p", 0, NULL, 1, &plan, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_plan_create(engine, "p", -5, NULL, 0, &plan, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_plan_create(without, "p", 0, NULL, 0, &plan, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_plan_create(engine, "nobody", 0, NULL, 0, &plan, &error), CEDE_E_UNKNOWN);
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "unknown-job"));
  CU_ASSERT_PTR_EQUAL(plan, UNTOUCHED_PLAN);
  CU_ASSERT_EQUAL(cede_plan_outcome(NULL), CEDE_E_INVALID);
  CU_ASSERT_PTR_NULL(cede_plan_rule(NULL));
  CU_ASSERT_PTR_NULL(cede_plan_reason(NULL));
  CU_ASSERT_PTR_NULL(cede_plan_objective(NULL));
  CU_ASSERT_PTR_NULL(cede_plan_victim_job(NULL, 0));
  CU_ASSERT_PTR_NULL(cede_plan_victim_task(NULL, 0, 0));
  CU_ASSERT_PTR_NULL(cede_plan_place_task(NULL, 0));
  CU_ASSERT_PTR_NULL(cede_plan_place_node(NULL, 0));
  CU_ASSERT_EQUAL(cede_plan_victim_count(NULL), 0);
  CU_ASSERT_EQUAL(cede_plan_place_count(NULL), 0);
  CU_ASSERT_EQUAL(cede_plan_verify(NULL, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_plan_json(NULL, NULL, &error), CEDE_E_INVALID);
  cede_victim victim;
  cede_place place;
  cede_plan* real = plan_with(engine, NULL);
  size_t count = 77;
  CU_ASSERT_EQUAL(cede_plan_victims(real, NULL, sizeof victim, 1, &count, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_plan_victims(real, &victim, 0, 1, &count, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_plan_victims(NULL, &victim, sizeof victim, 1, &count, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_plan_places(NULL, &place, sizeof place, 1, &count, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(count, 77);
  CU_ASSERT_EQUAL(cede_plan_get(NULL, NULL, 0, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_plan_get(real, NULL, 0, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_plan_json(real, NULL, &error), CEDE_E_INVALID);
  cede_plan_destroy(real);
  cede_plan_destroy(NULL);
  cede_engine_destroy(without);
  cede_engine_destroy(engine);
}

/* Fields that only a newer caller's struct has are zeroed; no struct is smaller than the first version's. */
static void grows_by_the_rule(void) {
  cede_engine* engine = engine_with(priority_policy, busy_cluster);
  cede_plan* plan = plan_with(engine, NULL);
  unsigned char room[96];
  cede_victim whole;
  CU_ASSERT_EQUAL(cede_plan_victims(plan, &whole, sizeof whole, 1, NULL, NULL), CEDE_OK);
  memset(room, 0x5a, sizeof room);
  CU_ASSERT_EQUAL(cede_plan_victims(plan, (cede_victim*)(void*)room, 8, 1, NULL, NULL), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(room[0], 0x5a);
  memset(room, 0x5a, sizeof room);
  CU_ASSERT_EQUAL(cede_plan_victims(plan, (cede_victim*)(void*)room, sizeof room, 1, NULL, NULL), CEDE_OK);
  CU_ASSERT_EQUAL(memcmp(room, &whole, sizeof whole), 0);
  for (size_t i = sizeof whole; i < sizeof room; ++i) CU_ASSERT_EQUAL(room[i], 0);
  cede_plan_destroy(plan);
  cede_engine_destroy(engine);
}

/* The plan is of then, whatever happens to its engine. */
static void outlives_its_engine(void) {
  cede_engine* engine = engine_with(priority_policy, busy_cluster);
  cede_plan* plan = plan_with(engine, NULL);
  cede_text* before = NULL;
  cede_text* after = NULL;
  CU_ASSERT_EQUAL(cede_plan_explain(plan, &before, NULL), CEDE_OK);
  CU_ASSERT_EQUAL(
      apply_text(engine, "{\"format\": \"cede-changes/1\", \"remove\": {\"jobs\": [\"v1\"]}}", NULL),
      CEDE_OK);
  cede_engine_destroy(engine);
  CU_ASSERT_EQUAL(cede_plan_explain(plan, &after, NULL), CEDE_OK);
  CU_ASSERT_STRING_EQUAL(cede_text_data(before), cede_text_data(after));
  CU_ASSERT_EQUAL(cede_plan_verify(plan, NULL), CEDE_OK);
  cede_text_destroy(before);
  cede_text_destroy(after);
  cede_plan_destroy(plan);
}

CU_TestInfo plan_tests[] = {{"shows all of it", shows_all_of_it},
                            {"terms count", terms_count},
                            {"refuses what is missing", refuses_what_is_missing},
                            {"grows by the rule", grows_by_the_rule},
                            {"outlives its engine", outlives_its_engine},
                            CU_TEST_INFO_NULL};
