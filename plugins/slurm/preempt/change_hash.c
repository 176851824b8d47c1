/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "preempt/tables.h"

static uint64_t mix(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15ULL;
  return hash ^ hash >> 29;
}

static uint64_t mix_text(uint64_t hash, const char* text) {
  if (!text) return mix(hash, 1);
  uint64_t word = 0;
  size_t length = 0;
  for (; text[length]; ++length) {
    word = word << 8 | (unsigned char)text[length];
    if (length % 8 == 7) hash = mix(hash, word), word = 0;
  }
  return mix(mix(hash, word), length + 2);
}

static uint64_t mix_bits(uint64_t hash, bitstr_t* bits) {
  if (!bits) return mix(hash, 1);
  const int64_t size = bit_size(bits);
  for (int64_t i = bit_ffs(bits); i >= 0 && i < size; ++i)
    if (bit_test(bits, i)) hash = mix(hash, (uint64_t)i);
  return mix(hash, (uint64_t)size + 2);
}

static uint64_t pointer(const void* p) { return (uint64_t)(uintptr_t)p; }

struct hash_state {
  uint64_t value;
  const job_record_t* requester;
};

static int hash_partition(void* x, void* arg) {
  const part_record_t* part = x;
  struct hash_state* state = arg;
  state->value =
      mix(mix(state->value, pointer(part)), (uint64_t)part->priority_tier << 32 | part->preempt_mode);
  state->value = mix(state->value, (uint64_t)part->max_share << 32 | part->total_nodes);
  state->value = mix_bits(mix_text(state->value, part->name), part->node_bitmap);
  return 0;
}

static int hash_reservation(void* x, void* arg) {
  const slurmctld_resv_t* resv = x;
  struct hash_state* state = arg;
  state->value = mix(mix(state->value, (uint64_t)resv->start_time), (uint64_t)resv->end_time);
  state->value = mix_bits(mix_text(mix_text(state->value, resv->name), resv->users), resv->node_bitmap);
  if (state->requester && state->requester->resv_name && resv->name &&
      strcmp(state->requester->resv_name, resv->name) == 0)
    state->value = mix(state->value, state->requester->job_id);
  return 0;
}

static int hash_licence(void* x, void* arg) {
  const licenses_t* licence = x;
  struct hash_state* state = arg;
  state->value = mix(mix_text(state->value, licence->name), licence->total);
  return 0;
}

static uint64_t cluster_hash(const job_record_t* requester) {
  struct hash_state m = {.value = 17, .requester = requester};
  m.value = mix(m.value, (uint64_t)slurm_conf.last_update);
  for (int i = 0; i < node_record_count; ++i) {
    const node_record_t* node = node_record_table_ptr[i];
    if (!node) continue;
    const uint64_t state = node->node_state & (NODE_STATE_BASE | NODE_STATE_DRAIN | NODE_STATE_FAIL);
    const uint64_t base = state & NODE_STATE_BASE;
    /* Idle, allocated and mixed follow from the jobs. */
    const bool works = base == NODE_STATE_IDLE || base == NODE_STATE_ALLOCATED || base == NODE_STATE_MIXED;
    m.value = mix(m.value, (works ? 0 : base) | (state & ~(uint64_t)NODE_STATE_BASE) |
                               (uint64_t)bit_test(avail_node_bitmap, i) << 60);
    m.value = mix(mix_text(m.value, node->features_act), pointer(node->config_ptr));
    m.value = mix_text(mix(m.value, node->real_memory), node->gres);
  }
  list_for_each(part_list, hash_partition, &m);
  if (resv_list) list_for_each(resv_list, hash_reservation, &m);
  if (CEDE_LICENCE_LIST) list_for_each(CEDE_LICENCE_LIST, hash_licence, &m);
  return m.value;
}

/* Slurm's change times are whole seconds: a hash covers only changes from before the second it was made in.
 */
static bool unchanged_since(time_t when) {
  return last_node_update < when && last_part_update < when && last_resv_update < when &&
         last_license_update < when && slurm_conf.last_update < when;
}

uint64_t tables_cluster_hash(const job_record_t* requester) {
  static struct {
    time_t made;
    uint32_t reserved; /* the requester, where it is in a reservation */
    uint64_t value;
  } known;
  const uint32_t reserved = requester && requester->resv_name ? requester->job_id : 0;
  if (known.made && known.reserved == reserved && unchanged_since(known.made)) return known.value;
  known.made = time(NULL);
  known.reserved = reserved;
  return known.value = cluster_hash(requester);
}

static uint64_t hash_request(uint64_t hash, const job_record_t* job) {
  const slurm_details* d = job->details;
  hash = mix(mix(hash, (uint64_t)d->min_nodes << 32 | d->max_nodes),
             (uint64_t)d->orig_min_cpus << 32 | d->num_tasks);
  hash = mix(hash, (uint64_t)d->ntasks_per_node << 32 | d->cpus_per_task);
  hash = mix(mix(hash, d->orig_pn_min_memory), (uint64_t)d->orig_pn_min_cpus << 32 | job->req_switch);
  hash = mix(mix(hash, (uint64_t)d->begin_time), (uint64_t)d->whole_node << 32 | job->wait4switch);
  hash = mix_text(mix_text(mix_text(hash, d->features), d->req_nodes), d->exc_nodes);
  hash = mix_text(mix_text(hash, job->tres_per_job), job->tres_per_node);
  hash = mix_text(mix_text(hash, job->tres_per_socket), job->tres_per_task);
  hash = mix_text(mix_text(hash, job->cpus_per_tres), job->mem_per_tres);
  return mix_text(mix_text(hash, job->partition), job->licenses);
}

uint64_t tables_job_hash(const job_record_t* job) {
  if (!job->details || !job->part_ptr) return 0;
  const bool waits = IS_JOB_PENDING(job) && !IS_JOB_COMPLETING(job);
  if (!waits && !IS_JOB_RUNNING(job) && !IS_JOB_SUSPENDED(job) && !IS_JOB_COMPLETING(job)) return 0;
  if (waits && job->priority == 0) return 0;
  uint64_t hash = mix(mix(23, job->array_job_id), (uint64_t)job->job_state << 32 | job->restart_cnt);
  hash = mix(mix(hash, pointer(job->part_ptr)), job->priority);
  hash = mix(mix(hash, pointer(job->qos_ptr)), (uint64_t)job->time_limit << 8 | (job->preempt_time != 0));
  hash = mix_text(mix_text(mix_text(hash, job->account), job->comment), job->resv_name);
  if (waits) {
    hash = hash_request(hash, job);
  } else {
    hash = mix(mix(hash, (uint64_t)job->start_time), pointer(job->job_resrcs));
    if (IS_JOB_COMPLETING(job)) hash = mix_bits(hash, job->node_bitmap_cg);
    if (job->job_resrcs) hash = mix(hash, (uint64_t)job->job_resrcs->nhosts << 32 | job->job_resrcs->ncpus);
  }
  return hash ? hash : 1;
}
