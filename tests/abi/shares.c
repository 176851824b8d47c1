/* SPDX-License-Identifier: MIT */
#include <CUnit/CUnit.h>
#include <string.h>

#include "documents.h"
#include "fixture.h"
#include "suites.h"

static cede_engine* fair(void) { return engine_with(fair_policy_text, fair_cluster_text); }

static cede_text* shares_of(const cede_engine* engine, const char* group, int64_t now) {
  cede_text* text = NULL;
  CU_ASSERT_EQUAL(cede_engine_shares(engine, group, now, &text, NULL), CEDE_OK);
  CU_ASSERT_PTR_NOT_NULL_FATAL(text);
  CU_ASSERT_EQUAL(cede_text_size(text), strlen(cede_text_data(text)));
  return text;
}

static bool says(const cede_text* text, const char* part) {
  return strstr(cede_text_data(text), part) != NULL;
}

static void shows_what_every_job_and_queue_has_and_is_due(void) {
  cede_engine* engine = fair();
  Snapshot before = take_snapshot(engine);
  cede_text* text = shares_of(engine, NULL, CEDE_NOW_OF_CLUSTER);
  CU_ASSERT_EQUAL(
      strncmp(cede_text_data(text), "{\"format\":\"cede-shares/1\",\"now\":1760000000,\"groups\":[", 53), 0);
  CU_ASSERT_TRUE(says(text, "{\"id\":\"g\",\"policy\":\"default\",\"capacity\":{\"gpu\":4}"));
  CU_ASSERT_FALSE(says(text, "\"h\""));
  CU_ASSERT_TRUE(
      says(text,
           "{\"id\":\"root\",\"parent\":null,\"dominant\":{\"usage\":1,\"fair_share\":1,\"demand\":2,"
           "\"guaranteed\":0}"));
  CU_ASSERT_TRUE(
      says(text,
           "\"usage\":{\"gpu\":0},\"fair_share\":{\"gpu\":0.5},\"demand\":{\"gpu\":1},\"given\":false,"
           "\"status\":\"below_fair_share\",\"starvation\":\"starving\",\"below_since\":1759999969"));
  CU_ASSERT_TRUE(says(text,
                      "\"tasks\":{\"non_preemptible\":[\"a\"],\"aggressively_preemptible\":[],"
                      "\"preemptible\":[\"b\"]}"));
  cede_text* named = shares_of(engine, "g", CEDE_NOW_OF_CLUSTER);
  CU_ASSERT_STRING_EQUAL(cede_text_data(text), cede_text_data(named));
  CU_ASSERT_TRUE(unchanged_since(&before, engine));
  cede_text_destroy(named);
  cede_engine_destroy(engine);
  CU_ASSERT_TRUE(says(text, "\"p\"")); /* outlives its engine */
  cede_text_destroy(text);
}

static void reads_clocks_at_its_own_time(void) {
  cede_engine* engine = engine_with(fair_policy_text, fair_cluster_text);
  cede_text* earlier = shares_of(engine, "g", 1);
  CU_ASSERT_TRUE(says(earlier, "\"now\":1760000000,"));
  CU_ASSERT_EQUAL(
      apply_text(engine,
                 "{\"format\": \"cede-changes/1\", \"put\": {\"jobs\": [{\"id\": \"p\", \"queue\": "
                 "\"root\", \"group\": \"g\", \"tasks\": [{\"resources\": {\"gpu\": 4}}]}]}}",
                 NULL),
      CEDE_OK);
  cede_text* then = shares_of(engine, "g", 1760000030000);
  cede_text* later = shares_of(engine, "g", 1760000030001);
  CU_ASSERT_FALSE(says(then, "\"starving\""));
  CU_ASSERT_TRUE(says(then, "\"below_since\":1760000000"));
  CU_ASSERT_TRUE(says(later, "\"now\":1760000030.001,"));
  CU_ASSERT_TRUE(says(later, "\"starving\""));
  cede_text_destroy(earlier);
  cede_text_destroy(then);
  cede_text_destroy(later);
  cede_engine_destroy(engine);
}

static void refuses_what_is_missing_or_wrong(void) {
  cede_engine* engine = fair();
  cede_engine* without = engine_with(NULL, small_cluster_text);
  cede_engine* other = engine_with(sessions_policy_text, sessions_cluster_text);
  cede_text* text = UNTOUCHED_TEXT;
  const struct {
    const cede_engine* engine;
    const char* group;
    int64_t now;
    int32_t status;
    const char* part;
  } refused[] = {
      {NULL, "g", CEDE_NOW_OF_CLUSTER, CEDE_E_INVALID, "engine"},
      {engine, "g", -1, CEDE_E_INVALID, "now: -1 is outside 0.."},
      {engine, "g", 253402300800000, CEDE_E_INVALID, "now: 253402300800000 is outside 0.."},
      {without, NULL, CEDE_NOW_OF_CLUSTER, CEDE_E_INVALID, "no policy"},
      {engine, "nobody", CEDE_NOW_OF_CLUSTER, CEDE_E_UNKNOWN, "'nobody' is not a group; 2 groups are known"},
      {engine, "", CEDE_NOW_OF_CLUSTER, CEDE_E_UNKNOWN, "'' is not a group"},
      {engine, "h", CEDE_NOW_OF_CLUSTER, CEDE_E_INVALID, "'h' is of profile priority"},
      {other, "g", CEDE_NOW_OF_CLUSTER, CEDE_E_INVALID, "'g' is of profile priority"},
      {other, NULL, CEDE_NOW_OF_CLUSTER, CEDE_E_INVALID, "no group is of profile fair-share"},
  };
  for (size_t i = 0; i < sizeof refused / sizeof refused[0]; ++i) {
    cede_error error;
    memset(&error, 'x', sizeof error);
    CU_ASSERT_EQUAL(cede_engine_shares(refused[i].engine, refused[i].group, refused[i].now, &text, &error),
                    refused[i].status);
    CU_ASSERT_TRUE(well_formed(&error, refused[i].status));
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, refused[i].part));
    CU_ASSERT_PTR_EQUAL(text, UNTOUCHED_TEXT);
    CU_ASSERT_EQUAL(cede_engine_shares(refused[i].engine, refused[i].group, refused[i].now, &text, NULL),
                    refused[i].status);
  }
  cede_error error;
  CU_ASSERT_EQUAL(cede_engine_shares(engine, "g", CEDE_NOW_OF_CLUSTER, NULL, &error), CEDE_E_INVALID);
  CU_ASSERT_TRUE(well_formed(&error, CEDE_E_INVALID));
  cede_engine_destroy(other);
  cede_engine_destroy(without);
  cede_engine_destroy(engine);
}

CU_TestInfo shares_tests[] = {
    {"shows what every job and queue has and is due", shows_what_every_job_and_queue_has_and_is_due},
    {"reads clocks at its own time", reads_clocks_at_its_own_time},
    {"refuses what is missing or wrong", refuses_what_is_missing_or_wrong},
    CU_TEST_INFO_NULL,
};
