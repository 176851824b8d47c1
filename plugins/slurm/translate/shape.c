/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "translate/shape.h"

#include <string.h>

#include "translate/gres_text.h"

static uint64_t divide_up(uint64_t a, uint64_t b) { return b == 0 ? a : (a + b - 1) / b; }
static uint64_t larger(uint64_t a, uint64_t b) { return a > b ? a : b; }

/* Threads of a core go to one job only, so that a piece on a node has whole cores. */
static uint64_t whole_cores(const struct translation* t, const struct job_fact* job, uint64_t cpus) {
  if (job->partition == NO_INDEX) return cpus;
  const uint64_t* nodes = t->cluster->partitions[job->partition].nodes;
  for (size_t n = 0; n < t->cluster->node_count; ++n) {
    if (!set_has(nodes, n)) continue;
    const uint64_t threads = t->cluster->nodes[n].threads;
    return threads > 1 ? divide_up(cpus, threads) * threads : cpus;
  }
  return cpus;
}

/* One GPU model for all, as far as the document can say it. */
static void note_models(const struct request_fact* r, struct request_shape* out) {
  const struct gres_list* const lists[] = {&r->per_job, &r->per_node, &r->per_socket, &r->per_task};
  const char* model = NULL;
  for (size_t l = 0; l < sizeof lists / sizeof lists[0]; ++l) {
    for (size_t i = 0; i < lists[l]->count; ++i) {
      const struct gres_fact* gres = &lists[l]->items[i];
      if (!is_gpu(gres)) continue;
      if (model && strcmp(model, gres->type) != 0) out->lost = "GPUs of several types in one job";
      model = gres->type;
    }
  }
  out->gpu_model = model ? model : "";
}

static void add_gres(struct request_shape* out, struct task_shape* task, const struct gres_list* list,
                     uint64_t times) {
  for (size_t i = 0; i < list->count; ++i) {
    const struct gres_fact* gres = &list->items[i];
    if (is_gpu(gres)) continue;
    if (strcmp(gres->name, "shard") == 0 || strcmp(gres->name, "mps") == 0)
      out->lost = "shared GPUs (shard, mps)";
    if (task->gres_count == MAX_SHAPE_GRES) {
      out->lost = "more than 8 kinds of generic resources";
      return;
    }
    task->gres[task->gres_count] = *gres;
    task->gres[task->gres_count++].count *= times;
  }
}

static uint64_t memory_of(const struct request_fact* r, uint64_t cpu_thousandths, uint64_t gpus,
                          bool whole_node) {
  if (r->memory_per_gpu_mb > 0 && gpus > 0) return r->memory_per_gpu_mb * gpus;
  if (r->memory_per_cpu) return divide_up(r->memory_mb * cpu_thousandths, 1000);
  return whole_node ? r->memory_mb : 0;
}

/* One piece per node, `nodes` of them; GPUs of the whole job are spread as evenly as they go. */
static void shape_per_node(const struct translation* t, const struct job_fact* job, uint64_t nodes,
                           struct request_shape* out) {
  const struct request_fact* r = &job->request;
  const uint64_t of_job = gpus_in(&r->per_job);
  const uint64_t tasks_here = r->tasks_per_node ? r->tasks_per_node : divide_up(r->tasks, nodes);
  uint64_t gpus = gpus_in(&r->per_node) + gpus_in(&r->per_task) * tasks_here +
                  gpus_in(&r->per_socket) * (r->sockets_per_node ? r->sockets_per_node : 1);
  if (gpus == 0) gpus = of_job / nodes;
  if (gpus_in(&r->per_socket) && !r->sockets_per_node)
    out->lost = "GPUs per socket without a number of sockets";
  const uint64_t larger_pieces = gpus_in(&r->per_node) ? 0 : of_job % nodes;
  out->one_per_node = true;
  out->min_nodes = out->max_nodes = nodes;
  for (int extra = 1; extra >= 0; --extra) {
    const uint64_t count = extra ? larger_pieces : nodes - larger_pieces;
    if (count == 0) continue;
    struct task_shape* task = &out->tasks[out->task_count++];
    task->count = count;
    task->gpus = gpus + (uint64_t)extra;
    uint64_t cpus = larger(larger(divide_up(r->min_cpus, nodes), r->node_cpus), 1);
    cpus = larger(cpus, larger((uint64_t)r->tasks_per_node * larger(r->cpus_per_task, 1),
                               r->cpus_per_gpu * task->gpus));
    task->cpu_thousandths = whole_cores(t, job, cpus) * 1000;
    task->memory_mb = memory_of(r, task->cpu_thousandths, task->gpus, true);
    add_gres(out, task, &r->per_node, 1);
    add_gres(out, task, &r->per_task, larger(tasks_here, 1));
  }
}

/* `count` equal pieces that may share nodes: the tasks of a job, or its GPUs. */
static void shape_spread(const struct job_fact* job, uint64_t count, uint64_t gpus,
                         struct request_shape* out) {
  const struct request_fact* r = &job->request;
  struct task_shape* task = &out->tasks[out->task_count++];
  task->count = count;
  task->gpus = gpus;
  task->cpu_thousandths = divide_up((uint64_t)r->min_cpus * 1000, count);
  if (r->cpus_per_gpu) task->cpu_thousandths = larger(task->cpu_thousandths, r->cpus_per_gpu * gpus * 1000);
  task->memory_mb = memory_of(r, task->cpu_thousandths, gpus, false);
  add_gres(out, task, &r->per_task, 1);
  out->min_nodes = r->min_nodes;
  out->max_nodes = r->max_nodes;
  out->tasks_per_node = r->tasks_per_node;
  if (r->memory_mb && !r->memory_per_cpu && !r->memory_per_gpu_mb)
    out->lost = "memory per node of a job whose number of nodes is open";
}

void shape_of_request(const struct translation* t, const struct job_fact* job, struct request_shape* out) {
  const struct request_fact* r = &job->request;
  const uint64_t nodes = larger(r->min_nodes, 1);
  const bool fixed = r->max_nodes == nodes || r->per_node.count || r->per_socket.count;
  memset(out, 0, sizeof *out);
  note_models(r, out);
  const bool uneven = gpus_in(&r->per_task) && r->tasks % nodes;
  const bool open = !fixed || uneven;
  if (open && gpus_in(&r->per_task) && r->tasks) {
    shape_spread(job, r->tasks, gpus_in(&r->per_task), out);
  } else if (open && gpus_in(&r->per_job)) {
    shape_spread(job, gpus_in(&r->per_job), 1, out);
  } else if (open && r->tasks > 1 && nodes == 1) {
    shape_spread(job, r->tasks, 0, out);
  } else {
    shape_per_node(t, job, nodes, out);
  }
  if (job->exclusive == EXCLUSIVE_LABEL) out->lost = "--exclusive=mcs";
  if (r->contiguous) out->lost = "--contiguous";
  if (job->component) out->lost = "heterogeneous jobs as requesters";
}
