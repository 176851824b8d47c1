/* SPDX-License-Identifier: MIT */
/* The fork rule: a child that execs disturbs nobody, and one that goes on uses engines of its own. */
#include <cede/cede.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "documents.h"

/* Everything an engine can do, once; 1 if all of it went well. */
static int exercise(cede_engine* engine) {
  cede_engine* copy = NULL;
  cede_report* report = NULL;
  cede_text* text = NULL;
  int good = cede_engine_load(engine, full_cluster_text, strlen(full_cluster_text), NULL) == CEDE_OK;
  good = good && cede_engine_load(engine, cluster_text, strlen(cluster_text), NULL) == CEDE_OK;
  good = good && cede_engine_clone(engine, &copy, NULL) == CEDE_OK;
  good = good && cede_engine_apply(copy, change_text, strlen(change_text), NULL) == CEDE_OK;
  good = good && cede_engine_check(copy, wrong_cluster_text, strlen(wrong_cluster_text), &report, NULL) < 0;
  good = good && cede_report_count(report) == 3;
  good = good && cede_engine_export(copy, &text, NULL) == CEDE_OK && cede_text_size(text) > 0;
  cede_text_destroy(text);
  cede_report_destroy(report);
  cede_engine_destroy(copy);
  return good;
}

static int exercise_a_new_one(void) {
  cede_engine* engine = NULL;
  if (cede_engine_create(policy_text, strlen(policy_text), NULL, 0, CEDE_VERSION, &engine, NULL) != CEDE_OK)
    return 0;
  const int good = exercise(engine);
  cede_engine_destroy(engine);
  return good;
}

static int succeeded(pid_t child) {
  int status = 0;
  return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

int main(void) {
  cede_engine* engine = NULL;
  if (cede_engine_create(policy_text, strlen(policy_text), NULL, 0, CEDE_VERSION, &engine, NULL) != CEDE_OK ||
      !exercise(engine)) {
    fprintf(stderr, "the engine does not work before the fork\n");
    return 1;
  }
  for (int round = 0; round < 5; ++round) {
    pid_t child = fork();
    if (child == 0) {
      execl("/bin/true", "true", (char*)NULL);
      _exit(127);
    }
    if (!succeeded(child)) {
      fprintf(stderr, "the child that execs failed\n");
      return 1;
    }
    if (!exercise(engine)) {
      fprintf(stderr, "the engine does not work after fork and exec\n");
      return 1;
    }
    child = fork();
    if (child == 0) _exit(exercise_a_new_one() ? 0 : 1);
    /* Both at once: the parent goes on with its own. */
    const int parent_works = exercise(engine);
    if (!succeeded(child) || !parent_works) {
      fprintf(stderr, "%s\n",
              parent_works ? "the child's own engine does not work" : "the parent's engine broke");
      return 1;
    }
  }
  cede_engine_destroy(engine);
  return 0;
}
