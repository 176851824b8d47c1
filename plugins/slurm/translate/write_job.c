/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "translate/gres_text.h"
#include "translate/require.h"
#include "translate/shape.h"
#include "translate/translation.h"

/* The nodes it runs on count, because its partition may have lost them meanwhile. */
const char* group_of_job(const struct translation* t, const struct job_fact* job) {
  const size_t here = job->allocation_count ? t->grouping.group_of_node[job->allocations[0].node] : NO_INDEX;
  const size_t group = here != NO_INDEX ? here : t->grouping.group_of[job->partition];
  return t->cluster->partitions[group].name;
}

size_t keep_allocations_of_one_group(const struct translation* t, struct job_fact* job) {
  size_t kept = 0, group = NO_INDEX;
  for (size_t i = 0; i < job->allocation_count; ++i) {
    const size_t here = t->grouping.group_of_node[job->allocations[i].node];
    if (group == NO_INDEX) group = here;
    if (here != NO_INDEX && here == group) job->allocations[kept++] = job->allocations[i];
  }
  return job->allocation_count = kept;
}

static void write_amounts(struct text* out, const struct translation* t, uint64_t cpu_thousandths,
                          uint64_t memory_mb, uint64_t gpus, const struct gres_fact* gres,
                          size_t gres_count) {
  text_key(out, "resources");
  text_add(out, "{");
  text_key(out, "cpu");
  if (cpu_thousandths % 1000) {
    text_addf(out, "\"%llum\"", (unsigned long long)cpu_thousandths);
  } else {
    text_addf(out, "%llu", (unsigned long long)(cpu_thousandths / 1000));
  }
  if (t->cluster->memory_counts && memory_mb) {
    text_key(out, "mem");
    text_addf(out, "\"%lluMi\"", (unsigned long long)memory_mb);
  }
  if (gpus) text_number(out, "gpu", (int64_t)gpus);
  for (size_t i = 0; i < gres_count; ++i) {
    char name[128];
    snprintf(name, sizeof name, "gres/%s", gres[i].name);
    text_number(out, name, (int64_t)gres[i].count);
  }
}

static void write_licences(struct text* out, const struct translation* t, const struct job_fact* job) {
  for (size_t i = 0; t->settings->licences && i < job->licence_count; ++i) {
    char name[128];
    snprintf(name, sizeof name, "licence/%s", job->licences[i].name);
    text_number(out, name, (int64_t)job->licences[i].count);
  }
}

/* A node whose configuration shrank under a running job still has what it has now. */
static uint64_t at_most(uint64_t value, uint64_t most) { return value < most ? value : most; }

static void write_allocation(const struct translation* t, const struct job_fact* job, size_t index,
                             struct text* out) {
  const struct allocation_fact* allocation = &job->allocations[index];
  const struct node_fact* node = &t->cluster->nodes[allocation->node];
  const uint64_t devices = gpus_in(&node->gres);
  const uint64_t all = devices >= 64 ? ~0ULL : (1ULL << devices) - 1;
  const bool named = allocation->gpu_mask && (allocation->gpu_mask & ~all) == 0;
  text_comma(out);
  text_addf(out, "{\"id\":\"t%zu\",\"node\":", index);
  text_quote(out, node->name);
  write_amounts(out, t, at_most(allocation->cpus, node->cpus) * 1000,
                at_most(allocation->memory_mb, node->memory_mb), at_most(allocation->gpus, devices),
                allocation->gres.items, allocation->gres.count);
  if (index == 0) write_licences(out, t, job);
  text_add(out, "}");
  if (named) {
    text_key(out, "gpus");
    text_add(out, "[");
    for (unsigned i = 0; i < 64; ++i) {
      if (!(allocation->gpu_mask >> i & 1)) continue;
      text_comma(out);
      text_addf(out, "%u", i);
    }
    text_add(out, "]");
  }
  text_add(out, "}");
}

/* Waiting tasks. Licences belong to the whole job, so its first task stands alone if there are any. */
static void write_waiting(const struct translation* t, const struct job_fact* job,
                          const struct request_shape* shape, bool on_named_nodes, struct text* out) {
  const struct request_fact* r = &job->request;
  const size_t named = on_named_nodes ? r->required_count : 0;
  size_t written = 0;
  for (size_t s = 0; s < shape->task_count; ++s) {
    const struct task_shape* task = &shape->tasks[s];
    for (uint64_t left = task->count; left > 0;) {
      const bool alone = written < named || (written == 0 && job->licence_count > 0);
      const uint64_t now = alone ? 1 : left;
      text_comma(out);
      text_addf(out, "{\"id\":\"t%zu\",\"count\":%llu", written, (unsigned long long)now);
      if (written < named) text_member(out, "required_node", r->required_nodes[written]);
      write_amounts(out, t, task->cpu_thousandths, task->memory_mb, task->gpus, task->gres, task->gres_count);
      if (written == 0) write_licences(out, t, job);
      text_add(out, "}}");
      left -= now;
      ++written;
    }
  }
}

static void write_checkpoint(const struct job_fact* job, const struct job_values* values, struct text* out) {
  static const char* const kModes[] = {"none", "auto", "manual"};
  text_key(out, "checkpoint");
  text_addf(out, "{\"mode\":\"%s\"", kModes[values->checkpoint]);
  if (values->estimate >= 0) text_number(out, "estimate", values->estimate);
  if (values->timeout >= 0) text_number(out, "timeout", values->timeout);
  if (values->restart >= 0) text_number(out, "restart", values->restart);
  if (values->last > 0 && job->started && values->last >= job->started)
    text_number(out, "last", values->last);
  if (job->has_signal) text_member(out, "via", "signal");
  text_add(out, "}");
}

/* The part of a waiting job's request that cannot be translated. Such a job must not preempt. */
static const char* what_is_lost(const struct translation* t, const struct job_fact* job,
                                const struct request_shape* shape) {
  if (shape->lost) return shape->lost;
  if (features_are_a_set(job)) return "--constraint with [] or counts";
  if (job->request.required_count && !shape->one_per_node)
    return "--nodelist of a job whose number of nodes is open";
  if (job->request.required_count && job->request.required_count < shape->min_nodes && t->guarantee_used)
    return "--nodelist shorter than the job under profile guarantee";
  if (*job->reservation && !reservation_of_job(t, job)) return "a reservation that is not there";
  if (job->partition != NO_INDEX && t->cluster->partitions[job->partition].oversubscribe)
    return "OverSubscribe=FORCE of a partition";
  return NULL;
}

static void write_times(const struct job_fact* job, struct text* out) {
  if (job->submitted) text_number(out, "submitted", job->submitted);
  if (job->phase == JOB_IS_WAITING) {
    if (job->eligible && job->eligible >= job->submitted) text_number(out, "waiting_since", job->eligible);
  } else {
    text_number(out, "started", job->started);
  }
  if (job->walltime && !job->must_leave) text_number(out, "walltime", job->walltime);
  if (job->restarts) text_number(out, "preempted_count", job->restarts);
}

/* Components of a heterogeneous job go together, and no document can say that of several jobs. */
static bool may_be_preempted(const struct translation* t, const struct job_fact* job) {
  if (job->component)
    translation_notice(t, "heterogeneous jobs are left alone: their parts can only go together");
  if (job->component) return false;
  return job->partition == NO_INDEX || t->cluster->partitions[job->partition].preempt != PREEMPT_NEVER;
}

void write_job(const struct translation* t, const struct job_fact* job, struct text* out) {
  static const char* const kPhases[] = {"pending", "running", "suspended", "preempting"};
  struct job_values values;
  struct request_shape shape;
  const bool waits = job->phase == JOB_IS_WAITING;
  const char* lost = NULL;
  values_of_job(t, job, &values);
  text_comma(out);
  text_add(out, "{");
  text_member(out, "id", job->id);
  text_member(out, "queue", values.queue);
  text_member(out, "group", group_of_job(t, job));
  text_member(out, "state", kPhases[job->phase]);
  text_key(out, "gang");
  text_add(out, "true");
  if (*job->app) text_member(out, "app", job->app);
  if (*job->user) text_member(out, "user", job->user);
  if (*job->account) text_member(out, "project", job->account);
  text_number(out, "class", values.job_class);
  if (values.has_priority) text_number(out, "priority", values.priority);
  write_times(job, out);
  write_checkpoint(job, &values, out);
  if (!may_be_preempted(t, job)) text_add(out, ",\"preemptible\":false");
  if (waits) {
    shape_of_request(t, job, &shape);
    lost = what_is_lost(t, job, &shape);
    if (lost)
      translation_notice(
          t, "%s cannot be translated; such jobs %s", lost,
          t->settings->untranslated == UNTRANSLATED_WAIT ? "do not preempt" : "are planned without it");
    if (lost && t->settings->untranslated == UNTRANSLATED_WAIT) text_add(out, ",\"may_preempt\":false");
  }
  const bool exactly = waits && job->request.required_count && job->request.required_count >= shape.min_nodes;
  const bool named = waits && shape.one_per_node && !exactly && !lost;
  write_require(t, job, waits ? &shape : NULL, exactly, out);
  text_key(out, "tasks");
  text_add(out, "[");
  if (waits) write_waiting(t, job, &shape, named, out);
  for (size_t i = 0; !waits && i < job->allocation_count; ++i) write_allocation(t, job, i, out);
  text_add(out, "]}");
}
