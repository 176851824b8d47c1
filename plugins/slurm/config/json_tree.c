/* SPDX-License-Identifier: GPL-2.0-or-later OR MIT */
#include "config/json_tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 64 };

struct reader {
  const char* text;
  size_t size;
  size_t at;
  uint32_t line;
  size_t line_begin;
  struct json_fault* fault;
};

static uint32_t column_of(const struct reader* r) { return (uint32_t)(r->at - r->line_begin + 1); }

static bool fail(struct reader* r, const char* what) {
  if (r->fault->text[0] == '\0') {
    r->fault->line = r->line;
    r->fault->column = column_of(r);
    snprintf(r->fault->text, sizeof r->fault->text, "%s", what);
  }
  return false;
}

static int peek(const struct reader* r) { return r->at < r->size ? (unsigned char)r->text[r->at] : -1; }

static void skip_space(struct reader* r) {
  for (; r->at < r->size; ++r->at) {
    const char c = r->text[r->at];
    if (c == '\n') {
      ++r->line;
      r->line_begin = r->at + 1;
    } else if (c != ' ' && c != '\t' && c != '\r') {
      return;
    }
  }
}

static bool take(struct reader* r, char c) {
  if (peek(r) != c) return false;
  ++r->at;
  return true;
}

static int hex4(struct reader* r) {
  int value = 0;
  for (int i = 0; i < 4; ++i, ++r->at) {
    const int c = peek(r);
    const int digit = c >= '0' && c <= '9'                 ? c - '0'
                      : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10
                                                           : -1;
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

static size_t put_utf8(char* out, uint32_t code) {
  if (code < 0x80) return out[0] = (char)code, 1;
  if (code < 0x800) {
    out[0] = (char)(0xc0 | code >> 6);
    return out[1] = (char)(0x80 | (code & 63)), 2;
  }
  if (code < 0x10000) {
    out[0] = (char)(0xe0 | code >> 12);
    out[1] = (char)(0x80 | (code >> 6 & 63));
    return out[2] = (char)(0x80 | (code & 63)), 3;
  }
  out[0] = (char)(0xf0 | code >> 18);
  out[1] = (char)(0x80 | (code >> 12 & 63));
  out[2] = (char)(0x80 | (code >> 6 & 63));
  return out[3] = (char)(0x80 | (code & 63)), 4;
}

static bool read_escape(struct reader* r, char* out, size_t* length) {
  static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
  const int c = peek(r);
  ++r->at;
  const char* plain = c > 0 ? strchr(from, c) : NULL;
  if (plain) return out[(*length)++] = to[plain - from], true;
  if (c != 'u') return fail(r, "unknown escape in a text");
  int code = hex4(r);
  if (code < 0) return fail(r, "\\u needs four hexadecimal digits");
  uint32_t whole = (uint32_t)code;
  if (code >= 0xd800 && code < 0xdc00) {
    if (!take(r, '\\') || !take(r, 'u')) return fail(r, "half a surrogate pair");
    const int low = hex4(r);
    if (low < 0xdc00 || low > 0xdfff) return fail(r, "half a surrogate pair");
    whole = 0x10000 + (((uint32_t)code - 0xd800) << 10) + ((uint32_t)low - 0xdc00);
  } else if (code >= 0xdc00 && code < 0xe000) {
    return fail(r, "half a surrogate pair");
  }
  if (whole == 0) return fail(r, "a text may hold no NUL");
  *length += put_utf8(out + *length, whole);
  return true;
}

/* What is between the quotes, in memory of its own; a text never grows when its escapes are taken away. */
static char* read_text(struct reader* r) {
  if (!take(r, '"')) return fail(r, "a text in double quotes is expected"), NULL;
  size_t room = 0;
  while (r->at + room < r->size && r->text[r->at + room] != '"')
    room += r->text[r->at + room] == '\\' ? 2 : 1;
  char* out = malloc(room + 4);
  size_t length = 0;
  if (!out) return fail(r, "out of memory"), NULL;
  for (;;) {
    const int c = peek(r);
    if (c < 0x20) {
      fail(r, c < 0 ? "the text does not end" : "control character in a text");
      break;
    }
    ++r->at;
    if (c == '"') return out[length] = '\0', out;
    if (c != '\\') {
      out[length++] = (char)c;
    } else if (!read_escape(r, out, &length)) {
      break;
    }
  }
  free(out);
  return NULL;
}

static bool read_word(struct reader* r, const char* word) {
  const size_t length = strlen(word);
  if (r->size - r->at < length || memcmp(r->text + r->at, word, length) != 0)
    return fail(r, "a value is expected");
  r->at += length;
  return true;
}

static bool take_digits(struct reader* r) {
  const size_t from = r->at;
  while (peek(r) >= '0' && peek(r) <= '9') ++r->at;
  return r->at > from;
}

static bool read_number(struct reader* r, struct json_value* value) {
  const size_t from = r->at;
  take(r, '-');
  if (!take_digits(r)) return fail(r, "a value is expected");
  if (take(r, '.') && !take_digits(r)) return fail(r, "a digit is expected");
  if (take(r, 'e') || take(r, 'E')) {
    if (!take(r, '+')) take(r, '-');
    if (!take_digits(r)) return fail(r, "a digit is expected");
  }
  value->text = strndup(r->text + from, r->at - from);
  return value->text ? true : fail(r, "out of memory");
}

static bool read_value(struct reader* r, struct json_value* value, int depth);

static bool read_children(struct reader* r, struct json_value* parent, char close, int depth) {
  struct json_value** tail = &parent->first;
  if (depth == MAX_DEPTH) return fail(r, "nested too deep");
  skip_space(r);
  if (take(r, close)) return true;
  do {
    struct json_value* child = calloc(1, sizeof *child);
    if (!child) return fail(r, "out of memory");
    skip_space(r);
    child->line = r->line;
    child->column = column_of(r);
    if (close == '}') {
      if (!(child->key = read_text(r))) return json_free(child), false;
      if (json_member(parent, child->key)) return json_free(child), fail(r, "this key was there before");
      skip_space(r);
      if (!take(r, ':')) return json_free(child), fail(r, "':' is expected");
      skip_space(r);
    }
    *tail = child;
    tail = &child->next;
    if (!read_value(r, child, depth + 1)) return false;
    skip_space(r);
  } while (take(r, ','));
  return take(r, close) ? true : fail(r, close == '}' ? "',' or '}' is expected" : "',' or ']' is expected");
}

static bool read_kind(struct reader* r, struct json_value* value, int depth) {
  switch (peek(r)) {
    case '{': value->kind = JSON_OBJECT; return ++r->at, read_children(r, value, '}', depth);
    case '[': value->kind = JSON_LIST; return ++r->at, read_children(r, value, ']', depth);
    case '"': value->kind = JSON_TEXT; return (value->text = read_text(r)) != NULL;
    case 't': value->kind = JSON_BOOL; return value->truth = true, read_word(r, "true");
    case 'f': value->kind = JSON_BOOL; return read_word(r, "false");
    case 'n': value->kind = JSON_NULL; return read_word(r, "null");
    default: value->kind = JSON_NUMBER; return read_number(r, value);
  }
}

static bool read_value(struct reader* r, struct json_value* value, int depth) {
  value->begin = r->at;
  if (value->line == 0) {
    value->line = r->line;
    value->column = column_of(r);
  }
  const bool good = read_kind(r, value, depth);
  value->end = r->at;
  return good;
}

struct json_value* json_read(const char* text, size_t size, struct json_fault* fault) {
  struct reader r = {.text = text, .size = size, .line = 1, .fault = fault};
  struct json_value* root = calloc(1, sizeof *root);
  memset(fault, 0, sizeof *fault);
  if (!root) return fail(&r, "out of memory"), NULL;
  if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) r.at = 3;
  skip_space(&r);
  bool good = read_value(&r, root, 0);
  skip_space(&r);
  if (good && r.at < size) good = fail(&r, "nothing may follow the document");
  if (good) return root;
  json_free(root);
  return NULL;
}

void json_free(struct json_value* value) {
  while (value) {
    struct json_value* next = value->next;
    json_free(value->first);
    free(value->text);
    free(value->key);
    free(value);
    value = next;
  }
}

const struct json_value* json_member(const struct json_value* object, const char* key) {
  if (!object || object->kind != JSON_OBJECT) return NULL;
  for (const struct json_value* child = object->first; child; child = child->next)
    if (strcmp(child->key, key) == 0) return child;
  return NULL;
}
