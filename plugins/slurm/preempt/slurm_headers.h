/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Slurm's own headers, and everything that differs between its releases 22.05 to 25.11. */
#ifndef CEDE_SLURM_HEADERS_H
#define CEDE_SLURM_HEADERS_H

/* Slurm's headers are not written for our warnings. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wunused-parameter"

#include <slurm/slurm_version.h>

#if SLURM_VERSION_NUMBER < SLURM_VERSION_NUM(22, 5, 0) || SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(26, 0, 0)
#error "preempt/cede is written for Slurm 22.05 to 25.11"
#endif

#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>

#include <src/common/bitstring.h>
#include <src/common/hostlist.h>
#include <src/common/job_resources.h>
#include <src/common/list.h>
#include <src/common/log.h>
#include <src/common/read_config.h>
#include <src/common/slurm_protocol_defs.h>
#include <src/common/uid.h>
#include <src/common/xmalloc.h>
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 2, 0)
#include <src/interfaces/gres.h>
#include <src/interfaces/preempt.h>
#else
#include <src/common/gres.h>
#include <src/slurmctld/preempt.h>
#endif
#include <src/slurmctld/job_scheduler.h>
#include <src/slurmctld/licenses.h>
#include <src/slurmctld/reservation.h>
#include <src/slurmctld/slurmctld.h>

#pragma GCC diagnostic pop

/* The cluster's licences were renamed in 23.02. */
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 2, 0)
#define CEDE_LICENCE_LIST cluster_license_list
#else
#define CEDE_LICENCE_LIST license_list
#endif

/* A struct until 23.02, a type of that name later. */
typedef __typeof__(*((job_record_t*)0)->details) slurm_details;

/* From 25.05 there is no question "is preemption enabled?" before the walk over all jobs. */
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(25, 5, 0)
#define CEDE_TYPED_ANSWERS 1
#else
#define CEDE_TYPED_ANSWERS 0
#endif
#ifndef CEDE_LATE_DECISION
#define CEDE_LATE_DECISION CEDE_TYPED_ANSWERS
#endif

#endif
