/* SPDX-License-Identifier: MIT */
/* A small cluster told in arrays alone: group g, queues root and root.a, nodes n1 and n2 of 8 GPUs under
 * leaves l1 and l2, job v running on n1 with 8 GPUs, job w waiting for 8. */
#ifndef CEDE_TESTS_ABI_ARRAY_CLUSTER_H
#define CEDE_TESTS_ABI_ARRAY_CLUSTER_H

#include <cede/cede.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ARRAY_NOW 1760000000000

extern const char array_policy_text[]; /* policy "default", profile priority */

typedef struct ArrayCluster {
  cede_engine* engine;
  uint32_t g, root, root_a, n1, n2, l1, l2, leaf, v, w, t0, gpu;
  uint32_t eight;   /* resources: 8 gpu */
  uint32_t listed;  /* a list: n2 */
  uint32_t by_leaf; /* a requirement: all on one leaf */
  cede_group group;
  cede_domain domains[2];
  cede_queue queues[2];
  cede_node nodes[2];
  cede_job jobs[2]; /* v and w */
  cede_task tasks[2];
} ArrayCluster;

/* The number of a name; 0 where there is none to be had. */
uint32_t number_of(cede_engine* engine, const char* name);
/* Numbers and structs, nothing put yet. 0 when all went well, as for what follows. */
int prepare_arrays(ArrayCluster* cluster);
int put_arrays(ArrayCluster* cluster);
int32_t put_jobs(ArrayCluster* cluster, cede_error* error);

#ifdef __cplusplus
}
#endif

#endif
