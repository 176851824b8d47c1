/* SPDX-License-Identifier: MIT */
/* clang-format off */
/*
 * libcede: which running jobs give way to a waiting one.
 *
 * Rules that hold for every call:
 *
 *  1. Names are cede_<noun>_<verb> and CEDE_<CONST>; handles are opaque structs.
 *  2. The header includes only <stddef.h>, <stdint.h> and <cede/...>. It compiles as C99, C11, C++11 and C++20.
 *  3. Every create has a destroy, and destroy(NULL) does nothing. A returned pointer belongs to its handle. It is
 *     valid until the handle is destroyed (or changed, where a call says so). The caller never frees library
 *     memory. The library copies what is passed in before the call returns.
 *  4. Calls return a status: 0 is success, > 0 success with a remark, < 0 failure. A call that fails leaves its
 *     outputs and the handle as they were. The last argument is an optional cede_error that the caller owns.
 *     Status numbers never change their meaning.
 *  5. No call throws, aborts, exits, prints, or reads the clock, the environment, files or random numbers. If
 *     memory runs out, the call fails with CEDE_E_NOMEM and changes nothing.
 *  6. Bulk structs hold fixed-width integers, no pointers and no padding. They only grow at the end, and zero is
 *     the default of every field. They are passed with their size. Fields that an older caller does not have
 *     count as zero. If a newer caller sets a field that the library does not have, the call fails with
 *     CEDE_E_VERSION; in an answer, such fields are set to zero. A size below that of the first version, or above
 *     4096, is CEDE_E_INVALID.
 *  7. Options are texts "name=value"; cede_option_count() and the calls after it list them.
 *  8. Many threads may use a const handle at once; a non-const handle needs exclusive use. So many threads may
 *     plan, check, admit, export and save on one engine at the same time, but not while another changes it:
 *     loads, puts, asks for numbers, commits or steps. Plans, steps, ledgers, reports, admissions, topologies
 *     and texts never change once they are made; only destroying one needs exclusive use. Two engines, clones
 *     too, never share what one of them changes: each may be in another thread.
 *  9. The log callback belongs to one engine and runs on the calling thread only. There is no other callback.
 * 10. Texts are UTF-8. Sizes are in bytes. A text passed with its size need not end in a NUL; a text returned
 *     does. A count or size that no memory could hold is CEDE_E_INVALID or CEDE_E_LIMIT, and nothing is read.
 *     Sentences and pictures for people show invisible characters and those that change how a line is shown
 *     (controls, line separators, writing directions) as "\u202e". Documents and names are returned exactly.
 * 11. The library keeps no mutable state outside its handles. After fork() the child may use only handles that it
 *     creates itself.
 */
/* clang-format on */
#ifndef CEDE_CEDE_H
#define CEDE_CEDE_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define CEDE_API __attribute__((visibility("default")))
#else
#define CEDE_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Version ------------------------------------------------------------------------------------------- */

#define CEDE_VERSION_MAJOR 0
#define CEDE_VERSION_MINOR 2
#define CEDE_VERSION_PATCH 0
/* The version of this header as one number; pass it to cede_engine_create(). */
#define CEDE_VERSION (CEDE_VERSION_MAJOR * 1000000 + CEDE_VERSION_MINOR * 1000 + CEDE_VERSION_PATCH)
/* The number behind libcede.so; it changes only when programs must be rebuilt. */
#define CEDE_ABI 0

/* The version of the loaded library, in the form of CEDE_VERSION. */
CEDE_API uint32_t cede_version(void);
/* The same for people: "0.2.0". */
CEDE_API const char* cede_version_text(void);
/* 1 if this library has the feature of that name, else 0. Known so far: "documents", "check", "hwloc-xml",
 * "plan", "admit", "relief", "claims", "nccl-xml", "slurm-topology", "topology", "shares", "sequence",
 * "arrays", "batch". What is laid out and not available yet will be "budgets", "moves", "leaving",
 * "node-lists" and "refused-places".
 */
CEDE_API int32_t cede_has_feature(const char* name);

/* ---- Status and errors --------------------------------------------------------------------------------- */

#define CEDE_OK 0
#define CEDE_REMARK_WARNINGS 1 /* done; cede_engine_check() lists the warnings */
#define CEDE_E_INVALID (-1)    /* an argument of this call is wrong */
#define CEDE_E_DOCUMENT (-2)   /* a document breaks a rule */
#define CEDE_E_LIMIT (-3)      /* an input is beyond a documented limit */
#define CEDE_E_VERSION (-4)    /* a header, struct, field or document that this version does not know yet */
#define CEDE_E_NOMEM (-5)      /* out of memory */
#define CEDE_E_INTERNAL (-6)   /* a bug in the library: please report the text */
#define CEDE_E_UNKNOWN (-7)    /* no object has this name */
#define CEDE_E_STALE (-8)      /* the cluster has changed and the plan no longer holds */
#define CEDE_E_DAMAGED (-9)    /* a saved state is damaged */

/* What went wrong, in one line: which place, which value, what is allowed. */
typedef struct cede_error {
  int32_t status; /* what the call returned */
  uint32_t line;  /* line of the document, from 1; 0 if the error has none */
  char text[248]; /* always ends in a NUL; longer messages end in "..." */
} cede_error;

/* "CEDE_E_DOCUMENT" for -2, and so on; "CEDE_E_?" for a number that has no meaning. Never NULL. */
CEDE_API const char* cede_status_name(int32_t status);

/* ---- Options ------------------------------------------------------------------------------------------- */

/* The options cede_engine_create() knows. The texts live as long as the library; NULL beyond the last. */
CEDE_API size_t cede_option_count(void);
CEDE_API const char* cede_option_name(size_t option);
CEDE_API const char* cede_option_default(size_t option);
CEDE_API const char* cede_option_help(size_t option);

/* ---- Profiles and their settings ----------------------------------------------------------------------- */

/* The profiles a policy may name, and every setting of each. The texts live as long as the library; NULL
 * beyond. */
CEDE_API size_t cede_profile_count(void);
CEDE_API const char* cede_profile_name(size_t profile);
CEDE_API const char* cede_profile_help(size_t profile);
CEDE_API size_t cede_setting_count(size_t profile);

#define CEDE_SETTING_NAME 0
#define CEDE_SETTING_DEFAULT 1 /* "none" if there is none; a remark may follow after "; " */
#define CEDE_SETTING_UNIT 2    /* "duration", "count", "flag", ... */
#define CEDE_SETTING_RANGE 3   /* what is allowed: "0..100", "oldest, newest, fewest or smallest", ... */
#define CEDE_SETTING_SIDE 4    /* whose queue it is read from: "requester", "victim" or "both" */
#define CEDE_SETTING_HELP 5    /* one line */
CEDE_API const char* cede_setting_text(size_t profile, size_t setting, int32_t what);

/* ---- Engine -------------------------------------------------------------------------------------------- */

/* One cluster, one policy, and everything decided so far. Engines in one process are independent. */
typedef struct cede_engine cede_engine;

/*
 * Makes an engine without a cluster. `policy` is a cede-policy/1 document. If it is NULL, the engine loads,
 * checks and exports clusters without a policy, and does not check what depends on one. `options` are
 * `option_count` texts "name=value". `header_version` is CEDE_VERSION; a header newer than the library is
 * CEDE_E_VERSION, and so is one older than 0.2.0, because its structs had another layout.
 */
CEDE_API int32_t cede_engine_create(const char* policy, size_t policy_size, const char* const* options,
                                    size_t option_count, uint32_t header_version, cede_engine** engine,
                                    cede_error* error);
CEDE_API void cede_engine_destroy(cede_engine* engine);

/*
 * Makes an independent engine in the same state, for what-if questions. Its cost depends on what is changed
 * in it later, not on the size of the cluster. The log callback is not copied.
 */
CEDE_API int32_t cede_engine_clone(const cede_engine* engine, cede_engine** copy, cede_error* error);

#define CEDE_LOG_DEBUG 0
#define CEDE_LOG_INFO 1
#define CEDE_LOG_WARNING 2
typedef void (*cede_log)(void* context, int32_t level, const char* text);

/* Sets the callback for lines of an operator's log. It is called only during calls on this engine, on the
 * calling thread. NULL: no log. */
CEDE_API int32_t cede_engine_set_log(cede_engine* engine, cede_log log, void* context, cede_error* error);

/*
 * Replaces the cluster with a cede-cluster/1 document, all or nothing. Returns CEDE_REMARK_WARNINGS if
 * something is legal but odd. The error is the first mistake; cede_engine_check() lists them all.
 */
CEDE_API int32_t cede_engine_load(cede_engine* engine, const char* text, size_t size, cede_error* error);

/*
 * Applies a cede-changes/1 document, all or nothing. Each object under "put" replaces the whole object of its
 * id or adds it; each id under "remove" must exist. References are checked after the last change, so the
 * order inside the document does not matter.
 */
CEDE_API int32_t cede_engine_apply(cede_engine* engine, const char* text, size_t size, cede_error* error);

/* Replaces the policy with a cede-policy/1 document, all or nothing; the cluster must agree with it. */
CEDE_API int32_t cede_engine_set_policy(cede_engine* engine, const char* text, size_t size,
                                        cede_error* error);

/* Grows with every change of the cluster or policy. If two revisions of one engine are equal, so is its
 * state. */
CEDE_API uint64_t cede_engine_revision(const cede_engine* engine);

/* ---- Documents ----------------------------------------------------------------------------------------- */

#define CEDE_DOCUMENT_CLUSTER 1 /* cede-cluster/1 */
#define CEDE_DOCUMENT_CHANGES 2 /* cede-changes/1 */
#define CEDE_DOCUMENT_POLICY 3  /* cede-policy/1 */

/*
 * The format that a text names in "format", as CEDE_DOCUMENT_...; < 0 if the text is not a JSON object or the
 * format is not known. Reads no further than it must: only load, apply, set_policy and check read the rest.
 */
CEDE_API int32_t cede_document_kind(const char* text, size_t size, cede_error* error);

/* ---- Report: what a check found ------------------------------------------------------------------------ */

typedef struct cede_report cede_report;

#define CEDE_SEVERITY_ERROR 1
#define CEDE_SEVERITY_WARNING 2

typedef struct cede_finding {
  int32_t severity; /* CEDE_SEVERITY_... */
  int32_t status;   /* CEDE_E_... or CEDE_REMARK_WARNINGS */
  uint32_t line;    /* from 1; 0 if it has no place in a text */
  uint32_t column;
} cede_finding;

/*
 * Checks a document of any format as load, apply or set_policy would, and changes nothing. Lists errors and
 * warnings in the order found, as far as the document can be read (the option `max_findings` limits how
 * many). If text is NULL, it lists the warnings of the loaded cluster and policy. Returns 0 or
 * CEDE_REMARK_WARNINGS if the document would be accepted, else the status of the first error. It makes a
 * report in both cases. Beside what load tells, it warns of values that look like mistakes of the unit: a
 * start before the year 2000 (documents have seconds, arrays milliseconds), and less than a tenth of a GPU
 * for a task that holds no share of one (amounts in arrays are thousandths).
 */
CEDE_API int32_t cede_engine_check(const cede_engine* engine, const char* text, size_t size,
                                   cede_report** report, cede_error* error);
CEDE_API size_t cede_report_count(const cede_report* report);
/* How many findings were dropped beyond those kept. There may be more: a check may stop early on a hopeless
 * document. */
CEDE_API size_t cede_report_dropped(const cede_report* report);
/* The findings, as cede_plan_victims() gives victims. */
CEDE_API int32_t cede_report_findings(const cede_report* report, cede_finding* out, size_t out_size,
                                      size_t capacity, size_t* count, cede_error* error);
/* Where, as "jobs[17].queue" (empty: the document as a whole), and what, in one line. NULL beyond the last.
 */
CEDE_API const char* cede_report_path(const cede_report* report, size_t index);
CEDE_API const char* cede_report_text(const cede_report* report, size_t index);
CEDE_API void cede_report_destroy(cede_report* report);

/* ---- Text: a document handed out ----------------------------------------------------------------------- */

typedef struct cede_text cede_text;
CEDE_API const char* cede_text_data(const cede_text* text);
CEDE_API size_t cede_text_size(const cede_text* text);
CEDE_API void cede_text_destroy(cede_text* text);

/* The cluster as a cede-cluster/1 document that loads back to the same model, objects ordered by name. */
CEDE_API int32_t cede_engine_export(const cede_engine* engine, cede_text** text, cede_error* error);

/* The formats whose schema the library knows: "cede-cluster/1" and so on. The texts live as long as the
 * library; NULL beyond the last. */
CEDE_API size_t cede_schema_count(void);
CEDE_API const char* cede_schema_format(size_t schema);
/* The JSON Schema (draft 2020-12) of a format, made from the tables that read the documents: editors complete
 * and check with it. It refuses no document that the library takes; what a schema cannot say, such as names
 * that must exist, only cede_engine_check() checks. */
CEDE_API int32_t cede_schema_json(const char* format, cede_text** text, cede_error* error);

/* ---- Numbers: names and parts given once --------------------------------------------------------------- */

/*
 * A cluster can also be described in arrays of structs, without any document, and all that follows (plans,
 * terms, events, actions, the ledger) exists in arrays too. Structs hold no texts. A name is a number that
 * the engine assigns, and so is anything that has more than one value (resources, a list of names, a
 * requirement). 0 is not a number: it means "not given" in every field.
 *
 * Numbers belong to one engine and its later clones; an engine knows its own numbers only. A number that the
 * engine has not assigned is an error that names the place: CEDE_E_INVALID, or CEDE_E_UNKNOWN where it is
 * about an object that is put or removed. Nothing is ever ignored because its number is wrong.
 *
 * How long the number of a name is valid:
 *   - If you asked for it (cede_engine_name() and the calls after it), until you give it back with
 *     cede_engine_forget(), whatever is loaded or removed.
 *   - Every name in an answer has a number, also if you never asked for it, for example because the cluster
 *     came as a document. Such a number is valid while the cluster has an object of that name. The numbers of
 *     a committed plan are valid until its entry leaves the ledger.
 * A manager that describes its cluster in arrays has asked for every name, so it may keep its numbers. It
 * gives back the number of a job when the ledger is done with the job: after CEDE_DO_REQUEUE or CEDE_DO_GONE
 * of a victim, after CEDE_DO_RELEASE_HOLD of a requester.
 */

/* The number of a name; equal texts have equal numbers. CEDE_E_INVALID for a text that is not a valid name (1
 * to 1,024 bytes of UTF-8 without control characters). Does not change the cluster. */
CEDE_API int32_t cede_engine_name(cede_engine* engine, const char* text, size_t size, uint32_t* number,
                                  cede_error* error);
/* The numbers of many names, numbers[i] for texts[i]; faster than one call for each. If any name is invalid,
 * none is assigned. Sizes may be NULL if all texts end in a NUL. */
CEDE_API int32_t cede_engine_names(cede_engine* engine, const char* const* texts, const size_t* sizes,
                                   size_t text_count, uint32_t* numbers, cede_error* error);
/* The same for names in one buffer: name i is the bytes from offsets[i] up to offsets[i + 1] of `texts`, so
 * there are `name_count` + 1 offsets, which never decrease. No pointers, no NULs: the layout of a string
 * column in Arrow, and cheap to pass from any language. */
CEDE_API int32_t cede_engine_names_packed(cede_engine* engine, const char* texts, size_t texts_size,
                                          const uint64_t* offsets, size_t name_count, uint32_t* numbers,
                                          cede_error* error);
/* The number of a name if it has one, else 0. */
CEDE_API uint32_t cede_engine_find_name(const cede_engine* engine, const char* text, size_t size);
/* The name of a number; NULL if the number is not assigned to a name. The text is valid until the engine is
 * changed: a cluster or policy is taken, a number is assigned or given back, a plan committed, a step made.
 */
CEDE_API const char* cede_engine_name_text(const cede_engine* engine, uint32_t number);
/* The names of many numbers in one buffer, in the form of cede_engine_names_packed(). `number_count` + 1
 * offsets are written, unless `offsets` is NULL. `size` is set to the size of all names; at most `capacity`
 * bytes of them are written to `texts`, and only whole names. The number 0 has the empty name; any other
 * number without a name is CEDE_E_INVALID. */
CEDE_API int32_t cede_engine_name_texts(const cede_engine* engine, const uint32_t* numbers,
                                        size_t number_count, char* texts, size_t capacity, size_t* size,
                                        uint64_t* offsets, cede_error* error);

typedef struct cede_amount {
  int64_t amount;    /* in thousandths: 1500 is 1.5 */
  uint32_t resource; /* the number of its name */
  uint32_t reserved;
} cede_amount;

/* The number of a vector of resources, each named once. A resource that is left out is zero; in a limit it is
 * unlimited. */
CEDE_API int32_t cede_engine_resources(cede_engine* engine, const cede_amount* amounts, size_t amount_size,
                                       size_t amount_count, uint32_t* number, cede_error* error);
/* The number of a list of names. */
CEDE_API int32_t cede_engine_list(cede_engine* engine, const uint32_t* names, size_t name_count,
                                  uint32_t* number, cede_error* error);

#define CEDE_PART_REQUIREMENT 3    /* "require" of a job */
#define CEDE_PART_QUEUE_SETTINGS 4 /* "settings" of a queue */
#define CEDE_PART_JOB_SETTINGS 5   /* and of a job */
#define CEDE_PART_LABELS 6         /* of a node */
#define CEDE_PART_FINGERPRINT 7    /* of a node; a text that does not begin with { is the one fingerprint */

/* The number of what a cluster document has in that member, passed as the text of its JSON object. It is read
 * once, here. If it is wrong, the status is CEDE_E_DOCUMENT and the error names the line. */
CEDE_API int32_t cede_engine_part(cede_engine* engine, int32_t kind, const char* text, size_t size,
                                  uint32_t* number, cede_error* error);

/* Gives numbers of names and parts back, all or none. What is in the cluster stays. The engine may assign
 * such a number again to something else. */
CEDE_API int32_t cede_engine_forget(cede_engine* engine, const uint32_t* numbers, size_t number_count,
                                    cede_error* error);

/* ---- Arrays: the cluster without documents ------------------------------------------------------------- */

/*
 * Each call is one change like cede_engine_apply(), all or nothing. Every entry replaces the whole object of
 * its name or adds it. What it refers to must exist once the call is done. Rules are those of documents, and
 * a broken rule is CEDE_E_DOCUMENT. An error names its place by the fields of the structs:
 * "jobs[17].checkpoint_last", and "jobs[17].tasks[2].node" for the third task of that job. An engine may
 * start with arrays, or with a document and continue with arrays. Objects put by arrays have no "x-" fields.
 *
 * Times are milliseconds since 1970, durations milliseconds. A field of 0 means "not given". To give the
 * value 0, set the field's bit in `zero`; the bit has no effect on any other value.
 */
#define CEDE_ZERO_PRIORITY 0x1u
#define CEDE_ZERO_CLASS 0x2u
#define CEDE_ZERO_VALUE 0x4u
#define CEDE_ZERO_FAIR_SHARE 0x8u
#define CEDE_ZERO_SUBMITTED 0x10u
#define CEDE_ZERO_WAITING_SINCE 0x20u
#define CEDE_ZERO_STARTED 0x40u
#define CEDE_ZERO_RESUMED 0x80u
#define CEDE_ZERO_WALLTIME 0x100u
#define CEDE_ZERO_BELOW_FAIR_SHARE 0x200u
#define CEDE_ZERO_CHECKPOINT_LAST 0x400u
#define CEDE_ZERO_CHECKPOINT_ESTIMATE 0x800u
#define CEDE_ZERO_CHECKPOINT_TIMEOUT 0x1000u
#define CEDE_ZERO_CHECKPOINT_RESTART 0x2000u
#define CEDE_ZERO_GPUS 0x4000u /* a task that is known to hold no device */
#define CEDE_ZERO_FROM 0x8000u
#define CEDE_ZERO_UNTIL 0x10000u
#define CEDE_ZERO_FINGERPRINT_AT 0x20000u
#define CEDE_ZERO_OVERCOMMIT_SINCE 0x40000u
#define CEDE_ZERO_LEAVING_UNTIL 0x80000u /* not available yet */

#define CEDE_YES 1
#define CEDE_NO 2

#define CEDE_KIND_BATCH 1
#define CEDE_KIND_INFERENCE 2
#define CEDE_KIND_INTERACTIVE 3
#define CEDE_KIND_SERVICE 4
#define CEDE_KIND_TRAINING 5
#define CEDE_KIND_SENSITIVE 6

/* Sets the cluster's time; a time earlier than the present one is ignored. */
CEDE_API int32_t cede_engine_set_now(cede_engine* engine, int64_t now, cede_error* error);

/* Sets the network's levels, nearest first. They cannot be changed later: CEDE_E_INVALID once there is a
 * level, a domain or a job. */
CEDE_API int32_t cede_engine_put_levels(cede_engine* engine, const uint32_t* names, size_t name_count,
                                        cede_error* error);

/* Adds a topology under that name: hwloc XML, NCCL XML, or the JSON object of the compact form. What
 * cede_topology_create() says about untrusted texts and about memory holds here and for documents. */
CEDE_API int32_t cede_engine_import_topology(cede_engine* engine, uint32_t name, const char* text,
                                             size_t size, cede_error* error);

typedef struct cede_group {
  uint32_t name;
  uint32_t policy;    /* a name */
  uint32_t resources; /* of the group as a whole, not of a node */
  uint32_t reserved;
} cede_group;

CEDE_API int32_t cede_engine_put_groups(cede_engine* engine, const cede_group* groups, size_t group_size,
                                        size_t group_count, cede_error* error);

typedef struct cede_domain {
  uint32_t name;
  uint32_t level;
  uint32_t parent; /* a domain of a farther level */
  uint32_t reserved;
} cede_domain;

CEDE_API int32_t cede_engine_put_domains(cede_engine* engine, const cede_domain* domains, size_t domain_size,
                                         size_t domain_count, cede_error* error);

#define CEDE_QUEUE_DEFAULT 1
#define CEDE_QUEUE_FENCE 2
#define CEDE_QUEUE_DISABLED 3

typedef struct cede_queue {
  int64_t weight;     /* in thousandths */
  int64_t delay;      /* of preemption */
  int64_t fair_share; /* in 10^-12 */
  uint32_t name;
  uint32_t parent;     /* a queue; only the root has none */
  uint32_t guaranteed; /* resources */
  uint32_t max;        /* resources; an amount of 0 forbids the resource */
  uint32_t settings;   /* CEDE_PART_QUEUE_SETTINGS */
  int32_t kind;        /* CEDE_KIND_... */
  int32_t policy;      /* CEDE_QUEUE_... */
  int32_t priority_offset;
  uint32_t zero; /* CEDE_ZERO_FAIR_SHARE */
  uint32_t reserved;
} cede_queue;

CEDE_API int32_t cede_engine_put_queues(cede_engine* engine, const cede_queue* queues, size_t queue_size,
                                        size_t queue_count, cede_error* error);

#define CEDE_NODE_UP 1
#define CEDE_NODE_DRAIN 2
#define CEDE_NODE_DOWN 3

typedef struct cede_node {
  int64_t fingerprint_at;
  int64_t overcommit_since;
  uint32_t name;
  uint32_t group; /* may be left out if there is only one */
  uint32_t resources;
  uint32_t topology; /* the name it was imported under */
  uint32_t domain;   /* its place in the network */
  uint32_t network;  /* a list of further domains */
  uint32_t home;     /* a queue */
  uint32_t fingerprint;
  uint32_t labels;
  int32_t state; /* CEDE_NODE_... */
  uint32_t zero;
  uint32_t reserved;
} cede_node;

CEDE_API int32_t cede_engine_put_nodes(cede_engine* engine, const cede_node* nodes, size_t node_size,
                                       size_t node_count, cede_error* error);

typedef struct cede_reservation {
  int64_t from;
  int64_t until;
  uint32_t name;
  uint32_t nodes; /* a list */
  uint32_t queue; /* who may use it: a queue, a user or a job, at most one of them */
  uint32_t user;
  uint32_t job;
  uint32_t zero;
} cede_reservation;

CEDE_API int32_t cede_engine_put_reservations(cede_engine* engine, const cede_reservation* reservations,
                                              size_t reservation_size, size_t reservation_count,
                                              cede_error* error);

#define CEDE_JOB_PENDING 1
#define CEDE_JOB_RUNNING 2
#define CEDE_JOB_CHECKPOINTING 3
#define CEDE_JOB_PREEMPTING 4
#define CEDE_JOB_SUSPENDED 5

#define CEDE_CHECKPOINT_NONE 1
#define CEDE_CHECKPOINT_AUTO 2
#define CEDE_CHECKPOINT_MANUAL 3

#define CEDE_VIA_SIGNAL 1
#define CEDE_VIA_SHMEM 2
#define CEDE_VIA_CALLBACK 3

typedef struct cede_job {
  int64_t submitted;
  int64_t waiting_since;
  int64_t started;
  int64_t resumed;
  int64_t walltime;
  int64_t below_fair_share_since;
  int64_t checkpoint_last;
  int64_t checkpoint_estimate;
  int64_t checkpoint_timeout;
  int64_t checkpoint_restart;
  int64_t value;      /* in thousandths of a minute */
  int64_t fair_share; /* in 10^-12 */
  uint32_t name;
  uint32_t queue;
  uint32_t group; /* may be left out if there is only one */
  uint32_t app;
  uint32_t user;
  uint32_t project;
  uint32_t tenant;
  uint32_t max;      /* resources; an amount of 0 forbids the resource */
  uint32_t settings; /* CEDE_PART_JOB_SETTINGS */
  uint32_t require;  /* CEDE_PART_REQUIREMENT */
  int32_t kind;      /* CEDE_KIND_... */
  int32_t state;     /* CEDE_JOB_... */
  int32_t priority;
  int32_t job_class;   /* 0..10 */
  int32_t gang;        /* CEDE_YES, CEDE_NO */
  int32_t preemptible; /* CEDE_PREEMPTIBLE_... */
  int32_t may_preempt; /* CEDE_YES, CEDE_NO */
  int32_t resume;
  int32_t interruptible;
  int32_t checkpoint_mode; /* CEDE_CHECKPOINT_... */
  int32_t checkpoint_via;  /* CEDE_VIA_... */
  uint32_t min_tasks;
  uint32_t preempted_count;
  uint32_t task_count; /* how many entries of `tasks` are this job's */
  uint32_t zero;
  uint32_t reserved;
} cede_job;

/* A running task, a waiting task, or `count` equal waiting tasks. Its own priority, preemptible and
 * may_preempt override its job's. A gang asks with the lowest priority and the strictest may_preempt of its
 * tasks; a plan for any other job never mixes tasks that differ in them. The last four fields are laid out
 * and not available yet: setting one is CEDE_E_VERSION. */
typedef struct cede_task {
  int64_t started;
  uint64_t gpus; /* whole devices held, bit 0 is device 0 */
  uint32_t job;  /* its job; cede_engine_put_jobs() does not need it */
  uint32_t name; /* unique in its job; left out: "t" and its position */
  uint32_t node; /* left out: it waits */
  uint32_t required_node;
  uint32_t resources;
  uint32_t count; /* left out: one task of this name; otherwise name#0, name#1 and so on, also for 1 */
  uint32_t share; /* thousandths held of share_device, 1..999 */
  uint32_t share_device;
  int32_t priority;
  int32_t preemptible; /* CEDE_PREEMPTIBLE_... */
  int32_t may_preempt; /* CEDE_YES, CEDE_NO */
  int32_t originator;  /* CEDE_YES, CEDE_NO */
  uint32_t zero;
  uint32_t only_nodes;   /* of a waiting task: a list; it may go nowhere else */
  uint32_t avoid_nodes;  /* of a waiting task: a list; it may not go there */
  int32_t leaving;       /* of a running task: CEDE_YES if it is ending; its space counts as coming */
  int64_t leaving_until; /* when it will have left, if that is known */
} cede_task;

/*
 * Puts jobs with all their tasks. The first job has the first `task_count` entries of `tasks`, the second job
 * the entries after those, and so on; no entry may be left over. A task may hold a share of one device;
 * shares of more devices need a document.
 */
CEDE_API int32_t cede_engine_put_jobs(cede_engine* engine, const cede_job* jobs, size_t job_size,
                                      size_t job_count, const cede_task* tasks, size_t task_size,
                                      size_t task_count, cede_error* error);

/*
 * Puts single tasks of existing jobs; the rest of the job stays as it is. A task replaces the task of its
 * name in its job. If the job has none of that name, or the task has no name, it is added after the last. A
 * task without a name is called "t" and its position, or the next free number if that name is taken. Errors
 * name their place as "tasks[3].node", or as "jobs.J.state" if the job does not allow the task.
 */
CEDE_API int32_t cede_engine_put_tasks(cede_engine* engine, const cede_task* tasks, size_t task_size,
                                       size_t task_count, cede_error* error);

#define CEDE_BUDGET_MAX_UNAVAILABLE 1         /* so many tasks may be missing */
#define CEDE_BUDGET_MAX_UNAVAILABLE_PERCENT 2 /* so many of a hundred; rounded up */
#define CEDE_BUDGET_MIN_AVAILABLE 3           /* so many tasks must run */
#define CEDE_BUDGET_MIN_AVAILABLE_PERCENT 4

#define CEDE_BUDGET_AVOID 1  /* broken only where every other set of victims breaks more */
#define CEDE_BUDGET_FORBID 2 /* never broken */

/* A disruption budget: how many tasks of some applications, of some jobs or of a queue may be missing. The
 * names need not exist, because jobs come and go. */
typedef struct cede_budget {
  uint32_t name;
  uint32_t apps;      /* a list; exactly one of apps, jobs and queue is given */
  uint32_t jobs;      /* a list */
  uint32_t queue;     /* with all queues below it */
  int32_t limit_kind; /* CEDE_BUDGET_MAX_..., _MIN_... */
  uint32_t limit;     /* may be 0 */
  int32_t mode;       /* CEDE_BUDGET_AVOID, which is the default, or _FORBID */
  uint32_t reserved;
} cede_budget;

/* Laid out and not available yet: budgets are CEDE_E_VERSION, none at all is CEDE_OK. */
CEDE_API int32_t cede_engine_put_budgets(cede_engine* engine, const cede_budget* budgets, size_t budget_size,
                                         size_t budget_count, cede_error* error);

/* Removes objects by name. Each must exist, and nothing may refer to it after all of them are removed. */
CEDE_API int32_t cede_engine_remove_topologies(cede_engine* engine, const uint32_t* names, size_t name_count,
                                               cede_error* error);
CEDE_API int32_t cede_engine_remove_domains(cede_engine* engine, const uint32_t* names, size_t name_count,
                                            cede_error* error);
CEDE_API int32_t cede_engine_remove_groups(cede_engine* engine, const uint32_t* names, size_t name_count,
                                           cede_error* error);
CEDE_API int32_t cede_engine_remove_reservations(cede_engine* engine, const uint32_t* names,
                                                 size_t name_count, cede_error* error);
CEDE_API int32_t cede_engine_remove_queues(cede_engine* engine, const uint32_t* names, size_t name_count,
                                           cede_error* error);
CEDE_API int32_t cede_engine_remove_nodes(cede_engine* engine, const uint32_t* names, size_t name_count,
                                          cede_error* error);
CEDE_API int32_t cede_engine_remove_budgets(cede_engine* engine, const uint32_t* names, size_t name_count,
                                            cede_error* error);
CEDE_API int32_t cede_engine_remove_jobs(cede_engine* engine, const uint32_t* names, size_t name_count,
                                         cede_error* error);

typedef struct cede_task_name {
  uint32_t job;
  uint32_t task; /* the number of its name; of "t1" if it has none of its own */
} cede_task_name;

/* Removes single tasks; the others keep their names. The last task of a job can only be removed with the job.
 */
CEDE_API int32_t cede_engine_remove_tasks(cede_engine* engine, const cede_task_name* tasks, size_t task_size,
                                          size_t task_count, cede_error* error);

/* ---- Admission: what a job may ask for ----------------------------------------------------------------- */

/*
 * Whether the policy's admission rules for its project and user accept a job as it was submitted, and what a
 * frontend may offer its owner. Immutable; may outlive its engine.
 */
typedef struct cede_admission cede_admission;

/*
 * Asks about one job: as it is loaded or, if `changes` is not NULL, as it would be after this cede-changes/1
 * document. Use `changes` to ask about a job before it is submitted or altered. The document is read as
 * cede_engine_apply() would read it, and the engine is not changed. CEDE_E_UNKNOWN for a job that does not
 * exist, CEDE_E_DOCUMENT for changes that would be refused (for example a priority outside the profile's
 * range). An answer of "no" is an admission too: ask cede_admission_admitted().
 *
 * Plans use the values in the cluster, not this answer: a manager that admits a job puts it into the cluster
 * with the values of its cede_ruling.
 */
CEDE_API int32_t cede_engine_admit(const cede_engine* engine, const char* job, const char* changes,
                                   size_t changes_size, cede_admission** admission, cede_error* error);
/* The same for a job in the cluster, by the number of its name. To ask about a job before it is put, put it
 * into a clone. */
CEDE_API int32_t cede_engine_admit_job(const cede_engine* engine, uint32_t job, cede_admission** admission,
                                       cede_error* error);
CEDE_API void cede_admission_destroy(cede_admission* admission);

/* 1 if the job is admitted, 0 if it is refused; CEDE_E_INVALID for NULL. */
CEDE_API int32_t cede_admission_admitted(const cede_admission* admission);
/* The rule that refused it ("priority", "class", "opt-out"), empty if it is admitted; and one sentence for
 * people. */
CEDE_API const char* cede_admission_rule(const cede_admission* admission);
CEDE_API const char* cede_admission_reason(const cede_admission* admission);
/* Under profile quota, one sentence that says whether the job's waiting tasks are within their quotas now;
 * empty under other profiles and if no task waits. A job beyond its quota waits; it is not refused. */
CEDE_API const char* cede_admission_quota(const cede_admission* admission);

#define CEDE_PREEMPTIBLE_YES 1
#define CEDE_PREEMPTIBLE_NO 2 /* never */
#define CEDE_PREEMPTIBLE_LAST_RESORT 3

/*
 * First the values that count for the job (for a refused job: those it asks for), then what it may ask for.
 * If the priority may not be changed, its range is the default alone. If max_priority is below min_priority,
 * the rules allow no priority. Class 10 must be granted by a max_class of 10, also to jobs of kind sensitive.
 * Opting out means "preemptible": false; a job of last resort still gives way.
 */
typedef struct cede_ruling {
  int32_t priority;
  int32_t job_class;   /* 0..10 */
  int32_t preemptible; /* CEDE_PREEMPTIBLE_..., the most protected of its tasks */
  int32_t min_priority;
  int32_t max_priority;
  int32_t default_priority; /* if the job states none */
  int32_t max_class;
  int32_t may_change;  /* 1 if the priority may differ from the default */
  int32_t may_opt_out; /* 1 if it may be "preemptible": false at its priority */
  /* The priorities at which it may; if the second is below the first, it may at none. */
  int32_t min_opt_out_priority;
  int32_t max_opt_out_priority;
} cede_ruling;

CEDE_API int32_t cede_admission_get(const cede_admission* admission, cede_ruling* out, size_t out_size,
                                    cede_error* error);

/* All of it as a cede-admission/1 document. */
CEDE_API int32_t cede_admission_json(const cede_admission* admission, cede_text** text, cede_error* error);

/* ---- Plan: the answer to one question ------------------------------------------------------------------ */

/*
 * Which running jobs give way to a waiting job and where that job goes; or which jobs leave because of relief
 * or a claim. Immutable: many threads may use one plan at once. A plan keeps the state of the cluster it was
 * made on and may outlive its engine. Making a plan does not change the engine, so many threads may plan on
 * one engine at once.
 *
 * Each question can be asked in two ways: with texts, cede_plan_create() and the calls after it; and with
 * numbers, cede_engine_plan() and the calls after it. Equal questions get equal plans.
 */
typedef struct cede_plan cede_plan;

#define CEDE_OUTCOME_FITS 1        /* it fits into free space; relief and claims: no job has to leave */
#define CEDE_OUTCOME_PREEMPT 2     /* it fits once the victims are gone */
#define CEDE_OUTCOME_WAIT 3        /* not now; the rule says why */
#define CEDE_OUTCOME_IN_PROGRESS 4 /* its victims are already leaving */
#define CEDE_OUTCOME_IMPOSSIBLE 5  /* it would not even fit an empty cluster */

/* Stands for the cluster's `now`; other times are milliseconds since 1970. */
#define CEDE_NOW_OF_CLUSTER INT64_MIN
/* In an answer: there is no such time (never, or not known), or no such value. */
#define CEDE_NONE INT64_MIN

/*
 * Plans for one waiting job. `terms` are `term_count` texts: "protect=JOB" leaves a job alone, "avoid=NODE"
 * does not use a node, "only=NODE" (repeated for several) uses no other nodes. "refused=TASK@NODE" is laid
 * out and not available yet (CEDE_E_VERSION). `now` is CEDE_NOW_OF_CLUSTER or a time; a time before the
 * cluster's counts as the cluster's. CEDE_E_UNKNOWN for a job or node that does not exist. An answer of "no"
 * is a plan too: ask cede_plan_outcome().
 */
CEDE_API int32_t cede_plan_create(const cede_engine* engine, const char* job, int64_t now,
                                  const char* const* terms, size_t term_count, cede_plan** plan,
                                  cede_error* error);

/*
 * Plans for several waiting jobs in the order given, as if each plan were committed before the next job is
 * planned. No victim is taken twice, and a later job gets the space kept for an earlier one only by taking
 * its hold. If the victims of one job free more than it needs, later jobs may use the rest where idle space
 * is not enough: such a plan may be CEDE_OUTCOME_FITS, and its job starts when those victims are gone.
 * `plans` has room for `job_count` plans; all of them are made or none. CEDE_E_INVALID for a job named twice.
 * The engine is not changed: commit the plans in the same order.
 */
CEDE_API int32_t cede_plan_create_batch(const cede_engine* engine, const char* const* jobs, size_t job_count,
                                        int64_t now, const char* const* terms, size_t term_count,
                                        cede_plan** plans, cede_error* error);

/*
 * Plans which jobs leave so that a node is within its capacity, or a queue or job within its `max`. No job is
 * placed. `target` is "node:NAME", "queue:NAME" or "job:NAME". `group` is NULL or, for a queue with jobs in
 * several groups, the group to relieve. The terms are "protect=JOB" and "partial". With "partial", if no set
 * of victims is enough, the plan brings the target down as far as the rules allow (the reason says how much
 * it is still over); without it, no job leaves. For an overcommitted node rules are dropped one after the
 * other, guarantees last, until a set is found: only sensitive units, units on their way out, protected jobs
 * and queues with preemption switched off are spared. CEDE_E_INVALID for a target of another kind,
 * CEDE_E_UNKNOWN for a name that does not exist.
 */
CEDE_API int32_t cede_plan_create_relief(const cede_engine* engine, const char* target, const char* group,
                                         int64_t now, const char* const* terms, size_t term_count,
                                         cede_plan** plan, cede_error* error);

/*
 * Plans for a queue that claims nodes: every unit with a task there leaves, except those of the queue's own
 * subtree, or none does. `reason` is "reclaim" (the nodes' `home` is this queue or one above it) or
 * "sensitive". Only profile class-cost allows claims. `nodes` are `node_count` names of one group, at least
 * one. The only term is "protect=JOB"; a sensitive claim ignores it. CEDE_E_UNKNOWN for a name that does not
 * exist, CEDE_E_INVALID for a claim that is not allowed.
 */
CEDE_API int32_t cede_plan_create_claim(const cede_engine* engine, const char* queue,
                                        const char* const* nodes, size_t node_count, const char* reason,
                                        int64_t now, const char* const* terms, size_t term_count,
                                        cede_plan** plan, cede_error* error);
CEDE_API void cede_plan_destroy(cede_plan* plan);

#define CEDE_TERM_PROTECT 1 /* job: leave it alone */
#define CEDE_TERM_AVOID 2   /* node: do not use it */
#define CEDE_TERM_ONLY 3    /* node: use no other nodes than those of all such terms */
#define CEDE_TERM_PARTIAL 4 /* relief only: see cede_plan_create_relief() */
#define CEDE_TERM_REFUSED 5 /* job, task, index, node: see below; not available yet (CEDE_E_VERSION) */

/*
 * A term in numbers. A refused place is one that the manager has tried and could not use: no plan puts that
 * task, or one equal to it, there. Places of one `combination` other than 0 are refused only together. `task`
 * and `index` say which task, as in cede_place; `job` may be left out if the plan is for one job.
 */
typedef struct cede_term {
  int32_t kind; /* CEDE_TERM_... */
  uint32_t job;
  uint32_t node;
  uint32_t task;
  uint32_t index;
  uint32_t combination;
} cede_term;

/*
 * The four questions in numbers: of a waiting job, of several, of relief and of a claim. Otherwise they are
 * those above. A number that is 0 or not assigned is CEDE_E_INVALID; a field that the kind of a term does not
 * use must be 0. `kind` of relief is CEDE_FOR_NODE, CEDE_FOR_QUEUE or CEDE_FOR_JOB_MAX, and `target` the
 * number of that node, queue or job; `group` may be 0. `reason` of a claim is CEDE_FOR_RECLAIM or
 * CEDE_FOR_SENSITIVE.
 */
CEDE_API int32_t cede_engine_plan(const cede_engine* engine, uint32_t job, int64_t now,
                                  const cede_term* terms, size_t term_size, size_t term_count,
                                  cede_plan** plan, cede_error* error);
CEDE_API int32_t cede_engine_plan_batch(const cede_engine* engine, const uint32_t* jobs, size_t job_count,
                                        int64_t now, const cede_term* terms, size_t term_size,
                                        size_t term_count, cede_plan** plans, cede_error* error);
CEDE_API int32_t cede_engine_plan_relief(const cede_engine* engine, int32_t kind, uint32_t target,
                                         uint32_t group, int64_t now, const cede_term* terms,
                                         size_t term_size, size_t term_count, cede_plan** plan,
                                         cede_error* error);
CEDE_API int32_t cede_engine_plan_claim(const cede_engine* engine, uint32_t queue, const uint32_t* nodes,
                                        size_t node_count, int32_t reason, int64_t now,
                                        const cede_term* terms, size_t term_size, size_t term_count,
                                        cede_plan** plan, cede_error* error);

/* What a plan, an action or an entry of the ledger is for. */
#define CEDE_FOR_JOB 1       /* a waiting job */
#define CEDE_FOR_NODE 2      /* relief of a node */
#define CEDE_FOR_QUEUE 3     /* relief of a queue */
#define CEDE_FOR_JOB_MAX 4   /* relief of a job that is over its own max */
#define CEDE_FOR_RECLAIM 5   /* a claim of a queue on its home nodes */
#define CEDE_FOR_SENSITIVE 6 /* a sensitive claim of a queue */

/* Why preemption is needed, as cede_plan_cause() says in words. */
#define CEDE_CAUSE_PRIORITY 1
#define CEDE_CAUSE_RECLAIM 2
#define CEDE_CAUSE_SENSITIVE 3
#define CEDE_CAUSE_QUOTA 4
#define CEDE_CAUSE_STARVATION 5
#define CEDE_CAUSE_GUARANTEE 6
#define CEDE_CAUSE_REQUIRED_NODE 7
#define CEDE_CAUSE_OVERCOMMIT 8
#define CEDE_CAUSE_LIMIT 9

/* CEDE_OUTCOME_...; CEDE_E_INVALID for NULL. */
CEDE_API int32_t cede_plan_outcome(const cede_plan* plan);
/* The rule that decided, empty if the outcome is preempt; and one sentence for people. */
CEDE_API const char* cede_plan_rule(const cede_plan* plan);
CEDE_API const char* cede_plan_reason(const cede_plan* plan);
/* The cause, the name of the policy and the profile that decided. */
CEDE_API const char* cede_plan_cause(const cede_plan* plan);
CEDE_API const char* cede_plan_policy(const cede_plan* plan);
CEDE_API const char* cede_plan_profile(const cede_plan* plan);
/* The engine's revision the plan was made on. */
CEDE_API uint64_t cede_plan_revision(const cede_plan* plan);
/* The cost of the victims and a lower bound of it, in thousandths of the profile's unit (for lost work:
 * GPU-minutes). The bound is CEDE_NONE where the cost is no criterion but told for information. */
CEDE_API int64_t cede_plan_cost(const cede_plan* plan);
CEDE_API int64_t cede_plan_bound(const cede_plan* plan);
/* The list of values compared, as in the plan document: [["last-resort", 0], ...]. */
CEDE_API const char* cede_plan_objective(const cede_plan* plan);

/*
 * Everything about a plan that is a number. The proof: of the criteria that were compared, in their order,
 * the first `proven` are proven best; no set of victims has a smaller value there. If all are, the plan is
 * `optimal`. If not, the gap says how far the first criterion that is not proven (its place is `proven`) may
 * be from the best: the plan has `gap_value`, and no set has less than `gap_bound` (CEDE_NONE: not known).
 */
typedef struct cede_plan_facts {
  int64_t now;            /* the time it was made for */
  int64_t expected_start; /* when its job, or the claim, can start; CEDE_NONE: not known */
  int64_t latest_start;   /* the same if every timeout is used up; CEDE_NONE: there is no limit */
  int64_t cost;           /* as cede_plan_cost() */
  int64_t bound;          /* as cede_plan_bound() */
  int64_t gap_value;      /* CEDE_NONE if it is optimal, or if the criterion is not one number */
  int64_t gap_bound;
  uint64_t revision;
  uint64_t units;  /* running units looked at */
  uint64_t work;   /* counted work of the search */
  int32_t outcome; /* CEDE_OUTCOME_... */
  int32_t purpose; /* CEDE_FOR_... */
  int32_t cause;   /* CEDE_CAUSE_... */
  int32_t optimal; /* 1 if every criterion is proven */
  int32_t partial; /* 1: relief that leaves the target over its limit */
  uint32_t target; /* the job, node or queue it is for */
  uint32_t group;
  uint32_t proven;
  uint32_t criterion_count; /* this and the following: how many the calls below give */
  uint32_t victim_count;
  uint32_t task_count; /* of all victims */
  uint32_t place_count;
  uint32_t move_count;
  uint32_t cost_part_count;
  uint32_t violation_count;
  uint32_t after_count;
  uint32_t met_count;
  uint32_t missed_count;
} cede_plan_facts;

CEDE_API int32_t cede_plan_get(const cede_plan* plan, cede_plan_facts* out, size_t out_size,
                               cede_error* error);

#define CEDE_ACTION_CHECKPOINT 1
#define CEDE_ACTION_SUSPEND 2
#define CEDE_ACTION_TERMINATE 3
#define CEDE_ACTION_SOFT_EVICT 4
#define CEDE_ACTION_SIGNAL_FIRST 5

/* One victim: a job with all its chosen tasks, or a hold. */
typedef struct cede_victim {
  int64_t cost;             /* as cede_plan_cost() */
  uint64_t hold;            /* not 0: the victim is the space that this entry keeps for the job */
  uint32_t job;             /* for a hold: its requester */
  uint32_t task_count;      /* its tasks among those of cede_plan_victim_tasks() */
  uint32_t first_task;      /* where they begin */
  uint32_t cost_part_count; /* among those of cede_plan_cost_parts() */
  uint32_t first_cost_part;
  uint32_t move_count; /* not 0: it moves; its new places among those of cede_plan_moves() */
  uint32_t first_move;
  int32_t action;    /* CEDE_ACTION_...: the first step */
  int32_t then;      /* if action is checkpoint: the step after the checkpoint is written; else 0 */
  int32_t unsaved;   /* if action is checkpoint: the step if it is not written; else 0 */
  int32_t requeue;   /* 1 if it is queued again afterwards, provided that it saves where it is asked to */
  int32_t whole_job; /* 1 if none of its placed tasks stays */
} cede_victim;

/* A task of a victim. */
typedef struct cede_victim_task {
  uint32_t job;
  uint32_t task;     /* of its name; of "t1" if it has none of its own */
  uint32_t position; /* among its job's tasks, from 0; UINT32_MAX if the job is no longer in the cluster */
  uint32_t node;     /* where it runs */
} cede_victim_task;

/* Where one task goes. */
typedef struct cede_place {
  uint64_t gpus;     /* whole devices, bit 0 is device 0 */
  uint32_t job;      /* whose task it is; 0 for the nodes of a claim */
  uint32_t task;     /* the entry in the job's tasks: of its name, without "#3" if it has a count */
  uint32_t position; /* of that entry, from 0; UINT32_MAX if that is not known any more */
  uint32_t index;    /* which of the entry's tasks, from 0 */
  uint32_t node;
  uint32_t share; /* thousandths of share_device */
  uint32_t share_device;
  int32_t devices_known; /* 0: the number of devices is known, not which */
  int32_t whole_node;    /* 1: the node is kept as a whole */
  uint32_t reserved;
} cede_place;

#define CEDE_COST_CHECKPOINT 1        /* the time to write it */
#define CEDE_COST_RECOMPUTE 2         /* work since the last checkpoint */
#define CEDE_COST_WALLTIME 3          /* how near the job is to its end */
#define CEDE_COST_OVERHEAD 4          /* the setting victim_overhead */
#define CEDE_COST_LOST_WORK 5         /* GPU-minutes, in profiles without a price of their own */
#define CEDE_COST_BORROWED_DISCOUNT 6 /* what the setting borrowed_discount takes off; not above 0 */

typedef struct cede_cost_part {
  int64_t value;   /* in thousandths, as cede_plan_cost() */
  uint32_t victim; /* which, from 0 */
  int32_t kind;    /* CEDE_COST_... */
} cede_cost_part;

#define CEDE_CRITERION_NUMBER 1
#define CEDE_CRITERION_COUNTS                                                                             \
  2                            /* how many victims have which value; `value` is how many values there are \
                                */
#define CEDE_CRITERION_TIMES 3 /* start times; `value` is how many there are */

typedef struct cede_criterion {
  int64_t value;
  int32_t kind;   /* CEDE_CRITERION_... */
  int32_t proven; /* 1 if no set of victims is better there */
} cede_criterion;

/* A disruption budget that the plan breaks, because every other set of victims breaks more. */
typedef struct cede_violation {
  uint32_t budget;
  uint32_t tasks; /* beyond what it allows */
} cede_violation;

/*
 * The arrays of a plan. All of these calls, and those of steps, ledgers and reports, work alike: they write
 * the first `capacity` elements to `out`, each `out_size` bytes apart, and set `count` to how many there are
 * in all. With a capacity of 0, `out` may be NULL: so ask first, or pass what is usually enough and call
 * again if `count` is more. `count` may be NULL. Victims come by job, in the order of their names, then
 * holds; tasks, cost parts and moves in the order of the victims. No plan has moves or violations yet: they
 * are laid out for `aftermath` and disruption budgets.
 */
CEDE_API int32_t cede_plan_victims(const cede_plan* plan, cede_victim* out, size_t out_size, size_t capacity,
                                   size_t* count, cede_error* error);
CEDE_API int32_t cede_plan_victim_tasks(const cede_plan* plan, cede_victim_task* out, size_t out_size,
                                        size_t capacity, size_t* count, cede_error* error);
CEDE_API int32_t cede_plan_places(const cede_plan* plan, cede_place* out, size_t out_size, size_t capacity,
                                  size_t* count, cede_error* error);
CEDE_API int32_t cede_plan_moves(const cede_plan* plan, cede_place* out, size_t out_size, size_t capacity,
                                 size_t* count, cede_error* error);
CEDE_API int32_t cede_plan_cost_parts(const cede_plan* plan, cede_cost_part* out, size_t out_size,
                                      size_t capacity, size_t* count, cede_error* error);
CEDE_API int32_t cede_plan_criteria(const cede_plan* plan, cede_criterion* out, size_t out_size,
                                    size_t capacity, size_t* count, cede_error* error);
CEDE_API int32_t cede_plan_violations(const cede_plan* plan, cede_violation* out, size_t out_size,
                                      size_t capacity, size_t* count, cede_error* error);
/* For a plan of a batch, the earlier jobs that it depends on: it uses space of their victims, or takes their
 * hold. Committing it while one of them has no entry in progress is CEDE_E_STALE. */
CEDE_API int32_t cede_plan_after_jobs(const cede_plan* plan, uint32_t* out, size_t capacity, size_t* count,
                                      cede_error* error);

/* The same as texts, for managers that use documents. NULL beyond the last. */
CEDE_API size_t cede_plan_victim_count(const cede_plan* plan);
CEDE_API const char* cede_plan_victim_job(const cede_plan* plan, size_t victim);
CEDE_API const char* cede_plan_victim_task(const cede_plan* plan, size_t victim, size_t task);
CEDE_API size_t cede_plan_place_count(const cede_plan* plan);
CEDE_API const char* cede_plan_place_task(const cede_plan* plan, size_t place);
CEDE_API const char* cede_plan_place_node(const cede_plan* plan, size_t place);
CEDE_API size_t cede_plan_after_count(const cede_plan* plan);
CEDE_API const char* cede_plan_after(const cede_plan* plan, size_t index);
/* The name of a criterion: "price", "victims" ... */
CEDE_API const char* cede_plan_criterion_name(const cede_plan* plan, size_t criterion);
/* What of the job's topology requirement the placement meets, and which of its preferences it misses. */
CEDE_API const char* cede_plan_met(const cede_plan* plan, size_t index);
CEDE_API const char* cede_plan_missed(const cede_plan* plan, size_t index);

/* The plan as a cede-plan/1 document. cede_plan_explain() adds the reason for every unit considered,
 * alternatives, and the work counted. */
CEDE_API int32_t cede_plan_json(const cede_plan* plan, cede_text** text, cede_error* error);
CEDE_API int32_t cede_plan_explain(const cede_plan* plan, cede_text** text, cede_error* error);
/* The plans of a batch as one document: {"format": "cede-plan/1", "batch": [...]}. */
CEDE_API int32_t cede_plan_batch_json(const cede_plan* const* plans, size_t plan_count, cede_text** text,
                                      cede_error* error);

#define CEDE_PICTURE_TEXT 1 /* lines with box drawing in UTF-8; `width` is in characters, 40..1000 */
#define CEDE_PICTURE_SVG 2  /* one <svg> element; `width` is in pixels, 200..10000 */

/* The nodes that the plan touches, with what leaves, stays and comes on each device. A width of 0 is 100
 * characters or 800 pixels. No line is longer than the width; what does not fit ends in "...". */
CEDE_API int32_t cede_plan_picture(const cede_plan* plan, int32_t format, uint32_t width, cede_text** text,
                                   cede_error* error);

/* Checks the plan again against the cluster it was made on, independently of the search. The error names what
 * fails. */
CEDE_API int32_t cede_plan_verify(const cede_plan* plan, cede_error* error);

/* ---- Sequence: from plan to started job ---------------------------------------------------------------- */

/*
 * The library performs nothing itself. Committing a plan writes an entry into the engine's ledger: its
 * victims are reserved, and their space and that of the placement are kept for the requester alone. From then
 * on cede_engine_step() takes what happened (events) and returns what is to be done (actions), until the
 * requester has started. `now` of these calls is CEDE_NOW_OF_CLUSTER or a time in milliseconds since 1970. It
 * never decreases inside an engine; an earlier time counts as the latest one known. All of these calls change
 * the engine, so each needs it for itself; a step or ledger that is made is immutable, like a plan.
 *
 * A manager reports a change of the cluster first (cede_engine_apply() or the arrays), then the event about
 * it. If a victim's task is no longer on its node, the next step counts it as released, even without an
 * event. If a requester runs where it was placed, the next step counts it as started. An entry ends if its
 * requester is gone, no longer waits for what was planned, or is in another queue.
 *
 * A change that takes away what an entry holds makes the entry short in the same call, also after
 * CEDE_DO_START: its node goes down, is drained, shrinks, leaves the group, is removed, gets another
 * topology, or gets another task on the same devices. Then the start is void, and the next step returns
 * CEDE_DO_REPLAN. If the space comes back before a new plan is committed, the entry continues and
 * CEDE_DO_START is given again. The next step checks limits (a queue's max, the resources of a group).
 * Nothing is started on devices that a task in the cluster holds, unless an event has said that the task is
 * gone.
 *
 * What the manager does with the cluster itself (the engine changes only its ledger, never the cluster):
 *   - It puts a victim again after CEDE_DO_REQUEUE: waiting, with the values of that action. After
 *     CEDE_DO_GONE it removes the job, or the task. Until then the cluster shows the victim where it ran;
 *     the ledger knows better.
 *   - It puts the requester again after CEDE_DO_START: running, with the places of that action. That counts
 *     as CEDE_EVENT_STARTED with the next step; sending the event too does no harm.
 * Both changes may come before or after the event about them.
 *
 * Every action is answered with CEDE_EVENT_ACTION_DONE or CEDE_EVENT_ACTION_FAILED, which say only that the
 * manager has carried it out or could not. What counts for the plan is what happens then:
 *   - CEDE_DO_START is complete with CEDE_EVENT_STARTED (or the cluster that shows it); that answers the
 *     action too. CEDE_EVENT_ACTION_DONE alone starts nothing: the hold stays, and expires when it is due.
 *     CEDE_EVENT_ACTION_FAILED leaves the hold as well: cancel the entry, or start the job another way.
 *   - Actions that end a victim are complete with CEDE_EVENT_RELEASED or CEDE_EVENT_EXITED, a checkpoint with
 *     CEDE_EVENT_CHECKPOINT_DONE or _FAILED. Any of them answers the action too.
 *   - All others are complete with CEDE_EVENT_ACTION_DONE. One without an answer is given again under another
 *     number after the setting `action_timeout`, at most `max_action_retries` times.
 *
 * After a crash: restore the last saved state, load the present cluster, and continue with steps. Save the
 * state before you perform an action.
 */

/*
 * Commits a plan whose outcome is fits or preempt (CEDE_E_INVALID otherwise) and returns the number of its
 * entry. A number is never used twice. Every commit verifies the plan, with the terms it was asked with,
 * against the cluster and what is in flight at this moment: that its victims may be taken and that the whole
 * request fits where the plan says. If the cluster has changed since the plan was made, the commit also
 * checks that the request still needs victims (for fits: that it needs none); plans of a batch are exempt. If
 * a check fails, the status is CEDE_E_STALE, the error says why, and nothing has changed: ask for another
 * plan.
 *
 * A plan for a job whose entry is short extends that entry, as cede_engine_extend() would, and returns its
 * number. A plan of a batch that depends on the victims of other plans (cede_plan_after()) needs their
 * entries in progress; from then on the space it uses of theirs is its own. Its entry is ready when those
 * victims are gone, and short (CEDE_DO_REPLAN) if one of them runs on or cannot be removed. `plan_micros` is
 * how long the caller waited for the plan, for the metrics; -1 if that is not known.
 */
CEDE_API int32_t cede_engine_commit(cede_engine* engine, const cede_plan* plan, int64_t now,
                                    int64_t plan_micros, uint64_t* entry, cede_error* error);
/* Gives an entry that is short (see CEDE_DO_REPLAN) a new plan for the same requester. Ask for it like any
 * other plan; it treats the space that the entry keeps as free. */
CEDE_API int32_t cede_engine_extend(cede_engine* engine, uint64_t entry, const cede_plan* plan, int64_t now,
                                    int64_t plan_micros, cede_error* error);
/* Ends an entry: its hold is released, and victims that are not yet being terminated run on. CEDE_E_UNKNOWN
 * for a number that is not in the ledger, CEDE_E_INVALID for an entry that has ended. */
CEDE_API int32_t cede_engine_cancel(cede_engine* engine, uint64_t entry, int64_t now, cede_error* error);
/* The same for an entry that is short and has no other plan; it counts as failed. */
CEDE_API int32_t cede_engine_give_up(cede_engine* engine, uint64_t entry, int64_t now, cede_error* error);
/* Counts a plan that was not committed, as an attempt of its requester and in the metrics. */
CEDE_API int32_t cede_engine_note(cede_engine* engine, const cede_plan* plan, int64_t now,
                                  int64_t plan_micros, cede_error* error);

/* Events, the fields that each needs and, in brackets, those that it may have. Any other field must be 0. */
#define CEDE_EVENT_CHECKPOINT_PROGRESS 1 /* job (task): it is saving */
#define CEDE_EVENT_CHECKPOINT_DONE 2     /* job (task) */
#define CEDE_EVENT_CHECKPOINT_FAILED 3   /* job (task) */
#define CEDE_EVENT_DEFER 4               /* job, length (task): it asks for this much more time */
#define CEDE_EVENT_RELEASED 5            /* job (task): it has left its node */
#define CEDE_EVENT_EXITED 6              /* job (task, code): it ended by itself */
#define CEDE_EVENT_CLAIM_DONE 7          /* entry: the queue has what it claimed */
#define CEDE_EVENT_STARTED 8             /* job (task): the requester, or a moved victim, runs */
#define CEDE_EVENT_CANCELLED 9           /* job (task): by its owner */
#define CEDE_EVENT_NODE_DOWN 10          /* node */
#define CEDE_EVENT_NODE_UP 11            /* node */
#define CEDE_EVENT_ACTION_DONE 12        /* action */
#define CEDE_EVENT_ACTION_FAILED 13      /* action (text, text_size) */

/* What happened. Names are numbers. An event without a task is about every task of the job that is in the
 * ledger. */
typedef struct cede_event {
  int64_t length; /* milliseconds; may be 0 */
  uint64_t entry;
  uint64_t action;
  int32_t kind; /* CEDE_EVENT_... */
  int32_t code;
  uint32_t job;
  uint32_t task;
  uint32_t node;
  uint32_t text; /* the reason: `text_size` bytes of the texts passed along, from this byte on */
  uint32_t text_size;
  uint32_t reserved;
} cede_event;

#define CEDE_DO_CHECKPOINT_HINT 1 /* ask the job to save its state by the deadline */
#define CEDE_DO_SIGNAL 2          /* send the signal: INT, TERM or KILL */
#define CEDE_DO_SUSPEND 3         /* stop the job and free what it holds, keeping its state */
#define CEDE_DO_TERMINATE 4       /* remove the job by whatever means */
#define CEDE_DO_MARK 5            /* mark the job; an operator deletes it */
#define CEDE_DO_REPLAN 6          /* the entry is short: cede_engine_extend() or cede_engine_give_up() */
#define CEDE_DO_CLAIM_READY 7     /* the claimed nodes are free */
#define CEDE_DO_CANCEL_HINT 8     /* the job may run on after all */
#define CEDE_DO_REQUEUE 9         /* the victim waits again: put it so */
#define CEDE_DO_START 10          /* start the requester exactly there */
#define CEDE_DO_RELEASE_HOLD 11   /* stop keeping other jobs off the place */
#define CEDE_DO_GONE 12           /* the victim has left and does not wait again */
#define CEDE_DO_START_MOVED 13    /* start a moved victim at its new place; not given yet */

#define CEDE_SIGNAL_INT 1
#define CEDE_SIGNAL_TERM 2
#define CEDE_SIGNAL_KILL 3

/* How a victim left. Every victim that has left gets one requeue or one gone. */
#define CEDE_HOW_COMPLETED 1  /* by itself or by its owner: it does not count as preempted */
#define CEDE_HOW_SAVED 2      /* its checkpoint is written, or its nodes keep its state */
#define CEDE_HOW_TERMINATED 3 /* nothing was asked to be saved, or it was suspended and nothing is kept */
#define CEDE_HOW_FAILED 4     /* its checkpoint was not written, or it was lost with its node */

/* What is to be done. The engine tolerates an action that is done twice. After a restore, actions without an
 * answer are listed again under their number; not a requeue or gone that was listed before if the cluster
 * shows that the victim runs again. */
typedef struct cede_action {
  uint64_t id; /* never used twice */
  uint64_t entry;
  uint64_t plan;         /* the revision the plan was made on */
  int64_t deadline;      /* when the next harsher action or the end of the hold is due; CEDE_NONE: never */
  int64_t submitted;     /* of requeue: keep this value */
  int64_t waiting_since; /* of requeue */
  int32_t kind;          /* CEDE_DO_... */
  int32_t purpose;       /* CEDE_FOR_...: what the entry is for */
  int32_t cause;         /* CEDE_CAUSE_... */
  uint32_t target;       /* the job, node or queue that the entry is for */
  uint32_t job;          /* the victim; of start, the job to start; 0 if it is about the entry alone */
  uint32_t first_task;   /* the victim's tasks that are not gone yet, in cede_step_tasks() */
  uint32_t task_count;
  uint32_t first_place; /* of start, claim-ready and release-hold: in cede_step_places() */
  uint32_t place_count;
  int32_t signal;           /* CEDE_SIGNAL_... */
  int32_t via;              /* of checkpoint-hint: CEDE_VIA_..., as the job states it; 0 if it does not */
  int32_t how;              /* of requeue and gone: CEDE_HOW_... */
  int32_t resume;           /* of requeue: 1 if there is something to resume from */
  int32_t waits_for_owner;  /* of requeue: 1 if it waits for its owner, not in the queue */
  int32_t keep_local;       /* of suspend and requeue: 1 if its nodes keep what it resumes from */
  uint32_t preempted_count; /* of requeue: store this with the job */
} cede_action;

typedef struct cede_step cede_step;

/*
 * Reports what happened and returns what is to be done now, timeouts included. `event_size` is the size of
 * one event; `texts` are the reasons that failed actions give, `texts_size` bytes in all.
 *
 * If an event is malformed, the status is CEDE_E_INVALID, the error names its place as "events[3].job", and
 * no event is applied. Malformed is an unknown kind, a field that the kind needs and that is 0, a field that
 * it does not have, or a number that is not assigned. An event about a job, node, entry or action that the
 * ledger does not know is not malformed: it is ignored and counted. Tell a change of the cluster first and
 * the event about it afterwards: such an event is never ignored, also if the change removed the job or node.
 */
CEDE_API int32_t cede_engine_step(cede_engine* engine, int64_t now, const cede_event* events,
                                  size_t event_size, size_t event_count, const char* texts, size_t texts_size,
                                  cede_step** step, cede_error* error);
/*
 * The same for managers that use documents. `text` is a cede-events/1 document:
 *   {"format": "cede-events/1", "events": [{"event": "checkpoint-done", "job": "j1", "task": "t0"},
 *                                          {"event": "action-failed", "action": 7, "text": "no such job"}]}
 * An event is named as its constant is, in lower case with "-". The members are job, task, node, entry,
 * action, code, text, and length, which is a duration. NULL and 0: nothing has happened.
 */
CEDE_API int32_t cede_engine_step_document(cede_engine* engine, int64_t now, const char* text, size_t size,
                                           cede_step** step, cede_error* error);
CEDE_API void cede_step_destroy(cede_step* step);
/* 1 if the event was applied, 0 if it was ignored; CEDE_E_INVALID beyond the last. */
CEDE_API int32_t cede_step_answer(const cede_step* step, size_t event);
/* When the next step is due if nothing happens before; CEDE_NONE: never. */
CEDE_API int64_t cede_step_next_due(const cede_step* step);
/* The actions in the order of their numbers, the tasks and places of all of them; as cede_plan_victims(). */
CEDE_API int32_t cede_step_actions(const cede_step* step, cede_action* out, size_t out_size, size_t capacity,
                                   size_t* count, cede_error* error);
CEDE_API int32_t cede_step_tasks(const cede_step* step, cede_victim_task* out, size_t out_size,
                                 size_t capacity, size_t* count, cede_error* error);
CEDE_API int32_t cede_step_places(const cede_step* step, cede_place* out, size_t out_size, size_t capacity,
                                  size_t* count, cede_error* error);

/* The same as texts. The job as in cede_action; what the entry is for (relief: "node:NAME"), and why. NULL
 * beyond the last. */
CEDE_API size_t cede_step_action_count(const cede_step* step);
CEDE_API const char* cede_step_action_job(const cede_step* step, size_t action);
CEDE_API const char* cede_step_action_preemptor(const cede_step* step, size_t action);
CEDE_API const char* cede_step_action_cause(const cede_step* step, size_t action);
CEDE_API const char* cede_step_action_task(const cede_step* step, size_t action, size_t task);
CEDE_API const char* cede_step_place_task(const cede_step* step, size_t action, size_t place);
CEDE_API const char* cede_step_place_node(const cede_step* step, size_t action, size_t place);
/* All of it as a cede-actions/1 document: the actions, an answer per event, and when the next step is due. */
CEDE_API int32_t cede_step_json(const cede_step* step, cede_text** text, cede_error* error);

/* ---- Ledger: what is decided and not finished ---------------------------------------------------------- */

/*
 * An entry is live until it has started, expired, failed or was cancelled. An entry that has ended stays in
 * the ledger until its last victim has left or runs on and every action about it is answered; then the step
 * that learns it drops the entry. So answer all actions, CEDE_DO_RELEASE_HOLD too.
 */
typedef struct cede_ledger cede_ledger;

#define CEDE_ENTRY_PREPARING 1
#define CEDE_ENTRY_WAITING 2 /* victims are leaving */
#define CEDE_ENTRY_SHORT 3   /* needs another plan */
#define CEDE_ENTRY_READY 4   /* the requester is told to start */
#define CEDE_ENTRY_STARTED 5 /* this and the following: it has ended */
#define CEDE_ENTRY_EXPIRED 6
#define CEDE_ENTRY_CANCELLED 7
#define CEDE_ENTRY_FAILED 8

typedef struct cede_entry {
  uint64_t entry;
  uint64_t plan; /* the revision the plan was made on */
  int64_t committed;
  int64_t deadline;      /* when it fails or, once ready, its hold expires; CEDE_NONE: never */
  int32_t state;         /* CEDE_ENTRY_... */
  int32_t purpose;       /* CEDE_FOR_... */
  int32_t cause;         /* CEDE_CAUSE_... */
  int32_t has_hold;      /* 1 if its places are kept for it */
  uint32_t target;       /* the job, node or queue it is for */
  uint32_t first_victim; /* in cede_ledger_victims() */
  uint32_t victim_count;
  uint32_t first_place; /* in cede_ledger_places() */
  uint32_t place_count;
  uint32_t reserved;
} cede_entry;

/* The phases of a victim. From CEDE_PHASE_STOPPING on it does not run on any more, whatever becomes of the
 * entry (but see stuck and spared). */
#define CEDE_PHASE_PLANNED 1       /* nothing has been asked of it */
#define CEDE_PHASE_CHECKPOINTING 2 /* it was asked to save, or is saving */
#define CEDE_PHASE_SIGNALLED 3     /* it got INT and its time to finish */
#define CEDE_PHASE_MARKED 4        /* an operator is to delete it */
#define CEDE_PHASE_STOPPING 5      /* it is being suspended */
#define CEDE_PHASE_TERMINATING 6   /* it got TERM; KILL follows after the grace period */
#define CEDE_PHASE_KILLING 7       /* it got KILL */
#define CEDE_PHASE_REMOVING 8      /* it is being removed by whatever means */
#define CEDE_PHASE_STUCK 9         /* it could not be removed; it may still leave by itself */
#define CEDE_PHASE_RELEASED 10     /* it has left */
#define CEDE_PHASE_SPARED 11       /* it is not needed any more and runs on */

typedef struct cede_ledger_victim {
  uint64_t entry;
  int64_t deadline; /* when its phase ends by itself; CEDE_NONE: never */
  int32_t phase;    /* CEDE_PHASE_... */
  int32_t how;      /* CEDE_HOW_...; 0: it has not left */
  uint32_t job;
  uint32_t first_task; /* in cede_ledger_tasks() */
  uint32_t task_count;
  uint32_t reserved;
} cede_ledger_victim;

/* What is in flight, by entry. A snapshot: it does not change with the engine. */
CEDE_API int32_t cede_engine_in_flight(const cede_engine* engine, cede_ledger** ledger, cede_error* error);
CEDE_API void cede_ledger_destroy(cede_ledger* ledger);
/* The entries, and the victims, tasks and places of all of them; as cede_plan_victims(). */
CEDE_API int32_t cede_ledger_entries(const cede_ledger* ledger, cede_entry* out, size_t out_size,
                                     size_t capacity, size_t* count, cede_error* error);
CEDE_API int32_t cede_ledger_victims(const cede_ledger* ledger, cede_ledger_victim* out, size_t out_size,
                                     size_t capacity, size_t* count, cede_error* error);
CEDE_API int32_t cede_ledger_tasks(const cede_ledger* ledger, cede_victim_task* out, size_t out_size,
                                   size_t capacity, size_t* count, cede_error* error);
CEDE_API int32_t cede_ledger_places(const cede_ledger* ledger, cede_place* out, size_t out_size,
                                    size_t capacity, size_t* count, cede_error* error);
/* The same as texts. NULL beyond the last. */
CEDE_API size_t cede_ledger_count(const cede_ledger* ledger);
CEDE_API const char* cede_ledger_requester(const cede_ledger* ledger, size_t index);
CEDE_API const char* cede_ledger_cause(const cede_ledger* ledger, size_t index);
/* The job of a victim, and the phase it is in: "checkpointing", "terminating", "released" ... */
CEDE_API const char* cede_ledger_victim_job(const cede_ledger* ledger, size_t index, size_t victim);
CEDE_API const char* cede_ledger_victim_phase(const cede_ledger* ledger, size_t index, size_t victim);
/* All of it as a cede-in-flight/1 document. */
CEDE_API int32_t cede_ledger_json(const cede_ledger* ledger, cede_text** text, cede_error* error);

/*
 * Everything the engine knows beyond the cluster document: ledger, clocks, storm windows, counters. The bytes
 * carry a version and a checksum. cede_engine_restore() refuses damaged bytes with CEDE_E_DAMAGED, and bytes
 * of a newer version or of 0.1.0 with CEDE_E_VERSION; then it changes nothing. A restore replaces what was in
 * flight before. Numbers are not part of a state: ask for them again.
 */
CEDE_API int32_t cede_engine_save(const cede_engine* engine, cede_text** state, cede_error* error);
CEDE_API int32_t cede_engine_restore(cede_engine* engine, const char* state, size_t size, cede_error* error);

/* What the engine has counted, as OpenMetrics text. */
CEDE_API int32_t cede_engine_metrics(const cede_engine* engine, cede_text** text, cede_error* error);

/* ---- Shares: who uses how much of its share ------------------------------------------------------------ */

/*
 * A cede-shares/1 document about one group whose profile is fair-share or, with NULL, about all such groups.
 * For every queue and job it has the usage, fair share and demand; for every job also whether it is below its
 * fair share, since when, whether it starves, and which of its tasks which jobs may take. Shares are
 * fractions of what the group has: decimal numbers with up to 12 digits after the point. `now` is as in
 * cede_plan_create(). CEDE_E_UNKNOWN for a group that does not exist; CEDE_E_INVALID for a group of another
 * profile, and with NULL if no group has this profile.
 */
CEDE_API int32_t cede_engine_shares(const cede_engine* engine, const char* group, int64_t now,
                                    cede_text** text, cede_error* error);

/* ---- Topology: what a text says about a machine or a network ------------------------------------------- */

/*
 * One text about a machine (hwloc or NCCL XML) or a network (Slurm's topology.conf), read as in a cluster
 * document. Belongs to no engine; immutable.
 */
typedef struct cede_topology cede_topology;

#define CEDE_TOPOLOGY_ANY 0       /* XML by its outermost element; anything else is a topology.conf */
#define CEDE_TOPOLOGY_HWLOC_XML 1 /* hwloc 1.x or 2.x, as "hwloc_xml" in a cluster document */
#define CEDE_TOPOLOGY_NCCL_XML 2  /* what NCCL writes to NCCL_TOPO_DUMP_FILE, as "nccl_xml" */
#define CEDE_TOPOLOGY_SLURM 3     /* topology.conf, tree or block, as "slurm_topology" */

/*
 * Reads a text of that kind. `name` is its name in documents and pictures; NULL: "topology". A mistake is
 * CEDE_E_DOCUMENT, or CEDE_E_LIMIT if it is beyond a limit; the error has the line of the text. The library
 * checks the text before hwloc reads it, but hwloc is large: read untrusted texts in a process that may
 * crash.
 *
 * hwloc crashes if memory runs out. So the library first allocates what hwloc may need (one megabyte and 16
 * times the text), fails with CEDE_E_NOMEM if it cannot, and frees it again for hwloc. This does not help if
 * other threads take the memory in between, if the system promises more memory than it has, or if the host's
 * allocator returns free memory to the system at once.
 */
CEDE_API int32_t cede_topology_create(const char* text, size_t size, int32_t kind, const char* name,
                                      cede_topology** topology, cede_error* error);
CEDE_API void cede_topology_destroy(cede_topology* topology);

typedef struct cede_topology_facts {
  int32_t kind;              /* CEDE_TOPOLOGY_..., never ANY */
  uint32_t devices;          /* GPUs, every partition of one counted */
  uint32_t physical_devices; /* GPUs, partitions not counted */
  uint32_t numa_nodes;       /* with CPUs; 0: not known */
  uint32_t sockets;          /* 0: not known */
  uint32_t cores;            /* usable by jobs; 0: not known */
  uint32_t islands;          /* sets of devices that links connect */
  int32_t links_known;       /* 0: there may be links that the text does not list */
  uint32_t nics;
  uint32_t levels;  /* this and the following: of a network */
  uint32_t domains; /* of all levels */
  uint32_t nodes;
} cede_topology_facts;

CEDE_API int32_t cede_topology_get(const cede_topology* topology, cede_topology_facts* facts,
                                   size_t facts_size, cede_error* error);
/* 32 hexadecimal digits, equal if and only if the library sees the same class of machine (PCI addresses do
 * not matter) or the same network. Compare only signatures made by one version of the library. NULL for NULL.
 */
CEDE_API const char* cede_topology_signature(const cede_topology* topology);
/* A network's levels, nearest first, and the domains of each in the order of the text. NULL and 0 beyond. */
CEDE_API const char* cede_topology_level(const cede_topology* topology, size_t level);
CEDE_API size_t cede_topology_domain_count(const cede_topology* topology, size_t level);
CEDE_API const char* cede_topology_domain(const cede_topology* topology, size_t level, size_t domain);
/* A cede-topology/1 document: the class in the compact form of a cluster document, or the network's levels,
 * domains and nodes. */
CEDE_API int32_t cede_topology_json(const cede_topology* topology, cede_text** text, cede_error* error);
/* The same drawn for people, as cede_plan_picture() draws a plan. A part that cannot be cut may make a line
 * longer than a narrow width. */
CEDE_API int32_t cede_topology_picture(const cede_topology* topology, int32_t format, uint32_t width,
                                       cede_text** text, cede_error* error);

#ifdef __cplusplus
}
#endif

#endif /* CEDE_CEDE_H */
