/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A live cluster by the public API of Slurm, as facts. */
#ifndef CEDE_SLURM_API_H
#define CEDE_SLURM_API_H

#include "translate/translation.h"

struct api_cluster {
  struct cluster_fact cluster;
  struct job_fact* jobs;
  size_t job_count;
  const char* configuration; /* the folder of slurm.conf */
  bool tree;                 /* topology.conf means something here */
};

/* Where slurm.conf is, asked of slurmctld. False, with a sentence, where it does not answer. */
bool api_open(struct arena* arena, struct api_cluster* out, char* why, size_t size);

/* Nodes, partitions, reservations, licences. */
bool api_read_cluster(struct arena* arena, const char* asks, struct api_cluster* out, char* why, size_t size);
bool api_read_jobs(struct arena* arena, struct api_cluster* out, char* why, size_t size);

/* Names of a host list in Slurm's form. */
const char** api_expand(struct arena* arena, const char* hosts, size_t* count);
/* NO_INDEX where no node has the name. */
size_t api_node(const struct cluster_fact* cluster, const char* name);

#endif
