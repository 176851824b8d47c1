/* SPDX-License-Identifier: MIT */
/* The cluster without documents: what each call takes, what it refuses, and that a refusal changes nothing.
 */
#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>

#include "array_cluster.h"
#include "documents.h"
#include "fixture.h"
#include "suites.h"

static ArrayCluster made(void) {
  ArrayCluster cluster;
  CU_ASSERT_EQUAL_FATAL(prepare_arrays(&cluster), 0);
  CU_ASSERT_EQUAL_FATAL(put_arrays(&cluster), 0);
  return cluster;
}

/* The call failed in that way, said so, and left the engine alone. */
static void refused(ArrayCluster* cluster, Snapshot* before, int32_t status, int32_t expected,
                    const cede_error* error, const char* text) {
  CU_ASSERT_EQUAL(status, expected);
  CU_ASSERT_TRUE(well_formed(error, expected));
  CU_ASSERT_STRING_EQUAL(error->text, text);
  CU_ASSERT_TRUE(unchanged_since(before, cluster->engine));
  *before = take_snapshot(cluster->engine);
}

static void a_cluster_of_arrays_is_planned(void) {
  ArrayCluster c = made();
  cede_plan* plan = NULL;
  CU_ASSERT_EQUAL_FATAL(cede_plan_create(c.engine, "w", CEDE_NOW_OF_CLUSTER, NULL, 0, &plan, NULL), CEDE_OK);
  CU_ASSERT_EQUAL(cede_plan_outcome(plan), CEDE_OUTCOME_PREEMPT);
  CU_ASSERT_EQUAL_FATAL(cede_plan_victim_count(plan), 1);
  CU_ASSERT_EQUAL_FATAL(cede_plan_place_count(plan), 1);
  cede_victim victim;
  cede_victim_task task;
  cede_place place;
  CU_ASSERT_EQUAL(cede_plan_victims(plan, &victim, sizeof victim, 1, NULL, NULL), CEDE_OK);
  CU_ASSERT_EQUAL(cede_plan_victim_tasks(plan, &task, sizeof task, 1, NULL, NULL), CEDE_OK);
  CU_ASSERT_EQUAL(cede_plan_places(plan, &place, sizeof place, 1, NULL, NULL), CEDE_OK);
  CU_ASSERT_EQUAL(victim.job, c.v);
  CU_ASSERT_EQUAL(victim.first_task, 0);
  CU_ASSERT_EQUAL(victim.task_count, 1);
  CU_ASSERT_EQUAL(task.job, c.v);
  CU_ASSERT_EQUAL(task.task, c.t0);
  CU_ASSERT_EQUAL(task.position, 0);
  CU_ASSERT_EQUAL(task.node, c.n1);
  CU_ASSERT_EQUAL(place.node, c.n1);
  CU_ASSERT_EQUAL(place.task, c.t0);
  CU_ASSERT_EQUAL(place.position, 0);
  CU_ASSERT_EQUAL(place.index, 0);
  CU_ASSERT_EQUAL(place.gpus, 0xff);
  CU_ASSERT_EQUAL(cede_plan_verify(plan, NULL), CEDE_OK);
  cede_plan_destroy(plan);
  cede_engine_destroy(c.engine);
}

static void arrays_say_how_many_there_are(void) {
  ArrayCluster c = made();
  cede_plan* plan = NULL;
  cede_error error;
  cede_victim victims[2];
  cede_victim_task task;
  cede_place place;
  size_t count = 77;
  CU_ASSERT_EQUAL_FATAL(cede_plan_create(c.engine, "w", CEDE_NOW_OF_CLUSTER, NULL, 0, &plan, NULL), CEDE_OK);
  memset(victims, 0x5a, sizeof victims);
  CU_ASSERT_EQUAL(cede_plan_victims(plan, NULL, sizeof victims[0], 0, &count, &error), CEDE_OK);
  CU_ASSERT_EQUAL(count, 1);
  CU_ASSERT_EQUAL(cede_plan_victims(plan, victims, sizeof victims[0], 2, &count, &error), CEDE_OK);
  CU_ASSERT_EQUAL(count, 1);
  CU_ASSERT_EQUAL(victims[0].job, c.v);
  CU_ASSERT_EQUAL(victims[1].job, 0x5a5a5a5a); /* not written */
  count = 77;
  CU_ASSERT_EQUAL(cede_plan_victims(NULL, victims, sizeof victims[0], 1, &count, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_plan_victims(plan, NULL, sizeof victims[0], 1, &count, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_plan_victims(plan, victims, 0, 1, &count, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_plan_victim_tasks(NULL, &task, sizeof task, 1, &count, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_plan_places(NULL, &place, sizeof place, 1, &count, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(count, 77);
  CU_ASSERT_EQUAL(cede_plan_moves(plan, NULL, sizeof place, 0, &count, &error), CEDE_OK);
  CU_ASSERT_EQUAL(count, 0);
  count = 77;
  CU_ASSERT_EQUAL(cede_plan_violations(plan, NULL, sizeof(cede_violation), 0, &count, &error), CEDE_OK);
  CU_ASSERT_EQUAL(count, 0);
  cede_plan_destroy(plan);
  cede_engine_destroy(c.engine);
}

static void names_have_numbers_both_ways(void) {
  ArrayCluster c = made();
  Snapshot before = take_snapshot(c.engine);
  cede_error error;
  uint32_t number = 77;
  CU_ASSERT_EQUAL(number_of(c.engine, "n1"), c.n1);
  CU_ASSERT_EQUAL(cede_engine_find_name(c.engine, "n1xx", 2), c.n1);
  CU_ASSERT_EQUAL(cede_engine_find_name(c.engine, "nobody", 6), 0);
  CU_ASSERT_STRING_EQUAL(cede_engine_name_text(c.engine, c.root_a), "root.a");
  CU_ASSERT_PTR_NULL(cede_engine_name_text(c.engine, 0));
  CU_ASSERT_PTR_NULL(cede_engine_name_text(c.engine, 4000000000u));
  CU_ASSERT_PTR_NULL(cede_engine_name_text(NULL, c.n1));
  CU_ASSERT_EQUAL(cede_engine_find_name(NULL, "n1", 2), 0);
  CU_ASSERT_EQUAL(cede_engine_find_name(c.engine, NULL, 0), 0);
  CU_ASSERT_EQUAL(cede_engine_name(c.engine, "", 0, &number, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_engine_name(c.engine, "a\nb", 3, &number, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_engine_name(c.engine, "\xff", 1, &number, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_engine_name(c.engine, NULL, 0, &number, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_engine_name(c.engine, "a", 1, NULL, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_engine_name(NULL, "a", 1, &number, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(number, 77);
  CU_ASSERT_TRUE(unchanged_since(&before, c.engine));
  /* A number given back is nobody's; what bears the name stays. */
  const uint32_t back[2] = {c.n1, c.by_leaf};
  CU_ASSERT_EQUAL(cede_engine_forget(c.engine, back, 2, &error), CEDE_OK);
  CU_ASSERT_EQUAL(cede_engine_forget(c.engine, back, 2, &error), CEDE_E_UNKNOWN);
  const uint32_t half[2] = {c.n2, c.n1};
  CU_ASSERT_EQUAL(cede_engine_forget(c.engine, half, 2, &error), CEDE_E_UNKNOWN);
  CU_ASSERT_STRING_EQUAL(cede_engine_name_text(c.engine, c.n2), "n2");
  CU_ASSERT_EQUAL(cede_engine_forget(c.engine, NULL, 1, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_engine_forget(NULL, back, 1, &error), CEDE_E_INVALID);
  /* The number of a job is valid as long as the job is in the cluster, whether it was given back or not. */
  CU_ASSERT_EQUAL(cede_engine_forget(c.engine, &c.v, 1, &error), CEDE_OK);
  CU_ASSERT_EQUAL(cede_engine_find_name(c.engine, "v", 1), c.v);
  CU_ASSERT_STRING_EQUAL(cede_engine_name_text(c.engine, c.v), "v");
  CU_ASSERT_EQUAL(cede_engine_remove_jobs(c.engine, &c.v, 1, &error), CEDE_OK);
  CU_ASSERT_EQUAL(cede_engine_find_name(c.engine, "v", 1), 0);
  CU_ASSERT_PTR_NULL(cede_engine_name_text(c.engine, c.v));
  CU_ASSERT_EQUAL(cede_engine_remove_jobs(c.engine, &c.v, 1, &error), CEDE_E_UNKNOWN);
  cede_engine_destroy(c.engine);
}

static void many_names_are_numbered_at_once(void) {
  ArrayCluster c = made();
  cede_error error;
  const char* const texts[5] = {"n1", "new one", "root.a", "new other", "new one"};
  const size_t sizes[5] = {2, 7, 4, 9, 3};
  uint32_t numbers[5] = {0, 0, 0, 0, 0};
  CU_ASSERT_EQUAL(cede_engine_names(c.engine, texts, NULL, 5, numbers, &error), CEDE_OK);
  CU_ASSERT_EQUAL(numbers[0], c.n1);
  CU_ASSERT_EQUAL(numbers[2], c.root_a);
  CU_ASSERT_EQUAL(numbers[1], numbers[4]);
  CU_ASSERT_STRING_EQUAL(cede_engine_name_text(c.engine, numbers[1]), "new one");
  CU_ASSERT_EQUAL(number_of(c.engine, "new other"), numbers[3]);
  /* With sizes they need not end where their text does. */
  CU_ASSERT_EQUAL(cede_engine_names(c.engine, texts, sizes, 5, numbers, &error), CEDE_OK);
  CU_ASSERT_EQUAL(numbers[2], c.root);
  CU_ASSERT_STRING_EQUAL(cede_engine_name_text(c.engine, numbers[4]), "new");
  /* All or none, and the one that is none is told. */
  const char* const wrong[3] = {"never seen", "a\nb", "n1"};
  numbers[0] = numbers[1] = 77;
  CU_ASSERT_EQUAL(cede_engine_names(c.engine, wrong, NULL, 3, numbers, &error), CEDE_E_INVALID);
  CU_ASSERT_TRUE(strstr(error.text, "texts[1]: ") == error.text);
  CU_ASSERT_EQUAL(cede_engine_find_name(c.engine, "never seen", 10), 0);
  CU_ASSERT_TRUE(numbers[0] == 77 && numbers[1] == 77);
  const char* const hole[2] = {"never seen", NULL};
  CU_ASSERT_EQUAL(cede_engine_names(c.engine, hole, NULL, 2, numbers, &error), CEDE_E_INVALID);
  CU_ASSERT_STRING_EQUAL(error.text, "texts[1]: NULL is not a name");
  CU_ASSERT_EQUAL(cede_engine_names(c.engine, NULL, NULL, 2, numbers, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_engine_names(c.engine, texts, NULL, 2, NULL, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_engine_names(NULL, texts, NULL, 2, numbers, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_engine_names(c.engine, NULL, NULL, 0, NULL, &error), CEDE_OK);
  cede_engine_destroy(c.engine);
}

/* A number stands for the same name wherever it is used, before and after the name is elsewhere forgotten. */
static void a_number_follows_its_name(void) {
  ArrayCluster c = made();
  cede_error error;
  /* n2 is removed as a node and stays a name; nobody is on it. */
  CU_ASSERT_EQUAL(cede_engine_remove_nodes(c.engine, &c.n2, 1, &error), CEDE_OK);
  CU_ASSERT_EQUAL(cede_engine_put_nodes(c.engine, &c.nodes[1], sizeof c.nodes[1], 1, &error), CEDE_OK);
  /* Given back, its number may become another name's, and that one is meant from then on. */
  CU_ASSERT_EQUAL(cede_engine_forget(c.engine, &c.n2, 1, &error), CEDE_OK);
  cede_node node = c.nodes[1];
  node.name = number_of(c.engine, "n3");
  CU_ASSERT_EQUAL(cede_engine_put_nodes(c.engine, &node, sizeof node, 1, &error), CEDE_OK);
  const uint32_t again = number_of(c.engine, "n2");
  CU_ASSERT_EQUAL(cede_engine_remove_nodes(c.engine, &again, 1, &error), CEDE_OK);
  CU_ASSERT_EQUAL(cede_engine_remove_nodes(c.engine, &again, 1, &error), CEDE_E_DOCUMENT);
  CU_ASSERT_EQUAL(cede_engine_remove_nodes(c.engine, &node.name, 1, &error), CEDE_OK);
  /* Another cluster has names of its own. */
  CU_ASSERT_TRUE(load_text(c.engine, small_cluster_text, NULL) >= 0);
  CU_ASSERT_EQUAL(put_jobs(&c, &error), CEDE_E_DOCUMENT);
  cede_engine_destroy(c.engine);
}

static void numbers_outlive_a_load_and_go_with_a_clone(void) {
  ArrayCluster c = made();
  cede_engine* clone = NULL;
  CU_ASSERT_EQUAL(cede_engine_clone(c.engine, &clone, NULL), CEDE_OK);
  const uint32_t later = number_of(c.engine, "later");
  CU_ASSERT_PTR_NULL(cede_engine_name_text(clone, later));
  CU_ASSERT_STRING_EQUAL(cede_engine_name_text(clone, c.n1), "n1");
  CU_ASSERT_TRUE(load_text(c.engine, small_cluster_text, NULL) >= 0);
  CU_ASSERT_STRING_EQUAL(cede_engine_name_text(c.engine, c.n1), "n1");
  CU_ASSERT_STRING_EQUAL(cede_engine_name_text(c.engine, c.v), "v");
  CU_ASSERT_EQUAL(number_of(c.engine, "v"), c.v);
  cede_error error;
  CU_ASSERT_EQUAL(cede_engine_remove_jobs(clone, &c.v, 1, &error), CEDE_OK);
  CU_ASSERT_EQUAL(cede_engine_put_queues(c.engine, c.queues, sizeof c.queues[0], 0, &error), CEDE_OK);
  cede_engine_destroy(c.engine);
  cede_engine_destroy(clone);
}

static void parts_are_checked_when_they_are_put(void) {
  ArrayCluster c = made();
  cede_error error;
  uint32_t number = 77;
  const cede_amount twice[2] = {{1000, c.gpu, 0}, {2000, c.gpu, 0}};
  const cede_amount less = {-1, c.gpu, 0};
  const cede_amount nobody = {1000, 999999, 0};
  const cede_amount newer = {1000, c.gpu, 1};
  const size_t size = sizeof less;
  CU_ASSERT_EQUAL(cede_engine_resources(c.engine, twice, size, 2, &number, &error), CEDE_E_INVALID);
  CU_ASSERT_STRING_EQUAL(error.text, "amounts[1].resource: 'gpu' is given twice");
  CU_ASSERT_EQUAL(cede_engine_resources(c.engine, &less, size, 1, &number, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_engine_resources(c.engine, &nobody, size, 1, &number, &error), CEDE_E_UNKNOWN);
  CU_ASSERT_EQUAL(cede_engine_resources(c.engine, &newer, size, 1, &number, &error), CEDE_E_VERSION);
  CU_ASSERT_EQUAL(cede_engine_resources(c.engine, NULL, size, 1, &number, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_engine_resources(c.engine, twice, 0, 2, &number, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_engine_resources(c.engine, twice, size, 1, NULL, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_engine_resources(NULL, twice, size, 1, &number, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_engine_list(c.engine, &nobody.resource, 1, &number, &error), CEDE_E_UNKNOWN);
  CU_ASSERT_EQUAL(cede_engine_list(c.engine, NULL, 1, &number, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_engine_list(c.engine, &c.n1, 1, NULL, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_engine_list(NULL, &c.n1, 1, &number, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_engine_part(c.engine, CEDE_PART_LABELS, "{\"a\":\n1}", 8, &number, &error),
                  CEDE_E_DOCUMENT);
  CU_ASSERT_EQUAL(error.line, 2);
  CU_ASSERT_EQUAL(cede_engine_part(c.engine, 0, "{}", 2, &number, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_engine_part(c.engine, 8, "{}", 2, &number, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_engine_part(c.engine, CEDE_PART_LABELS, NULL, 0, &number, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_engine_part(c.engine, CEDE_PART_LABELS, "{}", 2, NULL, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_engine_part(NULL, CEDE_PART_LABELS, "{}", 2, &number, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(number, 77);
  uint32_t same = 0;
  CU_ASSERT_EQUAL(
      cede_engine_part(c.engine, CEDE_PART_REQUIREMENT,
                       "{ \"network\": [{\"level\": \"leaf\", \"max_domains\": 1}] }", 52, &same, &error),
      CEDE_OK);
  CU_ASSERT_EQUAL(same, c.by_leaf); /* the same however it is written */
  cede_engine_destroy(c.engine);
}

static void mistakes_are_reported_as_in_documents(void) {
  ArrayCluster c = made();
  Snapshot before = take_snapshot(c.engine);
  cede_error error;
  const ArrayCluster good = c;
#define PUT_WRONG(expected, words)                                     \
  refused(&c, &before, put_jobs(&c, &error), expected, &error, words); \
  memcpy(c.jobs, good.jobs, sizeof c.jobs);                            \
  memcpy(c.tasks, good.tasks, sizeof c.tasks)
  c.jobs[1].queue = c.n1;
  PUT_WRONG(CEDE_E_DOCUMENT, "jobs[1].queue: 'n1' is not a queue; 2 queues are known");
  c.jobs[0].queue = 999999;
  PUT_WRONG(CEDE_E_UNKNOWN, "jobs[0].queue: 999999 is not the number of a name; 1 more error");
  c.jobs[0].name = 0;
  PUT_WRONG(CEDE_E_DOCUMENT, "jobs[0].name: missing");
  c.jobs[1].name = c.v;
  PUT_WRONG(CEDE_E_DOCUMENT, "jobs[1].name: 'v' is given twice, first in jobs[0]");
  c.jobs[1].job_class = 11;
  PUT_WRONG(CEDE_E_DOCUMENT, "jobs[1].job_class: 11 is outside 0..10");
  c.jobs[1].priority = 101;
  PUT_WRONG(CEDE_E_DOCUMENT, "jobs[1].priority: 101 is outside 0..100");
  c.jobs[1].checkpoint_mode = 4;
  PUT_WRONG(CEDE_E_DOCUMENT, "jobs[1].checkpoint_mode: 4 is outside 1..3");
  c.jobs[1].require = c.eight;
  PUT_WRONG(CEDE_E_UNKNOWN, "jobs[1].require: 268435457 is not the number of a requirement");
  c.jobs[0].state = 0;
  PUT_WRONG(CEDE_E_DOCUMENT,
            "jobs[0].state: a pending job has a task that waits; each of this one's has a node");
  c.tasks[0].node = c.l1;
  PUT_WRONG(CEDE_E_DOCUMENT, "jobs[0].tasks[0].node: 'l1' is not a node; 2 nodes are known");
  c.tasks[0].gpus = 1;
  PUT_WRONG(CEDE_E_DOCUMENT, "jobs[0].tasks[0].gpus: names 1 devices, but 'resources' gives 8 gpu");
  c.jobs[1].reserved = 1;
  PUT_WRONG(CEDE_E_VERSION, "jobs[1].reserved: 1 is not 0");
  c.jobs[1].zero = 0x80000000u;
  PUT_WRONG(CEDE_E_VERSION, "jobs[1].zero: 2147483648 is no bit of a field that may be 0");
  c.jobs[1].task_count = 2;
  PUT_WRONG(CEDE_E_INVALID, "jobs[1].task_count: 2 is more than the 1 entries of tasks that are left");
  c.jobs[1].task_count = 0;
  PUT_WRONG(CEDE_E_INVALID, "tasks: 1 entry is no job's");
  c.nodes[1].group = c.root;
  refused(&c, &before, cede_engine_put_nodes(c.engine, c.nodes, sizeof c.nodes[0], 2, &error),
          CEDE_E_DOCUMENT, &error, "nodes[1].group: 'root' is not a group; 1 group is known");
  c.queues[1].parent = c.root_a;
  refused(&c, &before, cede_engine_put_queues(c.engine, c.queues, sizeof c.queues[0], 2, &error),
          CEDE_E_DOCUMENT, &error, "queues: 'root.a' is its own ancestor or hangs on a queue that is");
  const uint32_t still[1] = {c.n1};
  refused(&c, &before, cede_engine_remove_nodes(c.engine, still, 1, &error), CEDE_E_DOCUMENT, &error,
          "nodes[0]: 'n1' still has 1 task");
  refused(&c, &before, cede_engine_remove_jobs(c.engine, still, 1, &error), CEDE_E_DOCUMENT, &error,
          "jobs[0]: 'n1' is not a job");
  refused(&c, &before, cede_engine_put_levels(c.engine, &c.leaf, 1, &error), CEDE_E_INVALID, &error,
          "levels: cannot be changed; load the whole cluster instead");
  CU_ASSERT_TRUE(unchanged_since(&before, c.engine));
  cede_engine_destroy(c.engine);
}

static void single_tasks_come_and_go(void) {
  ArrayCluster c = made();
  cede_error error;
  const uint32_t t1 = number_of(c.engine, "t1");
  cede_task task = {0};
  task.job = c.w;
  task.resources = c.eight;
  CU_ASSERT_EQUAL(cede_engine_put_tasks(c.engine, &task, sizeof task, 1, &error), CEDE_OK);
  char* grown = export_of(c.engine);
  CU_ASSERT_PTR_NOT_NULL(
      strstr(grown, "\"tasks\":[{\"count\":1,\"resources\":{\"gpu\":8}},{\"resources\":{\"gpu\":8}}]"));
  /* The first goes, and the second is still called t1. */
  cede_task_name gone = {c.w, c.t0};
  CU_ASSERT_EQUAL(cede_engine_remove_tasks(c.engine, &gone, sizeof gone, 1, &error), CEDE_OK);
  task.name = t1;
  task.count = 3;
  CU_ASSERT_EQUAL(cede_engine_put_tasks(c.engine, &task, sizeof task, 1, &error), CEDE_OK);
  char* left = export_of(c.engine);
  CU_ASSERT_PTR_NOT_NULL(strstr(left, "\"tasks\":[{\"id\":\"t1\",\"count\":3,\"resources\":{\"gpu\":8}}]"));
  Snapshot before = take_snapshot(c.engine);
  refused(&c, &before, cede_engine_remove_tasks(c.engine, &gone, sizeof gone, 1, &error), CEDE_E_DOCUMENT,
          &error, "tasks[0].task: 't0' is not a task of job 'w'");
  gone.task = t1;
  refused(&c, &before, cede_engine_remove_tasks(c.engine, &gone, sizeof gone, 1, &error), CEDE_E_DOCUMENT,
          &error, "jobs.w.tasks: a job has at least one task");
  cede_task wrong[2] = {task, task};
  wrong[1].name = c.t0;
  wrong[1].required_node = c.v;
  refused(&c, &before, cede_engine_put_tasks(c.engine, wrong, sizeof task, 2, &error), CEDE_E_DOCUMENT,
          &error, "tasks[1].required_node: 'v' is not a node; 2 nodes are known");
  wrong[1] = task;
  refused(&c, &before, cede_engine_put_tasks(c.engine, wrong, sizeof task, 2, &error), CEDE_E_DOCUMENT,
          &error, "tasks[1].name: 't1' of job 'w' is given twice, first in tasks[0]");
  wrong[0].job = c.n1;
  refused(&c, &before, cede_engine_put_tasks(c.engine, wrong, sizeof task, 1, &error), CEDE_E_DOCUMENT,
          &error, "tasks[0].job: 'n1' is not a job; 2 jobs are known");
  wrong[0].job = 0;
  refused(&c, &before, cede_engine_put_tasks(c.engine, wrong, sizeof task, 1, &error), CEDE_E_DOCUMENT,
          &error, "tasks[0].job: missing; the name of a job is wanted");
  CU_ASSERT_TRUE(unchanged_since(&before, c.engine));
  free(grown);
  free(left);
  cede_engine_destroy(c.engine);
}

static void nothing_is_taken_from_nowhere(void) {
  ArrayCluster c = made();
  Snapshot before = take_snapshot(c.engine);
  cede_error error;
  cede_task task = {0};
  cede_task_name name = {c.w, c.t0};
  cede_reservation kept = {0};
  const size_t j = sizeof c.jobs[0];
  const size_t t = sizeof task;
#define NOT_TAKEN(call)                  \
  CU_ASSERT_EQUAL(call, CEDE_E_INVALID); \
  CU_ASSERT_TRUE(well_formed(&error, CEDE_E_INVALID))
  NOT_TAKEN(cede_engine_put_groups(NULL, &c.group, sizeof c.group, 1, &error));
  NOT_TAKEN(cede_engine_put_groups(c.engine, NULL, sizeof c.group, 1, &error));
  NOT_TAKEN(cede_engine_put_groups(c.engine, &c.group, 0, 1, &error));
  NOT_TAKEN(cede_engine_put_domains(NULL, c.domains, sizeof c.domains[0], 1, &error));
  NOT_TAKEN(cede_engine_put_domains(c.engine, NULL, sizeof c.domains[0], 1, &error));
  NOT_TAKEN(cede_engine_put_queues(NULL, c.queues, sizeof c.queues[0], 1, &error));
  NOT_TAKEN(cede_engine_put_queues(c.engine, c.queues, 0, 1, &error));
  NOT_TAKEN(cede_engine_put_nodes(NULL, c.nodes, sizeof c.nodes[0], 1, &error));
  NOT_TAKEN(cede_engine_put_nodes(c.engine, NULL, sizeof c.nodes[0], 1, &error));
  NOT_TAKEN(cede_engine_put_reservations(NULL, &kept, sizeof kept, 1, &error));
  NOT_TAKEN(cede_engine_put_reservations(c.engine, NULL, sizeof kept, 1, &error));
  NOT_TAKEN(cede_engine_put_jobs(NULL, c.jobs, j, 1, c.tasks, t, 1, &error));
  NOT_TAKEN(cede_engine_put_jobs(c.engine, NULL, j, 1, c.tasks, t, 1, &error));
  NOT_TAKEN(cede_engine_put_jobs(c.engine, c.jobs, 0, 1, c.tasks, t, 1, &error));
  NOT_TAKEN(cede_engine_put_jobs(c.engine, c.jobs, j, 1, NULL, t, 1, &error));
  NOT_TAKEN(cede_engine_put_jobs(c.engine, c.jobs, j, 1, c.tasks, 0, 1, &error));
  NOT_TAKEN(cede_engine_put_tasks(NULL, &task, t, 1, &error));
  NOT_TAKEN(cede_engine_put_tasks(c.engine, NULL, t, 1, &error));
  NOT_TAKEN(cede_engine_remove_tasks(NULL, &name, sizeof name, 1, &error));
  NOT_TAKEN(cede_engine_remove_tasks(c.engine, NULL, sizeof name, 1, &error));
  NOT_TAKEN(cede_engine_set_now(NULL, ARRAY_NOW, &error));
  NOT_TAKEN(cede_engine_set_now(c.engine, -1, &error));
  NOT_TAKEN(cede_engine_put_levels(NULL, &c.leaf, 1, &error));
  NOT_TAKEN(cede_engine_put_levels(c.engine, NULL, 1, &error));
  NOT_TAKEN(cede_engine_import_topology(NULL, c.n1, "{}", 2, &error));
  NOT_TAKEN(cede_engine_import_topology(c.engine, c.n1, NULL, 0, &error));
  int32_t (*const removals[])(cede_engine*, const uint32_t*, size_t, cede_error*) = {
      cede_engine_remove_topologies,   cede_engine_remove_domains, cede_engine_remove_groups,
      cede_engine_remove_reservations, cede_engine_remove_queues,  cede_engine_remove_nodes,
      cede_engine_remove_jobs};
  for (size_t i = 0; i < sizeof removals / sizeof removals[0]; ++i) {
    const uint32_t nobody = 999999;
    NOT_TAKEN(removals[i](NULL, &c.n1, 1, &error));
    NOT_TAKEN(removals[i](c.engine, NULL, 1, &error));
    CU_ASSERT_EQUAL(removals[i](c.engine, &nobody, 1, &error), CEDE_E_UNKNOWN);
    CU_ASSERT_TRUE(removals[i](c.engine, &c.gpu, 1, NULL) < 0);
  }
  CU_ASSERT_TRUE(unchanged_since(&before, c.engine));
  cede_engine_destroy(c.engine);
}

static void topologies_come_as_xml_or_json(void) {
  ArrayCluster c = made();
  cede_error error;
  const uint32_t box = number_of(c.engine, "box");
  CU_ASSERT_EQUAL(cede_engine_import_topology(c.engine, box, hwloc_xml_text, strlen(hwloc_xml_text), &error),
                  CEDE_OK);
  CU_ASSERT_EQUAL(cede_engine_import_topology(c.engine, box, nccl_xml_text, strlen(nccl_xml_text), &error),
                  CEDE_OK);
  CU_ASSERT_EQUAL(cede_engine_import_topology(c.engine, box, " {\"gpus\": 8}", 12, &error), CEDE_OK);
  c.nodes[0].topology = box;
  CU_ASSERT_EQUAL(cede_engine_put_nodes(c.engine, c.nodes, sizeof c.nodes[0], 1, &error), CEDE_OK);
  Snapshot before = take_snapshot(c.engine);
  refused(&c, &before, cede_engine_import_topology(c.engine, box, "SwitchName=a", 12, &error),
          CEDE_E_DOCUMENT, &error, "topologies.box: is neither XML nor a JSON object");
  CU_ASSERT_EQUAL(cede_engine_import_topology(c.engine, box, "<graphs/>", 9, &error), CEDE_E_DOCUMENT);
  CU_ASSERT_EQUAL(cede_engine_import_topology(c.engine, box, "{\"gpus\": 9", 10, &error), CEDE_E_DOCUMENT);
  CU_ASSERT_EQUAL(cede_engine_import_topology(c.engine, 0, "{\"gpus\": 9}", 11, &error), CEDE_E_UNKNOWN);
  /* Its node has more devices than that. */
  CU_ASSERT_EQUAL(cede_engine_import_topology(c.engine, box, "{\"gpus\": 2}", 11, &error), CEDE_E_DOCUMENT);
  CU_ASSERT_TRUE(unchanged_since(&before, c.engine));
  cede_engine_destroy(c.engine);
}

CU_TestInfo array_tests[] = {
    {"a cluster of arrays is planned", a_cluster_of_arrays_is_planned},
    {"arrays say how many there are", arrays_say_how_many_there_are},
    {"names have numbers both ways", names_have_numbers_both_ways},
    {"many names are numbered at once", many_names_are_numbered_at_once},
    {"a number follows its name", a_number_follows_its_name},
    {"numbers outlive a load and go with a clone", numbers_outlive_a_load_and_go_with_a_clone},
    {"parts are checked when they are put", parts_are_checked_when_they_are_put},
    {"mistakes are reported as in documents", mistakes_are_reported_as_in_documents},
    {"single tasks come and go", single_tasks_come_and_go},
    {"nothing is taken from nowhere", nothing_is_taken_from_nowhere},
    {"topologies come as XML or JSON", topologies_come_as_xml_or_json},
    CU_TEST_INFO_NULL,
};
