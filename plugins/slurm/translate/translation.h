/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From facts to objects of a cede-cluster/1 document, by the settings of a site. */
#ifndef CEDE_SLURM_TRANSLATION_H
#define CEDE_SLURM_TRANSLATION_H

#include "config/settings.h"
#include "translate/arena.h"
#include "translate/facts.h"
#include "translate/text.h"

/* Called for everything that cannot be translated, each time it occurs; the receiver logs it once. */
typedef void (*notice_call)(void* context, const char* text);

/* Partitions that share a node, directly or through others, are one group; it has the name of the first. */
struct grouping {
  size_t* group_of;      /* by partition: the partition that names its group */
  size_t* group_of_node; /* NO_INDEX for a node in no partition */
  uint32_t* tiers;       /* distinct, ascending */
  size_t tier_count;
};

struct translation {
  const struct settings* settings;
  const struct cluster_fact* cluster;
  struct arena* arena;
  struct grouping grouping;
  bool guarantee_used; /* some policy is of profile guarantee */
  const char** queues; /* that the settings name */
  size_t queue_count;
  const char* root_queue;
  notice_call notice;
  void* notice_context;
};

/* Everything it makes lives in the arena. `policy` is the text of the policy in use. */
void translation_prepare(struct translation* out, const struct settings* settings,
                         const struct cluster_fact* cluster, const char* policy, struct arena* arena);
void translation_notice(const struct translation* t, const char* format, ...)
    __attribute__((format(printf, 2, 3)));

/* grouping.c */
void group_partitions(const struct cluster_fact* cluster, struct arena* arena, struct grouping* out);
/* The tiers in ascending order, spread over classes 0..9; 4 where all are equal. */
int class_of_tier(const struct grouping* grouping, uint32_t tier);

/* job_values.c: what a job counts as */
struct job_values {
  int job_class;
  const char* queue;
  bool has_priority;
  int64_t priority;
  enum checkpoint_mode checkpoint;
  int64_t estimate; /* seconds, below 0: not given */
  int64_t timeout;
  int64_t restart;
  int64_t last;
};
int class_of_job(const struct translation* t, const struct job_fact* job);
void values_of_job(const struct translation* t, const struct job_fact* job, struct job_values* out);

/* write_*.c */
void write_node(const struct translation* t, size_t node, struct text* out);
void write_job(const struct translation* t, const struct job_fact* job, struct text* out);
void write_reservation(const struct translation* t, const struct reservation_fact* reservation,
                       struct text* out);
void write_queue(const struct translation* t, const char* queue, struct text* out);
void write_groups(const struct translation* t, struct text* out);
void write_jobs(const struct translation* t, const struct job_fact* jobs, size_t count, struct text* out);
/* A whole cede-cluster/1 document; `queues` are those the settings do not name. */
void write_document(const struct translation* t, const char** queues, size_t queue_count,
                    const struct job_fact* jobs, size_t job_count, struct text* out);
/* The name of the topology of a node's GPUs, NULL where it has none. */
const char* topology_of_node(const struct translation* t, size_t node);
const char* group_of_job(const struct translation* t, const struct job_fact* job);
/* Nodes in no partition, or in another group than the first, cannot be told. Returns how many allocations are
 * left. */
size_t keep_allocations_of_one_group(const struct translation* t, struct job_fact* job);

#endif
