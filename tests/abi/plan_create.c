/* SPDX-License-Identifier: MIT */
#include <CUnit/CUnit.h>
#include <string.h>

#include "documents.h"
#include "fixture.h"
#include "suites.h"

#define UNTOUCHED_PLAN ((cede_plan*)&untouched)
#define COUNT(list) (sizeof(list) / sizeof(list)[0])

static const char* const first_node[] = {"n1"};

static cede_engine* crowded(void) { return engine_with(crowded_policy_text, crowded_cluster_text); }

/* The plan, or NULL and a failed assertion. */
static cede_plan* relief_of(const cede_engine* engine, const char* target, const char* group,
                            const char* term) {
  cede_plan* plan = NULL;
  cede_error error;
  CU_ASSERT_EQUAL(
      cede_plan_create_relief(engine, target, group, CEDE_NOW_OF_CLUSTER, &term, term ? 1 : 0, &plan, &error),
      CEDE_OK);
  CU_ASSERT_PTR_NOT_NULL_FATAL(plan);
  CU_ASSERT_EQUAL(cede_plan_verify(plan, NULL), CEDE_OK);
  return plan;
}

static void relief_takes_the_job_that_is_too_much(void) {
  cede_engine* engine = crowded();
  cede_plan* plan = relief_of(engine, "node:n1", NULL, NULL);
  CU_ASSERT_EQUAL(cede_plan_outcome(plan), CEDE_OUTCOME_PREEMPT);
  CU_ASSERT_EQUAL(cede_plan_victim_count(plan), 1);
  CU_ASSERT_STRING_EQUAL(cede_plan_victim_job(plan, 0), "guest");
  CU_ASSERT_EQUAL(cede_plan_place_count(plan), 0);
  CU_ASSERT_EQUAL(cede_plan_revision(plan), cede_engine_revision(engine));
  cede_plan_destroy(plan);

  plan = relief_of(engine, "node:n1", NULL, "protect=guest");
  CU_ASSERT_STRING_EQUAL(cede_plan_victim_job(plan, 0), "own");
  cede_plan_destroy(plan);

  plan = relief_of(engine, "node:n2", NULL, NULL);
  CU_ASSERT_EQUAL(cede_plan_outcome(plan), CEDE_OUTCOME_FITS);
  cede_plan_destroy(plan);

  plan = relief_of(engine, "queue:root.others", "g", NULL);
  CU_ASSERT_EQUAL(cede_plan_outcome(plan), CEDE_OUTCOME_WAIT);
  CU_ASSERT_STRING_EQUAL(cede_plan_rule(plan), "no-quota-preemption");
  cede_plan_destroy(plan);
  cede_engine_destroy(engine);
}

/* One of the two jobs may go, and that is not enough. */
static void relief_in_part_must_be_asked_for(void) {
  cede_engine* engine = crowded();
  cede_plan* plan = relief_of(engine, "node:n3", NULL, NULL);
  CU_ASSERT_EQUAL(cede_plan_outcome(plan), CEDE_OUTCOME_WAIT);
  CU_ASSERT_STRING_EQUAL(cede_plan_rule(plan), "no-set");
  CU_ASSERT_EQUAL(cede_plan_victim_count(plan), 0);
  cede_plan_destroy(plan);
  plan = relief_of(engine, "node:n3", NULL, "partial");
  CU_ASSERT_EQUAL(cede_plan_outcome(plan), CEDE_OUTCOME_PREEMPT);
  CU_ASSERT_EQUAL(cede_plan_victim_count(plan), 1);
  CU_ASSERT_STRING_EQUAL(cede_plan_victim_job(plan, 0), "loose");
  CU_ASSERT_PTR_NOT_NULL(strstr(cede_plan_reason(plan), "still 1 gpu over"));
  cede_plan_destroy(plan);
  cede_engine_destroy(engine);
}

static void relief_refuses(void) {
  cede_engine* engine = crowded();
  cede_engine* without = engine_with(NULL, crowded_cluster_text);
  cede_plan* plan = UNTOUCHED_PLAN;
  cede_error error;
  static const struct {
    const char* target;
    const char* group;
    const char* term;
    int32_t status;
    const char* says;
  } refused[] = {
      {NULL, NULL, NULL, CEDE_E_INVALID, "target: NULL"},
      {"", NULL, NULL, CEDE_E_INVALID, "node:NAME, queue:NAME or job:NAME"},
      {"n1", NULL, NULL, CEDE_E_INVALID, "'n1' is not node:NAME"},
      {"rack:n1", NULL, NULL, CEDE_E_INVALID, "'rack:n1'"},
      {"node:", NULL, NULL, CEDE_E_UNKNOWN, "'' is not a node"},
      {"node:n9", NULL, NULL, CEDE_E_UNKNOWN, "'n9' is not a node"},
      {"queue:none", NULL, NULL, CEDE_E_UNKNOWN, "'none' is not a queue"},
      {"job:nobody", NULL, NULL, CEDE_E_UNKNOWN, "'nobody' is not a job"},
      {"queue:root", "h", NULL, CEDE_E_UNKNOWN, "'h' is not a group"},
      {"node:n1", "g", NULL, CEDE_E_INVALID, "only relief of a queue"},
      {"node:n1", NULL, "protect=nobody", CEDE_E_UNKNOWN, "'nobody'"},
      {"node:n1", NULL, "avoid=n2", CEDE_E_INVALID, "avoid"},
      {"node:n1", NULL, "whole", CEDE_E_INVALID, "'whole'"},
  };
  for (size_t i = 0; i < COUNT(refused); ++i) {
    CU_ASSERT_EQUAL(cede_plan_create_relief(engine, refused[i].target, refused[i].group, CEDE_NOW_OF_CLUSTER,
                                            &refused[i].term, refused[i].term ? 1 : 0, &plan, &error),
                    refused[i].status);
    CU_ASSERT_TRUE(well_formed(&error, refused[i].status));
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, refused[i].says));
  }
  CU_ASSERT_EQUAL(cede_plan_create_relief(NULL, "node:n1", NULL, 0, NULL, 0, &plan, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_plan_create_relief(engine, "node:n1", NULL, 0, NULL, 0, NULL, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_plan_create_relief(engine, "node:n1", NULL, 0, NULL, 1, &plan, &error),
                  CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_plan_create_relief(engine, "node:n1", NULL, -5, NULL, 0, &plan, &error),
                  CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_plan_create_relief(without, "node:n1", NULL, 0, NULL, 0, &plan, &error),
                  CEDE_E_INVALID);
  const char* nothing = NULL;
  CU_ASSERT_EQUAL(cede_plan_create_relief(engine, "node:n1", NULL, 0, &nothing, 1, &plan, NULL),
                  CEDE_E_INVALID);
  CU_ASSERT_PTR_EQUAL(plan, UNTOUCHED_PLAN);
  cede_engine_destroy(without);
  cede_engine_destroy(engine);
}

static cede_plan* claim_of(const cede_engine* engine, const char* queue, const char* reason,
                           const char* term) {
  cede_plan* plan = NULL;
  CU_ASSERT_EQUAL(cede_plan_create_claim(engine, queue, first_node, 1, reason, CEDE_NOW_OF_CLUSTER, &term,
                                         term ? 1 : 0, &plan, NULL),
                  CEDE_OK);
  CU_ASSERT_PTR_NOT_NULL_FATAL(plan);
  CU_ASSERT_EQUAL(cede_plan_verify(plan, NULL), CEDE_OK);
  return plan;
}

static void claim_empties_nodes(void) {
  cede_engine* engine = crowded();
  cede_plan* plan = claim_of(engine, "root.owner", "reclaim", NULL);
  CU_ASSERT_EQUAL(cede_plan_outcome(plan), CEDE_OUTCOME_PREEMPT);
  CU_ASSERT_EQUAL(cede_plan_victim_count(plan), 1);
  CU_ASSERT_STRING_EQUAL(cede_plan_victim_job(plan, 0), "guest");
  CU_ASSERT_EQUAL(cede_plan_place_count(plan), 0);
  cede_plan_destroy(plan);

  plan = claim_of(engine, "root.owner", "reclaim", "protect=guest");
  CU_ASSERT_EQUAL(cede_plan_outcome(plan), CEDE_OUTCOME_WAIT);
  CU_ASSERT_STRING_EQUAL(cede_plan_rule(plan), "claim-blocked");
  cede_plan_destroy(plan);

  plan = claim_of(engine, "root.others", "sensitive", "protect=own");
  CU_ASSERT_EQUAL(cede_plan_outcome(plan), CEDE_OUTCOME_PREEMPT);
  CU_ASSERT_EQUAL(cede_plan_victim_count(plan), 1);
  CU_ASSERT_STRING_EQUAL(cede_plan_victim_job(plan, 0), "own");
  cede_plan_destroy(plan);
  cede_engine_destroy(engine);
}

static void claim_refuses(void) {
  cede_engine* engine = crowded();
  cede_plan* plan = UNTOUCHED_PLAN;
  cede_error error;
  static const char* const twice[] = {"n1", "n1"};
  static const char* const unknown[] = {"n1", "n9"};
  static const char* const foreign[] = {"n2"};
  static const char* const hole[] = {"n1", NULL};
  static const struct {
    const char* queue;
    const char* const* nodes;
    size_t node_count;
    const char* reason;
    const char* term;
    int32_t status;
    const char* says;
  } refused[] = {
      {NULL, first_node, 1, "reclaim", NULL, CEDE_E_INVALID, "queue: NULL"},
      {"root.owner", NULL, 1, "reclaim", NULL, CEDE_E_INVALID, "nodes: NULL"},
      {"root.owner", hole, 2, "reclaim", NULL, CEDE_E_INVALID, "nodes[1]: NULL"},
      {"root.owner", NULL, 0, "reclaim", NULL, CEDE_E_INVALID, "no node"},
      {"root.owner", first_node, 1, NULL, NULL, CEDE_E_INVALID, "reason: NULL"},
      {"root.owner", first_node, 1, "", NULL, CEDE_E_INVALID, "reclaim or sensitive"},
      {"root.owner", first_node, 1, "Reclaim", NULL, CEDE_E_INVALID, "'Reclaim'"},
      {"nobody", first_node, 1, "reclaim", NULL, CEDE_E_UNKNOWN, "'nobody'"},
      {"root.owner", unknown, 2, "reclaim", NULL, CEDE_E_UNKNOWN, "'n9'"},
      {"root.owner", twice, 2, "reclaim", NULL, CEDE_E_INVALID, "twice"},
      {"root.owner", foreign, 1, "reclaim", NULL, CEDE_E_INVALID, "'n2' is not at home"},
      {"root.others", first_node, 1, "reclaim", NULL, CEDE_E_INVALID, "'n1' is not at home"},
      {"root.owner", first_node, 1, "reclaim", "protect=nobody", CEDE_E_UNKNOWN, "'nobody'"},
      {"root.owner", first_node, 1, "reclaim", "partial", CEDE_E_INVALID, "'partial'"},
      {"root.owner", first_node, 1, "reclaim", "only=n1", CEDE_E_INVALID, "only"},
  };
  for (size_t i = 0; i < COUNT(refused); ++i) {
    CU_ASSERT_EQUAL(cede_plan_create_claim(engine, refused[i].queue, refused[i].nodes, refused[i].node_count,
                                           refused[i].reason, CEDE_NOW_OF_CLUSTER, &refused[i].term,
                                           refused[i].term ? 1 : 0, &plan, &error),
                    refused[i].status);
    CU_ASSERT_TRUE(well_formed(&error, refused[i].status));
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, refused[i].says));
  }
  const char* queue = "root.owner";
  CU_ASSERT_EQUAL(cede_plan_create_claim(NULL, queue, first_node, 1, "reclaim", 0, NULL, 0, &plan, &error),
                  CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_plan_create_claim(engine, queue, first_node, 1, "reclaim", 0, NULL, 0, NULL, &error),
                  CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_plan_create_claim(engine, queue, first_node, 1, "reclaim", 0, NULL, 1, &plan, &error),
                  CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_plan_create_claim(engine, queue, first_node, 1, "reclaim", -5, NULL, 0, &plan, NULL),
                  CEDE_E_INVALID);
  CU_ASSERT_PTR_EQUAL(plan, UNTOUCHED_PLAN);
  cede_engine_destroy(engine);

  cede_engine* sessions = engine_with(sessions_policy_text, sessions_cluster_text);
  CU_ASSERT_EQUAL(
      cede_plan_create_claim(sessions, "root", first_node, 1, "sensitive", 0, NULL, 0, &plan, &error),
      CEDE_E_INVALID);
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "class-cost"));
  CU_ASSERT_PTR_EQUAL(plan, UNTOUCHED_PLAN);
  cede_engine_destroy(sessions);
}

CU_TestInfo plan_create_tests[] = {
    {"relief takes the job that is too much", relief_takes_the_job_that_is_too_much},
    {"relief in part must be asked for", relief_in_part_must_be_asked_for},
    {"relief refuses", relief_refuses},
    {"claim empties nodes", claim_empties_nodes},
    {"claim refuses", claim_refuses},
    CU_TEST_INFO_NULL};
