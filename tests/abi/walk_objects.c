/* SPDX-License-Identifier: MIT */
#include "walk_objects.h"

#include <CUnit/CUnit.h>
#include <stdarg.h>
#include <stdio.h>

const char* const kind_members[kKinds] = {"topologies", "domains", "groups", "reservations",
                                          "queues",     "nodes",   "jobs"};
static const char* const prefixes[kKinds] = {"n", "n", "g", "n", "q", "n", "n"};

uint32_t next_random(uint32_t* state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 10;
}

typedef struct Writer {
  char* text;
  size_t size;
  uint32_t* state;
} Writer;

__attribute__((format(printf, 2, 3))) static void put(Writer* out, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int size = vsnprintf(out->text + out->size, kObjectSize - out->size, format, arguments);
  va_end(arguments);
  CU_ASSERT_TRUE_FATAL(size >= 0 && out->size + (size_t)size < kObjectSize);
  out->size += (size_t)size;
}

static unsigned below(Writer* out, unsigned bound) { return next_random(out->state) % bound; }
static int one_in(Writer* out, unsigned bound) { return below(out, bound) == 0; }
/* References go mostly to the first few, which are there most of the time. */
static unsigned reference(Writer* out) { return one_in(out, 12) ? below(out, kIds) : below(out, 3); }

/* A name from the same small store as the ids, long and short: tables keep them in different places. */
static void put_name(Writer* out) {
  static const char* const long_ones[] = {"a name of more than sixteen bytes",
                                          "another name, of more than thirty-two bytes in all"};
  const unsigned which = below(out, 10);
  if (which < 2) {
    put(out, "\"%s\"", long_ones[which]);
  } else {
    put(out, "\"%s%u\"", which % 2 ? "n" : "q", below(out, kIds));
  }
}

static void put_optional_name(Writer* out, const char* member) {
  if (!one_in(out, 2)) return;
  put(out, ", \"%s\": ", member);
  put_name(out);
}

static void put_site(Writer* out) {
  if (one_in(out, 3)) put(out, ", \"x-note\": {\"v\": [%u]}", below(out, 4));
}

static void put_amounts(Writer* out, const char* member, unsigned least) {
  put(out, ", \"%s\": {\"gpu\": %u", member, least + below(out, 4));
  if (one_in(out, 2)) put(out, ", \"cpu\": \"%um\"", 500 * (least + below(out, 3)));
  put(out, "}");
}

static void put_topology(Writer* out, unsigned which) {
  put(out, "\"n%u\": {\"gpus\": %u", which, 2 + below(out, 2));
  if (one_in(out, 2)) put(out, ", \"numa\": [[0], [1]]");
  if (one_in(out, 2)) put(out, ", \"links\": {\"nvl\": [[0, 1]]}");
  put(out, "}");
}

static void put_domain(Writer* out, unsigned which) {
  if (one_in(out, 2)) {
    put(out, "{\"id\": \"n%u\", \"level\": \"spine\"", which);
  } else {
    put(out, "{\"id\": \"n%u\", \"level\": \"leaf\"", which);
    if (one_in(out, 2)) put(out, ", \"parent\": \"n%u\"", reference(out));
  }
  put_site(out);
  put(out, "}");
}

static void put_group(Writer* out, unsigned which) {
  static const char* const policies[] = {"default", "gold", "strict"};
  put(out, "{\"id\": \"g%u\", \"policy\": \"%s\"", which, policies[below(out, 3)]);
  if (one_in(out, 2)) put(out, ", \"resources\": {\"licence\": %u}", below(out, 5));
  put_site(out);
  put(out, "}");
}

static void put_reservation(Writer* out, unsigned which) {
  put(out, "{\"id\": \"n%u\", \"nodes\": [\"n%u\"], \"from\": 1760000100, \"until\": %u", which,
      reference(out), 1760000200 + below(out, 3));
  switch (below(out, 4)) {
    case 0: put(out, ", \"for\": {\"queue\": \"q%u\"}", reference(out)); break;
    case 1:
      put(out, ", \"for\": {\"user\": ");
      put_name(out);
      put(out, "}");
      break;
    case 2: put(out, ", \"for\": {\"job\": \"n%u\"}", reference(out)); break;
    default: put(out, ", \"for\": null"); break;
  }
  put_site(out);
  put(out, "}");
}

static void put_queue(Writer* out, unsigned which) {
  put(out, "{\"id\": \"q%u\"", which);
  if (which > 0) put(out, ", \"parent\": \"q%u\"", one_in(out, 3) ? reference(out) : 0);
  if (one_in(out, 2)) put_amounts(out, "guaranteed", 0);
  if (one_in(out, 2)) put_amounts(out, "max", 4);
  if (one_in(out, 3)) put(out, ", \"weight\": %u", 1 + below(out, 3));
  if (one_in(out, 4)) put(out, ", \"settings\": {\"max_victims\": %u}", 1 + below(out, 3));
  if (one_in(out, 3))
    put(out, ", \"preemption\": {\"policy\": \"fence\", \"delay\": \"%us\"}", 1 + below(out, 9));
  put_site(out);
  put(out, "}");
}

static void put_node(Writer* out, unsigned which) {
  put(out, "{\"id\": \"n%u\", \"group\": \"g%u\"", which, one_in(out, 4) ? reference(out) : 0);
  put_amounts(out, "resources", 4);
  if (one_in(out, 3)) put(out, ", \"topology\": \"n%u\"", reference(out));
  if (one_in(out, 3)) put(out, ", \"network\": [\"n%u\"]", reference(out));
  if (one_in(out, 3)) put(out, ", \"home\": \"q%u\"", reference(out));
  if (one_in(out, 4)) put(out, ", \"state\": \"%s\"", one_in(out, 2) ? "drain" : "down");
  if (one_in(out, 3)) put(out, ", \"fingerprint\": {\"driver\": \"%u\"}", below(out, 3));
  if (one_in(out, 3)) {
    put(out, ", \"labels\": {\"zone\": ");
    put_name(out);
    put(out, "}");
  }
  put_site(out);
  put(out, "}");
}

static void put_job(Writer* out, unsigned which) {
  const int running = one_in(out, 2);
  put(out, "{\"id\": \"n%u\", \"queue\": \"q%u\", \"group\": \"g%u\", \"priority\": %u", which,
      reference(out), one_in(out, 6) ? reference(out) : 0, one_in(out, 12) ? 101 : below(out, 4));
  put(out, running ? ", \"state\": \"running\", \"started\": 1759990000" : ", \"submitted\": 1759990000");
  put_optional_name(out, "app");
  put_optional_name(out, "user");
  put_optional_name(out, "project");
  put_optional_name(out, "tenant");
  if (one_in(out, 3)) put_amounts(out, "max", 6);
  if (one_in(out, 3))
    put(out, ", \"require\": {\"nodes\": {\"min\": %u}, \"hosts\": {\"labels\": {\"zone\": \"n1\"}}}",
        1 + below(out, 2));
  put_site(out);
  put(out, ", \"tasks\": [");
  const unsigned tasks = 1 + below(out, 3);
  for (unsigned i = 0; i < tasks; ++i) {
    put(out, i > 0 ? ", {\"id\": \"t%u.%u\"" : "{\"id\": \"t%u.%u\"", i, below(out, 3));
    if (running) put(out, ", \"node\": \"n%u\"", reference(out));
    if (running && one_in(out, 4)) {
      put(out, ", \"gpus\": [%u], \"resources\": {\"gpu\": 1}", below(out, 4));
    } else {
      put(out, ", \"resources\": {\"gpu\": %u, \"cpu\": \"%um\"}", below(out, 2), 1 + below(out, 3));
    }
    if (!running && one_in(out, 3)) put(out, ", \"count\": %u", 1 + below(out, 3));
    if (!running && one_in(out, 4)) put(out, ", \"required_node\": \"n%u\"", reference(out));
    put_site(out);
    put(out, "}");
  }
  put(out, "]}");
}

void write_object(char text[kObjectSize], int kind, unsigned which, uint32_t* state) {
  static void (*const writers[kKinds])(Writer*, unsigned) = {
      put_topology, put_domain, put_group, put_reservation, put_queue, put_node, put_job};
  Writer out = {text, 0, state};
  writers[kind](&out, which);
}

void write_id(char text[32], int kind, unsigned which) {
  snprintf(text, 32, "\"%s%u\"", prefixes[kind], which);
}
