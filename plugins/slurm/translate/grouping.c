/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "translate/translation.h"

static size_t top_of(size_t* parent, size_t i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

/* The name that comes first in byte order names the group. */
static void join(const struct cluster_fact* cluster, size_t* parent, size_t a, size_t b) {
  a = top_of(parent, a);
  b = top_of(parent, b);
  if (a == b) return;
  if (strcmp(cluster->partitions[a].name, cluster->partitions[b].name) < 0) {
    parent[b] = a;
  } else {
    parent[a] = b;
  }
}

static int by_value(const void* a, const void* b) {
  const uint32_t x = *(const uint32_t*)a, y = *(const uint32_t*)b;
  return x < y ? -1 : x > y;
}

static void collect_tiers(const struct cluster_fact* cluster, struct arena* arena, struct grouping* out) {
  out->tiers = arena_take(arena, (cluster->partition_count + 1) * sizeof *out->tiers);
  for (size_t p = 0; p < cluster->partition_count; ++p) out->tiers[p] = cluster->partitions[p].tier;
  qsort(out->tiers, cluster->partition_count, sizeof *out->tiers, by_value);
  for (size_t p = 0; p < cluster->partition_count; ++p)
    if (p == 0 || out->tiers[p] != out->tiers[out->tier_count - 1])
      out->tiers[out->tier_count++] = out->tiers[p];
}

void group_partitions(const struct cluster_fact* cluster, struct arena* arena, struct grouping* out) {
  memset(out, 0, sizeof *out);
  size_t* parent = arena_take(arena, (cluster->partition_count + 1) * sizeof *parent);
  out->group_of_node = arena_take(arena, (cluster->node_count + 1) * sizeof *out->group_of_node);
  for (size_t p = 0; p < cluster->partition_count; ++p) parent[p] = p;
  for (size_t n = 0; n < cluster->node_count; ++n) {
    size_t first = NO_INDEX;
    for (size_t p = 0; p < cluster->partition_count; ++p) {
      if (!set_has(cluster->partitions[p].nodes, n)) continue;
      if (first == NO_INDEX) {
        first = p;
      } else {
        join(cluster, parent, first, p);
      }
    }
    out->group_of_node[n] = first;
  }
  for (size_t p = 0; p < cluster->partition_count; ++p) top_of(parent, p);
  for (size_t n = 0; n < cluster->node_count; ++n)
    if (out->group_of_node[n] != NO_INDEX) out->group_of_node[n] = top_of(parent, out->group_of_node[n]);
  for (size_t p = 0; p < cluster->partition_count; ++p) parent[p] = top_of(parent, p);
  out->group_of = parent;
  collect_tiers(cluster, arena, out);
}

int class_of_tier(const struct grouping* grouping, uint32_t tier) {
  size_t rank = 0;
  while (rank + 1 < grouping->tier_count && grouping->tiers[rank] < tier) ++rank;
  return grouping->tier_count < 2 ? 4 : (int)(rank * 9 / (grouping->tier_count - 1));
}
