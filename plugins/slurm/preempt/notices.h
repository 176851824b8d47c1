/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines of the log that are written once. */
#ifndef CEDE_SLURM_NOTICES_H
#define CEDE_SLURM_NOTICES_H

#include <stdint.h>

/* Fits notice_call. */
void notice_once(void* context, const char* text);
void notices_clear(void);

/* FNV-1a, to recognise a line that was logged before. */
uint64_t line_hash(const char* line);

#endif
