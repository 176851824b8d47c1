/* SPDX-License-Identifier: MIT */
/* More of cases 4, 6 and 7: which job has what when other jobs come, come back or make room for a claim. */
#include <CUnit/CUnit.h>
#include <string.h>

#include "motion_scene.h"

static const char two_queues[] = "{'id':'root.a','parent':'root'},{'id':'root.b','parent':'root'}";

static cede_plan* claim_n1(const cede_engine* engine) {
  const char* node = "n1";
  cede_plan* plan = NULL;
  CU_ASSERT_EQUAL_FATAL(cede_plan_create_claim(engine, "root.a", &node, 1, "sensitive", CEDE_NOW_OF_CLUSTER,
                                               NULL, 0, &plan, NULL),
                        CEDE_OK);
  CU_ASSERT_EQUAL(cede_plan_verify(plan, NULL), CEDE_OK);
  return plan;
}

/* The node is not free before the victims of the other entry are gone, whatever job they leave for. */
static void case4_a_claim_waits_for_victims_of_another_entry(void) {
  cede_engine* engine =
      scene("{'id':'g','policy':'class-cost'}", two_queues, "{'id':'n1','resources':{'gpu':4}}",
            "{'id':'v','queue':'root.b','state':'running','started':1759990000,'class':1,"
            "'tasks':[{'node':'n1','resources':{'gpu':4},'gpus':[0,1,2,3]}]},"
            "{'id':'w','queue':'root.a','class':6,'tasks':[{'resources':{'gpu':4}}]}");
  take(engine, "w", CEDE_OUTCOME_PREEMPT);
  cede_plan* plan = claim_n1(engine);
  if (cede_plan_outcome(plan) == CEDE_OUTCOME_FITS || cede_plan_outcome(plan) == CEDE_OUTCOME_PREEMPT) {
    commit(engine, plan);
  } else {
    cede_plan_destroy(plan);
  }
  const Actions actions = step(engine, 0, nothing);
  CU_ASSERT_PTR_NOT_NULL(find_action(&actions, CEDE_DO_SIGNAL));
  CU_ASSERT_PTR_NULL(find_action(&actions, CEDE_DO_CLAIM_READY));
  cede_engine_destroy(engine);
}

/* What is kept for a job of another queue is not claimed. */
static void case4_a_claim_leaves_the_hold_of_another_queue(void) {
  cede_engine* engine =
      scene("{'id':'g','policy':'class-cost'}", two_queues, "{'id':'n1','resources':{'gpu':4}}",
            "{'id':'w','queue':'root.b','class':6,'tasks':[{'resources':{'gpu':4}}]}");
  const uint64_t entry = take(engine, "w", CEDE_OUTCOME_FITS);
  Actions actions = step(engine, 0, nothing);
  CU_ASSERT_PTR_NOT_NULL(find_action(&actions, CEDE_DO_START));
  cede_plan* plan = claim_n1(engine);
  if (cede_plan_outcome(plan) == CEDE_OUTCOME_FITS || cede_plan_outcome(plan) == CEDE_OUTCOME_PREEMPT) {
    commit(engine, plan);
  } else {
    cede_plan_destroy(plan);
  }
  actions = step(engine, 1, nothing);
  CU_ASSERT_TRUE(state_of(engine, entry) != CEDE_ENTRY_READY || !find_action(&actions, CEDE_DO_CLAIM_READY));
  cede_engine_destroy(engine);
}

/* No event says that the requester has started, but the cluster shows it: its entry is done, and its space is
 * its own. When it gives way again, nothing is kept for it any more. */
static void case6_a_requester_that_runs_as_planned_needs_no_hold(void) {
  cede_engine* engine =
      scene(ONE_GROUP, "", "{'id':'n1','resources':{'gpu':4}}",
            LIST(WAITING("w", 4, "'resources':{'gpu':4}"), WAITING("x", 50, "'resources':{'gpu':4}")));
  const uint64_t first = take(engine, "w", CEDE_OUTCOME_FITS);
  Actions actions = step(engine, 0, nothing);
  CU_ASSERT_PTR_NOT_NULL_FATAL(find_action(&actions, CEDE_DO_START));
  change(engine,
         "'jobs':[{'id':'w','queue':'root','priority':4,'state':'running','started':1760000000,"
         "'tasks':[{'node':'n1','resources':{'gpu':4},'gpus':[0,1,2,3]}]}]",
         NULL);
  step(engine, 1, nothing);
  CU_ASSERT_NOT_EQUAL(state_of(engine, first), CEDE_ENTRY_READY);
  cede_engine* restored = NULL;
  cede_text* state = NULL;
  CU_ASSERT_EQUAL_FATAL(cede_engine_clone(engine, &restored, NULL), CEDE_OK);
  CU_ASSERT_EQUAL_FATAL(cede_engine_save(engine, &state, NULL), CEDE_OK);
  CU_ASSERT_EQUAL(cede_engine_restore(restored, cede_text_data(state), cede_text_size(state), NULL), CEDE_OK);
  cede_text_destroy(state);
  actions = step(restored, 1, nothing);
  CU_ASSERT_PTR_NULL(find_action(&actions, CEDE_DO_START)); /* it runs already */
  cede_engine_destroy(restored);

  take(engine, "x", CEDE_OUTCOME_PREEMPT);
  step(engine, 2, nothing);
  change(engine, PUT_JOBS(WAITING("w", 4, "'resources':{'gpu':4}")), NULL);
  actions = step(engine, 3, (Event){CEDE_EVENT_RELEASED, "w", NULL, 0});
  const Action* start = find_action(&actions, CEDE_DO_START);
  CU_ASSERT_PTR_NOT_NULL_FATAL(start);
  CU_ASSERT_STRING_EQUAL(start->job, "x");
  CU_ASSERT_NOT_EQUAL(state_of(engine, first), CEDE_ENTRY_READY);
  cede_engine_destroy(engine);
}

/* Another job is put on the space that is kept: the requester's entry is short, and nothing starts there. */
static void a_job_comes(const char* job, const char* devices) {
  cede_engine* engine = scene(ONE_GROUP, "", "{'id':'n1','resources':{'gpu':4}}",
                              LIST(RUNNING("v", 1, "'node':'n1','resources':{'gpu':4},'gpus':[0,1,2,3]"),
                                   WAITING("w", 20, "'resources':{'gpu':4}")));
  const uint64_t entry = take(engine, "w", CEDE_OUTCOME_PREEMPT);
  step(engine, 0, nothing);
  char put[512] = "'jobs':[{'id':'";
  strcat(strcat(put, job),
         "','queue':'root','state':'running','started':1760000005,'priority':1,"
         "'tasks':[{'node':'n1','resources':{'gpu':2},'gpus':[");
  strcat(strcat(put, devices), "]}]}]");
  change(engine, put, strcmp(job, "v") == 0 ? NULL : "'jobs':['v']");
  const Actions actions = step(engine, 6, nothing);
  CU_ASSERT_PTR_NULL(find_action(&actions, CEDE_DO_START));
  CU_ASSERT_EQUAL(state_of(engine, entry), CEDE_ENTRY_SHORT);
  cede_engine_destroy(engine);
}

static void case7_a_victim_restarts_on_its_devices(void) { a_job_comes("v", "2,3"); }
static void case7_another_job_comes_to_the_freed_devices(void) { a_job_comes("z", "0,1"); }

/* The victim of `a` is a gang that frees half of a device on n2 as well. That half is kept with the rest. */
static void case9_what_a_part_leaves_is_used_by_name_only(void) {
  cede_engine* engine = scene_with(
      "'front_only':false", ONE_GROUP, "",
      "{'id':'n1','resources':{'gpu':2}},{'id':'n2','resources':{'gpu':2}}",
      LIST("{'id':'v1','queue':'root','state':'running','started':1759990000,'priority':1,'gang':true,"
           "'tasks':[{'node':'n1','resources':{'gpu':2},'gpus':[0,1]},{'node':'n2','resources':{'gpu':0.5},'"
           "gpus':[{'index':0,'share':0.5}]}]}",
           RUNNING("v2", 2, "'node':'n2','resources':{'gpu':1},'gpus':[1]"),
           WAITING("a", 50, "'resources':{'gpu':2}"), WAITING("b", 50, "'resources':{'gpu':2}")));
  static const char* const jobs[] = {"a", "b"};
  cede_plan* plans[2];
  CU_ASSERT_EQUAL_FATAL(cede_plan_create_batch(engine, jobs, 2, CEDE_NOW_OF_CLUSTER, NULL, 0, plans, NULL),
                        CEDE_OK);
  for (int i = 0; i < 2; ++i) CU_ASSERT_EQUAL(cede_plan_verify(plans[i], NULL), CEDE_OK);
  if (uses(plans[1], "n2")) CU_ASSERT_EQUAL(cede_plan_after_count(plans[1]), 1);
  for (int i = 0; i < 2; ++i) CU_ASSERT_NOT_EQUAL(commit(engine, plans[i]), 0);
  cede_engine_destroy(engine);
}

CU_TestInfo motion_account_tests[] = {
    {"case 4: a claim waits for victims of another entry", case4_a_claim_waits_for_victims_of_another_entry},
    {"case 4: a claim leaves the hold of another queue", case4_a_claim_leaves_the_hold_of_another_queue},
    {"case 6: a requester that runs as planned needs no hold",
     case6_a_requester_that_runs_as_planned_needs_no_hold},
    {"case 7: a victim restarts on its devices", case7_a_victim_restarts_on_its_devices},
    {"case 7: another job comes to the freed devices", case7_another_job_comes_to_the_freed_devices},
    {"case 9: what a part leaves is used by name only", case9_what_a_part_leaves_is_used_by_name_only},
    CU_TEST_INFO_NULL,
};
