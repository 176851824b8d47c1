// SPDX-License-Identifier: MIT
#pragma once

#include "document/requirement_fields.h"
#include "model/limits.h"
#include "model/words.h"
#include "policy/settings/setting.h"

// The fields of jobs and their tasks.
namespace cede {

inline constexpr std::string_view kPreemptibleSchema = R"("enum":[true,false,"last-resort",null])";
inline constexpr std::string_view kPreemptibleShown = "true, false or last-resort";

enum class ShareField : std::uint8_t { index, share };
inline constexpr Fields<ShareField, 2> kShareFields{{{
    field_rows::required(
        field_rows::integer(ShareField::index, "index", {0, kMaxDevices - 1}, "the index of the GPU")),
    field_rows::required(field_rows::above_zero(
        field_rows::amount(ShareField::share, "share", kOne, "the part of it that the task holds"))),
}}};
inline constexpr ObjectSpec kShareObject{"gpu_share", "a part of one GPU", kShareFields.rows};

inline constexpr std::string_view kTaskGpusSchema =
    R"("type":["array","null"],"items":{"anyOf":[{"type":"integer","minimum":0,"maximum":63},{"$ref":"#/$defs/gpu_share"}]})";

enum class TaskField : std::uint8_t {
  id,
  node,
  resources,
  gpus,
  started,
  priority,
  originator,
  preemptible,
  may_preempt,
  count,
  required_node
};
inline constexpr Fields<TaskField, 11> kTaskFields{{{
    field_rows::or_else(field_rows::name(TaskField::id, "id", "the name of the task, unique in its job"),
                        "t and its position"),
    field_rows::or_else(field_rows::name(TaskField::node, "node", "the node on which it runs"), "it waits"),
    field_rows::amounts(TaskField::resources, "resources", "what it uses or needs of each resource"),
    field_rows::or_else(
        field_rows::with_object(
            field_rows::custom(TaskField::gpus, "gpus", "list of devices", kTaskGpusSchema,
                               "the GPUs it holds, as indexes in the order of the node's topology, or parts "
                               "of them"),
            kShareObject),
        "the site knows only how many"),
    field_rows::or_else(field_rows::time(TaskField::started, "started", "when what it runs now began"),
                        "the job's"),
    field_rows::or_else(field_rows::integer(TaskField::priority, "priority", field_rows::kInt32,
                                            "its own priority instead of the job's"),
                        "the job's"),
    field_rows::or_default(field_rows::flag(TaskField::originator, "originator",
                                            "whether its end takes the whole application down"),
                           "false"),
    field_rows::or_else(
        field_rows::custom(TaskField::preemptible, "preemptible", kPreemptibleShown, kPreemptibleSchema,
                           "whether it may be taken, instead of the job's"),
        "the job's"),
    field_rows::or_else(field_rows::flag(TaskField::may_preempt, "may_preempt",
                                         "whether it may take others, instead of the job's"),
                        "the job's"),
    field_rows::or_default(field_rows::integer(TaskField::count, "count", {1, Limits{}.max_tasks_per_job},
                                               "how many equal waiting tasks this entry stands for"),
                           "1"),
    field_rows::name(TaskField::required_node, "required_node", "the only node on which it may run"),
}}};
inline constexpr ObjectSpec kTaskObject{"task", "a part of a job that runs on one node", kTaskFields.rows};

enum class CheckpointField : std::uint8_t { mode, last, estimate, timeout, restart, via };
inline constexpr Fields<CheckpointField, 6> kCheckpointFields{{{
    field_rows::or_default(field_rows::word(CheckpointField::mode, "mode", kCheckpointModes,
                                            "whether the job saves its work on a hint by itself, with help, "
                                            "or not at all"),
                           "\"none\""),
    field_rows::or_else(field_rows::time(CheckpointField::last, "last", "when it last saved its work"),
                        "never"),
    field_rows::or_else(field_rows::duration(CheckpointField::estimate, "estimate",
                                             "how long it expects to take for saving its work"),
                        "the setting checkpoint_estimate"),
    field_rows::or_else(
        field_rows::duration(CheckpointField::timeout, "timeout", "how long it may take for saving its work"),
        "the setting checkpoint_timeout"),
    field_rows::or_default(field_rows::duration(CheckpointField::restart, "restart",
                                                "how long it takes to resume from a checkpoint"),
                           "0"),
    field_rows::word(CheckpointField::via, "via", kCheckpointVias,
                     "how the hint reaches it; passed on to the resource manager"),
}}};
inline constexpr ObjectSpec kCheckpointObject{"checkpoint", "how a job saves its work",
                                              kCheckpointFields.rows};

enum class JobField : std::uint8_t {
  id,
  queue,
  group,
  app,
  user,
  project,
  tenant,
  kind,
  state,
  priority,
  job_class,
  gang,
  min_tasks,
  submitted,
  waiting_since,
  started,
  resumed,
  walltime,
  checkpoint,
  preemptible,
  may_preempt,
  value,
  preempted_count,
  resume,
  interruptible,
  max,
  settings,
  fair_share,
  below_fair_share_since,
  require,
  tasks
};
inline constexpr Fields<JobField, 31> kJobFields{{{
    field_rows::required(field_rows::name(JobField::id, "id", "the name of the job")),
    field_rows::required(field_rows::name(JobField::queue, "queue", "the queue it is in"),
                         "the name of a queue is wanted"),
    field_rows::or_else(field_rows::name(JobField::group, "group", "the group of nodes it runs on"),
                        "the only one there is"),
    field_rows::or_else(field_rows::name(JobField::app, "app", "the application it belongs to"),
                        "its own id"),
    field_rows::name(JobField::user, "user", "whose job it is"),
    field_rows::name(JobField::project, "project", "the project it is for"),
    field_rows::name(JobField::tenant, "tenant", "the tenant it is for"),
    field_rows::or_else(field_rows::word(JobField::kind, "kind", kJobKinds, "what kind of work it does"),
                        "its queue's"),
    field_rows::or_default(field_rows::word(JobField::state, "state", kJobStates, "what it is doing"),
                           "\"pending\""),
    field_rows::or_else(field_rows::integer(JobField::priority, "priority", field_rows::kInt32,
                                            "its priority; 0..100 in profile priority"),
                        "10 in profile priority, 0 elsewhere"),
    field_rows::or_default(field_rows::integer(JobField::job_class, "class", {0, kMaxClass},
                                               "its preemption class; 10 is never preempted"),
                           "4"),
    field_rows::or_else(
        field_rows::flag(JobField::gang, "gang", "whether its tasks start together and leave together"),
        "true in the profiles priority, class-cost and quota except for kinds service and inference, false "
        "elsewhere"),
    field_rows::or_else(
        field_rows::integer(JobField::min_tasks, "min_tasks", {1, kMaxMinTasks},
                            "a gang that can go on with this many tasks is elastic and may lose "
                            "those beyond"),
        "it needs all"),
    field_rows::or_else(field_rows::time(JobField::submitted, "submitted", "when it was submitted"),
                        "started, else now"),
    field_rows::or_else(field_rows::time(JobField::waiting_since, "waiting_since",
                                         "since when it waits; delays count from it"),
                        "submitted"),
    field_rows::time(JobField::started, "started", "when it started; a running job or its tasks need this"),
    field_rows::or_else(field_rows::time(JobField::resumed, "resumed",
                                         "when it went on after a preemption; elapsed time counts from it"),
                        "started"),
    field_rows::or_else(field_rows::duration(JobField::walltime, "walltime", "the longest it may run"),
                        "no limit"),
    field_rows::object(JobField::checkpoint, "checkpoint", kCheckpointObject, "how it saves its work"),
    field_rows::or_else(
        field_rows::custom(JobField::preemptible, "preemptible", kPreemptibleShown, kPreemptibleSchema,
                           "whether it may be taken, or only where nothing else helps"),
        "true; in profile quota a setting decides"),
    field_rows::or_else(field_rows::flag(JobField::may_preempt, "may_preempt", "whether it may take others"),
                        "true; in profile quota a setting decides"),
    field_rows::or_else(field_rows::in_unit(field_rows::decimal(JobField::value, "value", 3, kMaxValue,
                                                                "what its start is worth: the price of its "
                                                                "victims stays below"),
                                            "minutes"),
                        "the setting value_per_gpu_hour decides"),
    field_rows::or_default(field_rows::integer(JobField::preempted_count, "preempted_count",
                                               {0, kMaxPreemptedCount}, "how often it was preempted"),
                           "0"),
    field_rows::or_default(
        field_rows::flag(JobField::resume, "resume", "whether it goes on from a checkpoint when it starts"),
        "false"),
    field_rows::or_default(field_rows::flag(JobField::interruptible, "interruptible",
                                            "whether it finishes early on an interrupt signal"),
                           "false"),
    field_rows::or_else(
        field_rows::amounts(JobField::max, "max", "the most that it may use of each resource"), "unlimited"),
    field_rows::settings(JobField::settings, SettingHolder::job,
                         "settings of the policy that hold for this job"),
    field_rows::or_else(field_rows::decimal(JobField::fair_share, "fair_share", 12, kWholeShare,
                                            "its dominant fair share, as computed by the site"),
                        "computed here"),
    field_rows::or_else(field_rows::time(JobField::below_fair_share_since, "below_fair_share_since",
                                         "since when it has less than its fair share"),
                        "from the first time it is found below"),
    field_rows::object(JobField::require, "require", kRequirementObject,
                       "what it demands or prefers of nodes, devices and network"),
    field_rows::required(
        field_rows::not_empty(field_rows::objects(JobField::tasks, "tasks", kTaskObject, "its tasks")),
        "a list of tasks is wanted"),
}}};
inline constexpr ObjectSpec kJobObject{"job", "what a user submits", kJobFields.rows};

}  // namespace cede
