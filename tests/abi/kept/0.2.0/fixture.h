/* SPDX-License-Identifier: MIT */
/* What every suite needs: engines to try things on, and ways to see that nothing has changed. */
#ifndef CEDE_TESTS_ABI_FIXTURE_H
#define CEDE_TESTS_ABI_FIXTURE_H

#include <cede/cede.h>
#include <stdbool.h>

/* Handles never handed out: an output that still holds one after a failed call was left alone. */
#define UNTOUCHED_ENGINE ((cede_engine*)&untouched)
#define UNTOUCHED_REPORT ((cede_report*)&untouched)
#define UNTOUCHED_TEXT ((cede_text*)&untouched)
#define UNTOUCHED_TOPOLOGY ((cede_topology*)&untouched)
extern char untouched;

/* An engine with policy_text, without and with cluster_text; NULL (and a failed assertion) if that cannot be
 * made. */
cede_engine* new_engine(void);
cede_engine* loaded_engine(void);
/* The same with a policy (NULL: none) and a cluster of the test's own. */
cede_engine* engine_with(const char* policy, const char* cluster);

/*
 * The calls that take a document, given a copy that ends where the text ends: reading its NUL would be
 * reading beyond the buffer, and the copy is overwritten before these return.
 */
int32_t load_text(cede_engine* engine, const char* text, cede_error* error);
int32_t apply_text(cede_engine* engine, const char* text, cede_error* error);
int32_t set_policy_text(cede_engine* engine, const char* text, cede_error* error);
int32_t check_text(const cede_engine* engine, const char* text, cede_report** report, cede_error* error);

/* The export as a text of the caller's (free it); NULL and a failed assertion if there is none. */
char* export_of(const cede_engine* engine);
bool same_export(const cede_engine* a, const cede_engine* b);

/* The error says what the call returned, in one readable line. */
bool well_formed(const cede_error* error, int32_t status);

/* What an engine was, to compare with what it is. */
typedef struct Snapshot {
  char* document;
  uint64_t revision;
} Snapshot;
Snapshot take_snapshot(const cede_engine* engine);
/* Whether the engine is as it was; frees what the snapshot holds. */
bool unchanged_since(Snapshot* snapshot, const cede_engine* engine);

#endif
