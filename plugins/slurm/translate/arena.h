/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory that is given back all at once: what one look at Slurm's tables needs. */
#ifndef CEDE_SLURM_ARENA_H
#define CEDE_SLURM_ARENA_H

#include <stddef.h>

struct arena {
  struct arena_block* blocks;
};

/* Zeroed memory; a controller without memory cannot go on anyway, so this ends the process rather than fail.
 */
void* arena_take(struct arena* arena, size_t size);
/* A copy; "" for NULL. */
const char* arena_text(struct arena* arena, const char* text);
/* Keeps one block for the next time. */
void arena_reset(struct arena* arena);
void arena_free(struct arena* arena);

#endif
