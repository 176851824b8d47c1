/* SPDX-License-Identifier: GPL-2.0-or-later OR MIT */
#include "config/edit_distance.h"

enum { LONGEST = 96 };

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

size_t edit_distance(const char* a, size_t a_size, const char* b, size_t b_size) {
  /* Row i of the table is rows[i % 3]: a swap of two letters looks two rows back. */
  size_t rows[3][LONGEST + 1];
  if (a_size > LONGEST || b_size > LONGEST) return a_size + b_size;
  for (size_t j = 0; j <= b_size; ++j) rows[0][j] = j;
  for (size_t i = 1; i <= a_size; ++i) {
    const size_t* before = rows[(i + 1) % 3];
    const size_t* last = rows[(i + 2) % 3];
    size_t* row = rows[i % 3];
    row[0] = i;
    for (size_t j = 1; j <= b_size; ++j) {
      row[j] = least(least(last[j], row[j - 1]) + 1, last[j - 1] + (a[i - 1] != b[j - 1]));
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = least(row[j], before[j - 2] + 1);
    }
  }
  return rows[a_size % 3][b_size];
}
