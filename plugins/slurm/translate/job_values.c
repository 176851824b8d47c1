/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "translate/comment.h"
#include "translate/translation.h"

/* QOS before account before partition before tier: the most specific one that the settings name. */
static int base_class(const struct translation* t, const struct job_fact* job) {
  const struct settings* s = t->settings;
  const int64_t* found = number_of(&s->class_qos, job->qos);
  if (!found) found = number_of(&s->class_accounts, job->account);
  if (job->partition == NO_INDEX)
    return found ? (int)*found : s->class_default >= 0 ? (int)s->class_default : 4;
  const struct partition_fact* partition = &t->cluster->partitions[job->partition];
  char tier[16];
  snprintf(tier, sizeof tier, "%u", partition->tier);
  if (!found) found = number_of(&s->class_partitions, partition->name);
  if (!found) found = number_of(&s->class_tiers, tier);
  if (found) return (int)*found;
  return s->class_default >= 0 ? (int)s->class_default : class_of_tier(&t->grouping, partition->tier);
}

/* A comment lowers the class; it raises it only as far as the QOS or account allows. */
static int allowed_class(const struct translation* t, const struct job_fact* job, int base, int asked) {
  if (asked <= base) return asked;
  const int64_t* by_qos = number_of(&t->settings->raise_qos, job->qos);
  const int64_t* by_account = number_of(&t->settings->raise_accounts, job->account);
  int64_t ceiling = base;
  if (by_qos && *by_qos > ceiling) ceiling = *by_qos;
  if (by_account && *by_account > ceiling) ceiling = *by_account;
  return asked < ceiling ? asked : (int)ceiling;
}

static int class_with(const struct translation* t, const struct job_fact* job,
                      const struct comment* comment) {
  const int base = base_class(t, job);
  return comment->given & COMMENT_CLASS ? allowed_class(t, job, base, (int)comment->job_class) : base;
}

int class_of_job(const struct translation* t, const struct job_fact* job) {
  struct comment comment;
  comment_read(job->comment, t->settings->comment_prefix, t->settings->comment_keys, &comment);
  return class_with(t, job, &comment);
}

static bool queue_is_known(const struct translation* t, const char* name) {
  for (size_t i = 0; i < t->queue_count; ++i)
    if (strcmp(t->queues[i], name) == 0) return true;
  return t->queue_count == 0;
}

static const char* queue_of_job(const struct translation* t, const struct job_fact* job) {
  const char* key = "";
  switch (t->settings->queue_source) {
    case QUEUE_FROM_ACCOUNT: key = job->account; break;
    case QUEUE_FROM_QOS: key = job->qos; break;
    case QUEUE_FROM_PARTITION:
      if (job->partition != NO_INDEX) key = t->cluster->partitions[job->partition].name;
      break;
    default: break;
  }
  const char* mapped = text_of(&t->settings->queue_names, key);
  const char* queue = mapped ? mapped : key;
  if (*queue == '\0') return t->root_queue;
  if (queue_is_known(t, queue)) return queue;
  translation_notice(t, "queue '%s' is not among the 'queues' of the settings; its jobs count to '%s'", queue,
                     t->root_queue);
  return t->root_queue;
}

static void set_priority(const struct translation* t, const struct job_fact* job, struct job_values* out) {
  const struct settings* s = t->settings;
  const int64_t* by_qos = number_of(&s->priority_qos, job->qos);
  int64_t value = 0;
  if (s->priority_source == PRIORITY_FROM_NONE) return;
  if (s->priority_source == PRIORITY_FROM_QOS) {
    if (!by_qos) return;
    value = *by_qos;
  } else if (s->priority_source == PRIORITY_FROM_JOB) {
    value = (int64_t)job->priority / s->priority_divide;
  } else if (job->partition != NO_INDEX) {
    value = t->cluster->partitions[job->partition].tier;
  }
  if (value < s->priority_min) value = s->priority_min;
  if (value > s->priority_max) value = s->priority_max;
  out->has_priority = true;
  out->priority = value;
}

void values_of_job(const struct translation* t, const struct job_fact* job, struct job_values* out) {
  const struct settings* s = t->settings;
  struct comment comment;
  comment_read(job->comment, s->comment_prefix, s->comment_keys, &comment);
  if (comment.wrong[0])
    translation_notice(t, "job %s: '%s' in its comment is not understood; that part is ignored", job->id,
                       comment.wrong);
  memset(out, 0, sizeof *out);
  out->job_class = class_with(t, job, &comment);
  out->queue = queue_of_job(t, job);
  set_priority(t, job, out);
  out->checkpoint = (enum checkpoint_mode)s->checkpoint_default;
  if (job->has_signal && s->checkpoint_signal != CHECKPOINT_NONE)
    out->checkpoint = (enum checkpoint_mode)s->checkpoint_signal;
  if (comment.given & COMMENT_CKPT) out->checkpoint = comment.ckpt;
  out->estimate = comment.given & COMMENT_EST ? comment.est : -1;
  out->timeout = comment.given & COMMENT_TIMEOUT ? comment.timeout : -1;
  out->restart = comment.given & COMMENT_RESTART ? comment.restart : -1;
  out->last = comment.given & COMMENT_LAST ? comment.last : -1;
  if (!job->must_leave) return;
  out->job_class = 0;
  out->checkpoint = CHECKPOINT_AUTO;
  out->estimate = 0;
}
