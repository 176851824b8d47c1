/* SPDX-License-Identifier: MIT */
/*
 * Rule 6 of the header for answers: cede_finding and cede_topology_facts as callers built against an older,
 * this and a newer header would pass them to cede_report_get() and cede_topology_get().
 */
#include <CUnit/Basic.h>
#include <cede/cede.h>
#include <stdio.h>
#include <string.h>

#include "documents.h"

enum { kFill = 0x5a, kRoom = 64 };

static cede_engine* engine;
static cede_report* report;
static cede_finding whole;

static int make_report(void) {
  if (cede_engine_create(NULL, 0, NULL, 0, CEDE_VERSION, &engine, NULL) != CEDE_OK) return 1;
  if (cede_engine_check(engine, wrong_cluster_text, strlen(wrong_cluster_text), &report, NULL) !=
      CEDE_E_DOCUMENT) {
    return 1;
  }
  return cede_report_get(report, 0, &whole, sizeof whole, NULL) == CEDE_OK ? 0 : 1;
}

static int drop_report(void) {
  cede_report_destroy(report);
  cede_engine_destroy(engine);
  return 0;
}

/* What the call writes into a buffer of this size that lies in the middle of a larger one. */
static int32_t get_into(unsigned char* room, size_t size, cede_error* error) {
  memset(room, kFill, kRoom);
  return cede_report_get(report, 0, (cede_finding*)(void*)(room + 16), size, error);
}

static int all_are(const unsigned char* bytes, size_t count, unsigned char value) {
  for (size_t i = 0; i < count; ++i) {
    if (bytes[i] != value) return 0;
  }
  return 1;
}

static void the_same_header_gets_all_of_it(void) {
  _Alignas(8) unsigned char room[kRoom];
  CU_ASSERT_EQUAL(get_into(room, sizeof whole, NULL), CEDE_OK);
  CU_ASSERT_EQUAL(memcmp(room + 16, &whole, sizeof whole), 0);
  CU_ASSERT_TRUE(all_are(room, 16, kFill));
  CU_ASSERT_TRUE(all_are(room + 16 + sizeof whole, kRoom - 16 - sizeof whole, kFill));
  CU_ASSERT_EQUAL(whole.severity, CEDE_SEVERITY_ERROR);
  CU_ASSERT_EQUAL(whole.status, CEDE_E_DOCUMENT);
  CU_ASSERT_EQUAL(whole.line, 3);
  CU_ASSERT_TRUE(whole.column > 0);
}

static void an_older_caller_gets_the_start_of_it(void) {
  for (size_t size = 4; size < sizeof whole; size += 4) {
    _Alignas(8) unsigned char room[kRoom];
    CU_ASSERT_EQUAL(get_into(room, size, NULL), CEDE_OK);
    CU_ASSERT_EQUAL(memcmp(room + 16, &whole, size), 0);
    CU_ASSERT_TRUE(all_are(room, 16, kFill));
    CU_ASSERT_TRUE(all_are(room + 16 + size, kRoom - 16 - size, kFill));
  }
}

static void a_newer_caller_gets_zeroes_behind_it(void) {
  for (size_t size = sizeof whole + 4; size <= 40; size += 4) {
    _Alignas(8) unsigned char room[kRoom];
    CU_ASSERT_EQUAL(get_into(room, size, NULL), CEDE_OK);
    CU_ASSERT_EQUAL(memcmp(room + 16, &whole, sizeof whole), 0);
    CU_ASSERT_TRUE(all_are(room + 16 + sizeof whole, size - sizeof whole, 0));
    CU_ASSERT_TRUE(all_are(room, 16, kFill));
    CU_ASSERT_TRUE(all_are(room + 16 + size, kRoom - 16 - size, kFill));
  }
}

static void no_size_is_refused(void) {
  _Alignas(8) unsigned char room[kRoom];
  cede_error error;
  CU_ASSERT_EQUAL(get_into(room, 0, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(error.status, CEDE_E_INVALID);
  CU_ASSERT_TRUE(strlen(error.text) > 0);
  CU_ASSERT_TRUE(all_are(room, kRoom, kFill));
  CU_ASSERT_EQUAL(get_into(room, 0, NULL), CEDE_E_INVALID);
  CU_ASSERT_TRUE(all_are(room, kRoom, kFill));
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
  for (size_t size = 0; size <= sizeof all + 8; size += 4) {
    _Alignas(8) unsigned char room[kRoom + 32];
    const size_t known = size < sizeof all ? size : sizeof all;
    memset(room, kFill, sizeof room);
    const int32_t status = cede_topology_get(topology, (cede_topology_facts*)(void*)(room + 16), size, NULL);
    CU_ASSERT_EQUAL(status, size == 0 ? CEDE_E_INVALID : CEDE_OK);
    CU_ASSERT_EQUAL(memcmp(room + 16, &all, known), 0);
    CU_ASSERT_TRUE(all_are(room + 16 + known, size - known, 0));
    CU_ASSERT_TRUE(all_are(room, 16, kFill));
    CU_ASSERT_TRUE(all_are(room + 16 + size, sizeof room - 16 - size, kFill));
  }
  cede_topology_destroy(topology);
}

int main(void) {
  CU_TestInfo tests[] = {
      {"the same header gets all of it", the_same_header_gets_all_of_it},
      {"an older caller gets the start of it", an_older_caller_gets_the_start_of_it},
      {"a newer caller gets zeroes behind it", a_newer_caller_gets_zeroes_behind_it},
      {"no size is refused", no_size_is_refused},
      {"facts grow likewise", facts_grow_likewise},
      CU_TEST_INFO_NULL,
  };
  CU_SuiteInfo suites[] = {{"growth", make_report, drop_report, NULL, NULL, tests}, CU_SUITE_INFO_NULL};
  if (CU_initialize_registry() != CUE_SUCCESS || CU_register_suites(suites) != CUE_SUCCESS) {
    fprintf(stderr, "%s\n", CU_get_error_msg());
    return 2;
  }
  CU_basic_set_mode(CU_BRM_VERBOSE);
  const CU_ErrorCode ran = CU_basic_run_tests();
  const unsigned failed = CU_get_number_of_failures() + CU_get_number_of_suites_failed();
  const unsigned tests_run = CU_get_number_of_tests_run();
  CU_cleanup_registry();
  return ran == CUE_SUCCESS && failed == 0 && tests_run > 0 ? 0 : 1;
}
