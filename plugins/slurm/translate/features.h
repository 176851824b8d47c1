/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The feature expression of --constraint. */
#ifndef CEDE_SLURM_FEATURES_H
#define CEDE_SLURM_FEATURES_H

#include <stdbool.h>

#include "translate/arena.h"

enum feature_form {
  FEATURES_NONE,
  FEATURES_ALL, /* names joined by '&' alone */
  FEATURES_ANY, /* with '|' or parentheses: true or false of each node by itself */
  FEATURES_SET  /* "[a|b]", "a*2": about all nodes together */
};

enum feature_form feature_form_of(const char* expression);

/* Whether a node with these features, comma between, meets an expression that is no FEATURES_SET. */
bool features_meet(const char* expression, const char* features);

/* Calls `each` for the names of a FEATURES_ALL expression or a node's list. */
void features_each(const char* list, struct arena* arena, void (*each)(void* context, const char* name),
                   void* context);

#endif
