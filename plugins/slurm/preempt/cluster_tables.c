/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "preempt/tables.h"
#include "translate/gres_text.h"

/*
 * Sizes of the structs read here, as a configured source tree gives them. An assert that fails means that the
 * headers were compiled in another way than slurmctld was: do not change the number, find out why.
 */
#if defined(__x86_64__) && SLURM_VERSION_NUMBER == SLURM_VERSION_NUM(22, 5, 8)
_Static_assert(sizeof(job_record_t) == 1048, "job_record_t");
_Static_assert(sizeof(slurm_details) == 504, "job_details");
_Static_assert(sizeof(job_resources_t) == 160, "job_resources_t");
_Static_assert(sizeof(node_record_t) == 472, "node_record_t");
_Static_assert(sizeof(part_record_t) == 328, "part_record_t");
_Static_assert(sizeof(slurmctld_resv_t) == 296, "slurmctld_resv_t");
_Static_assert(sizeof(gres_state_t) == 32, "gres_state_t");
_Static_assert(sizeof(gres_job_state_t) == 152, "gres_job_state_t");
_Static_assert(sizeof(gres_node_state_t) == 168, "gres_node_state_t");
_Static_assert(sizeof(licenses_t) == 24, "licenses_t");
_Static_assert(sizeof(job_queue_rec_t) == 48, "job_queue_rec_t");
_Static_assert(sizeof(slurm_conf_t) == 1544, "slurm_conf_t");
#endif

const char* tables_check_layout(const job_record_t* job) {
  if (job->magic != JOB_MAGIC) return "job_record";
  if (job->details && job->details->magic != DETAILS_MAGIC) return "job_details";
  if (job->part_ptr && job->part_ptr->magic != PART_MAGIC) return "part_record";
  const node_record_t* node = node_record_count > 0 ? node_record_table_ptr[0] : NULL;
  return node && node->magic != NODE_MAGIC ? "node_record" : NULL;
}

static enum node_phase phase_of(const node_record_t* node, int index) {
  if (bit_test(avail_node_bitmap, index)) return NODE_IS_UP;
  return IS_NODE_DRAIN(node) || IS_NODE_FAIL(node) ? NODE_IS_DRAINED : NODE_IS_DOWN;
}

struct gres_reader {
  struct arena* arena;
  struct gres_list list;
  size_t room;
};

static void add_gres(struct gres_reader* r, const char* name, const char* type, uint64_t count) {
  if (count == 0) return;
  if (r->list.count == r->room) {
    const size_t room = r->room ? r->room * 2 : 8;
    struct gres_fact* items = arena_take(r->arena, room * sizeof *items);
    if (r->list.count) memcpy(items, r->list.items, r->list.count * sizeof *items);
    r->list.items = items;
    r->room = room;
  }
  r->list.items[r->list.count++] = (struct gres_fact){
      .name = arena_text(r->arena, name), .type = arena_text(r->arena, type), .count = count};
}

static const char* type_of_device(const gres_node_state_t* state, int64_t device) {
  for (uint16_t i = 0; i < state->topo_cnt; ++i)
    if (state->topo_gres_bitmap && state->topo_gres_bitmap[i] &&
        device < bit_size(state->topo_gres_bitmap[i]) && bit_test(state->topo_gres_bitmap[i], device))
      return state->topo_type_name ? state->topo_type_name[i] : NULL;
  return NULL;
}

/* Devices in the order of their indexes, equal neighbours counted together. */
static void add_devices(struct gres_reader* r, const char* name, const gres_node_state_t* state) {
  const char* type = NULL;
  uint64_t run = 0;
  for (uint64_t i = 0; i < state->gres_cnt_avail; ++i) {
    const char* here = type_of_device(state, (int64_t)i);
    if (run > 0 && strcmp(here ? here : "", type ? type : "") != 0) {
      add_gres(r, name, type, run);
      run = 0;
    }
    type = here;
    ++run;
  }
  add_gres(r, name, type, run);
}

static int read_gres(void* x, void* arg) {
  const gres_state_t* gres = x;
  const gres_node_state_t* state = gres->gres_data;
  struct gres_reader* r = arg;
  if (!gres->gres_name || state->no_consume) return 0;
  if (state->topo_cnt && strcmp(gres->gres_name, "gpu") == 0) {
    add_devices(r, gres->gres_name, state);
  } else if (state->type_cnt && strcmp(gres->gres_name, "gpu") == 0) {
    for (uint16_t i = 0; i < state->type_cnt; ++i)
      add_gres(r, gres->gres_name, state->type_name[i], state->type_cnt_avail[i]);
  } else {
    add_gres(r, gres->gres_name, NULL, state->gres_cnt_avail);
  }
  return 0;
}

static void read_nodes(struct arena* arena, struct cluster_fact* out) {
  out->node_count = (size_t)node_record_count;
  out->nodes = arena_take(arena, (out->node_count + 1) * sizeof *out->nodes);
  for (int i = 0; i < node_record_count; ++i) {
    const node_record_t* node = node_record_table_ptr[i];
    struct node_fact* fact = &out->nodes[i];
    struct gres_reader reader = {.arena = arena};
    fact->name = fact->features = "";
    fact->phase = NODE_IS_DOWN;
    if (!node) continue;
    fact->name = arena_text(arena, node->name);
    fact->phase = phase_of(node, i);
    fact->cpus = node->cpus_efctv ? node->cpus_efctv : node->cpus;
    fact->threads = node->tpc ? node->tpc : 1;
    fact->memory_mb = node->real_memory > node->mem_spec_limit ? node->real_memory - node->mem_spec_limit : 0;
    fact->features = arena_text(arena, node->features_act ? node->features_act : node->features);
    if (node->gres_list) list_for_each(node->gres_list, read_gres, &reader);
    fact->gres = reader.list;
  }
}

struct cluster_reader {
  struct arena* arena;
  struct cluster_fact* out;
  const job_record_t* requester;
  const struct translation* notices;
};

static uint64_t* set_of(struct arena* arena, const struct cluster_fact* cluster, bitstr_t* bits) {
  uint64_t* set = arena_take(arena, (set_words(cluster->node_count) + 1) * sizeof *set);
  if (!bits) return set;
  const int64_t size = bit_size(bits);
  for (int64_t i = bit_ffs(bits); i >= 0 && i < size && (size_t)i < cluster->node_count; ++i)
    if (bit_test(bits, i)) set_add(set, (size_t)i);
  return set;
}

static enum preempt_setting preempt_setting_of(uint16_t mode) {
  if (mode == NO_VAL16) return PREEMPT_AS_CLUSTER;
  mode &= (uint16_t) ~(PREEMPT_MODE_GANG | PREEMPT_MODE_WITHIN);
  return mode == PREEMPT_MODE_OFF       ? PREEMPT_NEVER
         : mode == PREEMPT_MODE_CANCEL  ? PREEMPT_BY_CANCEL
         : mode == PREEMPT_MODE_REQUEUE ? PREEMPT_BY_REQUEUE
                                        : PREEMPT_BY_SUSPEND;
}

static int read_partition(void* x, void* arg) {
  const part_record_t* part = x;
  struct cluster_reader* r = arg;
  struct partition_fact* fact = &r->out->partitions[r->out->partition_count++];
  fact->name = arena_text(r->arena, part->name);
  fact->tier = part->priority_tier;
  fact->exclusive = part->max_share == 0;
  fact->oversubscribe = (part->max_share & SHARED_FORCE) && (part->max_share & ~SHARED_FORCE) > 1;
  fact->preempt = preempt_setting_of(part->preempt_mode);
  fact->nodes = set_of(r->arena, r->out, part->node_bitmap);
  return 0;
}

static int read_reservation(void* x, void* arg) {
  const slurmctld_resv_t* resv = x;
  struct cluster_reader* r = arg;
  if (!resv->name || !resv->node_bitmap || resv->end_time <= r->out->now) return 0;
  struct reservation_fact* fact = &r->out->reservations[r->out->reservation_count++];
  const bool floats = resv->flags & RESERVE_FLAG_TIME_FLOAT;
  fact->name = arena_text(r->arena, resv->name);
  fact->from = floats ? r->out->now + (int64_t)resv->start_time : (int64_t)resv->start_time;
  fact->until = floats ? fact->from + (int64_t)resv->duration * 60 : (int64_t)resv->end_time;
  fact->nodes = set_of(r->arena, r->out, resv->node_bitmap);
  fact->user = resv->user_cnt == 1 && resv->account_cnt == 0 && !(resv->ctld_flags & RESV_CTLD_USER_NOT)
                   ? arena_text(r->arena, resv->users)
                   : "";
  fact->job = "";
  const job_record_t* asks = r->requester;
  if (asks && asks->resv_name && strcmp(asks->resv_name, resv->name) == 0) {
    char id[16];
    snprintf(id, sizeof id, "%u", asks->job_id);
    fact->job = arena_text(r->arena, id);
  }
  if (!(resv->ctld_flags & RESV_CTLD_FULL_NODE))
    translation_notice(r->notices, "reservation '%s' of single cores counts as one of whole nodes",
                       resv->name);
  return 0;
}

static int read_licence(void* x, void* arg) {
  const licenses_t* licence = x;
  struct cluster_reader* r = arg;
  struct licence_fact* fact = &r->out->licences[r->out->licence_count++];
  fact->name = arena_text(r->arena, licence->name);
  fact->count = licence->total;
  return 0;
}

void tables_read_cluster(struct arena* arena, const job_record_t* requester, struct cluster_fact* out,
                         const struct translation* notices) {
  struct cluster_reader r = {.arena = arena, .out = out, .requester = requester, .notices = notices};
  out->now = (int64_t)time(NULL);
  out->memory_counts = slurm_conf.select_type_param & CR_MEMORY;
  read_nodes(arena, out);
  out->partition_count = out->reservation_count = out->licence_count = 0;
  out->partitions = arena_take(arena, ((size_t)list_count(part_list) + 1) * sizeof *out->partitions);
  list_for_each(part_list, read_partition, &r);
  if (resv_list) {
    out->reservations = arena_take(arena, ((size_t)list_count(resv_list) + 1) * sizeof *out->reservations);
    list_for_each(resv_list, read_reservation, &r);
  }
  if (CEDE_LICENCE_LIST) {
    out->licences = arena_take(arena, ((size_t)list_count(CEDE_LICENCE_LIST) + 1) * sizeof *out->licences);
    list_for_each(CEDE_LICENCE_LIST, read_licence, &r);
  }
}
