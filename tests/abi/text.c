/* SPDX-License-Identifier: MIT */
#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>

#include "documents.h"
#include "fixture.h"
#include "suites.h"

static void ends_in_nul(void) {
  static const char* const clusters[] = {cluster_text, small_cluster_text, full_cluster_text,
                                         odd_cluster_text};
  for (size_t i = 0; i < sizeof clusters / sizeof clusters[0]; ++i) {
    cede_engine* engine = engine_with(policy_text, clusters[i]);
    cede_text* text = NULL;
    cede_error error;
    CU_ASSERT_EQUAL(cede_engine_export(engine, &text, &error), CEDE_OK);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    CU_ASSERT_PTR_NOT_NULL_FATAL(cede_text_data(text));
    CU_ASSERT_TRUE(cede_text_size(text) > 0);
    CU_ASSERT_EQUAL(strlen(cede_text_data(text)), cede_text_size(text));
    CU_ASSERT_EQUAL(cede_document_kind(cede_text_data(text), cede_text_size(text), NULL),
                    CEDE_DOCUMENT_CLUSTER);
    CU_ASSERT_PTR_EQUAL(cede_text_data(text), cede_text_data(text));
    cede_text_destroy(text);
    cede_engine_destroy(engine);
  }
}

static void null_has_nothing(void) {
  CU_ASSERT_PTR_NULL(cede_text_data(NULL));
  CU_ASSERT_EQUAL(cede_text_size(NULL), 0);
  cede_text_destroy(NULL);
}

/* The export of then: neither changes nor the end of the engine reach it. */
static void outlives_its_engine(void) {
  cede_engine* engine = loaded_engine();
  cede_text* text = NULL;
  char* copy = export_of(engine);
  CU_ASSERT_EQUAL(cede_engine_export(engine, &text, NULL), CEDE_OK);
  const char* data = cede_text_data(text);
  CU_ASSERT_EQUAL(apply_text(engine, change_text, NULL), CEDE_OK);
  CU_ASSERT_PTR_EQUAL(cede_text_data(text), data);
  CU_ASSERT_STRING_EQUAL(data, copy);
  cede_engine_destroy(engine);
  CU_ASSERT_PTR_EQUAL(cede_text_data(text), data);
  CU_ASSERT_STRING_EQUAL(data, copy);
  cede_text_destroy(text);
  free(copy);
}

static void texts_are_independent(void) {
  cede_engine* engine = loaded_engine();
  cede_text* first = NULL;
  cede_text* second = NULL;
  CU_ASSERT_EQUAL(cede_engine_export(engine, &first, NULL), CEDE_OK);
  CU_ASSERT_EQUAL(cede_engine_export(engine, &second, NULL), CEDE_OK);
  CU_ASSERT_STRING_EQUAL(cede_text_data(first), cede_text_data(second));
  cede_text_destroy(first);
  CU_ASSERT_EQUAL(strlen(cede_text_data(second)), cede_text_size(second));
  cede_text_destroy(second);
  cede_engine_destroy(engine);
}

/* Objects are ordered by name, whatever the order they came in. */
static void order_of_arrival_does_not_show(void) {
  static const char forwards[] =
      "{\"format\": \"cede-cluster/1\", \"now\": 5, \"groups\": [{\"id\": \"g\", \"policy\": \"default\"}], "
      "\"queues\": "
      "[{\"id\": \"r\"}, {\"id\": \"r.a\", \"parent\": \"r\"}, {\"id\": \"r.b\", \"parent\": \"r\"}], "
      "\"nodes\": "
      "[{\"id\": \"n1\", \"group\": \"g\", \"resources\": {\"cpu\": 1, \"gpu\": 2}}, {\"id\": \"n10\", "
      "\"group\": "
      "\"g\"}, {\"id\": \"n2\", \"group\": \"g\"}]}";
  static const char backwards[] =
      "{\"nodes\": [{\"id\": \"n2\", \"group\": \"g\"}, {\"id\": \"n10\", \"group\": \"g\"}, {\"resources\": "
      "{\"gpu\": "
      "2, \"cpu\": 1}, \"group\": \"g\", \"id\": \"n1\"}], \"queues\": [{\"parent\": \"r\", \"id\": "
      "\"r.b\"}, "
      "{\"parent\": \"r\", \"id\": \"r.a\"}, {\"id\": \"r\"}], \"groups\": [{\"policy\": \"default\", "
      "\"id\": \"g\"}], "
      "\"now\": 5, \"format\": \"cede-cluster/1\"}";
  cede_engine* a = engine_with(policy_text, forwards);
  cede_engine* b = engine_with(policy_text, backwards);
  CU_ASSERT_TRUE(same_export(a, b));
  char* text = export_of(a);
  const char* n1 = strstr(text, "\"n1\"");
  const char* n10 = strstr(text, "\"n10\"");
  const char* n2 = strstr(text, "\"n2\"");
  CU_ASSERT_TRUE(n1 && n10 && n2 && n1 < n10 && n10 < n2);
  free(text);
  cede_engine_destroy(a);
  cede_engine_destroy(b);
}

/* Each format has a schema, which is a text like any other. */
static void schemas(void) {
  cede_text* text = NULL;
  cede_error error;
  const size_t count = cede_schema_count();
  CU_ASSERT_TRUE(count >= 4);
  CU_ASSERT_STRING_EQUAL(cede_schema_format(0), "cede-cluster/1");
  CU_ASSERT_PTR_NULL(cede_schema_format(count));
  for (size_t i = 0; i < count; ++i) {
    CU_ASSERT_EQUAL_FATAL(cede_schema_json(cede_schema_format(i), &text, &error), CEDE_OK);
    CU_ASSERT_EQUAL(strlen(cede_text_data(text)), cede_text_size(text));
    CU_ASSERT_PTR_NOT_NULL(strstr(cede_text_data(text), cede_schema_format(i)));
    cede_text_destroy(text);
  }
  text = NULL;
  CU_ASSERT_EQUAL(cede_schema_json("cede-cluster/9", &text, &error), CEDE_E_UNKNOWN);
  CU_ASSERT_PTR_NOT_NULL(
      strstr(error.text, "'cede-cluster/9' is not a format with a schema: cede-cluster/1"));
  CU_ASSERT_EQUAL(cede_schema_json(NULL, &text, &error), CEDE_E_INVALID);
  CU_ASSERT_EQUAL(cede_schema_json("cede-cluster/1", NULL, NULL), CEDE_E_INVALID);
  CU_ASSERT_PTR_NULL(text);
}

CU_TestInfo text_tests[] = {
    {"ends in NUL", ends_in_nul},
    {"NULL has nothing", null_has_nothing},
    {"outlives its engine", outlives_its_engine},
    {"texts are independent", texts_are_independent},
    {"schemas", schemas},
    {"order of arrival does not show", order_of_arrival_does_not_show},
    CU_TEST_INFO_NULL,
};
