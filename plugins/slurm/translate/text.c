/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "translate/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void make_room(struct text* text, size_t more) {
  if (text->room - text->size > more) return;
  size_t room = text->room ? text->room : 4096;
  while (room - text->size <= more) room *= 2;
  char* data = realloc(text->data, room);
  if (!data) {
    fputs("preempt/cede: out of memory\n", stderr);
    abort();
  }
  text->data = data;
  text->room = room;
}

static void put(struct text* text, const char* bytes, size_t size) {
  make_room(text, size);
  memcpy(text->data + text->size, bytes, size);
  text->size += size;
  text->data[text->size] = '\0';
}

void text_clear(struct text* text) {
  text->size = 0;
  if (text->data) text->data[0] = '\0';
}

void text_free(struct text* text) {
  free(text->data);
  memset(text, 0, sizeof *text);
}

void text_add(struct text* text, const char* piece) { put(text, piece, strlen(piece)); }

void text_addf(struct text* text, const char* format, ...) {
  va_list values, again;
  va_start(values, format);
  va_copy(again, values);
  const int length = vsnprintf(NULL, 0, format, values);
  va_end(values);
  if (length > 0) {
    make_room(text, (size_t)length + 1);
    vsnprintf(text->data + text->size, (size_t)length + 1, format, again);
    text->size += (size_t)length;
  }
  va_end(again);
}

/* Bytes of the UTF-8 character that starts here, 0 where there is none. */
static size_t utf8_length(const unsigned char* s) {
  const size_t length = s[0] < 0x80                   ? 1
                        : s[0] >= 0xc2 && s[0] < 0xe0 ? 2
                        : s[0] >= 0xe0 && s[0] < 0xf0 ? 3
                        : s[0] >= 0xf0 && s[0] < 0xf5 ? 4
                                                      : 0;
  for (size_t i = 1; i < length; ++i)
    if ((s[i] & 0xc0) != 0x80) return 0;
  if (length == 3 && ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] >= 0xa0))) return 0;
  if (length == 4 && ((s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] >= 0x90))) return 0;
  return length;
}

void text_quote(struct text* text, const char* value) {
  put(text, "\"", 1);
  for (const unsigned char* c = (const unsigned char*)value; *c;) {
    const size_t length = utf8_length(c);
    if (length == 0) {
      put(text, "?", 1);
      ++c;
    } else if (*c == '"' || *c == '\\') {
      put(text, "\\", 1);
      put(text, (const char*)c++, 1);
    } else if (*c < 0x20 || *c == 0x7f) {
      text_addf(text, "\\u%04x", *c++);
    } else {
      put(text, (const char*)c, length);
      c += length;
    }
  }
  put(text, "\"", 1);
}

void text_comma(struct text* text) {
  if (text->size == 0) return;
  const char last = text->data[text->size - 1];
  if (last != '{' && last != '[') put(text, ",", 1);
}

void text_key(struct text* text, const char* key) {
  text_comma(text);
  text_quote(text, key);
  put(text, ":", 1);
}

void text_member(struct text* text, const char* key, const char* value) {
  text_key(text, key);
  text_quote(text, value);
}

void text_number(struct text* text, const char* key, int64_t value) {
  text_key(text, key);
  text_addf(text, "%lld", (long long)value);
}
