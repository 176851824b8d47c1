/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "config/json_tree.h"
#include "translate/features.h"
#include "translate/gres_text.h"
#include "translate/node_topology.h"
#include "translate/translation.h"

enum { MAX_DEVICES = 64 };

void translation_notice(const struct translation* t, const char* format, ...) {
  char line[300];
  va_list values;
  if (!t->notice) return;
  va_start(values, format);
  vsnprintf(line, sizeof line, format, values);
  va_end(values);
  t->notice(t->notice_context, line);
}

/* The ids in the settings' own list of queues, and which of them has no parent. */
static void read_queues(struct translation* out) {
  struct json_fault fault;
  const char* text = out->settings->queues;
  struct json_value* list = *text ? json_read(text, strlen(text), &fault) : NULL;
  size_t count = 0;
  out->root_queue = "root";
  if (!list) return;
  for (const struct json_value* item = list->first; item; item = item->next) ++count;
  out->queues = arena_take(out->arena, (count + 1) * sizeof *out->queues);
  for (const struct json_value* item = list->first; item; item = item->next) {
    const struct json_value* id = json_member(item, "id");
    const struct json_value* parent = json_member(item, "parent");
    if (!id || id->kind != JSON_TEXT) continue;
    const char* name = arena_text(out->arena, id->text);
    if (!parent || parent->kind == JSON_NULL) out->root_queue = name;
    out->queues[out->queue_count++] = name;
  }
  json_free(list);
}

void translation_prepare(struct translation* out, const struct settings* settings,
                         const struct cluster_fact* cluster, const char* policy, struct arena* arena) {
  notice_call notice = out->notice;
  void* context = out->notice_context;
  memset(out, 0, sizeof *out);
  out->settings = settings;
  out->cluster = cluster;
  out->arena = arena;
  out->notice = notice;
  out->notice_context = context;
  /* A task with a required node has more rights there than a user may give itself by --nodelist. */
  out->guarantee_used = strstr(policy, "\"guarantee\"") != NULL;
  group_partitions(cluster, arena, &out->grouping);
  read_queues(out);
}

/* If hwloc shows another number of GPUs than Slurm has, its topology cannot be matched to Slurm's indexes. */
static const struct node_topology* measured_topology_of(const struct translation* t, size_t node) {
  const struct node_fact* fact = &t->cluster->nodes[node];
  const struct node_topology* topology = node_topology_of(&t->cluster->node_topologies, fact->name);
  if (!topology || topology->gpus == gpus_in(&fact->gres)) return topology;
  translation_notice(t, "node '%s' has %llu GPUs in Slurm and %llu in its hwloc XML, which is ignored",
                     fact->name, (unsigned long long)gpus_in(&fact->gres),
                     (unsigned long long)topology->gpus);
  return NULL;
}

const char* topology_of_node(const struct translation* t, size_t node) {
  const struct gres_list* gres = &t->cluster->nodes[node].gres;
  const uint64_t gpus = gpus_in(gres);
  if (gpus == 0) return NULL;
  if (gpus > MAX_DEVICES) {
    translation_notice(t, "more than %d GPUs on node '%s' cannot be told apart", MAX_DEVICES,
                       t->cluster->nodes[node].name);
    return NULL;
  }
  const struct node_topology* topology = measured_topology_of(t, node);
  char name[240] = "gpus";
  if (topology) snprintf(name, sizeof name, "hwloc:%.32s", topology->signature);
  for (size_t i = 0; i < gres->count; ++i) {
    if (!is_gpu(&gres->items[i])) continue;
    const size_t used = strlen(name);
    snprintf(name + used, sizeof name - used, ":%s=%llu", gres->items[i].type,
             (unsigned long long)gres->items[i].count);
  }
  return arena_text(t->arena, name);
}

/* The topology from hwloc, else how many GPUs there are; of which model, Slurm knows. */
static void write_topology(const struct translation* t, size_t node, struct text* out) {
  const struct gres_list* gres = &t->cluster->nodes[node].gres;
  bool models = true;
  for (size_t i = 0; i < gres->count; ++i)
    if (is_gpu(&gres->items[i]) && *gres->items[i].type == '\0') models = false;
  const struct node_topology* topology = measured_topology_of(t, node);
  if (topology) text_add(out, topology->form);
  if (!topology) text_addf(out, "{\"gpus\":%llu,\"links_known\":false", (unsigned long long)gpus_in(gres));
  if (models) {
    text_key(out, "model");
    text_add(out, "[");
    for (size_t i = 0; i < gres->count; ++i) {
      for (uint64_t k = 0; is_gpu(&gres->items[i]) && k < gres->items[i].count; ++k) {
        text_comma(out);
        text_quote(out, gres->items[i].type);
      }
    }
    text_add(out, "]");
  }
  text_add(out, "}");
}

static void write_topologies(const struct translation* t, struct text* out) {
  const struct cluster_fact* c = t->cluster;
  const char** seen = arena_take(t->arena, (c->node_count + 1) * sizeof *seen);
  size_t count = 0;
  text_key(out, "topologies");
  text_add(out, "{");
  for (size_t n = 0; n < c->node_count; ++n) {
    const char* name = topology_of_node(t, n);
    size_t i = 0;
    if (!name) continue;
    while (i < count && strcmp(seen[i], name) != 0) ++i;
    if (i < count) continue;
    seen[count++] = name;
    text_key(out, name);
    write_topology(t, n, out);
  }
  text_add(out, "}");
}

struct feature_writer {
  const struct translation* t;
  struct text* out;
  bool fingerprint; /* write components, else labels */
  size_t prefix;
};

static void write_feature(void* context, const char* name) {
  const struct feature_writer* w = context;
  const char* prefix = w->t->settings->fingerprint_prefix;
  const bool component = *prefix && strncmp(name, prefix, strlen(prefix)) == 0;
  if (component != w->fingerprint) return;
  if (!component) {
    char label[160];
    snprintf(label, sizeof label, "feature/%s", name);
    text_member(w->out, label, "1");
    return;
  }
  name += strlen(prefix);
  const size_t length = strcspn(name, "=:");
  char key[128];
  if (length == 0 || length >= sizeof key) return;
  memcpy(key, name, length);
  key[length] = '\0';
  text_member(w->out, key, name[length] ? name + length + 1 : "1");
}

static void write_labels(const struct translation* t, size_t node, struct text* out) {
  const struct cluster_fact* c = t->cluster;
  struct feature_writer writer = {.t = t, .out = out};
  text_key(out, "labels");
  text_add(out, "{");
  for (size_t p = 0; p < c->partition_count; ++p) {
    char label[160];
    if (!set_has(c->partitions[p].nodes, node)) continue;
    snprintf(label, sizeof label, "partition/%s", c->partitions[p].name);
    text_member(out, label, "1");
  }
  features_each(c->nodes[node].features, t->arena, write_feature, &writer);
  text_add(out, "}");
  if (*t->settings->fingerprint_prefix == '\0' ||
      !strstr(c->nodes[node].features, t->settings->fingerprint_prefix))
    return;
  writer.fingerprint = true;
  text_key(out, "fingerprint");
  text_add(out, "{");
  features_each(c->nodes[node].features, t->arena, write_feature, &writer);
  text_add(out, "}");
}

void write_node(const struct translation* t, size_t index, struct text* out) {
  static const char* const kPhases[] = {"up", "drain", "down"};
  const struct node_fact* node = &t->cluster->nodes[index];
  const char* topology = topology_of_node(t, index);
  const uint64_t gpus = gpus_in(&node->gres);
  if (t->grouping.group_of_node[index] == NO_INDEX) return;
  text_comma(out);
  text_add(out, "{");
  text_member(out, "id", node->name);
  text_member(out, "group", t->cluster->partitions[t->grouping.group_of_node[index]].name);
  text_member(out, "state", kPhases[node->phase]);
  text_key(out, "resources");
  text_addf(out, "{\"cpu\":%u", node->cpus);
  if (t->cluster->memory_counts) text_addf(out, ",\"mem\":\"%lluMi\"", (unsigned long long)node->memory_mb);
  if (gpus) text_number(out, "gpu", (int64_t)gpus);
  for (size_t i = 0; i < node->gres.count; ++i) {
    char name[128];
    if (is_gpu(&node->gres.items[i])) continue;
    snprintf(name, sizeof name, "gres/%s", node->gres.items[i].name);
    text_number(out, name, (int64_t)node->gres.items[i].count);
  }
  text_add(out, "}");
  if (topology) text_member(out, "topology", topology);
  write_labels(t, index, out);
  text_add(out, "}");
}

void write_groups(const struct translation* t, struct text* out) {
  const struct cluster_fact* c = t->cluster;
  size_t groups = 0;
  for (size_t p = 0; p < c->partition_count; ++p) {
    if (t->grouping.group_of[p] != p) continue;
    const char* policy = NULL;
    for (size_t q = 0; q < c->partition_count && !policy; ++q)
      if (t->grouping.group_of[q] == p) policy = text_of(&t->settings->group_policies, c->partitions[q].name);
    text_comma(out);
    text_add(out, "{");
    text_member(out, "id", c->partitions[p].name);
    text_member(out, "policy", policy ? policy : "default");
    if (t->settings->licences && c->licence_count) {
      text_key(out, "resources");
      text_add(out, "{");
      for (size_t i = 0; i < c->licence_count; ++i) {
        char name[128];
        snprintf(name, sizeof name, "licence/%s", c->licences[i].name);
        text_number(out, name, (int64_t)c->licences[i].count);
      }
      text_add(out, "}");
    }
    text_add(out, "}");
    ++groups;
  }
  if (groups > 1 && c->licence_count && t->settings->licences)
    translation_notice(
        t, "licences shared by %zu groups of nodes are counted in each as if it had them alone", groups);
}

void write_reservation(const struct translation* t, const struct reservation_fact* r, struct text* out) {
  bool any = false;
  for (size_t n = 0; n < t->cluster->node_count; ++n)
    any = any || (set_has(r->nodes, n) && t->grouping.group_of_node[n] != NO_INDEX);
  if (!any || r->until <= r->from) return;
  text_comma(out);
  text_add(out, "{");
  text_member(out, "id", r->name);
  text_key(out, "nodes");
  text_add(out, "[");
  for (size_t n = 0; n < t->cluster->node_count; ++n) {
    if (!set_has(r->nodes, n) || t->grouping.group_of_node[n] == NO_INDEX) continue;
    text_comma(out);
    text_quote(out, t->cluster->nodes[n].name);
  }
  text_add(out, "]");
  text_number(out, "from", r->from);
  text_number(out, "until", r->until);
  if (*r->job || *r->user) {
    text_key(out, "for");
    text_add(out, "{");
    text_member(out, *r->job ? "job" : "user", *r->job ? r->job : r->user);
    text_add(out, "}");
  }
  text_add(out, "}");
}

void write_queue(const struct translation* t, const char* queue, struct text* out) {
  text_comma(out);
  text_add(out, "{");
  text_member(out, "id", queue);
  if (strcmp(queue, t->root_queue) != 0) text_member(out, "parent", t->root_queue);
  text_add(out, "}");
}

void write_jobs(const struct translation* t, const struct job_fact* jobs, size_t count, struct text* out) {
  text_key(out, "jobs");
  text_add(out, "[");
  for (size_t i = 0; i < count; ++i) {
    write_job(t, &jobs[i], out);
    text_add(out, "\n");
  }
  text_add(out, "]");
}

void write_document(const struct translation* t, const char** queues, size_t queue_count,
                    const struct job_fact* jobs, size_t job_count, struct text* out) {
  const struct cluster_fact* c = t->cluster;
  text_addf(out, "{\"format\":\"cede-cluster/1\",\"now\":%lld", (long long)c->now);
  write_topologies(t, out);
  if (*c->topology && t->settings->topology) {
    text_key(out, "network");
    text_add(out, "{");
    text_member(out, "slurm_topology", c->topology);
    text_add(out, "}");
  }
  text_key(out, "groups");
  text_add(out, "[");
  write_groups(t, out);
  text_add(out, "],\n\"queues\":");
  if (*t->settings->queues) {
    text_add(out, t->settings->queues);
  } else {
    text_add(out, "[");
    write_queue(t, t->root_queue, out);
    for (size_t i = 0; i < queue_count; ++i) write_queue(t, queues[i], out);
    text_add(out, "]");
  }
  text_add(out, ",\n\"nodes\":[");
  for (size_t n = 0; n < c->node_count; ++n) {
    write_node(t, n, out);
    if (out->data[out->size - 1] == '}') text_add(out, "\n");
  }
  text_add(out, "],\n\"reservations\":[");
  for (size_t i = 0; t->settings->reservations && i < c->reservation_count; ++i)
    write_reservation(t, &c->reservations[i], out);
  text_add(out, "]");
  write_jobs(t, jobs, job_count, out);
  text_add(out, "}\n");
}
