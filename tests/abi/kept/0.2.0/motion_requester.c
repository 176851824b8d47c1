/* SPDX-License-Identifier: MIT */
/* Requesters that change while their decision is in flight, and what must not grow while nothing ends. */
#include <CUnit/CUnit.h>
#include <stdio.h>

#include "motion_scene.h"

/* ---- requesters that change ---- */

/* `w` fits and is committed; then its document says something else. CEDE_ENTRY_READY: it is started all the
 * same. */
static void expect_after_change(const char* before, const char* after, int32_t state) {
  cede_engine* engine = scene(ONE_GROUP, "", "{'id':'n1','resources':{'cpu':4}}", before);
  const uint64_t entry = take(engine, "w", CEDE_OUTCOME_FITS);
  change(engine, after, NULL);
  const Actions actions = step(engine, 1, nothing);
  CU_ASSERT_EQUAL(find_action(&actions, CEDE_DO_START) != NULL, state == CEDE_ENTRY_READY);
  CU_ASSERT_EQUAL(state_of(engine, entry), state);
  cede_engine_destroy(engine);
}

/* All tasks of a gang start together; those that came later have no place. */
static void a_gang_that_grew_is_not_started_in_part(void) {
  expect_after_change(
      "{'id':'w','queue':'root','gang':true,'tasks':[{'id':'t','count':2,'resources':{'cpu':1}}]}",
      "'jobs':[{'id':'w','queue':'root','gang':true,'tasks':[{'id':'t','count':3,'resources':{'cpu':1}}]}]",
      CEDE_ENTRY_CANCELLED);
}

/* One task of the gang waits for its place, and another one that ran has left: both must start together. */
static void a_gang_that_lost_a_running_task_is_not_started_in_part(void) {
  expect_after_change(
      "{'id':'w','queue':'root','gang':true,'state':'running','started':1759990000,"
      "'tasks':[{'id':'t0','node':'n1','resources':{'cpu':1}},{'id':'t1','resources':{'cpu':1}}]}",
      "'jobs':[{'id':'w','queue':'root','gang':true,"
      "'tasks':[{'id':'t0','resources':{'cpu':1}},{'id':'t1','resources':{'cpu':1}}]}]",
      CEDE_ENTRY_CANCELLED);
}

/* More tasks of a job that starts one by one do not matter. */
static void a_job_of_single_tasks_may_grow(void) {
  expect_after_change(
      "{'id':'w','queue':'root','gang':false,'tasks':[{'id':'t','count':2,'resources':{'cpu':1}}]}",
      "'jobs':[{'id':'w','queue':'root','gang':false,'tasks':[{'id':'t','count':3,'resources':{'cpu':1}}]}]",
      CEDE_ENTRY_READY);
}

/* The place was chosen for another requirement. */
static void a_job_with_another_requirement_is_not_started(void) {
  expect_after_change("{'id':'w','queue':'root','tasks':[{'resources':{'cpu':1}}]}",
                      "'jobs':[{'id':'w','queue':'root','require':{'hosts':{'exclude':['n1']}},"
                      "'tasks':[{'resources':{'cpu':1}}]}]",
                      CEDE_ENTRY_CANCELLED);
}

/* Once it runs where it was to start, it does not matter what it required. */
static void a_requester_that_runs_need_not_give_its_requirement(void) {
  cede_engine* engine = scene(ONE_GROUP, "", "{'id':'n1','resources':{'cpu':4}}",
                              "{'id':'w','queue':'root','require':{'hosts':{'include':['n1']}},"
                              "'tasks':[{'resources':{'cpu':1}}]}");
  const uint64_t entry = take(engine, "w", CEDE_OUTCOME_FITS);
  step(engine, 0, nothing);
  change(engine,
         "'jobs':[{'id':'w','queue':'root','state':'running','started':1760000000,"
         "'tasks':[{'node':'n1','resources':{'cpu':1}}]}]",
         NULL);
  step(engine, 1, nothing);
  CU_ASSERT_EQUAL(state_of(engine, entry), CEDE_ENTRY_STARTED);
  cede_engine_destroy(engine);
}

/* ---- what is remembered does not grow ---- */

static size_t saved_size(const cede_engine* engine) {
  cede_text* state = NULL;
  CU_ASSERT_EQUAL_FATAL(cede_engine_save(engine, &state, NULL), CEDE_OK);
  const size_t size = cede_text_size(state);
  cede_text_destroy(state);
  return size;
}

/* Every change shows again that the victim is gone; no step comes. */
static void what_is_gone_is_noted_once(void) {
  cede_engine* engine = scene(
      ONE_GROUP, "", "{'id':'n1','resources':{'cpu':4}},{'id':'n2','resources':{}}",
      LIST(RUNNING("v", 1, "'node':'n1','resources':{'cpu':4}"), WAITING("w", 50, "'resources':{'cpu':4}")));
  take(engine, "w", CEDE_OUTCOME_PREEMPT);
  step(engine, 0, nothing);
  change(engine, NULL, "'jobs':['v']");
  const size_t once = saved_size(engine);
  for (int i = 0; i < 20; ++i) {
    char node[64];
    snprintf(node, sizeof node, "'nodes':[{'id':'n2','resources':{'cpu':%d}}]", 1 + i % 2);
    change(engine, node, NULL);
  }
  CU_ASSERT_EQUAL(saved_size(engine), once);
  cede_engine_destroy(engine);
}

/* Nodes come and go under new names, each with a preemption. */
static void nodes_that_are_gone_are_forgotten(void) {
  cede_engine* engine = scene(ONE_GROUP, "", "", WAITING("w", 50, "'resources':{'cpu':4}"));
  size_t most = 0;
  for (int i = 0; i < 600; ++i) {
    char put[512];
    char removed[128];
    snprintf(put, sizeof put,
             "'nodes':[{'id':'n%d','resources':{'cpu':4}}],"
             "'jobs':[{'id':'v%d','queue':'root','state':'running','started':1759990000,'priority':1,"
             "'tasks':[{'node':'n%d','resources':{'cpu':4}}]}]",
             i, i, i);
    snprintf(removed, sizeof removed, "'nodes':['n%d'],'jobs':['v%d']", i - 1, i - 1);
    change(engine, put, i == 0 ? NULL : removed);
    const uint64_t entry = take(engine, "w", CEDE_OUTCOME_PREEMPT);
    CU_ASSERT_EQUAL_FATAL(cede_engine_cancel(engine, entry, CEDE_NOW_OF_CLUSTER, NULL), CEDE_OK);
    const Actions actions = step(engine, 1, nothing);
    const Action* release = find_action(&actions, CEDE_DO_RELEASE_HOLD);
    CU_ASSERT_PTR_NOT_NULL_FATAL(release);
    step(engine, 1, (Event){CEDE_EVENT_ACTION_DONE, NULL, NULL, release->facts.id});
    if (i == 249) most = saved_size(engine);
  }
  CU_ASSERT_TRUE(saved_size(engine) < most);
  cede_engine_destroy(engine);
}

/* The first step has not sent the start yet, so an answer to it is about the action of some other engine. */
static void an_answer_to_an_action_that_was_not_sent_is_ignored(void) {
  const int32_t answers[] = {CEDE_EVENT_ACTION_DONE, CEDE_EVENT_ACTION_FAILED};
  for (size_t i = 0; i < 2; ++i) {
    cede_engine* engine = scene(ONE_GROUP, "", GPU_NODE, WAITING("w", 4, "'resources':{'gpu':4}"));
    const uint64_t entry = take(engine, "w", CEDE_OUTCOME_FITS);
    Event answer = nothing;
    answer.kind = answers[i];
    for (answer.action = 1; answer.action < 4; ++answer.action) {
      const Actions actions = step(engine, 0, answer);
      if (answer.action > 1) continue;
      const Action* start = find_action(&actions, CEDE_DO_START);
      CU_ASSERT_PTR_NOT_NULL_FATAL(start);
      CU_ASSERT_EQUAL(start->facts.entry, entry);
    }
    cede_engine_destroy(engine);
  }
}

CU_TestInfo motion_requester_tests[] = {
    {"requester: an answer to an action that was not sent is ignored",
     an_answer_to_an_action_that_was_not_sent_is_ignored},
    {"requester: a gang that grew is not started in part", a_gang_that_grew_is_not_started_in_part},
    {"requester: a gang that lost a running task is not started in part",
     a_gang_that_lost_a_running_task_is_not_started_in_part},
    {"requester: a job of single tasks may grow", a_job_of_single_tasks_may_grow},
    {"requester: a job with another requirement is not started",
     a_job_with_another_requirement_is_not_started},
    {"requester: a requester that runs need not give its requirement",
     a_requester_that_runs_need_not_give_its_requirement},
    {"requester: what is gone is noted once", what_is_gone_is_noted_once},
    {"requester: nodes that are gone are forgotten", nodes_that_are_gone_are_forgotten},
    CU_TEST_INFO_NULL,
};
