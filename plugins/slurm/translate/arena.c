/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "translate/arena.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_SIZE = 256 * 1024 };

struct arena_block {
  struct arena_block* next;
  size_t size;
  size_t used;
  _Alignas(max_align_t) char bytes[];
};

static struct arena_block* add_block(struct arena* arena, size_t size) {
  const size_t room = size > BLOCK_SIZE ? size : BLOCK_SIZE;
  struct arena_block* block = malloc(sizeof *block + room);
  if (!block) {
    fputs("preempt/cede: out of memory\n", stderr);
    abort();
  }
  block->size = room;
  block->used = 0;
  block->next = arena->blocks;
  arena->blocks = block;
  return block;
}

void* arena_take(struct arena* arena, size_t size) {
  const size_t step = _Alignof(max_align_t);
  size = (size + step - 1) / step * step;
  struct arena_block* block = arena->blocks;
  if (!block || block->size - block->used < size) block = add_block(arena, size);
  char* out = block->bytes + block->used;
  block->used += size;
  return memset(out, 0, size);
}

const char* arena_text(struct arena* arena, const char* text) {
  if (!text || *text == '\0') return "";
  const size_t size = strlen(text) + 1;
  return memcpy(arena_take(arena, size), text, size);
}

void arena_reset(struct arena* arena) {
  while (arena->blocks && arena->blocks->next) {
    struct arena_block* next = arena->blocks->next;
    free(arena->blocks);
    arena->blocks = next;
  }
  if (arena->blocks) arena->blocks->used = 0;
}

void arena_free(struct arena* arena) {
  arena_reset(arena);
  free(arena->blocks);
  arena->blocks = NULL;
}
