/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A growing text buffer, and functions that write JSON into it. */
#ifndef CEDE_SLURM_TEXT_H
#define CEDE_SLURM_TEXT_H

#include <stddef.h>
#include <stdint.h>

struct text {
  char* data; /* ends in a NUL once something is written */
  size_t size;
  size_t room;
};

void text_clear(struct text* text);
void text_free(struct text* text);
void text_add(struct text* text, const char* piece);
void text_addf(struct text* text, const char* format, ...) __attribute__((format(printf, 2, 3)));
/* In quotes, escaped; bytes that are no UTF-8 become '?'. */
void text_quote(struct text* text, const char* value);
/* `"key":` with a comma in front unless it is the first of its object. */
void text_key(struct text* text, const char* key);
void text_member(struct text* text, const char* key, const char* value);
void text_number(struct text* text, const char* key, int64_t value);
/* A comma unless a list or an object has just been opened. */
void text_comma(struct text* text);

#endif
