/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a job's owner says in --comment: "cede:ckpt=auto,est=5m,class=2". */
#ifndef CEDE_SLURM_COMMENT_H
#define CEDE_SLURM_COMMENT_H

#include "config/settings.h"

struct comment {
  uint64_t given; /* COMMENT_... bits of the keys that are there and right */
  enum checkpoint_mode ckpt;
  int64_t est;
  int64_t timeout;
  int64_t restart;
  int64_t last; /* seconds since 1970 */
  int64_t job_class;
  char wrong[80]; /* the first piece that is not understood, "" for none */
};

/* Keys outside `keys` are passed over. */
void comment_read(const char* text, const char* prefix, uint64_t keys, struct comment* out);

#endif
