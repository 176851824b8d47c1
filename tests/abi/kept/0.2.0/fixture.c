/* SPDX-License-Identifier: MIT */
#include "fixture.h"

#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>

#include "documents.h"

char untouched;

cede_engine* engine_with(const char* policy, const char* cluster) {
  cede_engine* engine = NULL;
  cede_error error;
  const int32_t made =
      cede_engine_create(policy, policy ? strlen(policy) : 0, NULL, 0, CEDE_VERSION, &engine, &error);
  CU_ASSERT_EQUAL_FATAL(made, CEDE_OK);
  CU_ASSERT_PTR_NOT_NULL_FATAL(engine);
  if (cluster) CU_ASSERT_TRUE_FATAL(load_text(engine, cluster, &error) >= 0);
  return engine;
}

cede_engine* new_engine(void) { return engine_with(policy_text, NULL); }

cede_engine* loaded_engine(void) { return engine_with(policy_text, cluster_text); }

typedef int32_t (*take_document)(cede_engine*, const char*, size_t, cede_error*);

static char* exact_copy(const char* text, size_t size) {
  char* copy = malloc(size > 0 ? size : 1);
  CU_ASSERT_PTR_NOT_NULL_FATAL(copy);
  memcpy(copy, text, size);
  return copy;
}

static int32_t give_copy(take_document call, cede_engine* engine, const char* text, cede_error* error) {
  const size_t size = strlen(text);
  char* copy = exact_copy(text, size);
  const int32_t status = call(engine, copy, size, error);
  memset(copy, '?', size);
  free(copy);
  return status;
}

int32_t load_text(cede_engine* engine, const char* text, cede_error* error) {
  return give_copy(cede_engine_load, engine, text, error);
}

int32_t apply_text(cede_engine* engine, const char* text, cede_error* error) {
  return give_copy(cede_engine_apply, engine, text, error);
}

int32_t set_policy_text(cede_engine* engine, const char* text, cede_error* error) {
  return give_copy(cede_engine_set_policy, engine, text, error);
}

int32_t check_text(const cede_engine* engine, const char* text, cede_report** report, cede_error* error) {
  const size_t size = strlen(text);
  char* copy = exact_copy(text, size);
  const int32_t status = cede_engine_check(engine, copy, size, report, error);
  memset(copy, '?', size);
  free(copy);
  return status;
}

char* export_of(const cede_engine* engine) {
  cede_text* text = NULL;
  CU_ASSERT_EQUAL_FATAL(cede_engine_export(engine, &text, NULL), CEDE_OK);
  const size_t size = cede_text_size(text);
  char* copy = malloc(size + 1);
  CU_ASSERT_PTR_NOT_NULL_FATAL(copy);
  memcpy(copy, cede_text_data(text), size + 1);
  cede_text_destroy(text);
  return copy;
}

bool same_export(const cede_engine* a, const cede_engine* b) {
  char* of_a = export_of(a);
  char* of_b = export_of(b);
  const bool same = strcmp(of_a, of_b) == 0;
  free(of_a);
  free(of_b);
  return same;
}

bool well_formed(const cede_error* error, int32_t status) {
  const char* end = memchr(error->text, '\0', sizeof error->text);
  if (error->status != status || !end || end == error->text) return false;
  for (const char* c = error->text; c < end; ++c) {
    if ((unsigned char)*c < 0x20) return false;
  }
  return end[-1] != '.' || strcmp(end - 3, "...") == 0;
}

Snapshot take_snapshot(const cede_engine* engine) {
  Snapshot snapshot;
  snapshot.document = export_of(engine);
  snapshot.revision = cede_engine_revision(engine);
  return snapshot;
}

bool unchanged_since(Snapshot* snapshot, const cede_engine* engine) {
  char* now = export_of(engine);
  const bool same =
      strcmp(snapshot->document, now) == 0 && snapshot->revision == cede_engine_revision(engine);
  free(now);
  free(snapshot->document);
  snapshot->document = NULL;
  return same;
}
