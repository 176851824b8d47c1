/* SPDX-License-Identifier: GPL-2.0-or-later */
/* libcede is loaded at run time, so that slurmctld starts without it. */
#ifndef CEDE_SLURM_LIBRARY_H
#define CEDE_SLURM_LIBRARY_H

#include <cede/cede.h>
#include <stdbool.h>
#include <stddef.h>

/* Every call of the C ABI that is used here, with its own type. */
/* clang-format off */
#define LIBRARY_CALLS(X) \
  X(cede_version_text) \
  X(cede_engine_create) \
  X(cede_engine_destroy) \
  X(cede_engine_load) \
  X(cede_engine_apply) \
  X(cede_engine_revision) \
  X(cede_plan_create) \
  X(cede_plan_destroy) \
  X(cede_plan_outcome) \
  X(cede_plan_rule) \
  X(cede_plan_reason) \
  X(cede_plan_cost) \
  X(cede_plan_victim_count) \
  X(cede_plan_victims) \
  X(cede_plan_victim_job) \
  X(cede_plan_place_count) \
  X(cede_plan_place_node) \
  X(cede_plan_json) \
  X(cede_text_data) \
  X(cede_text_destroy)
/* clang-format on */

struct library {
  void* handle;
#define LIBRARY_MEMBER(name) __typeof__(name)*(name);
  LIBRARY_CALLS(LIBRARY_MEMBER)
#undef LIBRARY_MEMBER
};

/* False if the file is missing or lacks a call; `why` says which. */
bool library_open(struct library* library, const char* file, char* why, size_t size);
void library_close(struct library* library);

#endif
