/* SPDX-License-Identifier: MIT */
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "documents.h"
#include "fixture.h"
#include "suites.h"

/* Of sessions_cluster_text: w waits and takes from v1..v4. */
static cede_plan* plan_of(const cede_engine* engine, const char* job) {
  cede_plan* plan = NULL;
  CU_ASSERT_EQUAL(cede_plan_create(engine, job, CEDE_NOW_OF_CLUSTER, NULL, 0, &plan, NULL), CEDE_OK);
  CU_ASSERT_PTR_NOT_NULL_FATAL(plan);
  return plan;
}

static cede_step* step_with(cede_engine* engine, int64_t now, const cede_event* events, size_t count) {
  cede_step* step = NULL;
  CU_ASSERT_EQUAL(cede_engine_step(engine, now, events, sizeof *events, count, NULL, 0, &step, NULL),
                  CEDE_OK);
  CU_ASSERT_PTR_NOT_NULL_FATAL(step);
  return step;
}

static const int64_t now = 4000000000000;

static void goes_from_plan_to_start(void) {
  cede_engine* engine = engine_with(sessions_policy_text, sessions_cluster_text);
  cede_plan* plan = plan_of(engine, "w");
  CU_ASSERT_EQUAL(cede_plan_outcome(plan), CEDE_OUTCOME_PREEMPT);
  uint64_t entry = 0;
  const uint64_t revision = cede_engine_revision(engine);
  CU_ASSERT_EQUAL(cede_engine_commit(engine, plan, now, 250, &entry, NULL), CEDE_OK);
  CU_ASSERT_EQUAL(entry, 1);
  CU_ASSERT_TRUE(cede_engine_revision(engine) > revision);

  cede_ledger* ledger = NULL;
  CU_ASSERT_EQUAL(cede_engine_in_flight(engine, &ledger, NULL), CEDE_OK);
  CU_ASSERT_EQUAL(cede_ledger_count(ledger), 1);
  cede_entry facts;
  CU_ASSERT_EQUAL(cede_ledger_entries(ledger, &facts, sizeof facts, 1, NULL, NULL), CEDE_OK);
  CU_ASSERT_EQUAL(facts.entry, 1);
  CU_ASSERT_EQUAL(facts.committed, now);
  CU_ASSERT_EQUAL(facts.purpose, CEDE_FOR_JOB);
  CU_ASSERT_EQUAL(facts.cause, CEDE_CAUSE_PRIORITY);
  CU_ASSERT_EQUAL(facts.has_hold, 1);
  CU_ASSERT_STRING_EQUAL(cede_engine_name_text(engine, facts.target), "w");
  cede_ledger_victim leaving;
  CU_ASSERT_EQUAL(cede_ledger_victims(ledger, &leaving, sizeof leaving, 1, NULL, NULL), CEDE_OK);
  CU_ASSERT_EQUAL(leaving.entry, 1);
  CU_ASSERT_EQUAL(leaving.phase, CEDE_PHASE_PLANNED);
  CU_ASSERT_EQUAL(leaving.how, 0);
  CU_ASSERT_STRING_EQUAL(cede_engine_name_text(engine, leaving.job), cede_plan_victim_job(plan, 0));
  CU_ASSERT_EQUAL(facts.victim_count, cede_plan_victim_count(plan));
  CU_ASSERT_STRING_EQUAL(cede_ledger_requester(ledger, 0), "w");
  CU_ASSERT_STRING_EQUAL(cede_ledger_victim_job(ledger, 0, 0), cede_plan_victim_job(plan, 0));
  CU_ASSERT_STRING_EQUAL(cede_ledger_victim_phase(ledger, 0, 0), "planned");
  CU_ASSERT_PTR_NULL(cede_ledger_victim_job(ledger, 0, facts.victim_count));
  cede_text* text = NULL;
  CU_ASSERT_EQUAL(cede_ledger_json(ledger, &text, NULL), CEDE_OK);
  CU_ASSERT_PTR_NOT_NULL(strstr(cede_text_data(text), "\"format\":\"cede-in-flight/1\""));
  cede_text_destroy(text);
  cede_ledger_destroy(ledger);

  cede_step* step = step_with(engine, now, NULL, 0);
  CU_ASSERT_EQUAL(cede_step_action_count(step), cede_plan_victim_count(plan));
  CU_ASSERT_TRUE(cede_step_next_due(step) > now);
  cede_event events[16];
  cede_action actions[16];
  size_t count = 0;
  memset(events, 0, sizeof events);
  const size_t victims = cede_plan_victim_count(plan);
  CU_ASSERT_TRUE_FATAL(victims <= 16);
  CU_ASSERT_EQUAL(cede_step_actions(step, actions, sizeof actions[0], 16, &count, NULL), CEDE_OK);
  CU_ASSERT_EQUAL(count, victims);
  for (size_t i = 0; i < victims; ++i) {
    CU_ASSERT_EQUAL(actions[i].entry, 1);
    CU_ASSERT_TRUE(actions[i].kind == CEDE_DO_SIGNAL || actions[i].kind == CEDE_DO_SUSPEND);
    CU_ASSERT_EQUAL(actions[i].purpose, CEDE_FOR_JOB);
    CU_ASSERT_STRING_EQUAL(cede_engine_name_text(engine, actions[i].target), "w");
    CU_ASSERT_STRING_EQUAL(cede_engine_name_text(engine, actions[i].job), cede_step_action_job(step, i));
    CU_ASSERT_STRING_EQUAL(cede_step_action_preemptor(step, i), "w");
    CU_ASSERT_TRUE(strlen(cede_step_action_cause(step, i)) > 0);
    CU_ASSERT_PTR_NOT_NULL(cede_step_action_task(step, i, 0));
    events[i].kind = CEDE_EVENT_RELEASED;
    events[i].job = actions[i].job;
  }
  cede_step_destroy(step);
  step = step_with(engine, now + 1000, events, victims);
  for (size_t i = 0; i < victims; ++i) CU_ASSERT_EQUAL(cede_step_answer(step, i), 1);
  CU_ASSERT_EQUAL(cede_step_answer(step, victims), CEDE_E_INVALID);
  int started = 0;
  size_t left = 0;
  CU_ASSERT_EQUAL(cede_step_actions(step, actions, sizeof actions[0], 16, &count, NULL), CEDE_OK);
  CU_ASSERT_TRUE_FATAL(count <= 16);
  for (size_t i = 0; i < count; ++i) {
    const cede_action action = actions[i];
    if (action.kind == CEDE_DO_GONE) {
      ++left;
      CU_ASSERT_EQUAL(action.how, CEDE_HOW_TERMINATED);
      CU_ASSERT_PTR_NOT_NULL(cede_step_action_task(step, i, 0));
    }
    if (action.kind != CEDE_DO_START) continue;
    ++started;
    CU_ASSERT_STRING_EQUAL(cede_step_action_job(step, i), "w");
    CU_ASSERT_EQUAL_FATAL(action.place_count, cede_plan_place_count(plan));
    CU_ASSERT_TRUE_FATAL(action.place_count <= 16);
    cede_place here[16], planned[16];
    CU_ASSERT_EQUAL(cede_step_places(step, here, sizeof here[0], 16, NULL, NULL), CEDE_OK);
    CU_ASSERT_EQUAL(cede_plan_places(plan, planned, sizeof planned[0], 16, NULL, NULL), CEDE_OK);
    CU_ASSERT_EQUAL(memcmp(&here[action.first_place], planned, action.place_count * sizeof here[0]), 0);
    CU_ASSERT_STRING_EQUAL(cede_step_place_node(step, i, 0), cede_plan_place_node(plan, 0));
    CU_ASSERT_STRING_EQUAL(cede_step_place_task(step, i, 0), cede_plan_place_task(plan, 0));
    CU_ASSERT_PTR_NULL(cede_step_place_node(step, i, action.place_count));
  }
  CU_ASSERT_EQUAL(started, 1);
  CU_ASSERT_EQUAL(left, victims); /* the last word about each, for the policy requeues none */
  cede_step_destroy(step);

  CU_ASSERT_EQUAL(cede_engine_metrics(engine, &text, NULL), CEDE_OK);
  CU_ASSERT_PTR_NOT_NULL(strstr(cede_text_data(text), "cede_preemptions_total"));
  CU_ASSERT_PTR_NOT_NULL(strstr(cede_text_data(text), "# EOF\n"));
  cede_text_destroy(text);
  cede_plan_destroy(plan);
  cede_engine_destroy(engine);
}

static void a_stale_plan_is_refused(void) {
  cede_engine* engine = engine_with(sessions_policy_text, sessions_cluster_text);
  cede_plan* plan = plan_of(engine, "w");
  const char* job = cede_plan_victim_job(plan, 0);
  char change[256] = "{\"format\":\"cede-changes/1\",\"remove\":{\"jobs\":[\"";
  strcat(change, job);
  strcat(change, "\"]}}");
  CU_ASSERT_EQUAL(apply_text(engine, change, NULL), CEDE_OK);
  Snapshot before = take_snapshot(engine);
  uint64_t entry = 77;
  cede_error error;
  CU_ASSERT_EQUAL(cede_engine_commit(engine, plan, CEDE_NOW_OF_CLUSTER, -1, &entry, &error), CEDE_E_STALE);
  CU_ASSERT_TRUE(well_formed(&error, CEDE_E_STALE));
  CU_ASSERT_EQUAL(entry, 77);
  CU_ASSERT_TRUE(unchanged_since(&before, engine));
  cede_plan_destroy(plan);
  cede_engine_destroy(engine);
}

static void is_saved_and_restored(void) {
  cede_engine* engine = engine_with(sessions_policy_text, sessions_cluster_text);
  cede_plan* plan = plan_of(engine, "w");
  uint64_t entry = 0;
  CU_ASSERT_EQUAL(cede_engine_commit(engine, plan, now, -1, &entry, NULL), CEDE_OK);
  cede_step* step = step_with(engine, now, NULL, 0);
  const size_t actions = cede_step_action_count(step);
  cede_step_destroy(step);
  cede_text* state = NULL;
  CU_ASSERT_EQUAL(cede_engine_save(engine, &state, NULL), CEDE_OK);
  const size_t size = cede_text_size(state);
  char* bytes = malloc(size);
  memcpy(bytes, cede_text_data(state), size);
  cede_text_destroy(state);
  cede_engine_destroy(engine);

  cede_engine* next = engine_with(sessions_policy_text, NULL);
  CU_ASSERT_EQUAL(cede_engine_restore(next, bytes, size, NULL), CEDE_OK);
  CU_ASSERT_EQUAL(load_text(next, sessions_cluster_text, NULL), CEDE_OK);
  step = step_with(next, now, NULL, 0);
  CU_ASSERT_EQUAL(cede_step_action_count(step), actions); /* nobody answered them */
  cede_step_destroy(step);
  cede_plan* again = plan_of(next, "w");
  CU_ASSERT_EQUAL(cede_plan_outcome(again), CEDE_OUTCOME_IN_PROGRESS);
  cede_plan_destroy(again);

  const uint64_t revision = cede_engine_revision(next);
  cede_error error;
  for (size_t cut = 0; cut < size; cut += 7) {
    CU_ASSERT_EQUAL(cede_engine_restore(next, bytes, cut, &error), CEDE_E_DAMAGED);
    CU_ASSERT_TRUE(well_formed(&error, CEDE_E_DAMAGED));
  }
  bytes[size / 2] ^= 4;
  CU_ASSERT_EQUAL(cede_engine_restore(next, bytes, size, &error), CEDE_E_DAMAGED);
  CU_ASSERT_EQUAL(cede_engine_revision(next), revision);
  free(bytes);
  cede_plan_destroy(plan);
  cede_engine_destroy(next);
}

static void ends_what_is_cancelled(void) {
  cede_engine* engine = engine_with(sessions_policy_text, sessions_cluster_text);
  cede_plan* plan = plan_of(engine, "w");
  cede_error error;
  CU_ASSERT_EQUAL(cede_engine_cancel(engine, 5, CEDE_NOW_OF_CLUSTER, &error), CEDE_E_UNKNOWN);
  uint64_t entry = 0;
  CU_ASSERT_EQUAL(cede_engine_commit(engine, plan, CEDE_NOW_OF_CLUSTER, -1, &entry, NULL), CEDE_OK);
  CU_ASSERT_EQUAL(cede_engine_give_up(engine, entry, CEDE_NOW_OF_CLUSTER, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_engine_extend(engine, entry, plan, CEDE_NOW_OF_CLUSTER, -1, &error), CEDE_E_STALE);
  CU_ASSERT_EQUAL(cede_engine_cancel(engine, entry, CEDE_NOW_OF_CLUSTER, NULL), CEDE_OK);
  CU_ASSERT_EQUAL(cede_engine_cancel(engine, entry, CEDE_NOW_OF_CLUSTER, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_engine_note(engine, plan, CEDE_NOW_OF_CLUSTER, 7, NULL), CEDE_OK);
  cede_plan* again = plan_of(engine, "w");
  CU_ASSERT_EQUAL(cede_plan_outcome(again), CEDE_OUTCOME_PREEMPT);
  cede_plan_destroy(again);
  cede_plan_destroy(plan);
  cede_engine_destroy(engine);
}

static void refuses_what_is_wrong(void) {
  cede_engine* engine = engine_with(sessions_policy_text, sessions_cluster_text);
  cede_plan* plan = plan_of(engine, "w");
  cede_step* step = (cede_step*)&untouched;
  cede_error error;
  uint64_t entry = 3;
  CU_ASSERT_EQUAL(cede_engine_commit(NULL, plan, 0, -1, &entry, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_engine_commit(engine, NULL, 0, -1, &entry, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_engine_commit(engine, plan, -4, -1, &entry, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_engine_commit(engine, plan, 0, -2, &entry, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_engine_commit(engine, plan, 0, -1, NULL, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(entry, 3);
  const uint32_t w = cede_engine_find_name(engine, "w", 1);
  CU_ASSERT_NOT_EQUAL(w, 0);
  const struct {
    cede_event event;
    const char* told;
  } wrong[] = {
      {{.kind = 0}, "events[0].kind: 0 is outside 1..13"},
      {{.kind = 14}, "events[0].kind: 14 is outside 1..13"},
      {{.kind = CEDE_EVENT_DEFER, .job = w, .length = -1}, "events[0].length: -1 is outside 0.."},
      {{.kind = CEDE_EVENT_EXITED}, "events[0].job: missing; the event exited needs one"},
      {{.kind = CEDE_EVENT_EXITED, .job = 1000000}, "events[0].job: 1000000 is not the number of a name"},
      {{.kind = CEDE_EVENT_EXITED, .job = w, .node = w}, "events[0].node: the event exited has none"},
      {{.kind = CEDE_EVENT_NODE_UP}, "events[0].node: missing"},
      {{.kind = CEDE_EVENT_CLAIM_DONE}, "events[0].entry: missing"},
      {{.kind = CEDE_EVENT_ACTION_DONE}, "events[0].action: missing"},
      {{.kind = CEDE_EVENT_ACTION_FAILED, .action = 1, .text = 3, .text_size = 2}, "events[0].text: 2 bytes"},
      {{.kind = CEDE_EVENT_NODE_UP, .node = w, .reserved = 1}, "events[0].reserved"}};
  cede_event event;
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
    CU_ASSERT_EQUAL(cede_engine_step(engine, 0, &wrong[i].event, sizeof event, 1, "abcd", 4, &step, &error),
                    CEDE_E_INVALID);
    if (!strstr(error.text, wrong[i].told)) fprintf(stderr, "%s\n", error.text);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, wrong[i].told));
  }
  memset(&event, 0, sizeof event);
  CU_ASSERT_EQUAL(cede_engine_step(engine, 0, NULL, sizeof event, 1, NULL, 0, &step, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_engine_step(engine, 0, &event, 0, 1, NULL, 0, &step, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_engine_step(engine, 0, NULL, 0, 0, NULL, 4, &step, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_engine_step(engine, 0, NULL, 0, 0, NULL, 0, NULL, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_engine_step(NULL, 0, NULL, 0, 0, NULL, 0, &step, &error), CEDE_E_INVALID);
  CU_ASSERT_PTR_EQUAL(step, (cede_step*)&untouched);
  CU_ASSERT_EQUAL(cede_step_action_count(NULL), 0);
  CU_ASSERT_PTR_NULL(cede_step_action_job(NULL, 0));
  CU_ASSERT_EQUAL(cede_ledger_count(NULL), 0);
  CU_ASSERT_PTR_NULL(cede_ledger_requester(NULL, 0));
  CU_ASSERT_EQUAL(cede_engine_save(NULL, NULL, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_engine_restore(engine, NULL, 0, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_engine_metrics(engine, NULL, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_engine_in_flight(engine, NULL, &error), CEDE_E_INVALID);
  cede_step_destroy(NULL);
  cede_ledger_destroy(NULL);
  cede_plan_destroy(plan);
  cede_engine_destroy(engine);
}

/* Rule 6 for what goes in: this caller's struct, a newer one's long one, and sizes of no version. */
static void takes_events_of_any_size(void) {
  cede_engine* engine = engine_with(sessions_policy_text, sessions_cluster_text);
  struct {
    cede_event event;
    uint64_t more;
  } wide;
  memset(&wide, 0, sizeof wide);
  wide.event.kind = CEDE_EVENT_ACTION_DONE;
  wide.event.action = 9;
  cede_step* step = NULL;
  cede_error error;
  for (size_t size = 0; size < 56; size += 8) {
    CU_ASSERT_EQUAL(cede_engine_step(engine, 0, &wide.event, size, 1, NULL, 0, &step, &error),
                    CEDE_E_INVALID);
  }
  CU_ASSERT_EQUAL(cede_engine_step(engine, 0, &wide.event, 4097, 1, NULL, 0, &step, &error), CEDE_E_INVALID);
  CU_ASSERT_PTR_NULL(step);
  CU_ASSERT_EQUAL(cede_engine_step(engine, 0, &wide.event, 56, 1, NULL, 0, &step, NULL), CEDE_OK);
  CU_ASSERT_EQUAL(cede_step_answer(step, 0), 0);
  cede_step_destroy(step);
  CU_ASSERT_EQUAL(cede_engine_step(engine, 0, &wide.event, sizeof wide, 1, NULL, 0, &step, NULL), CEDE_OK);
  cede_step_destroy(step);
  wide.more = 1;
  CU_ASSERT_EQUAL(cede_engine_step(engine, 0, &wide.event, sizeof wide, 1, NULL, 0, &step, &error),
                  CEDE_E_VERSION);
  cede_engine_destroy(engine);
}

CU_TestInfo sequence_tests[] = {
    {"goes from plan to start", goes_from_plan_to_start},
    {"a stale plan is refused", a_stale_plan_is_refused},
    {"is saved and restored", is_saved_and_restored},
    {"ends what is cancelled", ends_what_is_cancelled},
    {"refuses what is wrong", refuses_what_is_wrong},
    {"takes events of any size", takes_events_of_any_size},
    CU_TEST_INFO_NULL,
};
