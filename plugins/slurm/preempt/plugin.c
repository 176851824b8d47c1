/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The entry points slurmctld calls. While it tries a waiting job, it calls preemptable() for every job record
 * during a locked walk over job_list. The list must not be walked again meanwhile, so the plugin collects the
 * numbers of all jobs first and decides with those alone:
 *
 * - Up to 24.11 it decides when slurmctld asks for ENABLED, right before that walk; preemptable() then gives
 *   the exact answer.
 * - From 25.05 preemptable() says yes to all running jobs. The plugin decides at the first question about
 *   order or mode, and the mode of all jobs but the victims is OFF.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "preempt/decision.h"
#include "preempt/notices.h"
#include "preempt/victim_mode.h"

#define EXPORT __attribute__((visibility("default")))

EXPORT const char plugin_name[] = "Preemption decided by libcede";
EXPORT const char plugin_type[] = "preempt/cede";
EXPORT const uint32_t plugin_version = SLURM_VERSION_NUMBER;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct site site;
static struct model model;
static bool ready;
static time_t configured; /* slurm_conf.last_update of what is open */

/* Job numbers for the decision at hand. */
static struct {
  uint32_t* jobs;
  size_t count;
  size_t room;
  uint32_t requester; /* the job that Slurm is trying; 0: none yet */
  uint32_t first;     /* of the walk, to recognise the next one */
  bool collected;     /* the numbers are those of this moment */
  bool passed;        /* the last number was answered without a decision */
  const struct decision* decision;
} trial;

static void close_all(void) {
  model_close(&model);
  site_close(&site);
  ready = false;
}

static void open_all(void) {
  close_all();
  notices_clear();
  decisions_expire();
  configured = slurm_conf.last_update;
  trial.decision = NULL;
  ready = site_open(&site);
  if (ready) model_open(&model, &site);
}

/* `scontrol reconfigure` does not load a plugin again, but leaves its time. */
static void follow_configuration(void) {
  if (configured != slurm_conf.last_update) open_all();
}

EXPORT int init(void) {
  pthread_mutex_lock(&lock);
  open_all();
  pthread_mutex_unlock(&lock);
  return SLURM_SUCCESS;
}

EXPORT void fini(void) {
  pthread_mutex_lock(&lock);
  close_all();
  decisions_clear();
  free(trial.jobs);
  memset(&trial, 0, sizeof trial);
  pthread_mutex_unlock(&lock);
}

static void collect(uint32_t job) {
  if (trial.count == trial.room) {
    const size_t room = trial.room ? trial.room * 2 : 1024;
    uint32_t* jobs = realloc(trial.jobs, room * sizeof *jobs);
    if (!jobs) fatal("preempt/cede: out of memory");
    trial.jobs = jobs;
    trial.room = room;
  }
  trial.jobs[trial.count++] = job;
  trial.passed = false;
}

static void decide_now(job_record_t* requester) {
  trial.decision = decide(&model, trial.jobs, trial.count, requester);
  trial.collected = false;
  if (!logs_all(&site)) return;
  info("preempt/cede: decided in %lld us of CPU time over %zu jobs: %lld to tell the changes, %lld to plan",
       (long long)(trial.decision->update_us + trial.decision->plan_us), trial.count,
       (long long)trial.decision->update_us, (long long)trial.decision->plan_us);
}

static const struct victim* victim_in_trial(uint32_t job) {
  for (size_t i = 0; trial.decision && i < trial.decision->victim_count; ++i)
    if (trial.decision->victims[i].job == job) return &trial.decision->victims[i];
  return NULL;
}

#if CEDE_LATE_DECISION

static void start_trial(uint32_t requester) {
  trial.requester = requester;
  trial.count = 0;
  trial.collected = true;
  trial.decision = NULL;
}

static void decide_if_collected(void) {
  if (!trial.collected || trial.requester == 0) return;
  job_record_t* requester = find_job_record(trial.requester);
  if (ready && requester && IS_JOB_PENDING(requester)) decide_now(requester);
  trial.collected = false;
}

/*
 * Newer releases ask for the mode of each job right after preemptable(), still within the walk: too early to
 * decide. The job seen last passes once; asked about again, it is decided.
 */
static bool passes_for_now(const job_record_t* job) {
  if (!trial.collected || trial.passed || trial.count == 0) return false;
  return trial.passed = trial.jobs[trial.count - 1] == job->job_id;
}

static bool is_candidate(const job_record_t* job, const job_record_t* requester) {
  follow_configuration();
  if (!ready) return false;
  if (trial.requester != requester->job_id || !trial.collected || trial.first == job->job_id) {
    start_trial(requester->job_id);
    trial.first = job->job_id;
    collect(requester->job_id);
  }
  if (job->job_id != requester->job_id) collect(job->job_id);
  return IS_JOB_RUNNING(job) && !job->het_job_id;
}

#else

static void decide_if_collected(void) {}
static bool passes_for_now(const job_record_t* job) { return job == NULL; }

static int collect_record(void* x, void* arg) {
  (void)arg;
  collect(((const job_record_t*)x)->job_id);
  return 0;
}

static bool is_candidate(const job_record_t* job, job_record_t* requester) {
  if (!ready) return false;
  if (trial.collected || trial.requester != requester->job_id) {
    trial.requester = requester->job_id;
    if (trial.collected) {
      decide_now(requester);
    } else {
      trial.decision = NULL; /* a question outside of any trial: no victims */
    }
  }
  return victim_in_trial(job->job_id) != NULL;
}

static bool is_enabled(void) {
  follow_configuration();
  if (!ready || slurm_conf.preempt_mode == PREEMPT_MODE_OFF) return false;
  trial.count = 0;
  list_for_each(job_list, collect_record, NULL);
  trial.collected = true;
  return true;
}

#endif

static uint16_t mode_of(const job_record_t* job) {
  if (passes_for_now(job)) return mode_without_plan(job);
  decide_if_collected();
  const struct victim* victim = victim_in_trial(job->job_id);
  if (victim) return victim->mode;
  if (!IS_JOB_RUNNING(job) || !job->preempt_time) return PREEMPT_MODE_OFF;
  victim = decision_leaving(job->job_id);
  return victim ? victim->mode : mode_without_plan(job);
}

/* Slurm takes the lowest first; only victims may be taken. */
static uint32_t order_of(const job_record_t* job) {
  const struct victim* victim = victim_in_trial(job->job_id);
  return victim ? (uint32_t)(victim - trial.decision->victims) : UINT32_MAX;
}

static uint32_t grace_of(const job_record_t* job) {
  const struct victim* victim = victim_in_trial(job->job_id);
  return victim ? victim->grace : 0;
}

/* Called while the queue is sorted, so it must be quick: tiers alone, as Slurm's own plugin does. */
EXPORT bool preempt_p_job_preempt_check(job_queue_rec_t* preemptor, job_queue_rec_t* preemptee) {
  return preemptor->part_ptr && preemptee->part_ptr &&
         preemptor->part_ptr->priority_tier > preemptee->part_ptr->priority_tier;
}

EXPORT bool preempt_p_preemptable(job_record_t* preemptee, job_record_t* preemptor) {
  pthread_mutex_lock(&lock);
  const bool answer = is_candidate(preemptee, preemptor);
  pthread_mutex_unlock(&lock);
  return answer;
}

#if CEDE_TYPED_ANSWERS

EXPORT uint16_t preempt_p_get_mode(job_record_t* job) {
  pthread_mutex_lock(&lock);
  const uint16_t answer = mode_of(job);
  pthread_mutex_unlock(&lock);
  return answer;
}

EXPORT uint32_t preempt_p_get_prio(job_record_t* job) {
  pthread_mutex_lock(&lock);
  decide_if_collected();
  const uint32_t answer = order_of(job);
  pthread_mutex_unlock(&lock);
  return answer;
}

EXPORT uint32_t preempt_p_get_grace_time(job_record_t* job) {
  pthread_mutex_lock(&lock);
  const uint32_t answer = grace_of(job);
  pthread_mutex_unlock(&lock);
  return answer;
}

#else

EXPORT int preempt_p_get_data(job_record_t* job, slurm_preempt_data_type_t type, void* data) {
  int status = SLURM_SUCCESS;
  pthread_mutex_lock(&lock);
  if (type == PREEMPT_DATA_PRIO) decide_if_collected();
  switch (type) {
    case PREEMPT_DATA_ENABLED:
#if CEDE_LATE_DECISION
      follow_configuration();
      *(bool*)data = ready && slurm_conf.preempt_mode != PREEMPT_MODE_OFF;
#else
      *(bool*)data = is_enabled();
#endif
      break;
    case PREEMPT_DATA_MODE: *(uint16_t*)data = mode_of(job); break;
    case PREEMPT_DATA_PRIO: *(uint32_t*)data = order_of(job); break;
    case PREEMPT_DATA_GRACE_TIME: *(uint32_t*)data = grace_of(job); break;
    default: status = SLURM_ERROR;
  }
  pthread_mutex_unlock(&lock);
  return status;
}

#endif
