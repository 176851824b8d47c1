/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "preempt/notices.h"

#include <stddef.h>
#include <stdint.h>

#include "preempt/slurm_headers.h"

enum { MOST = 200 };
static uint64_t told[MOST];
static size_t told_count;

void notice_once(void* context, const char* text) {
  (void)context;
  uint64_t hash = 1469598103934665603ULL;
  for (const char* c = text; *c; ++c) hash = (hash ^ (unsigned char)*c) * 1099511628211ULL;
  for (size_t i = 0; i < told_count; ++i)
    if (told[i] == hash) return;
  if (told_count == MOST) return;
  told[told_count++] = hash;
  info("preempt/cede: %s", text);
  if (told_count == MOST) info("preempt/cede: further remarks of this kind are left out until reconfigured");
}

void notices_clear(void) { told_count = 0; }
