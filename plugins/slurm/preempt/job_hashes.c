/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "preempt/job_hashes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct job_hash* find(struct job_hash* slots, size_t capacity, uint32_t job) {
  size_t at = (size_t)(job * 0x9e3779b1U) % capacity;
  while (slots[at].job != 0 && slots[at].job != job) at = (at + 1) % capacity;
  return &slots[at];
}

static struct job_hash* make_slots(size_t capacity) {
  struct job_hash* slots = calloc(capacity, sizeof *slots);
  if (!slots) {
    fputs("preempt/cede: out of memory\n", stderr);
    abort();
  }
  return slots;
}

static void rehash(struct job_hashes* hashes, size_t capacity, uint32_t round, bool all) {
  struct job_hash* slots = make_slots(capacity);
  hashes->count = 0;
  for (size_t i = 0; i < hashes->capacity; ++i) {
    const struct job_hash* old = &hashes->slots[i];
    if (old->job == 0 || (!all && old->seen != round)) continue;
    *find(slots, capacity, old->job) = *old;
    ++hashes->count;
  }
  free(hashes->slots);
  hashes->slots = slots;
  hashes->capacity = capacity;
}

struct job_hash* job_hashes_find(struct job_hashes* hashes, uint32_t job) {
  if (hashes->count * 2 >= hashes->capacity)
    rehash(hashes, hashes->capacity ? hashes->capacity * 2 : 256, 0, true);
  struct job_hash* slot = find(hashes->slots, hashes->capacity, job);
  if (slot->job == 0) {
    slot->job = job;
    ++hashes->count;
  }
  return slot;
}

void job_hashes_remove_unseen(struct job_hashes* hashes, uint32_t round,
                              void (*gone)(void* context, uint32_t job), void* context) {
  bool any = false;
  for (size_t i = 0; i < hashes->capacity; ++i) {
    if (hashes->slots[i].job == 0 || hashes->slots[i].seen == round) continue;
    any = true;
    if (hashes->slots[i].hash != 0) gone(context, hashes->slots[i].job);
  }
  if (any) rehash(hashes, hashes->capacity, round, false);
}

void job_hashes_clear(struct job_hashes* hashes) {
  free(hashes->slots);
  memset(hashes, 0, sizeof *hashes);
}
