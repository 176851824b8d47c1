/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "preempt/site.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "preempt/tables.h"
#include "translate/node_topology.h"

enum { MAX_FILE = 16 * 1024 * 1024 };

/* The value of `name=` in one of Slurm's comma-separated lists. */
static char* parameter(const char* list, const char* name) {
  const char* at = list ? strstr(list, name) : NULL;
  if (!at || (at != list && at[-1] != ',')) return NULL;
  at += strlen(name);
  return strndup(at, strcspn(at, ","));
}

char* site_settings_file(void) {
  const char* named = getenv("CEDE_SLURM_CONFIG");
  if (named && *named) return strdup(named);
  char* set = parameter(slurm_conf.slurmctld_params, "cede_config=");
  if (set) return set;
  char* beside = get_extra_conf_path("cede-slurm.json");
  char* found = beside && access(beside, F_OK) == 0 ? strdup(beside) : NULL;
  xfree(beside);
  return found;
}

static char* read_file(const char* path, size_t* size, char* why, size_t why_size) {
  FILE* file = fopen(path, "rb");
  struct stat about;
  char* text = NULL;
  if (!file || fstat(fileno(file), &about) != 0) {
    snprintf(why, why_size, "cannot read '%s': %s", path, strerror(errno));
  } else if (!S_ISREG(about.st_mode) || about.st_size > MAX_FILE) {
    snprintf(why, why_size, "'%s' is no file of at most 16 MiB", path);
  } else if ((text = calloc(1, (size_t)about.st_size + 1))) {
    *size = fread(text, 1, (size_t)about.st_size, file);
  }
  if (file) fclose(file);
  return text;
}

static bool open_settings(struct site* site) {
  char why[512] = "";
  char* path = site_settings_file();
  if (!path) {
    site->settings = settings_create();
    info("preempt/cede: no settings file; the defaults are used");
    return site->settings != NULL;
  }
  size_t size = 0;
  char* text = read_file(path, &size, why, sizeof why);
  if (!text) {
    error("preempt/cede: %s", why);
  } else {
    static struct settings_report report; /* too large for a small thread's stack */
    site->settings = settings_read(text, size, &report);
    for (size_t i = 0; i < report.count && i < MAX_SETTINGS_FINDINGS; ++i) {
      const struct settings_finding* f = &report.findings[i];
      error("preempt/cede: %s:%u:%u: %s%s%s", path, f->line, f->column, f->path, *f->path ? ": " : "",
            f->text);
    }
  }
  free(text);
  free(path);
  return site->settings != NULL;
}

static bool open_policy(struct site* site) {
  const struct settings* s = site->settings;
  char why[512] = "out of memory";
  size_t size = 0;
  char* file = *s->policy_file ? read_file(s->policy_file, &size, why, sizeof why) : NULL;
  if (file || !*s->policy_file)
    site->policy = settings_bounded_policy(s, file ? file : *s->policy ? s->policy : settings_default_policy);
  free(file);
  if (!site->policy) error("preempt/cede: policy: %s", why);
  return site->policy != NULL;
}

/* Only trees and blocks have a file that means something; a missing one is no mistake. */
static void open_topology(struct site* site) {
  char why[512];
  size_t size = 0;
  const char* plugin = slurm_conf.topology_plugin;
  const bool has_file = plugin && (strstr(plugin, "tree") || strstr(plugin, "block"));
  site->topology = NULL;
  if (site->settings->topology && *site->settings->topology_file) {
    site->topology = read_file(site->settings->topology_file, &size, why, sizeof why);
    if (!site->topology) error("preempt/cede: topology: %s; jobs with --switches wait", why);
  } else if (site->settings->topology && has_file) {
    char* path = get_extra_conf_path("topology.conf");
    if (path && access(path, R_OK) == 0) site->topology = read_file(path, &size, why, sizeof why);
    xfree(path);
  }
  if (!site->topology) site->topology = strdup("");
}

/* The settings ask for these topologies, so an error here is an error of the settings. */
static bool open_node_topologies(struct site* site) {
  char why[512];
  if (node_topologies_read(&site->arena, site->settings, tables_expand, &site->node_topologies, why,
                           sizeof why))
    return true;
  error("preempt/cede: hwloc: %s", why);
  return false;
}

static bool open_engine(struct site* site) {
  char why[512], threads[32];
  cede_error fault;
  if (!library_open(&site->library, site->settings->library, why, sizeof why)) {
    error("preempt/cede: %s", why);
    return false;
  }
  snprintf(threads, sizeof threads, "threads=%lld", (long long)site->settings->threads);
  const char* const options[] = {threads};
  if (site->library.cede_engine_create(site->policy, strlen(site->policy), options, 1, CEDE_VERSION,
                                       &site->engine, &fault) < 0) {
    error("preempt/cede: policy: %s%s", fault.text, *site->settings->policy_file ? " (policy_file)" : "");
    return false;
  }
  info("preempt/cede: libcede %s", site->library.cede_version_text());
  return true;
}

bool site_open(struct site* site) {
  memset(site, 0, sizeof *site);
  if (open_settings(site) && open_policy(site)) {
    open_topology(site);
    if (!site->settings->enabled) {
      info("preempt/cede: switched off by its settings; no job is preempted");
    } else if (open_node_topologies(site) && open_engine(site)) {
      return true;
    }
  }
  if (!site->settings || site->settings->enabled)
    error("preempt/cede: no job is preempted until this is put right and 'scontrol reconfigure' is run");
  site_close(site);
  return false;
}

void site_close(struct site* site) {
  if (site->engine) site->library.cede_engine_destroy(site->engine);
  library_close(&site->library);
  settings_destroy(site->settings);
  free(site->policy);
  free(site->topology);
  arena_free(&site->arena);
  memset(site, 0, sizeof *site);
}
