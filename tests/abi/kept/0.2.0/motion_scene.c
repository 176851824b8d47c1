/* SPDX-License-Identifier: MIT */
#include "motion_scene.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"

enum { kTexts = 8, kTextSize = 8192 };

const char* json(const char* text) {
  static char texts[kTexts][kTextSize];
  static size_t next;
  char* out = texts[next++ % kTexts];
  const size_t size = strlen(text);
  CU_ASSERT_TRUE_FATAL(size < kTextSize);
  for (size_t i = 0; i <= size; ++i) out[i] = text[i] == '\'' ? '"' : text[i];
  return out;
}

cede_engine* audited_engine(const char* policy) {
  static const char* const options[] = {"audit=1"};
  cede_engine* engine = NULL;
  CU_ASSERT_EQUAL_FATAL(cede_engine_create(policy, strlen(policy), options, 1, CEDE_VERSION, &engine, NULL),
                        CEDE_OK);
  return engine;
}

void load_scene(cede_engine* engine, const char* groups, const char* queues, const char* nodes,
                const char* jobs) {
  char text[kTextSize];
  const int size = snprintf(text, sizeof text,
                            "{'format':'cede-cluster/1','now':1760000000,"
                            "'topologies':{'box4':{'gpus':4},'box2':{'gpus':2}},"
                            "'groups':[%s],'queues':[{'id':'root'}%s%s],'nodes':[%s],'jobs':[%s]}",
                            groups, *queues ? "," : "", queues, nodes, jobs);
  CU_ASSERT_TRUE_FATAL(size > 0 && (size_t)size < sizeof text);
  cede_error error = {0, 0, ""};
  const int32_t status = load_text(engine, json(text), &error);
  if (status < 0) fprintf(stderr, "%s\n", error.text);
  CU_ASSERT_TRUE_FATAL(status >= 0);
}

cede_engine* scene_with(const char* settings, const char* groups, const char* queues, const char* nodes,
                        const char* jobs) {
  char policy[kTextSize];
  snprintf(policy, sizeof policy,
           "{'format':'cede-policy/1','policies':{'priority':{'profile':'priority','settings':{%s}},"
           "'class-cost':{'profile':'class-cost'},'quota':{'profile':'quota'},"
           "'fair-share':{'profile':'fair-share'},'guarantee':{'profile':'guarantee'}}}",
           settings);
  cede_engine* engine = audited_engine(json(policy));
  load_scene(engine, groups, queues, nodes, jobs);
  return engine;
}

cede_engine* scene(const char* groups, const char* queues, const char* nodes, const char* jobs) {
  return scene_with("", groups, queues, nodes, jobs);
}

void change(cede_engine* engine, const char* put, const char* removed) {
  char text[kTextSize];
  snprintf(text, sizeof text, "{'format':'cede-changes/1','put':{%s},'remove':{%s}}", put ? put : "",
           removed ? removed : "");
  cede_error error = {0, 0, ""};
  const int32_t status = apply_text(engine, json(text), &error);
  if (status < 0) fprintf(stderr, "%s\n", error.text);
  CU_ASSERT_TRUE_FATAL(status >= 0);
}

cede_plan* ask(const cede_engine* engine, const char* job, const char* term) {
  cede_plan* plan = NULL;
  cede_error error = {0, 0, ""};
  CU_ASSERT_EQUAL_FATAL(
      cede_plan_create(engine, job, CEDE_NOW_OF_CLUSTER, &term, term ? 1 : 0, &plan, &error), CEDE_OK);
  const int32_t verified = cede_plan_verify(plan, &error);
  if (verified != CEDE_OK) fprintf(stderr, "verify: %s\n", error.text);
  CU_ASSERT_EQUAL(verified, CEDE_OK);
  return plan;
}

uint64_t commit(cede_engine* engine, cede_plan* plan) {
  uint64_t entry = 0;
  cede_error error = {0, 0, ""};
  const int32_t status = cede_engine_commit(engine, plan, CEDE_NOW_OF_CLUSTER, -1, &entry, &error);
  if (status != CEDE_OK) fprintf(stderr, "commit: %s\n", error.text);
  CU_ASSERT_EQUAL(status, CEDE_OK);
  cede_plan_destroy(plan);
  return entry;
}

uint64_t take(cede_engine* engine, const char* job, int32_t outcome) {
  cede_plan* plan = ask(engine, job, NULL);
  if (cede_plan_outcome(plan) != outcome) fprintf(stderr, "%s: %s\n", job, cede_plan_reason(plan));
  CU_ASSERT_EQUAL_FATAL(cede_plan_outcome(plan), outcome);
  return commit(engine, plan);
}

bool has_victim(const cede_plan* plan, const char* job) {
  for (size_t i = 0; i < cede_plan_victim_count(plan); ++i) {
    if (strcmp(cede_plan_victim_job(plan, i), job) == 0) return true;
  }
  return false;
}

uint64_t devices_on(const cede_plan* plan, const char* node) {
  uint64_t devices = 0;
  cede_place places[64];
  size_t count = 0;
  CU_ASSERT_EQUAL_FATAL(cede_plan_places(plan, places, sizeof places[0], 64, &count, NULL), CEDE_OK);
  for (size_t i = 0; i < count && i < 64; ++i) {
    if (strcmp(cede_plan_place_node(plan, i), node) == 0) devices |= places[i].gpus;
  }
  return devices;
}

bool uses(const cede_plan* plan, const char* node) {
  for (size_t i = 0; i < cede_plan_place_count(plan); ++i) {
    if (strcmp(cede_plan_place_node(plan, i), node) == 0) return true;
  }
  return false;
}

enum { kActions = sizeof((Actions*)0)->list / sizeof(Action), kPlaces = 256 };

static void read_actions(const cede_step* from, Actions* out) {
  cede_action facts[kActions];
  cede_place places[kPlaces];
  size_t count = 0;
  memset(out, 0, sizeof *out);
  CU_ASSERT_EQUAL(cede_step_actions(from, facts, sizeof facts[0], kActions, &out->count, NULL), CEDE_OK);
  CU_ASSERT_EQUAL(cede_step_places(from, places, sizeof places[0], kPlaces, &count, NULL), CEDE_OK);
  CU_ASSERT_TRUE_FATAL(out->count <= kActions && count <= kPlaces);
  for (size_t i = 0; i < out->count; ++i) {
    Action* action = &out->list[i];
    action->facts = facts[i];
    const char* job = cede_step_action_job(from, i);
    snprintf(action->job, sizeof action->job, "%s", job ? job : "");
    for (uint32_t k = 0; k < facts[i].place_count; ++k) action->gpus |= places[facts[i].first_place + k].gpus;
    if (facts[i].place_count == 0) continue;
    action->share = places[facts[i].first_place].share;
    action->devices_known = places[facts[i].first_place].devices_known;
    snprintf(action->node, sizeof action->node, "%s", cede_step_place_node(from, i, 0));
  }
}

/* The engine has a number for every name of its cluster and its ledger; a test may also use others. */
static uint32_t number_of(cede_engine* engine, const char* name) {
  uint32_t number = cede_engine_find_name(engine, name, strlen(name));
  if (number == 0)
    CU_ASSERT_EQUAL_FATAL(cede_engine_name(engine, name, strlen(name), &number, NULL), CEDE_OK);
  return number;
}

Actions step(cede_engine* engine, int64_t seconds, Event event) {
  cede_event told;
  memset(&told, 0, sizeof told);
  told.kind = event.kind;
  told.action = event.action;
  if (event.job) told.job = number_of(engine, event.job);
  if (event.node) told.node = number_of(engine, event.node);
  cede_step* answer = NULL;
  cede_error error = {0, 0, ""};
  const int32_t status = cede_engine_step(engine, NOW + seconds * SECOND, &told, sizeof told,
                                          event.kind != 0 ? 1 : 0, NULL, 0, &answer, &error);
  if (status != CEDE_OK) fprintf(stderr, "step: %s\n", error.text);
  CU_ASSERT_EQUAL_FATAL(status, CEDE_OK);
  Actions actions;
  read_actions(answer, &actions);
  cede_step_destroy(answer);
  return actions;
}

const Action* find_action(const Actions* actions, int32_t kind) {
  for (size_t i = 0; i < actions->count; ++i) {
    if (actions->list[i].facts.kind == kind) return &actions->list[i];
  }
  return NULL;
}

void expect_no_start(cede_engine* engine, uint64_t entry, int32_t state) {
  const Actions actions = step(engine, 1, nothing);
  CU_ASSERT_PTR_NULL(find_action(&actions, CEDE_DO_START));
  CU_ASSERT_EQUAL(state_of(engine, entry), state);
}

int32_t state_of(const cede_engine* engine, uint64_t entry) {
  cede_ledger* ledger = NULL;
  CU_ASSERT_EQUAL_FATAL(cede_engine_in_flight(engine, &ledger, NULL), CEDE_OK);
  int32_t state = 0;
  cede_entry entries[64];
  size_t count = 0;
  CU_ASSERT_EQUAL(cede_ledger_entries(ledger, entries, sizeof entries[0], 64, &count, NULL), CEDE_OK);
  CU_ASSERT_TRUE_FATAL(count <= 64);
  for (size_t i = 0; i < count; ++i) {
    if (entries[i].entry == entry) state = entries[i].state;
  }
  cede_ledger_destroy(ledger);
  return state;
}

cede_plan* plan_of(const cede_engine* engine, const char* job, int32_t outcome) {
  cede_plan* plan = ask(engine, job, NULL);
  if (cede_plan_outcome(plan) != outcome) fprintf(stderr, "%s: %s\n", job, cede_plan_reason(plan));
  CU_ASSERT_EQUAL_FATAL(cede_plan_outcome(plan), outcome);
  return plan;
}

bool names_devices(const cede_plan* plan) {
  cede_place place;
  CU_ASSERT_EQUAL_FATAL(cede_plan_places(plan, &place, sizeof place, 1, NULL, NULL), CEDE_OK);
  return place.devices_known != 0;
}

void take_both(cede_engine* engine, const char* first, const char* second, uint64_t* entries) {
  const char* const jobs[] = {first, second};
  cede_plan* plans[2];
  cede_error error = {0, 0, ""};
  const int32_t status = cede_plan_create_batch(engine, jobs, 2, CEDE_NOW_OF_CLUSTER, NULL, 0, plans, &error);
  if (status != CEDE_OK) fprintf(stderr, "batch: %s\n", error.text);
  CU_ASSERT_EQUAL_FATAL(status, CEDE_OK);
  for (size_t i = 0; i < 2; ++i) {
    if (cede_plan_outcome(plans[i]) > CEDE_OUTCOME_PREEMPT)
      fprintf(stderr, "%s: %s\n", jobs[i], cede_plan_reason(plans[i]));
    entries[i] = commit(engine, plans[i]);
  }
}
