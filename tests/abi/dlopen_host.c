/* SPDX-License-Identifier: MIT */
/* A host that is not linked with the library and knows nothing of C++: opens it by path, uses it, closes it,
 * again. */
#include <cede/cede.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "documents.h"

enum { kRounds = 20 };

/* ISO C has no way from an object pointer to a function pointer; POSIX promises that the bytes are the same.
 */
#define RESOLVE(library, function)                     \
  do {                                                 \
    void* found = dlsym(library, #function);           \
    if (!found) {                                      \
      fprintf(stderr, "%s is not there\n", #function); \
      return 1;                                        \
    }                                                  \
    memcpy(&calls.function, &found, sizeof found);     \
  } while (0)

typedef struct Calls {
  uint32_t (*cede_version)(void);
  int32_t (*cede_engine_create)(const char*, size_t, const char* const*, size_t, uint32_t, cede_engine**,
                                cede_error*);
  void (*cede_engine_destroy)(cede_engine*);
  int32_t (*cede_engine_load)(cede_engine*, const char*, size_t, cede_error*);
  int32_t (*cede_engine_export)(const cede_engine*, cede_text**, cede_error*);
  const char* (*cede_text_data)(const cede_text*);
  size_t (*cede_text_size)(const cede_text*);
  void (*cede_text_destroy)(cede_text*);
} Calls;

/* The export, to compare between rounds; NULL when a call failed. */
static char* use(const Calls* calls) {
  cede_engine* engine = NULL;
  cede_text* text = NULL;
  cede_error error;
  char* copy = NULL;
  if (calls->cede_engine_create(policy_text, strlen(policy_text), NULL, 0, CEDE_VERSION, &engine, &error) ==
          CEDE_OK &&
      calls->cede_engine_load(engine, wrong_cluster_text, strlen(wrong_cluster_text), &error) ==
          CEDE_E_DOCUMENT &&
      calls->cede_engine_load(engine, full_cluster_text, strlen(full_cluster_text), &error) == CEDE_OK &&
      calls->cede_engine_export(engine, &text, &error) == CEDE_OK) {
    copy = malloc(calls->cede_text_size(text) + 1);
    if (copy) memcpy(copy, calls->cede_text_data(text), calls->cede_text_size(text) + 1);
  } else {
    fprintf(stderr, "%s\n", error.text);
  }
  calls->cede_text_destroy(text);
  calls->cede_engine_destroy(engine);
  return copy;
}

static int one_round(const char* path, int flags, char** first) {
  Calls calls;
  void* library = dlopen(path, flags);
  if (!library) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  RESOLVE(library, cede_version);
  RESOLVE(library, cede_engine_create);
  RESOLVE(library, cede_engine_destroy);
  RESOLVE(library, cede_engine_load);
  RESOLVE(library, cede_engine_export);
  RESOLVE(library, cede_text_data);
  RESOLVE(library, cede_text_size);
  RESOLVE(library, cede_text_destroy);
  if (calls.cede_version() < CEDE_VERSION) {
    fprintf(stderr, "the library is older than its header\n");
    return 1;
  }
  char* text = use(&calls);
  if (!text) return 1;
  if (!*first) {
    *first = text;
  } else {
    const int differs = strcmp(*first, text);
    free(text);
    if (differs) {
      fprintf(stderr, "the export differs from that of the first round\n");
      return 1;
    }
  }
  if (dlclose(library) != 0) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  return 0;
}

int main(int argc, char** argv) {
  const int flags[] = {RTLD_NOW | RTLD_LOCAL, RTLD_LAZY | RTLD_GLOBAL, RTLD_LAZY | RTLD_LOCAL,
                       RTLD_NOW | RTLD_GLOBAL};
  char* first = NULL;
  int failed = 0;
  if (argc != 2) {
    fprintf(stderr, "usage: %s LIBRARY\n", argv[0]);
    return 2;
  }
  for (size_t f = 0; f < sizeof flags / sizeof flags[0] && !failed; ++f) {
    for (int round = 0; round < kRounds && !failed; ++round) {
      failed = one_round(argv[1], flags[f], &first);
      if (failed) fprintf(stderr, "flags %d, round %d failed\n", flags[f], round);
    }
  }
  free(first);
  return failed;
}
