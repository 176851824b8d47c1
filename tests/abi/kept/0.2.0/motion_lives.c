/* SPDX-License-Identifier: MIT */
/* What random lives (tests/lives) have found: limits, memory and devices while the cluster moves. */
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <string.h>

#include "motion_scene.h"

/* ---- limits ---- */

/* The new policy counts the max of a queue above the requester's, the old one did not. */
static void limits_of_a_new_policy_hold_before_a_start(void) {
  static const char policy[] =
      "{'format':'cede-policy/1','policies':{'p':{'profile':'%s','settings':{%s}}},'limits':{}}";
  char text[256];
  snprintf(text, sizeof text, policy, "quota", "'check_parent_quota':false");
  cede_engine* engine = audited_engine(json(text));
  load_scene(engine, "{'id':'g','policy':'p'}",
             "{'id':'root.a','parent':'root','max':{'gpu':4}},{'id':'root.a.x','parent':'root.a'}",
             "{'id':'n1','resources':{'gpu':4}},{'id':'n2','resources':{'gpu':2}}",
             LIST(RUNNING("v", 1, "'node':'n1','resources':{'gpu':4},'gpus':[0,1,2,3]"),
                  "{'id':'r','queue':'root.a.x','state':'running','started':1759990000,'priority':9,"
                  "'tasks':[{'node':'n2','resources':{'gpu':2},'gpus':[0,1]}]}",
                  "{'id':'w','queue':'root.a.x','priority':5,'tasks':[{'resources':{'gpu':4}}]}"));
  const uint64_t entry = take(engine, "w", CEDE_OUTCOME_PREEMPT);
  step(engine, 0, nothing);
  snprintf(text, sizeof text, policy, "priority", "");
  CU_ASSERT_TRUE_FATAL(cede_engine_set_policy(engine, json(text), strlen(json(text)), NULL) >= 0);
  const Actions actions = step(engine, 1, (Event){CEDE_EVENT_RELEASED, "v", NULL, 0});
  CU_ASSERT_PTR_NULL(find_action(&actions, CEDE_DO_START));
  CU_ASSERT_EQUAL(state_of(engine, entry), CEDE_ENTRY_SHORT);
  cede_engine_destroy(engine);
}

/* `w` runs before its victim was told to go: the victim stays, and the licence that was promised to
 * `f` is not there any more. */
static void limits_count_a_victim_that_stays(void) {
  cede_engine* engine = scene("{'id':'g','policy':'priority','resources':{'licence':2}}", "",
                              "{'id':'n1','resources':{'cpu':4}}",
                              LIST(RUNNING("v", 1, "'node':'n1','resources':{'cpu':1,'licence':1}"),
                                   WAITING("f", 90, "'resources':{'cpu':1,'licence':1}")));
  const uint64_t entry = take(engine, "f", CEDE_OUTCOME_FITS);
  step(engine, 0, nothing);
  change(engine, PUT_JOBS(WAITING("w", 80, "'resources':{'cpu':1,'licence':1}")), NULL);
  take(engine, "w", CEDE_OUTCOME_PREEMPT);
  change(engine,
         "'jobs':[{'id':'w','queue':'root','priority':80,'state':'running','started':1760000000,"
         "'tasks':[{'node':'n1','resources':{'cpu':1,'licence':1}}]}]",
         NULL);
  step(engine, 1, nothing);
  CU_ASSERT_EQUAL(state_of(engine, entry), CEDE_ENTRY_SHORT);
  cede_engine_destroy(engine);
}

/* ---- what is remembered ---- */

/* Nobody answers that `v` is gone, and then `v` is started again. To do the old action now would harm the new
 * run, so it is not listed again; where `v` does not run, it is. */
static void nothing_is_said_twice_to_a_job_that_runs_again(void) {
  for (int runs = 0; runs < 2; ++runs) {
    cede_engine* engine = scene(ONE_GROUP, "", GPU_NODE ",{'id':'n2','resources':{'cpu':4}}",
                                LIST(RUNNING("v", 1, "'node':'n1','resources':{'cpu':4}"),
                                     WAITING("w", 50, "'resources':{'cpu':1},'required_node':'n1'")));
    const uint64_t entry = take(engine, "w", CEDE_OUTCOME_PREEMPT);
    step(engine, 0, nothing);
    change(engine, NULL, "'jobs':['v']");
    Actions actions = step(engine, 1, (Event){CEDE_EVENT_RELEASED, "v", NULL, 0});
    CU_ASSERT_PTR_NOT_NULL(find_action(&actions, CEDE_DO_GONE));
    CU_ASSERT_PTR_NOT_NULL(find_action(&actions, CEDE_DO_START));
    if (runs) {
      change(engine,
             "'jobs':[{'id':'v','queue':'root','state':'running','started':1760000002,'priority':1,"
             "'tasks':[{'node':'n2','resources':{'cpu':4}}]}]",
             NULL);
    }
    actions = step(engine, 100, nothing);
    CU_ASSERT_EQUAL(find_action(&actions, CEDE_DO_GONE) == NULL, runs == 1);
    CU_ASSERT_EQUAL(state_of(engine, entry), CEDE_ENTRY_READY);
    cede_engine_destroy(engine);
  }
}

/* The victim's entry is long over when the cluster is told that the victim is gone. Until then only the
 * engine knows it. */
static void a_victim_stays_gone_when_its_entry_is_forgotten(void) {
  cede_engine* engine = scene("{'id':'g','policy':'priority','resources':{'licence':2}}", "",
                              "{'id':'n1','resources':{'cpu':4}}",
                              LIST(RUNNING("v", 1, "'node':'n1','resources':{'cpu':4,'licence':2}"),
                                   WAITING("w", 50, "'resources':{'cpu':1,'licence':1}")));
  const uint64_t entry = take(engine, "w", CEDE_OUTCOME_PREEMPT);
  step(engine, 0, nothing);
  CU_ASSERT_EQUAL(cede_engine_cancel(engine, entry, CEDE_NOW_OF_CLUSTER, NULL), CEDE_OK);
  Actions actions = step(engine, 1, (Event){CEDE_EVENT_RELEASED, "v", NULL, 0});
  const Action* release = find_action(&actions, CEDE_DO_RELEASE_HOLD);
  const Action* gone = find_action(&actions, CEDE_DO_GONE);
  CU_ASSERT_PTR_NOT_NULL_FATAL(release);
  CU_ASSERT_PTR_NOT_NULL_FATAL(gone);
  const uint64_t released = release->facts.id;
  step(engine, 1, (Event){CEDE_EVENT_ACTION_DONE, NULL, NULL, gone->facts.id});
  const uint64_t next = take(engine, "w", CEDE_OUTCOME_FITS);
  CU_ASSERT_EQUAL(state_of(engine, next), CEDE_ENTRY_READY);
  actions = step(engine, 2, (Event){CEDE_EVENT_ACTION_DONE, NULL, NULL, released});
  CU_ASSERT_EQUAL(state_of(engine, entry), 0);
  CU_ASSERT_EQUAL(state_of(engine, next), CEDE_ENTRY_READY);
  CU_ASSERT_PTR_NOT_NULL(find_action(&actions, CEDE_DO_START));
  /* Told that it runs, it does. */
  change(engine, PUT_JOBS(RUNNING("v", 1, "'node':'n1','resources':{'cpu':4,'licence':2}")), NULL);
  CU_ASSERT_EQUAL(state_of(engine, next), CEDE_ENTRY_SHORT);
  cede_engine_destroy(engine);
}

/* `b` waits for a licence that the victim of `a` was to leave. Marked only, the victim might have stayed for
 * ever; now it does. */
static void an_entry_that_counts_on_a_spared_victim_is_short_at_once(void) {
  static const char policy[] =
      "{'format':'cede-policy/1','policies':{'p':{'profile':'quota','settings':{'evict':'soft'}}}}";
  cede_engine* engine = audited_engine(json(policy));
  load_scene(engine, "{'id':'g','policy':'p','resources':{'licence':2}}", "",
             "{'id':'n1','resources':{'cpu':4}}",
             LIST(RUNNING("v", 1, "'node':'n1','resources':{'cpu':1,'licence':2}"),
                  WAITING("a", 9, "'resources':{'cpu':1,'licence':1}"),
                  WAITING("b", 8, "'resources':{'cpu':1,'licence':1}")));
  uint64_t entries[2];
  take_both(engine, "a", "b", entries);
  step(engine, 0, nothing);
  CU_ASSERT_EQUAL(state_of(engine, entries[1]), CEDE_ENTRY_WAITING);
  cede_error error = {0, 0, ""};
  const int32_t status = cede_engine_cancel(engine, entries[0], CEDE_NOW_OF_CLUSTER, &error);
  if (status != CEDE_OK) fprintf(stderr, "cancel: %s\n", error.text);
  CU_ASSERT_EQUAL(status, CEDE_OK);
  CU_ASSERT_EQUAL(state_of(engine, entries[1]), CEDE_ENTRY_SHORT);
  cede_engine_destroy(engine);
}

/* ---- nodes ---- */

/* The place was made where no device has a name. */
static void a_place_without_devices_is_lost_when_the_node_has_some(void) {
  cede_engine* engine =
      scene("{'id':'g','policy':'priority','resources':{'gpu':8}}", "", "{'id':'n1','resources':{'cpu':8}}",
            "{'id':'w','queue':'root','tasks':[{'resources':{'cpu':1,'gpu':2}}]}");
  const uint64_t entry = take(engine, "w", CEDE_OUTCOME_FITS);
  change(engine,
         "'groups':[{'id':'g','policy':'priority'}],'nodes':[{'id':'n1','resources':{'cpu':8,'gpu':4}}]",
         NULL);
  CU_ASSERT_EQUAL(state_of(engine, entry), CEDE_ENTRY_SHORT);
  const Actions actions = step(engine, 1, nothing);
  CU_ASSERT_PTR_NULL(find_action(&actions, CEDE_DO_START));
  cede_engine_destroy(engine);
}

/* What a lost place was made of is what its victims leave, not more: the rest has names. */
static void a_lost_place_is_not_kept_twice(void) {
  cede_engine* engine =
      scene(ONE_GROUP, "", "{'id':'n1','resources':{'gpu':4}}",
            LIST(RUNNING("v", 1, "'node':'n1','resources':{'gpu':4},'gpus':[0,1,2,3]"),
                 WAITING("w", 50, "'resources':{'gpu':1}"), WAITING("u", 40, "'resources':{'gpu':2}")));
  uint64_t entries[2];
  take_both(engine, "w", "u", entries);
  step(engine, 0, nothing);
  change(engine, "'nodes':[{'id':'n1','topology':'box4','resources':{'gpu':4}}]", NULL);
  CU_ASSERT_EQUAL(state_of(engine, entries[0]), CEDE_ENTRY_SHORT);
  CU_ASSERT_EQUAL(state_of(engine, entries[1]), CEDE_ENTRY_SHORT);
  step(engine, 1, (Event){CEDE_EVENT_RELEASED, "v", NULL, 0});
  cede_plan* plan = plan_of(engine, "u", CEDE_OUTCOME_FITS);
  CU_ASSERT_EQUAL(cede_engine_extend(engine, entries[1], plan, CEDE_NOW_OF_CLUSTER, -1, NULL), CEDE_OK);
  cede_plan_destroy(plan);
  plan = plan_of(engine, "w", CEDE_OUTCOME_FITS);
  CU_ASSERT_TRUE(names_devices(plan));
  cede_plan_destroy(plan);
  cede_engine_destroy(engine);
}

/* The manager has put a job on half of a device that is kept: that much less is kept, of GPUs and of devices.
 */
static void devices_that_another_job_uses_all_the_same_are_not_kept(void) {
  cede_engine* engine =
      scene(ONE_GROUP, "", "{'id':'n1','resources':{'gpu':4}}",
            LIST(RUNNING("v", 1, "'node':'n1','resources':{'gpu':2},'gpus':[0,1]"),
                 RUNNING("y", 90, "'node':'n1','resources':{'gpu':2},'gpus':[2,3]"),
                 WAITING("w", 50, "'resources':{'gpu':1}"), WAITING("f", 40, "'resources':{'gpu':2}")));
  const uint64_t entry = take(engine, "w", CEDE_OUTCOME_PREEMPT);
  step(engine, 0, nothing);
  step(engine, 1, (Event){CEDE_EVENT_RELEASED, "v", NULL, 0});
  change(engine,
         "'jobs':[{'id':'x','queue':'root','state':'running','started':1760000000,'priority':90,"
         "'tasks':[{'node':'n1','resources':{'gpu':0.5},'gpus':[{'index':0,'share':0.5}]}]}]",
         "'jobs':['v']");
  CU_ASSERT_EQUAL_FATAL(state_of(engine, entry), CEDE_ENTRY_SHORT);
  cede_plan* plan = ask(engine, "w", NULL);
  CU_ASSERT_EQUAL(devices_on(plan, "n1"), 2);
  CU_ASSERT_EQUAL(cede_engine_extend(engine, entry, plan, CEDE_NOW_OF_CLUSTER, -1, NULL), CEDE_OK);
  cede_plan_destroy(plan);
  change(engine, NULL, "'jobs':['y']");
  plan = plan_of(engine, "f", CEDE_OUTCOME_FITS);
  CU_ASSERT_EQUAL(devices_on(plan, "n1"), 12);
  cede_plan_destroy(plan);
  cede_engine_destroy(engine);
}

/* `a` is asked about once more although it is in progress; `b`, whose entry is short, takes its hold. */
static void a_batch_takes_the_hold_of_a_job_in_progress(void) {
  cede_engine* engine = scene_with("'preemptible_priority':60", ONE_GROUP, "",
                                   "{'id':'n1','resources':{'gpu':4}},{'id':'n2','resources':{'gpu':3}}",
                                   LIST(RUNNING("v", 1, "'node':'n1','resources':{'gpu':4},'gpus':[0,1,2,3]"),
                                        WAITING("b", 90, "'resources':{'gpu':3}")));
  const uint64_t entry = take(engine, "b", CEDE_OUTCOME_FITS);
  change(engine,
         "'nodes':[{'id':'n2','resources':{'gpu':3},'state':'down'}],"
         "'jobs':[{'id':'a','queue':'root','priority':50,'tasks':[{'resources':{'gpu':1}}]}]",
         NULL);
  CU_ASSERT_EQUAL_FATAL(state_of(engine, entry), CEDE_ENTRY_SHORT);
  cede_plan* first = ask(engine, "a", NULL);
  CU_ASSERT_EQUAL_FATAL(cede_plan_outcome(first), CEDE_OUTCOME_PREEMPT);
  commit(engine, first);
  static const char* const jobs[] = {"a", "b"};
  cede_plan* plans[2];
  cede_error error = {0, 0, ""};
  const int32_t status = cede_plan_create_batch(engine, jobs, 2, CEDE_NOW_OF_CLUSTER, NULL, 0, plans, &error);
  if (status != CEDE_OK) fprintf(stderr, "batch: %s\n", error.text);
  CU_ASSERT_EQUAL_FATAL(status, CEDE_OK);
  CU_ASSERT_EQUAL(cede_plan_outcome(plans[0]), CEDE_OUTCOME_IN_PROGRESS);
  CU_ASSERT_EQUAL(cede_plan_outcome(plans[1]), CEDE_OUTCOME_PREEMPT);
  CU_ASSERT_EQUAL(cede_engine_extend(engine, entry, plans[1], CEDE_NOW_OF_CLUSTER, -1, NULL), CEDE_OK);
  for (size_t i = 0; i < 2; ++i) cede_plan_destroy(plans[i]);
  cede_engine_destroy(engine);
}

static uint64_t claim(cede_engine* engine, const char* queue, const char* node) {
  cede_plan* plan = NULL;
  cede_error error = {0, 0, ""};
  const int32_t status = cede_plan_create_claim(engine, queue, &node, 1, "sensitive", CEDE_NOW_OF_CLUSTER,
                                                NULL, 0, &plan, &error);
  if (status != CEDE_OK) fprintf(stderr, "claim: %s\n", error.text);
  CU_ASSERT_EQUAL_FATAL(status, CEDE_OK);
  return commit(engine, plan);
}

static void a_claim_does_not_close_a_node_that_left_its_group(void) {
  cede_engine* engine =
      scene("{'id':'g','policy':'class-cost'},{'id':'h','policy':'class-cost','resources':{'gpu':4}}",
            "{'id':'root.a','parent':'root'}",
            "{'id':'n1','group':'g','resources':{'cpu':4}},{'id':'n2','group':'g','resources':{'cpu':4}}",
            "{'id':'f','queue':'root','group':'h','tasks':[{'resources':{'gpu':1}}]}");
  const uint64_t entry = claim(engine, "root.a", "n1");
  change(engine, "'nodes':[{'id':'n1','group':'h','resources':{'cpu':4}}]", NULL);
  CU_ASSERT_EQUAL(state_of(engine, entry), CEDE_ENTRY_SHORT);
  cede_plan* plan = plan_of(engine, "f", CEDE_OUTCOME_FITS);
  cede_plan_destroy(plan);
  cede_engine_destroy(engine);
}

/* `w` lost its place to a job that leaves for a claim: the node then belongs to the claim. */
static void a_hold_does_not_come_back_on_a_claimed_node(void) {
  cede_engine* engine = scene(
      "{'id':'g','policy':'class-cost'}", "{'id':'root.a','parent':'root'},{'id':'root.b','parent':'root'}",
      "{'id':'n1','resources':{'gpu':4}}", "{'id':'w','queue':'root.a','tasks':[{'resources':{'gpu':2}}]}");
  const uint64_t entry = take(engine, "w", CEDE_OUTCOME_FITS);
  step(engine, 0, nothing);
  change(engine,
         "'jobs':[{'id':'x','queue':'root','class':1,'state':'running','started':1760000000,"
         "'tasks':[{'node':'n1','resources':{'gpu':2},'gpus':[0,1]}]}]",
         NULL);
  CU_ASSERT_EQUAL_FATAL(state_of(engine, entry), CEDE_ENTRY_SHORT);
  claim(engine, "root.b", "n1");
  step(engine, 1, nothing);
  change(engine, NULL, "'jobs':['x']");
  const Actions actions = step(engine, 2, (Event){CEDE_EVENT_EXITED, "x", NULL, 0});
  CU_ASSERT_PTR_NULL(find_action(&actions, CEDE_DO_START));
  CU_ASSERT_EQUAL(state_of(engine, entry), CEDE_ENTRY_SHORT);
  cede_engine_destroy(engine);
}

/* The victim leaves both nodes for `w`, whose hold a claim of one of them takes. It still leaves the other
 * one, which the queue of `w` has claimed. */
static void a_claim_that_takes_a_hold_lets_its_victims_leave(void) {
  cede_engine* engine = scene(
      "{'id':'g','policy':'class-cost'}", "{'id':'root.a','parent':'root'},{'id':'root.b','parent':'root'}",
      "{'id':'n1','resources':{'gpu':4}},{'id':'n2','resources':{'gpu':4}}",
      "{'id':'v','queue':'root','class':1,'gang':true,'state':'running','started':1759990000,"
      "'tasks':[{'node':'n1','resources':{'gpu':4},'gpus':[0,1,2,3]},"
      "{'node':'n2','resources':{'gpu':4},'gpus':[0,1,2,3]}]},"
      "{'id':'w','queue':'root.a','class':6,'tasks':[{'resources':{'gpu':4}},{'resources':{'gpu':4}}]}");
  take(engine, "w", CEDE_OUTCOME_PREEMPT);
  step(engine, 0, nothing);
  const uint64_t entry = claim(engine, "root.a", "n2");
  step(engine, 1, nothing);
  CU_ASSERT_EQUAL(state_of(engine, entry), CEDE_ENTRY_WAITING);
  claim(engine, "root.b", "n1");
  change(engine, "'nodes':[{'id':'n3','resources':{'gpu':4}}]", NULL);
  CU_ASSERT_EQUAL(state_of(engine, entry), CEDE_ENTRY_WAITING);
  change(engine, NULL, "'jobs':['v']");
  step(engine, 2, (Event){CEDE_EVENT_EXITED, "v", NULL, 0});
  CU_ASSERT_EQUAL(state_of(engine, entry), CEDE_ENTRY_READY);
  cede_engine_destroy(engine);
}

static void a_claimed_node_is_not_claimed_by_another_queue(void) {
  cede_engine* engine = scene(
      "{'id':'g','policy':'class-cost'}",
      "{'id':'root.a','parent':'root'},{'id':'root.a.x','parent':'root.a'},{'id':'root.b','parent':'root'}",
      "{'id':'n1','resources':{'gpu':4}}", "");
  claim(engine, "root.a", "n1");
  const char* node = "n1";
  cede_plan* plan = NULL;
  CU_ASSERT_EQUAL_FATAL(cede_plan_create_claim(engine, "root.b", &node, 1, "sensitive", CEDE_NOW_OF_CLUSTER,
                                               NULL, 0, &plan, NULL),
                        CEDE_OK);
  CU_ASSERT_EQUAL(cede_plan_outcome(plan), CEDE_OUTCOME_WAIT);
  CU_ASSERT_STRING_EQUAL(cede_plan_rule(plan), "claim-blocked");
  CU_ASSERT_EQUAL(cede_plan_verify(plan, NULL), CEDE_OK);
  cede_plan_destroy(plan);
  CU_ASSERT_NOT_EQUAL(claim(engine, "root.a.x", "n1"), 0);
  cede_engine_destroy(engine);
}

/* The node is reserved for the queue that the job was in. */
static void a_job_that_moves_to_another_queue_is_not_started(void) {
  cede_engine* engine = scene(ONE_GROUP, "{'id':'root.a','parent':'root'},{'id':'root.b','parent':'root'}",
                              GPU_NODE, "{'id':'w','queue':'root.a','tasks':[{'resources':{'gpu':2}}]}");
  change(engine,
         "'reservations':[{'id':'r','nodes':['n1'],'from':1760000000,'until':1760009000,'for':{'queue':'root."
         "a'}}]",
         NULL);
  const uint64_t entry = take(engine, "w", CEDE_OUTCOME_FITS);
  change(engine, "'jobs':[{'id':'w','queue':'root.b','tasks':[{'resources':{'gpu':2}}]}]", NULL);
  CU_ASSERT_EQUAL(state_of(engine, entry), CEDE_ENTRY_CANCELLED);
  const Actions actions = step(engine, 1, nothing);
  CU_ASSERT_PTR_NULL(find_action(&actions, CEDE_DO_START));
  cede_engine_destroy(engine);
}

/* A plan made for the job in its old queue says nothing about the new one. */
static void a_plan_is_stale_when_its_job_has_moved(void) {
  cede_engine* engine = scene(ONE_GROUP, "{'id':'root.a','parent':'root'},{'id':'root.b','parent':'root'}",
                              GPU_NODE, "{'id':'w','queue':'root.a','tasks':[{'resources':{'gpu':2}}]}");
  cede_plan* plan = plan_of(engine, "w", CEDE_OUTCOME_FITS);
  change(engine, "'jobs':[{'id':'w','queue':'root.b','tasks':[{'resources':{'gpu':2}}]}]", NULL);
  uint64_t entry = 0;
  CU_ASSERT_EQUAL(cede_engine_commit(engine, plan, CEDE_NOW_OF_CLUSTER, -1, &entry, NULL), CEDE_E_STALE);
  cede_plan_destroy(plan);
  take(engine, "w", CEDE_OUTCOME_FITS);
  cede_engine_destroy(engine);
}

/* ---- devices ---- */

/* The victim is restarted on another device, and its start time is not later than the commit. */
static void a_victim_restarts_on_another_device(void) {
  cede_engine* engine = scene(
      ONE_GROUP, "", GPU_NODE,
      LIST(RUNNING("v", 1, "'node':'n1','resources':{'cpu':4,'gpu':1},'gpus':[0]"),
           WAITING("w", 50, "'resources':{'cpu':4,'gpu':1}"), WAITING("f", 40, "'resources':{'gpu':1}")));
  take(engine, "w", CEDE_OUTCOME_PREEMPT);
  change(engine,
         "'jobs':[{'id':'v','queue':'root','state':'running','started':1759999000,'priority':1,"
         "'tasks':[{'node':'n1','resources':{'cpu':4,'gpu':1},'gpus':[1]}]}]",
         NULL);
  cede_plan* plan = plan_of(engine, "f", CEDE_OUTCOME_FITS);
  CU_ASSERT_EQUAL(devices_on(plan, "n1"), 4);
  const uint64_t entry = commit(engine, plan);
  CU_ASSERT_EQUAL(state_of(engine, entry), CEDE_ENTRY_READY);
  cede_engine_destroy(engine);
}

/* The group counts GPUs, so only the devices themselves say how many are free on a node. */
static void parts_of_devices_are_counted_where_the_group_counts_them(void) {
  cede_engine* engine = scene(
      "{'id':'g','policy':'priority','resources':{'gpu':8}}", "",
      "{'id':'n1','topology':'box2','resources':{'cpu':4}}",
      LIST(RUNNING("u", 90, "'node':'n1','resources':{'gpu':2}"), WAITING("w", 50, "'resources':{'gpu':0.5}"),
           "{'id':'m','queue':'root','priority':40,"
           "'tasks':[{'resources':{'gpu':0.5}},{'resources':{'cpu':1,'gpu':0.5}}]}"));
  cede_plan_destroy(plan_of(engine, "w", CEDE_OUTCOME_WAIT));
  cede_plan_destroy(plan_of(engine, "m", CEDE_OUTCOME_WAIT));
  cede_engine_destroy(engine);
}

/* `x` was put onto a device that is kept for `w`, and gives way to `u`: both keep the device now. A plan
 * that takes the hold of one does not get the device from the other. */
static void a_device_kept_twice_is_free_when_both_give_it_up(void) {
  cede_engine* engine =
      scene_with("'preemptible_priority':60", "{'id':'g','policy':'priority','resources':{'gpu':16}}", "",
                 "{'id':'n1','topology':'box4','resources':{'cpu':5}}",
                 LIST(RUNNING("v", 1, "'node':'n1','resources':{'gpu':4},'gpus':[0,1,2,3]"),
                      RUNNING("y", 1, "'node':'n1','resources':{'cpu':4}"),
                      WAITING("w", 50, "'resources':{'cpu':4,'gpu':3}")));
  take(engine, "w", CEDE_OUTCOME_PREEMPT);
  step(engine, 0, nothing);
  change(engine,
         PUT_JOBS("{'id':'x','queue':'root','state':'running','started':1760000000,'priority':1,"
                  "'tasks':[{'node':'n1','resources':{'cpu':1,'gpu':1},'gpus':[3]}]}",
                  WAITING("u", 40, "'resources':{'cpu':1}")),
         "'jobs':['v']");
  step(engine, 1, (Event){CEDE_EVENT_RELEASED, "v", NULL, 0});
  take(engine, "u", CEDE_OUTCOME_PREEMPT);
  change(engine, PUT_JOBS(WAITING("s", 95, "'resources':{'cpu':4,'gpu':4}")), NULL);
  cede_plan* plan = plan_of(engine, "s", CEDE_OUTCOME_PREEMPT);
  CU_ASSERT_TRUE(has_victim(plan, "w"));
  CU_ASSERT_TRUE(has_victim(plan, "u"));
  commit(engine, plan);
  cede_engine_destroy(engine);
}

CU_TestInfo motion_lives_tests[] = {
    {"lives: limits of a new policy hold before a start", limits_of_a_new_policy_hold_before_a_start},
    {"lives: limits count a victim that stays", limits_count_a_victim_that_stays},
    {"lives: nothing is said twice to a job that runs again", nothing_is_said_twice_to_a_job_that_runs_again},
    {"lives: a victim stays gone when its entry is forgotten",
     a_victim_stays_gone_when_its_entry_is_forgotten},
    {"lives: an entry that counts on a spared victim is short at once",
     an_entry_that_counts_on_a_spared_victim_is_short_at_once},
    {"lives: a place without devices is lost when the node has some",
     a_place_without_devices_is_lost_when_the_node_has_some},
    {"lives: a lost place is not kept twice", a_lost_place_is_not_kept_twice},
    {"lives: devices that another job uses all the same are not kept",
     devices_that_another_job_uses_all_the_same_are_not_kept},
    {"lives: a batch takes the hold of a job in progress", a_batch_takes_the_hold_of_a_job_in_progress},
    {"lives: a claim does not close a node that left its group",
     a_claim_does_not_close_a_node_that_left_its_group},
    {"lives: a hold does not come back on a claimed node", a_hold_does_not_come_back_on_a_claimed_node},
    {"lives: a claim that takes a hold lets its victims leave",
     a_claim_that_takes_a_hold_lets_its_victims_leave},
    {"lives: a claimed node is not claimed by another queue", a_claimed_node_is_not_claimed_by_another_queue},
    {"lives: a job that moves to another queue is not started",
     a_job_that_moves_to_another_queue_is_not_started},
    {"lives: a plan is stale when its job has moved", a_plan_is_stale_when_its_job_has_moved},
    {"lives: a victim restarts on another device", a_victim_restarts_on_another_device},
    {"lives: parts of devices are counted where the group counts them",
     parts_of_devices_are_counted_where_the_group_counts_them},
    {"lives: a device kept twice is free when both give it up",
     a_device_kept_twice_is_free_when_both_give_it_up},
    CU_TEST_INFO_NULL,
};
