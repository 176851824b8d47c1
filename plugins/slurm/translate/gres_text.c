/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "translate/gres_text.h"

#include <stdlib.h>
#include <string.h>

static const char* cut(struct arena* arena, const char* from, const char* to) {
  char* out = arena_take(arena, (size_t)(to - from) + 1);
  memcpy(out, from, (size_t)(to - from));
  return out;
}

/* The end of an entry: a comma outside of parentheses, or the end of the text. */
static const char* entry_end(const char* text) {
  int depth = 0;
  for (; *text; ++text) {
    if (*text == '(') ++depth;
    if (*text == ')') --depth;
    if (*text == ',' && depth == 0) break;
  }
  return text;
}

static uint64_t count_of(const char* text) {
  char* end = NULL;
  const uint64_t count = strtoull(text, &end, 10);
  return *end == 'K' || *end == 'k' ? count << 10
         : *end == 'M'              ? count << 20
         : *end == 'G'              ? count << 30
                                    : count;
}

/* One entry up to its parenthesis: [gres{:|/}]name[:type][{:|=}count]. */
static struct gres_fact read_entry(struct arena* arena, const char* from, const char* to) {
  struct gres_fact gres = {.type = "", .count = 1};
  if (strncmp(from, "gres:", 5) == 0 || strncmp(from, "gres/", 5) == 0) from += 5;
  const char* paren = memchr(from, '(', (size_t)(to - from));
  if (paren) to = paren;
  const char* words[3];
  size_t count = 0;
  while (count < 3) {
    const char* end = from;
    while (end < to && *end != ':' && *end != '=') ++end;
    words[count++] = cut(arena, from, end);
    if (end == to) break;
    from = end + 1;
  }
  gres.name = words[0];
  const bool counted = count > 1 && words[count - 1][0] >= '0' && words[count - 1][0] <= '9';
  if (counted) gres.count = count_of(words[count - 1]);
  if (count == 3 || (count == 2 && !counted)) gres.type = words[1];
  return gres;
}

static size_t count_entries(const char* text) {
  size_t count = 0;
  for (; *text; ++count) {
    text = entry_end(text);
    if (*text) ++text;
  }
  return count;
}

struct gres_list gres_of_text(struct arena* arena, const char* text) {
  struct gres_list list = {NULL, 0};
  if (!text || *text == '\0' || strcmp(text, "(null)") == 0) return list;
  list.items = arena_take(arena, count_entries(text) * sizeof *list.items);
  while (*text) {
    const char* end = entry_end(text);
    const bool other = strncmp(text, "license", 7) == 0 || strncmp(text, "cpu", 3) == 0;
    if (end > text && !other) list.items[list.count++] = read_entry(arena, text, end);
    text = *end ? end + 1 : end;
  }
  return list;
}

/* "0-3,6" as bits; 0 where an index is beyond 63. */
static uint64_t mask_of(const char* text, const char* end) {
  uint64_t mask = 0;
  while (text < end) {
    char* after = NULL;
    const unsigned long first = strtoul(text, &after, 10);
    unsigned long last = first;
    if (after == text) return 0;
    if (*after == '-') last = strtoul(after + 1, &after, 10);
    if (last > 63 || first > last) return 0;
    for (unsigned long i = first; i <= last; ++i) mask |= 1ULL << i;
    text = *after == ',' ? after + 1 : end;
  }
  return mask;
}

static uint64_t indexes_in(const char* from, const char* to) {
  const char* start = strstr(from, "IDX:");
  if (!start || start >= to) return 0;
  start += 4;
  const char* end = memchr(start, ')', (size_t)(to - start));
  return end ? mask_of(start, end) : 0;
}

void allocation_of_text(struct arena* arena, const char* text, struct allocation_fact* allocation) {
  uint32_t masked = 0;
  allocation->gres.items = arena_take(arena, (count_entries(text) + 1) * sizeof *allocation->gres.items);
  while (*text) {
    const char* end = entry_end(text);
    struct gres_fact gres = read_entry(arena, text, end);
    const uint64_t mask = indexes_in(text, end);
    if (!is_gpu(&gres)) {
      allocation->gres.items[allocation->gres.count++] = gres;
    } else {
      allocation->gpus += (uint32_t)gres.count;
      allocation->gpu_mask |= mask;
      masked += (uint32_t)__builtin_popcountll(mask);
    }
    text = *end ? end + 1 : end;
  }
  if (masked != allocation->gpus || (uint32_t)__builtin_popcountll(allocation->gpu_mask) != masked)
    allocation->gpu_mask = 0;
}

uint64_t gpus_in(const struct gres_list* list) {
  uint64_t count = 0;
  for (size_t i = 0; i < list->count; ++i)
    if (is_gpu(&list->items[i])) count += list->items[i].count;
  return count;
}

struct licence_fact* licences_of_text(struct arena* arena, const char* text, size_t* count) {
  *count = 0;
  if (!text || *text == '\0' || strcmp(text, "(null)") == 0) return NULL;
  size_t most = 1;
  for (const char* c = text; *c; ++c) most += *c == ',' || *c == ';';
  struct licence_fact* out = arena_take(arena, most * sizeof *out);
  while (*text) {
    const char* end = text + strcspn(text, ",;|");
    const char* colon = text + strcspn(text, ":=");
    if (colon > end) colon = end;
    out[*count].name = cut(arena, text, colon);
    out[*count].count = colon < end ? count_of(colon + 1) : 1;
    *count += colon > text;
    text = *end ? end + 1 : end;
  }
  return out;
}
