/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "preempt/victim_mode.h"

#include "preempt/notices.h"
#include "translate/comment.h"

enum { DEFAULT_CHECKPOINT_SECONDS = 300 };

/* The mode that the partition, else the cluster, sets for preempted jobs. */
static uint16_t configured_mode(const job_record_t* job) {
  uint16_t mode = slurm_conf.preempt_mode;
  if (job->part_ptr && job->part_ptr->preempt_mode != NO_VAL16) mode = job->part_ptr->preempt_mode;
  return mode & (uint16_t) ~(PREEMPT_MODE_GANG | PREEMPT_MODE_WITHIN);
}

static uint16_t ending_mode(const job_record_t* job, bool requeue) {
  if (configured_mode(job) == PREEMPT_MODE_CANCEL) return PREEMPT_MODE_CANCEL;
  return requeue && job->details && job->details->requeue && job->batch_flag ? PREEMPT_MODE_REQUEUE
                                                                             : PREEMPT_MODE_CANCEL;
}

uint16_t mode_of_victim(const job_record_t* job, const cede_victim* victim, const job_record_t* requester) {
  /* A job that saves first is stopped afterwards, for which Slurm's own suspension serves where it can. */
  const bool saves = victim->action == CEDE_ACTION_CHECKPOINT && victim->then == CEDE_ACTION_SUSPEND;
  if (victim->action != CEDE_ACTION_SUSPEND && !saves) return ending_mode(job, victim->requeue);
  const bool gang = slurm_conf.preempt_mode & PREEMPT_MODE_GANG;
  const bool devices = job->gres_list_alloc || requester->gres_list_req;
  if (gang && !devices && configured_mode(job) == PREEMPT_MODE_SUSPEND) return PREEMPT_MODE_SUSPEND;
  if (saves) return ending_mode(job, victim->requeue);
  notice_once(NULL, devices ? "suspended jobs keep their GPUs in Slurm, so victims are requeued instead"
                            : "suspending needs PreemptMode=SUSPEND,GANG; victims are requeued instead");
  return ending_mode(job, true);
}

uint16_t mode_without_plan(const job_record_t* job) { return ending_mode(job, true); }

uint32_t grace_of_victim(const struct settings* settings, const job_record_t* job,
                         const cede_victim* victim) {
  struct comment comment;
  if (victim->action != CEDE_ACTION_CHECKPOINT) {
    if (settings->grace_terminate >= 0) return (uint32_t)settings->grace_terminate;
    return job->part_ptr ? job->part_ptr->grace_time : 0;
  }
  if (settings->grace_checkpoint >= 0) return (uint32_t)settings->grace_checkpoint;
  comment_read(job->comment ? job->comment : "", settings->comment_prefix, settings->comment_keys, &comment);
  if (comment.given & COMMENT_TIMEOUT) return (uint32_t)comment.timeout;
  return comment.given & COMMENT_EST ? (uint32_t)comment.est : DEFAULT_CHECKPOINT_SECONDS;
}

const char* mode_word(uint16_t mode) {
  return mode == PREEMPT_MODE_REQUEUE ? "requeue" : mode == PREEMPT_MODE_SUSPEND ? "suspend" : "cancel";
}
