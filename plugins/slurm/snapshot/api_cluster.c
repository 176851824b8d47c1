/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "snapshot/api.h"
#include "translate/gres_text.h"

static bool failed(const char* what, char* why, size_t size) {
  snprintf(why, size, "Slurm does not tell its %s: %s", what, slurm_strerror(errno));
  return false;
}

const char** api_expand(struct arena* arena, const char* hosts, size_t* count) {
  *count = 0;
  void* list = hosts && *hosts ? slurm_hostlist_create(hosts) : NULL;
  if (!list) return NULL;
  const char** names = arena_take(arena, ((size_t)slurm_hostlist_count(list) + 1) * sizeof *names);
  for (char* name = NULL; (name = slurm_hostlist_shift(list)); free(name))
    names[(*count)++] = arena_text(arena, name);
  slurm_hostlist_destroy(list);
  return names;
}

static int by_name(const void* a, const void* b) {
  return strcmp(((const struct node_fact*)a)->name, ((const struct node_fact*)b)->name);
}

size_t api_node(const struct cluster_fact* cluster, const char* name) {
  const struct node_fact key = {.name = name};
  const struct node_fact* found = bsearch(&key, cluster->nodes, cluster->node_count, sizeof key, by_name);
  return found ? (size_t)(found - cluster->nodes) : NO_INDEX;
}

static uint64_t* set_of(struct arena* arena, const struct cluster_fact* cluster, const char* hosts) {
  uint64_t* set = arena_take(arena, (set_words(cluster->node_count) + 1) * sizeof *set);
  size_t count = 0;
  const char** names = api_expand(arena, hosts, &count);
  for (size_t i = 0; i < count; ++i) {
    const size_t node = api_node(cluster, names[i]);
    if (node != NO_INDEX) set_add(set, node);
  }
  return set;
}

bool api_open(struct arena* arena, struct api_cluster* out, char* why, size_t size) {
  slurm_conf_t* conf = NULL;
  if (slurm_load_ctl_conf(0, &conf) != SLURM_SUCCESS) return failed("configuration", why, size);
  char* path = conf->slurm_conf ? strdup(conf->slurm_conf) : NULL;
  char* slash = path ? strrchr(path, '/') : NULL;
  if (slash) *slash = '\0';
  out->configuration = arena_text(arena, slash ? path : "/etc/slurm");
  out->tree = conf->topology_plugin &&
              (strstr(conf->topology_plugin, "tree") || strstr(conf->topology_plugin, "block"));
  out->cluster.memory_counts = conf->select_type_param & CR_MEMORY;
  out->cluster.topology = "";
  free(path);
  slurm_free_ctl_conf(conf);
  return true;
}

static enum node_phase phase_of(uint32_t state) {
  const uint32_t base = state & NODE_STATE_BASE;
  if (state & (NODE_STATE_DRAIN | NODE_STATE_FAIL)) return NODE_IS_DRAINED;
  if (state & NODE_STATE_NO_RESPOND) return NODE_IS_DOWN;
  return base == NODE_STATE_IDLE || base == NODE_STATE_ALLOCATED || base == NODE_STATE_MIXED ? NODE_IS_UP
                                                                                             : NODE_IS_DOWN;
}

static bool read_nodes(struct arena* arena, struct cluster_fact* out) {
  node_info_msg_t* message = NULL;
  if (slurm_load_node(0, &message, SHOW_ALL) != SLURM_SUCCESS) return false;
  out->nodes = arena_take(arena, (message->record_count + 1) * sizeof *out->nodes);
  for (uint32_t i = 0; i < message->record_count; ++i) {
    const node_info_t* node = &message->node_array[i];
    if (!node->name) continue;
    struct node_fact* fact = &out->nodes[out->node_count++];
    fact->name = arena_text(arena, node->name);
    fact->phase = phase_of(node->node_state);
    fact->cpus = node->cpus_efctv ? node->cpus_efctv : node->cpus;
    fact->threads = node->threads;
    fact->memory_mb = node->real_memory > node->mem_spec_limit ? node->real_memory - node->mem_spec_limit : 0;
    fact->gres = gres_of_text(arena, arena_text(arena, node->gres));
    fact->features = arena_text(arena, node->features_act ? node->features_act : node->features);
  }
  slurm_free_node_info_msg(message);
  qsort(out->nodes, out->node_count, sizeof *out->nodes, by_name);
  return true;
}

static enum preempt_setting preempt_setting_of(uint16_t mode) {
  if (mode == NO_VAL16) return PREEMPT_AS_CLUSTER;
  mode &= (uint16_t) ~(PREEMPT_MODE_GANG | PREEMPT_MODE_WITHIN);
  return mode == PREEMPT_MODE_OFF       ? PREEMPT_NEVER
         : mode == PREEMPT_MODE_CANCEL  ? PREEMPT_BY_CANCEL
         : mode == PREEMPT_MODE_REQUEUE ? PREEMPT_BY_REQUEUE
                                        : PREEMPT_BY_SUSPEND;
}

static bool read_partitions(struct arena* arena, struct cluster_fact* out) {
  partition_info_msg_t* message = NULL;
  if (slurm_load_partitions(0, &message, SHOW_ALL) != SLURM_SUCCESS) return false;
  out->partitions = arena_take(arena, (message->record_count + 1) * sizeof *out->partitions);
  for (uint32_t i = 0; i < message->record_count; ++i) {
    const partition_info_t* part = &message->partition_array[i];
    struct partition_fact* fact = &out->partitions[out->partition_count++];
    fact->name = arena_text(arena, part->name);
    fact->tier = part->priority_tier;
    fact->exclusive = part->max_share == 0;
    fact->oversubscribe = (part->max_share & SHARED_FORCE) && (part->max_share & ~SHARED_FORCE) > 1;
    fact->preempt = preempt_setting_of(part->preempt_mode);
    fact->nodes = set_of(arena, out, part->nodes);
  }
  slurm_free_partition_info_msg(message);
  return true;
}

static bool read_reservations(struct arena* arena, struct cluster_fact* out) {
  reserve_info_msg_t* message = NULL;
  if (slurm_load_reservations(0, &message) != SLURM_SUCCESS) return errno == SLURM_NO_CHANGE_IN_DATA;
  out->reservations = arena_take(arena, (message->record_count + 1) * sizeof *out->reservations);
  for (uint32_t i = 0; i < message->record_count; ++i) {
    const reserve_info_t* resv = &message->reservation_array[i];
    if (resv->end_time <= out->now) continue;
    const bool one_user =
        resv->users && *resv->users && !strpbrk(resv->users, ",-") && !(resv->accounts && *resv->accounts);
    struct reservation_fact* fact = &out->reservations[out->reservation_count++];
    fact->name = arena_text(arena, resv->name);
    fact->from = (int64_t)resv->start_time;
    fact->until = (int64_t)resv->end_time;
    fact->nodes = set_of(arena, out, resv->node_list);
    fact->user = one_user ? arena_text(arena, resv->users) : "";
    fact->job = "";
  }
  slurm_free_reservation_info_msg(message);
  return true;
}

static bool read_licences(struct arena* arena, struct cluster_fact* out) {
  license_info_msg_t* message = NULL;
  if (slurm_load_licenses(0, &message, SHOW_ALL) != SLURM_SUCCESS) return errno == SLURM_NO_CHANGE_IN_DATA;
  out->licences = arena_take(arena, (message->num_lic + 1) * sizeof *out->licences);
  for (uint32_t i = 0; i < message->num_lic; ++i) {
    struct licence_fact* fact = &out->licences[out->licence_count++];
    fact->name = arena_text(arena, message->lic_array[i].name);
    fact->count = message->lic_array[i].total;
  }
  slurm_free_license_info_msg(message);
  return true;
}

/* The job asked about may use the reservation that it is in. */
static void name_the_job(const struct api_cluster* all, const char* asks, struct cluster_fact* out) {
  for (size_t j = 0; asks && j < all->job_count; ++j) {
    if (strcmp(all->jobs[j].id, asks) != 0) continue;
    for (size_t i = 0; i < out->reservation_count; ++i)
      if (strcmp(out->reservations[i].name, all->jobs[j].reservation) == 0)
        out->reservations[i].job = all->jobs[j].id;
  }
}

bool api_read_cluster(struct arena* arena, const char* asks, struct api_cluster* out, char* why,
                      size_t size) {
  struct cluster_fact* cluster = &out->cluster;
  cluster->now = (int64_t)time(NULL);
  if (!read_nodes(arena, cluster)) return failed("nodes", why, size);
  if (!read_partitions(arena, cluster)) return failed("partitions", why, size);
  if (!read_reservations(arena, cluster)) return failed("reservations", why, size);
  if (!read_licences(arena, cluster)) return failed("licences", why, size);
  if (!api_read_jobs(arena, out, why, size)) return false;
  name_the_job(out, asks, cluster);
  return true;
}
