/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "preempt/tables.h"
#include "translate/gres_text.h"

static uint32_t given32(uint32_t value) { return value == NO_VAL || value == INFINITE ? 0 : value; }
static uint16_t given16(uint16_t value) { return value == NO_VAL16 || value == INFINITE16 ? 0 : value; }

static size_t index_of_partition(const struct cluster_fact* cluster, const char* name) {
  for (size_t p = 0; name && p < cluster->partition_count; ++p)
    if (strcmp(cluster->partitions[p].name, name) == 0) return p;
  return NO_INDEX;
}

const char** tables_expand(struct arena* arena, const char* hosts, size_t* count) {
  *count = 0;
  if (!hosts || *hosts == '\0') return NULL;
  void* list = hostlist_create(hosts); /* its type is a pointer in some releases, a struct in others */
  if (!list) return NULL;
  const char** names = arena_take(arena, ((size_t)hostlist_count(list) + 1) * sizeof *names);
  for (char* name = NULL; (name = hostlist_shift(list)); free(name))
    names[(*count)++] = arena_text(arena, name);
  hostlist_destroy(list);
  return names;
}

static uint64_t gpu_number(struct arena* arena, const char* text) {
  const struct gres_list list = gres_of_text(arena, text);
  return gpus_in(&list);
}

/* Slurm alters min_cpus and the required nodes while it tries a job, so what was asked for is read instead.
 */
static void read_request(struct arena* arena, const job_record_t* job, struct request_fact* out) {
  const slurm_details* d = job->details;
  out->min_nodes = d->min_nodes ? d->min_nodes : 1;
  out->max_nodes = given32(d->max_nodes);
  out->min_cpus = given32(d->orig_min_cpus);
  out->node_cpus = given32(d->orig_pn_min_cpus);
  out->tasks = given32(d->num_tasks);
  out->tasks_per_node = given16(d->ntasks_per_node);
  out->cpus_per_task = given16(d->cpus_per_task);
  out->sockets_per_node = d->mc_ptr ? given16(d->mc_ptr->sockets_per_node) : 0;
  if (d->orig_pn_min_memory != NO_VAL64) {
    out->memory_per_cpu = d->orig_pn_min_memory & MEM_PER_CPU;
    out->memory_mb = d->orig_pn_min_memory & ~MEM_PER_CPU;
  }
  out->cpus_per_gpu = (uint32_t)gpu_number(arena, job->cpus_per_tres);
  out->memory_per_gpu_mb = gpu_number(arena, job->mem_per_tres);
  out->per_job = gres_of_text(arena, job->tres_per_job);
  out->per_node = gres_of_text(arena, job->tres_per_node);
  out->per_socket = gres_of_text(arena, job->tres_per_socket);
  out->per_task = gres_of_text(arena, job->tres_per_task);
  out->features = arena_text(arena, d->features);
  out->required_nodes = tables_expand(arena, d->req_nodes, &out->required_count);
  out->excluded_nodes = tables_expand(arena, d->exc_nodes, &out->excluded_count);
  out->switches = given32(job->req_switch);
  out->switches_wait = given32(job->wait4switch);
  out->contiguous = d->contiguous != 0;
}

struct allocation_reader {
  struct arena* arena;
  struct allocation_fact* allocation;
  uint32_t at; /* which of the job's nodes */
};

static int read_allocated_gres(void* x, void* arg) {
  const gres_state_t* gres = x;
  const gres_job_state_t* state = gres->gres_data;
  struct allocation_reader* r = arg;
  if (!gres->gres_name || r->at >= state->node_cnt || !state->gres_cnt_node_alloc) return 0;
  const uint64_t count = state->gres_cnt_node_alloc[r->at];
  bitstr_t* bits = state->gres_bit_alloc ? state->gres_bit_alloc[r->at] : NULL;
  if (strcmp(gres->gres_name, "gpu") != 0) {
    struct gres_fact* items = arena_take(r->arena, (r->allocation->gres.count + 1) * sizeof *items);
    if (r->allocation->gres.count)
      memcpy(items, r->allocation->gres.items, r->allocation->gres.count * sizeof *items);
    items[r->allocation->gres.count] =
        (struct gres_fact){.name = arena_text(r->arena, gres->gres_name), .type = "", .count = count};
    r->allocation->gres.items = items;
    ++r->allocation->gres.count;
    return 0;
  }
  r->allocation->gpus += (uint32_t)count;
  for (int64_t i = bits ? bit_ffs(bits) : -1; i >= 0 && i < bit_size(bits) && i < 64; ++i)
    if (bit_test(bits, i)) r->allocation->gpu_mask |= 1ULL << i;
  return 0;
}

static void read_allocations(struct arena* arena, const struct cluster_fact* cluster, const job_record_t* job,
                             struct job_fact* out) {
  const job_resources_t* res = job->job_resrcs;
  if (!res || !res->node_bitmap) return;
  const bool completes = IS_JOB_COMPLETING(job);
  out->allocations = arena_take(arena, (res->nhosts + 1) * sizeof *out->allocations);
  uint32_t at = 0;
  const int64_t size = bit_size(res->node_bitmap);
  for (int64_t n = bit_ffs(res->node_bitmap); n >= 0 && n < size && at < res->nhosts; ++n) {
    if (!bit_test(res->node_bitmap, n)) continue;
    const uint32_t here = at++;
    if ((size_t)n >= cluster->node_count) continue;
    if (completes && (!job->node_bitmap_cg || !bit_test(job->node_bitmap_cg, n))) continue;
    struct allocation_fact* allocation = &out->allocations[out->allocation_count++];
    struct allocation_reader r = {.arena = arena, .allocation = allocation, .at = here};
    allocation->node = (size_t)n;
    allocation->cpus = res->cpus ? res->cpus[here] : 0;
    allocation->memory_mb = res->memory_allocated ? res->memory_allocated[here] : 0;
    if (job->gres_list_alloc) list_for_each(job->gres_list_alloc, read_allocated_gres, &r);
    if ((uint32_t)__builtin_popcountll(allocation->gpu_mask) != allocation->gpus) allocation->gpu_mask = 0;
  }
}

static enum job_phase phase_of(const job_record_t* job) {
  if (tables_is_leaving(job)) return JOB_IS_LEAVING;
  if (IS_JOB_SUSPENDED(job)) return JOB_IS_SUSPENDED;
  return IS_JOB_RUNNING(job) ? JOB_IS_RUNNING : JOB_IS_WAITING;
}

static enum exclusive_kind exclusive_of(const job_record_t* job) {
  const uint8_t whole = job->details->whole_node;
  if (whole == 0) return EXCLUSIVE_NOT;
  if (whole == WHOLE_NODE_REQUIRED) return EXCLUSIVE_NODE;
  return whole == WHOLE_NODE_USER ? EXCLUSIVE_USER : EXCLUSIVE_LABEL;
}

static const char* number_text(struct arena* arena, uint32_t number) {
  char text[16];
  snprintf(text, sizeof text, "%u", number);
  return arena_text(arena, text);
}

static const char* app_of(struct arena* arena, const job_record_t* job) {
  if (job->array_job_id) return number_text(arena, job->array_job_id);
  return "";
}

static int64_t walltime_of(const job_record_t* job) {
  uint32_t minutes = given32(job->time_limit);
  if (minutes == 0 && job->time_limit == NO_VAL) minutes = given32(job->part_ptr->max_time);
  return (int64_t)minutes * 60;
}

bool tables_read_job(struct arena* arena, const struct cluster_fact* cluster, const job_record_t* job,
                     struct job_fact* out) {
  memset(out, 0, sizeof *out);
  out->phase = phase_of(job);
  out->partition = index_of_partition(cluster, job->part_ptr->name);
  if (out->partition == NO_INDEX) return false;
  out->id = number_text(arena, job->job_id);
  out->app = app_of(arena, job);
  out->user = arena_text(arena, job->user_name ? job->user_name : uid_to_string_cached(job->user_id));
  out->account = arena_text(arena, job->account);
  out->qos = arena_text(arena, job->qos_ptr ? job->qos_ptr->name : NULL);
  out->comment = arena_text(arena, job->comment);
  out->reservation = arena_text(arena, job->resv_name);
  out->priority = job->priority;
  out->submitted = (int64_t)job->details->submit_time;
  out->eligible = (int64_t)job->details->begin_time;
  out->walltime = walltime_of(job);
  out->restarts = job->restart_cnt;
  out->has_signal = job->warn_signal != 0;
  out->component = job->het_job_id != 0;
  out->exclusive = exclusive_of(job);
  out->licences = licences_of_text(arena, job->licenses, &out->licence_count);
  if (out->phase == JOB_IS_WAITING) {
    read_request(arena, job, &out->request);
    return true;
  }
  out->started = (int64_t)job->start_time;
  read_allocations(arena, cluster, job, out);
  return true;
}
