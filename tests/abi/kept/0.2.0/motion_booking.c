/* SPDX-License-Identifier: MIT */
/* Cases 3 to 7: no job is told to start on space that another job uses or was promised. */
#include <CUnit/CUnit.h>
#include <string.h>

#include "motion_scene.h"

/* Every action that ends a victim fails until the entry is short. */
static void fail_until_short(cede_engine* engine, uint64_t entry) {
  int64_t seconds = 0;
  Actions actions = step(engine, seconds, nothing);
  for (int round = 0; round < 20 && state_of(engine, entry) != CEDE_ENTRY_SHORT; ++round) {
    seconds += 40;
    for (size_t i = 0; i < actions.count; ++i) {
      const Actions more =
          step(engine, seconds, (Event){CEDE_EVENT_ACTION_FAILED, NULL, NULL, actions.list[i].facts.id});
      if (i + 1 == actions.count) {
        actions = more;
        break;
      }
    }
    if (actions.count == 0) actions = step(engine, seconds, nothing);
  }
  CU_ASSERT_EQUAL_FATAL(state_of(engine, entry), CEDE_ENTRY_SHORT);
}

/* The second victim came after the first commit: it runs, and has to be ended like the first. */
static void case3_extend_with_a_victim_that_started_later(void) {
  cede_engine* engine =
      scene(ONE_GROUP, "", "{'id':'n1','resources':{'gpu':2}},{'id':'n2','resources':{'gpu':2}}",
            LIST(RUNNING("v1", 1, "'node':'n1','resources':{'gpu':2},'gpus':[0,1]"),
                 RUNNING("r", 50, "'node':'n2','resources':{'gpu':2},'gpus':[0,1]"),
                 "{'id':'w','queue':'root','tasks':[{'resources':{'gpu':2}}]}"));
  const uint64_t entry = take(engine, "w", CEDE_OUTCOME_PREEMPT);
  fail_until_short(engine, entry);
  change(engine,
         "'jobs':[{'id':'v2','queue':'root','state':'running','started':1760000100,'priority':1,"
         "'tasks':[{'node':'n2','resources':{'gpu':2},'gpus':[0,1]}]}]",
         "'jobs':['r']");
  cede_plan* plan = ask(engine, "w", NULL);
  CU_ASSERT_EQUAL_FATAL(cede_plan_outcome(plan), CEDE_OUTCOME_PREEMPT);
  CU_ASSERT_TRUE_FATAL(has_victim(plan, "v2"));
  cede_error error;
  CU_ASSERT_EQUAL_FATAL(cede_engine_extend(engine, entry, plan, CEDE_NOW_OF_CLUSTER, -1, &error), CEDE_OK);
  cede_plan_destroy(plan);
  const Actions actions = step(engine, 3600 / 2, nothing);
  CU_ASSERT_PTR_NULL(find_action(&actions, CEDE_DO_START));
  CU_ASSERT_PTR_NOT_NULL(find_action(&actions, CEDE_DO_SIGNAL));
  CU_ASSERT_EQUAL(state_of(engine, entry), CEDE_ENTRY_WAITING);
  cede_engine_destroy(engine);
}

/* The node is kept as a whole: its own jobs may be taken, but no other job comes in. */
static void case4_a_claimed_node_takes_no_job_of_another_queue(void) {
  cede_engine* engine = scene(
      "{'id':'g','policy':'class-cost'}", "{'id':'root.a','parent':'root'},{'id':'root.b','parent':'root'}",
      "{'id':'n1','resources':{'gpu':4}}",
      "{'id':'own','queue':'root.a','state':'running','started':1759990000,'class':1,"
      "'tasks':[{'node':'n1','resources':{'gpu':2},'gpus':[0,1]}]},"
      "{'id':'guest','queue':'root.b','state':'running','started':1759990000,'class':1,"
      "'tasks':[{'node':'n1','resources':{'gpu':2},'gpus':[2,3]}]},"
      "{'id':'w','queue':'root.b','class':6,'tasks':[{'resources':{'gpu':2}}]}");
  const char* node = "n1";
  cede_plan* claim = NULL;
  CU_ASSERT_EQUAL_FATAL(cede_plan_create_claim(engine, "root.a", &node, 1, "sensitive", CEDE_NOW_OF_CLUSTER,
                                               NULL, 0, &claim, NULL),
                        CEDE_OK);
  CU_ASSERT_EQUAL_FATAL(cede_plan_outcome(claim), CEDE_OUTCOME_PREEMPT);
  CU_ASSERT_FALSE(has_victim(claim, "own"));
  commit(engine, claim);
  cede_plan* plan = ask(engine, "w", NULL);
  CU_ASSERT_FALSE(uses(plan, "n1"));
  CU_ASSERT_NOT_EQUAL(cede_plan_outcome(plan), CEDE_OUTCOME_PREEMPT);
  cede_plan_destroy(plan);
  cede_engine_destroy(engine);
}

/* n1 is free, n2 has a victim; the caller says where not to go. */
static cede_engine* free_and_full(void) {
  return scene("{'id':'g','policy':'priority'},{'id':'h','policy':'priority'}", "",
               "{'id':'n1','group':'g','resources':{'gpu':2}},{'id':'n2','group':'g','resources':{'gpu':2}},"
               "{'id':'n3','group':'h','resources':{'gpu':2}}",
               "{'id':'v','queue':'root','group':'g','state':'running','started':1759990000,'priority':1,"
               "'tasks':[{'node':'n2','resources':{'gpu':2},'gpus':[0,1]}]},"
               "{'id':'w','queue':'root','group':'g','tasks':[{'resources':{'gpu':2}}]}");
}

static void commit_after_an_unrelated_change(const char* term, int32_t outcome, const char* node) {
  cede_engine* engine = free_and_full();
  cede_plan* plan = ask(engine, "w", term);
  CU_ASSERT_EQUAL_FATAL(cede_plan_outcome(plan), outcome);
  CU_ASSERT_TRUE(uses(plan, node));
  change(engine, "'nodes':[{'id':'n3','group':'h','resources':{'gpu':1}}]", NULL);
  CU_ASSERT_NOT_EQUAL(commit(engine, plan), 0);
  cede_engine_destroy(engine);
}

static void case5_a_plan_that_avoids_a_node(void) {
  commit_after_an_unrelated_change("avoid=n1", CEDE_OUTCOME_PREEMPT, "n2");
}

static void case5_a_plan_for_one_node_only(void) {
  commit_after_an_unrelated_change("only=n2", CEDE_OUTCOME_PREEMPT, "n2");
}

static void case5_a_plan_that_fits_where_it_may_go(void) {
  commit_after_an_unrelated_change("avoid=n2", CEDE_OUTCOME_FITS, "n1");
}

/* What was said with the question holds at the commit too: the protected job became the only victim. */
static void case5_a_protected_job_stays_protected(void) {
  cede_engine* engine = free_and_full();
  change(engine,
         "'jobs':[{'id':'u','queue':'root','group':'g','state':'running','started':1759990000,'priority':2,"
         "'tasks':[{'node':'n1','resources':{'gpu':2},'gpus':[0,1]}]}]",
         NULL);
  cede_plan* plan = ask(engine, "w", "protect=v");
  CU_ASSERT_EQUAL_FATAL(cede_plan_outcome(plan), CEDE_OUTCOME_PREEMPT);
  CU_ASSERT_TRUE(has_victim(plan, "u"));
  CU_ASSERT_FALSE(has_victim(plan, "v"));
  change(engine, "'nodes':[{'id':'n3','group':'h','resources':{'gpu':1}}]", NULL);
  CU_ASSERT_NOT_EQUAL(commit(engine, plan), 0);
  cede_engine_destroy(engine);
}

/* The manager has started the requester and told so; the next step has not been asked yet. */
static void case6_a_requester_that_runs_counts_once(void) {
  cede_engine* engine =
      scene(ONE_GROUP, "", "{'id':'n1','resources':{'gpu':4}}",
            LIST(RUNNING("v", 1, "'node':'n1','resources':{'gpu':4},'gpus':[0,1,2,3]"),
                 WAITING("w", 4, "'resources':{'gpu':2}"), WAITING("x", 4, "'resources':{'gpu':2}")));
  const uint64_t entry = take(engine, "w", CEDE_OUTCOME_PREEMPT);
  step(engine, 0, nothing);
  change(engine, NULL, "'jobs':['v']");
  const Actions actions = step(engine, 1, (Event){CEDE_EVENT_RELEASED, "v", NULL, 0});
  const Action* start = find_action(&actions, CEDE_DO_START);
  CU_ASSERT_PTR_NOT_NULL_FATAL(start);
  CU_ASSERT_EQUAL(start->gpus, 3);
  change(engine,
         "'jobs':[{'id':'w','queue':'root','priority':4,'state':'running','started':1760000001,"
         "'tasks':[{'node':'n1','resources':{'gpu':2},'gpus':[0,1]}]}]",
         NULL);
  cede_plan* relief = NULL;
  CU_ASSERT_EQUAL_FATAL(
      cede_plan_create_relief(engine, "node:n1", NULL, CEDE_NOW_OF_CLUSTER, NULL, 0, &relief, NULL), CEDE_OK);
  CU_ASSERT_EQUAL(cede_plan_outcome(relief), CEDE_OUTCOME_FITS);
  CU_ASSERT_EQUAL(cede_plan_victim_count(relief), 0);
  cede_plan_destroy(relief);
  cede_plan* plan = ask(engine, "x", NULL);
  CU_ASSERT_EQUAL(devices_on(plan, "n1") & 3, 0);
  cede_plan_destroy(plan);
  step(engine, 2, (Event){CEDE_EVENT_STARTED, "w", NULL, 0});
  CU_ASSERT_NOT_EQUAL(state_of(engine, entry), CEDE_ENTRY_READY);
  plan = ask(engine, "x", NULL);
  CU_ASSERT_EQUAL(cede_plan_outcome(plan), CEDE_OUTCOME_FITS);
  CU_ASSERT_EQUAL(devices_on(plan, "n1"), 12);
  cede_plan_destroy(plan);
  cede_engine_destroy(engine);
}

/* The same where the requester came to other devices than it was told. */
static void case6_a_requester_that_runs_on_other_devices(void) {
  cede_engine* engine =
      scene(ONE_GROUP, "", "{'id':'n1','resources':{'gpu':4}}",
            LIST(WAITING("w", 4, "'resources':{'gpu':2}"), WAITING("x", 4, "'resources':{'gpu':2}")));
  take(engine, "w", CEDE_OUTCOME_FITS);
  step(engine, 0, nothing);
  change(engine,
         "'jobs':[{'id':'w','queue':'root','priority':4,'state':'running','started':1760000001,"
         "'tasks':[{'node':'n1','resources':{'gpu':2},'gpus':[2,3]}]}]",
         NULL);
  cede_plan* relief = NULL;
  CU_ASSERT_EQUAL_FATAL(
      cede_plan_create_relief(engine, "node:n1", NULL, CEDE_NOW_OF_CLUSTER, NULL, 0, &relief, NULL), CEDE_OK);
  CU_ASSERT_EQUAL(cede_plan_outcome(relief), CEDE_OUTCOME_FITS);
  cede_plan_destroy(relief);
  cede_plan* plan = ask(engine, "x", NULL);
  CU_ASSERT_EQUAL(devices_on(plan, "n1") & 12, 0);
  cede_plan_destroy(plan);
  cede_engine_destroy(engine);
}

/* A victim has left and runs again on its node, by a clock that stands no later than the commit. */
static void back_again(const char* devices, uint64_t mask) {
  cede_engine* engine =
      scene(ONE_GROUP, "", "{'id':'n1','resources':{'gpu':8}}",
            LIST(RUNNING("v", 1, "'node':'n1','resources':{'gpu':4},'gpus':[0,1,2,3]"),
                 RUNNING("r", 50, "'node':'n1','resources':{'gpu':4},'gpus':[4,5,6,7]"),
                 WAITING("w", 20, "'resources':{'gpu':4}"), WAITING("x", 0, "'resources':{'gpu':4}")));
  const uint64_t entry = take(engine, "w", CEDE_OUTCOME_PREEMPT);
  step(engine, 0, nothing);
  change(engine, NULL, "'jobs':['v']");
  Actions actions = step(engine, 0, (Event){CEDE_EVENT_RELEASED, "v", NULL, 0});
  CU_ASSERT_PTR_NOT_NULL_FATAL(find_action(&actions, CEDE_DO_START));
  char put[256] =
      "'jobs':[{'id':'v','queue':'root','state':'running','started':1760000000,'priority':1,"
      "'tasks':[{'node':'n1','resources':{'gpu':4},'gpus':[";
  strcat(strcat(put, devices), "]}]}]");
  change(engine, put, "'jobs':['r']");
  /* On devices that w was told to start on, it takes them from w. On other devices it does not disturb w. */
  CU_ASSERT_EQUAL(state_of(engine, entry), mask == 0xf ? CEDE_ENTRY_SHORT : CEDE_ENTRY_READY);
  cede_plan* plan = ask(engine, "x", NULL);
  CU_ASSERT_EQUAL(devices_on(plan, "n1") & mask, 0);
  cede_plan_destroy(plan);
  actions = step(engine, 1, nothing);
  CU_ASSERT_PTR_NULL(find_action(&actions, CEDE_DO_START));
  plan = ask(engine, "x", NULL);
  CU_ASSERT_EQUAL(devices_on(plan, "n1") & mask, 0);
  cede_plan_destroy(plan);
  cede_engine_destroy(engine);
}

static void case7_a_victim_is_back_on_its_devices(void) { back_again("0,1,2,3", 0xf); }
static void case7_a_victim_is_back_on_other_devices(void) { back_again("4,5,6,7", 0xf0); }

CU_TestInfo motion_booking_tests[] = {
    {"case 3: extend with a victim that started later", case3_extend_with_a_victim_that_started_later},
    {"case 4: a claimed node takes no job of another queue",
     case4_a_claimed_node_takes_no_job_of_another_queue},
    {"case 5: a plan that avoids a node", case5_a_plan_that_avoids_a_node},
    {"case 5: a plan for one node only", case5_a_plan_for_one_node_only},
    {"case 5: a plan that fits where it may go", case5_a_plan_that_fits_where_it_may_go},
    {"case 5: a protected job stays protected", case5_a_protected_job_stays_protected},
    {"case 6: a requester that runs counts once", case6_a_requester_that_runs_counts_once},
    {"case 6: a requester that runs on other devices", case6_a_requester_that_runs_on_other_devices},
    {"case 7: a victim is back on its devices", case7_a_victim_is_back_on_its_devices},
    {"case 7: a victim is back on other devices", case7_a_victim_is_back_on_other_devices},
    CU_TEST_INFO_NULL,
};
