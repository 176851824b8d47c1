/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sizes of the structs read here, as a configured source tree gives them. An assert that fails means that the
 * headers were compiled in another way than slurmctld was: do not change the number, find out why.
 */
#include "preempt/slurm_headers.h"

#if defined(__x86_64__) && SLURM_VERSION_NUMBER == SLURM_VERSION_NUM(22, 5, 8)
_Static_assert(sizeof(job_record_t) == 1048, "job_record_t");
_Static_assert(sizeof(slurm_details) == 504, "job_details");
_Static_assert(sizeof(job_resources_t) == 160, "job_resources_t");
_Static_assert(sizeof(node_record_t) == 472, "node_record_t");
_Static_assert(sizeof(part_record_t) == 328, "part_record_t");
_Static_assert(sizeof(slurmctld_resv_t) == 296, "slurmctld_resv_t");
_Static_assert(sizeof(gres_state_t) == 32, "gres_state_t");
_Static_assert(sizeof(gres_job_state_t) == 152, "gres_job_state_t");
_Static_assert(sizeof(gres_node_state_t) == 168, "gres_node_state_t");
_Static_assert(sizeof(licenses_t) == 24, "licenses_t");
_Static_assert(sizeof(job_queue_rec_t) == 48, "job_queue_rec_t");
_Static_assert(sizeof(slurm_conf_t) == 1544, "slurm_conf_t");
#endif
