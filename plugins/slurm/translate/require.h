/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The `require` of a job: where it may go and what its place must be. */
#ifndef CEDE_SLURM_REQUIRE_H
#define CEDE_SLURM_REQUIRE_H

#include "translate/shape.h"

/* `shape` is NULL for a job that does not wait; `exactly_required`: --nodelist names all nodes it gets. */
void write_require(const struct translation* t, const struct job_fact* job, const struct request_shape* shape,
                   bool exactly_required, struct text* out);

/* NULL if it is in no reservation, or in one that does not exist. */
const struct reservation_fact* reservation_of_job(const struct translation* t, const struct job_fact* job);

/* Whether its features are about all nodes together, which no document can say. */
bool features_are_a_set(const struct job_fact* job);

#endif
