/* SPDX-License-Identifier: MIT */
/* Case 8: a node that is lost under an entry that is ready makes it short, in the call that tells so. */
#include <CUnit/CUnit.h>

#include "motion_scene.h"

static const char groups[] = "{'id':'g','policy':'priority'},{'id':'h','policy':'priority'}";
static const char nodes[] =
    "{'id':'n1','group':'g','topology':'box4','resources':{'gpu':4}},"
    "{'id':'n2','group':'g','topology':'box4','resources':{'gpu':4},'state':'drain'}";
static const char jobs[] = "{'id':'w','queue':'root','group':'g','tasks':[{'resources':{'gpu':4}}]}";

static cede_engine* ready_on_n1(uint64_t* entry) {
  cede_engine* engine = scene(groups, "", nodes, jobs);
  *entry = take(engine, "w", CEDE_OUTCOME_FITS);
  const Actions actions = step(engine, 0, nothing);
  CU_ASSERT_PTR_NOT_NULL_FATAL(find_action(&actions, CEDE_DO_START));
  CU_ASSERT_EQUAL_FATAL(state_of(engine, *entry), CEDE_ENTRY_READY);
  return engine;
}

/* Short, to be planned anew on the node that is left; after a restore there is no START either. */
static void is_planned_anew(cede_engine* engine, uint64_t entry) {
  CU_ASSERT_EQUAL(state_of(engine, entry), CEDE_ENTRY_SHORT);
  cede_engine* restored = NULL;
  cede_text* state = NULL;
  cede_text* cluster = NULL;
  CU_ASSERT_EQUAL_FATAL(cede_engine_clone(engine, &restored, NULL), CEDE_OK);
  CU_ASSERT_EQUAL_FATAL(cede_engine_save(engine, &state, NULL), CEDE_OK);
  CU_ASSERT_EQUAL_FATAL(cede_engine_export(engine, &cluster, NULL), CEDE_OK);
  CU_ASSERT_EQUAL(cede_engine_restore(restored, cede_text_data(state), cede_text_size(state), NULL), CEDE_OK);
  CU_ASSERT_TRUE(cede_engine_load(restored, cede_text_data(cluster), cede_text_size(cluster), NULL) >= 0);
  cede_text_destroy(state);
  cede_text_destroy(cluster);
  Actions actions = step(restored, 1, nothing);
  CU_ASSERT_PTR_NULL(find_action(&actions, CEDE_DO_START));
  CU_ASSERT_PTR_NOT_NULL(find_action(&actions, CEDE_DO_REPLAN));
  cede_engine_destroy(restored);

  actions = step(engine, 1, nothing);
  CU_ASSERT_PTR_NULL(find_action(&actions, CEDE_DO_START));
  CU_ASSERT_PTR_NOT_NULL(find_action(&actions, CEDE_DO_REPLAN));
  change(engine, "'nodes':[{'id':'n2','group':'g','topology':'box4','resources':{'gpu':4}}]", NULL);
  cede_plan* plan = ask(engine, "w", NULL);
  CU_ASSERT_EQUAL(cede_plan_outcome(plan), CEDE_OUTCOME_FITS);
  CU_ASSERT_TRUE(uses(plan, "n2"));
  CU_ASSERT_EQUAL(cede_engine_extend(engine, entry, plan, CEDE_NOW_OF_CLUSTER, -1, NULL), CEDE_OK);
  cede_plan_destroy(plan);
  actions = step(engine, 2, nothing);
  const Action* start = find_action(&actions, CEDE_DO_START);
  CU_ASSERT_PTR_NOT_NULL_FATAL(start);
  CU_ASSERT_STRING_EQUAL(start->node, "n2");
  cede_engine_destroy(engine);
}

static void lose(const char* put, const char* removed) {
  uint64_t entry = 0;
  cede_engine* engine = ready_on_n1(&entry);
  change(engine, put, removed);
  is_planned_anew(engine, entry);
}

static void case8_the_node_is_down(void) {
  lose("'nodes':[{'id':'n1','group':'g','topology':'box4','resources':{'gpu':4},'state':'down'}]", NULL);
}

static void case8_the_node_is_drained(void) {
  lose("'nodes':[{'id':'n1','group':'g','topology':'box4','resources':{'gpu':4},'state':'drain'}]", NULL);
}

static void case8_the_node_shrinks(void) {
  lose("'nodes':[{'id':'n1','group':'g','topology':'box2','resources':{'gpu':2}}]", NULL);
}

static void case8_the_node_has_less(void) {
  lose("'nodes':[{'id':'n1','group':'g','topology':'box4','resources':{'gpu':3}}]", NULL);
}

static void case8_the_node_changes_its_group(void) {
  lose("'nodes':[{'id':'n1','group':'h','topology':'box4','resources':{'gpu':4}}]", NULL);
}

static void case8_the_node_is_removed(void) { lose(NULL, "'nodes':['n1']"); }

/* The event alone, before the cluster's change is told. */
static void case8_an_event_reports_that_the_node_is_down(void) {
  uint64_t entry = 0;
  cede_engine* engine = ready_on_n1(&entry);
  const Actions actions = step(engine, 1, (Event){CEDE_EVENT_NODE_DOWN, NULL, "n1", 0});
  CU_ASSERT_PTR_NULL(find_action(&actions, CEDE_DO_START));
  CU_ASSERT_PTR_NOT_NULL(find_action(&actions, CEDE_DO_REPLAN));
  CU_ASSERT_EQUAL(state_of(engine, entry), CEDE_ENTRY_SHORT);
  cede_engine_destroy(engine);
}

/* It may come back in the same call as it goes: under the same name it is another node with the same space.
 */
static void case8_a_node_that_only_grows_keeps_its_hold(void) {
  uint64_t entry = 0;
  cede_engine* engine = ready_on_n1(&entry);
  change(engine, "'nodes':[{'id':'n1','group':'g','topology':'box4','resources':{'gpu':4,'cpu':8}}]", NULL);
  CU_ASSERT_EQUAL(state_of(engine, entry), CEDE_ENTRY_READY);
  cede_engine_destroy(engine);
}

/* The claimed node is lost: no action may say that it is free. */
static void case8_a_claimed_node_is_down(void) {
  cede_engine* engine = scene("{'id':'g','policy':'class-cost'}", "{'id':'root.a','parent':'root'}",
                              "{'id':'n1','resources':{'gpu':4}},{'id':'n2','resources':{'gpu':4}}",
                              "{'id':'v','queue':'root','state':'running','started':1759990000,'class':1,"
                              "'tasks':[{'node':'n1','resources':{'gpu':4},'gpus':[0,1,2,3]}]}");
  const char* node = "n1";
  cede_plan* claim = NULL;
  CU_ASSERT_EQUAL_FATAL(cede_plan_create_claim(engine, "root.a", &node, 1, "sensitive", CEDE_NOW_OF_CLUSTER,
                                               NULL, 0, &claim, NULL),
                        CEDE_OK);
  const uint64_t entry = commit(engine, claim);
  step(engine, 0, nothing);
  change(engine, "'nodes':[{'id':'n1','resources':{'gpu':4},'state':'down'}]", "'jobs':['v']");
  const Actions actions = step(engine, 1, (Event){CEDE_EVENT_RELEASED, "v", NULL, 0});
  CU_ASSERT_PTR_NULL(find_action(&actions, CEDE_DO_CLAIM_READY));
  CU_ASSERT_NOT_EQUAL(state_of(engine, entry), CEDE_ENTRY_READY);
  cede_engine_destroy(engine);
}

CU_TestInfo motion_loss_tests[] = {
    {"case 8: the node is down", case8_the_node_is_down},
    {"case 8: the node is drained", case8_the_node_is_drained},
    {"case 8: the node shrinks", case8_the_node_shrinks},
    {"case 8: the node has less", case8_the_node_has_less},
    {"case 8: the node changes its group", case8_the_node_changes_its_group},
    {"case 8: the node is removed", case8_the_node_is_removed},
    {"case 8: an event reports that the node is down", case8_an_event_reports_that_the_node_is_down},
    {"case 8: a node that only grows keeps its hold", case8_a_node_that_only_grows_keeps_its_hold},
    {"case 8: a claimed node is down", case8_a_claimed_node_is_down},
    CU_TEST_INFO_NULL,
};
