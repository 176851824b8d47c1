/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Slurm's texts about generic resources. */
#ifndef CEDE_SLURM_GRES_TEXT_H
#define CEDE_SLURM_GRES_TEXT_H

#include "translate/arena.h"
#include "translate/facts.h"

/* "gres:gpu:h100:4,gres:nic:1", "gres/gpu:h100=4", "gpu:h100:8(S:0-1)": a request or what a node has. */
struct gres_list gres_of_text(struct arena* arena, const char* text);

/* "gpu:h100:4(IDX:0-3),nic:1": what a job has on a node. */
void allocation_of_text(struct arena* arena, const char* text, struct allocation_fact* allocation);

/* How many GPUs, of all types. */
uint64_t gpus_in(const struct gres_list* list);
static inline bool is_gpu(const struct gres_fact* gres) { return __builtin_strcmp(gres->name, "gpu") == 0; }

/* "a:2,b" or "a:2;b": names and numbers. */
struct licence_fact* licences_of_text(struct arena* arena, const char* text, size_t* count);

#endif
