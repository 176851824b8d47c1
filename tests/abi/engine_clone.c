/* SPDX-License-Identifier: MIT */
#include <CUnit/CUnit.h>
#include <stdlib.h>

#include "documents.h"
#include "fixture.h"
#include "suites.h"

static cede_engine* clone_of(const cede_engine* engine) {
  cede_engine* copy = NULL;
  CU_ASSERT_EQUAL_FATAL(cede_engine_clone(engine, &copy, NULL), CEDE_OK);
  CU_ASSERT_PTR_NOT_NULL_FATAL(copy);
  return copy;
}

static void refuses_what_is_missing(void) {
  cede_engine* engine = loaded_engine();
  cede_engine* copy = UNTOUCHED_ENGINE;
  cede_error error;
  CU_ASSERT_EQUAL(cede_engine_clone(NULL, &copy, &error), CEDE_E_INVALID);
  CU_ASSERT_TRUE(well_formed(&error, CEDE_E_INVALID));
  CU_ASSERT_EQUAL(cede_engine_clone(engine, NULL, &error), CEDE_E_INVALID);
  CU_ASSERT_TRUE(well_formed(&error, CEDE_E_INVALID));
  CU_ASSERT_EQUAL(cede_engine_clone(NULL, NULL, NULL), CEDE_E_INVALID);
  CU_ASSERT_PTR_EQUAL(copy, UNTOUCHED_ENGINE);
  cede_engine_destroy(engine);
}

static void starts_equal(void) {
  cede_engine* engine = loaded_engine();
  cede_engine* copy = clone_of(engine);
  CU_ASSERT_PTR_NOT_EQUAL(copy, engine);
  CU_ASSERT_TRUE(same_export(engine, copy));
  /* The policy came along: a group of a policy it does not have is refused. */
  CU_ASSERT_EQUAL(load_text(copy, gold_cluster_text, NULL), CEDE_OK);
  CU_ASSERT_EQUAL(set_policy_text(engine, bad_policy_text, NULL), CEDE_E_DOCUMENT);
  cede_engine_destroy(engine);
  cede_engine_destroy(copy);
}

/* One engine goes through every kind of change while the other must stay what it was. */
static void change_everything(cede_engine* engine) {
  cede_error error;
  CU_ASSERT_EQUAL(apply_text(engine, change_text, &error), CEDE_OK);
  CU_ASSERT_TRUE(apply_text(engine, wrong_change_text, &error) < 0);
  CU_ASSERT_EQUAL(load_text(engine, full_cluster_text, &error), CEDE_OK);
  CU_ASSERT_EQUAL(load_text(engine, gold_cluster_text, &error), CEDE_OK);
  CU_ASSERT_EQUAL(set_policy_text(engine, gold_policy_text, &error), CEDE_OK);
}

static void changes_of_the_clone_do_not_show_in_the_original(void) {
  cede_engine* engine = loaded_engine();
  cede_engine* copy = clone_of(engine);
  Snapshot before = take_snapshot(engine);
  change_everything(copy);
  CU_ASSERT_TRUE(unchanged_since(&before, engine));
  /* Neither does the policy: "default" is still known here, and no longer there. */
  CU_ASSERT_EQUAL(load_text(engine, cluster_text, NULL), CEDE_OK);
  CU_ASSERT_EQUAL(load_text(copy, cluster_text, NULL), CEDE_E_DOCUMENT);
  cede_engine_destroy(copy);
  cede_engine_destroy(engine);
}

static void changes_of_the_original_do_not_show_in_the_clone(void) {
  cede_engine* engine = loaded_engine();
  cede_engine* copy = clone_of(engine);
  Snapshot before = take_snapshot(copy);
  change_everything(engine);
  CU_ASSERT_TRUE(unchanged_since(&before, copy));
  CU_ASSERT_EQUAL(load_text(copy, cluster_text, NULL), CEDE_OK);
  CU_ASSERT_EQUAL(load_text(engine, cluster_text, NULL), CEDE_E_DOCUMENT);
  cede_engine_destroy(engine);
  cede_engine_destroy(copy);
}

static void outlives_the_original(void) {
  cede_engine* engine = loaded_engine();
  cede_engine* copy = clone_of(engine);
  Snapshot before = take_snapshot(copy);
  cede_engine_destroy(engine);
  CU_ASSERT_TRUE(unchanged_since(&before, copy));
  CU_ASSERT_EQUAL(apply_text(copy, change_text, NULL), CEDE_OK);
  cede_engine* expected = loaded_engine();
  CU_ASSERT_EQUAL(apply_text(expected, change_text, NULL), CEDE_OK);
  CU_ASSERT_TRUE(same_export(copy, expected));
  cede_engine_destroy(expected);
  cede_engine_destroy(copy);
}

static void the_original_outlives_it(void) {
  cede_engine* engine = loaded_engine();
  cede_engine* copy = clone_of(engine);
  Snapshot before = take_snapshot(engine);
  CU_ASSERT_EQUAL(apply_text(copy, change_text, NULL), CEDE_OK);
  cede_engine_destroy(copy);
  CU_ASSERT_TRUE(unchanged_since(&before, engine));
  CU_ASSERT_EQUAL(apply_text(engine, change_text, NULL), CEDE_OK);
  cede_engine_destroy(engine);
}

/* Clones of clones, each one step further, then destroyed from the middle: every one keeps its own step. */
static void a_chain_keeps_every_step(void) {
  enum { kSteps = 6 };
  static const char put[] =
      "{\"format\": \"cede-changes/1\", \"put\": {\"nodes\": [{\"id\": \"n2\", \"group\": \"g\", "
      "\"resources\": {\"gpu\": 4}}, {\"id\": \"m%\", \"group\": \"g\", \"resources\": {\"gpu\": 1}}]}}";
  cede_engine* chain[kSteps];
  Snapshot steps[kSteps];
  char text[sizeof put];
  chain[0] = loaded_engine();
  steps[0] = take_snapshot(chain[0]);
  for (int i = 1; i < kSteps; ++i) {
    chain[i] = clone_of(chain[i - 1]);
    for (size_t c = 0; c < sizeof put; ++c) text[c] = put[c] == '%' ? (char)('0' + i) : put[c];
    CU_ASSERT_EQUAL(apply_text(chain[i], text, NULL), CEDE_OK);
    steps[i] = take_snapshot(chain[i]);
  }
  for (int i = 1; i < kSteps; i += 2) {
    CU_ASSERT_TRUE(unchanged_since(&steps[i], chain[i]));
    cede_engine_destroy(chain[i]);
  }
  for (int i = 0; i < kSteps; i += 2) {
    CU_ASSERT_TRUE(unchanged_since(&steps[i], chain[i]));
    cede_engine_destroy(chain[i]);
  }
}

static void an_empty_engine_can_be_cloned(void) {
  cede_engine* engine = new_engine();
  cede_engine* copy = clone_of(engine);
  CU_ASSERT_EQUAL(load_text(copy, cluster_text, NULL), CEDE_OK);
  cede_engine* again = new_engine();
  CU_ASSERT_TRUE(same_export(engine, again));
  cede_engine_destroy(again);
  cede_engine_destroy(engine);
  cede_engine_destroy(copy);
}

CU_TestInfo engine_clone_tests[] = {
    {"refuses what is missing", refuses_what_is_missing},
    {"starts equal", starts_equal},
    {"changes of the clone do not show in the original", changes_of_the_clone_do_not_show_in_the_original},
    {"changes of the original do not show in the clone", changes_of_the_original_do_not_show_in_the_clone},
    {"outlives the original", outlives_the_original},
    {"the original outlives it", the_original_outlives_it},
    {"a chain keeps every step", a_chain_keeps_every_step},
    {"an empty engine can be cloned", an_empty_engine_can_be_cloned},
    CU_TEST_INFO_NULL,
};
