/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "preempt/library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static bool find(void* handle, const char* name, void* call, char* why, size_t size) {
  void* found = dlsym(handle, name);
  if (!found) {
    snprintf(why, size, "libcede has no '%s'; it is older than this plugin", name);
    return false;
  }
  memcpy(call, &found, sizeof found);
  return true;
}

bool library_open(struct library* library, const char* file, char* why, size_t size) {
  memset(library, 0, sizeof *library);
  void* handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    snprintf(why, size, "libcede cannot be loaded: %s", dlerror());
    return false;
  }
#define LIBRARY_FIND(name) &&find(handle, #name, &library->name, why, size)
  if (true LIBRARY_CALLS(LIBRARY_FIND)) {
    library->handle = handle;
    return true;
  }
#undef LIBRARY_FIND
  dlclose(handle);
  memset(library, 0, sizeof *library);
  return false;
}

void library_close(struct library* library) {
  if (library->handle) dlclose(library->handle);
  memset(library, 0, sizeof *library);
}
