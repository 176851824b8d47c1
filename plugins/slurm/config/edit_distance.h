/* SPDX-License-Identifier: GPL-2.0-or-later OR MIT */
#ifndef CEDE_SLURM_EDIT_DISTANCE_H
#define CEDE_SLURM_EDIT_DISTANCE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * How many letters to change, add or drop to get from one name to the other. Two neighbouring letters in the
 * wrong order count once. Names of more than 96 bytes are far from all others.
 */
size_t edit_distance(const char* a, size_t a_size, const char* b, size_t b_size);

#ifdef __cplusplus
}
#endif

#endif
