/* SPDX-License-Identifier: MIT */
/*
 * A small resource manager: load, plan, commit, step, save. It loads libcede at run time and needs only the
 * header. It has no processes: perform() shows where a real manager would act on them, under its own locks.
 *
 *   cc -std=c99 custom_manager.c -ldl -o custom_manager && ./custom_manager libcede.so.0
 */
#include <cede/cede.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The calls this manager needs: one function pointer for each. */
/* clang-format off */
#define CALLS(X) \
  X(cede_engine_create) \
  X(cede_engine_destroy) \
  X(cede_engine_load) \
  X(cede_engine_apply) \
  X(cede_engine_commit) \
  X(cede_engine_step_document) \
  X(cede_engine_save) \
  X(cede_engine_restore) \
  X(cede_plan_create) \
  X(cede_plan_destroy) \
  X(cede_plan_outcome) \
  X(cede_plan_reason) \
  X(cede_step_destroy) \
  X(cede_step_action_count) \
  X(cede_step_actions) \
  X(cede_step_action_job) \
  X(cede_step_action_preemptor) \
  X(cede_step_places) \
  X(cede_step_place_node) \
  X(cede_text_data) \
  X(cede_text_size) \
  X(cede_text_destroy)
/* clang-format on */

static struct {
#define FIELD(name) __typeof__(name)* name;
  CALLS(FIELD)
} lib;

static const char policy[] =
    "{\"format\": \"cede-policy/1\", \"policies\": {\"default\": {\"profile\": \"class-cost\"}}}";
static const char begin[] =
    "{\"format\": \"cede-cluster/1\", \"now\": 1760000000, \"groups\": [{\"id\": \"g\", \"policy\": "
    "\"default\"}],\n"
    " \"queues\": [{\"id\": \"root\"}], \"nodes\": [{\"id\": \"n1\", \"resources\": {\"gpu\": 8}}], "
    "\"jobs\": [";
static const char low[] =
    "{\"id\": \"low\", \"queue\": \"root\", \"class\": 2, \"state\": \"running\", \"started\": 1759990000,\n"
    "  \"checkpoint\": {\"mode\": \"auto\"},\n"
    "  \"tasks\": [{\"node\": \"n1\", \"resources\": {\"gpu\": 8}, \"gpus\": [0, 1, 2, 3, 4, 5, 6, 7]}]}";
static const char high[] =
    "{\"id\": \"high\", \"queue\": \"root\", \"class\": 8, \"value\": 100, \"submitted\": 1759999000,\n"
    "  \"tasks\": [{\"resources\": {\"gpu\": 4}}]}";

static const char requeued[] =
    "{\"format\": \"cede-changes/1\", \"put\": {\"jobs\": [{\"id\": \"low\", \"queue\": \"root\", \"class\": "
    "2,\n"
    "  \"submitted\": 1759990000, \"resume\": true, \"preempted_count\": 1, \"checkpoint\": {\"mode\": "
    "\"auto\"},\n"
    "  \"tasks\": [{\"resources\": {\"gpu\": 8}}]}]}}";

static int64_t now = 1760000000000; /* milliseconds; a real manager reads a clock */
static cede_engine* engine;
static cede_error error;
static char saved[65536]; /* a real manager writes this to a disk */
static size_t saved_size;

/* Events since the last step, as the members of a cede-events/1 document. */
static char events[2048];

static void check(int32_t status) {
  if (status >= 0) return;
  fprintf(stderr, "custom_manager: %s\n", error.text);
  exit(1);
}

static void tell(const char* event, const char* job, uint64_t action) {
  char* const end = events + strlen(events);
  const size_t room = sizeof events - (size_t)(end - events);
  const char* const comma = *events ? "," : "";
  if (job) {
    snprintf(end, room, "%s{\"event\": \"%s\", \"job\": \"%s\"}", comma, event, job);
  } else {
    snprintf(end, room, "%s{\"event\": \"%s\", \"action\": %llu}", comma, event, (unsigned long long)action);
  }
}

static void apply(const char* changes) {
  check(lib.cede_engine_apply(engine, changes, strlen(changes), &error));
}

/* Called before any action is performed. After a crash the engine restores this state and lists again every
 * action without an answer. */
static void save(void) {
  cede_text* text = NULL;
  check(lib.cede_engine_save(engine, &text, &error));
  saved_size = lib.cede_text_size(text);
  memcpy(saved, lib.cede_text_data(text), saved_size);
  lib.cede_text_destroy(text);
}

/* Performs one action and reports the result: first the change of the cluster, then the event. */
static int perform(const cede_step* step, size_t index, cede_action action) {
  cede_place places[16];
  const char* job = lib.cede_step_action_job(step, index);
  int started = 0;
  if (action.kind == CEDE_DO_CHECKPOINT_HINT) {
    printf("hint to %s for %s\n", job, lib.cede_step_action_preemptor(step, index));
    tell("checkpoint-done", job, 0); /* a real job needs time and reports this itself */
  } else if (action.kind == CEDE_DO_SUSPEND) {
    printf("stop %s\n", job);
    apply("{\"format\": \"cede-changes/1\", \"remove\": {\"jobs\": [\"low\"]}}");
    tell("released", job, 0);
  } else if (action.kind == CEDE_DO_REQUEUE) {
    printf("%s waits again, %s\n", job, action.resume ? "to resume" : "from the beginning");
    apply(requeued);
  } else if (action.kind == CEDE_DO_START) {
    check(lib.cede_step_places(step, places, sizeof places[0], 16, NULL, &error));
    printf("start %s on %s, devices %#x\n", job, lib.cede_step_place_node(step, index, 0),
           (unsigned)places[action.first_place].gpus);
    tell("started", job, 0);
    started = 1;
  }
  tell("action-done", NULL, action.id);
  return started;
}

static int turn(void) {
  cede_step* step = NULL;
  cede_action actions[16];
  char document[4096];
  size_t i, count = 0;
  int started = 0;
  snprintf(document, sizeof document, "{\"format\": \"cede-events/1\", \"events\": [%s]}", events);
  check(lib.cede_engine_step_document(engine, now, document, strlen(document), &step, &error));
  events[0] = '\0';
  save();
  check(lib.cede_step_actions(step, actions, sizeof actions[0], 16, &count, &error));
  for (i = 0; i < count && i < 16; ++i) started = perform(step, i, actions[i]) || started;
  lib.cede_step_destroy(step);
  now += 1000;
  return started;
}

int main(int argc, char** argv) {
  char cluster[2048];
  cede_plan* plan = NULL;
  uint64_t entry = 0;
  void* library = dlopen(argc > 1 ? argv[1] : "libcede.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!library) return fprintf(stderr, "custom_manager: %s\n", dlerror()), 1;
#define FIND(name) \
  if (!(*(void**)& lib.name = dlsym(library, #name))) return fprintf(stderr, "no " #name "\n"), 1;
  CALLS(FIND)

  sprintf(cluster, "%s%s,\n%s]}", begin, low, high);
  check(lib.cede_engine_create(policy, strlen(policy), NULL, 0, CEDE_VERSION, &engine, &error));
  check(lib.cede_engine_load(engine, cluster, strlen(cluster), &error));
  check(lib.cede_plan_create(engine, "high", now, NULL, 0, &plan, &error));
  printf("%s\n", lib.cede_plan_reason(plan));
  if (lib.cede_plan_outcome(plan) != CEDE_OUTCOME_PREEMPT) return 1;
  check(lib.cede_engine_commit(engine, plan, now, -1, &entry, &error));
  lib.cede_plan_destroy(plan);
  turn();

  /* As after a crash: a new engine, the state that was saved, the cluster as it is now. */
  lib.cede_engine_destroy(engine);
  events[0] = '\0';
  check(lib.cede_engine_create(policy, strlen(policy), NULL, 0, CEDE_VERSION, &engine, &error));
  check(lib.cede_engine_restore(engine, saved, saved_size, &error));
  check(lib.cede_engine_load(engine, cluster, strlen(cluster), &error));
  printf("restored\n");
  while (!turn()) continue;
  turn(); /* the last answers */
  lib.cede_engine_destroy(engine);
  dlclose(library);
  return 0;
}
