/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "preempt/notices.h"

#include <stddef.h>

#include "preempt/slurm_headers.h"

enum { MOST = 200 };
static uint64_t told[MOST];
static size_t told_count;

uint64_t line_hash(const char* line) {
  uint64_t hash = 1469598103934665603ULL;
  for (const char* c = line; *c; ++c) hash = (hash ^ (unsigned char)*c) * 1099511628211ULL;
  return hash;
}

void notice_once(void* context, const char* text) {
  (void)context;
  const uint64_t hash = line_hash(text);
  for (size_t i = 0; i < told_count; ++i)
    if (told[i] == hash) return;
  if (told_count == MOST) return;
  told[told_count++] = hash;
  info("preempt/cede: %s", text);
  if (told_count == MOST) info("preempt/cede: further remarks of this kind are left out until reconfigured");
}

void notices_clear(void) { told_count = 0; }
