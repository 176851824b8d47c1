/* SPDX-License-Identifier: MIT */
/* How long the number of a name is valid, and what an engine does with one that is not its own. */
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array_cluster.h"
#include "documents.h"
#include "fixture.h"
#include "suites.h"

enum { kMost = 32 };

static cede_plan* plan_of_w(const cede_engine* engine) {
  cede_plan* plan = NULL;
  CU_ASSERT_EQUAL_FATAL(cede_plan_create(engine, "w", CEDE_NOW_OF_CLUSTER, NULL, 0, &plan, NULL), CEDE_OK);
  CU_ASSERT_EQUAL_FATAL(cede_plan_outcome(plan), CEDE_OUTCOME_PREEMPT);
  return plan;
}

static bool is_name(const cede_engine* engine, uint32_t number, const char* name) {
  const char* text = cede_engine_name_text(engine, number);
  if (text && strcmp(text, name) == 0) return true;
  printf("%u is %s, not %s\n", number, text ? text : "nobody", name);
  return false;
}

static cede_step* step_of(cede_engine* engine, const cede_event* events, size_t count) {
  cede_step* step = NULL;
  cede_error error;
  const int32_t status =
      cede_engine_step(engine, CEDE_NOW_OF_CLUSTER, events, sizeof *events, count, NULL, 0, &step, &error);
  if (status != CEDE_OK) printf("step: %s\n", error.text);
  CU_ASSERT_EQUAL_FATAL(status, CEDE_OK);
  return step;
}

/* Nobody has asked for a number here: the cluster came as a document. */
static void every_name_in_an_answer_has_a_number(void) {
  cede_engine* engine = engine_with(sessions_policy_text, sessions_cluster_text);
  cede_plan* plan = plan_of_w(engine);
  cede_plan_facts facts;
  cede_victim victims[kMost];
  cede_victim_task tasks[kMost];
  cede_place places[kMost];
  size_t count = 0;
  CU_ASSERT_EQUAL(cede_plan_get(plan, &facts, sizeof facts, NULL), CEDE_OK);
  CU_ASSERT_TRUE(is_name(engine, facts.target, "w"));
  CU_ASSERT_TRUE(is_name(engine, facts.group, "g"));
  CU_ASSERT_EQUAL(cede_plan_victims(plan, victims, sizeof victims[0], kMost, &count, NULL), CEDE_OK);
  CU_ASSERT_EQUAL(count, facts.victim_count);
  for (size_t i = 0; i < count; ++i)
    CU_ASSERT_TRUE(is_name(engine, victims[i].job, cede_plan_victim_job(plan, i)));
  CU_ASSERT_EQUAL(cede_plan_victim_tasks(plan, tasks, sizeof tasks[0], kMost, &count, NULL), CEDE_OK);
  for (size_t i = 0; i < count; ++i) {
    CU_ASSERT_TRUE(is_name(engine, tasks[i].task, "t0"));
    CU_ASSERT_EQUAL(strncmp(cede_engine_name_text(engine, tasks[i].node), "n", 1), 0);
    CU_ASSERT_EQUAL(tasks[i].position, 0);
  }
  CU_ASSERT_EQUAL(cede_plan_places(plan, places, sizeof places[0], kMost, &count, NULL), CEDE_OK);
  CU_ASSERT_EQUAL(count, 2);
  for (size_t i = 0; i < count; ++i) {
    CU_ASSERT_TRUE(is_name(engine, places[i].job, "w"));
    CU_ASSERT_TRUE(is_name(engine, places[i].task, "t"));
    CU_ASSERT_EQUAL(places[i].index, i);
    CU_ASSERT_TRUE(is_name(engine, places[i].node, cede_plan_place_node(plan, i)));
  }
  cede_plan_destroy(plan);
  cede_engine_destroy(engine);
}

/* From the plan to the start in numbers, while the cluster loses every victim before the event about it. */
static void numbers_of_a_committed_plan_outlive_the_jobs(void) {
  cede_engine* engine = engine_with(sessions_policy_text, sessions_cluster_text);
  cede_plan* plan = plan_of_w(engine);
  uint64_t entry = 0;
  CU_ASSERT_EQUAL_FATAL(cede_engine_commit(engine, plan, CEDE_NOW_OF_CLUSTER, -1, &entry, NULL), CEDE_OK);
  cede_plan_destroy(plan);
  cede_action actions[kMost];
  cede_victim_task tasks[kMost];
  cede_place places[kMost];
  size_t count = 0;
  cede_step* step = step_of(engine, NULL, 0);
  CU_ASSERT_EQUAL(cede_step_actions(step, actions, sizeof actions[0], kMost, &count, NULL), CEDE_OK);
  CU_ASSERT_EQUAL(cede_step_tasks(step, tasks, sizeof tasks[0], kMost, NULL, NULL), CEDE_OK);
  CU_ASSERT_TRUE_FATAL(count > 0 && count <= kMost);
  cede_event events[kMost];
  memset(events, 0, sizeof events);
  uint32_t gone[kMost];
  for (size_t i = 0; i < count; ++i) {
    CU_ASSERT_EQUAL(actions[i].task_count, 1);
    CU_ASSERT_EQUAL(tasks[actions[i].first_task].job, actions[i].job);
    CU_ASSERT_TRUE(is_name(engine, tasks[actions[i].first_task].task, "t0"));
    gone[i] = actions[i].job;
    events[i].kind = CEDE_EVENT_RELEASED;
    events[i].job = actions[i].job;
    events[i].task = tasks[actions[i].first_task].task;
  }
  cede_step_destroy(step);
  CU_ASSERT_EQUAL(cede_engine_remove_jobs(engine, gone, count, NULL), CEDE_OK);
  for (size_t i = 0; i < count; ++i) CU_ASSERT_PTR_NOT_NULL(cede_engine_name_text(engine, gone[i]));
  const size_t victims = count;
  step = step_of(engine, events, victims);
  for (size_t i = 0; i < victims; ++i) CU_ASSERT_EQUAL(cede_step_answer(step, i), 1);
  CU_ASSERT_EQUAL(cede_step_actions(step, actions, sizeof actions[0], kMost, &count, NULL), CEDE_OK);
  CU_ASSERT_EQUAL(cede_step_places(step, places, sizeof places[0], kMost, NULL, NULL), CEDE_OK);
  CU_ASSERT_EQUAL_FATAL(count, victims + 1);
  memset(events, 0, sizeof events);
  uint32_t w = 0;
  for (size_t i = 0; i < count; ++i) {
    events[i].kind = CEDE_EVENT_ACTION_DONE;
    events[i].action = actions[i].id;
    if (actions[i].kind != CEDE_DO_START) continue;
    w = actions[i].job;
    CU_ASSERT_TRUE(is_name(engine, w, "w"));
    CU_ASSERT_EQUAL(actions[i].place_count, 2);
    CU_ASSERT_TRUE(is_name(engine, places[actions[i].first_place].task, "t"));
    CU_ASSERT_EQUAL(places[actions[i].first_place + 1].index, 1);
    events[i].kind = CEDE_EVENT_STARTED; /* answers the action too */
    events[i].action = 0;
    events[i].job = w;
  }
  cede_step_destroy(step);
  step = step_of(engine, events, count);
  CU_ASSERT_EQUAL(cede_step_actions(step, actions, sizeof actions[0], kMost, &count, NULL), CEDE_OK);
  CU_ASSERT_EQUAL_FATAL(count, 1);
  CU_ASSERT_EQUAL(actions[0].kind, CEDE_DO_RELEASE_HOLD);
  CU_ASSERT_EQUAL(actions[0].target, w);
  memset(events, 0, sizeof events);
  events[0].kind = CEDE_EVENT_ACTION_DONE;
  events[0].action = actions[0].id;
  cede_step_destroy(step);
  cede_step_destroy(step_of(engine, events, 1));
  /* The entry has left the ledger, and so have the names that only it had. */
  for (size_t i = 0; i < victims; ++i) CU_ASSERT_PTR_NULL(cede_engine_name_text(engine, gone[i]));
  CU_ASSERT_TRUE(is_name(engine, w, "w"));
  events[0].kind = CEDE_EVENT_RELEASED;
  events[0].action = 0;
  events[0].job = gone[0];
  cede_error error;
  step = NULL;
  CU_ASSERT_EQUAL(
      cede_engine_step(engine, CEDE_NOW_OF_CLUSTER, events, sizeof events[0], 1, NULL, 0, &step, &error),
      CEDE_E_INVALID);
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "is not the number of a name"));
  cede_engine_destroy(engine);
}

static void the_ledger_keeps_its_numbers_over_loads_and_clones(void) {
  cede_engine* engine = engine_with(sessions_policy_text, sessions_cluster_text);
  cede_plan* plan = plan_of_w(engine);
  uint64_t entry = 0;
  CU_ASSERT_EQUAL_FATAL(cede_engine_commit(engine, plan, CEDE_NOW_OF_CLUSTER, -1, &entry, NULL), CEDE_OK);
  cede_victim victim;
  CU_ASSERT_EQUAL(cede_plan_victims(plan, &victim, sizeof victim, 1, NULL, NULL), CEDE_OK);
  const char* job = cede_plan_victim_job(plan, 0);
  cede_engine* clone = NULL;
  CU_ASSERT_EQUAL(cede_engine_clone(engine, &clone, NULL), CEDE_OK);
  cede_engine* both[2] = {engine, clone};
  for (size_t i = 0; i < 2; ++i) {
    CU_ASSERT_EQUAL(load_text(both[i], sessions_cluster_text, NULL), CEDE_OK);
    CU_ASSERT_TRUE(is_name(both[i], victim.job, job));
    CU_ASSERT_EQUAL(cede_engine_remove_jobs(both[i], &victim.job, 1, NULL), CEDE_OK);
    CU_ASSERT_TRUE(is_name(both[i], victim.job, job));
  }
  cede_text* state = NULL;
  CU_ASSERT_EQUAL(cede_engine_save(engine, &state, NULL), CEDE_OK);
  cede_engine* next = engine_with(sessions_policy_text, NULL);
  CU_ASSERT_EQUAL(cede_engine_restore(next, cede_text_data(state), cede_text_size(state), NULL), CEDE_OK);
  CU_ASSERT_NOT_EQUAL(cede_engine_find_name(next, job, strlen(job)), 0);
  cede_text_destroy(state);
  cede_engine_destroy(next);
  cede_engine_destroy(clone);
  cede_plan_destroy(plan);
  cede_engine_destroy(engine);
}

static void a_number_of_nobody_is_an_error(void) {
  ArrayCluster c;
  CU_ASSERT_EQUAL_FATAL(prepare_arrays(&c), 0);
  CU_ASSERT_EQUAL_FATAL(put_arrays(&c), 0);
  cede_engine* other = engine_with(array_policy_text, NULL);
  const uint32_t foreign = 1000000;
  cede_plan* plan = (cede_plan*)&untouched;
  cede_admission* admission = (cede_admission*)&untouched;
  cede_error error;
  const cede_term term = {.kind = CEDE_TERM_AVOID, .node = foreign};
  CU_ASSERT_EQUAL(cede_engine_plan(c.engine, foreign, CEDE_NOW_OF_CLUSTER, NULL, 0, 0, &plan, &error),
                  CEDE_E_INVALID);
  CU_ASSERT_STRING_EQUAL(error.text, "job: 1000000 is not the number of a name; a job is needed");
  CU_ASSERT_EQUAL(cede_engine_plan(c.engine, 0, CEDE_NOW_OF_CLUSTER, NULL, 0, 0, &plan, &error),
                  CEDE_E_INVALID);
  CU_ASSERT_STRING_EQUAL(error.text, "job: 0 is not the number of a name; a job is needed");
  /* An engine without names knows no number of another. */
  CU_ASSERT_EQUAL(cede_engine_plan(other, c.w, CEDE_NOW_OF_CLUSTER, NULL, 0, 0, &plan, &error),
                  CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_engine_plan(c.engine, c.n1, CEDE_NOW_OF_CLUSTER, NULL, 0, 0, &plan, &error),
                  CEDE_E_UNKNOWN);
  CU_ASSERT_STRING_EQUAL(error.text, "job: 'n1' is not a job");
  CU_ASSERT_EQUAL(cede_engine_plan(c.engine, c.w, CEDE_NOW_OF_CLUSTER, &term, sizeof term, 1, &plan, &error),
                  CEDE_E_INVALID);
  CU_ASSERT_STRING_EQUAL(error.text, "terms[0].node: 1000000 is not the number of a name; a node is needed");
  CU_ASSERT_EQUAL(
      cede_engine_plan_relief(c.engine, CEDE_FOR_JOB, c.w, 0, CEDE_NOW_OF_CLUSTER, NULL, 0, 0, &plan, &error),
      CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_engine_plan_claim(c.engine, c.root_a, NULL, 1, CEDE_FOR_RECLAIM, CEDE_NOW_OF_CLUSTER,
                                         NULL, 0, 0, &plan, &error),
                  CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_engine_admit_job(c.engine, 0, &admission, &error), CEDE_E_INVALID);
  CU_ASSERT_PTR_EQUAL(plan, (cede_plan*)&untouched);
  CU_ASSERT_PTR_EQUAL(admission, (cede_admission*)&untouched);
  cede_engine_destroy(other);
  cede_engine_destroy(c.engine);
}

static void names_come_and_go_in_one_buffer(void) {
  cede_engine* engine = new_engine();
  static const char texts[] = "leafn1n1\xc3\xbc";
  static const uint64_t offsets[] = {0, 4, 6, 8, 10};
  uint32_t numbers[4] = {0, 0, 0, 0};
  cede_error error;
  CU_ASSERT_EQUAL(cede_engine_names_packed(engine, texts, 10, offsets, 4, numbers, &error), CEDE_OK);
  CU_ASSERT_EQUAL(numbers[1], numbers[2]);
  CU_ASSERT_NOT_EQUAL(numbers[0], numbers[1]);
  CU_ASSERT_TRUE(is_name(engine, numbers[3], "\xc3\xbc"));
  const uint32_t asked[] = {numbers[3], 0, numbers[0]};
  char out[8];
  uint64_t begins[4];
  size_t size = 0;
  CU_ASSERT_EQUAL(cede_engine_name_texts(engine, asked, 3, out, sizeof out, &size, begins, &error), CEDE_OK);
  CU_ASSERT_EQUAL(size, 6);
  CU_ASSERT_EQUAL(memcmp(out, "\xc3\xbcleaf", 6), 0);
  CU_ASSERT_TRUE(begins[0] == 0 && begins[1] == 2 && begins[2] == 2 && begins[3] == 6);
  memset(out, 'x', sizeof out);
  CU_ASSERT_EQUAL(cede_engine_name_texts(engine, asked, 3, out, 4, &size, NULL, &error), CEDE_OK);
  CU_ASSERT_EQUAL(size, 6);
  CU_ASSERT_EQUAL(memcmp(out, "\xc3\xbcxx", 4), 0); /* only whole names */
  const uint32_t bad[] = {numbers[0], 4000000};
  CU_ASSERT_EQUAL(cede_engine_name_texts(engine, bad, 2, out, 8, &size, NULL, &error), CEDE_E_INVALID);
  CU_ASSERT_STRING_EQUAL(error.text, "numbers[1]: 4000000 is not the number of a name");
  static const uint64_t backwards[] = {0, 4, 2, 8, 10};
  CU_ASSERT_EQUAL(cede_engine_names_packed(engine, texts, 10, backwards, 4, numbers, &error), CEDE_E_INVALID);
  CU_ASSERT_STRING_EQUAL(error.text, "offsets[2]: 2 is outside 4..10");
  static const uint64_t beyond[] = {0, 11};
  CU_ASSERT_EQUAL(cede_engine_names_packed(engine, texts, 10, beyond, 1, numbers, &error), CEDE_E_INVALID);
  static const uint64_t empty[] = {0, 4, 4};
  const uint32_t kept = numbers[0];
  CU_ASSERT_EQUAL(cede_engine_names_packed(engine, texts, 10, empty, 2, numbers, &error), CEDE_E_INVALID);
  CU_ASSERT_STRING_EQUAL(error.text, "texts[1]: a name must not be empty");
  CU_ASSERT_EQUAL(numbers[0], kept);
  char* longest = malloc(1025);
  memset(longest, 'y', 1025);
  uint32_t number = 0;
  CU_ASSERT_EQUAL(cede_engine_name(engine, longest, 1024, &number, &error), CEDE_OK);
  CU_ASSERT_EQUAL(cede_engine_list(engine, &number, 1, &number, &error), CEDE_OK);
  CU_ASSERT_EQUAL(cede_engine_name(engine, longest, 1025, &number, &error), CEDE_E_INVALID);
  free(longest);
  cede_engine_destroy(engine);
}

/* Numbers ask the same questions as texts. */
static void both_doors_give_the_same_plans(void) {
  cede_engine* engine = engine_with(sessions_policy_text, sessions_cluster_text);
  const uint32_t w = cede_engine_find_name(engine, "w", 1);
  const cede_term terms[] = {{.kind = CEDE_TERM_PROTECT, .job = cede_engine_find_name(engine, "v3", 2)},
                             {.kind = CEDE_TERM_AVOID, .node = cede_engine_find_name(engine, "n3", 2)}};
  const char* const texts[] = {"protect=v3", "avoid=n3"};
  cede_plan* a[2] = {NULL, NULL};
  cede_plan* b[2] = {NULL, NULL};
  CU_ASSERT_EQUAL_FATAL(
      cede_engine_plan(engine, w, CEDE_NOW_OF_CLUSTER, terms, sizeof terms[0], 2, &a[0], NULL), CEDE_OK);
  CU_ASSERT_EQUAL_FATAL(cede_plan_create(engine, "w", CEDE_NOW_OF_CLUSTER, texts, 2, &b[0], NULL), CEDE_OK);
  CU_ASSERT_EQUAL_FATAL(cede_engine_plan_batch(engine, &w, 1, CEDE_NOW_OF_CLUSTER, NULL, 0, 0, &a[1], NULL),
                        CEDE_OK);
  const char* const jobs[] = {"w"};
  CU_ASSERT_EQUAL_FATAL(cede_plan_create_batch(engine, jobs, 1, CEDE_NOW_OF_CLUSTER, NULL, 0, &b[1], NULL),
                        CEDE_OK);
  for (size_t i = 0; i < 2; ++i) {
    cede_text* first = NULL;
    cede_text* second = NULL;
    CU_ASSERT_EQUAL(cede_plan_explain(a[i], &first, NULL), CEDE_OK);
    CU_ASSERT_EQUAL(cede_plan_explain(b[i], &second, NULL), CEDE_OK);
    CU_ASSERT_STRING_EQUAL(cede_text_data(first), cede_text_data(second));
    cede_text_destroy(first);
    cede_text_destroy(second);
    cede_plan_destroy(a[i]);
    cede_plan_destroy(b[i]);
  }
  cede_engine_destroy(engine);
}

CU_TestInfo number_tests[] = {
    {"every name in an answer has a number", every_name_in_an_answer_has_a_number},
    {"numbers of a committed plan outlive the jobs", numbers_of_a_committed_plan_outlive_the_jobs},
    {"the ledger keeps its numbers over loads and clones",
     the_ledger_keeps_its_numbers_over_loads_and_clones},
    {"a number of nobody is an error", a_number_of_nobody_is_an_error},
    {"names come and go in one buffer", names_come_and_go_in_one_buffer},
    {"both doors give the same plans", both_doors_give_the_same_plans},
    CU_TEST_INFO_NULL,
};
