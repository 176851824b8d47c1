/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "preempt/decision.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "preempt/notices.h"
#include "preempt/victim_mode.h"

enum { BUCKETS = 256, PURGE_SECONDS = 60, SLOW_PLAN_US = 500000, FITS_SECONDS = 60 };
static struct decision* buckets[BUCKETS];
static time_t purged;

static void drop_answer(struct decision* d) {
  for (size_t i = 0; i < d->node_count; ++i) free(d->nodes[i]);
  free(d->nodes);
  free(d->victims);
  d->nodes = NULL;
  d->victims = NULL;
  d->node_count = d->victim_count = 0;
  d->leaving_since = 0;
}

static void purge(bool all) {
  for (size_t b = 0; b < BUCKETS; ++b) {
    for (struct decision** at = &buckets[b]; *at;) {
      struct decision* d = *at;
      const job_record_t* job = all ? NULL : find_job_record(d->requester);
      if (job && IS_JOB_PENDING(job)) {
        at = &d->next;
        continue;
      }
      *at = d->next;
      drop_answer(d);
      free(d);
    }
  }
}

static struct decision* entry_of(uint32_t requester) {
  struct decision** at = &buckets[requester % BUCKETS];
  while (*at && (*at)->requester != requester) at = &(*at)->next;
  if (!*at) {
    *at = calloc(1, sizeof **at);
    if (!*at) fatal("preempt/cede: out of memory");
    (*at)->requester = requester;
  }
  return *at;
}

/* Victims in their grace time, or whose nodes are not yet clean. No others are taken meanwhile. */
static bool some_leave(struct decision* d, const struct settings* settings, time_t now) {
  bool any = false;
  uint32_t longest = 0;
  for (size_t i = 0; i < d->victim_count; ++i) {
    const job_record_t* job = find_job_record(d->victims[i].job);
    if (!job || !tables_is_leaving(job)) continue;
    any = true;
    if (d->victims[i].grace > longest) longest = d->victims[i].grace;
  }
  if (!any) return d->leaving_since = 0, false;
  if (d->leaving_since == 0) d->leaving_since = now;
  return now - d->leaving_since <= settings->leaving_timeout + longest;
}

bool logs_all(const struct site* site) {
  return (site->settings && site->settings->log == LOG_ALL) || get_log_level() >= LOG_LEVEL_DEBUG2;
}

static void log_line(struct decision* d, const struct site* site, const char* line) {
  const uint64_t hash = line_hash(line);
  const bool again = hash == d->logged;
  d->logged = hash;
  if (site->settings->log == LOG_NONE || (again && !logs_all(site))) return;
  info("preempt/cede: %s", line);
}

/* One line for people; that a job fits is worth none, unless Slurm goes on not starting it. */
static void log_decision(struct decision* d, const struct site* site, const cede_plan* plan) {
  static const char* const kOutcomes[] = {"?", "fits", "preempt", "wait", "in-progress", "impossible"};
  const struct library* lib = &site->library;
  const int32_t outcome = lib->cede_plan_outcome(plan);
  char line[1024];
  if (outcome == CEDE_OUTCOME_FITS && !logs_all(site) && d->made - d->fits_since < FITS_SECONDS) return;
  int used = snprintf(line, sizeof line, "job %u: %s", d->requester,
                      outcome >= 1 && outcome <= 5 ? kOutcomes[outcome] : kOutcomes[0]);
  for (size_t i = 0; i < d->victim_count && used < 600; ++i)
    used += snprintf(line + used, sizeof line - (size_t)used, "%s%u by %s", i ? ", " : " ", d->victims[i].job,
                     mode_word(d->victims[i].mode));
  if (d->victim_count)
    used += snprintf(line + used, sizeof line - (size_t)used, ", cost %" PRId64 ".%03" PRId64,
                     lib->cede_plan_cost(plan) / 1000, lib->cede_plan_cost(plan) % 1000);
  if (outcome != CEDE_OUTCOME_PREEMPT)
    used += snprintf(line + used, sizeof line - (size_t)used, " (%s)", lib->cede_plan_rule(plan));
  snprintf(line + used, sizeof line - (size_t)used, ": %s", lib->cede_plan_reason(plan));
  log_line(d, site, line);
  if (!logs_all(site)) return;
  cede_text* text = NULL;
  if (lib->cede_plan_json(plan, &text, NULL) < 0) return;
  info("preempt/cede: plan %s", lib->cede_text_data(text));
  lib->cede_text_destroy(text);
}

static int by_cost(const void* a, const void* b) {
  const struct victim *x = a, *y = b;
  return x->cost != y->cost ? (x->cost < y->cost ? -1 : 1) : (x->job > y->job) - (x->job < y->job);
}

/* False if a victim cannot be taken as a whole; then no job is taken. */
static bool take_victims(struct decision* d, struct model* model, const cede_plan* plan,
                         const job_record_t* requester) {
  const struct library* lib = &model->site->library;
  const size_t count = lib->cede_plan_victim_count(plan);
  d->victims = calloc(count + 1, sizeof *d->victims);
  d->nodes = calloc(lib->cede_plan_place_count(plan) + 1, sizeof *d->nodes);
  cede_victim* chosen = arena_take(&model->scratch, (count + 1) * sizeof *chosen);
  if (!d->victims || !d->nodes) return false;
  if (lib->cede_plan_victims(plan, chosen, sizeof *chosen, count, NULL, NULL) < 0) return false;
  for (size_t i = 0; i < count; ++i) {
    const cede_victim about = chosen[i];
    if (!about.whole_job) return false;
    const job_record_t* job =
        find_job_record((uint32_t)strtoul(lib->cede_plan_victim_job(plan, i), NULL, 10));
    if (!job || !IS_JOB_RUNNING(job)) return false;
    struct victim* victim = &d->victims[d->victim_count++];
    victim->job = job->job_id;
    victim->cost = about.cost;
    victim->mode = mode_of_victim(job, &about, requester);
    victim->grace = grace_of_victim(model->site->settings, job, &about);
  }
  qsort(d->victims, d->victim_count, sizeof *d->victims, by_cost);
  for (size_t i = 0; i < lib->cede_plan_place_count(plan); ++i) {
    char* name = strdup(lib->cede_plan_place_node(plan, i));
    if (name) d->nodes[d->node_count++] = name;
  }
  return true;
}

/* Nodes that other decisions in flight count on: their idle parts are not free for this decision. */
static const char** terms_for(struct model* model, const struct decision* own, size_t* count) {
  size_t most = 0;
  *count = 0;
  for (size_t b = 0; b < BUCKETS; ++b)
    for (const struct decision* d = buckets[b]; d; d = d->next)
      if (d != own && d->leaving_since) most += d->node_count;
  const char** terms = arena_take(&model->scratch, (most + 1) * sizeof *terms);
  for (size_t b = 0; b < BUCKETS; ++b) {
    for (const struct decision* d = buckets[b]; d; d = d->next) {
      for (size_t i = 0; d != own && d->leaving_since && i < d->node_count; ++i) {
        const size_t size = strlen(d->nodes[i]) + sizeof "avoid=";
        char* term = arena_take(&model->scratch, size);
        snprintf(term, size, "avoid=%s", d->nodes[i]);
        terms[(*count)++] = term;
      }
    }
  }
  return terms;
}

static void make_plan(struct decision* d, struct model* model, const job_record_t* requester, time_t now) {
  const struct library* lib = &model->site->library;
  char id[16], line[320];
  cede_plan* plan = NULL;
  cede_error fault;
  size_t term_count = 0;
  const char** terms = terms_for(model, d, &term_count);
  snprintf(id, sizeof id, "%u", requester->job_id);
  if (lib->cede_plan_create(model->site->engine, id, (int64_t)now * 1000, terms, term_count, &plan, &fault) <
      0) {
    snprintf(line, sizeof line, "job %s: no job is preempted: %s", id, fault.text);
    log_line(d, model->site, line);
    return;
  }
  if (lib->cede_plan_outcome(plan) != CEDE_OUTCOME_FITS) {
    d->fits_since = 0;
  } else if (d->fits_since == 0) {
    d->fits_since = now;
  }
  if (lib->cede_plan_outcome(plan) == CEDE_OUTCOME_PREEMPT && !take_victims(d, model, plan, requester)) {
    drop_answer(d);
    snprintf(line, sizeof line,
             "job %s: no job is preempted: the plan names a job that cannot be taken whole", id);
    log_line(d, model->site, line);
  } else {
    log_decision(d, model->site, plan);
  }
  lib->cede_plan_destroy(plan);
}

static int64_t microseconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

const struct decision* decide(struct model* model, const uint32_t* jobs, size_t count,
                              job_record_t* requester) {
  const struct settings* settings = model->site->settings;
  const time_t now = time(NULL);
  if (now - purged >= PURGE_SECONDS) {
    purge(false);
    purged = now;
  }
  struct decision* d = entry_of(requester->job_id);
  d->update_us = d->plan_us = 0;
  if (some_leave(d, settings, now)) return d;
  const char* broken = tables_check_layout(requester);
  if (broken || requester->het_job_id) {
    drop_answer(d);
    if (broken) error("preempt/cede: built for another layout of %s; no job is preempted", broken);
    if (!broken)
      notice_once(NULL, "heterogeneous jobs as requesters cannot be translated; such jobs do not preempt");
    return d;
  }
  const int64_t from = microseconds(CLOCK_THREAD_CPUTIME_ID), began = microseconds(CLOCK_MONOTONIC);
  const bool updated = model_update(model, jobs, count, requester);
  d->update_us = microseconds(CLOCK_THREAD_CPUTIME_ID) - from;
  if (!updated) {
    drop_answer(d);
    d->revision = 0;
    return d;
  }
  const uint64_t revision = model->site->library.cede_engine_revision(model->site->engine);
  if (d->revision == revision && d->partition == requester->part_ptr &&
      now - d->made < settings->decision_ttl)
    return d;
  drop_answer(d);
  d->revision = revision;
  d->partition = requester->part_ptr;
  d->made = now;
  make_plan(d, model, requester, now);
  d->plan_us = microseconds(CLOCK_THREAD_CPUTIME_ID) - from - d->update_us;
  if (microseconds(CLOCK_MONOTONIC) - began > SLOW_PLAN_US)
    notice_once(NULL, "a decision took more than half a second while slurmctld waited; lower 'search_work'");
  return d;
}

const struct victim* decision_leaving(uint32_t job) {
  for (size_t b = 0; b < BUCKETS; ++b)
    for (const struct decision* d = buckets[b]; d; d = d->next)
      for (size_t i = 0; i < d->victim_count; ++i)
        if (d->victims[i].job == job) return &d->victims[i];
  return NULL;
}

void decisions_expire(void) {
  for (size_t b = 0; b < BUCKETS; ++b)
    for (struct decision* d = buckets[b]; d; d = d->next) d->revision = 0;
}

void decisions_clear(void) { purge(true); }
