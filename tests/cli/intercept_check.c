/* SPDX-License-Identifier: MIT */
/*
 * Preloaded into the command it comes before the library's cede_engine_check() and cede_topology_create(). Of
 * the former it writes the text it was given to the file that CEDE_INTERCEPTED names. And it stands for a
 * parser that its input can kill: a text that holds "crash-here" aborts, one that holds "spin-here" never
 * ends. The real parser is hardened, so no honest file does this. Large reads wait after the first two
 * mebibytes until somebody writes to the pipe that CEDE_GATE names, as if the file came from a slow disk.
 */
#define _GNU_SOURCE
#include <cede/cede.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef ssize_t (*read_call)(int, void*, size_t);

CEDE_API ssize_t read(int descriptor, void* bytes, size_t size) {
  static size_t large;
  read_call real;
  void* symbol = dlsym(RTLD_NEXT, "read");
  const char* gate = size >= (size_t)1 << 20 ? getenv("CEDE_GATE") : NULL;
  memcpy(&real, &symbol, sizeof real);
  if (gate && large >= (size_t)2 << 20) {
    const int opened = open(gate, O_RDONLY); /* waits for the writer */
    if (opened >= 0) close(opened);
    unsetenv("CEDE_GATE");
  }
  const ssize_t got = real(descriptor, bytes, size);
  if (gate && got > 0) large += (size_t)got;
  return got;
}

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

static void suffer(const char* text, size_t size) {
  static volatile unsigned turns;
  if (holds(text, size, "crash-here")) abort();
  while (holds(text, size, "spin-here")) ++turns;
}

typedef int32_t (*create_call)(const char*, size_t, int32_t, const char*, cede_topology**, cede_error*);

CEDE_API int32_t cede_topology_create(const char* text, size_t size, int32_t kind, const char* name,
                                      cede_topology** topology, cede_error* error) {
  create_call real;
  void* symbol = dlsym(RTLD_NEXT, "cede_topology_create");
  memcpy(&real, &symbol, sizeof real);
  suffer(text, size);
  return real(text, size, kind, name, topology, error);
}

CEDE_API int32_t cede_engine_check(const cede_engine* engine, const char* text, size_t size,
                                   cede_report** report, cede_error* error) {
  check_call real;
  void* symbol = dlsym(RTLD_NEXT, "cede_engine_check");
  memcpy(&real, &symbol, sizeof real);
  suffer(text, size);
  keep(text, size);
  return real(engine, text, size, report, error);
}
