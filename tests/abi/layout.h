/* SPDX-License-Identifier: MIT */
/* The assertions of layout.c and layout_answers.c. What to do if one fails is at the top of layout.c. */
#ifndef CEDE_TESTS_ABI_LAYOUT_H
#define CEDE_TESTS_ABI_LAYOUT_H

#include <cede/cede.h>

#define SIZE_IS(type, size) \
  _Static_assert(sizeof(type) == (size), "size of " #type " changed: see the top of layout.c")
#define FIELD_IS(type, field, offset, size)                                                              \
  _Static_assert(offsetof(type, field) == (offset), #type "." #field " moved: see the top of layout.c"); \
  _Static_assert(sizeof(((type*)0)->field) == (size),                                                    \
                 #type "." #field " changed its width: see the top of layout.c")
#define SIGNED(type, field)                                             \
  _Static_assert(_Generic(((type*)0)->field, int32_t : 1, default : 0), \
                 #type "." #field " is no longer an int32_t")
#define UNSIGNED(type, field)                                            \
  _Static_assert(_Generic(((type*)0)->field, uint32_t : 1, default : 0), \
                 #type "." #field " is no longer a uint32_t")
#define CONSTANT_IS(name, value) _Static_assert((name) == (value), #name " changed: see the top of layout.c")

#endif
