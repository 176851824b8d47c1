/* SPDX-License-Identifier: GPL-2.0-or-later OR MIT */
/* The document cede-slurm/1: how a Slurm cluster becomes a cede-cluster/1 document. Includes nothing of
 * Slurm. */
#ifndef CEDE_SLURM_SETTINGS_H
#define CEDE_SLURM_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CEDE_SLURM_FORMAT "cede-slurm/1"

struct named_number {
  char* name;
  int64_t number;
};

struct number_map {
  struct named_number* entries;
  size_t count;
};

struct named_text {
  char* name;
  char* text;
};

struct text_map {
  struct named_text* entries;
  size_t count;
};

enum queue_source { QUEUE_FROM_NONE, QUEUE_FROM_ACCOUNT, QUEUE_FROM_QOS, QUEUE_FROM_PARTITION };
enum priority_source { PRIORITY_FROM_NONE, PRIORITY_FROM_JOB, PRIORITY_FROM_TIER, PRIORITY_FROM_QOS };
enum checkpoint_mode { CHECKPOINT_NONE, CHECKPOINT_AUTO, CHECKPOINT_MANUAL };
enum untranslated { UNTRANSLATED_WAIT, UNTRANSLATED_IGNORE };
enum log_amount { LOG_DECISIONS, LOG_ALL, LOG_NONE };
/* Keys of a job's comment that count, as bits. */
enum comment_key {
  COMMENT_CKPT = 1,
  COMMENT_EST = 2,
  COMMENT_TIMEOUT = 4,
  COMMENT_RESTART = 8,
  COMMENT_LAST = 16,
  COMMENT_CLASS = 32
};

/* Texts are never NULL; empty means not given. Durations are seconds, below 0: not given. */
struct settings {
  bool enabled;
  char* library;
  char* policy; /* a cede-policy/1 document */
  char* policy_file;
  struct text_map group_policies; /* by partition */

  struct number_map class_tiers;
  struct number_map class_partitions;
  struct number_map class_accounts;
  struct number_map class_qos;
  int64_t class_default;
  struct number_map raise_accounts; /* the class a comment may raise a job to */
  struct number_map raise_qos;

  int queue_source;
  struct text_map queue_names;
  char* queues; /* the list of a cluster document */

  int priority_source;
  struct number_map priority_qos;
  int64_t priority_divide;
  int64_t priority_min;
  int64_t priority_max;

  char* comment_prefix;
  uint64_t comment_keys;
  int checkpoint_default;
  int checkpoint_signal; /* of jobs with --signal */
  int64_t grace_checkpoint;
  int64_t grace_terminate;

  char* fingerprint_prefix;
  bool topology;
  char* topology_file;
  char* hwloc_folder;
  char* hwloc_command;
  bool reservations;
  bool licences;

  int untranslated;
  int log;
  int64_t decision_ttl;
  int64_t leaving_timeout;
  int64_t max_pending;
  int64_t threads;
  int64_t search_work; /* of a policy that sets none itself: slurmctld waits for the answer */
};

/* One mistake in a document. */
struct settings_finding {
  uint32_t line; /* from 1; 0 if it has none */
  uint32_t column;
  char path[120];
  char text[240];
};

enum { MAX_SETTINGS_FINDINGS = 20 };

struct settings_report {
  size_t count; /* found; the first MAX_SETTINGS_FINDINGS are kept */
  struct settings_finding findings[MAX_SETTINGS_FINDINGS];
  size_t policy_begin; /* bytes of the value of "policy": [begin, end); equal where there is none */
  size_t policy_end;
  size_t queues_begin;
  size_t queues_end;
};

/* The defaults, which work on any cluster. NULL if memory runs out. */
struct settings* settings_create(void);
/* Reads a document over the defaults. NULL if it has a mistake; the report lists them all. */
struct settings* settings_read(const char* text, size_t size, struct settings_report* report);
void settings_destroy(struct settings* settings);

/* The policy used if the settings name none. */
extern const char settings_default_policy[];

/* The policy with the settings' bound of the search, unless it has its own; in memory of its own. */
char* settings_bounded_policy(const struct settings* settings, const char* policy);

/* Whether a text is JSON whose "format" is cede-slurm/1. */
bool settings_recognise(const char* text, size_t size);

/* NULL if the map does not have the name. */
const int64_t* number_of(const struct number_map* map, const char* name);
const char* text_of(const struct text_map* map, const char* name);

/* "90s", "10m", "1h30m", "1d" or plain seconds; -1 if it is none of these. */
int64_t seconds_of(const char* text);

#ifdef __cplusplus
}
#endif

#endif
