/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "translate/comment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
  const char* name;
  enum comment_key key;
} kKeys[] = {{"ckpt", COMMENT_CKPT},       {"est", COMMENT_EST},   {"timeout", COMMENT_TIMEOUT},
             {"restart", COMMENT_RESTART}, {"last", COMMENT_LAST}, {"class", COMMENT_CLASS}};

static bool read_mode(const char* value, enum checkpoint_mode* out) {
  static const char* const kModes[] = {"none", "auto", "manual"};
  for (int i = 0; i < 3; ++i)
    if (strcmp(value, kModes[i]) == 0) return *out = (enum checkpoint_mode)i, true;
  return false;
}

static bool read_whole(const char* value, int64_t high, int64_t* out) {
  char* end = NULL;
  if (*value < '0' || *value > '9') return false;
  *out = strtoll(value, &end, 10);
  return *end == '\0' && *out <= high;
}

static bool read_seconds(const char* value, int64_t* out) { return (*out = seconds_of(value)) >= 0; }

static bool read_key(enum comment_key key, const char* value, struct comment* out) {
  switch (key) {
    case COMMENT_CKPT: return read_mode(value, &out->ckpt);
    case COMMENT_EST: return read_seconds(value, &out->est);
    case COMMENT_TIMEOUT: return read_seconds(value, &out->timeout);
    case COMMENT_RESTART: return read_seconds(value, &out->restart);
    case COMMENT_LAST: return read_whole(value, INT64_MAX / 1000, &out->last);
    case COMMENT_CLASS: return read_whole(value, 10, &out->job_class);
  }
  return false;
}

static void read_pair(char* pair, uint64_t keys, struct comment* out) {
  char* value = strchr(pair, '=');
  if (value) *value++ = '\0';
  for (size_t i = 0; value && i < sizeof kKeys / sizeof kKeys[0]; ++i) {
    if (strcmp(kKeys[i].name, pair) != 0) continue;
    if ((keys & kKeys[i].key) == 0) return;
    if (!read_key(kKeys[i].key, value, out)) break;
    out->given |= kKeys[i].key;
    return;
  }
  if (out->wrong[0] == '\0')
    snprintf(out->wrong, sizeof out->wrong, "%.30s%s%.40s", pair, value ? "=" : "", value ? value : "");
}

/* Where our part starts: the prefix at the start of a word. */
static const char* find_part(const char* text, const char* prefix) {
  for (const char* at = text; *prefix && (at = strstr(at, prefix)); ++at)
    if (at == text || strchr(" \t;", at[-1])) return at + strlen(prefix);
  return NULL;
}

void comment_read(const char* text, const char* prefix, uint64_t keys, struct comment* out) {
  char part[256];
  memset(out, 0, sizeof *out);
  const char* from = find_part(text, prefix);
  if (!from) return;
  const size_t length = strcspn(from, " \t\r\n;");
  if (length >= sizeof part) {
    snprintf(out->wrong, sizeof out->wrong, "more than %zu characters", sizeof part - 1);
    return;
  }
  memcpy(part, from, length);
  part[length] = '\0';
  char* rest = NULL;
  for (char* pair = strtok_r(part, ",", &rest); pair; pair = strtok_r(NULL, ",", &rest))
    read_pair(pair, keys, out);
}
