/* SPDX-License-Identifier: MIT */
/* Case 9: parts of a batch, partial relief, and devices where the group counts them. */
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <string.h>

#include "motion_scene.h"

static void commit_in_order(cede_engine* engine, cede_plan** plans, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    cede_error error = {0, 0, ""};
    const int32_t verified = cede_plan_verify(plans[i], &error);
    if (verified != CEDE_OK) fprintf(stderr, "verify of part %zu: %s\n", i, error.text);
    CU_ASSERT_EQUAL(verified, CEDE_OK);
    const int32_t outcome = cede_plan_outcome(plans[i]);
    if (outcome == CEDE_OUTCOME_FITS || outcome == CEDE_OUTCOME_PREEMPT) {
      CU_ASSERT_NOT_EQUAL(commit(engine, plans[i]), 0);
    } else {
      cede_plan_destroy(plans[i]);
    }
  }
}

static void ask_batch(const cede_engine* engine, const char* const* jobs, size_t count, const char* term,
                      cede_plan** plans) {
  cede_error error = {0, 0, ""};
  const int32_t status =
      cede_plan_create_batch(engine, jobs, count, CEDE_NOW_OF_CLUSTER, &term, term ? 1 : 0, plans, &error);
  if (status != CEDE_OK) fprintf(stderr, "batch: %s\n", error.text);
  CU_ASSERT_EQUAL_FATAL(status, CEDE_OK);
}

/* What is kept for `a` goes to `d`, which is asked first; `a` then has an entry that is short. */
static void case9_a_batch_takes_the_hold_of_a_later_job(void) {
  cede_engine* engine =
      scene_with("'preemptible_priority':60", ONE_GROUP, "", "{'id':'n1','resources':{'gpu':2}}",
                 LIST(RUNNING("v", 1, "'node':'n1','resources':{'gpu':2},'gpus':[0,1]"),
                      WAITING("a", 50, "'resources':{'gpu':2}")));
  take(engine, "a", CEDE_OUTCOME_PREEMPT);
  change(engine, PUT_JOBS(WAITING("d", 90, "'resources':{'gpu':2}")), NULL);
  static const char* const jobs[] = {"d", "a"};
  cede_plan* plans[2];
  ask_batch(engine, jobs, 2, NULL, plans);
  CU_ASSERT_EQUAL(cede_plan_outcome(plans[0]), CEDE_OUTCOME_PREEMPT);
  cede_victim victim;
  CU_ASSERT_EQUAL_FATAL(cede_plan_victims(plans[0], &victim, sizeof victim, 1, NULL, NULL), CEDE_OK);
  CU_ASSERT_EQUAL(victim.hold, 1);
  CU_ASSERT_NOT_EQUAL(cede_plan_outcome(plans[1]), CEDE_OUTCOME_FITS);
  commit_in_order(engine, plans, 2);
  cede_engine_destroy(engine);
}

/* The same where `a` finds another victim: its part is the new plan of an entry that is short by then. */
static void case9_a_batch_takes_the_hold_of_a_later_job_that_goes_elsewhere(void) {
  cede_engine* engine =
      scene_with("'preemptible_priority':60", ONE_GROUP, "",
                 "{'id':'n1','resources':{'gpu':4}},{'id':'n2','resources':{'gpu':2}}",
                 LIST(RUNNING("v1", 1, "'node':'n1','resources':{'gpu':4},'gpus':[0,1,2,3]"),
                      RUNNING("v2", 2, "'node':'n2','resources':{'gpu':2},'gpus':[0,1]"),
                      WAITING("a", 50, "'resources':{'gpu':2}")));
  const uint64_t entry = take(engine, "a", CEDE_OUTCOME_PREEMPT);
  change(engine, PUT_JOBS(WAITING("d", 90, "'resources':{'gpu':4}")), NULL);
  static const char* const jobs[] = {"d", "a"};
  cede_plan* plans[2];
  ask_batch(engine, jobs, 2, NULL, plans);
  CU_ASSERT_EQUAL(cede_plan_outcome(plans[0]), CEDE_OUTCOME_PREEMPT);
  CU_ASSERT_EQUAL(cede_plan_outcome(plans[1]), CEDE_OUTCOME_PREEMPT);
  CU_ASSERT_TRUE(has_victim(plans[1], "v2"));
  CU_ASSERT_NOT_EQUAL(commit(engine, plans[0]), 0);
  CU_ASSERT_EQUAL(state_of(engine, entry), CEDE_ENTRY_SHORT);
  CU_ASSERT_EQUAL(cede_engine_extend(engine, entry, plans[1], CEDE_NOW_OF_CLUSTER, -1, NULL), CEDE_OK);
  cede_plan_destroy(plans[1]);
  cede_engine_destroy(engine);
}

/* `a` is asked first and in progress already. Whether `d` takes its hold or what the victim leaves beside it,
 * the part is committed as it was told. */
static void ask_behind_one_in_progress(const char* node, const char* victim) {
  char jobs_text[512] =
      "{'id':'v','queue':'root','state':'running','started':1759990000,'priority':1,'tasks':[";
  strcat(strcat(jobs_text, victim),
         "]},{'id':'a','queue':'root','priority':50,'tasks':[{'resources':{'gpu':2}}]},"
         "{'id':'d','queue':'root','priority':90,'tasks':[{'resources':{'gpu':2}}]}");
  cede_engine* engine =
      scene_with("'preemptible_priority':60,'front_only':false", ONE_GROUP, "", node, jobs_text);
  const uint64_t entry = take(engine, "a", CEDE_OUTCOME_PREEMPT);
  static const char* const jobs[] = {"a", "d"};
  cede_plan* plans[2];
  ask_batch(engine, jobs, 2, NULL, plans);
  CU_ASSERT_EQUAL(cede_plan_outcome(plans[0]), CEDE_OUTCOME_IN_PROGRESS);
  cede_plan_destroy(plans[0]);
  CU_ASSERT_EQUAL(cede_plan_verify(plans[1], NULL), CEDE_OK);
  const bool takes = cede_plan_outcome(plans[1]) == CEDE_OUTCOME_PREEMPT;
  CU_ASSERT_TRUE_FATAL(takes || cede_plan_outcome(plans[1]) == CEDE_OUTCOME_FITS);
  CU_ASSERT_NOT_EQUAL(commit(engine, plans[1]), 0);
  CU_ASSERT_EQUAL(state_of(engine, entry), takes ? CEDE_ENTRY_SHORT : CEDE_ENTRY_PREPARING);
  cede_engine_destroy(engine);
}

static void case9_a_part_takes_the_hold_of_a_job_asked_before(void) {
  ask_behind_one_in_progress("{'id':'n1','resources':{'gpu':2}}",
                             "{'node':'n1','resources':{'gpu':2},'gpus':[0,1]}");
}

static void case9_a_part_behind_a_job_in_progress_that_leaves_room(void) {
  ask_behind_one_in_progress("{'id':'n1','resources':{'gpu':4}}",
                             "{'node':'n1','resources':{'gpu':4},'gpus':[0,1,2,3]}");
}

/* n1 is free and the caller does not want it: each part takes a victim, and each is committed. */
static void case9_parts_that_avoid_a_node_are_committed_in_order(void) {
  cede_engine* engine =
      scene_with("'front_only':false", ONE_GROUP, "",
                 "{'id':'n1','resources':{'gpu':4}},{'id':'n2','resources':{'gpu':4}}",
                 LIST(RUNNING("v1", 1, "'node':'n2','resources':{'gpu':2},'gpus':[0,1]"),
                      RUNNING("v2", 1, "'node':'n2','resources':{'gpu':2},'gpus':[2,3]"),
                      WAITING("a", 50, "'resources':{'gpu':2}"), WAITING("b", 50, "'resources':{'gpu':2}")));
  static const char* const jobs[] = {"a", "b"};
  cede_plan* plans[2];
  ask_batch(engine, jobs, 2, "avoid=n1", plans);
  CU_ASSERT_EQUAL(cede_plan_outcome(plans[0]), CEDE_OUTCOME_PREEMPT);
  CU_ASSERT_EQUAL(cede_plan_outcome(plans[1]), CEDE_OUTCOME_PREEMPT);
  commit_in_order(engine, plans, 2);
  cede_engine_destroy(engine);
}

/* Part b takes a victim of its own beside what a's victim leaves. */
static void case9_parts_that_share_room_are_committed_in_order(void) {
  cede_engine* engine =
      scene_with("'front_only':false", ONE_GROUP, "",
                 "{'id':'n1','resources':{'gpu':4}},{'id':'n2','resources':{'gpu':4}}",
                 LIST(RUNNING("v1", 1, "'node':'n1','resources':{'gpu':3},'gpus':[0,1,2]"),
                      "{'id':'v2','queue':'root','state':'running','started':1759991000,'priority':2,"
                      "'tasks':[{'node':'n1','resources':{'gpu':1},'gpus':[3]}]}",
                      "{'id':'v3','queue':'root','state':'running','started':1759991000,'priority':3,"
                      "'tasks':[{'node':'n2','resources':{'gpu':4},'gpus':[0,1,2,3]}]}",
                      WAITING("a", 50, "'resources':{'gpu':2}"), WAITING("b", 50, "'resources':{'gpu':2}"),
                      WAITING("c", 50, "'resources':{'gpu':1}"), WAITING("d", 50, "'resources':{'gpu':3}")));
  static const char* const jobs[] = {"a", "b", "c", "d"};
  cede_plan* plans[4];
  ask_batch(engine, jobs, 4, NULL, plans);
  commit_in_order(engine, plans, 4);
  cede_engine_destroy(engine);
}

/* A job that fits now is planned after a job that takes a victim. */
static void case9_parts_with_and_without_victims_are_committed_in_order(void) {
  cede_engine* engine =
      scene_with("'front_only':false", ONE_GROUP, "",
                 "{'id':'n1','resources':{'gpu':4}},{'id':'n2','resources':{'gpu':2}}",
                 LIST(RUNNING("v1", 1, "'node':'n1','resources':{'gpu':4},'gpus':[0,1,2,3]"),
                      WAITING("a", 50, "'resources':{'gpu':3}"), WAITING("b", 50, "'resources':{'gpu':2}"),
                      WAITING("c", 50, "'resources':{'gpu':1}")));
  static const char* const jobs[] = {"a", "b", "c"};
  cede_plan* plans[3];
  ask_batch(engine, jobs, 3, NULL, plans);
  CU_ASSERT_EQUAL(cede_plan_outcome(plans[0]), CEDE_OUTCOME_PREEMPT);
  CU_ASSERT_EQUAL(cede_plan_outcome(plans[1]), CEDE_OUTCOME_FITS);
  CU_ASSERT_EQUAL(cede_plan_outcome(plans[2]), CEDE_OUTCOME_FITS);
  commit_in_order(engine, plans, 3);
  cede_engine_destroy(engine);
}

/* 6 of 4 GPUs are used, 3 of them by a job that may not be taken: the others leave, and one is still over. */
static cede_plan* partial_relief(const cede_engine* engine) {
  const char* terms[] = {"partial", "protect=fixed"};
  cede_plan* plan = NULL;
  CU_ASSERT_EQUAL_FATAL(
      cede_plan_create_relief(engine, "node:n1", NULL, CEDE_NOW_OF_CLUSTER, terms, 2, &plan, NULL), CEDE_OK);
  CU_ASSERT_EQUAL_FATAL(cede_plan_outcome(plan), CEDE_OUTCOME_PREEMPT);
  cede_error error = {0, 0, ""};
  const int32_t verified = cede_plan_verify(plan, &error);
  if (verified != CEDE_OK) fprintf(stderr, "verify: %s\n", error.text);
  CU_ASSERT_EQUAL(verified, CEDE_OK);
  return plan;
}

static void case9_partial_relief_is_sound(void) {
  for (int changed = 0; changed < 2; ++changed) {
    cede_engine* engine =
        scene("{'id':'g','policy':'priority'},{'id':'h','policy':'priority'}", "",
              "{'id':'n1','group':'g','resources':{'cpu':4}},{'id':'n2','group':'h','resources':{'cpu':4}}",
              "{'id':'fixed','queue':'root','group':'g','state':'running','started':1759990000,'priority':1,"
              "'tasks':[{'node':'n1','resources':{'cpu':3}},{'node':'n1','resources':{'cpu':3}}]},"
              "{'id':'loose','queue':'root','group':'g','state':'running','started':1759990000,'priority':1,"
              "'tasks':[{'node':'n1','resources':{'cpu':1}}]}");
    cede_plan* plan = partial_relief(engine);
    CU_ASSERT_TRUE(has_victim(plan, "loose"));
    CU_ASSERT_FALSE(has_victim(plan, "fixed"));
    if (changed) change(engine, "'nodes':[{'id':'n2','group':'h','resources':{'cpu':2}}]", NULL);
    CU_ASSERT_NOT_EQUAL(commit(engine, plan), 0);
    cede_engine_destroy(engine);
  }
}

/* The requester has started and is told so: the node is over by what it is over, not by the hold as well. */
static void case9_partial_relief_counts_a_requester_once(void) {
  cede_engine* engine = scene(
      ONE_GROUP, "", "{'id':'n1','resources':{'cpu':4}}",
      LIST(RUNNING("v", 1, "'node':'n1','resources':{'cpu':4}"), WAITING("w", 4, "'resources':{'cpu':3}")));
  take(engine, "w", CEDE_OUTCOME_PREEMPT);
  step(engine, 0, nothing);
  change(engine, NULL, "'jobs':['v']");
  step(engine, 1, (Event){CEDE_EVENT_RELEASED, "v", NULL, 0});
  change(engine,
         PUT_JOBS("{'id':'w','queue':'root','priority':4,'state':'running','started':1760000001,"
                  "'tasks':[{'node':'n1','resources':{'cpu':3}}]}",
                  RUNNING("fixed", 1, "'node':'n1','resources':{'cpu':4}")),
         NULL);
  cede_plan* plan = partial_relief(engine); /* 7 of 4: w leaves, 4 are left */
  CU_ASSERT_TRUE(has_victim(plan, "w"));
  CU_ASSERT_PTR_NULL(strstr(cede_plan_reason(plan), "still"));
  cede_plan_destroy(plan);
  cede_engine_destroy(engine);
}

/* The node's devices are known; the group only counts how many may be used. */
static void case9_devices_are_named_where_the_group_counts_them(void) {
  cede_engine* engine = scene("{'id':'g','policy':'priority','resources':{'gpu':4}}", "",
                              "{'id':'n1','topology':'box4','resources':{'cpu':4}}",
                              LIST(RUNNING("v", 1, "'node':'n1','resources':{'cpu':1,'gpu':2},'gpus':[0,1]"),
                                   "{'id':'w','queue':'root','tasks':[{'resources':{'cpu':1,'gpu':2}}]}"));
  const uint64_t entry = take(engine, "w", CEDE_OUTCOME_FITS);
  const Actions actions = step(engine, 0, nothing);
  const Action* start = find_action(&actions, CEDE_DO_START);
  CU_ASSERT_PTR_NOT_NULL_FATAL(start);
  CU_ASSERT_EQUAL(start->facts.entry, entry);
  CU_ASSERT_EQUAL(start->devices_known, 1);
  CU_ASSERT_EQUAL(start->gpus, 12);
  cede_engine_destroy(engine);
}

CU_TestInfo motion_batch_tests[] = {
    {"case 9: a batch takes the hold of a later job", case9_a_batch_takes_the_hold_of_a_later_job},
    {"case 9: a batch takes the hold of a later job that goes elsewhere",
     case9_a_batch_takes_the_hold_of_a_later_job_that_goes_elsewhere},
    {"case 9: a part takes the hold of a job asked before",
     case9_a_part_takes_the_hold_of_a_job_asked_before},
    {"case 9: a part behind a job in progress that leaves room",
     case9_a_part_behind_a_job_in_progress_that_leaves_room},
    {"case 9: parts that avoid a node are committed in order",
     case9_parts_that_avoid_a_node_are_committed_in_order},
    {"case 9: parts that share room are committed in order",
     case9_parts_that_share_room_are_committed_in_order},
    {"case 9: parts with and without victims are committed in order",
     case9_parts_with_and_without_victims_are_committed_in_order},
    {"case 9: partial relief is sound", case9_partial_relief_is_sound},
    {"case 9: partial relief counts a requester once", case9_partial_relief_counts_a_requester_once},
    {"case 9: devices are named where the group counts them",
     case9_devices_are_named_where_the_group_counts_them},
    CU_TEST_INFO_NULL,
};
