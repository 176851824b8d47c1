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

SIZE_IS(cede_ruling, 44);
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
FIELD_IS(cede_ruling, min_opt_out_priority, 36, 4);
FIELD_IS(cede_ruling, max_opt_out_priority, 40, 4);
SIGNED(cede_ruling, priority);
SIGNED(cede_ruling, min_priority);
SIGNED(cede_ruling, max_priority);
SIGNED(cede_ruling, default_priority);
SIGNED(cede_ruling, min_opt_out_priority);
SIGNED(cede_ruling, max_opt_out_priority);

CONSTANT_IS(CEDE_PREEMPTIBLE_YES, 1);
CONSTANT_IS(CEDE_PREEMPTIBLE_NO, 2);
CONSTANT_IS(CEDE_PREEMPTIBLE_LAST_RESORT, 3);

SIZE_IS(cede_victim, 48);
FIELD_IS(cede_victim, cost, 0, 8);
FIELD_IS(cede_victim, action, 8, 4);
FIELD_IS(cede_victim, requeue, 12, 4);
FIELD_IS(cede_victim, whole_job, 16, 4);
FIELD_IS(cede_victim, task_count, 20, 4);
FIELD_IS(cede_victim, job, 24, 4);
FIELD_IS(cede_victim, first_task, 28, 4);
FIELD_IS(cede_victim, hold, 32, 8);
FIELD_IS(cede_victim, then, 40, 4);
FIELD_IS(cede_victim, reserved, 44, 4);
SIGNED(cede_victim, then);

SIZE_IS(cede_place, 40);
FIELD_IS(cede_place, gpus, 0, 8);
FIELD_IS(cede_place, devices_known, 8, 4);
FIELD_IS(cede_place, share, 12, 4);
FIELD_IS(cede_place, share_device, 16, 4);
FIELD_IS(cede_place, node, 20, 4);
FIELD_IS(cede_place, task, 24, 4);
FIELD_IS(cede_place, position, 28, 4);
FIELD_IS(cede_place, index, 32, 4);
FIELD_IS(cede_place, reserved, 36, 4);

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

SIZE_IS(cede_action, 88);
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
FIELD_IS(cede_action, how, 80, 4);
FIELD_IS(cede_action, via, 84, 4);
SIGNED(cede_action, how);
SIGNED(cede_action, via);

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
CONSTANT_IS(CEDE_DO_GONE, 12);
CONSTANT_IS(CEDE_HOW_COMPLETED, 1);
CONSTANT_IS(CEDE_HOW_SAVED, 2);
CONSTANT_IS(CEDE_HOW_TERMINATED, 3);
CONSTANT_IS(CEDE_HOW_FAILED, 4);
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
SIZE_IS(cede_amount, 16);
FIELD_IS(cede_amount, amount, 0, 8);
FIELD_IS(cede_amount, resource, 8, 4);
FIELD_IS(cede_amount, reserved, 12, 4);
UNSIGNED(cede_amount, resource);
UNSIGNED(cede_amount, reserved);

SIZE_IS(cede_group, 16);
FIELD_IS(cede_group, name, 0, 4);
FIELD_IS(cede_group, policy, 4, 4);
FIELD_IS(cede_group, resources, 8, 4);
FIELD_IS(cede_group, reserved, 12, 4);
UNSIGNED(cede_group, name);
UNSIGNED(cede_group, policy);
UNSIGNED(cede_group, resources);
UNSIGNED(cede_group, reserved);

SIZE_IS(cede_domain, 16);
FIELD_IS(cede_domain, name, 0, 4);
FIELD_IS(cede_domain, level, 4, 4);
FIELD_IS(cede_domain, parent, 8, 4);
FIELD_IS(cede_domain, reserved, 12, 4);
UNSIGNED(cede_domain, name);
UNSIGNED(cede_domain, level);
UNSIGNED(cede_domain, parent);
UNSIGNED(cede_domain, reserved);

SIZE_IS(cede_queue, 64);
FIELD_IS(cede_queue, weight, 0, 8);
FIELD_IS(cede_queue, delay, 8, 8);
FIELD_IS(cede_queue, fair_share, 16, 8);
FIELD_IS(cede_queue, name, 24, 4);
FIELD_IS(cede_queue, parent, 28, 4);
FIELD_IS(cede_queue, guaranteed, 32, 4);
FIELD_IS(cede_queue, max, 36, 4);
FIELD_IS(cede_queue, settings, 40, 4);
FIELD_IS(cede_queue, kind, 44, 4);
FIELD_IS(cede_queue, policy, 48, 4);
FIELD_IS(cede_queue, priority_offset, 52, 4);
FIELD_IS(cede_queue, zero, 56, 4);
FIELD_IS(cede_queue, reserved, 60, 4);
UNSIGNED(cede_queue, name);
UNSIGNED(cede_queue, parent);
UNSIGNED(cede_queue, guaranteed);
UNSIGNED(cede_queue, max);
UNSIGNED(cede_queue, settings);
SIGNED(cede_queue, kind);
SIGNED(cede_queue, policy);
SIGNED(cede_queue, priority_offset);
UNSIGNED(cede_queue, zero);
UNSIGNED(cede_queue, reserved);

SIZE_IS(cede_node, 64);
FIELD_IS(cede_node, fingerprint_at, 0, 8);
FIELD_IS(cede_node, overcommit_since, 8, 8);
FIELD_IS(cede_node, name, 16, 4);
FIELD_IS(cede_node, group, 20, 4);
FIELD_IS(cede_node, resources, 24, 4);
FIELD_IS(cede_node, topology, 28, 4);
FIELD_IS(cede_node, domain, 32, 4);
FIELD_IS(cede_node, network, 36, 4);
FIELD_IS(cede_node, home, 40, 4);
FIELD_IS(cede_node, fingerprint, 44, 4);
FIELD_IS(cede_node, labels, 48, 4);
FIELD_IS(cede_node, state, 52, 4);
FIELD_IS(cede_node, zero, 56, 4);
FIELD_IS(cede_node, reserved, 60, 4);
UNSIGNED(cede_node, name);
UNSIGNED(cede_node, group);
UNSIGNED(cede_node, resources);
UNSIGNED(cede_node, topology);
UNSIGNED(cede_node, domain);
UNSIGNED(cede_node, network);
UNSIGNED(cede_node, home);
UNSIGNED(cede_node, fingerprint);
UNSIGNED(cede_node, labels);
SIGNED(cede_node, state);
UNSIGNED(cede_node, zero);
UNSIGNED(cede_node, reserved);

SIZE_IS(cede_reservation, 40);
FIELD_IS(cede_reservation, from, 0, 8);
FIELD_IS(cede_reservation, until, 8, 8);
FIELD_IS(cede_reservation, name, 16, 4);
FIELD_IS(cede_reservation, nodes, 20, 4);
FIELD_IS(cede_reservation, queue, 24, 4);
FIELD_IS(cede_reservation, user, 28, 4);
FIELD_IS(cede_reservation, job, 32, 4);
FIELD_IS(cede_reservation, zero, 36, 4);
UNSIGNED(cede_reservation, name);
UNSIGNED(cede_reservation, nodes);
UNSIGNED(cede_reservation, queue);
UNSIGNED(cede_reservation, user);
UNSIGNED(cede_reservation, job);
UNSIGNED(cede_reservation, zero);

SIZE_IS(cede_job, 200);
FIELD_IS(cede_job, submitted, 0, 8);
FIELD_IS(cede_job, waiting_since, 8, 8);
FIELD_IS(cede_job, started, 16, 8);
FIELD_IS(cede_job, resumed, 24, 8);
FIELD_IS(cede_job, walltime, 32, 8);
FIELD_IS(cede_job, below_fair_share_since, 40, 8);
FIELD_IS(cede_job, checkpoint_last, 48, 8);
FIELD_IS(cede_job, checkpoint_estimate, 56, 8);
FIELD_IS(cede_job, checkpoint_timeout, 64, 8);
FIELD_IS(cede_job, checkpoint_restart, 72, 8);
FIELD_IS(cede_job, value, 80, 8);
FIELD_IS(cede_job, fair_share, 88, 8);
FIELD_IS(cede_job, name, 96, 4);
FIELD_IS(cede_job, queue, 100, 4);
FIELD_IS(cede_job, group, 104, 4);
FIELD_IS(cede_job, app, 108, 4);
FIELD_IS(cede_job, user, 112, 4);
FIELD_IS(cede_job, project, 116, 4);
FIELD_IS(cede_job, tenant, 120, 4);
FIELD_IS(cede_job, max, 124, 4);
FIELD_IS(cede_job, settings, 128, 4);
FIELD_IS(cede_job, require, 132, 4);
FIELD_IS(cede_job, kind, 136, 4);
FIELD_IS(cede_job, state, 140, 4);
FIELD_IS(cede_job, priority, 144, 4);
FIELD_IS(cede_job, job_class, 148, 4);
FIELD_IS(cede_job, gang, 152, 4);
FIELD_IS(cede_job, preemptible, 156, 4);
FIELD_IS(cede_job, may_preempt, 160, 4);
FIELD_IS(cede_job, resume, 164, 4);
FIELD_IS(cede_job, interruptible, 168, 4);
FIELD_IS(cede_job, checkpoint_mode, 172, 4);
FIELD_IS(cede_job, checkpoint_via, 176, 4);
FIELD_IS(cede_job, min_tasks, 180, 4);
FIELD_IS(cede_job, preempted_count, 184, 4);
FIELD_IS(cede_job, task_count, 188, 4);
FIELD_IS(cede_job, zero, 192, 4);
FIELD_IS(cede_job, reserved, 196, 4);
UNSIGNED(cede_job, name);
UNSIGNED(cede_job, queue);
UNSIGNED(cede_job, group);
UNSIGNED(cede_job, app);
UNSIGNED(cede_job, user);
UNSIGNED(cede_job, project);
UNSIGNED(cede_job, tenant);
UNSIGNED(cede_job, max);
UNSIGNED(cede_job, settings);
UNSIGNED(cede_job, require);
SIGNED(cede_job, kind);
SIGNED(cede_job, state);
SIGNED(cede_job, priority);
SIGNED(cede_job, job_class);
SIGNED(cede_job, gang);
SIGNED(cede_job, preemptible);
SIGNED(cede_job, may_preempt);
SIGNED(cede_job, resume);
SIGNED(cede_job, interruptible);
SIGNED(cede_job, checkpoint_mode);
SIGNED(cede_job, checkpoint_via);
UNSIGNED(cede_job, min_tasks);
UNSIGNED(cede_job, preempted_count);
UNSIGNED(cede_job, task_count);
UNSIGNED(cede_job, zero);
UNSIGNED(cede_job, reserved);

SIZE_IS(cede_task, 72);
FIELD_IS(cede_task, started, 0, 8);
FIELD_IS(cede_task, gpus, 8, 8);
FIELD_IS(cede_task, job, 16, 4);
FIELD_IS(cede_task, name, 20, 4);
FIELD_IS(cede_task, node, 24, 4);
FIELD_IS(cede_task, required_node, 28, 4);
FIELD_IS(cede_task, resources, 32, 4);
FIELD_IS(cede_task, count, 36, 4);
FIELD_IS(cede_task, share, 40, 4);
FIELD_IS(cede_task, share_device, 44, 4);
FIELD_IS(cede_task, priority, 48, 4);
FIELD_IS(cede_task, preemptible, 52, 4);
FIELD_IS(cede_task, may_preempt, 56, 4);
FIELD_IS(cede_task, originator, 60, 4);
FIELD_IS(cede_task, zero, 64, 4);
FIELD_IS(cede_task, reserved, 68, 4);
UNSIGNED(cede_task, job);
UNSIGNED(cede_task, name);
UNSIGNED(cede_task, node);
UNSIGNED(cede_task, required_node);
UNSIGNED(cede_task, resources);
UNSIGNED(cede_task, count);
UNSIGNED(cede_task, share);
UNSIGNED(cede_task, share_device);
SIGNED(cede_task, priority);
SIGNED(cede_task, preemptible);
SIGNED(cede_task, may_preempt);
SIGNED(cede_task, originator);
UNSIGNED(cede_task, zero);
UNSIGNED(cede_task, reserved);

SIZE_IS(cede_task_name, 8);
FIELD_IS(cede_task_name, job, 0, 4);
FIELD_IS(cede_task_name, task, 4, 4);
UNSIGNED(cede_task_name, job);
UNSIGNED(cede_task_name, task);

SIZE_IS(cede_victim_task, 16);
FIELD_IS(cede_victim_task, job, 0, 4);
FIELD_IS(cede_victim_task, task, 4, 4);
FIELD_IS(cede_victim_task, position, 8, 4);
FIELD_IS(cede_victim_task, node, 12, 4);
UNSIGNED(cede_victim_task, job);
UNSIGNED(cede_victim_task, task);
UNSIGNED(cede_victim_task, position);
UNSIGNED(cede_victim_task, node);

CONSTANT_IS(CEDE_PART_REQUIREMENT, 3);
CONSTANT_IS(CEDE_PART_QUEUE_SETTINGS, 4);
CONSTANT_IS(CEDE_PART_JOB_SETTINGS, 5);
CONSTANT_IS(CEDE_PART_LABELS, 6);
CONSTANT_IS(CEDE_PART_FINGERPRINT, 7);
CONSTANT_IS(CEDE_ZERO_PRIORITY, 0x1u);
CONSTANT_IS(CEDE_ZERO_CLASS, 0x2u);
CONSTANT_IS(CEDE_ZERO_VALUE, 0x4u);
CONSTANT_IS(CEDE_ZERO_FAIR_SHARE, 0x8u);
CONSTANT_IS(CEDE_ZERO_SUBMITTED, 0x10u);
CONSTANT_IS(CEDE_ZERO_WAITING_SINCE, 0x20u);
CONSTANT_IS(CEDE_ZERO_STARTED, 0x40u);
CONSTANT_IS(CEDE_ZERO_RESUMED, 0x80u);
CONSTANT_IS(CEDE_ZERO_WALLTIME, 0x100u);
CONSTANT_IS(CEDE_ZERO_BELOW_FAIR_SHARE, 0x200u);
CONSTANT_IS(CEDE_ZERO_CHECKPOINT_LAST, 0x400u);
CONSTANT_IS(CEDE_ZERO_CHECKPOINT_ESTIMATE, 0x800u);
CONSTANT_IS(CEDE_ZERO_CHECKPOINT_TIMEOUT, 0x1000u);
CONSTANT_IS(CEDE_ZERO_CHECKPOINT_RESTART, 0x2000u);
CONSTANT_IS(CEDE_ZERO_GPUS, 0x4000u);
CONSTANT_IS(CEDE_ZERO_FROM, 0x8000u);
CONSTANT_IS(CEDE_ZERO_UNTIL, 0x10000u);
CONSTANT_IS(CEDE_ZERO_FINGERPRINT_AT, 0x20000u);
CONSTANT_IS(CEDE_ZERO_OVERCOMMIT_SINCE, 0x40000u);
CONSTANT_IS(CEDE_YES, 1);
CONSTANT_IS(CEDE_NO, 2);
CONSTANT_IS(CEDE_KIND_BATCH, 1);
CONSTANT_IS(CEDE_KIND_INFERENCE, 2);
CONSTANT_IS(CEDE_KIND_INTERACTIVE, 3);
CONSTANT_IS(CEDE_KIND_SERVICE, 4);
CONSTANT_IS(CEDE_KIND_TRAINING, 5);
CONSTANT_IS(CEDE_KIND_SENSITIVE, 6);
CONSTANT_IS(CEDE_QUEUE_DEFAULT, 1);
CONSTANT_IS(CEDE_QUEUE_FENCE, 2);
CONSTANT_IS(CEDE_QUEUE_DISABLED, 3);
CONSTANT_IS(CEDE_NODE_UP, 1);
CONSTANT_IS(CEDE_NODE_DRAIN, 2);
CONSTANT_IS(CEDE_NODE_DOWN, 3);
CONSTANT_IS(CEDE_JOB_PENDING, 1);
CONSTANT_IS(CEDE_JOB_RUNNING, 2);
CONSTANT_IS(CEDE_JOB_CHECKPOINTING, 3);
CONSTANT_IS(CEDE_JOB_PREEMPTING, 4);
CONSTANT_IS(CEDE_JOB_SUSPENDED, 5);
CONSTANT_IS(CEDE_CHECKPOINT_NONE, 1);
CONSTANT_IS(CEDE_CHECKPOINT_AUTO, 2);
CONSTANT_IS(CEDE_CHECKPOINT_MANUAL, 3);
CONSTANT_IS(CEDE_VIA_SIGNAL, 1);
CONSTANT_IS(CEDE_VIA_SHMEM, 2);
CONSTANT_IS(CEDE_VIA_CALLBACK, 3);

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
