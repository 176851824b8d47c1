/* SPDX-License-Identifier: GPL-2.0-or-later OR MIT */
/* A JSON text as a tree whose values know their line and column. Includes nothing of Slurm. */
#ifndef CEDE_SLURM_JSON_TREE_H
#define CEDE_SLURM_JSON_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum json_kind { JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_TEXT, JSON_LIST, JSON_OBJECT };

struct json_value {
  enum json_kind kind;
  bool truth;   /* of a bool */
  char* text;   /* what a text stands for; a number as it is written */
  char* key;    /* of a member of an object */
  size_t begin; /* bytes of the document: [begin, end) */
  size_t end;
  uint32_t line; /* from 1; of a member, where its key is */
  uint32_t column;
  struct json_value* first; /* of a list or an object */
  struct json_value* next;
};

struct json_fault {
  uint32_t line;
  uint32_t column;
  char text[200];
};

/* NULL if the text is not JSON or memory runs out; the fault says which. */
struct json_value* json_read(const char* text, size_t size, struct json_fault* fault);
void json_free(struct json_value* value);

/* The member of an object; NULL if there is none. */
const struct json_value* json_member(const struct json_value* object, const char* key);

#endif
