/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "translate/features.h"

#include <string.h>

static const char kMarks[] = "&|,()[]*";

enum feature_form feature_form_of(const char* expression) {
  if (*expression == '\0') return FEATURES_NONE;
  if (strpbrk(expression, "[]*")) return FEATURES_SET;
  return strpbrk(expression, "|()") ? FEATURES_ANY : FEATURES_ALL;
}

static bool has_feature(const char* features, const char* name, size_t length) {
  while (*features) {
    const size_t size = strcspn(features, ",");
    if (size == length && memcmp(features, name, length) == 0) return true;
    features += size + (features[size] == ',');
  }
  return false;
}

static bool meet_chain(const char** at, const char* features);

static bool meet_name(const char** at, const char* features) {
  if (**at == '(') {
    ++*at;
    const bool met = meet_chain(at, features);
    if (**at == ')') ++*at;
    return met;
  }
  const size_t length = strcspn(*at, kMarks);
  const bool met = has_feature(features, *at, length);
  *at += length;
  return met;
}

/* Slurm reads '&' and '|' from left to right, neither before the other. */
static bool meet_chain(const char** at, const char* features) {
  bool met = meet_name(at, features);
  while (**at == '&' || **at == ',' || **at == '|') {
    const bool either = *(*at)++ == '|';
    const bool next = meet_name(at, features);
    met = either ? met || next : met && next;
  }
  return met;
}

bool features_meet(const char* expression, const char* features) {
  const char* at = expression;
  return meet_chain(&at, features) && *at == '\0';
}

void features_each(const char* list, struct arena* arena, void (*each)(void* context, const char* name),
                   void* context) {
  while (*list) {
    const size_t length = strcspn(list, "&,");
    if (length > 0) {
      char* name = arena_take(arena, length + 1);
      memcpy(name, list, length);
      each(context, name);
    }
    list += length + (list[length] != '\0');
  }
}
