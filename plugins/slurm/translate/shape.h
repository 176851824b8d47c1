/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a waiting job asks for as tasks of a cluster document: pieces that are each on one node. */
#ifndef CEDE_SLURM_SHAPE_H
#define CEDE_SLURM_SHAPE_H

#include "translate/translation.h"

enum { MAX_SHAPES = 2, MAX_SHAPE_GRES = 8 };

struct task_shape {
  uint64_t count;
  uint64_t cpu_thousandths;
  uint64_t memory_mb;
  uint64_t gpus;
  struct gres_fact gres[MAX_SHAPE_GRES]; /* except GPUs */
  size_t gres_count;
};

struct request_shape {
  struct task_shape tasks[MAX_SHAPES];
  size_t task_count;
  uint64_t min_nodes;
  uint64_t max_nodes;      /* 0: any number */
  uint64_t tasks_per_node; /* at most; 0: any number. One per node: exactly one */
  bool one_per_node;
  const char* gpu_model; /* "" for any */
  const char* lost;      /* the part of the request that it cannot express; NULL: it expresses all */
};

void shape_of_request(const struct translation* t, const struct job_fact* job, struct request_shape* out);

#endif
