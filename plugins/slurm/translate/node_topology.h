/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Topologies of nodes from a folder of hwloc XML, each file named after a node or a host list. */
#ifndef CEDE_SLURM_NODE_TOPOLOGY_H
#define CEDE_SLURM_NODE_TOPOLOGY_H

#include "config/settings.h"
#include "translate/arena.h"
#include "translate/facts.h"

/* Names of a host list in Slurm's form; the plugin and the program link different libraries for it. */
typedef const char** (*expand_call)(struct arena* arena, const char* hosts, size_t* count);

/*
 * Reads the folder of the settings with the command cede, in a process of its own: a file that kills hwloc
 * must not kill slurmctld. False, with a sentence, where that fails; without a folder there are none.
 */
bool node_topologies_read(struct arena* arena, const struct settings* settings, expand_call expand,
                          struct node_topology_list* out, char* why, size_t size);

/* NULL where no file is for this node. */
const struct node_topology* node_topology_of(const struct node_topology_list* list, const char* node);

#endif
