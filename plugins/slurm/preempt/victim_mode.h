/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How Slurm makes a victim leave. */
#ifndef CEDE_SLURM_VICTIM_MODE_H
#define CEDE_SLURM_VICTIM_MODE_H

#include <cede/cede.h>

#include "config/settings.h"
#include "preempt/slurm_headers.h"

/* PREEMPT_MODE_REQUEUE, _CANCEL or _SUSPEND. */
uint16_t mode_of_victim(const job_record_t* job, const cede_victim* victim, const job_record_t* requester);
/* For a job that was made to leave before slurmctld started. */
uint16_t mode_without_plan(const job_record_t* job);
/* Seconds between the signal and the end. */
uint32_t grace_of_victim(const struct settings* settings, const job_record_t* job, const cede_victim* victim);
const char* mode_word(uint16_t mode);

#endif
