/* SPDX-License-Identifier: MIT */
/*
 * The bytes that programs built against an older header rely on. Compiling this file is the test.
 *
 * If an assertion fails, do not correct the assertion: correct the header.
 *  - An offset or a size that moved: put the field back where it was; new fields go to the end, in the
 * fixed-width type that leaves no padding, and only then is a line added here (and the size raised).
 *  - A constant that changed: give the new meaning a new number; numbers are never used twice.
 *  - If programs really must be rebuilt: raise CEDE_ABI, the SONAME and the symbol node together, and start
 * this list anew.
 */
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

SIZE_IS(cede_error, 256);
_Static_assert(_Alignof(cede_error) == 4, "cede_error is aligned differently: see the top of layout.c");
FIELD_IS(cede_error, status, 0, 4);
FIELD_IS(cede_error, line, 4, 4);
FIELD_IS(cede_error, text, 8, 248);
SIGNED(cede_error, status);
UNSIGNED(cede_error, line);

SIZE_IS(cede_finding, 16);
_Static_assert(_Alignof(cede_finding) == 4, "cede_finding is aligned differently: see the top of layout.c");
FIELD_IS(cede_finding, severity, 0, 4);
FIELD_IS(cede_finding, status, 4, 4);
FIELD_IS(cede_finding, line, 8, 4);
FIELD_IS(cede_finding, column, 12, 4);
SIGNED(cede_finding, severity);
SIGNED(cede_finding, status);
UNSIGNED(cede_finding, line);
UNSIGNED(cede_finding, column);

CONSTANT_IS(CEDE_ABI, 0);

CONSTANT_IS(CEDE_OK, 0);
CONSTANT_IS(CEDE_REMARK_WARNINGS, 1);
CONSTANT_IS(CEDE_E_INVALID, -1);
CONSTANT_IS(CEDE_E_DOCUMENT, -2);
CONSTANT_IS(CEDE_E_LIMIT, -3);
CONSTANT_IS(CEDE_E_VERSION, -4);
CONSTANT_IS(CEDE_E_NOMEM, -5);
CONSTANT_IS(CEDE_E_INTERNAL, -6);
CONSTANT_IS(CEDE_E_UNKNOWN, -7);
CONSTANT_IS(CEDE_E_STALE, -8);
CONSTANT_IS(CEDE_E_DAMAGED, -9);

CONSTANT_IS(CEDE_SETTING_NAME, 0);
CONSTANT_IS(CEDE_SETTING_DEFAULT, 1);
CONSTANT_IS(CEDE_SETTING_UNIT, 2);
CONSTANT_IS(CEDE_SETTING_RANGE, 3);
CONSTANT_IS(CEDE_SETTING_SIDE, 4);
CONSTANT_IS(CEDE_SETTING_HELP, 5);

CONSTANT_IS(CEDE_LOG_DEBUG, 0);
CONSTANT_IS(CEDE_LOG_INFO, 1);
CONSTANT_IS(CEDE_LOG_WARNING, 2);

CONSTANT_IS(CEDE_DOCUMENT_CLUSTER, 1);
CONSTANT_IS(CEDE_DOCUMENT_CHANGES, 2);
CONSTANT_IS(CEDE_DOCUMENT_POLICY, 3);

CONSTANT_IS(CEDE_SEVERITY_ERROR, 1);
CONSTANT_IS(CEDE_SEVERITY_WARNING, 2);

SIZE_IS(cede_ruling, 36);
_Static_assert(_Alignof(cede_ruling) == 4, "cede_ruling is aligned differently: see the top of layout.c");
FIELD_IS(cede_ruling, priority, 0, 4);
FIELD_IS(cede_ruling, job_class, 4, 4);
FIELD_IS(cede_ruling, preemptible, 8, 4);
FIELD_IS(cede_ruling, min_priority, 12, 4);
FIELD_IS(cede_ruling, max_priority, 16, 4);
FIELD_IS(cede_ruling, default_priority, 20, 4);
FIELD_IS(cede_ruling, max_class, 24, 4);
FIELD_IS(cede_ruling, may_change, 28, 4);
FIELD_IS(cede_ruling, may_opt_out, 32, 4);
SIGNED(cede_ruling, priority);
SIGNED(cede_ruling, min_priority);
SIGNED(cede_ruling, max_priority);
SIGNED(cede_ruling, default_priority);

CONSTANT_IS(CEDE_PREEMPTIBLE_YES, 1);
CONSTANT_IS(CEDE_PREEMPTIBLE_NO, 2);
CONSTANT_IS(CEDE_PREEMPTIBLE_LAST_RESORT, 3);

SIZE_IS(cede_victim, 32);
FIELD_IS(cede_victim, cost, 0, 8);
FIELD_IS(cede_victim, action, 8, 4);
FIELD_IS(cede_victim, requeue, 12, 4);
FIELD_IS(cede_victim, whole_job, 16, 4);
FIELD_IS(cede_victim, task_count, 20, 4);
FIELD_IS(cede_victim, hold, 24, 8);

SIZE_IS(cede_place, 24);
FIELD_IS(cede_place, gpus, 0, 8);
FIELD_IS(cede_place, devices_known, 8, 4);
FIELD_IS(cede_place, share, 12, 4);
FIELD_IS(cede_place, share_device, 16, 4);
FIELD_IS(cede_place, reserved, 20, 4);

CONSTANT_IS(CEDE_OUTCOME_FITS, 1);
CONSTANT_IS(CEDE_OUTCOME_PREEMPT, 2);
CONSTANT_IS(CEDE_OUTCOME_WAIT, 3);
CONSTANT_IS(CEDE_OUTCOME_IN_PROGRESS, 4);
CONSTANT_IS(CEDE_OUTCOME_IMPOSSIBLE, 5);
CONSTANT_IS(CEDE_ACTION_CHECKPOINT, 1);
CONSTANT_IS(CEDE_ACTION_SUSPEND, 2);
CONSTANT_IS(CEDE_ACTION_TERMINATE, 3);
CONSTANT_IS(CEDE_ACTION_SOFT_EVICT, 4);
CONSTANT_IS(CEDE_ACTION_SIGNAL_FIRST, 5);
CONSTANT_IS(CEDE_NOW_OF_CLUSTER, INT64_MIN);

SIZE_IS(cede_event, 48);
FIELD_IS(cede_event, kind, 0, 4);
FIELD_IS(cede_event, code, 4, 4);
FIELD_IS(cede_event, entry, 8, 8);
FIELD_IS(cede_event, action, 16, 8);
FIELD_IS(cede_event, length, 24, 8);
FIELD_IS(cede_event, job, 32, 4);
FIELD_IS(cede_event, task, 36, 4);
FIELD_IS(cede_event, node, 40, 4);
FIELD_IS(cede_event, text, 44, 4);

SIZE_IS(cede_action, 80);
FIELD_IS(cede_action, id, 0, 8);
FIELD_IS(cede_action, entry, 8, 8);
FIELD_IS(cede_action, plan, 16, 8);
FIELD_IS(cede_action, deadline, 24, 8);
FIELD_IS(cede_action, submitted, 32, 8);
FIELD_IS(cede_action, waiting_since, 40, 8);
FIELD_IS(cede_action, kind, 48, 4);
FIELD_IS(cede_action, signal, 52, 4);
FIELD_IS(cede_action, resume, 56, 4);
FIELD_IS(cede_action, waits_for_owner, 60, 4);
FIELD_IS(cede_action, keep_local, 64, 4);
FIELD_IS(cede_action, preempted_count, 68, 4);
FIELD_IS(cede_action, task_count, 72, 4);
FIELD_IS(cede_action, place_count, 76, 4);

SIZE_IS(cede_entry, 40);
FIELD_IS(cede_entry, entry, 0, 8);
FIELD_IS(cede_entry, committed, 8, 8);
FIELD_IS(cede_entry, deadline, 16, 8);
FIELD_IS(cede_entry, state, 24, 4);
FIELD_IS(cede_entry, requester_kind, 28, 4);
FIELD_IS(cede_entry, victim_count, 32, 4);
FIELD_IS(cede_entry, place_count, 36, 4);

CONSTANT_IS(CEDE_EVENT_CHECKPOINT_PROGRESS, 1);
CONSTANT_IS(CEDE_EVENT_CHECKPOINT_DONE, 2);
CONSTANT_IS(CEDE_EVENT_CHECKPOINT_FAILED, 3);
CONSTANT_IS(CEDE_EVENT_DEFER, 4);
CONSTANT_IS(CEDE_EVENT_RELEASED, 5);
CONSTANT_IS(CEDE_EVENT_EXITED, 6);
CONSTANT_IS(CEDE_EVENT_CLAIM_DONE, 7);
CONSTANT_IS(CEDE_EVENT_STARTED, 8);
CONSTANT_IS(CEDE_EVENT_CANCELLED, 9);
CONSTANT_IS(CEDE_EVENT_NODE_DOWN, 10);
CONSTANT_IS(CEDE_EVENT_NODE_UP, 11);
CONSTANT_IS(CEDE_EVENT_ACTION_DONE, 12);
CONSTANT_IS(CEDE_EVENT_ACTION_FAILED, 13);
CONSTANT_IS(CEDE_DO_CHECKPOINT_HINT, 1);
CONSTANT_IS(CEDE_DO_SIGNAL, 2);
CONSTANT_IS(CEDE_DO_SUSPEND, 3);
CONSTANT_IS(CEDE_DO_TERMINATE, 4);
CONSTANT_IS(CEDE_DO_MARK, 5);
CONSTANT_IS(CEDE_DO_REPLAN, 6);
CONSTANT_IS(CEDE_DO_CLAIM_READY, 7);
CONSTANT_IS(CEDE_DO_CANCEL_HINT, 8);
CONSTANT_IS(CEDE_DO_REQUEUE, 9);
CONSTANT_IS(CEDE_DO_START, 10);
CONSTANT_IS(CEDE_DO_RELEASE_HOLD, 11);
CONSTANT_IS(CEDE_SIGNAL_INT, 1);
CONSTANT_IS(CEDE_SIGNAL_TERM, 2);
CONSTANT_IS(CEDE_SIGNAL_KILL, 3);
CONSTANT_IS(CEDE_ENTRY_PREPARING, 1);
CONSTANT_IS(CEDE_ENTRY_WAITING, 2);
CONSTANT_IS(CEDE_ENTRY_SHORT, 3);
CONSTANT_IS(CEDE_ENTRY_READY, 4);
CONSTANT_IS(CEDE_ENTRY_STARTED, 5);
CONSTANT_IS(CEDE_ENTRY_EXPIRED, 6);
CONSTANT_IS(CEDE_ENTRY_CANCELLED, 7);
CONSTANT_IS(CEDE_ENTRY_FAILED, 8);
CONSTANT_IS(CEDE_REQUESTER_JOB, 1);
CONSTANT_IS(CEDE_REQUESTER_CLAIM, 2);
CONSTANT_IS(CEDE_REQUESTER_RELIEF, 3);

SIZE_IS(cede_topology_facts, 48);
FIELD_IS(cede_topology_facts, kind, 0, 4);
FIELD_IS(cede_topology_facts, devices, 4, 4);
FIELD_IS(cede_topology_facts, physical_devices, 8, 4);
FIELD_IS(cede_topology_facts, numa_nodes, 12, 4);
FIELD_IS(cede_topology_facts, sockets, 16, 4);
FIELD_IS(cede_topology_facts, cores, 20, 4);
FIELD_IS(cede_topology_facts, islands, 24, 4);
FIELD_IS(cede_topology_facts, links_known, 28, 4);
FIELD_IS(cede_topology_facts, nics, 32, 4);
FIELD_IS(cede_topology_facts, levels, 36, 4);
FIELD_IS(cede_topology_facts, domains, 40, 4);
FIELD_IS(cede_topology_facts, nodes, 44, 4);
SIGNED(cede_topology_facts, kind);
UNSIGNED(cede_topology_facts, devices);
UNSIGNED(cede_topology_facts, physical_devices);
UNSIGNED(cede_topology_facts, numa_nodes);
UNSIGNED(cede_topology_facts, sockets);
UNSIGNED(cede_topology_facts, cores);
UNSIGNED(cede_topology_facts, islands);
SIGNED(cede_topology_facts, links_known);
UNSIGNED(cede_topology_facts, nics);
UNSIGNED(cede_topology_facts, levels);
UNSIGNED(cede_topology_facts, domains);
UNSIGNED(cede_topology_facts, nodes);
CONSTANT_IS(CEDE_TOPOLOGY_ANY, 0);
CONSTANT_IS(CEDE_TOPOLOGY_HWLOC_XML, 1);
CONSTANT_IS(CEDE_TOPOLOGY_NCCL_XML, 2);
CONSTANT_IS(CEDE_TOPOLOGY_SLURM, 3);

/* Versions compare as numbers, up to three digits for minor and patch. */
_Static_assert(CEDE_VERSION_MINOR < 1000 && CEDE_VERSION_PATCH < 1000,
               "a part of the version has more than three digits");
_Static_assert(CEDE_VERSION == CEDE_VERSION_MAJOR * 1000000 + CEDE_VERSION_MINOR * 1000 + CEDE_VERSION_PATCH,
               "CEDE_VERSION is composed differently: see the top of layout.c");
