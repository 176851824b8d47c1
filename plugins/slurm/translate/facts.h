/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is known of a Slurm cluster, whoever asked it: the plugin reads slurmctld's tables, cede-slurm the
 * public API. Texts are never NULL; times are seconds since 1970, 0: not given. Sets of nodes are bits by
 * node index.
 */
#ifndef CEDE_SLURM_FACTS_H
#define CEDE_SLURM_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gres_fact {
  const char* name;
  const char* type; /* "" if it has none */
  uint64_t count;
};

struct gres_list {
  struct gres_fact* items;
  size_t count;
};

enum node_phase { NODE_IS_UP, NODE_IS_DRAINED, NODE_IS_DOWN };

struct node_fact {
  const char* name;
  enum node_phase phase;
  uint32_t cpus;
  uint32_t threads; /* per core */
  uint64_t memory_mb;
  struct gres_list gres; /* GPUs in the order of their indexes */
  const char* features;  /* active ones, comma between */
};

enum preempt_setting {
  PREEMPT_AS_CLUSTER,
  PREEMPT_NEVER,
  PREEMPT_BY_CANCEL,
  PREEMPT_BY_REQUEUE,
  PREEMPT_BY_SUSPEND
};

struct partition_fact {
  const char* name;
  uint32_t tier;
  bool exclusive;     /* whole nodes only */
  bool oversubscribe; /* cores are shared by force */
  enum preempt_setting preempt;
  uint64_t* nodes;
};

/* What a job has on one node. */
struct allocation_fact {
  size_t node;
  uint32_t cpus;
  uint64_t memory_mb;
  uint32_t gpus;
  uint64_t gpu_mask;     /* 0 if only the number is known */
  struct gres_list gres; /* except GPUs */
};

/* What a waiting job asks for, as its owner said it. */
struct request_fact {
  uint32_t min_nodes;
  uint32_t max_nodes; /* 0: any number */
  uint32_t min_cpus;  /* of the whole job */
  uint32_t node_cpus; /* at least, on each node */
  uint32_t tasks;     /* 0: not given */
  uint32_t tasks_per_node;
  uint32_t cpus_per_task;
  uint32_t sockets_per_node;
  uint64_t memory_mb;
  bool memory_per_cpu;
  uint64_t memory_per_gpu_mb;
  uint32_t cpus_per_gpu;
  struct gres_list per_job;
  struct gres_list per_node;
  struct gres_list per_socket;
  struct gres_list per_task;
  const char* features;
  const char** required_nodes; /* --nodelist */
  size_t required_count;
  const char** excluded_nodes; /* --exclude */
  size_t excluded_count;
  uint32_t switches;
  uint32_t switches_wait; /* seconds, 0: for ever */
  bool contiguous;
};

enum job_phase { JOB_IS_WAITING, JOB_IS_RUNNING, JOB_IS_SUSPENDED, JOB_IS_LEAVING };
enum exclusive_kind { EXCLUSIVE_NOT, EXCLUSIVE_NODE, EXCLUSIVE_USER, EXCLUSIVE_LABEL };

struct licence_fact {
  const char* name;
  uint64_t count;
};

#define NO_INDEX ((size_t)-1)

struct job_fact {
  const char* id;
  const char* app; /* the array or the heterogeneous job it belongs to, "" for neither */
  const char* user;
  const char* account;
  const char* qos;
  const char* comment;
  const char* reservation;
  enum job_phase phase;
  size_t partition;         /* where it runs, or which Slurm is trying */
  const size_t* partitions; /* all it may run in */
  size_t partition_count;
  uint32_t priority;
  int64_t submitted;
  int64_t eligible;
  int64_t started;
  int64_t walltime; /* seconds, 0: no limit */
  uint32_t restarts;
  bool has_signal; /* --signal */
  bool must_leave; /* but its requester is not known any more: taking it costs nothing */
  bool component;  /* of a heterogeneous job */
  enum exclusive_kind exclusive;
  struct licence_fact* licences;
  size_t licence_count;
  struct request_fact request;         /* of a waiting one */
  struct allocation_fact* allocations; /* of one with nodes */
  size_t allocation_count;
};

struct reservation_fact {
  const char* name;
  int64_t from;
  int64_t until;
  uint64_t* nodes;
  const char* user; /* whose it is alone, else "" */
  const char* job;  /* the job asked about, if it is in it, else "" */
};

/* What one node's GPUs look like, from the hwloc XML of the node. */
struct node_topology {
  const char* node;
  const char* signature; /* equal topologies have equal ones */
  const char* form;      /* the compact form of a cluster document, without its last brace */
  uint64_t gpus;
};

struct node_topology_list {
  struct node_topology* items; /* by node name */
  size_t count;
};

struct cluster_fact {
  int64_t now;
  bool memory_counts; /* memory is a resource of its own here */
  struct node_fact* nodes;
  size_t node_count;
  struct partition_fact* partitions;
  size_t partition_count;
  struct reservation_fact* reservations;
  size_t reservation_count;
  struct licence_fact* licences; /* what the cluster has */
  size_t licence_count;
  const char* topology; /* topology.conf, "" without one */
  struct node_topology_list node_topologies;
};

static inline size_t set_words(size_t bits) { return (bits + 63) / 64; }
static inline bool set_has(const uint64_t* set, size_t bit) { return set[bit / 64] >> bit % 64 & 1; }
static inline void set_add(uint64_t* set, size_t bit) { set[bit / 64] |= 1ULL << bit % 64; }

#endif
