/* SPDX-License-Identifier: MIT */
/*
 * Preloaded into the command it comes before the library's cede_engine_check(). It writes the text it was
 * given to the file that CEDE_INTERCEPTED names. And it stands for a parser that its input can kill: a
 * document that holds "crash-here" aborts, one that holds "spin-here" never ends. The real parser is
 * hardened, so no honest file does this.
 */
#define _GNU_SOURCE
#include <cede/cede.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int32_t (*check_call)(const cede_engine*, const char*, size_t, cede_report**, cede_error*);

static int holds(const char* text, size_t size, const char* marker) {
  return text && memmem(text, size, marker, strlen(marker)) != NULL;
}

static void keep(const char* text, size_t size) {
  const char* name = getenv("CEDE_INTERCEPTED");
  FILE* file = name ? fopen(name, "wb") : NULL;
  if (!file) return;
  fwrite(text, 1, size, file);
  fclose(file);
}

CEDE_API int32_t cede_engine_check(const cede_engine* engine, const char* text, size_t size,
                                   cede_report** report, cede_error* error) {
  static volatile unsigned turns;
  check_call real;
  void* symbol = dlsym(RTLD_NEXT, "cede_engine_check");
  memcpy(&real, &symbol, sizeof real);
  if (holds(text, size, "crash-here")) abort();
  while (holds(text, size, "spin-here")) ++turns;
  keep(text, size);
  return real(engine, text, size, report, error);
}
