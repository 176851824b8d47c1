/* SPDX-License-Identifier: MIT */
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "documents.h"
#include "fixture.h"
#include "suites.h"

static void refuses_what_is_missing(void) {
  cede_engine* engine = loaded_engine();
  Snapshot before = take_snapshot(engine);
  cede_error error;
  CU_ASSERT_EQUAL(cede_engine_load(NULL, cluster_text, strlen(cluster_text), &error), CEDE_E_INVALID);
  CU_ASSERT_TRUE(well_formed(&error, CEDE_E_INVALID));
  CU_ASSERT_EQUAL(cede_engine_load(engine, NULL, 0, &error), CEDE_E_INVALID);
  CU_ASSERT_TRUE(well_formed(&error, CEDE_E_INVALID));
  CU_ASSERT_EQUAL(cede_engine_load(engine, NULL, 10, NULL), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_engine_load(NULL, NULL, 0, NULL), CEDE_E_INVALID);
  CU_ASSERT_TRUE(unchanged_since(&before, engine));
  cede_engine_destroy(engine);
}

static void replaces_the_cluster(void) {
  cede_engine* engine = loaded_engine();
  cede_engine* fresh = engine_with(policy_text, small_cluster_text);
  CU_ASSERT_FALSE(same_export(engine, fresh));
  CU_ASSERT_EQUAL(load_text(engine, small_cluster_text, NULL), CEDE_OK);
  CU_ASSERT_TRUE(same_export(engine, fresh));
  cede_engine_destroy(fresh);
  cede_engine_destroy(engine);
}

static void export_loads_back_to_the_same(void) {
  static const char* const clusters[] = {
      cluster_text,      small_cluster_text, gold_cluster_text,         odd_cluster_text,
      full_cluster_text, hwloc_cluster_text, overcommitted_cluster_text};
  for (size_t i = 0; i < sizeof clusters / sizeof clusters[0]; ++i) {
    cede_engine* first = engine_with(policy_text, clusters[i]);
    cede_engine* second = new_engine();
    cede_error error;
    char* text = export_of(first);
    const int32_t status = load_text(second, text, &error);
    if (status < 0) printf("\n      %s ", error.text);
    CU_ASSERT_TRUE(status >= 0);
    CU_ASSERT_TRUE(same_export(first, second));
    /* And once more over itself: what a load meets does not matter. */
    CU_ASSERT_EQUAL(load_text(first, text, &error), status);
    CU_ASSERT_TRUE(same_export(first, second));
    free(text);
    cede_engine_destroy(first);
    cede_engine_destroy(second);
  }
}

static void remarks_on_what_is_legal_but_odd(void) {
  cede_engine* engine = new_engine();
  CU_ASSERT_EQUAL(load_text(engine, odd_cluster_text, NULL), CEDE_REMARK_WARNINGS);
  CU_ASSERT_EQUAL(load_text(engine, overcommitted_cluster_text, NULL), CEDE_REMARK_WARNINGS);
  CU_ASSERT_EQUAL(load_text(engine, cluster_text, NULL), CEDE_OK);
  cede_engine_destroy(engine);
}

/* A document cut off anywhere is refused, and refusing it changes nothing. */
static void every_prefix_is_refused(void) {
  cede_engine* engine = engine_with(policy_text, small_cluster_text);
  Snapshot before = take_snapshot(engine);
  const size_t size = (size_t)(strrchr(cluster_text, '}') - cluster_text);
  size_t taken = 0;
  for (size_t cut = 0; cut <= size; ++cut) {
    char* copy = malloc(cut + 1);
    cede_error error;
    memcpy(copy, cluster_text, cut);
    const int32_t status = cede_engine_load(engine, copy, cut, &error);
    if (status != CEDE_E_DOCUMENT || !well_formed(&error, status)) ++taken;
    free(copy);
  }
  CU_ASSERT_EQUAL(taken, 0);
  CU_ASSERT_TRUE(unchanged_since(&before, engine));
  cede_engine_destroy(engine);
}

/* One byte changed anywhere: taken or refused, but an engine that refused is as it was, and one that took
 * exports. */
static void every_changed_byte_is_all_or_nothing(void) {
  static const char changes[] = {'\0', '"', '}', '\xff', '9'};
  cede_engine* engine = engine_with(policy_text, small_cluster_text);
  const size_t size = strlen(cluster_text);
  char* copy = malloc(size);
  size_t wrong = 0;
  for (size_t at = 0; at < size; ++at) {
    for (size_t c = 0; c < sizeof changes; ++c) {
      Snapshot before = take_snapshot(engine);
      memcpy(copy, cluster_text, size);
      copy[at] = changes[c];
      const int32_t status = cede_engine_load(engine, copy, size, NULL);
      const bool unchanged = unchanged_since(&before, engine);
      if (unchanged != (status < 0) || status == CEDE_E_INTERNAL) ++wrong;
    }
  }
  free(copy);
  CU_ASSERT_EQUAL(wrong, 0);
  cede_engine_destroy(engine);
}

typedef struct Refusal {
  const char* text;
  int32_t status;
  const char* named; /* what the message must show */
} Refusal;

static const Refusal refusals[] = {
    {"", CEDE_E_DOCUMENT, ""},
    {" ", CEDE_E_DOCUMENT, ""},
    {"null", CEDE_E_DOCUMENT, ""},
    {"[]", CEDE_E_DOCUMENT, ""},
    {"{}", CEDE_E_DOCUMENT, "format"},
    {"{\"format\": 1}", CEDE_E_DOCUMENT, "format"},
    {"{\"format\": \"cede-cluster/2\"}", CEDE_E_VERSION, "cede-cluster/2"},
    {"{\"format\": \"cede-policy/1\", \"policies\": {}}", CEDE_E_DOCUMENT, "cede-policy/1"},
    {"{\"format\": \"cede-cluster/1\"} x", CEDE_E_DOCUMENT, ""},
    {"{\"format\": \"cede-cluster/1\", \"format\": \"cede-cluster/1\"}", CEDE_E_DOCUMENT, "format"},
    {"{\"format\": \"cede-cluster/1\", \"nods\": []}", CEDE_E_DOCUMENT, "'nodes'"},
    {"{\"format\": \"cede-cluster/1\", \"nodes\": {}}", CEDE_E_DOCUMENT, "nodes"},
    {"{\"format\": \"cede-cluster/1\", \"now\": \"yesterday\"}", CEDE_E_DOCUMENT, "'yesterday'"},
    {"{\"format\": \"cede-cluster/1\", \"now\": 0, \"queues\": [{\"id\": \"r\"}, {\"id\": \"r\"}]}",
     CEDE_E_DOCUMENT, "'r'"},
    {"{\"format\": \"cede-cluster/1\", \"now\": 0, \"queues\": [{\"id\": \"r\"}, {\"id\": \"s\"}]}",
     CEDE_E_DOCUMENT, "'s'"},
    {"{\"format\": \"cede-cluster/1\", \"now\": 0, \"queues\": [{\"id\": \"r\", \"parent\": \"q\"}]}",
     CEDE_E_DOCUMENT, "'q'"},
    {"{\"format\": \"cede-cluster/1\", \"now\": 0, \"groups\": [{\"id\": \"g\", \"policy\": \"none\"}]}",
     CEDE_E_DOCUMENT, "'none'"},
    {"{\"format\": \"cede-cluster/1\", \"now\": 0, \"queues\": [{\"id\": \"\"}]}", CEDE_E_DOCUMENT,
     "queues[0].id"},
    {"{\"format\": \"cede-cluster/1\", \"now\": 0, \"queues\": [{\"id\": \"a\xff\"}]}", CEDE_E_DOCUMENT, ""},
    {"{\"format\": \"cede-cluster/1\", \"now\": 0, \"queues\": [{\"id\": \"a\\u0000b\"}]}", CEDE_E_DOCUMENT,
     "queues[0].id"},
};

static void refuses_by_name_and_place(void) {
  cede_engine* engine = loaded_engine();
  Snapshot before = take_snapshot(engine);
  for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; ++i) {
    cede_error error;
    const int32_t status = load_text(engine, refusals[i].text, &error);
    const bool right =
        status == refusals[i].status && well_formed(&error, status) && strstr(error.text, refusals[i].named);
    if (!right) printf("\n      %s: %s, %s ", refusals[i].text, cede_status_name(status), error.text);
    CU_ASSERT_TRUE(right);
  }
  CU_ASSERT_TRUE(unchanged_since(&before, engine));
  cede_engine_destroy(engine);
}

static void errors_carry_line_and_column(void) {
  cede_engine* engine = new_engine();
  cede_error error;
  CU_ASSERT_EQUAL(load_text(engine, wrong_cluster_text, &error), CEDE_E_DOCUMENT);
  CU_ASSERT_EQUAL(error.line, 3);
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "groups[0]"));
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "'policy'"));
  CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "line 3"));
  cede_engine_destroy(engine);
}

/* A hundred thousand brackets must not use up the stack. */
static void deep_nesting_is_refused(void) {
  static const char head[] = "{\"format\": \"cede-cluster/1\", \"x-site\": ";
  static const char brackets[] = "[{";
  enum { kDeep = 100000 };
  cede_engine* engine = loaded_engine();
  Snapshot before = take_snapshot(engine);
  char* text = malloc(sizeof head + kDeep * 6);
  for (size_t kind = 0; kind < 2; ++kind) {
    size_t size = sizeof head - 1;
    memcpy(text, head, size);
    for (int i = 0; i < kDeep; ++i) {
      if (brackets[kind] == '[') {
        text[size++] = '[';
      } else {
        memcpy(text + size, "{\"a\":", 5);
        size += 5;
      }
    }
    cede_error error;
    const int32_t status = cede_engine_load(engine, text, size, &error);
    CU_ASSERT_TRUE(status == CEDE_E_LIMIT || status == CEDE_E_DOCUMENT);
    CU_ASSERT_TRUE(well_formed(&error, status));
  }
  free(text);
  CU_ASSERT_TRUE(unchanged_since(&before, engine));
  cede_engine_destroy(engine);
}

/* Messages are cut at 247 bytes with "..."; names of two-byte characters show whether one is cut in half. */
static bool ends_in_whole_characters(const char* text, size_t size) {
  size_t at = 0;
  while (at < size) {
    const unsigned char lead = (unsigned char)text[at];
    const size_t more = lead < 0x80 ? 0 : lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
    if (lead >= 0x80 && lead < 0xc2) return false;
    for (size_t k = 1; k <= more; ++k) {
      if (at + k >= size || ((unsigned char)text[at + k] & 0xc0) != 0x80) return false;
    }
    at += more + 1;
  }
  return true;
}

static void long_messages_are_cut_between_characters(void) {
  char text[1024];
  char name[128];
  size_t longest = 0;
  cede_engine* engine = new_engine();
  for (size_t shift = 0; shift < 4; ++shift) {
    memset(name, 'a', shift);
    for (size_t i = shift; i + 2 < 60; i += 2) memcpy(name + i, "\xc3\xa9", 3);
    snprintf(text, sizeof text,
             "{\"format\": \"cede-policy/1\", \"policies\": {\"%s\": {\"profile\": \"class-cost\", "
             "\"settings\": {\"%s\": {\"%s\": 1}}}}, \"%s%s%s\": 1}",
             name, name, name, name, name, name);
    cede_error error;
    const int32_t status = set_policy_text(engine, text, &error);
    CU_ASSERT_EQUAL(status, CEDE_E_DOCUMENT);
    CU_ASSERT_TRUE(well_formed(&error, status));
    const size_t size = strlen(error.text);
    CU_ASSERT_TRUE(ends_in_whole_characters(error.text, size));
    if (size > longest) longest = size;
    if (size > sizeof error.text - 4) CU_ASSERT_STRING_EQUAL(error.text + size - 3, "...");
  }
  CU_ASSERT_TRUE(longest > 244);
  cede_engine_destroy(engine);
}

CU_TestInfo engine_load_tests[] = {
    {"refuses what is missing", refuses_what_is_missing},
    {"replaces the cluster", replaces_the_cluster},
    {"export loads back to the same", export_loads_back_to_the_same},
    {"remarks on what is legal but odd", remarks_on_what_is_legal_but_odd},
    {"every prefix is refused", every_prefix_is_refused},
    {"every changed byte is all or nothing", every_changed_byte_is_all_or_nothing},
    {"refuses by name and place", refuses_by_name_and_place},
    {"errors carry line and column", errors_carry_line_and_column},
    {"deep nesting is refused", deep_nesting_is_refused},
    {"long messages are cut between characters", long_messages_are_cut_between_characters},
    CU_TEST_INFO_NULL,
};
