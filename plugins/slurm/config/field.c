/* SPDX-License-Identifier: GPL-2.0-or-later OR MIT */
#include "config/field.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/edit_distance.h"

static const char* const kKindNames[] = {"null",   "true or false", "a number",
                                         "a text", "a list",        "an object"};

void field_fault(struct field_reader* reader, const struct json_value* at, const char* format, ...) {
  struct settings_report* report = reader->report;
  if (report->count < MAX_SETTINGS_FINDINGS) {
    struct settings_finding* finding = &report->findings[report->count];
    va_list values;
    va_start(values, format);
    vsnprintf(finding->text, sizeof finding->text, format, values);
    va_end(values);
    const char* key = at && at->key ? at->key : "";
    snprintf(finding->path, sizeof finding->path, "%s%s%s", reader->path,
             reader->path[0] && key[0] ? "." : "", key);
    finding->line = at ? at->line : 0;
    finding->column = at ? at->column : 0;
  }
  ++report->count;
}

/* Everything until leave() is inside this member. Returns what leave() wants. */
static size_t enter(struct field_reader* reader, const struct json_value* member) {
  const size_t length = strlen(reader->path);
  snprintf(reader->path + length, sizeof reader->path - length, "%s%s", length ? "." : "", member->key);
  return length;
}

static void leave(struct field_reader* reader, size_t length) { reader->path[length] = '\0'; }

static bool is_kind(struct field_reader* reader, const struct json_value* value, enum json_kind wanted) {
  if (value->kind == wanted) return true;
  field_fault(reader, value, "%s is wanted, not %s", kKindNames[wanted], kKindNames[value->kind]);
  return false;
}

static char* keep(struct field_reader* reader, const char* text, size_t size) {
  char* copy = strndup(text, size);
  if (!copy) reader->out_of_memory = true;
  return copy;
}

static void tell_unknown(struct field_reader* reader, const struct json_value* member,
                         const struct field* fields) {
  const char* nearest = NULL;
  size_t best = 4;
  for (const struct field* f = fields; f->name; ++f) {
    const size_t distance = cede_edit_distance(member->key, strlen(member->key), f->name, strlen(f->name));
    if (distance < best) best = distance, nearest = f->name;
  }
  if (nearest) {
    field_fault(reader, member, "unknown field '%s'; did you mean '%s'?", member->key, nearest);
    return;
  }
  char known[160] = "";
  for (const struct field* f = fields; f->name; ++f) {
    const size_t used = strlen(known);
    snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "", f->name);
  }
  field_fault(reader, member, "unknown field '%.40s'; known are %s", member->key, known);
}

static bool number_in(struct field_reader* reader, const struct json_value* value, const struct field* field,
                      int64_t* out) {
  if (!is_kind(reader, value, JSON_NUMBER)) return false;
  char* end = NULL;
  const long long number = strtoll(value->text, &end, 10);
  if (*end != '\0') return field_fault(reader, value, "%.30s is no whole number", value->text), false;
  if (number < field->low || number > field->high)
    return field_fault(reader, value, "%.30s is outside %lld..%lld", value->text, (long long)field->low,
                       (long long)field->high),
           false;
  *out = number;
  return true;
}

static int choice_in(struct field_reader* reader, const struct json_value* value,
                     const char* const* choices) {
  char known[160] = "";
  if (!is_kind(reader, value, JSON_TEXT)) return -1;
  for (int i = 0; choices[i]; ++i) {
    if (strcmp(choices[i], value->text) == 0) return i;
    const size_t used = strlen(known);
    snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "", choices[i]);
  }
  field_fault(reader, value, "'%.40s' is none of %s", value->text, known);
  return -1;
}

static void read_choices(struct field_reader* reader, const struct json_value* value,
                         const struct field* field, uint64_t* out) {
  if (!is_kind(reader, value, JSON_LIST)) return;
  *out = 0;
  const size_t outside = enter(reader, value);
  for (const struct json_value* item = value->first; item; item = item->next) {
    const int choice = choice_in(reader, item, field->choices);
    if (choice >= 0) *out |= 1ULL << choice;
  }
  leave(reader, outside);
}

static void read_number_map(struct field_reader* reader, const struct json_value* value,
                            const struct field* field, struct number_map* out) {
  if (!is_kind(reader, value, JSON_OBJECT)) return;
  size_t count = 0;
  for (const struct json_value* item = value->first; item; item = item->next) ++count;
  out->entries = calloc(count ? count : 1, sizeof *out->entries);
  if (!out->entries) {
    reader->out_of_memory = true;
    return;
  }
  const size_t outside = enter(reader, value);
  for (const struct json_value* item = value->first; item; item = item->next) {
    int64_t number = 0;
    if (!number_in(reader, item, field, &number)) continue;
    out->entries[out->count].number = number;
    out->entries[out->count++].name = keep(reader, item->key, strlen(item->key));
  }
  leave(reader, outside);
}

/* The text of a map's item: the item itself or, if it is an object, its "policy". */
static const struct json_value* text_in(struct field_reader* reader, const struct json_value* item,
                                        bool in_object) {
  if (!in_object) return is_kind(reader, item, JSON_TEXT) ? item : NULL;
  if (!is_kind(reader, item, JSON_OBJECT)) return NULL;
  const size_t outside = enter(reader, item);
  bool odd = false;
  for (const struct json_value* member = item->first; member; member = member->next)
    if (strcmp(member->key, "policy") != 0 && strncmp(member->key, "x-", 2) != 0)
      odd = true, field_fault(reader, member, "unknown field '%.40s'; only 'policy' is known", member->key);
  const struct json_value* policy = json_member(item, "policy");
  const bool good = policy && is_kind(reader, policy, JSON_TEXT);
  leave(reader, outside);
  if (!policy && !odd) field_fault(reader, item, "'policy' is missing");
  return good ? policy : NULL;
}

static void read_text_map(struct field_reader* reader, const struct json_value* value, bool in_object,
                          struct text_map* out) {
  if (!is_kind(reader, value, JSON_OBJECT)) return;
  size_t count = 0;
  for (const struct json_value* item = value->first; item; item = item->next) ++count;
  out->entries = calloc(count ? count : 1, sizeof *out->entries);
  if (!out->entries) {
    reader->out_of_memory = true;
    return;
  }
  const size_t outside = enter(reader, value);
  for (const struct json_value* item = value->first; item; item = item->next) {
    const struct json_value* text = text_in(reader, item, in_object);
    if (!text) continue;
    out->entries[out->count].text = keep(reader, text->text, strlen(text->text));
    out->entries[out->count++].name = keep(reader, item->key, strlen(item->key));
  }
  leave(reader, outside);
}

static void replace_text(struct field_reader* reader, char** out, const char* text, size_t size) {
  char* copy = keep(reader, text, size);
  if (!copy) return;
  free(*out);
  *out = copy;
}

static void read_members(struct field_reader* reader, const struct json_value* value,
                         const struct field* members) {
  if (!is_kind(reader, value, JSON_OBJECT)) return;
  const size_t outside = enter(reader, value);
  field_read_object(reader, value, members);
  leave(reader, outside);
}

static void read_duration(struct field_reader* reader, const struct json_value* value, int64_t* out) {
  const int64_t seconds =
      value->kind == JSON_TEXT || value->kind == JSON_NUMBER ? seconds_of(value->text) : -1;
  if (seconds >= 0) {
    *out = seconds;
  } else {
    field_fault(reader, value, "a duration is wanted: seconds, or a text like \"90s\", \"10m\" or \"1h30m\"");
  }
}

static void read_field(struct field_reader* reader, const struct json_value* value,
                       const struct field* field) {
  char* at = (char*)reader->out + field->offset;
  switch (field->kind) {
    case FIELD_FORMAT:
      if (is_kind(reader, value, JSON_TEXT) && strcmp(value->text, CEDE_SLURM_FORMAT) != 0)
        field_fault(reader, value, "'%.40s' is not '" CEDE_SLURM_FORMAT "'", value->text);
      return;
    case FIELD_FLAG:
      if (is_kind(reader, value, JSON_BOOL)) *(bool*)(void*)at = value->truth;
      return;
    case FIELD_NUMBER: number_in(reader, value, field, (int64_t*)(void*)at); return;
    case FIELD_TEXT:
      if (is_kind(reader, value, JSON_TEXT))
        replace_text(reader, (char**)(void*)at, value->text, strlen(value->text));
      return;
    case FIELD_PATH:
      if (!is_kind(reader, value, JSON_TEXT)) return;
      if (*value->text == '/') {
        replace_text(reader, (char**)(void*)at, value->text, strlen(value->text));
      } else {
        field_fault(reader, value, "'%.60s' is no absolute path", value->text);
      }
      return;
    case FIELD_DURATION: read_duration(reader, value, (int64_t*)(void*)at); return;
    case FIELD_CHOICE: {
      const int choice = choice_in(reader, value, field->choices);
      if (choice >= 0) *(int*)(void*)at = choice;
      return;
    }
    case FIELD_CHOICES: read_choices(reader, value, field, (uint64_t*)(void*)at); return;
    case FIELD_OBJECT: read_members(reader, value, field->members); return;
    case FIELD_NUMBER_MAP: read_number_map(reader, value, field, (struct number_map*)(void*)at); return;
    case FIELD_TEXT_MAP: read_text_map(reader, value, false, (struct text_map*)(void*)at); return;
    case FIELD_POLICY_MAP: read_text_map(reader, value, true, (struct text_map*)(void*)at); return;
    case FIELD_RAW_OBJECT:
    case FIELD_RAW_LIST:
      if (is_kind(reader, value, field->kind == FIELD_RAW_LIST ? JSON_LIST : JSON_OBJECT))
        replace_text(reader, (char**)(void*)at, reader->text + value->begin, value->end - value->begin);
      return;
  }
}

void field_read_object(struct field_reader* reader, const struct json_value* object,
                       const struct field* fields) {
  if (!is_kind(reader, object, JSON_OBJECT)) return;
  if (fields[0].kind == FIELD_FORMAT && !json_member(object, fields[0].name))
    field_fault(reader, object, "'format' is missing; \"" CEDE_SLURM_FORMAT "\" is wanted");
  for (const struct json_value* member = object->first; member; member = member->next) {
    if (strncmp(member->key, "x-", 2) == 0) continue;
    const struct field* field = fields;
    while (field->name && strcmp(field->name, member->key) != 0) ++field;
    if (field->name) {
      read_field(reader, member, field);
    } else {
      tell_unknown(reader, member, fields);
    }
  }
}

bool field_read_defaults(void* out, const struct field* fields) {
  struct settings_report report = {.count = 0};
  struct field_reader reader = {.text = "", .out = out, .report = &report};
  for (const struct field* f = fields; f->name; ++f) {
    if (f->members && !field_read_defaults(out, f->members)) return false;
    if (!f->fallback) continue;
    struct json_fault fault;
    struct json_value* value = json_read(f->fallback, strlen(f->fallback), &fault);
    if (value) read_field(&reader, value, f);
    json_free(value);
    if (!value) return false;
  }
  return !reader.out_of_memory && report.count == 0;
}
