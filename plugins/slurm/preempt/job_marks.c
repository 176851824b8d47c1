/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "preempt/job_marks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct job_mark* find(struct job_mark* places, size_t room, uint32_t job) {
  size_t at = (size_t)(job * 0x9e3779b1U) % room;
  while (places[at].job != 0 && places[at].job != job) at = (at + 1) % room;
  return &places[at];
}

static struct job_mark* take_places(size_t room) {
  struct job_mark* places = calloc(room, sizeof *places);
  if (!places) {
    fputs("preempt/cede: out of memory\n", stderr);
    abort();
  }
  return places;
}

static void move(struct job_marks* marks, size_t room, uint32_t round, bool all) {
  struct job_mark* places = take_places(room);
  marks->count = 0;
  for (size_t i = 0; i < marks->room; ++i) {
    const struct job_mark* old = &marks->places[i];
    if (old->job == 0 || (!all && old->seen != round)) continue;
    *find(places, room, old->job) = *old;
    ++marks->count;
  }
  free(marks->places);
  marks->places = places;
  marks->room = room;
}

struct job_mark* job_marks_at(struct job_marks* marks, uint32_t job) {
  if (marks->count * 2 >= marks->room) move(marks, marks->room ? marks->room * 2 : 256, 0, true);
  struct job_mark* place = find(marks->places, marks->room, job);
  if (place->job == 0) {
    place->job = job;
    ++marks->count;
  }
  return place;
}

void job_marks_sweep(struct job_marks* marks, uint32_t round, void (*gone)(void* context, uint32_t job),
                     void* context) {
  bool any = false;
  for (size_t i = 0; i < marks->room; ++i) {
    if (marks->places[i].job == 0 || marks->places[i].seen == round) continue;
    any = true;
    if (marks->places[i].mark != 0) gone(context, marks->places[i].job);
  }
  if (any) move(marks, marks->room, round, false);
}

void job_marks_clear(struct job_marks* marks) {
  free(marks->places);
  memset(marks, 0, sizeof *marks);
}
