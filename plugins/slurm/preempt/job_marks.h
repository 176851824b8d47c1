/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the engine was last told of each job: a mark by job number. */
#ifndef CEDE_SLURM_JOB_MARKS_H
#define CEDE_SLURM_JOB_MARKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct job_mark {
  uint32_t job;  /* 0: a free place */
  uint32_t seen; /* in which round */
  uint64_t mark;
};

struct job_marks {
  struct job_mark* places;
  size_t room;
  size_t count;
};

/* The entry of a job, made with mark 0 where it has none. */
struct job_mark* job_marks_at(struct job_marks* marks, uint32_t job);
/* Calls `gone` for every entry not seen in this round, and drops it. */
void job_marks_sweep(struct job_marks* marks, uint32_t round, void (*gone)(void* context, uint32_t job),
                     void* context);
void job_marks_clear(struct job_marks* marks);

#endif
