/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps the engine's cluster in step with slurmctld's tables. */
#ifndef CEDE_SLURM_MODEL_H
#define CEDE_SLURM_MODEL_H

#include "preempt/job_hashes.h"
#include "preempt/site.h"
#include "preempt/tables.h"

struct model {
  struct site* site;
  struct arena base; /* what `cluster` and `translation` point into */
  struct arena scratch;
  struct cluster_fact cluster;
  struct translation translation;
  struct job_hashes hashes;
  struct text document;
  struct arena names; /* queues the engine knows that no settings name */
  const char** queues;
  size_t queue_count;
  uint64_t cluster_hash;
  uint32_t round;
  bool loaded;
};

void model_open(struct model* model, struct site* site);
void model_close(struct model* model);

/*
 * Tells the engine what changed since the last question, from the records of these job numbers; `requester`
 * is one of them. False if that failed; the error has been logged.
 */
bool model_update(struct model* model, const uint32_t* jobs, size_t count, const job_record_t* requester);

#endif
