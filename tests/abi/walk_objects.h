/* SPDX-License-Identifier: MIT */
/*
 * Random objects of every kind for engine_walk.c. Names are few and used for everything (a user may be called
 * like a node, a task like a queue), so that the last use of a name goes away while the same name comes in
 * elsewhere.
 */
#ifndef CEDE_TESTS_ABI_WALK_OBJECTS_H
#define CEDE_TESTS_ABI_WALK_OBJECTS_H

#include <stddef.h>
#include <stdint.h>

enum {
  kTopologies,
  kDomains,
  kGroups,
  kReservations,
  kQueues,
  kNodes,
  kJobs,
  kKinds,
  kIds = 6,
  kObjectSize = 1024,
};

extern const char* const kind_members[kKinds]; /* "topologies", "domains" ... as "remove" calls them */

uint32_t next_random(uint32_t* state);

/* An object of this kind and number as it stands in its list (a topology: as a member). */
void write_object(char text[kObjectSize], int kind, unsigned which, uint32_t* state);
/* Its id, quoted. */
void write_id(char text[32], int kind, unsigned which);

#endif
