// SPDX-License-Identifier: MIT
#include "document/write_parts.h"

namespace cede {

namespace {

void write_task(const Model& model, TaskId id, JsonWriter& json) {
  const TaskCore& core = model.tasks.core(id);
  const TaskExtras& extras = model.tasks.extras(id);
  ClusterParts parts(model, json);
  json.begin_object();
  parts.name("id", extras.name);
  if (core.node) json.key("node").text(model.name(model.nodes[core.node].name));
  if (core.counted) json.key("count").number(core.count);
  parts.shape("resources", core.resources);
  if (core.gpus_given) {
    json.key("gpus").begin_array();
    const std::string_view site = model.blobs.view(extras.site);
    const auto device = [&](std::uint32_t index, std::int64_t share) {
      const std::string prefix = "gpus/" + std::to_string(index) + '/';
      // A whole device is written as its number, unless the site has something to say about it.
      if (share == kOne && !parts.has_site(site, prefix)) return void(json.number(index));
      json.begin_object().key("index").number(index).key("share").raw(format_scaled(share, 3));
      parts.site(site, prefix);
      json.end_object();
    };
    for (std::uint32_t d = 0; d < kMaxDevices; ++d) {
      if ((core.gpus >> d & 1) != 0) device(d, kOne);
    }
    for (const DeviceShare& share : model.shares(extras)) device(share.device, share.share);
    json.end_array();
  }
  parts.time("started", extras.started);
  if (extras.has_priority) json.key("priority").number(extras.priority);
  if (extras.originator) json.key("originator").flag(true);
  parts.preemptible(extras.preemptible);
  parts.flag("may_preempt", extras.may_preempt);
  parts.name("required_node", extras.required_node);
  parts.site(model.blobs.view(extras.site));
  json.end_object();
}

void write_checkpoint(const JobCheckpoint& checkpoint, std::string_view site, ClusterParts& parts,
                      JsonWriter& json) {
  const bool given = checkpoint.mode != CheckpointMode::absent || checkpoint.via != CheckpointVia::absent ||
                     checkpoint.last != kNoTime || checkpoint.estimate != kNoDuration ||
                     checkpoint.timeout != kNoDuration || checkpoint.restart != kNoDuration;
  if (!given && !parts.has_site(site, "checkpoint/")) return;
  json.key("checkpoint").begin_object();
  if (checkpoint.mode != CheckpointMode::absent)
    json.key("mode").text(to_word(checkpoint.mode, kCheckpointModes));
  parts.time("last", checkpoint.last);
  parts.duration("estimate", checkpoint.estimate);
  parts.duration("timeout", checkpoint.timeout);
  parts.duration("restart", checkpoint.restart);
  if (checkpoint.via != CheckpointVia::absent) json.key("via").text(to_word(checkpoint.via, kCheckpointVias));
  parts.site(site, "checkpoint/");
  json.end_object();
}

}  // namespace

void write_job(const Model& model, JobId id, JsonWriter& json) {
  const JobCore& core = model.jobs[id];
  const JobTimes& times = model.job_times[id.value];
  const JobSpells& spells = model.job_spells[id.value];
  const JobOwners& owners = model.job_owners[id.value];
  const JobExtras& extras = model.job_extras[id.value];
  const std::string_view site = model.blobs.view(extras.site);
  ClusterParts parts(model, json);

  json.begin_object().key("id").text(model.job_name(id));
  json.key("queue").text(model.name(model.queues[core.queue].name));
  json.key("group").text(model.name(model.groups[core.group].name));
  parts.name("app", owners.app);
  parts.name("user", owners.user);
  parts.name("project", owners.project);
  parts.name("tenant", owners.tenant);
  if (core.kind != JobKind::absent) json.key("kind").text(to_word(core.kind, kJobKinds));
  json.key("state").text(to_word(core.state, kJobStates));
  if (core.has_priority) json.key("priority").number(core.priority);
  if (core.job_class != kNoClass) json.key("class").number(core.job_class);
  parts.flag("gang", core.gang);
  if (extras.min_tasks > 0) json.key("min_tasks").number(extras.min_tasks);
  parts.time("submitted", times.submitted);
  parts.time("waiting_since", spells.waiting_since);
  parts.time("started", times.started);
  parts.time("resumed", spells.resumed);
  parts.duration("walltime", times.walltime);
  write_checkpoint(model.job_checkpoints[id.value], site, parts, json);
  parts.preemptible(core.preemptible);
  parts.flag("may_preempt", core.may_preempt);
  parts.scaled("value", extras.value, 3);
  if (extras.preempted_count > 0) json.key("preempted_count").number(extras.preempted_count);
  if (core.resume) json.key("resume").flag(true);
  if (core.interruptible) json.key("interruptible").flag(true);
  parts.shape("max", extras.max);
  parts.settings(extras.settings, site);
  parts.scaled("fair_share", extras.fair_share, 12);
  parts.time("below_fair_share_since", spells.below_fair_share_since);
  if (extras.require) {
    json.key("require");
    write_requirement(*model.requirements[extras.require.value], model, json);
  }
  json.key("tasks").begin_array();
  for (std::uint32_t i = 0; i < core.task_rows; ++i)
    write_task(model, TaskId{core.first_task.value + i}, json);
  json.end_array();
  parts.site(site);
  json.end_object();
}

}  // namespace cede
