/* SPDX-License-Identifier: MIT */
/* Cases 1 and 2: a node changes under what is in flight, and nothing reads beyond a table. */
#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>

#include "motion_scene.h"

static const char two_groups[] = "{'id':'g','policy':'priority'},{'id':'h','policy':'priority'}";

/* The space is the other group's now: the entry has nothing left, and both groups can be asked. */
static void case1_a_node_under_a_hold_changes_its_group(void) {
  cede_engine* engine = scene(two_groups, "",
                              "{'id':'n1','group':'g','resources':{'gpu':4}},"
                              "{'id':'n2','group':'h','resources':{'gpu':4}}",
                              "{'id':'w','group':'g','queue':'root','tasks':[{'resources':{'gpu':2}}]},"
                              "{'id':'x','group':'g','queue':'root','tasks':[{'resources':{'gpu':2}}]},"
                              "{'id':'y','group':'h','queue':'root','tasks':[{'resources':{'gpu':2}}]}");
  const uint64_t entry = take(engine, "w", CEDE_OUTCOME_FITS);
  change(engine, "'nodes':[{'id':'n1','group':'h','resources':{'gpu':4}}]", NULL);
  CU_ASSERT_EQUAL(state_of(engine, entry), CEDE_ENTRY_SHORT);
  cede_plan* plan = ask(engine, "x", NULL);
  CU_ASSERT_NOT_EQUAL(cede_plan_outcome(plan), CEDE_OUTCOME_FITS);
  cede_plan_destroy(plan);
  plan = ask(engine, "y", NULL);
  CU_ASSERT_EQUAL(cede_plan_outcome(plan), CEDE_OUTCOME_FITS);
  cede_plan_destroy(plan);
  const Actions actions = step(engine, 1, (Event){0, NULL, NULL, 0});
  CU_ASSERT_PTR_NULL(find_action(&actions, CEDE_DO_START));
  CU_ASSERT_PTR_NOT_NULL(find_action(&actions, CEDE_DO_REPLAN));
  cede_engine_destroy(engine);
}

/* The same for an entry that is short already and keeps its space for the next plan. */
static void case1_a_node_under_a_short_entry_changes_its_group(void) {
  cede_engine* engine =
      scene(two_groups, "",
            "{'id':'n1','group':'g','resources':{'gpu':4}},{'id':'n2','group':'g','resources':{'gpu':4}},"
            "{'id':'n3','group':'h','resources':{'gpu':4}}",
            "{'id':'v','group':'g','queue':'root','state':'running','started':1759990000,'priority':1,"
            "'tasks':[{'node':'n1','resources':{'gpu':3},'gpus':[0,1,2]}]},"
            "{'id':'w','group':'g','queue':'root','priority':50,"
            "'tasks':[{'resources':{'gpu':4}},{'resources':{'gpu':4}}]},"
            "{'id':'x','group':'g','queue':'root','tasks':[{'resources':{'gpu':2}}]}");
  const uint64_t entry = take(engine, "w", CEDE_OUTCOME_PREEMPT);
  step(engine, 0, (Event){0, NULL, NULL, 0});
  step(engine, 1, (Event){CEDE_EVENT_NODE_DOWN, NULL, "n2", 0});
  CU_ASSERT_EQUAL_FATAL(state_of(engine, entry), CEDE_ENTRY_SHORT);
  change(engine, "'nodes':[{'id':'n1','group':'h','resources':{'gpu':4}}]", "'jobs':['v']");
  CU_ASSERT_EQUAL(state_of(engine, entry), CEDE_ENTRY_SHORT);
  cede_plan_destroy(ask(engine, "x", NULL));
  cede_plan_destroy(ask(engine, "w", NULL));
  cede_engine_destroy(engine);
}

/* A requester that holds half of device 3, with the devices before it in use. */
static const char busy_first_three[] =
    LIST(RUNNING("r", 50, "'node':'n1','resources':{'gpu':3},'gpus':[0,1,2]"),
         "{'id':'w','queue':'root','tasks':[{'resources':{'gpu':0.5}}]}",
         "{'id':'x','queue':'root','tasks':[{'resources':{'gpu':0.5}}]}");

static void shrink_under_a_share(const char* resources, bool removes_first) {
  cede_engine* engine = scene(ONE_GROUP, "", "{'id':'n1','resources':{'gpu':4}}", busy_first_three);
  cede_plan* plan = ask(engine, "w", NULL);
  cede_place place;
  CU_ASSERT_EQUAL_FATAL(cede_plan_places(plan, &place, sizeof place, 1, NULL, NULL), CEDE_OK);
  CU_ASSERT_EQUAL(place.share, 500);
  CU_ASSERT_EQUAL(place.share_device, 3);
  const uint64_t entry = commit(engine, plan);
  char put[128] = "'nodes':[{'id':'n1','resources':{";
  strcat(strcat(put, resources), "}}]");
  change(engine, put, removes_first ? "'jobs':['r']" : NULL);
  CU_ASSERT_EQUAL(state_of(engine, entry), CEDE_ENTRY_SHORT);
  plan = ask(engine, "x", NULL);
  cede_plan_destroy(plan);
  plan = ask(engine, "w", NULL);
  cede_plan_destroy(plan);
  const Actions actions = step(engine, 1, (Event){0, NULL, NULL, 0});
  CU_ASSERT_PTR_NULL(find_action(&actions, CEDE_DO_START));
  cede_engine_destroy(engine);
}

static void case2_a_node_shrinks_below_the_share_of_a_hold(void) { shrink_under_a_share("'gpu':1", true); }

static void case2_a_node_loses_all_devices_under_the_share_of_a_hold(void) {
  shrink_under_a_share("'cpu':4", true);
}

/* The victim had half of device 3; it leaves with the devices of its node. */
static void case2_a_node_shrinks_below_the_share_of_a_victim(void) {
  cede_engine* engine =
      scene(ONE_GROUP, "", "{'id':'n1','resources':{'gpu':4}}",
            LIST(RUNNING("v", 1, "'node':'n1','resources':{'gpu':0.5},'gpus':[{'index':3,'share':0.5}]"),
                 WAITING("w", 50, "'resources':{'gpu':4}"),
                 "{'id':'x','queue':'root','tasks':[{'resources':{'gpu':0.5}}]}"));
  take(engine, "w", CEDE_OUTCOME_PREEMPT);
  step(engine, 0, (Event){0, NULL, NULL, 0});
  change(engine, "'nodes':[{'id':'n1','resources':{'gpu':1}}]", "'jobs':['v']");
  cede_plan_destroy(ask(engine, "x", NULL));
  cede_plan_destroy(ask(engine, "w", NULL));
  step(engine, 1, (Event){0, NULL, NULL, 0});
  cede_plan_destroy(ask(engine, "x", NULL));
  cede_engine_destroy(engine);
}

/* A saved state is right in itself and speaks of devices that the node it is used with does not have. */
static void restore_on_smaller(const char* asked, const char* nodes) {
  char jobs[512] =
      "{'id':'r','queue':'root','state':'running','started':1759990000,'priority':50,"
      "'tasks':[{'node':'n1','resources':{'gpu':3},'gpus':[0,1,2]}]},"
      "{'id':'w','queue':'root','tasks':[{'resources':{'gpu':";
  strcat(strcat(jobs, asked), "}}]}");
  cede_engine* engine = scene(ONE_GROUP, "", "{'id':'n1','resources':{'gpu':4}}", jobs);
  take(engine, "w", CEDE_OUTCOME_FITS);
  cede_text* state = NULL;
  CU_ASSERT_EQUAL_FATAL(cede_engine_save(engine, &state, NULL), CEDE_OK);
  char rest[512] =
      "{'id':'x','queue':'root','tasks':[{'resources':{'gpu':0.5}}]},{'id':'w','queue':'root','tasks':"
      "[{'resources':{'gpu':";
  strcat(strcat(rest, asked), "}}]}");
  /* The cluster first, then the state; and the other way round. */
  for (int state_first = 0; state_first < 2; ++state_first) {
    cede_engine* next = scene(ONE_GROUP, "", state_first ? "{'id':'n9'}" : nodes, state_first ? "" : rest);
    const int32_t status = cede_engine_restore(next, cede_text_data(state), cede_text_size(state), NULL);
    CU_ASSERT_TRUE(status == CEDE_OK || status == CEDE_E_DAMAGED);
    if (state_first) load_scene(next, ONE_GROUP, "", nodes, rest);
    cede_plan_destroy(ask(next, "x", NULL));
    cede_plan_destroy(ask(next, "w", NULL));
    const Actions actions = step(next, 1, (Event){0, NULL, NULL, 0});
    CU_ASSERT_PTR_NULL(find_action(&actions, CEDE_DO_START));
    cede_engine_destroy(next);
  }
  cede_text_destroy(state);
  cede_engine_destroy(engine);
}

static void case2_a_restored_share_is_beyond_the_node(void) {
  restore_on_smaller("0.5", "{'id':'n1','resources':{'gpu':1}}");
}

static void case2_a_restored_share_is_on_a_node_without_devices(void) {
  restore_on_smaller("0.5", "{'id':'n1','resources':{'cpu':1}}");
}

static void case2_a_restored_device_is_beyond_the_node(void) {
  restore_on_smaller("1", "{'id':'n1','resources':{'gpu':1}}");
}

CU_TestInfo motion_crash_tests[] = {
    {"case 1: a node under a hold changes its group", case1_a_node_under_a_hold_changes_its_group},
    {"case 1: a node under a short entry changes its group",
     case1_a_node_under_a_short_entry_changes_its_group},
    {"case 2: a node shrinks below the share of a hold", case2_a_node_shrinks_below_the_share_of_a_hold},
    {"case 2: a node loses all devices under the share of a hold",
     case2_a_node_loses_all_devices_under_the_share_of_a_hold},
    {"case 2: a node shrinks below the share of a victim", case2_a_node_shrinks_below_the_share_of_a_victim},
    {"case 2: a restored share is beyond the node", case2_a_restored_share_is_beyond_the_node},
    {"case 2: a restored share is on a node without devices",
     case2_a_restored_share_is_on_a_node_without_devices},
    {"case 2: a restored device is beyond the node", case2_a_restored_device_is_beyond_the_node},
    CU_TEST_INFO_NULL,
};
