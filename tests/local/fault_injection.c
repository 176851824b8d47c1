/* SPDX-License-Identifier: MIT */
/* clang-format off */
/*
 * Preloaded into `cede run`, this library replaces calls of the C library and makes the system fail on demand:
 *
 *   CEDE_INJECT_CLOCK=FILE     the wall clock is wrong by the number of seconds in the file
 *   CEDE_INJECT_COUNT=FILE     counts calls that change files; at the end the file holds their number
 *   CEDE_INJECT_KILL=N         kills the process instead of the N-th such call
 *   CEDE_INJECT_KILL_WITH=T    kills the process once a file that it has just renamed into place holds this text
 *   CEDE_INJECT_FAULT=N-M:E    the N-th to the M-th such call fail with the errno E and change nothing
 *   CEDE_INJECT_FULL=FILE      all such calls fail with ENOSPC while the file exists
 *
 * CEDE_INJECT_WHO names the process: manager (the default), supervisor or worker. The others are left alone.
 */
/* clang-format on */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

static atomic_long calls;

/* The call that stands behind the one of the same name here. */
#define REAL(name)                                \
  __typeof__(&name) real_##name;                  \
  do {                                            \
    void* symbol = dlsym(RTLD_NEXT, #name);       \
    memcpy(&real_##name, &symbol, sizeof symbol); \
  } while (0)

/* The words of a command line end with zeros; `cede run-supervisor ...` has its name second. */
static int concerned(void) {
  static int known = -1;
  if (known >= 0) return known;
  char line[512] = {0};
  REAL(open);
  const int file = real_open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  const ssize_t got = file < 0 ? 0 : read(file, line, sizeof line - 2);
  if (file >= 0) close(file);
  const char* word = got > 0 ? line + strlen(line) + 1 : "";
  const char* who = getenv("CEDE_INJECT_WHO");
  const char* wanted = !who || !strcmp(who, "manager") ? "run"
                       : !strcmp(who, "supervisor")    ? "run-supervisor"
                                                       : "run-worker";
  known = !strcmp(word, wanted);
  return known;
}

static void note_count(long number) {
  const char* name = getenv("CEDE_INJECT_COUNT");
  if (!name) return;
  char text[32];
  const int size = snprintf(text, sizeof text, "%ld\n", number);
  REAL(open);
  const int file = real_open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) return;
  REAL(write);
  if (real_write(file, text, (size_t)size) != size) abort();
  close(file);
}

/* The errno this call is to fail with, 0 if it is to be made. */
static int inject(void) {
  if (!concerned()) return 0;
  const long number = atomic_fetch_add(&calls, 1) + 1;
  note_count(number);
  const char* text = getenv("CEDE_INJECT_KILL");
  if (text && atol(text) == number) kill(getpid(), SIGKILL);
  long first = 0, last = 0;
  int fault = 0;
  text = getenv("CEDE_INJECT_FAULT");
  if (text && sscanf(text, "%ld-%ld:%d", &first, &last, &fault) == 3 && number >= first && number <= last)
    return fault;
  text = getenv("CEDE_INJECT_FULL");
  return text && access(text, F_OK) == 0 ? ENOSPC : 0;
}

/* Standard streams are nobody's disk. */
static int is_file(int descriptor) {
  struct stat status;
  return descriptor > 2 && fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

static int holds(const char* name, const char* text) {
  static char bytes[1 << 20];
  REAL(open);
  const int file = real_open(name, O_RDONLY | O_CLOEXEC);
  const ssize_t got = file < 0 ? 0 : read(file, bytes, sizeof bytes);
  if (file >= 0) close(file);
  return got > 0 && memmem(bytes, (size_t)got, text, strlen(text)) != NULL;
}

#define BEND(failed)            \
  do {                          \
    const int fault = inject(); \
    if (fault != 0) {           \
      errno = fault;            \
      return failed;            \
    }                           \
  } while (0)

EXPORT int open(const char* name, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  if (flags & O_CREAT) BEND(-1);
  REAL(open);
  return real_open(name, flags, mode);
}

EXPORT ssize_t write(int descriptor, const void* bytes, size_t size) {
  if (is_file(descriptor)) BEND(-1);
  REAL(write);
  return real_write(descriptor, bytes, size);
}

EXPORT int fsync(int descriptor) {
  BEND(-1);
  REAL(fsync);
  return real_fsync(descriptor);
}

EXPORT int rename(const char* from, const char* to) {
  BEND(-1);
  REAL(rename);
  const int status = real_rename(from, to);
  const char* text = getenv("CEDE_INJECT_KILL_WITH");
  if (status == 0 && text && concerned() && holds(to, text)) kill(getpid(), SIGKILL);
  return status;
}

EXPORT int link(const char* from, const char* to) {
  BEND(-1);
  REAL(link);
  return real_link(from, to);
}

EXPORT int mkdir(const char* name, mode_t mode) {
  BEND(-1);
  REAL(mkdir);
  return real_mkdir(name, mode);
}

EXPORT int mkfifo(const char* name, mode_t mode) {
  BEND(-1);
  REAL(mkfifo);
  return real_mkfifo(name, mode);
}

/* Taking away needs no space: these count and may be the last thing that is done, but do not fail. */
EXPORT int unlink(const char* name) {
  inject();
  REAL(unlink);
  return real_unlink(name);
}

EXPORT int posix_spawn(pid_t* pid, const char* path, const posix_spawn_file_actions_t* actions,
                       const posix_spawnattr_t* attributes, char* const words[], char* const variables[]) {
  inject();
  REAL(posix_spawn);
  return real_posix_spawn(pid, path, actions, attributes, words, variables);
}

EXPORT int clock_gettime(clockid_t clock, struct timespec* time) {
  REAL(clock_gettime);
  const int status = real_clock_gettime(clock, time);
  const char* name = getenv("CEDE_INJECT_CLOCK");
  if (status != 0 || clock != CLOCK_REALTIME || !name) return status;
  FILE* file = fopen(name, "r");
  long seconds = 0;
  if (file) {
    if (fscanf(file, "%ld", &seconds) != 1) seconds = 0;
    fclose(file);
  }
  time->tv_sec += seconds;
  return status;
}
