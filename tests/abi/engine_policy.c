/* SPDX-License-Identifier: MIT */
/* A policy is not exported: what an engine's policy is shows in the clusters it takes. */
#include <CUnit/CUnit.h>
#include <string.h>

#include "documents.h"
#include "fixture.h"
#include "suites.h"

/* Whether the engine knows policies "default" and "gold"; tried on a clone, so that it stays as it is. */
static bool knows(const cede_engine* engine, bool normal, bool gold) {
  cede_engine* copy = NULL;
  CU_ASSERT_EQUAL_FATAL(cede_engine_clone(engine, &copy, NULL), CEDE_OK);
  const bool has_normal = load_text(copy, small_cluster_text, NULL) == CEDE_OK;
  const bool has_gold = load_text(copy, gold_cluster_text, NULL) == CEDE_OK;
  cede_engine_destroy(copy);
  return has_normal == normal && has_gold == gold;
}

static void refuses_what_is_missing(void) {
  cede_engine* engine = loaded_engine();
  Snapshot before = take_snapshot(engine);
  cede_error error;
  CU_ASSERT_EQUAL(cede_engine_set_policy(NULL, policy_text, strlen(policy_text), &error), CEDE_E_INVALID);
  CU_ASSERT_TRUE(well_formed(&error, CEDE_E_INVALID));
  CU_ASSERT_EQUAL(cede_engine_set_policy(engine, NULL, 0, &error), CEDE_E_INVALID);
  CU_ASSERT_TRUE(well_formed(&error, CEDE_E_INVALID));
  CU_ASSERT_EQUAL(cede_engine_set_policy(engine, NULL, 9, NULL), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_engine_set_policy(NULL, NULL, 0, NULL), CEDE_E_INVALID);
  CU_ASSERT_TRUE(unchanged_since(&before, engine));
  CU_ASSERT_TRUE(knows(engine, true, true));
  cede_engine_destroy(engine);
}

static void replaces_the_whole_policy(void) {
  cede_engine* engine = new_engine();
  CU_ASSERT_TRUE(knows(engine, true, true));
  CU_ASSERT_EQUAL(set_policy_text(engine, gold_policy_text, NULL), CEDE_OK);
  CU_ASSERT_TRUE(knows(engine, false, true));
  CU_ASSERT_EQUAL(set_policy_text(engine, policy_text, NULL), CEDE_OK);
  CU_ASSERT_TRUE(knows(engine, true, true));
  cede_engine_destroy(engine);
}

static void gives_one_to_an_engine_that_had_none(void) {
  cede_engine* engine = engine_with(NULL, cluster_text);
  CU_ASSERT_TRUE(knows(engine, true, true)); /* without a policy every name is taken */
  CU_ASSERT_EQUAL(set_policy_text(engine, policy_text, NULL), CEDE_OK);
  CU_ASSERT_EQUAL(load_text(engine, gold_cluster_text, NULL), CEDE_OK);
  CU_ASSERT_EQUAL(set_policy_text(engine, gold_policy_text, NULL), CEDE_OK);
  CU_ASSERT_TRUE(knows(engine, false, true));
  cede_engine_destroy(engine);
}

/* The cluster must agree: its group names a policy, its jobs keep to the ranges of the profile. */
static void the_cluster_must_agree(void) {
  static const char strict[] =
      "{\"format\": \"cede-policy/1\", \"policies\": {\"default\": {\"profile\": \"priority\"}, \"gold\": "
      "{\"profile\": "
      "\"priority\"}}}";
  static const char outside[] =
      "{\"format\": \"cede-changes/1\", \"put\": {\"jobs\": [{\"id\": \"j2\", \"queue\": \"root.b\", "
      "\"group\": \"g\", "
      "\"priority\": 101, \"tasks\": [{\"resources\": {\"gpu\": 1}}]}]}}";
  cede_engine* engine = loaded_engine();
  cede_error error;
  Snapshot before = take_snapshot(engine);
  CU_ASSERT_EQUAL(set_policy_text(engine, gold_policy_text, &error), CEDE_E_DOCUMENT);
  CU_ASSERT_TRUE(well_formed(&error, CEDE_E_DOCUMENT));
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "'default'"));
  CU_ASSERT_TRUE(unchanged_since(&before, engine));
  CU_ASSERT_TRUE(knows(engine, true, true));

  CU_ASSERT_EQUAL(apply_text(engine, outside, &error), CEDE_OK);
  before = take_snapshot(engine);
  CU_ASSERT_EQUAL(set_policy_text(engine, strict, &error), CEDE_E_DOCUMENT);
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "101"));
  CU_ASSERT_TRUE(unchanged_since(&before, engine));
  CU_ASSERT_TRUE(knows(engine, true, true));
  /* And the other way round: under that policy the job is refused. */
  CU_ASSERT_EQUAL(load_text(engine, cluster_text, &error), CEDE_OK);
  CU_ASSERT_EQUAL(set_policy_text(engine, strict, &error), CEDE_OK);
  before = take_snapshot(engine);
  CU_ASSERT_EQUAL(apply_text(engine, outside, &error), CEDE_E_DOCUMENT);
  CU_ASSERT_TRUE(unchanged_since(&before, engine));
  cede_engine_destroy(engine);
}

static void a_wrong_document_changes_nothing(void) {
  static const char* const wrong[] = {
      "",
      "{}",
      "7",
      cluster_text,
      change_text,
      bad_policy_text,
      "{\"format\": \"cede-policy/1\", \"policies\": {\"default\": {\"profile\": \"garantee\"}}}",
      "{\"format\": \"cede-policy/1\", \"policies\": {\"default\": {}}}",
      "{\"format\": \"cede-policy/1\", \"policies\": {\"default\": {\"profile\": \"guarantee\"}}, \"limit\": "
      "{}}",
      "{\"format\": \"cede-policy/1\", \"policies\": {\"default\": {\"profile\": \"class-cost\", "
      "\"settings\": "
      "{\"max_victims\": -1}}}}",
  };
  cede_engine* engine = loaded_engine();
  Snapshot before = take_snapshot(engine);
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
    cede_error error;
    CU_ASSERT_EQUAL(set_policy_text(engine, wrong[i], &error), CEDE_E_DOCUMENT);
    CU_ASSERT_TRUE(well_formed(&error, CEDE_E_DOCUMENT));
    CU_ASSERT_TRUE(knows(engine, true, true));
  }
  CU_ASSERT_EQUAL(set_policy_text(engine, "{\"format\": \"cede-policy/2\"}", NULL), CEDE_E_VERSION);
  CU_ASSERT_TRUE(unchanged_since(&before, engine));
  cede_engine_destroy(engine);
}

static void the_cluster_survives_it(void) {
  cede_engine* engine = loaded_engine();
  cede_engine* fresh = loaded_engine();
  CU_ASSERT_EQUAL(set_policy_text(engine, policy_text, NULL), CEDE_OK);
  CU_ASSERT_TRUE(same_export(engine, fresh));
  cede_engine_destroy(engine);
  cede_engine_destroy(fresh);
}

CU_TestInfo engine_policy_tests[] = {
    {"refuses what is missing", refuses_what_is_missing},
    {"replaces the whole policy", replaces_the_whole_policy},
    {"gives one to an engine that had none", gives_one_to_an_engine_that_had_none},
    {"the cluster must agree", the_cluster_must_agree},
    {"a wrong document changes nothing", a_wrong_document_changes_nothing},
    {"the cluster survives it", the_cluster_survives_it},
    CU_TEST_INFO_NULL,
};
