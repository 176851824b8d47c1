/* SPDX-License-Identifier: MIT */
/*
 * Rule 8 for what is asked of a const engine: many threads plan and admit on one at once, and every document
 * is byte for byte what one thread alone had got.
 */
#include <cede/cede.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "documents.h"

enum { kThreads = 8, kPlans = 50, kDocuments = 4 };

static const cede_engine* shared;
static char* expected[kDocuments];
static pthread_barrier_t start;

static char* copy_of(cede_text* text) {
  char* copy = text ? malloc(cede_text_size(text) + 1) : NULL;
  if (copy) memcpy(copy, cede_text_data(text), cede_text_size(text) + 1);
  cede_text_destroy(text);
  return copy;
}

static char* plan_document(const char* term, int explained) {
  cede_plan* plan = NULL;
  cede_text* text = NULL;
  if (cede_plan_create(shared, "w", CEDE_NOW_OF_CLUSTER, &term, term ? 1 : 0, &plan, NULL) == CEDE_OK &&
      cede_plan_outcome(plan) == CEDE_OUTCOME_PREEMPT && cede_plan_verify(plan, NULL) == CEDE_OK) {
    (explained ? cede_plan_explain : cede_plan_json)(plan, &text, NULL);
  }
  cede_plan_destroy(plan);
  return copy_of(text);
}

static char* admission_document(const char* job, const char* changes) {
  cede_admission* admission = NULL;
  cede_text* text = NULL;
  if (cede_engine_admit(shared, job, changes, changes ? strlen(changes) : 0, &admission, NULL) == CEDE_OK) {
    cede_admission_json(admission, &text, NULL);
  }
  cede_admission_destroy(admission);
  return copy_of(text);
}

/* One of the documents, made anew; NULL when a call failed. */
static char* make_document(int which) {
  switch (which) {
    case 0: return plan_document(NULL, 0);
    case 1: return plan_document("protect=v1", 1);
    case 2: return admission_document("w", NULL);
    default: return admission_document("s1", submission_text);
  }
}

static void* work(void* argument) {
  size_t* wrong = argument;
  pthread_barrier_wait(&start);
  for (int round = 0; round < kPlans; ++round) {
    for (int which = 0; which < kDocuments; ++which) {
      char* document = make_document(which);
      if (!document || strcmp(document, expected[which]) != 0) ++*wrong;
      free(document);
    }
  }
  return NULL;
}

int main(void) {
  pthread_t threads[kThreads];
  size_t wrong[kThreads] = {0};
  size_t total = 0;
  cede_engine* engine = NULL;
  if (cede_engine_create(sessions_policy_text, strlen(sessions_policy_text), NULL, 0, CEDE_VERSION, &engine,
                         NULL) != CEDE_OK ||
      cede_engine_load(engine, sessions_cluster_text, strlen(sessions_cluster_text), NULL) != CEDE_OK) {
    fprintf(stderr, "the engine cannot be made\n");
    return 1;
  }
  const uint64_t revision = cede_engine_revision(engine);
  shared = engine;
  for (int which = 0; which < kDocuments; ++which) {
    expected[which] = make_document(which);
    if (!expected[which]) {
      fprintf(stderr, "document %d cannot be made\n", which);
      return 1;
    }
  }
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
  if (cede_engine_revision(engine) != revision) ++total;
  for (int which = 0; which < kDocuments; ++which) free(expected[which]);
  cede_engine_destroy(engine);
  printf("%d threads, %d rounds of %d documents each, %zu wrong\n", kThreads, kPlans, kDocuments, total);
  return total == 0 ? 0 : 1;
}
