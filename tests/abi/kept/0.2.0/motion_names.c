/* SPDX-License-Identifier: MIT */
/* Tasks that do not say which devices they hold: no job is started on a device that another may use, and no
 * device that is kept for one job is left to another. */
#include <CUnit/CUnit.h>
#include <string.h>

#include "motion_scene.h"

/* `x` does not name its device, `y` holds 0 and 1 and `v` holds 3: when `v` is gone, 3 is certainly free. */
static const char one_is_certain[] = LIST(RUNNING("x", 90, "'node':'n1','resources':{'gpu':1}"),
                                          RUNNING("y", 90, "'node':'n1','resources':{'gpu':2},'gpus':[0,1]"),
                                          RUNNING("v", 1, "'node':'n1','resources':{'gpu':1},'gpus':[3]"),
                                          WAITING("w", 50, "'resources':{'gpu':1}"));

/* `w` gets device 3, by name. */
static uint64_t take_the_certain_one(cede_engine* engine) {
  cede_plan* plan = plan_of(engine, "w", CEDE_OUTCOME_PREEMPT);
  CU_ASSERT_EQUAL(devices_on(plan, "n1"), 8);
  const uint64_t entry = commit(engine, plan);
  step(engine, 0, nothing);
  return entry;
}

/* Another job holds as many devices there now. It may hold the device that is kept. */
static void a_newcomer_without_names_may_hold_a_kept_device(void) {
  cede_engine* engine = scene(ONE_GROUP, "", GPU_NODE, one_is_certain);
  const uint64_t entry = take_the_certain_one(engine);
  change(engine,
         "'jobs':[{'id':'z','queue':'root','state':'running','started':1759999999,'priority':90,"
         "'tasks':[{'node':'n1','resources':{'gpu':1}}]}]",
         "'jobs':['x','v']");
  expect_no_start(engine, entry, CEDE_ENTRY_SHORT);
  cede_engine_destroy(engine);
}

static void a_restart_without_names_may_hold_a_kept_device(void) {
  cede_engine* engine = scene(ONE_GROUP, "", GPU_NODE, one_is_certain);
  const uint64_t entry = take_the_certain_one(engine);
  change(engine,
         "'jobs':[{'id':'x','queue':'root','state':'running','started':1759999999,'priority':90,"
         "'tasks':[{'node':'n1','resources':{'gpu':1}}]}]",
         "'jobs':['v']");
  expect_no_start(engine, entry, CEDE_ENTRY_SHORT);
  cede_engine_destroy(engine);
}

/* Its start time says nothing, but it was away. */
static void a_run_that_was_away_may_hold_a_kept_device(void) {
  cede_engine* engine = scene(ONE_GROUP, "", GPU_NODE, one_is_certain);
  const uint64_t entry = take_the_certain_one(engine);
  change(engine, NULL, "'jobs':['x']");
  CU_ASSERT_EQUAL(state_of(engine, entry), CEDE_ENTRY_WAITING);
  change(engine, PUT_JOBS(RUNNING("x", 90, "'node':'n1','resources':{'gpu':1}")), "'jobs':['v']");
  expect_no_start(engine, entry, CEDE_ENTRY_SHORT);
  cede_engine_destroy(engine);
}

/* A task that was there all the time is no danger, also after a restore. */
static void a_run_that_was_there_is_remembered(void) {
  cede_engine* engine = scene(ONE_GROUP, "", GPU_NODE, one_is_certain);
  const uint64_t entry = take_the_certain_one(engine);
  cede_text* state = NULL;
  CU_ASSERT_EQUAL_FATAL(cede_engine_save(engine, &state, NULL), CEDE_OK);
  cede_engine* next = scene(ONE_GROUP, "", GPU_NODE, one_is_certain);
  CU_ASSERT_EQUAL_FATAL(cede_engine_restore(next, cede_text_data(state), cede_text_size(state), NULL),
                        CEDE_OK);
  cede_text_destroy(state);
  CU_ASSERT_EQUAL(state_of(next, entry), CEDE_ENTRY_WAITING);
  change(next, PUT_JOBS(RUNNING("x", 80, "'node':'n1','resources':{'gpu':1}")), "'jobs':['v']");
  const Actions actions = step(next, 1, nothing);
  const Action* start = find_action(&actions, CEDE_DO_START);
  CU_ASSERT_PTR_NOT_NULL_FATAL(start);
  CU_ASSERT_EQUAL(start->gpus, 8);
  cede_engine_destroy(next);
  cede_engine_destroy(engine);
}

/* `u` does not name its device either. A plan that takes it gets some device, perhaps that of `w`. */
static void a_kept_name_is_not_left_to_a_job_that_takes_a_task_without_names(void) {
  cede_engine* engine =
      scene(ONE_GROUP, "", GPU_NODE,
            LIST(RUNNING("x", 90, "'node':'n1','resources':{'gpu':1}"),
                 RUNNING("u", 5, "'node':'n1','resources':{'gpu':1}"),
                 RUNNING("y", 90, "'node':'n1','resources':{'gpu':1},'gpus':[0]"),
                 RUNNING("v", 1, "'node':'n1','resources':{'gpu':1},'gpus':[3]"),
                 WAITING("w", 50, "'resources':{'gpu':1}"), WAITING("f", 40, "'resources':{'gpu':1}"),
                 WAITING("p", 40, "'resources':{'gpu':0.5}"),
                 "{'id':'m','queue':'root','priority':40,"
                 "'tasks':[{'resources':{'gpu':0.5}},{'resources':{'cpu':1,'gpu':0.5}}]}"));
  take_the_certain_one(engine);
  cede_plan_destroy(plan_of(engine, "f", CEDE_OUTCOME_WAIT));
  cede_plan_destroy(plan_of(engine, "p", CEDE_OUTCOME_WAIT));
  cede_plan_destroy(plan_of(engine, "m", CEDE_OUTCOME_WAIT));
  /* A plan that takes all of them knows which devices are free then. */
  change(engine,
         PUT_JOBS(WAITING("a", 45, "'resources':{'gpu':2}"),
                  RUNNING("x", 5, "'node':'n1','resources':{'gpu':1}")),
         NULL);
  cede_plan* plan = plan_of(engine, "a", CEDE_OUTCOME_PREEMPT);
  CU_ASSERT_TRUE(names_devices(plan));
  CU_ASSERT_TRUE(has_victim(plan, "x") && has_victim(plan, "u"));
  cede_plan_destroy(plan);
  cede_engine_destroy(engine);
}

/* `w` gets any two devices. If it is started when `v` has left, it may get the one that `v` held. */
static void a_name_is_not_given_beside_a_job_that_gets_none(void) {
  cede_engine* engine =
      scene(ONE_GROUP, "", GPU_NODE,
            LIST(RUNNING("x", 90, "'node':'n1','resources':{'gpu':1}"),
                 RUNNING("v", 1, "'node':'n1','resources':{'gpu':1},'gpus':[3]"),
                 WAITING("w", 50, "'resources':{'gpu':2}"), WAITING("f", 40, "'resources':{'gpu':1}")));
  cede_plan* plan = plan_of(engine, "w", CEDE_OUTCOME_FITS);
  CU_ASSERT_FALSE(names_devices(plan));
  commit(engine, plan);
  plan = plan_of(engine, "f", CEDE_OUTCOME_PREEMPT);
  CU_ASSERT_FALSE(names_devices(plan));
  const uint64_t entry = commit(engine, plan);
  step(engine, 0, nothing);
  change(engine, NULL, "'jobs':['v']");
  const Actions actions = step(engine, 1, (Event){CEDE_EVENT_RELEASED, "v", NULL, 0});
  CU_ASSERT_EQUAL(state_of(engine, entry), CEDE_ENTRY_READY);
  const Action* start = find_action(&actions, CEDE_DO_START);
  CU_ASSERT_PTR_NOT_NULL_FATAL(start);
  CU_ASSERT_FALSE(start->devices_known);
  cede_engine_destroy(engine);
}

/* `w` takes what `v` leaves and an idle device; which one that is is not known until `x` has left. */
static const char one_is_not_told[] = LIST(RUNNING("x", 90, "'node':'n1','resources':{'gpu':1}"),
                                           RUNNING("y", 90, "'node':'n1','resources':{'gpu':1},'gpus':[0]"),
                                           RUNNING("v", 1, "'node':'n1','resources':{'gpu':1},'gpus':[1]"),
                                           WAITING("w", 50, "'resources':{'gpu':2}"));

/* All tasks on the node name their devices, and so does the start. */
static void a_place_without_names_gets_them_when_all_are_known(void) {
  cede_engine* engine = scene(ONE_GROUP, "", GPU_NODE, one_is_not_told);
  cede_plan* plan = plan_of(engine, "w", CEDE_OUTCOME_PREEMPT);
  CU_ASSERT_FALSE(names_devices(plan));
  const uint64_t entry = commit(engine, plan);
  step(engine, 0, nothing);
  change(engine, NULL, "'jobs':['x']");
  CU_ASSERT_EQUAL(state_of(engine, entry), CEDE_ENTRY_SHORT);
  plan = ask(engine, "w", NULL);
  CU_ASSERT_TRUE(names_devices(plan));
  CU_ASSERT_EQUAL(cede_engine_extend(engine, entry, plan, CEDE_NOW_OF_CLUSTER, -1, NULL), CEDE_OK);
  cede_plan_destroy(plan);
  change(engine, NULL, "'jobs':['v']");
  const Actions actions = step(engine, 1, (Event){CEDE_EVENT_RELEASED, "v", NULL, 0});
  const Action* start = find_action(&actions, CEDE_DO_START);
  CU_ASSERT_PTR_NOT_NULL_FATAL(start);
  CU_ASSERT_TRUE(start->devices_known);
  cede_engine_destroy(engine);
}

/* The same by an event alone: the cluster still shows the last task that did not name its device. */
static void a_place_without_names_gets_them_when_the_last_one_is_reported_gone(void) {
  cede_engine* engine = scene(ONE_GROUP, "", GPU_NODE,
                              LIST(RUNNING("x", 1, "'node':'n1','resources':{'cpu':4,'gpu':1}"),
                                   RUNNING("y", 90, "'node':'n1','resources':{'gpu':1},'gpus':[0]"),
                                   WAITING("w", 40, "'resources':{'gpu':2}")));
  const uint64_t first = take(engine, "w", CEDE_OUTCOME_FITS);
  change(engine, PUT_JOBS(WAITING("u", 50, "'resources':{'cpu':4}")), NULL);
  take(engine, "u", CEDE_OUTCOME_PREEMPT);
  const Actions actions = step(engine, 0, (Event){CEDE_EVENT_EXITED, "x", NULL, 0});
  const Action* start = find_action(&actions, CEDE_DO_START);
  CU_ASSERT_TRUE(!start || strcmp(start->job, "w") != 0 || start->devices_known);
  CU_ASSERT_EQUAL(state_of(engine, first), CEDE_ENTRY_SHORT);
  cede_engine_destroy(engine);
}

/* If no task ever names its devices, there is nothing to wait for. */
static void a_place_without_names_stays_where_no_job_uses_names(void) {
  cede_engine* engine = scene(
      ONE_GROUP, "", GPU_NODE,
      LIST(RUNNING("x", 90, "'node':'n1','resources':{'gpu':2}"),
           RUNNING("v", 1, "'node':'n1','resources':{'gpu':2}"), WAITING("w", 50, "'resources':{'gpu':2}")));
  const uint64_t entry = take(engine, "w", CEDE_OUTCOME_PREEMPT);
  step(engine, 0, nothing);
  change(engine, NULL, "'jobs':['x']");
  CU_ASSERT_EQUAL(state_of(engine, entry), CEDE_ENTRY_WAITING);
  change(engine, NULL, "'jobs':['v']");
  const Actions actions = step(engine, 1, (Event){CEDE_EVENT_RELEASED, "v", NULL, 0});
  CU_ASSERT_PTR_NOT_NULL(find_action(&actions, CEDE_DO_START));
  cede_engine_destroy(engine);
}

/* It is ready, but the start was not sent yet when `x` says which device it holds. */
static void a_start_that_was_not_sent_gets_names(void) {
  cede_engine* engine = scene(
      ONE_GROUP, "", GPU_NODE,
      LIST(RUNNING("x", 90, "'node':'n1','resources':{'gpu':1}"), WAITING("w", 50, "'resources':{'gpu':2}")));
  const uint64_t entry = take(engine, "w", CEDE_OUTCOME_FITS);
  CU_ASSERT_EQUAL(state_of(engine, entry), CEDE_ENTRY_READY);
  change(engine, PUT_JOBS(RUNNING("x", 90, "'node':'n1','resources':{'gpu':1},'gpus':[2]")), NULL);
  expect_no_start(engine, entry, CEDE_ENTRY_SHORT);
  cede_plan* plan = plan_of(engine, "w", CEDE_OUTCOME_FITS);
  CU_ASSERT_EQUAL(devices_on(plan, "n1"), 3);
  cede_plan_destroy(plan);
  cede_engine_destroy(engine);
}

/* The victim did not name its device on n1, and is lost with the node. The node that comes back is empty. */
static void a_lost_victim_without_names_leaves_names_behind(void) {
  cede_engine* engine = scene(
      ONE_GROUP, "", "{'id':'n1','topology':'box2','resources':{'gpu':2}},{'id':'n2','resources':{'cpu':4}}",
      LIST("{'id':'v','queue':'root','gang':true,'state':'running','started':1759990000,'priority':1,"
           "'tasks':[{'id':'t0','node':'n1','resources':{'gpu':1}},{'id':'t1','node':'n2','resources':{'cpu':"
           "4}}]}",
           WAITING("w", 50, "'resources':{'cpu':4}"), WAITING("f", 40, "'resources':{'gpu':1}")));
  take(engine, "w", CEDE_OUTCOME_PREEMPT);
  step(engine, 0, nothing);
  change(engine,
         "'jobs':[{'id':'v','queue':'root','gang':true,'state':'running','started':1759990000,'priority':1,"
         "'tasks':[{'id':'t0','resources':{'gpu':1}},"
         "{'id':'t1','node':'n2','resources':{'cpu':4}}]}]",
         "'nodes':['n1']");
  step(engine, 1, nothing);
  change(engine, "'nodes':[{'id':'n1','topology':'box2','resources':{'gpu':2}}]", NULL);
  cede_plan* plan = plan_of(engine, "f", CEDE_OUTCOME_FITS);
  CU_ASSERT_TRUE(names_devices(plan));
  cede_plan_destroy(plan);
  cede_engine_destroy(engine);
}

/* The job of `w` is gone, its entry ends with the next step. Until then no other job gets its two devices. */
static void what_is_kept_without_names_is_kept_until_the_entry_ends(void) {
  cede_engine* engine =
      scene(ONE_GROUP, "", GPU_NODE,
            LIST(RUNNING("x", 90, "'node':'n1','resources':{'gpu':1}"),
                 WAITING("w", 50, "'resources':{'gpu':2}"), WAITING("f", 40, "'resources':{'gpu':2}")));
  take(engine, "w", CEDE_OUTCOME_FITS);
  step(engine, 0, nothing);
  change(engine, NULL, "'jobs':['w']");
  cede_plan_destroy(plan_of(engine, "f", CEDE_OUTCOME_WAIT));
  step(engine, 1, nothing);
  cede_plan_destroy(plan_of(engine, "f", CEDE_OUTCOME_FITS));
  cede_engine_destroy(engine);
}

/* It is not known which device the victim holds until it has left. A job that starts earlier might get the
 * device that is kept for `w`: there are enough, but no device is promised without a name beside one that has
 * a name. */
static void a_name_is_not_endangered_by_a_job_that_gets_none(void) {
  cede_engine* engine =
      scene(ONE_GROUP, "", GPU_NODE,
            LIST(RUNNING("v", 1, "'node':'n1','resources':{'cpu':4,'gpu':1}"),
                 WAITING("w", 50, "'resources':{'cpu':4,'gpu':1}"), WAITING("f", 40, "'resources':{'gpu':1}"),
                 WAITING("p", 40, "'resources':{'gpu':0.5}")));
  const uint64_t entry = take(engine, "w", CEDE_OUTCOME_PREEMPT);
  step(engine, 0, nothing);
  cede_plan_destroy(plan_of(engine, "f", CEDE_OUTCOME_WAIT));
  cede_plan_destroy(plan_of(engine, "p", CEDE_OUTCOME_WAIT));
  change(engine, NULL, "'jobs':['v']");
  step(engine, 1, (Event){CEDE_EVENT_RELEASED, "v", NULL, 0});
  CU_ASSERT_EQUAL(state_of(engine, entry), CEDE_ENTRY_READY);
  cede_plan* plan = plan_of(engine, "f", CEDE_OUTCOME_FITS);
  CU_ASSERT_TRUE(names_devices(plan));
  CU_ASSERT_EQUAL(state_of(engine, commit(engine, plan)), CEDE_ENTRY_READY);
  change(engine, "'nodes':[{'id':'n2','topology':'box4','resources':{'cpu':4,'gpu':4}}]", NULL);
  CU_ASSERT_EQUAL(state_of(engine, entry), CEDE_ENTRY_READY);
  cede_engine_destroy(engine);
}

/* In a batch the second part may wait for that victim, and then says so. */
static void a_part_waits_for_a_victim_that_names_no_device(void) {
  cede_engine* engine = scene(
      ONE_GROUP, "", GPU_NODE,
      LIST(RUNNING("v", 1, "'node':'n1','resources':{'cpu':4,'gpu':1}"),
           WAITING("w", 50, "'resources':{'cpu':4,'gpu':1}"), WAITING("f", 40, "'resources':{'gpu':3}")));
  uint64_t entries[2];
  take_both(engine, "w", "f", entries);
  step(engine, 0, nothing);
  CU_ASSERT_EQUAL(state_of(engine, entries[1]), CEDE_ENTRY_WAITING);
  change(engine, NULL, "'jobs':['v']");
  step(engine, 1, (Event){CEDE_EVENT_RELEASED, "v", NULL, 0});
  CU_ASSERT_EQUAL(state_of(engine, entries[0]), CEDE_ENTRY_READY);
  CU_ASSERT_EQUAL(state_of(engine, entries[1]), CEDE_ENTRY_READY);
  cede_engine_destroy(engine);
}

/* `w` keeps the whole node. A plan that takes its hold finds a task there that does not name its device. */
static void a_taken_node_has_devices_that_may_be_held(void) {
  cede_engine* engine = scene_with(
      "'preemptible_priority':60", "{'id':'g','policy':'priority','resources':{'licence':1}}", "", GPU_NODE,
      LIST(RUNNING("u", 90, "'node':'n1','resources':{'gpu':1}"),
           RUNNING("v", 1, "'node':'n1','resources':{'cpu':4}"),
           WAITING("w", 50, "'required_node':'n1','resources':{'cpu':4,'gpu':1,'licence':1}")));
  take(engine, "w", CEDE_OUTCOME_PREEMPT);
  change(engine, PUT_JOBS(WAITING("s", 95, "'resources':{'cpu':4,'gpu':1,'licence':1}")), NULL);
  cede_plan* plan = plan_of(engine, "s", CEDE_OUTCOME_PREEMPT);
  CU_ASSERT_FALSE(names_devices(plan));
  cede_plan_destroy(plan);
  cede_engine_destroy(engine);
}

/* Unlike tasks that want parts of devices, beside a known part and an unknown device. */
static void parts_are_not_named_beside_an_unknown_device(void) {
  cede_engine* engine =
      scene(ONE_GROUP, "", GPU_NODE,
            LIST(RUNNING("u", 90, "'node':'n1','resources':{'gpu':1.5}"),
                 RUNNING("x", 90, "'node':'n1','resources':{'gpu':0.5},'gpus':[{'index':0,'share':0.5}]"),
                 "{'id':'s','queue':'root','priority':95,"
                 "'tasks':[{'resources':{'gpu':0.25}},{'resources':{'cpu':1,'gpu':0.25}}]}"));
  cede_plan* plan = plan_of(engine, "s", CEDE_OUTCOME_FITS);
  CU_ASSERT_FALSE(names_devices(plan));
  cede_plan_destroy(plan);
  cede_engine_destroy(engine);
}

CU_TestInfo motion_names_tests[] = {
    {"names: a newcomer without names may hold a kept device",
     a_newcomer_without_names_may_hold_a_kept_device},
    {"names: a restart without names may hold a kept device", a_restart_without_names_may_hold_a_kept_device},
    {"names: a run that was away may hold a kept device", a_run_that_was_away_may_hold_a_kept_device},
    {"names: a run that was there is remembered", a_run_that_was_there_is_remembered},
    {"names: a kept name is not left to a job that takes a task without names",
     a_kept_name_is_not_left_to_a_job_that_takes_a_task_without_names},
    {"names: a name is not given beside a job that gets none",
     a_name_is_not_given_beside_a_job_that_gets_none},
    {"names: a place without names gets them when all are known",
     a_place_without_names_gets_them_when_all_are_known},
    {"names: a place without names gets them when the last one is reported gone",
     a_place_without_names_gets_them_when_the_last_one_is_reported_gone},
    {"names: a place without names stays where no job uses names",
     a_place_without_names_stays_where_no_job_uses_names},
    {"names: a start that was not sent gets names", a_start_that_was_not_sent_gets_names},
    {"names: a lost victim without names leaves names behind",
     a_lost_victim_without_names_leaves_names_behind},
    {"names: what is kept without names is kept until the entry ends",
     what_is_kept_without_names_is_kept_until_the_entry_ends},
    {"names: a name is not endangered by a job that gets none",
     a_name_is_not_endangered_by_a_job_that_gets_none},
    {"names: a part waits for a victim that names no device", a_part_waits_for_a_victim_that_names_no_device},
    {"names: a taken node has devices that may be held", a_taken_node_has_devices_that_may_be_held},
    {"names: parts are not named beside an unknown device", parts_are_not_named_beside_an_unknown_device},
    CU_TEST_INFO_NULL,
};
