/* SPDX-License-Identifier: MIT */
#include <CUnit/CUnit.h>
#include <pthread.h>
#include <string.h>

#include "documents.h"
#include "fixture.h"
#include "suites.h"

/* Who was told what: filled by the callback, one per engine. */
typedef struct Lines {
  size_t count;
  size_t malformed;
  size_t on_other_threads;
  pthread_t expected;
} Lines;

static void note(void* context, int32_t level, const char* text) {
  Lines* lines = context;
  ++lines->count;
  if (!pthread_equal(pthread_self(), lines->expected)) ++lines->on_other_threads;
  if (level < CEDE_LOG_DEBUG || level > CEDE_LOG_WARNING || !text || strlen(text) == 0 ||
      strchr(text, '\n')) {
    ++lines->malformed;
  }
}

static Lines no_lines(void) {
  Lines lines;
  memset(&lines, 0, sizeof lines);
  lines.expected = pthread_self();
  return lines;
}

static void work_on(cede_engine* engine) {
  cede_report* report = NULL;
  cede_text* text = NULL;
  CU_ASSERT_EQUAL(load_text(engine, odd_cluster_text, NULL), CEDE_REMARK_WARNINGS);
  CU_ASSERT_TRUE(load_text(engine, wrong_cluster_text, NULL) < 0);
  CU_ASSERT_EQUAL(load_text(engine, cluster_text, NULL), CEDE_OK);
  CU_ASSERT_EQUAL(apply_text(engine, change_text, NULL), CEDE_OK);
  CU_ASSERT_EQUAL(set_policy_text(engine, policy_text, NULL), CEDE_OK);
  CU_ASSERT_EQUAL(check_text(engine, cluster_text, &report, NULL), CEDE_OK);
  CU_ASSERT_EQUAL(cede_engine_export(engine, &text, NULL), CEDE_OK);
  cede_report_destroy(report);
  cede_text_destroy(text);
}

static void refuses_what_is_missing(void) {
  Lines lines = no_lines();
  cede_error error;
  CU_ASSERT_EQUAL(cede_engine_set_log(NULL, note, &lines, &error), CEDE_E_INVALID);
  CU_ASSERT_TRUE(well_formed(&error, CEDE_E_INVALID));
  CU_ASSERT_EQUAL(cede_engine_set_log(NULL, NULL, NULL, NULL), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(lines.count, 0);
}

static void logs_what_happens(void) {
  cede_engine* engine = new_engine();
  Lines lines = no_lines();
  CU_ASSERT_EQUAL(cede_engine_set_log(engine, note, &lines, NULL), CEDE_OK);
  work_on(engine);
  CU_ASSERT_TRUE(lines.count > 0);
  CU_ASSERT_EQUAL(lines.malformed, 0);
  CU_ASSERT_EQUAL(lines.on_other_threads, 0);
  cede_engine_destroy(engine);
}

static void logs_only_what_its_own_engine_does(void) {
  cede_engine* a = new_engine();
  cede_engine* b = new_engine();
  cede_engine* copy = NULL;
  Lines of_a = no_lines();
  Lines of_b = no_lines();
  CU_ASSERT_EQUAL(cede_engine_set_log(a, note, &of_a, NULL), CEDE_OK);
  CU_ASSERT_EQUAL(cede_engine_set_log(b, note, &of_b, NULL), CEDE_OK);
  work_on(a);
  CU_ASSERT_TRUE(of_a.count > 0);
  CU_ASSERT_EQUAL(of_b.count, 0);
  /* The callback is not copied. */
  CU_ASSERT_EQUAL(cede_engine_clone(a, &copy, NULL), CEDE_OK);
  const size_t before = of_a.count;
  work_on(copy);
  CU_ASSERT_EQUAL(of_a.count, before);
  CU_ASSERT_EQUAL(of_b.count, 0);
  cede_engine_destroy(copy);
  cede_engine_destroy(a);
  cede_engine_destroy(b);
  CU_ASSERT_EQUAL(of_a.count, before);
}

static void null_ends_it(void) {
  cede_engine* engine = new_engine();
  Lines lines = no_lines();
  CU_ASSERT_EQUAL(cede_engine_set_log(engine, note, &lines, NULL), CEDE_OK);
  CU_ASSERT_EQUAL(cede_engine_set_log(engine, NULL, &lines, NULL), CEDE_OK);
  work_on(engine);
  CU_ASSERT_EQUAL(lines.count, 0);
  cede_engine_destroy(engine);
}

static void is_no_change_of_state(void) {
  cede_engine* engine = loaded_engine();
  Lines lines = no_lines();
  Snapshot before = take_snapshot(engine);
  CU_ASSERT_EQUAL(cede_engine_set_log(engine, note, &lines, NULL), CEDE_OK);
  CU_ASSERT_TRUE(unchanged_since(&before, engine));
  cede_engine_destroy(engine);
}

typedef struct Work {
  cede_engine* engine;
  Lines lines;
} Work;

static void* work_elsewhere(void* argument) {
  Work* work = argument;
  work->lines.expected = pthread_self();
  work_on(work->engine);
  return NULL;
}

/* An engine made and told its callback here, used on another thread: the lines come on that one. */
static void runs_on_the_calling_thread(void) {
  Work work;
  pthread_t thread;
  work.engine = new_engine();
  work.lines = no_lines();
  CU_ASSERT_EQUAL(cede_engine_set_log(work.engine, note, &work.lines, NULL), CEDE_OK);
  CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, work_elsewhere, &work), 0);
  pthread_join(thread, NULL);
  CU_ASSERT_TRUE(work.lines.count > 0);
  CU_ASSERT_EQUAL(work.lines.on_other_threads, 0);
  cede_engine_destroy(work.engine);
}

CU_TestInfo engine_log_tests[] = {
    {"refuses what is missing", refuses_what_is_missing},
    {"logs what happens", logs_what_happens},
    {"logs only what its own engine does", logs_only_what_its_own_engine_does},
    {"NULL ends it", null_ends_it},
    {"is no change of state", is_no_change_of_state},
    {"runs on the calling thread", runs_on_the_calling_thread},
    CU_TEST_INFO_NULL,
};
