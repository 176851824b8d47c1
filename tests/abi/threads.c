/* SPDX-License-Identifier: MIT */
/* Rule 8: one const engine, many threads at once; every one of them gets the same answers. */
#include <cede/cede.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "documents.h"

enum { kThreads = 8, kRounds = 200 };

static const cede_engine* shared;
static const char* expected;
static const char* expected_after_change;
static pthread_barrier_t start;

static int exports(const cede_engine* engine, const char* document) {
  cede_text* text = NULL;
  if (cede_engine_export(engine, &text, NULL) != CEDE_OK) return 0;
  const int same = strcmp(cede_text_data(text), document) == 0;
  cede_text_destroy(text);
  return same;
}

static int checks(const char* text, int32_t status, size_t count) {
  cede_report* report = NULL;
  cede_error error;
  const int32_t got = cede_engine_check(shared, text, text ? strlen(text) : 0, &report, &error);
  const int same = got == status && error.status == status && cede_report_count(report) == count;
  cede_report_destroy(report);
  return same;
}

/* The clone is this thread's own: changing it shares pages with what the others read. */
static int clones(void) {
  cede_engine* copy = NULL;
  if (cede_engine_clone(shared, &copy, NULL) != CEDE_OK) return 0;
  int same = exports(copy, expected);
  same = same && cede_engine_apply(copy, change_text, strlen(change_text), NULL) == CEDE_OK;
  same = same && exports(copy, expected_after_change);
  cede_engine_destroy(copy);
  return same;
}

static void* work(void* argument) {
  size_t* wrong = argument;
  pthread_barrier_wait(&start);
  for (int round = 0; round < kRounds; ++round) {
    if (!exports(shared, expected)) ++*wrong;
    if (!checks(cluster_text, CEDE_OK, 0)) ++*wrong;
    if (!checks(wrong_cluster_text, CEDE_E_DOCUMENT, 3)) ++*wrong;
    if (!checks(change_text, CEDE_OK, 0)) ++*wrong;
    if (!checks(NULL, CEDE_OK, 0)) ++*wrong;
    if (!clones()) ++*wrong;
    if (cede_engine_revision(shared) == 0) ++*wrong;
  }
  return NULL;
}

static char* export_of(const cede_engine* engine) {
  cede_text* text = NULL;
  if (cede_engine_export(engine, &text, NULL) != CEDE_OK) return NULL;
  char* copy = malloc(cede_text_size(text) + 1);
  if (copy) memcpy(copy, cede_text_data(text), cede_text_size(text) + 1);
  cede_text_destroy(text);
  return copy;
}

int main(void) {
  pthread_t threads[kThreads];
  size_t wrong[kThreads] = {0};
  size_t total = 0;
  cede_engine* engine = NULL;
  cede_engine* copy = NULL;
  if (cede_engine_create(policy_text, strlen(policy_text), NULL, 0, CEDE_VERSION, &engine, NULL) != CEDE_OK ||
      cede_engine_load(engine, cluster_text, strlen(cluster_text), NULL) != CEDE_OK ||
      cede_engine_clone(engine, &copy, NULL) != CEDE_OK ||
      cede_engine_apply(copy, change_text, strlen(change_text), NULL) != CEDE_OK) {
    fprintf(stderr, "the engine cannot be made\n");
    return 1;
  }
  char* before = export_of(engine);
  char* after = export_of(copy);
  cede_engine_destroy(copy);
  if (!before || !after || strcmp(before, after) == 0) {
    fprintf(stderr, "the exports to compare with cannot be made\n");
    return 1;
  }
  const uint64_t revision = cede_engine_revision(engine);
  shared = engine;
  expected = before;
  expected_after_change = after;
  pthread_barrier_init(&start, NULL, kThreads);
  for (int i = 0; i < kThreads; ++i) {
    if (pthread_create(&threads[i], NULL, work, &wrong[i]) != 0) {
      fprintf(stderr, "thread %d cannot be made\n", i);
      return 1;
    }
  }
  for (int i = 0; i < kThreads; ++i) {
    pthread_join(threads[i], NULL);
    total += wrong[i];
  }
  pthread_barrier_destroy(&start);
  if (!exports(engine, before) || cede_engine_revision(engine) != revision) ++total;
  free(before);
  free(after);
  cede_engine_destroy(engine);
  printf("%d threads, %d rounds each, %zu wrong answers\n", kThreads, kRounds, total);
  return total == 0 ? 0 : 1;
}
