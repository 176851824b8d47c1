/* SPDX-License-Identifier: MIT */
#ifndef CEDE_EDIT_DISTANCE_H
#define CEDE_EDIT_DISTANCE_H

/* The one measure in this tree of how near two names are: for "did you mean". Plain C without symbols of its
 * own, so that the adapters may include it, too. */
#include <stddef.h>

/* Names of more bytes than this are far from all others. */
enum { CEDE_LONGEST_NEAR_NAME = 96 };

static inline size_t cede_lesser(size_t a, size_t b) { return a < b ? a : b; }

/* How many letters to change, add or drop to get from one name to the other. Two neighbouring letters in the
 * wrong order count once. */
static inline size_t cede_edit_distance(const char* a, size_t a_size, const char* b, size_t b_size) {
  /* Row i of the table is rows[i % 3]: a swap of two letters looks two rows back. */
  size_t rows[3][CEDE_LONGEST_NEAR_NAME + 1];
  if (a_size > CEDE_LONGEST_NEAR_NAME || b_size > CEDE_LONGEST_NEAR_NAME) return a_size + b_size;
  for (size_t j = 0; j <= b_size; ++j) rows[0][j] = j;
  for (size_t i = 1; i <= a_size; ++i) {
    const size_t* before = rows[(i + 1) % 3];
    const size_t* last = rows[(i + 2) % 3];
    size_t* row = rows[i % 3];
    row[0] = i;
    for (size_t j = 1; j <= b_size; ++j) {
      const size_t changed = last[j - 1] + (a[i - 1] != b[j - 1] ? 1 : 0);
      row[j] = cede_lesser(cede_lesser(last[j], row[j - 1]) + 1, changed);
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = cede_lesser(row[j], before[j - 2] + 1);
    }
  }
  return rows[a_size % 3][b_size];
}

#endif
