/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "preempt/notices.h"

#include <stddef.h>

#include "preempt/slurm_headers.h"

enum { MOST = 200 };
static uint64_t logged[MOST];
static size_t logged_count;

uint64_t line_hash(const char* line) {
  uint64_t hash = 1469598103934665603ULL;
  for (const char* c = line; *c; ++c) hash = (hash ^ (unsigned char)*c) * 1099511628211ULL;
  return hash;
}

void notice_once(void* context, const char* text) {
  (void)context;
  const uint64_t hash = line_hash(text);
  for (size_t i = 0; i < logged_count; ++i)
    if (logged[i] == hash) return;
  if (logged_count == MOST) return;
  logged[logged_count++] = hash;
  info("preempt/cede: %s", text);
  if (logged_count == MOST)
    info("preempt/cede: further remarks of this kind are left out until reconfigured");
}

void notices_clear(void) { logged_count = 0; }
