/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Says each thing once. */
#ifndef CEDE_SLURM_NOTICES_H
#define CEDE_SLURM_NOTICES_H

/* Fits notice_call. */
void notice_once(void* context, const char* text);
void notices_clear(void);

#endif
