/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "preempt/tables.h"

static uint64_t mix(uint64_t mark, uint64_t value) {
  mark = (mark ^ value) * 0x9e3779b97f4a7c15ULL;
  return mark ^ mark >> 29;
}

static uint64_t mix_text(uint64_t mark, const char* text) {
  if (!text) return mix(mark, 1);
  uint64_t word = 0;
  size_t length = 0;
  for (; text[length]; ++length) {
    word = word << 8 | (unsigned char)text[length];
    if (length % 8 == 7) mark = mix(mark, word), word = 0;
  }
  return mix(mix(mark, word), length + 2);
}

static uint64_t mix_bits(uint64_t mark, bitstr_t* bits) {
  if (!bits) return mix(mark, 1);
  const int64_t size = bit_size(bits);
  for (int64_t i = bit_ffs(bits); i >= 0 && i < size; ++i)
    if (bit_test(bits, i)) mark = mix(mark, (uint64_t)i);
  return mix(mark, (uint64_t)size + 2);
}

static uint64_t pointer(const void* p) { return (uint64_t)(uintptr_t)p; }

struct mark {
  uint64_t value;
  const job_record_t* requester;
};

static int mark_partition(void* x, void* arg) {
  const part_record_t* part = x;
  struct mark* m = arg;
  m->value = mix(mix(m->value, pointer(part)), (uint64_t)part->priority_tier << 32 | part->preempt_mode);
  m->value = mix(m->value, (uint64_t)part->max_share << 32 | part->total_nodes);
  m->value = mix_bits(mix_text(m->value, part->name), part->node_bitmap);
  return 0;
}

static int mark_reservation(void* x, void* arg) {
  const slurmctld_resv_t* resv = x;
  struct mark* m = arg;
  m->value = mix(mix(m->value, (uint64_t)resv->start_time), (uint64_t)resv->end_time);
  m->value = mix_bits(mix_text(mix_text(m->value, resv->name), resv->users), resv->node_bitmap);
  if (m->requester && m->requester->resv_name && resv->name &&
      strcmp(m->requester->resv_name, resv->name) == 0)
    m->value = mix(m->value, m->requester->job_id);
  return 0;
}

static int mark_licence(void* x, void* arg) {
  const licenses_t* licence = x;
  struct mark* m = arg;
  m->value = mix(mix_text(m->value, licence->name), licence->total);
  return 0;
}

static uint64_t cluster_mark(const job_record_t* requester) {
  struct mark m = {.value = 17, .requester = requester};
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
  list_for_each(part_list, mark_partition, &m);
  if (resv_list) list_for_each(resv_list, mark_reservation, &m);
  if (CEDE_LICENCE_LIST) list_for_each(CEDE_LICENCE_LIST, mark_licence, &m);
  return m.value;
}

/* The times of Slurm's last changes are whole seconds: only what is older than a mark is surely in it. */
static bool unchanged_since(time_t when) {
  return last_node_update < when && last_part_update < when && last_resv_update < when &&
         last_license_update < when && slurm_conf.last_update < when;
}

uint64_t tables_cluster_mark(const job_record_t* requester) {
  static struct {
    time_t made;
    uint32_t reserved; /* the requester, where it is in a reservation */
    uint64_t value;
  } known;
  const uint32_t reserved = requester && requester->resv_name ? requester->job_id : 0;
  if (known.made && known.reserved == reserved && unchanged_since(known.made)) return known.value;
  known.made = time(NULL);
  known.reserved = reserved;
  return known.value = cluster_mark(requester);
}

static uint64_t mark_request(uint64_t mark, const job_record_t* job) {
  const slurm_details* d = job->details;
  mark = mix(mix(mark, (uint64_t)d->min_nodes << 32 | d->max_nodes),
             (uint64_t)d->orig_min_cpus << 32 | d->num_tasks);
  mark = mix(mark, (uint64_t)d->ntasks_per_node << 32 | d->cpus_per_task);
  mark = mix(mix(mark, d->orig_pn_min_memory), (uint64_t)d->orig_pn_min_cpus << 32 | job->req_switch);
  mark = mix(mix(mark, (uint64_t)d->begin_time), (uint64_t)d->whole_node << 32 | job->wait4switch);
  mark = mix_text(mix_text(mix_text(mark, d->features), d->req_nodes), d->exc_nodes);
  mark = mix_text(mix_text(mark, job->tres_per_job), job->tres_per_node);
  mark = mix_text(mix_text(mark, job->tres_per_socket), job->tres_per_task);
  mark = mix_text(mix_text(mark, job->cpus_per_tres), job->mem_per_tres);
  return mix_text(mix_text(mark, job->partition), job->licenses);
}

uint64_t tables_job_mark(const job_record_t* job) {
  if (!job->details || !job->part_ptr) return 0;
  const bool waits = IS_JOB_PENDING(job) && !IS_JOB_COMPLETING(job);
  if (!waits && !IS_JOB_RUNNING(job) && !IS_JOB_SUSPENDED(job) && !IS_JOB_COMPLETING(job)) return 0;
  if (waits && job->priority == 0) return 0;
  uint64_t mark = mix(mix(23, job->array_job_id), (uint64_t)job->job_state << 32 | job->restart_cnt);
  mark = mix(mix(mark, pointer(job->part_ptr)), job->priority);
  mark = mix(mix(mark, pointer(job->qos_ptr)), (uint64_t)job->time_limit << 8 | (job->preempt_time != 0));
  mark = mix_text(mix_text(mix_text(mark, job->account), job->comment), job->resv_name);
  if (waits) {
    mark = mark_request(mark, job);
  } else {
    mark = mix(mix(mark, (uint64_t)job->start_time), pointer(job->job_resrcs));
    if (IS_JOB_COMPLETING(job)) mark = mix_bits(mark, job->node_bitmap_cg);
    if (job->job_resrcs) mark = mix(mark, (uint64_t)job->job_resrcs->nhosts << 32 | job->job_resrcs->ncpus);
  }
  return mark ? mark : 1;
}
