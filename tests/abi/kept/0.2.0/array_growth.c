/* SPDX-License-Identifier: MIT */
/*
 * Rule 6 of the header for what is passed in: every array as callers built against an older, this and a newer
 * header would pass it.
 */
#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>

#include "array_cluster.h"
#include "suites.h"

enum { kEntries = 2, kLargest = 256 };

static ArrayCluster c;

static int32_t put_groups(const void* entries, size_t size, cede_error* error) {
  return cede_engine_put_groups(c.engine, entries, size, 1, error);
}
static int32_t put_domains(const void* entries, size_t size, cede_error* error) {
  return cede_engine_put_domains(c.engine, entries, size, 2, error);
}
static int32_t put_queues(const void* entries, size_t size, cede_error* error) {
  return cede_engine_put_queues(c.engine, entries, size, 2, error);
}
static int32_t put_nodes(const void* entries, size_t size, cede_error* error) {
  return cede_engine_put_nodes(c.engine, entries, size, 2, error);
}
static int32_t put_only_jobs(const void* entries, size_t size, cede_error* error) {
  return cede_engine_put_jobs(c.engine, entries, size, 2, c.tasks, sizeof c.tasks[0], 2, error);
}
static int32_t put_their_tasks(const void* entries, size_t size, cede_error* error) {
  return cede_engine_put_jobs(c.engine, c.jobs, sizeof c.jobs[0], 2, entries, size, 2, error);
}
static int32_t put_tasks(const void* entries, size_t size, cede_error* error) {
  return cede_engine_put_tasks(c.engine, entries, size, 1, error);
}
static int32_t put_reservations(const void* entries, size_t size, cede_error* error) {
  return cede_engine_put_reservations(c.engine, entries, size, 1, error);
}
static int32_t remove_tasks(const void* entries, size_t size, cede_error* error) {
  return cede_engine_remove_tasks(c.engine, entries, size, 1, error);
}
static int32_t make_resources(const void* entries, size_t size, cede_error* error) {
  uint32_t number = 0;
  return cede_engine_resources(c.engine, entries, size, 1, &number, error);
}

static cede_task more_of_w;
static cede_task_name first_of_w;
static cede_reservation kept;
static cede_amount amount;

/* `first`: the size of the struct in the first version. */
static struct Passed {
  const char* name;
  const void* entries;
  size_t size;
  size_t count;
  size_t first;
  int32_t (*put)(const void* entries, size_t size, cede_error* error);
} passed[] = {
    {"cede_group", &c.group, sizeof(cede_group), 1, 16, put_groups},
    {"cede_domain", c.domains, sizeof(cede_domain), 2, 16, put_domains},
    {"cede_queue", c.queues, sizeof(cede_queue), 2, 64, put_queues},
    {"cede_node", c.nodes, sizeof(cede_node), 2, 64, put_nodes},
    {"cede_job", c.jobs, sizeof(cede_job), 2, 200, put_only_jobs},
    {"cede_task of jobs", c.tasks, sizeof(cede_task), 2, 88, put_their_tasks},
    {"cede_task", &more_of_w, sizeof(cede_task), 1, 88, put_tasks},
    {"cede_reservation", &kept, sizeof(cede_reservation), 1, 40, put_reservations},
    {"cede_amount", &amount, sizeof(cede_amount), 1, 16, make_resources},
    {"cede_task_name", &first_of_w, sizeof(cede_task_name), 1, 8, remove_tasks},
};
enum { kPassed = sizeof passed / sizeof passed[0] };

int make_array_cluster(void) {
  if (prepare_arrays(&c) != 0 || put_arrays(&c) != 0) return 1;
  more_of_w.job = first_of_w.job = c.w;
  more_of_w.name = first_of_w.task = number_of(c.engine, "more");
  more_of_w.resources = c.eight;
  kept.name = number_of(c.engine, "r");
  kept.from = ARRAY_NOW;
  amount.amount = 1000;
  amount.resource = c.gpu;
  kept.nodes = c.listed;
  return cede_engine_put_tasks(c.engine, &more_of_w, sizeof more_of_w, 1, NULL) != CEDE_OK;
}

static char* exported(void) {
  cede_text* text = NULL;
  CU_ASSERT_EQUAL_FATAL(cede_engine_export(c.engine, &text, NULL), CEDE_OK);
  char* copy = malloc(cede_text_size(text) + 1);
  CU_ASSERT_PTR_NOT_NULL_FATAL(copy);
  memcpy(copy, cede_text_data(text), cede_text_size(text) + 1);
  cede_text_destroy(text);
  return copy;
}

/* The entries as an array of another size of struct. */
static void restride(const struct Passed* from, unsigned char* to, size_t size) {
  memset(to, 0, kEntries * kLargest);
  for (size_t i = 0; i < from->count; ++i) {
    memcpy(to + i * size, (const char*)from->entries + i * from->size, size < from->size ? size : from->size);
  }
}

/* What a clone of the engine is after the call. */
static char* exported_after(int32_t (*put)(const void*, size_t, cede_error*), const void* entries,
                            size_t size) {
  cede_engine* const asked = c.engine;
  CU_ASSERT_EQUAL_FATAL(cede_engine_clone(asked, &c.engine, NULL), CEDE_OK);
  CU_ASSERT_EQUAL(put(entries, size, NULL), CEDE_OK);
  char* text = exported();
  cede_engine_destroy(c.engine);
  c.engine = asked;
  return text;
}

static void put_both_ways(size_t size_of(const struct Passed*, size_t), size_t steps) {
  for (int i = 0; i < kPassed; ++i) {
    for (size_t step = 0; step < steps; ++step) {
      _Alignas(8) unsigned char room[kEntries * kLargest];
      const size_t size = size_of(&passed[i], step);
      if (size == 0) break;
      restride(&passed[i], room, size);
      char* expected = exported_after(passed[i].put, passed[i].entries, passed[i].size);
      char* found = exported_after(passed[i].put, room, size);
      CU_ASSERT_STRING_EQUAL(found, expected);
      free(expected);
      free(found);
    }
  }
}

static size_t smaller(const struct Passed* one, size_t step) {
  const size_t size = one->size - 4 * step;
  return size >= one->first && size <= one->size ? size : 0;
}
static size_t larger(const struct Passed* one, size_t step) { return one->size + 8 * step; }

static void what_an_older_caller_leaves_out_is_zero(void) { put_both_ways(smaller, 40); }
static void a_newer_caller_may_leave_it_zero(void) { put_both_ways(larger, 4); }

static void what_a_newer_caller_says_is_not_ignored(void) {
  for (int i = 0; i < kPassed; ++i) {
    for (size_t byte = 0; byte < 16; ++byte) {
      _Alignas(8) unsigned char room[kEntries * kLargest];
      const size_t size = passed[i].size + 16;
      cede_error error;
      char* before = exported();
      restride(&passed[i], room, size);
      room[(passed[i].count - 1) * size + passed[i].size + byte] = 1;
      CU_ASSERT_EQUAL(passed[i].put(room, size, &error), CEDE_E_VERSION);
      CU_ASSERT_EQUAL(error.status, CEDE_E_VERSION);
      char* after = exported();
      CU_ASSERT_STRING_EQUAL(after, before);
      free(before);
      free(after);
    }
  }
}

/* No caller was compiled with a struct smaller than the first, and none ever will be with one of megabytes.
 */
static void sizes_of_no_version_are_refused(void) {
  for (int i = 0; i < kPassed; ++i) {
    const size_t wrong[] = {0, 1, 4, passed[i].first - 4, passed[i].first - 1, 4097, SIZE_MAX / 2, SIZE_MAX};
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; ++k) {
      cede_error error;
      char* before = exported();
      CU_ASSERT_EQUAL(passed[i].put(passed[i].entries, wrong[k], &error), CEDE_E_INVALID);
      CU_ASSERT_EQUAL(error.status, CEDE_E_INVALID);
      CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "_size: "));
      char* after = exported();
      CU_ASSERT_STRING_EQUAL(after, before);
      free(before);
      free(after);
    }
  }
}

int drop_array_cluster(void) {
  cede_engine_destroy(c.engine);
  return 0;
}

CU_TestInfo array_growth_tests[] = {
    {"what an older caller leaves out is zero", what_an_older_caller_leaves_out_is_zero},
    {"a newer caller may leave it zero", a_newer_caller_may_leave_it_zero},
    {"what a newer caller says is not ignored", what_a_newer_caller_says_is_not_ignored},
    {"sizes of no version are refused", sizes_of_no_version_are_refused},
    CU_TEST_INFO_NULL,
};
