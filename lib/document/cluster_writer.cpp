// SPDX-License-Identifier: MIT
#include "document/document.h"

#include <algorithm>
#include <vector>

#include "document/json_writer.h"
#include "document/reading.h"

namespace cede {

namespace {

class Writer {
 public:
  Writer(const Model& model, std::string& out) : model_(model), json_(out), parts_(model, json_) {}

  void write() {
    json_.begin_object().key("format").text(kClusterFormat);
    parts_.time("now", model_.now);
    parts_.site(model_.blobs.view(model_.site));
    if (model_.topologies.live() > 0) topologies();
    network();
    list("groups", model_.groups, model_.names, [&](GroupId id) { group(model_.groups[id]); });
    list("reservations", model_.reservations, model_.names,
         [&](ReservationId id) { reservation(model_.reservations[id]); });
    list("queues", model_.queues, model_.names, [&](QueueId id) { queue(model_.queues[id]); });
    list("nodes", model_.nodes, model_.names, [&](NodeId id) { node(model_.nodes[id]); });
    list("jobs", model_.jobs, model_.job_names, [&](JobId id) { write_job(model_, id, json_); });
    json_.end_object();
  }

 private:
  template <class Table>
  auto by_name(const Table& table, const InternTable& names) {
    std::vector<decltype(table.find(0))> ids;
    ids.reserve(table.live());
    table.for_each([&](auto id, const auto&) { ids.push_back(id); });
    std::sort(ids.begin(), ids.end(),
              [&](auto a, auto b) { return names.view(table[a].name) < names.view(table[b].name); });
    return ids;
  }

  template <class Table, class Each>
  void list(std::string_view key, const Table& table, const InternTable& names, Each each) {
    if (table.live() == 0) return;
    json_.line().key(key).begin_array();
    for (const auto id : by_name(table, names)) {
      json_.line();
      each(id);
    }
    json_.end_array();
  }

  void topologies() {
    json_.line().key("topologies").begin_object();
    for (const TopologyId id : by_name(model_.topologies, model_.names)) {
      const TopologyRow& row = model_.topologies[id];
      json_.line().key(model_.name(row.name));
      write_topology(model_, row, json_);
    }
    json_.end_object();
  }

  void network() {
    const std::string_view site = model_.blobs.view(model_.network_site);
    if (model_.levels.empty() && site.empty()) return;
    json_.line().key("network").begin_object().key("levels").begin_array();
    for (const NameId level : model_.levels) json_.text(model_.name(level));
    json_.end_array();
    list("domains", model_.domains, model_.names, [&](DomainId id) {
      const DomainRow& row = model_.domains[id];
      open(row.name);
      json_.key("level").text(model_.name(model_.levels[row.level]));
      if (row.parent) json_.key("parent").text(model_.name(model_.domains[row.parent].name));
      close(row.site);
    });
    parts_.site(site);
    json_.end_object();
  }

  void open(NameId name) { json_.begin_object().key("id").text(model_.name(name)); }
  void close(BlobId site) {
    parts_.site(model_.blobs.view(site));
    json_.end_object();
  }

  void group(const GroupRow& row) {
    open(row.name);
    parts_.name("policy", row.policy);
    parts_.shape("resources", row.resources);
    close(row.site);
  }

  void reservation(const ReservationRow& row) {
    open(row.name);
    json_.key("nodes").begin_array();
    for (const NodeId node : model_.reservation_nodes(row)) json_.text(model_.name(model_.nodes[node].name));
    json_.end_array();
    parts_.time("from", row.from);
    parts_.time("until", row.until);
    if (row.reserved_for != ReservedFor::nobody) {
      json_.key("for").begin_object();
      if (row.reserved_for == ReservedFor::queue)
        json_.key("queue").text(model_.name(model_.queues[row.queue].name));
      if (row.reserved_for == ReservedFor::user) json_.key("user").text(model_.name(row.user));
      if (row.reserved_for == ReservedFor::job) json_.key("job").text(model_.job_names.view(row.job));
      parts_.site(model_.blobs.view(row.site), "for/");
      json_.end_object();
    }
    close(row.site);
  }

  void queue(const QueueRow& row) {
    const std::string_view site = model_.blobs.view(row.site);
    open(row.name);
    if (row.parent) json_.key("parent").text(model_.name(model_.queues[row.parent].name));
    parts_.shape("guaranteed", row.guaranteed);
    parts_.shape("max", row.max);
    parts_.scaled("weight", row.weight, 3);
    if (row.kind != JobKind::absent) json_.key("kind").text(to_word(row.kind, kJobKinds));
    if (row.policy != QueuePolicy::absent || row.delay != kNoDuration ||
        parts_.has_site(site, "preemption/")) {
      json_.key("preemption").begin_object();
      if (row.policy != QueuePolicy::absent) json_.key("policy").text(to_word(row.policy, kQueuePolicies));
      parts_.duration("delay", row.delay);
      parts_.site(site, "preemption/");
      json_.end_object();
    }
    if (row.priority_offset != 0) json_.key("priority_offset").number(row.priority_offset);
    parts_.settings(row.settings, site);
    parts_.scaled("fair_share", row.fair_share, 12);
    close(row.site);
  }

  void node(const NodeRow& row) {
    open(row.name);
    json_.key("group").text(model_.name(model_.groups[row.group].name));
    parts_.shape("resources", row.resources);
    if (row.topology) json_.key("topology").text(model_.name(model_.topologies[row.topology].name));
    if (!model_.node_domains(row).empty()) {
      json_.key("network").begin_array();
      // In the order of their levels, which may have changed since the node was put.
      std::vector<DomainId> domains(model_.node_domains(row).begin(), model_.node_domains(row).end());
      std::sort(domains.begin(), domains.end(),
                [&](DomainId a, DomainId b) { return model_.domains[a].level < model_.domains[b].level; });
      for (const DomainId domain : domains) json_.text(model_.name(model_.domains[domain].name));
      json_.end_array();
    }
    if (row.state != NodeState::up) json_.key("state").text(to_word(row.state, kNodeStates));
    if (row.home) json_.key("home").text(model_.name(model_.queues[row.home].name));
    fingerprint(row.fingerprint);
    parts_.time("fingerprint_at", row.fingerprint_at);
    if (row.labels != kNoBlob) pairs("labels", row.labels);
    parts_.time("overcommit_since", model_.overcommitted(model_.nodes.find(row.name)));
    close(row.site);
  }

  void fingerprint(BlobId id) {
    if (id == kNoBlob) return;
    const TextPairs components = model_.pairs(id);
    if (components.size() == 1 && components[0].first.empty()) {
      json_.key("fingerprint").text(components[0].second);
    } else {
      pairs("fingerprint", id);
    }
  }

  void pairs(std::string_view key, BlobId id) {
    json_.key(key).begin_object();
    for (const auto& [name, value] : model_.pairs(id)) json_.key(name).text(value);
    json_.end_object();
  }

  const Model& model_;
  JsonWriter json_;
  ClusterParts parts_;
};

}  // namespace

std::string write_cluster(const Model& model) {
  std::string out;
  Writer(model, out).write();
  out.push_back('\n');
  return out;
}

namespace {

void write_task(const Model& model, TaskId id, JsonWriter& json) {
  const TaskCore& core = model.tasks.core(id);
  const TaskExtras& extras = model.tasks.extras(id);
  ClusterParts parts(model, json);
  json.begin_object();
  if (extras.name != kNoName) json.key("id").text(model.job_names.view(extras.name));
  if (core.node) json.key("node").text(model.name(model.nodes[core.node].name));
  if (core.counted) json.key("count").number(core.count);
  parts.shape("resources", core.resources);
  if (core.gpus_given) {
    json.key("gpus").begin_array();
    const std::string_view site = model.blobs.view(extras.site);
    const auto device = [&](std::uint32_t index, std::int64_t share) {
      const std::string prefix = "gpus/" + std::to_string(index) + '/';
      // A whole device is written as its number, unless it has site fields.
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
  const JobStateTimes& state_times = model.job_state_times[id.value];
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
  parts.time("waiting_since", state_times.waiting_since);
  parts.time("started", times.started);
  parts.time("resumed", state_times.resumed);
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
  parts.time("below_fair_share_since", state_times.below_fair_share_since);
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
