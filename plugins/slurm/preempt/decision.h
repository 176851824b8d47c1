/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which jobs give way to a requester, cached by requester as long as the answer is valid. */
#ifndef CEDE_SLURM_DECISION_H
#define CEDE_SLURM_DECISION_H

#include "preempt/model.h"

struct victim {
  uint32_t job;
  uint16_t mode; /* PREEMPT_MODE_... */
  uint32_t grace;
  int64_t cost;
};

struct decision {
  struct decision* next;
  uint32_t requester;
  const void* partition; /* which Slurm was trying */
  uint64_t revision;     /* of the engine; 0: must be decided anew */
  time_t made;
  time_t fits_since;    /* libcede sees free space for it; 0: it does not */
  time_t leaving_since; /* 0: no victim is on its way out */
  struct victim* victims;
  size_t victim_count;
  char** nodes; /* where the requester goes */
  size_t node_count;
  uint64_t logged;   /* hash of the line last logged */
  int64_t update_us; /* CPU time to tell the engine what changed, the last time */
  int64_t plan_us;   /* and to plan; 0 where an older answer held */
};

/* The decision for a waiting job, made from the records of these job numbers. Never NULL; without victims if
 * nobody has to leave. */
const struct decision* decide(struct model* model, const uint32_t* jobs, size_t count,
                              job_record_t* requester);

/* The entry of this job as a leaving victim of any decision; NULL if there is none. */
const struct victim* decision_leaving(uint32_t job);

/* Call after a reconfiguration: no earlier decision is reused. */
void decisions_expire(void);
void decisions_clear(void);

/* Whether Slurm's or our own setting asks for everything in the log. */
bool logs_all(const struct site* site);

#endif
