/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the administrator set up: the settings document, the policy, the library, topology.conf. */
#ifndef CEDE_SLURM_SITE_H
#define CEDE_SLURM_SITE_H

#include "config/settings.h"
#include "preempt/library.h"
#include "translate/arena.h"
#include "translate/facts.h"

struct site {
  struct settings* settings;
  char* policy;   /* a cede-policy/1 document */
  char* topology; /* topology.conf, "" without one */
  struct arena arena;
  struct node_topology_list node_topologies; /* in the arena */
  struct library library;
  cede_engine* engine;
};

/* The path of the settings file, to be freed; NULL if there is none and the defaults are used. */
char* site_settings_file(void);

/* False if something is wrong; it has been logged, and no job is preempted. */
bool site_open(struct site* site);
void site_close(struct site* site);

#endif
