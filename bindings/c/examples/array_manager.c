/* SPDX-License-Identifier: MIT */
/*
 * A small resource manager that speaks arrays only. Names are given to the engine once, at the beginning;
 * from there on everything is a number: the cluster, the plan, events, actions and what they lead to. It has
 * no processes: perform() shows where a real manager would act on them, under its own locks.
 *
 *   cc -std=c99 array_manager.c -lcede -o array_manager && ./array_manager
 */
#include <cede/cede.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMost = 64 }; /* more than this example ever needs; a real manager asks for the count first */

static const char policy[] =
    "{\"format\": \"cede-policy/1\", \"policies\": {\"default\": {\"profile\": \"class-cost\"}}}";

static cede_engine* engine;
static cede_error error;
static int64_t now = 1760000000000; /* milliseconds; a real manager reads a clock */

/* The numbers of all names. They are this manager's own until it gives them back. */
static struct { uint32_t root, gpu, group, policy, node, low, high, task; } the;

/* What the manager knows of its jobs: one struct for the job, one for its only task. */
static cede_job low_job, high_job;
static cede_task low_task, high_task;

/* Events since the last step. */
static cede_event events[kMost];
static size_t event_count;

static void check(int32_t status) {
  if (status >= 0) return;
  fprintf(stderr, "array_manager: %s\n", error.text);
  exit(1);
}

/* All names in one buffer, and where each begins. */
static void give_names(void) {
  static const char texts[] = "rootgpugdefaultn1lowhighworker";
  static const uint64_t offsets[] = {0, 4, 7, 8, 15, 17, 20, 24, 30};
  uint32_t numbers[8];
  check(cede_engine_names_packed(engine, texts, sizeof texts - 1, offsets, 8, numbers, &error));
  the.root = numbers[0];
  the.gpu = numbers[1];
  the.group = numbers[2];
  the.policy = numbers[3];
  the.node = numbers[4];
  the.low = numbers[5];
  the.high = numbers[6];
  the.task = numbers[7];
}

static uint32_t gpus(int64_t count) {
  cede_amount amount;
  uint32_t number = 0;
  memset(&amount, 0, sizeof amount);
  amount.resource = the.gpu;
  amount.amount = count * 1000; /* in thousandths */
  check(cede_engine_resources(engine, &amount, sizeof amount, 1, &number, &error));
  return number;
}

static void put(cede_job* job, const cede_task* task) {
  job->task_count = 1;
  check(cede_engine_put_jobs(engine, job, sizeof *job, 1, task, sizeof *task, 1, &error));
}

static void describe_cluster(void) {
  cede_group group;
  cede_queue queue;
  cede_node node;
  memset(&group, 0, sizeof group);
  memset(&queue, 0, sizeof queue);
  memset(&node, 0, sizeof node);
  check(cede_engine_set_now(engine, now, &error));
  group.name = the.group;
  group.policy = the.policy;
  check(cede_engine_put_groups(engine, &group, sizeof group, 1, &error));
  queue.name = the.root;
  check(cede_engine_put_queues(engine, &queue, sizeof queue, 1, &error));
  node.name = the.node;
  node.resources = gpus(8);
  check(cede_engine_put_nodes(engine, &node, sizeof node, 1, &error));

  low_job.name = the.low;
  low_job.queue = the.root;
  low_job.job_class = 2;
  low_job.state = CEDE_JOB_RUNNING;
  low_job.submitted = low_job.started = now - 10000000;
  low_job.checkpoint_mode = CEDE_CHECKPOINT_AUTO;
  low_task.name = the.task;
  low_task.node = the.node;
  low_task.resources = gpus(8);
  low_task.gpus = 0xff;
  put(&low_job, &low_task);

  high_job.name = the.high;
  high_job.queue = the.root;
  high_job.job_class = 8;
  high_job.value = 100000; /* minutes that it is worth, in thousandths */
  high_job.submitted = now - 1000000;
  high_task.name = the.task;
  high_task.resources = gpus(4);
  put(&high_job, &high_task);
}

static cede_event* tell(int32_t kind) {
  cede_event* event = &events[event_count++];
  memset(event, 0, sizeof *event);
  event->kind = kind;
  return event;
}

/* Performs one action and reports the result: first the change of the cluster, then the event. */
static int perform(const cede_action* action, const cede_place* places) {
  int started = 0;
  switch (action->kind) {
    case CEDE_DO_CHECKPOINT_HINT:
      printf("hint to job %u for job %u\n", action->job, action->target);
      tell(CEDE_EVENT_CHECKPOINT_DONE)->job = action->job; /* a real job needs time and reports this itself */
      break;
    case CEDE_DO_SUSPEND:
      printf("stop job %u\n", action->job);
      tell(CEDE_EVENT_RELEASED)->job = action->job;
      break;
    case CEDE_DO_REQUEUE:
      printf("job %u waits again, %s\n", action->job, action->resume ? "to resume" : "from the beginning");
      low_job.state = CEDE_JOB_PENDING;
      low_job.started = 0;
      low_job.submitted = action->submitted;
      low_job.waiting_since = action->waiting_since;
      low_job.preempted_count = action->preempted_count;
      low_job.resume = action->resume ? CEDE_YES : CEDE_NO;
      low_task.node = 0;
      low_task.gpus = 0;
      put(&low_job, &low_task);
      break;
    case CEDE_DO_START: {
      const cede_place* place = &places[action->first_place];
      printf("start job %u on node %u, devices %#x\n", action->job, place->node, (unsigned)place->gpus);
      high_job.state = CEDE_JOB_RUNNING;
      high_job.started = now;
      high_task.node = place->node;
      high_task.gpus = place->gpus;
      put(&high_job, &high_task);
      tell(CEDE_EVENT_STARTED)->job = action->job;
      started = 1;
      break;
    }
    default: break; /* release-hold: this manager keeps nothing off the node, so it drops nothing */
  }
  tell(CEDE_EVENT_ACTION_DONE)->action = action->id;
  return started;
}

/* Reports what has happened since the last step, and does what is to be done now. */
static int turn(void) {
  cede_action actions[kMost];
  cede_place places[kMost];
  cede_step* step = NULL;
  size_t count = 0, i;
  int started = 0;
  check(cede_engine_step(engine, now, events, sizeof events[0], event_count, NULL, 0, &step, &error));
  event_count = 0;
  check(cede_step_actions(step, actions, sizeof actions[0], kMost, &count, &error));
  check(cede_step_places(step, places, sizeof places[0], kMost, NULL, &error));
  cede_step_destroy(step);
  for (i = 0; i < count && i < kMost; ++i) started = perform(&actions[i], places) || started;
  now += 1000;
  return started;
}

/* What the plan says, without any document. */
static void show(const cede_plan* plan) {
  cede_plan_facts facts;
  cede_victim victims[kMost];
  uint32_t i;
  check(cede_plan_get(plan, &facts, sizeof facts, &error));
  check(cede_plan_victims(plan, victims, sizeof victims[0], kMost, NULL, &error));
  printf("plan for job %u: %u of %u criteria proven, expected in %lld s\n", facts.target, facts.proven,
         facts.criterion_count, (long long)(facts.expected_start - facts.now) / 1000);
  for (i = 0; i < facts.victim_count && i < kMost; ++i)
    printf("victim: job %u, cost %lld.%03lld\n", victims[i].job, (long long)victims[i].cost / 1000,
           (long long)victims[i].cost % 1000);
}

int main(void) {
  cede_plan* plan = NULL;
  cede_ledger* ledger = NULL;
  uint64_t entry = 0;
  size_t left = 0;
  uint32_t numbers[8];
  check(cede_engine_create(policy, sizeof policy - 1, NULL, 0, CEDE_VERSION, &engine, &error));
  give_names();
  describe_cluster();
  check(cede_engine_plan(engine, the.high, now, NULL, 0, 0, &plan, &error));
  show(plan);
  if (cede_plan_outcome(plan) != CEDE_OUTCOME_PREEMPT) return 1;
  check(cede_engine_commit(engine, plan, now, -1, &entry, &error));
  cede_plan_destroy(plan);
  while (!turn()) continue;
  turn(); /* the last answers */
  turn();
  check(cede_engine_in_flight(engine, &ledger, &error));
  check(cede_ledger_entries(ledger, NULL, sizeof(cede_entry), 0, &left, &error));
  cede_ledger_destroy(ledger);
  printf("%u entries left\n", (unsigned)left);
  memcpy(numbers, &the, sizeof numbers);
  check(cede_engine_forget(engine, numbers, 8, &error));
  cede_engine_destroy(engine);
  return left == 0 ? 0 : 1;
}
