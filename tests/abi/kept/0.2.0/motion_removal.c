/* SPDX-License-Identifier: MIT */
/* Victims that are gone before their next action, and victims that could not be asked to save. */
#include <CUnit/CUnit.h>
#include <stddef.h>

#include "motion_scene.h"

static const char two_nodes[] =
    "{'id':'n0','resources':{'gpu':1}},{'id':'n1','state':'drain','resources':{'gpu':1}}";

/* `v` saves for `w`. */
static cede_engine* saving_victim(void) {
  return scene("{'id':'g','policy':'class-cost'}", "", two_nodes,
               "{'id':'v','queue':'root','class':1,'state':'running','started':1759990000,"
               "'checkpoint':{'mode':'manual'},'tasks':[{'id':'t','node':'n0','resources':{'gpu':1}}]},"
               "{'id':'w','queue':'root','class':8,'tasks':[{'resources':{'gpu':1}}]}");
}

/* The cluster already shows that the victim runs elsewhere, or that it is gone, when a late event about its
 * old run arrives. Nothing may end the new run. */
static void expect_no_end(const char* put, const char* removed, int32_t late) {
  cede_engine* engine = saving_victim();
  take(engine, "w", CEDE_OUTCOME_PREEMPT);
  Actions actions = step(engine, 0, nothing);
  CU_ASSERT_PTR_NOT_NULL(find_action(&actions, CEDE_DO_CHECKPOINT_HINT));
  change(engine, put, removed);
  const Event event = {late, "v", NULL, 0};
  actions = step(engine, 10, event);
  CU_ASSERT_PTR_NULL(find_action(&actions, CEDE_DO_SUSPEND));
  CU_ASSERT_PTR_NULL(find_action(&actions, CEDE_DO_SIGNAL));
  CU_ASSERT_PTR_NOT_NULL(find_action(&actions, CEDE_DO_START));
  cede_engine_destroy(engine);
}

static void a_late_event_ends_no_other_run(void) {
  static const char elsewhere[] =
      "'jobs':[{'id':'v','queue':'root','class':1,'state':'running','started':1760000005,"
      "'checkpoint':{'mode':'manual'},'tasks':[{'id':'t','node':'n1','resources':{'gpu':1}}]}]";
  const int32_t late[] = {CEDE_EVENT_CHECKPOINT_DONE, CEDE_EVENT_CHECKPOINT_FAILED};
  for (size_t i = 0; i < 2; ++i) {
    expect_no_end(elsewhere, NULL, late[i]);
    expect_no_end(NULL, "'jobs':['v']", late[i]);
  }
}

/* A victim that could not even be asked to save is held no longer than the entry that tried. `seconds`: when
 * the entry times out; 0: it is given up. */
static void expect_not_held(int64_t seconds) {
  cede_engine* engine =
      scene_with("'front_only':false,'max_action_retries':0,'entry_timeout':'30m'", ONE_GROUP, "", two_nodes,
                 LIST(RUNNING("v", 1, "'node':'n0','resources':{'gpu':1}"),
                      WAITING("w", 40, "'resources':{'gpu':1}"), WAITING("x", 50, "'resources':{'gpu':1}")));
  change(engine,
         "'jobs':[{'id':'v','queue':'root','state':'running','started':1759990000,'priority':1,"
         "'checkpoint':{'mode':'manual'},'tasks':[{'node':'n0','resources':{'gpu':1}}]}]",
         NULL);
  const uint64_t entry = take(engine, "w", CEDE_OUTCOME_PREEMPT);
  Actions actions = step(engine, 0, nothing);
  const Action* sent = find_action(&actions, CEDE_DO_CHECKPOINT_HINT);
  CU_ASSERT_PTR_NOT_NULL_FATAL(sent);
  const Event failed = {CEDE_EVENT_ACTION_FAILED, NULL, NULL, sent->facts.id};
  step(engine, 1, failed);
  CU_ASSERT_EQUAL(state_of(engine, entry), CEDE_ENTRY_SHORT);
  if (seconds == 0) CU_ASSERT_EQUAL(cede_engine_give_up(engine, entry, CEDE_NOW_OF_CLUSTER, NULL), CEDE_OK);
  actions = step(engine, seconds + 2, nothing);
  CU_ASSERT_PTR_NOT_NULL(find_action(&actions, CEDE_DO_CANCEL_HINT));
  cede_plan_destroy(plan_of(engine, "x", CEDE_OUTCOME_PREEMPT));
  cede_engine_destroy(engine);
}

static void a_victim_that_could_not_be_asked_is_not_held_for_ever(void) {
  expect_not_held(0);
  expect_not_held(7200);
}

/* The victim leaves for room in the queue only, and the requester runs on idle room beside it: the node is
 * full until the victim is gone. */
static void a_requester_on_idle_room_does_not_use_what_a_victim_frees(void) {
  cede_engine* engine =
      scene_with("'front_only':false", ONE_GROUP,
                 "{'id':'q','parent':'root','max':{'cpu':4}},{'id':'r','parent':'root'}",
                 "{'id':'n0','resources':{'cpu':5}}",
                 "{'id':'v','queue':'q','priority':1,'state':'running','started':1759990000,"
                 "'tasks':[{'node':'n0','resources':{'cpu':4}}]},"
                 "{'id':'w','queue':'q','priority':50,'tasks':[{'id':'t','resources':{'cpu':1}}]},"
                 "{'id':'x','queue':'r','priority':0,'tasks':[{'resources':{'cpu':1}}]}");
  take(engine, "w", CEDE_OUTCOME_PREEMPT);
  change(engine,
         "'jobs':[{'id':'w','queue':'q','priority':50,'state':'running','started':1760000000,"
         "'tasks':[{'id':'t','node':'n0','resources':{'cpu':1}}]}]",
         NULL);
  cede_plan_destroy(plan_of(engine, "x", CEDE_OUTCOME_WAIT));
  cede_engine_destroy(engine);
}

CU_TestInfo motion_removal_tests[] = {
    {"removal: a late event ends no other run", a_late_event_ends_no_other_run},
    {"removal: a victim that could not be asked is not held for ever",
     a_victim_that_could_not_be_asked_is_not_held_for_ever},
    {"removal: a requester on idle room does not use what a victim frees",
     a_requester_on_idle_room_does_not_use_what_a_victim_frees},
    CU_TEST_INFO_NULL,
};
