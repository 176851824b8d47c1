/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurmctld's tables as facts. All of it is called with slurmctld's locks held by the scheduler. */
#ifndef CEDE_SLURM_TABLES_H
#define CEDE_SLURM_TABLES_H

#include "preempt/slurm_headers.h"
#include "translate/translation.h"

/* Nodes, partitions, reservations and licences. `requester` is named in the reservation it is in; NULL:
 * nobody. */
void tables_read_cluster(struct arena* arena, const job_record_t* requester, struct cluster_fact* out,
                         const struct translation* notices);

/* If two numbers are equal, tables_read_cluster() would give the same facts. */
uint64_t tables_cluster_hash(const job_record_t* requester);
/* Likewise for one job; 0 for a job that is no part of the model: finished, held, or without a partition. */
uint64_t tables_job_hash(const job_record_t* job);

/* False if the record cannot be translated; then it is left out. */
bool tables_read_job(struct arena* arena, const struct cluster_fact* cluster, const job_record_t* job,
                     struct job_fact* out);

/* Names of a host list. */
const char** tables_expand(struct arena* arena, const char* hosts, size_t* count);

/* Whether a job that must leave still has nodes. */
static inline bool tables_is_leaving(const job_record_t* job) {
  return IS_JOB_COMPLETING(job) || (IS_JOB_RUNNING(job) && job->preempt_time);
}

/* NULL if Slurm's records have the layout this plugin was built for, else the record that has not. */
const char* tables_check_layout(const job_record_t* job);

#endif
