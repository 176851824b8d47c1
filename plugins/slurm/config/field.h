/* SPDX-License-Identifier: GPL-2.0-or-later OR MIT */
/* Reads the members of an object into a struct by a table, and reports every mistake with line and column. */
#ifndef CEDE_SLURM_FIELD_H
#define CEDE_SLURM_FIELD_H

#include "config/json_tree.h"
#include "config/settings.h"

#ifdef __cplusplus
extern "C" {
#endif

enum field_kind {
  FIELD_FORMAT,
  FIELD_FLAG,
  FIELD_NUMBER,
  FIELD_TEXT,
  FIELD_PATH, /* a text that is an absolute path: slurmctld reads it, wherever that was started */
  FIELD_DURATION,
  FIELD_CHOICE,  /* one of `choices`, as its number */
  FIELD_CHOICES, /* a list of them, as bits */
  FIELD_OBJECT,  /* with `members` of the same struct */
  FIELD_NUMBER_MAP,
  FIELD_TEXT_MAP,
  FIELD_POLICY_MAP, /* {"name": {"policy": "text"}} */
  FIELD_RAW_OBJECT, /* as it is written */
  FIELD_RAW_LIST
};

struct field {
  const char* name; /* NULL ends a table */
  enum field_kind kind;
  size_t offset;
  int64_t low;
  int64_t high;
  const char* const* choices;
  const struct field* members;
  const char* fallback; /* the default as JSON; NULL: none that can be written down */
  const char* document; /* of a raw object or list: what the schema of the library calls it or its items */
  const char* help;     /* one sentence */
};

/* The fields of cede-slurm/1. */
extern const struct field settings_fields[];

struct field_reader {
  const char* text; /* the whole document */
  void* out;
  struct settings_report* report;
  char path[100];
  bool out_of_memory;
};

/* Gives every field that has a default its default. False if memory runs out. */
bool field_read_defaults(void* out, const struct field* fields);
void field_read_object(struct field_reader* reader, const struct json_value* object,
                       const struct field* fields);
void field_fault(struct field_reader* reader, const struct json_value* at, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

#ifdef __cplusplus
}
#endif

#endif
