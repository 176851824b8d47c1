/* SPDX-License-Identifier: MIT */
/*
 * Rule 6 of the header for answers: every struct the library fills in, as callers built against an older,
 * this and a newer header would pass it.
 */
#include <CUnit/Basic.h>
#include <cede/cede.h>
#include <stdio.h>
#include <string.h>

#include "array_cluster.h"
#include "documents.h"
#include "suites.h"

enum { kFill = 0x5a, kBefore = 16, kBehind = 24, kRoom = 200, kMostBytes = 4096 };

static cede_engine* engine;
static cede_report* report;
static cede_admission* admission;
static cede_plan* plan;
static cede_step* step;
static cede_ledger* ledger;
static uint64_t entry;
static ArrayCluster arrays;
static cede_plan* array_plan; /* with numbers in its answers */

static int32_t get_finding(void* out, size_t size, cede_error* error) {
  return cede_report_findings(report, out, size, 1, NULL, error);
}
static int32_t get_ruling(void* out, size_t size, cede_error* error) {
  return cede_admission_get(admission, out, size, error);
}
static int32_t get_plan(void* out, size_t size, cede_error* error) {
  return cede_plan_get(plan, out, size, error);
}
static int32_t get_victims(void* out, size_t size, cede_error* error) {
  return cede_plan_victims(plan, out, size, 1, NULL, error);
}
static int32_t get_victim_tasks(void* out, size_t size, cede_error* error) {
  return cede_plan_victim_tasks(array_plan, out, size, 1, NULL, error);
}
static int32_t get_places(void* out, size_t size, cede_error* error) {
  return cede_plan_places(plan, out, size, 1, NULL, error);
}
static int32_t get_cost_parts(void* out, size_t size, cede_error* error) {
  return cede_plan_cost_parts(plan, out, size, 1, NULL, error);
}
static int32_t get_criteria(void* out, size_t size, cede_error* error) {
  return cede_plan_criteria(plan, out, size, 1, NULL, error);
}
static int32_t get_actions(void* out, size_t size, cede_error* error) {
  return cede_step_actions(step, out, size, 1, NULL, error);
}
static int32_t get_step_tasks(void* out, size_t size, cede_error* error) {
  return cede_step_tasks(step, out, size, 1, NULL, error);
}
static int32_t get_entries(void* out, size_t size, cede_error* error) {
  return cede_ledger_entries(ledger, out, size, 1, NULL, error);
}
static int32_t get_ledger_victims(void* out, size_t size, cede_error* error) {
  return cede_ledger_victims(ledger, out, size, 1, NULL, error);
}
static int32_t get_ledger_places(void* out, size_t size, cede_error* error) {
  return cede_ledger_places(ledger, out, size, 1, NULL, error);
}

/* The structs, their sizes in the first version, what their calls write and, once it is known, what they
 * write in full. */
static struct Answer {
  const char* name;
  size_t size;
  size_t first;
  int32_t (*get)(void* out, size_t size, cede_error* error);
  _Alignas(8) unsigned char whole[kRoom];
} answers[] = {
    {"cede_finding", sizeof(cede_finding), 16, get_finding, {0}},
    {"cede_ruling", sizeof(cede_ruling), 44, get_ruling, {0}},
    {"cede_plan_facts", sizeof(cede_plan_facts), 152, get_plan, {0}},
    {"cede_victim", sizeof(cede_victim), 64, get_victims, {0}},
    {"cede_victim_task", sizeof(cede_victim_task), 16, get_victim_tasks, {0}},
    {"cede_place", sizeof(cede_place), 48, get_places, {0}},
    {"cede_cost_part", sizeof(cede_cost_part), 16, get_cost_parts, {0}},
    {"cede_criterion", sizeof(cede_criterion), 16, get_criteria, {0}},
    {"cede_action", sizeof(cede_action), 112, get_actions, {0}},
    {"cede_victim_task of a step", sizeof(cede_victim_task), 16, get_step_tasks, {0}},
    {"cede_entry", sizeof(cede_entry), 72, get_entries, {0}},
    {"cede_ledger_victim", sizeof(cede_ledger_victim), 40, get_ledger_victims, {0}},
    {"cede_place of the ledger", sizeof(cede_place), 48, get_ledger_places, {0}},
};
enum { kAnswers = sizeof answers / sizeof answers[0] };

static int make_answers(void) {
  if (cede_engine_create(sessions_policy_text, strlen(sessions_policy_text), NULL, 0, CEDE_VERSION, &engine,
                         NULL) != CEDE_OK ||
      cede_engine_load(engine, sessions_cluster_text, strlen(sessions_cluster_text), NULL) != CEDE_OK ||
      cede_engine_check(engine, wrong_cluster_text, strlen(wrong_cluster_text), &report, NULL) !=
          CEDE_E_DOCUMENT ||
      cede_engine_admit(engine, "w", NULL, 0, &admission, NULL) != CEDE_OK ||
      cede_plan_create(engine, "w", CEDE_NOW_OF_CLUSTER, NULL, 0, &plan, NULL) != CEDE_OK ||
      cede_engine_commit(engine, plan, CEDE_NOW_OF_CLUSTER, -1, &entry, NULL) != CEDE_OK ||
      cede_engine_step(engine, CEDE_NOW_OF_CLUSTER, NULL, 0, 0, NULL, 0, &step, NULL) != CEDE_OK ||
      cede_engine_in_flight(engine, &ledger, NULL) != CEDE_OK || prepare_arrays(&arrays) != 0 ||
      put_arrays(&arrays) != 0 ||
      cede_plan_create(arrays.engine, "w", CEDE_NOW_OF_CLUSTER, NULL, 0, &array_plan, NULL) != CEDE_OK) {
    return 1;
  }
  for (int i = 0; i < kAnswers; ++i) {
    if (kBefore + answers[i].size + kBehind > kRoom ||
        answers[i].get(answers[i].whole, answers[i].size, NULL) != CEDE_OK) {
      return 1;
    }
  }
  return 0;
}

static int drop_answers(void) {
  cede_ledger_destroy(ledger);
  cede_step_destroy(step);
  cede_plan_destroy(array_plan);
  cede_engine_destroy(arrays.engine);
  cede_plan_destroy(plan);
  cede_admission_destroy(admission);
  cede_report_destroy(report);
  cede_engine_destroy(engine);
  return 0;
}

static int all_are(const unsigned char* bytes, size_t count, unsigned char value) {
  for (size_t i = 0; i < count; ++i) {
    if (bytes[i] != value) return 0;
  }
  return 1;
}

/* Whether a call given this size writes that much of the answer, zeros behind it, and nothing else. */
static int grows_right(const struct Answer* answer, size_t size) {
  _Alignas(8) unsigned char room[kRoom];
  const size_t known = size < answer->size ? size : answer->size;
  memset(room, kFill, kRoom);
  return answer->get(room + kBefore, size, NULL) == CEDE_OK && all_are(room, kBefore, kFill) &&
         memcmp(room + kBefore, answer->whole, known) == 0 &&
         all_are(room + kBefore + known, size - known, 0) &&
         all_are(room + kBefore + size, kRoom - kBefore - size, kFill);
}

static void the_same_header_gets_all_of_it(void) {
  for (int i = 0; i < kAnswers; ++i) {
    CU_ASSERT_TRUE(grows_right(&answers[i], answers[i].size));
    CU_ASSERT_FALSE(all_are(answers[i].whole, answers[i].size, 0));
  }
  cede_finding finding;
  CU_ASSERT_EQUAL(cede_report_findings(report, &finding, sizeof finding, 1, NULL, NULL), CEDE_OK);
  CU_ASSERT_EQUAL(finding.severity, CEDE_SEVERITY_ERROR);
  CU_ASSERT_EQUAL(finding.status, CEDE_E_DOCUMENT);
  CU_ASSERT_EQUAL(finding.line, 3);
  CU_ASSERT_TRUE(finding.column > 0);
}

static void an_older_caller_gets_the_start_of_it(void) {
  for (int i = 0; i < kAnswers; ++i) {
    for (size_t size = answers[i].first; size < answers[i].size; size += 4) {
      CU_ASSERT_TRUE(grows_right(&answers[i], size));
    }
  }
}

static void a_newer_caller_gets_zeroes_behind_it(void) {
  for (int i = 0; i < kAnswers; ++i) {
    for (size_t more = 4; more <= kBehind; more += 4) {
      CU_ASSERT_TRUE(grows_right(&answers[i], answers[i].size + more));
    }
  }
}

/* No caller was compiled with a struct smaller than the first, and none ever will be with one of megabytes.
 */
static void sizes_of_no_version_are_refused(void) {
  for (int i = 0; i < kAnswers; ++i) {
    const size_t wrong[] = {
        0, 1, 4, answers[i].first - 4, answers[i].first - 1, kMostBytes + 1, SIZE_MAX / 2, SIZE_MAX};
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; ++k) {
      _Alignas(8) unsigned char room[kRoom];
      cede_error error;
      memset(room, kFill, kRoom);
      CU_ASSERT_EQUAL(answers[i].get(room, wrong[k], &error), CEDE_E_INVALID);
      CU_ASSERT_EQUAL(error.status, CEDE_E_INVALID);
      CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "_size: "));
      CU_ASSERT_EQUAL(answers[i].get(room, wrong[k], NULL), CEDE_E_INVALID);
      CU_ASSERT_TRUE(all_are(room, kRoom, kFill));
    }
  }
}

static void the_largest_size_is_filled_with_zeroes(void) {
  for (int i = 0; i < kAnswers; ++i) {
    _Alignas(8) static unsigned char room[kMostBytes + 8];
    memset(room, kFill, sizeof room);
    CU_ASSERT_EQUAL(answers[i].get(room, kMostBytes, NULL), CEDE_OK);
    CU_ASSERT_EQUAL(memcmp(room, answers[i].whole, answers[i].size), 0);
    CU_ASSERT_TRUE(all_are(room + answers[i].size, kMostBytes - answers[i].size, 0));
    CU_ASSERT_TRUE(all_are(room + kMostBytes, 8, kFill));
  }
}

/* The same of the facts of a topology, in all three directions. */
static void facts_grow_likewise(void) {
  cede_topology* topology = NULL;
  cede_topology_facts all;
  CU_ASSERT_EQUAL_FATAL(
      cede_topology_create(nccl_xml_text, strlen(nccl_xml_text), CEDE_TOPOLOGY_ANY, NULL, &topology, NULL),
      CEDE_OK);
  CU_ASSERT_EQUAL(cede_topology_get(topology, &all, sizeof all, NULL), CEDE_OK);
  CU_ASSERT_EQUAL(all.devices, 2);
  enum { kFirst = 48 };
  for (size_t size = 0; size <= sizeof all + 8; size += 4) {
    _Alignas(8) unsigned char room[kRoom + 32];
    const size_t written = size < kFirst ? 0 : size;
    const size_t known = written < sizeof all ? written : sizeof all;
    memset(room, kFill, sizeof room);
    const int32_t status = cede_topology_get(topology, (cede_topology_facts*)(void*)(room + 16), size, NULL);
    CU_ASSERT_EQUAL(status, size < kFirst ? CEDE_E_INVALID : CEDE_OK);
    CU_ASSERT_EQUAL(memcmp(room + 16, &all, known), 0);
    CU_ASSERT_TRUE(all_are(room + 16 + known, written - known, 0));
    CU_ASSERT_TRUE(all_are(room, 16, kFill));
    CU_ASSERT_TRUE(all_are(room + 16 + written, sizeof room - 16 - written, kFill));
  }
  cede_topology_destroy(topology);
}

int main(void) {
  CU_TestInfo tests[] = {
      {"the same header gets all of it", the_same_header_gets_all_of_it},
      {"an older caller gets the start of it", an_older_caller_gets_the_start_of_it},
      {"a newer caller gets zeroes behind it", a_newer_caller_gets_zeroes_behind_it},
      {"sizes of no version are refused", sizes_of_no_version_are_refused},
      {"the largest size is filled with zeroes", the_largest_size_is_filled_with_zeroes},
      {"facts grow likewise", facts_grow_likewise},
      CU_TEST_INFO_NULL,
  };
  CU_SuiteInfo suites[] = {
      {"growth", make_answers, drop_answers, NULL, NULL, tests},
      {"array_growth", make_array_cluster, drop_array_cluster, NULL, NULL, array_growth_tests},
      CU_SUITE_INFO_NULL,
  };
  return run_suites(suites);
}
