/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "preempt/model.h"

#include <string.h>

#include "preempt/decision.h"
#include "preempt/notices.h"

/* Set apart from what tables_job_hash() sees: a victim whose requester is forgotten, by a restart for one. */
#define MUST_LEAVE_HASH 0x8000000000000001ULL

void model_open(struct model* model, struct site* site) {
  memset(model, 0, sizeof *model);
  model->site = site;
  model->translation.notice = notice_once;
}

void model_close(struct model* model) {
  arena_free(&model->base);
  arena_free(&model->scratch);
  arena_free(&model->names);
  job_hashes_clear(&model->hashes);
  text_free(&model->document);
  memset(model, 0, sizeof *model);
}

/* The records that the engine must get, with their facts. */
struct changed {
  struct job_fact* jobs;
  size_t count;
};

static bool has_place(const struct model* model, struct job_fact* job) {
  return keep_allocations_of_one_group(&model->translation, job) > 0 || job->phase == JOB_IS_WAITING;
}

/* A record that cannot be translated counts as gone. */
static struct changed read_changed(struct model* model, const uint32_t* jobs, size_t count,
                                   const job_record_t* requester) {
  struct changed changed = {.jobs = arena_take(&model->scratch, (count + 1) * sizeof *changed.jobs)};
  int64_t waiting = 0;
  for (size_t i = 0; i < count; ++i) {
    const job_record_t* record = find_job_record(jobs[i]);
    uint64_t hash = record ? tables_job_hash(record) : 0;
    if (hash == 0) continue;
    const bool must_leave =
        IS_JOB_RUNNING(record) && record->preempt_time && !decision_leaving(record->job_id);
    if (must_leave) hash ^= MUST_LEAVE_HASH;
    const bool waits = IS_JOB_PENDING(record) && !IS_JOB_COMPLETING(record);
    if (waits && record != requester &&
        (record->het_job_id || ++waiting > model->site->settings->max_pending))
      continue;
    struct job_hash* known = job_hashes_find(&model->hashes, record->job_id);
    if (known->seen == model->round) continue;
    struct job_fact* fact = &changed.jobs[changed.count];
    if (known->hash != hash) {
      if (!tables_read_job(&model->scratch, &model->cluster, record, fact) || !has_place(model, fact))
        continue;
      if (must_leave) {
        fact->phase = JOB_IS_RUNNING;
        fact->must_leave = true;
      }
      known->hash = hash;
      ++changed.count;
    }
    known->seen = model->round;
  }
  if (waiting > model->site->settings->max_pending)
    notice_once(NULL, "more jobs wait than 'max_pending' lets the model hold; the rest is left out");
  return changed;
}

static bool knows_queue(const struct model* model, const char* name) {
  if (strcmp(name, model->translation.root_queue) == 0) return true;
  for (size_t i = 0; i < model->queue_count; ++i)
    if (strcmp(model->queues[i], name) == 0) return true;
  return false;
}

/* Accounts and the like become queues when a job first names them. */
static size_t add_queues(struct model* model, const struct changed* changed) {
  const size_t before = model->queue_count;
  if (*model->site->settings->queues || model->site->settings->queue_source == QUEUE_FROM_NONE) return before;
  for (size_t i = 0; i < changed->count; ++i) {
    struct job_values values;
    values_of_job(&model->translation, &changed->jobs[i], &values);
    if (knows_queue(model, values.queue)) continue;
    const char** queues = arena_take(&model->names, (model->queue_count + 1) * sizeof *queues);
    if (model->queue_count) memcpy(queues, model->queues, model->queue_count * sizeof *queues);
    queues[model->queue_count++] = arena_text(&model->names, values.queue);
    model->queues = queues;
  }
  return before;
}

static void forget(void* context, uint32_t job) {
  (void)context;
  (void)job;
}

static bool load_all(struct model* model, const uint32_t* jobs, size_t count, const job_record_t* requester) {
  struct site* site = model->site;
  cede_error fault;
  model->loaded = false;
  arena_reset(&model->base);
  arena_reset(&model->names);
  job_hashes_clear(&model->hashes);
  model->queue_count = 0;
  memset(&model->cluster, 0, sizeof model->cluster);
  model->cluster.topology = site->topology;
  model->cluster.node_topologies = site->node_topologies;
  tables_read_cluster(&model->base, requester, &model->cluster, &model->translation);
  translation_prepare(&model->translation, site->settings, &model->cluster, site->policy, &model->base);
  model->translation.arena = &model->scratch; /* what jobs need is gone after each round */
  const struct changed all = read_changed(model, jobs, count, requester);
  add_queues(model, &all);
  text_clear(&model->document);
  write_document(&model->translation, model->queues, model->queue_count, all.jobs, all.count,
                 &model->document);
  job_hashes_remove_unseen(&model->hashes, model->round, forget, NULL);
  if (logs_all(site)) info("preempt/cede: cluster %s", model->document.data);
  if (site->library.cede_engine_load(site->engine, model->document.data, model->document.size, &fault) < 0) {
    error("preempt/cede: libcede does not take the cluster: %s (line %u)", fault.text, fault.line);
    return false;
  }
  return model->loaded = true;
}

static void write_gone(void* context, uint32_t job) {
  struct text* out = context;
  text_comma(out);
  text_addf(out, "\"%u\"", job);
}

static bool apply_changes(struct model* model, const uint32_t* jobs, size_t count,
                          const job_record_t* requester) {
  struct site* site = model->site;
  struct text* out = &model->document;
  cede_error fault;
  const struct changed changed = read_changed(model, jobs, count, requester);
  const size_t first_queue = add_queues(model, &changed);
  text_clear(out);
  text_add(out, "{\"format\":\"cede-changes/1\",\"put\":{\"queues\":[");
  for (size_t i = first_queue; i < model->queue_count; ++i)
    write_queue(&model->translation, model->queues[i], out);
  text_add(out, "]");
  write_jobs(&model->translation, changed.jobs, changed.count, out);
  text_add(out, "},\"remove\":{\"jobs\":[");
  const size_t before = out->size;
  job_hashes_remove_unseen(&model->hashes, model->round, write_gone, out);
  const bool nothing = changed.count == 0 && out->size == before;
  text_add(out, "]}}");
  if (nothing) return true;
  if (logs_all(site)) info("preempt/cede: changes %s", out->data);
  if (site->library.cede_engine_apply(site->engine, out->data, out->size, &fault) >= 0) return true;
  error("preempt/cede: changes were refused, so the whole cluster is loaded again: %s (line %u)", fault.text,
        fault.line);
  return false;
}

bool model_update(struct model* model, const uint32_t* jobs, size_t count, const job_record_t* requester) {
  const uint64_t hash = tables_cluster_hash(requester);
  ++model->round;
  arena_reset(&model->scratch);
  if (model->loaded && hash == model->cluster_hash && apply_changes(model, jobs, count, requester))
    return true;
  ++model->round;
  arena_reset(&model->scratch);
  model->cluster_hash = hash;
  return load_all(model, jobs, count, requester);
}
