/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A hash of each job as the engine last got it, by job number. */
#ifndef CEDE_SLURM_JOB_HASHES_H
#define CEDE_SLURM_JOB_HASHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct job_hash {
  uint32_t job;  /* 0: a free slot */
  uint32_t seen; /* in which round */
  uint64_t hash;
};

struct job_hashes {
  struct job_hash* slots;
  size_t capacity;
  size_t count;
};

/* The entry of a job; made with hash 0 if it has none. */
struct job_hash* job_hashes_find(struct job_hashes* hashes, uint32_t job);
/* Calls `gone` for every entry not seen in this round, and drops it. */
void job_hashes_remove_unseen(struct job_hashes* hashes, uint32_t round,
                              void (*gone)(void* context, uint32_t job), void* context);
void job_hashes_clear(struct job_hashes* hashes);

#endif
