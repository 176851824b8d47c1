/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cede-slurm: a live Slurm as documents for the command cede. */
#include <errno.h>
#include <getopt.h>
#include <slurm/slurm.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "snapshot/api.h"
#include "translate/node_topology.h"

static const char kHelp[] =
    "Usage: cede-slurm COMMAND [OPTION]...\n"
    "\n"
    "Reads a running slurmctld. Any user who may see the jobs can run it.\n"
    "\n"
    "Commands:\n"
    "  snapshot    write the cluster as a cede-cluster/1 document\n"
    "  policy      write the policy the plugin uses as a cede-policy/1 document\n"
    "\n"
    "Options:\n"
    "  --config FILE         settings, cede-slurm/1 (default: $CEDE_SLURM_CONFIG,\n"
    "                        else cede-slurm.json beside slurm.conf, else none)\n"
    "  --job ID              the job you will ask about; it may use its own reservation\n"
    "  --output FILE         write there instead of to standard output\n"
    "  --version             show the version\n"
    "  --help                show this help\n"
    "\n"
    "Examples:\n"
    "  cede-slurm snapshot --job 4711 --output cluster.json\n"
    "  cede-slurm policy --output policy.json\n"
    "  cede explain --cluster cluster.json --policy policy.json --job 4711\n"
    "                                         why does job 4711 wait?\n"
    "\n"
    "What cannot be translated is named on standard error. Exit status: 0 done, 2 an\n"
    "error, reported in one line.\n";

static int fail(const char* format, ...) __attribute__((format(printf, 1, 2)));
static int fail(const char* format, ...) {
  va_list values;
  fputs("cede-slurm: ", stderr);
  va_start(values, format);
  vfprintf(stderr, format, values);
  va_end(values);
  fputc('\n', stderr);
  return 2;
}

struct options {
  const char* command;
  const char* config;
  const char* job;
  const char* output;
};

static char* read_file(const char* path, size_t* size) {
  FILE* file = fopen(path, "rb");
  struct text text = {NULL, 0, 0};
  char block[4096];
  if (!file) return NULL;
  text_add(&text, "");
  for (size_t got = 0; (got = fread(block, 1, sizeof block - 1, file)) > 0;) {
    block[got] = '\0';
    if (strlen(block) != got) break; /* no document contains a NUL */
    text_add(&text, block);
  }
  fclose(file);
  *size = text.size;
  return text.data;
}

static char* settings_path(const struct options* options, const char* folder) {
  const char* named = options->config ? options->config : getenv("CEDE_SLURM_CONFIG");
  if (named && *named) return strdup(named);
  struct text path = {NULL, 0, 0};
  text_addf(&path, "%s/cede-slurm.json", folder);
  if (access(path.data, F_OK) == 0) return path.data;
  text_free(&path);
  return NULL;
}

/* NULL after a mistake, which has been printed. */
static struct settings* open_settings(const struct options* options, const char* folder) {
  char* path = settings_path(options, folder);
  if (!path) return settings_create();
  size_t size = 0;
  static struct settings_report report;
  struct settings* settings = NULL;
  char* text = read_file(path, &size);
  if (!text) {
    fail("cannot read '%s': %s", path, strerror(errno));
  } else if (!(settings = settings_read(text, size, &report))) {
    const struct settings_finding* f = &report.findings[0];
    fail("%s:%u:%u: %s%s%s", path, f->line, f->column, f->path, *f->path ? ": " : "", f->text);
  }
  free(text);
  free(path);
  return settings;
}

static char* open_policy(const struct settings* settings) {
  size_t size = 0;
  if (!*settings->policy_file)
    return settings_bounded_policy(settings, *settings->policy ? settings->policy : settings_default_policy);
  char* text = read_file(settings->policy_file, &size);
  if (!text) return fail("cannot read '%s': %s", settings->policy_file, strerror(errno)), NULL;
  char* bounded = settings_bounded_policy(settings, text);
  free(text);
  return bounded;
}

static int write_out(const struct options* options, const char* text) {
  FILE* out = options->output ? fopen(options->output, "w") : stdout;
  if (!out) return fail("cannot write '%s': %s", options->output, strerror(errno));
  const bool written = fputs(text, out) >= 0 && fflush(out) == 0;
  if (options->output && fclose(out) != 0)
    return fail("cannot write '%s': %s", options->output, strerror(errno));
  return written ? 0 : fail("cannot write: %s", strerror(errno));
}

static void tell_once(void* context, const char* line) {
  struct text* given = context;
  if (given->size && strstr(given->data, line)) return;
  text_addf(given, "%s\n", line);
  fail("note: %s", line);
}

static void read_topology(struct arena* arena, const struct settings* settings, struct api_cluster* all) {
  struct text path = {NULL, 0, 0};
  size_t size = 0;
  if (!settings->topology || (!all->tree && !*settings->topology_file)) return;
  text_addf(&path, "%s/topology.conf", all->configuration);
  char* text = read_file(*settings->topology_file ? settings->topology_file : path.data, &size);
  all->cluster.topology = arena_text(arena, text);
  free(text);
  text_free(&path);
}

/* Queues that only jobs name. */
static const char** queues_of(struct arena* arena, const struct translation* t, const struct api_cluster* all,
                              size_t* count) {
  const char** queues = arena_take(arena, (all->job_count + 1) * sizeof *queues);
  for (size_t j = 0; j < all->job_count; ++j) {
    struct job_values values;
    values_of_job(t, &all->jobs[j], &values);
    size_t i = 0;
    while (i < *count && strcmp(queues[i], values.queue) != 0) ++i;
    if (i == *count && strcmp(values.queue, t->root_queue) != 0) queues[(*count)++] = values.queue;
  }
  return queues;
}

static int snapshot(const struct options* options, struct arena* arena, const struct settings* settings,
                    struct api_cluster* all, const char* policy) {
  char why[300];
  struct text out = {NULL, 0, 0}, given = {NULL, 0, 0};
  struct translation t = {.notice = tell_once, .notice_context = &given};
  size_t queue_count = 0;
  if (!api_read_cluster(arena, options->job, all, why, sizeof why)) return fail("%s", why);
  read_topology(arena, settings, all);
  if (!node_topologies_read(arena, settings, api_expand, &all->cluster.node_topologies, why, sizeof why))
    return fail("hwloc: %s", why);
  translation_prepare(&t, settings, &all->cluster, policy, arena);
  size_t kept = 0;
  for (size_t j = 0; j < all->job_count; ++j)
    if (all->jobs[j].phase == JOB_IS_WAITING || keep_allocations_of_one_group(&t, &all->jobs[j]))
      all->jobs[kept++] = all->jobs[j];
  all->job_count = kept;
  const char** queues = queues_of(arena, &t, all, &queue_count);
  write_document(&t, queues, queue_count, all->jobs, all->job_count, &out);
  const int status = write_out(options, out.data);
  text_free(&out);
  text_free(&given);
  return status;
}

static int run(const struct options* options) {
  struct arena arena = {NULL};
  struct api_cluster all;
  char why[300];
  memset(&all, 0, sizeof all);
  slurm_init(NULL);
  if (!api_open(&arena, &all, why, sizeof why)) return fail("%s", why);
  int status = 2;
  struct settings* settings = open_settings(options, all.configuration);
  char* policy = settings ? open_policy(settings) : NULL;
  if (policy && strcmp(options->command, "policy") == 0) {
    status = write_out(options, policy);
  } else if (policy) {
    status = snapshot(options, &arena, settings, &all, policy);
  }
  free(policy);
  settings_destroy(settings);
  arena_free(&arena);
  slurm_fini();
  return status;
}

int main(int count, char** words) {
  static const struct option kOptions[] = {
      {"config", required_argument, NULL, 'c'}, {"job", required_argument, NULL, 'j'},
      {"output", required_argument, NULL, 'o'}, {"version", no_argument, NULL, 'v'},
      {"help", no_argument, NULL, 'h'},         {NULL, 0, NULL, 0}};
  struct options options = {NULL, NULL, NULL, NULL};
  opterr = 0;
  for (int c = 0; (c = getopt_long(count, words, "h", kOptions, NULL)) != -1;) {
    switch (c) {
      case 'c': options.config = optarg; break;
      case 'j': options.job = optarg; break;
      case 'o': options.output = optarg; break;
      case 'v':
        printf("cede-slurm " CEDE_VERSION_TEXT ", Slurm %d.%02d\n", SLURM_VERSION_NUMBER >> 16,
               SLURM_VERSION_NUMBER >> 8 & 0xff);
        return 0;
      case 'h': fputs(kHelp, stdout); return 0;
      default: return fail("unknown or incomplete option '%s'; see 'cede-slurm --help'", words[optind - 1]);
    }
  }
  if (optind + 1 != count) return fail("one command is wanted: snapshot or policy; see 'cede-slurm --help'");
  options.command = words[optind];
  if (strcmp(options.command, "snapshot") != 0 && strcmp(options.command, "policy") != 0)
    return fail("unknown command '%s'; snapshot and policy are known", options.command);
  return run(&options);
}
