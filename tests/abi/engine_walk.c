/* SPDX-License-Identifier: MIT */
/*
 * A long random walk of changes over a small cluster, with clones left behind on the way. Beside the engine a
 * plain table keeps the text of every object that should be there. At every step the engine must take the
 * changes if and only if a fresh engine takes the cluster they lead to, and must then be that cluster; a
 * refused step must change nothing; a job must be admitted before the step as it is after it; and at the end
 * every clone must still be where it was taken.
 */
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "suites.h"
#include "walk_objects.h"

enum { kSteps = 3000, kClones = 40, kTextSize = kKinds * kIds * kObjectSize + 4096 };

typedef struct Table {
  char object[kKinds][kIds][kObjectSize]; /* empty: not there */
} Table;

typedef struct Text {
  char bytes[kTextSize];
  size_t size;
} Text;

static void add(Text* text, const char* more) {
  const size_t size = strlen(more);
  CU_ASSERT_TRUE_FATAL(text->size + size < kTextSize);
  memcpy(text->bytes + text->size, more, size + 1);
  text->size += size;
}

/* The objects of the table as the lists of a document; `domains` stands in `network`. */
static void add_lists(Text* text, const Table* table, const char* levels) {
  const char* between = "";
  for (int kind = 0; kind < kKinds; ++kind) {
    add(text, between);
    between = ", ";
    add(text, kind == kDomains ? "\"network\": {" : "\"");
    add(text, kind == kDomains ? levels : kind_members[kind]);
    add(text, kind == kDomains ? "\"domains\": [" : kind == kTopologies ? "\": {" : "\": [");
    const char* comma = "";
    for (int which = 0; which < kIds; ++which) {
      if (table->object[kind][which][0] == '\0') continue;
      add(text, comma);
      add(text, table->object[kind][which]);
      comma = ", ";
    }
    add(text, kind == kDomains ? "]}" : kind == kTopologies ? "}" : "]");
  }
}

static void write_cluster(Text* text, const Table* table) {
  text->size = 0;
  add(text, "{\"format\": \"cede-cluster/1\", \"now\": 1760000000, ");
  add_lists(text, table, "\"levels\": [\"leaf\", \"spine\"], ");
  add(text, "}");
}

/* A few puts, and removals of what is there; `next` becomes the table they lead to. */
static void write_changes(Text* text, const Table* now, Table* next, uint32_t* state) {
  static Table puts;
  char id[32];
  memset(&puts, 0, sizeof puts);
  memcpy(next, now, sizeof *next);
  for (unsigned count = next_random(state) % 4; count > 0; --count) {
    const unsigned kind = next_random(state) % kKinds;
    const unsigned which = next_random(state) % kIds;
    write_object(puts.object[kind][which], (int)kind, which, state);
    memcpy(next->object[kind][which], puts.object[kind][which], kObjectSize);
  }
  text->size = 0;
  add(text, "{\"format\": \"cede-changes/1\", \"put\": {");
  add_lists(text, &puts, "");
  add(text, "}, \"remove\": {");
  for (int kind = 0; kind < kKinds; ++kind) {
    add(text, kind > 0 ? ", \"" : "\"");
    add(text, kind_members[kind]);
    add(text, "\": [");
    const unsigned which = next_random(state) % kIds;
    if (next_random(state) % 8 == 0 && next->object[kind][which][0] && !puts.object[kind][which][0]) {
      write_id(id, kind, which);
      add(text, id);
      next->object[kind][which][0] = '\0';
    }
    add(text, "]");
  }
  add(text, "}}");
}

static void start(Table* table) {
  memset(table, 0, sizeof *table);
  strcpy(table->object[kGroups][0], "{\"id\": \"g0\", \"policy\": \"default\"}");
  strcpy(table->object[kQueues][0], "{\"id\": \"q0\"}");
  for (int i = 0; i < 3; ++i) {
    snprintf(table->object[kNodes][i], kObjectSize,
             "{\"id\": \"n%d\", \"group\": \"g0\", \"resources\": {\"gpu\": 8}}", i);
  }
}

static const char walk_policy[] =
    "{\"format\": \"cede-policy/1\", \"policies\": {\"default\": {\"profile\": \"guarantee\"}, \"gold\": "
    "{\"profile\": "
    "\"class-cost\"}, \"strict\": {\"profile\": \"priority\"}}, \"admission\": {\"projects\": {\"n1\": "
    "{\"max\": 1}, \"q2\": {\"max_class\": 3}}, \"users\": {\"n3\": {\"default_priority\": 1, "
    "\"may_change\": "
    "false}}}}";

typedef struct Answer {
  int32_t status;
  int32_t admitted;
  char json[1024];
} Answer;

static void ask(const cede_engine* engine, unsigned which, const Text* changes, Answer* answer) {
  char job[32];
  cede_admission* admission = NULL;
  cede_text* text = NULL;
  snprintf(job, sizeof job, "n%u", which);
  memset(answer, 0, sizeof *answer);
  answer->status = cede_engine_admit(engine, job, changes ? changes->bytes : NULL,
                                     changes ? changes->size : 0, &admission, NULL);
  if (answer->status < 0) return;
  CU_ASSERT_EQUAL_FATAL(cede_admission_json(admission, &text, NULL), CEDE_OK);
  CU_ASSERT_TRUE_FATAL(cede_text_size(text) < sizeof answer->json);
  memcpy(answer->json, cede_text_data(text), cede_text_size(text));
  answer->admitted = cede_admission_admitted(admission);
  cede_text_destroy(text);
  cede_admission_destroy(admission);
}

static void stays_consistent(void) {
  static Table tables[2];
  static Text changes;
  static Text cluster;
  Table* now = &tables[0];
  Table* next = &tables[1];
  cede_engine* fresh = engine_with(walk_policy, NULL);
  cede_engine* clones[kClones];
  Snapshot taken[kClones];
  size_t clone_count = 0;
  size_t accepted = 0;
  size_t refused = 0;
  size_t answers[2] = {0, 0};
  size_t wrong = 0;
  uint32_t state = 2463534242u;
  start(now);
  write_cluster(&cluster, now);
  cede_engine* engine = engine_with(walk_policy, cluster.bytes);
  for (int step = 0; step < kSteps && wrong < 3; ++step) {
    Snapshot before = take_snapshot(engine);
    cede_error of_apply;
    cede_error of_load;
    write_changes(&changes, now, next, &state);
    write_cluster(&cluster, next);
    static Answer asked;
    static Answer holds;
    const unsigned which = (unsigned)step % kIds;
    ask(engine, which, &changes, &asked);
    const int32_t applied = apply_text(engine, changes.bytes, &of_apply);
    const int32_t loaded = load_text(fresh, cluster.bytes, &of_load);
    const bool unchanged = unchanged_since(&before, engine);
    const bool agree = (applied < 0) == (loaded < 0) && applied != CEDE_E_INTERNAL;
    if (!agree || unchanged != (applied < 0) || (agree && loaded >= 0 && !same_export(engine, fresh))) {
      ++wrong;
      char* is = export_of(engine);
      char* should_be = export_of(fresh);
      printf("\n      step %d: apply %s %s; load %s %s\n%s\nis %s\nshould be %s ", step,
             cede_status_name(applied), of_apply.text, cede_status_name(loaded), of_load.text, changes.bytes,
             is, should_be);
      free(is);
      free(should_be);
      break;
    }
    if (applied < 0) {
      CU_ASSERT_EQUAL(asked.status, applied);
      ++refused;
      continue;
    }
    ask(engine, which, NULL, &holds);
    CU_ASSERT_EQUAL(memcmp(&asked, &holds, sizeof asked), 0);
    if (holds.status == CEDE_OK) ++answers[holds.admitted];
    Table* last = now;
    now = next;
    next = last;
    if (++accepted % 25 == 0 && clone_count < kClones) {
      CU_ASSERT_EQUAL_FATAL(cede_engine_clone(engine, &clones[clone_count], NULL), CEDE_OK);
      taken[clone_count] = take_snapshot(clones[clone_count]);
      ++clone_count;
    }
  }
  CU_ASSERT_EQUAL(wrong, 0);
  CU_ASSERT_TRUE(accepted >= kSteps / 10);
  CU_ASSERT_TRUE(refused >= kSteps / 10);
  CU_ASSERT_TRUE(answers[0] > 10 && answers[1] > 100);
  cede_engine_destroy(engine);
  for (size_t i = 0; i < clone_count; ++i) {
    CU_ASSERT_TRUE(unchanged_since(&taken[i], clones[i]));
    cede_engine_destroy(clones[i]);
  }
  cede_engine_destroy(fresh);
}

CU_TestInfo engine_walk_tests[] = {
    {"stays consistent", stays_consistent},
    CU_TEST_INFO_NULL,
};
