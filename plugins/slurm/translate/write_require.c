/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "translate/require.h"

#include <stdio.h>
#include <string.h>

#include "translate/features.h"

bool features_are_a_set(const struct job_fact* job) {
  return feature_form_of(job->request.features) == FEATURES_SET;
}

static void write_range(struct text* out, const char* key, uint64_t low, uint64_t high) {
  text_key(out, key);
  text_add(out, "{");
  if (low) text_number(out, "min", (int64_t)low);
  if (high) text_number(out, "max", (int64_t)high);
  text_add(out, "}");
}

struct label_writer {
  struct text* out;
};

static void write_feature_label(void* context, const char* name) {
  struct text* out = ((struct label_writer*)context)->out;
  char label[160];
  snprintf(label, sizeof label, "feature/%s", name);
  text_member(out, label, "1");
}

static void keep_only(uint64_t* set, const uint64_t* other, size_t nodes) {
  for (size_t w = 0; w < set_words(nodes); ++w) set[w] &= other[w];
}

const struct reservation_fact* reservation_of_job(const struct translation* t, const struct job_fact* job) {
  for (size_t i = 0; *job->reservation && i < t->cluster->reservation_count; ++i)
    if (strcmp(t->cluster->reservations[i].name, job->reservation) == 0) return &t->cluster->reservations[i];
  return NULL;
}

static bool is_needed(const struct request_fact* r, const char* node) {
  for (size_t i = 0; i < r->required_count; ++i)
    if (strcmp(r->required_nodes[i], node) == 0) return true;
  return false;
}

/* The nodes that a job may use, if labels cannot express them; NULL if they can. */
static uint64_t* allowed_nodes(const struct translation* t, const struct job_fact* job,
                               bool exactly_required) {
  const struct cluster_fact* c = t->cluster;
  const struct request_fact* r = &job->request;
  const enum feature_form form = feature_form_of(r->features);
  const struct reservation_fact* reservation = reservation_of_job(t, job);
  if (job->partition_count < 2 && form != FEATURES_ANY && !exactly_required && !reservation) return NULL;
  uint64_t* set = arena_take(t->arena, (set_words(c->node_count) + 1) * sizeof *set);
  uint64_t* other = arena_take(t->arena, (set_words(c->node_count) + 1) * sizeof *other);
  if (job->partition_count < 2) {
    memset(set, 0xff, set_words(c->node_count) * sizeof *set);
  } else {
    for (size_t i = 0; i < job->partition_count; ++i)
      for (size_t w = 0; w < set_words(c->node_count); ++w)
        set[w] |= c->partitions[job->partitions[i]].nodes[w];
  }
  if (reservation) keep_only(set, reservation->nodes, c->node_count);
  for (size_t n = 0; n < c->node_count; ++n) {
    const bool meets = form != FEATURES_ANY || features_meet(r->features, c->nodes[n].features);
    if (meets && (!exactly_required || is_needed(r, c->nodes[n].name))) set_add(other, n);
  }
  keep_only(set, other, c->node_count);
  return set;
}

static void write_hosts(const struct translation* t, const struct job_fact* job, bool exactly_required,
                        struct text* out) {
  const struct cluster_fact* c = t->cluster;
  const struct request_fact* r = &job->request;
  const uint64_t* allowed = allowed_nodes(t, job, exactly_required);
  text_key(out, "hosts");
  text_add(out, "{");
  if (allowed) {
    text_key(out, "include");
    text_add(out, "[");
    for (size_t n = 0; n < c->node_count; ++n) {
      if (!set_has(allowed, n) || t->grouping.group_of_node[n] == NO_INDEX) continue;
      text_comma(out);
      text_quote(out, c->nodes[n].name);
    }
    text_add(out, "]");
  }
  if (r->excluded_count) {
    text_key(out, "exclude");
    text_add(out, "[");
    for (size_t i = 0; i < r->excluded_count; ++i) {
      text_comma(out);
      text_quote(out, r->excluded_nodes[i]);
    }
    text_add(out, "]");
  }
  struct label_writer writer = {out};
  text_key(out, "labels");
  text_add(out, "{");
  if (job->partition_count < 2 && job->partition != NO_INDEX) {
    char label[160];
    snprintf(label, sizeof label, "partition/%s", c->partitions[job->partition].name);
    text_member(out, label, "1");
  }
  if (feature_form_of(r->features) == FEATURES_ALL)
    features_each(r->features, t->arena, write_feature_label, &writer);
  text_add(out, "}}");
}

static const char* exclusive_word(const struct translation* t, const struct job_fact* job) {
  if (job->exclusive == EXCLUSIVE_NODE) return "node";
  if (job->partition != NO_INDEX && t->cluster->partitions[job->partition].exclusive) return "node";
  return job->exclusive == EXCLUSIVE_USER ? "user" : NULL;
}

void write_require(const struct translation* t, const struct job_fact* job, const struct request_shape* shape,
                   bool exactly_required, struct text* out) {
  const struct request_fact* r = &job->request;
  const char* exclusive = exclusive_word(t, job);
  text_key(out, "require");
  text_add(out, "{");
  if (exclusive) text_member(out, "exclusive", exclusive);
  if (shape) {
    if (shape->min_nodes || shape->max_nodes) write_range(out, "nodes", shape->min_nodes, shape->max_nodes);
    if (shape->one_per_node) write_range(out, "tasks_per_node", 1, 1);
    if (shape->tasks_per_node) write_range(out, "tasks_per_node", 0, shape->tasks_per_node);
    if (*shape->gpu_model) {
      text_key(out, "gpu_model");
      text_add(out, "[");
      text_quote(out, shape->gpu_model);
      text_add(out, "]");
    }
    if (r->switches && *t->cluster->topology) {
      text_key(out, "network");
      text_addf(out, "[{\"level\":\"leaf\",\"max_domains\":%u", r->switches);
      if (r->switches_wait) text_addf(out, ",\"expires\":%u", r->switches_wait);
      text_add(out, "}]");
    }
    write_hosts(t, job, exactly_required, out);
  }
  text_add(out, "}");
}
