/* SPDX-License-Identifier: GPL-2.0-or-later OR MIT */
#include "config/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/field.h"
#include "config/json_tree.h"

/* A node is often full of small jobs, so the profile's own limit of three victims would be too low. */
const char settings_default_policy[] =
    "{\"format\":\"cede-policy/1\",\"policies\":{\"default\":{\"profile\":\"class-cost\","
    "\"settings\":{\"max_victims\":64}}}}";

static char** texts_of(struct settings* s, size_t index) {
  char** const texts[] = {&s->library,       &s->policy,         &s->policy_file,
                          &s->queues,        &s->comment_prefix, &s->fingerprint_prefix,
                          &s->topology_file, &s->hwloc_folder,   &s->hwloc_command};
  return index < sizeof texts / sizeof texts[0] ? texts[index] : NULL;
}

struct settings* settings_create(void) {
  struct settings* s = calloc(1, sizeof *s);
  if (!s) return NULL;
  s->class_default = s->grace_checkpoint = s->grace_terminate = -1;
  bool good = field_read_defaults(s, settings_fields);
  for (size_t i = 0; texts_of(s, i); ++i)
    if (!*texts_of(s, i)) good = (*texts_of(s, i) = strdup("")) && good;
  if (good) return s;
  settings_destroy(s);
  return NULL;
}

void settings_destroy(struct settings* s) {
  if (!s) return;
  for (size_t i = 0; texts_of(s, i); ++i) free(*texts_of(s, i));
  struct number_map* const numbers[] = {&s->class_tiers, &s->class_partitions, &s->class_accounts,
                                        &s->class_qos,   &s->raise_accounts,   &s->raise_qos,
                                        &s->priority_qos};
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; ++i) {
    for (size_t k = 0; k < numbers[i]->count; ++k) free(numbers[i]->entries[k].name);
    free(numbers[i]->entries);
  }
  struct text_map* const texts[] = {&s->group_policies, &s->queue_names};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
    for (size_t k = 0; k < texts[i]->count; ++k) {
      free(texts[i]->entries[k].name);
      free(texts[i]->entries[k].text);
    }
    free(texts[i]->entries);
  }
  free(s);
}

/* A member of an object of the document, which the reader's path then names. */
static const struct json_value* inside(struct field_reader* reader, const struct json_value* root,
                                       const char* object, const char* key) {
  snprintf(reader->path, sizeof reader->path, "%s", object);
  return json_member(*object ? json_member(root, object) : root, key);
}

static void check_tiers(const struct settings* s, const struct json_value* root,
                        struct field_reader* reader) {
  const struct json_value* tiers = inside(reader, root, "class", "tiers");
  snprintf(reader->path, sizeof reader->path, "class.tiers");
  for (size_t i = 0; i < s->class_tiers.count; ++i) {
    const char* tier = s->class_tiers.entries[i].name;
    if (*tier == '\0' || strspn(tier, "0123456789") != strlen(tier))
      field_fault(reader, json_member(tiers, tier), "'%.40s' is no PriorityTier; a number is wanted", tier);
  }
}

/* Rules about several fields. */
static void check_together(const struct settings* s, const struct json_value* root,
                           struct field_reader* reader) {
  const struct json_value* file = inside(reader, root, "", "policy_file");
  if (file && json_member(root, "policy"))
    field_fault(reader, file, "'policy' and 'policy_file' exclude each other");
  if (s->priority_min > s->priority_max)
    field_fault(reader, inside(reader, root, "priority", "min"), "'min' is above 'max'");
  check_tiers(s, root, reader);
}

struct settings* settings_read(const char* text, size_t size, struct settings_report* report) {
  struct json_fault fault;
  struct json_value* root = json_read(text, size, &fault);
  memset(report, 0, sizeof *report);
  if (!root) {
    report->count = 1;
    report->findings[0].line = fault.line;
    report->findings[0].column = fault.column;
    strncpy(report->findings[0].text, fault.text, sizeof report->findings[0].text - 1);
    return NULL;
  }
  struct settings* s = settings_create();
  struct field_reader reader = {.text = text, .out = s, .report = report};
  if (s) {
    field_read_object(&reader, root, settings_fields);
    check_together(s, root, &reader);
  }
  const struct json_value* policy = json_member(root, "policy");
  const struct json_value* queues = json_member(root, "queues");
  report->policy_begin = policy ? policy->begin : 0;
  report->policy_end = policy ? policy->end : 0;
  report->queues_begin = queues ? queues->begin : 0;
  report->queues_end = queues ? queues->end : 0;
  json_free(root);
  if (s && report->count == 0 && !reader.out_of_memory) return s;
  settings_destroy(s);
  return NULL;
}

char* settings_bounded_policy(const struct settings* settings, const char* policy) {
  struct json_fault fault;
  struct json_value* root = json_read(policy, strlen(policy), &fault);
  const struct json_value* limits = json_member(root, "limits");
  const struct json_value* into = limits ? limits : root;
  char bound[80] = "";
  size_t at = 0;
  if (into && into->kind == JSON_OBJECT && !json_member(limits, "search_work")) {
    at = into->begin + 1;
    snprintf(bound, sizeof bound, limits ? "\"search_work\":%lld%s" : "\"limits\":{\"search_work\":%lld}%s",
             (long long)settings->search_work, into->first ? "," : "");
  }
  json_free(root);
  const size_t length = strlen(policy), more = strlen(bound);
  char* out = malloc(length + more + 1);
  if (out) snprintf(out, length + more + 1, "%.*s%s%s", (int)at, policy, bound, policy + at);
  return out;
}

bool settings_recognise(const char* text, size_t size) {
  struct json_fault fault;
  struct json_value* root = json_read(text, size, &fault);
  const struct json_value* format = json_member(root, "format");
  const bool known = format && format->kind == JSON_TEXT && strcmp(format->text, CEDE_SLURM_FORMAT) == 0;
  json_free(root);
  return known;
}

const int64_t* number_of(const struct number_map* map, const char* name) {
  for (size_t i = 0; name && i < map->count; ++i)
    if (strcmp(map->entries[i].name, name) == 0) return &map->entries[i].number;
  return NULL;
}

const char* text_of(const struct text_map* map, const char* name) {
  for (size_t i = 0; name && i < map->count; ++i)
    if (strcmp(map->entries[i].name, name) == 0) return map->entries[i].text;
  return NULL;
}

int64_t seconds_of(const char* text) {
  static const struct {
    char unit;
    int64_t seconds;
  } kUnits[] = {{'d', 86400}, {'h', 3600}, {'m', 60}, {'s', 1}};
  int64_t total = 0;
  if (!text || *text == '\0') return -1;
  while (*text) {
    char* end = NULL;
    if (*text < '0' || *text > '9') return -1;
    const long long number = strtoll(text, &end, 10);
    if (number > INT32_MAX) return -1;
    int64_t unit = *end == '\0' && total == 0 ? 1 : 0;
    for (size_t i = 0; i < sizeof kUnits / sizeof kUnits[0]; ++i)
      if (*end == kUnits[i].unit) unit = kUnits[i].seconds;
    if (unit == 0) return -1;
    total += number * unit;
    text = *end ? end + 1 : end;
  }
  return total;
}
