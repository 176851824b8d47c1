/* SPDX-License-Identifier: MIT */
/*
 * What a call costs from C: the measure that the bindings are held against (packaging/bench bindings). Each
 * language has this program once more and prints the same two lines, in microseconds of processor time:
 *
 *   plan: one plan on 1,000 full nodes, and its outcome, victims and places read
 *   put: 100,000 waiting jobs described in structs and put into an engine that knows their names
 */
#include <cede/cede.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { kNodes = 1000, kDevices = 8, kPlans = 1000, kPuts = 5, kJobs = 100000 };

static cede_error error;

static void fail(const char* why) {
  fprintf(stderr, "bindings_bench: %s\n", why);
  exit(1);
}

static void check(int32_t status) {
  if (status < 0) fail(error.text);
}

static double micros(clock_t from) { return (double)(clock() - from) * 1e6 / CLOCKS_PER_SEC; }

/* An index below 0: the prefix alone. */
static uint32_t name(cede_engine* engine, const char* prefix, int index) {
  char text[32];
  uint32_t number = 0;
  const int size = index < 0 ? snprintf(text, sizeof text, "%s", prefix)
                             : snprintf(text, sizeof text, "%s%d", prefix, index);
  check(cede_engine_name(engine, text, (size_t)size, &number, &error));
  return number;
}

static uint32_t gpus(cede_engine* engine, int64_t count) {
  cede_amount amount;
  uint32_t number = 0;
  memset(&amount, 0, sizeof amount);
  amount.resource = name(engine, "gpu", -1);
  amount.amount = count * 1000;
  check(cede_engine_resources(engine, &amount, sizeof amount, 1, &number, &error));
  return number;
}

/* Nodes, a queue, and on every device a job of one task. */
static cede_engine* full_cluster(void) {
  static const char policy[] =
      "{\"format\": \"cede-policy/1\", \"policies\": {\"default\": {\"profile\": \"class-cost\"}}}";
  static const char* const options[] = {"threads=1"};
  static cede_node nodes[kNodes];
  static cede_job jobs[kNodes * kDevices];
  static cede_task tasks[kNodes * kDevices];
  cede_engine* engine = NULL;
  cede_group group;
  cede_queue queue;
  int i;
  check(cede_engine_create(policy, sizeof policy - 1, options, 1, CEDE_VERSION, &engine, &error));
  memset(&group, 0, sizeof group);
  memset(&queue, 0, sizeof queue);
  group.name = name(engine, "g", -1);
  group.policy = name(engine, "default", -1);
  queue.name = name(engine, "root", -1);
  check(cede_engine_set_now(engine, 1760000000000, &error));
  check(cede_engine_put_groups(engine, &group, sizeof group, 1, &error));
  check(cede_engine_put_queues(engine, &queue, sizeof queue, 1, &error));
  for (i = 0; i < kNodes; ++i) {
    nodes[i].name = name(engine, "n", i);
    nodes[i].resources = gpus(engine, kDevices);
  }
  check(cede_engine_put_nodes(engine, nodes, sizeof nodes[0], kNodes, &error));
  for (i = 0; i < kNodes * kDevices; ++i) {
    jobs[i].name = name(engine, "running", i);
    jobs[i].queue = queue.name;
    jobs[i].job_class = 1 + i % 5;
    jobs[i].state = CEDE_JOB_RUNNING;
    jobs[i].started = 1760000000000 - 1000 * (int64_t)(600 + i % 3600);
    jobs[i].checkpoint_mode = CEDE_CHECKPOINT_AUTO;
    jobs[i].task_count = 1;
    tasks[i].node = nodes[i / kDevices].name;
    tasks[i].resources = gpus(engine, 1);
    tasks[i].gpus = (uint64_t)1 << (i % kDevices);
  }
  check(cede_engine_put_jobs(engine, jobs, sizeof jobs[0], kNodes * kDevices, tasks, sizeof tasks[0],
                             kNodes * kDevices, &error));
  return engine;
}

static void measure_plan(cede_engine* engine) {
  cede_job job;
  cede_task task;
  clock_t start;
  size_t sum = 0;
  int i;
  memset(&job, 0, sizeof job);
  memset(&task, 0, sizeof task);
  job.name = name(engine, "train", -1);
  job.queue = name(engine, "root", -1);
  job.job_class = 8;
  job.value = 1000000;
  job.task_count = 1;
  task.resources = gpus(engine, 3);
  check(cede_engine_put_jobs(engine, &job, sizeof job, 1, &task, sizeof task, 1, &error));
  start = clock();
  for (i = 0; i < kPlans; ++i) {
    cede_victim victims[16];
    cede_place places[16];
    size_t count = 0;
    cede_plan* plan = NULL;
    check(cede_engine_plan(engine, job.name, CEDE_NOW_OF_CLUSTER, NULL, 0, 0, &plan, &error));
    if (cede_plan_outcome(plan) != CEDE_OUTCOME_PREEMPT) fail(cede_plan_reason(plan));
    check(cede_plan_victims(plan, victims, sizeof victims[0], 16, &count, &error));
    sum += count;
    check(cede_plan_places(plan, places, sizeof places[0], 16, &count, &error));
    sum += count;
    cede_plan_destroy(plan);
  }
  printf("plan %.3f\n", micros(start) / kPlans);
  if (sum != (size_t)kPlans * 4) fail("another number of victims and places");
}

static void measure_put(cede_engine* engine) {
  uint32_t* names = malloc(kJobs * sizeof *names);
  const uint32_t root = name(engine, "root", -1), one = gpus(engine, 1);
  double best = 1e300;
  int i, round;
  if (!names) fail("out of memory");
  for (i = 0; i < kJobs; ++i) names[i] = name(engine, "waiting", i);
  for (round = 0; round < kPuts; ++round) {
    cede_engine* copy = NULL;
    cede_job* jobs;
    cede_task* tasks;
    clock_t start;
    double taken;
    check(cede_engine_clone(engine, &copy, &error));
    start = clock();
    jobs = calloc(kJobs, sizeof *jobs);
    tasks = calloc(kJobs, sizeof *tasks);
    if (!jobs || !tasks) fail("out of memory");
    for (i = 0; i < kJobs; ++i) {
      jobs[i].name = names[i];
      jobs[i].queue = root;
      jobs[i].job_class = i % 10;
      if (jobs[i].job_class == 0) jobs[i].zero = CEDE_ZERO_CLASS;
      jobs[i].submitted = 1759990000000 + i;
      jobs[i].task_count = 1;
      tasks[i].resources = one;
    }
    check(cede_engine_put_jobs(copy, jobs, sizeof *jobs, kJobs, tasks, sizeof *tasks, kJobs, &error));
    free(jobs);
    free(tasks);
    taken = micros(start);
    if (taken < best) best = taken;
    cede_engine_destroy(copy);
  }
  printf("put %.0f\n", best);
  free(names);
}

int main(void) {
  cede_engine* engine = full_cluster();
  measure_plan(engine);
  measure_put(engine);
  cede_engine_destroy(engine);
  return 0;
}
