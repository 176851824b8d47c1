/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <pwd.h>
#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>
#include <stdio.h>
#include <string.h>

#include "snapshot/api.h"
#include "translate/gres_text.h"

static uint32_t given32(uint32_t value) { return value == NO_VAL || value == INFINITE ? 0 : value; }
static uint16_t given16(uint16_t value) { return value == NO_VAL16 || value == INFINITE16 ? 0 : value; }

static const char* number_text(struct arena* arena, uint32_t number) {
  char text[16];
  snprintf(text, sizeof text, "%u", number);
  return arena_text(arena, text);
}

/* "a,b" as indexes; the job would go first to the partition with the highest tier. */
static void read_partitions(struct arena* arena, const struct cluster_fact* cluster, const char* names,
                            struct job_fact* out) {
  size_t* found = arena_take(arena, (cluster->partition_count + 1) * sizeof *found);
  out->partitions = found;
  out->partition = NO_INDEX;
  while (names && *names) {
    const size_t length = strcspn(names, ",");
    for (size_t p = 0; p < cluster->partition_count; ++p) {
      if (strlen(cluster->partitions[p].name) != length ||
          memcmp(cluster->partitions[p].name, names, length) != 0)
        continue;
      found[out->partition_count++] = p;
      if (out->partition == NO_INDEX ||
          cluster->partitions[p].tier > cluster->partitions[out->partition].tier)
        out->partition = p;
    }
    names += length + (names[length] == ',');
  }
}

static uint64_t gpu_number(struct arena* arena, const char* text) {
  const struct gres_list list = gres_of_text(arena, arena_text(arena, text));
  return gpus_in(&list);
}

static void read_request(struct arena* arena, const slurm_job_info_t* job, struct request_fact* out) {
  out->max_nodes = given32(job->max_nodes);
  /* If the number of nodes is open, num_nodes is slurmctld's guess. */
  out->min_nodes = out->max_nodes && job->num_nodes ? job->num_nodes : 1;
  out->min_cpus = given32(job->num_cpus);
  out->node_cpus = given16(job->pn_min_cpus);
  out->tasks = given32(job->num_tasks);
  out->tasks_per_node = given16(job->ntasks_per_node);
  out->cpus_per_task = given16(job->cpus_per_task);
  out->sockets_per_node = given16(job->sockets_per_node);
  if (job->pn_min_memory != NO_VAL64) {
    out->memory_per_cpu = job->pn_min_memory & MEM_PER_CPU;
    out->memory_mb = job->pn_min_memory & ~MEM_PER_CPU;
  }
  out->cpus_per_gpu = (uint32_t)gpu_number(arena, job->cpus_per_tres);
  out->memory_per_gpu_mb = gpu_number(arena, job->mem_per_tres);
  out->per_job = gres_of_text(arena, arena_text(arena, job->tres_per_job));
  out->per_node = gres_of_text(arena, arena_text(arena, job->tres_per_node));
  out->per_socket = gres_of_text(arena, arena_text(arena, job->tres_per_socket));
  out->per_task = gres_of_text(arena, arena_text(arena, job->tres_per_task));
  out->features = arena_text(arena, job->features);
  out->required_nodes = api_expand(arena, job->req_nodes, &out->required_count);
  out->excluded_nodes = api_expand(arena, job->exc_nodes, &out->excluded_count);
  out->switches = given32(job->req_switch);
  out->switches_wait = given32(job->wait4switch);
  out->contiguous = job->contiguous != 0;
}

static void read_allocations(struct arena* arena, const struct cluster_fact* cluster,
                             const slurm_job_info_t* job, struct job_fact* out) {
  size_t count = 0;
  const char** names = api_expand(arena, job->nodes, &count);
  out->allocations = arena_take(arena, (count + 1) * sizeof *out->allocations);
  for (size_t i = 0; i < count; ++i) {
    const size_t node = api_node(cluster, names[i]);
    if (node == NO_INDEX) continue;
    struct allocation_fact* allocation = &out->allocations[out->allocation_count++];
    const int cpus = job->job_resrcs ? slurm_job_cpus_allocated_on_node(job->job_resrcs, names[i]) : 0;
    const uint64_t memory = job->pn_min_memory == NO_VAL64 ? 0 : job->pn_min_memory & ~MEM_PER_CPU;
    allocation->node = node;
    allocation->cpus = cpus > 0 ? (uint32_t)cpus : 0;
    allocation->memory_mb = job->pn_min_memory & MEM_PER_CPU ? memory * allocation->cpus : memory;
    if (i < job->gres_detail_cnt && job->gres_detail_str)
      allocation_of_text(arena, arena_text(arena, job->gres_detail_str[i]), allocation);
  }
}

static bool phase_of(const slurm_job_info_t* job, enum job_phase* out) {
  const uint32_t base = job->job_state & JOB_STATE_BASE;
  const bool completes = job->job_state & JOB_COMPLETING;
  if (completes || (base == JOB_RUNNING && job->preempt_time)) return *out = JOB_IS_LEAVING, true;
  if (base == JOB_PENDING) return *out = JOB_IS_WAITING, job->priority != 0;
  if (base == JOB_RUNNING) return *out = JOB_IS_RUNNING, true;
  return *out = JOB_IS_SUSPENDED, base == JOB_SUSPENDED;
}

static const char* user_of(struct arena* arena, const slurm_job_info_t* job) {
  if (job->user_name && *job->user_name) return arena_text(arena, job->user_name);
  const struct passwd* user = getpwuid(job->user_id);
  return user ? arena_text(arena, user->pw_name) : number_text(arena, job->user_id);
}

static enum exclusive_kind exclusive_of(uint16_t shared) {
  return shared == JOB_SHARED_NONE   ? EXCLUSIVE_NODE
         : shared == JOB_SHARED_USER ? EXCLUSIVE_USER
         : shared == JOB_SHARED_MCS  ? EXCLUSIVE_LABEL
                                     : EXCLUSIVE_NOT;
}

static bool read_job(struct arena* arena, const struct cluster_fact* cluster, const slurm_job_info_t* job,
                     struct job_fact* out) {
  if (!phase_of(job, &out->phase)) return false;
  read_partitions(arena, cluster, job->partition, out);
  if (out->partition == NO_INDEX) return false;
  out->id = number_text(arena, job->job_id);
  out->app = job->array_job_id ? number_text(arena, job->array_job_id) : "";
  out->user = user_of(arena, job);
  out->account = arena_text(arena, job->account);
  out->qos = arena_text(arena, job->qos);
  out->comment = arena_text(arena, job->comment);
  out->reservation = arena_text(arena, job->resv_name);
  out->priority = job->priority;
  out->submitted = (int64_t)job->submit_time;
  out->eligible = (int64_t)job->eligible_time;
  out->walltime = (int64_t)given32(job->time_limit) * 60;
  out->restarts = job->restart_cnt;
  out->component = job->het_job_id != 0;
  out->exclusive = exclusive_of(job->shared);
  out->licences = licences_of_text(arena, arena_text(arena, job->licenses), &out->licence_count);
  if (out->phase == JOB_IS_WAITING) return read_request(arena, job, &out->request), true;
  out->partition_count = 0;
  out->started = (int64_t)job->start_time;
  read_allocations(arena, cluster, job, out);
  return out->allocation_count > 0;
}

bool api_read_jobs(struct arena* arena, struct api_cluster* out, char* why, size_t size) {
  job_info_msg_t* message = NULL;
  if (slurm_load_jobs(0, &message, SHOW_ALL | SHOW_DETAIL) != SLURM_SUCCESS) {
    snprintf(why, size, "Slurm does not tell its jobs: %s", slurm_strerror(errno));
    return false;
  }
  out->jobs = arena_take(arena, (message->record_count + 1) * sizeof *out->jobs);
  for (uint32_t i = 0; i < message->record_count; ++i) {
    struct job_fact* job = &out->jobs[out->job_count];
    memset(job, 0, sizeof *job);
    if (read_job(arena, &out->cluster, &message->job_array[i], job)) ++out->job_count;
  }
  slurm_free_job_info_msg(message);
  return true;
}
