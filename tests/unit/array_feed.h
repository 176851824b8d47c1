// SPDX-License-Identifier: MIT
#pragma once

#include <cede/cede.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "document/json_writer.h"
#include "model/model.h"

namespace cede {

// Tells an engine through arrays what a model holds, but for the `x-` fields that only documents carry. What
// it says is put together from the rows alone, field by field, so that a field the typed door loses or
// mistakes makes the two models differ.
class ArrayFeed {
 public:
  ArrayFeed(const Model& model, cede_engine* engine) : model_(model), engine_(engine) {}

  // Everything, at most so many objects in one call. Levels are given once.
  void put(std::size_t at_once, bool with_levels = true) {
    at_once_ = at_once;
    if (model_.now != kNoTime) good(cede_engine_set_now(engine_, model_.now, &error_));
    put_topologies();
    std::vector<std::uint32_t> levels;
    for (const NameId level : model_.levels) levels.push_back(number(model_.name(level)));
    if (with_levels && !levels.empty())
      good(cede_engine_put_levels(engine_, levels.data(), levels.size(), &error_));
    put_groups();
    put_domains();
    put_queues();
    put_nodes();
    put_jobs();
    put_reservations();
  }

  // And takes all of it away again, levels aside.
  void remove() {
    remove_all(model_.reservations, model_.names, cede_engine_remove_reservations);
    remove_all(model_.jobs, model_.job_names, cede_engine_remove_jobs);
    remove_all(model_.nodes, model_.names, cede_engine_remove_nodes);
    remove_all(model_.queues, model_.names, cede_engine_remove_queues);
    remove_all(model_.domains, model_.names, cede_engine_remove_domains);
    remove_all(model_.groups, model_.names, cede_engine_remove_groups);
    remove_all(model_.topologies, model_.names, cede_engine_remove_topologies);
  }

 private:
  void good(std::int32_t status) { EXPECT_GE(status, 0) << error_.text; }

  std::uint32_t number(std::string_view name) {
    std::uint32_t out = 0;
    if (!name.empty()) good(cede_engine_name(engine_, name.data(), name.size(), &out, &error_));
    return out;
  }
  std::uint32_t named(NameId name) { return number(model_.name(name)); }

  std::uint32_t resources(ShapeId shape) {
    if (shape == kNoShape) return 0;
    std::vector<cede_amount> amounts;
    for (const ResourceAmount& entry : model_.shape(shape))
      amounts.push_back({entry.amount, number(model_.resource_name(entry.resource)), 0});
    std::uint32_t out = 0;
    good(cede_engine_resources(engine_, amounts.data(), sizeof amounts[0], amounts.size(), &out, &error_));
    return out;
  }

  std::uint32_t part(std::int32_t kind, const std::string& text) {
    std::uint32_t out = 0;
    good(cede_engine_part(engine_, kind, text.data(), text.size(), &out, &error_));
    return out;
  }

  std::uint32_t settings(std::int32_t kind, BlobId blob) {
    if (blob == kNoBlob) return 0;
    std::string text;
    JsonWriter json(text);
    ClusterParts(model_, json).settings(blob, {});
    return part(kind, text.substr(text.find('{')));
  }

  std::uint32_t pairs(std::int32_t kind, BlobId blob) {
    if (blob == kNoBlob) return 0;
    const TextPairs all = model_.pairs(blob);
    if (all.front().first.empty()) return part(kind, std::string(all.front().second));
    std::string text;
    JsonWriter json(text);
    json.begin_object();
    for (const auto& [key, value] : all) json.key(key).text(value);
    json.end_object();
    return part(kind, text);
  }

  std::uint32_t requirement(RequirementId id) {
    if (!id) return 0;
    std::string text;
    JsonWriter json(text);
    write_requirement(*model_.requirements[id.value], model_, json);
    return part(CEDE_PART_REQUIREMENT, text);
  }

  // A value with its bit where it is zero.
  static std::int64_t given(std::int64_t value, std::int64_t absent, std::uint32_t bit, std::uint32_t& zero) {
    if (value == absent) return 0;
    if (value == 0) zero |= bit;
    return value;
  }
  template <class Enum>
  static std::int32_t word(Enum value, Enum absent) {
    return value == absent ? 0 : static_cast<std::int32_t>(value) + 1;
  }
  static std::int32_t flag(OptionalFlag value) { return static_cast<std::int32_t>(value); }
  static std::int32_t flag(bool value) { return value ? CEDE_YES : 0; }

  template <class Struct, class Call>
  void send(const std::vector<Struct>& all, Call call) {
    for (std::size_t i = 0; i < all.size(); i += at_once_) {
      good(call(engine_, all.data() + i, sizeof(Struct), std::min(at_once_, all.size() - i), &error_));
    }
  }

  template <class Table, class Call>
  void remove_all(const Table& table, const InternTable& names, Call call) {
    std::vector<std::uint32_t> all;
    table.for_each([&](auto, const auto& row) { all.push_back(number(names.view(row.name))); });
    good(call(engine_, all.data(), all.size(), &error_));
  }

  void put_topologies() {
    model_.topologies.for_each([&](TopologyId, const TopologyRow& row) {
      std::string text;
      JsonWriter json(text);
      write_topology(model_, row, json);
      good(cede_engine_import_topology(engine_, named(row.name), text.data(), text.size(), &error_));
    });
  }

  void put_groups() {
    std::vector<cede_group> all;
    model_.groups.for_each([&](GroupId, const GroupRow& row) {
      all.push_back({named(row.name), named(row.policy), resources(row.resources), 0});
    });
    send(all, cede_engine_put_groups);
  }

  void put_domains() {
    std::vector<cede_domain> all;
    for (std::size_t level = model_.levels.size(); level-- > 0;) {  // parents are of farther levels
      model_.domains.for_each([&](DomainId, const DomainRow& row) {
        if (row.level != level) return;
        all.push_back({named(row.name), named(model_.levels[row.level]),
                       row.parent ? named(model_.domains[row.parent].name) : 0, 0});
      });
    }
    send(all, cede_engine_put_domains);
  }

  void put_queues() {
    std::vector<std::pair<std::size_t, cede_queue>> by_depth;
    model_.queues.for_each([&](QueueId, const QueueRow& row) {
      std::size_t depth = 0;
      for (QueueId up = row.parent; up; up = model_.queues[up].parent) ++depth;
      cede_queue out{};
      out.name = named(row.name);
      if (row.parent) out.parent = named(model_.queues[row.parent].name);
      out.guaranteed = resources(row.guaranteed);
      out.max = resources(row.max);
      out.settings = settings(CEDE_PART_QUEUE_SETTINGS, row.settings);
      out.weight = row.weight == kNoAmount ? 0 : row.weight;
      out.delay = row.delay == kNoDuration ? 0 : row.delay;
      out.fair_share = given(row.fair_share, -1, CEDE_ZERO_FAIR_SHARE, out.zero);
      out.kind = word(row.kind, JobKind::absent);
      out.policy = word(row.policy, QueuePolicy::absent);
      out.priority_offset = row.priority_offset;
      by_depth.emplace_back(depth, out);
    });
    std::stable_sort(by_depth.begin(), by_depth.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<cede_queue> all;
    for (const auto& [depth, queue] : by_depth) all.push_back(queue);
    send(all, cede_engine_put_queues);
  }

  void put_nodes() {
    std::vector<cede_node> all;
    model_.nodes.for_each([&](NodeId id, const NodeRow& row) {
      cede_node out{};
      out.name = named(row.name);
      out.group = named(model_.groups[row.group].name);
      out.resources = resources(row.resources);
      if (row.topology) out.topology = named(model_.topologies[row.topology].name);
      std::vector<std::uint32_t> further;
      for (const DomainId domain : model_.node_domains(row)) {
        const std::uint32_t here = named(model_.domains[domain].name);
        if (out.domain == 0) {
          out.domain = here;
        } else {
          further.push_back(here);
        }
      }
      if (!further.empty())
        good(cede_engine_list(engine_, further.data(), further.size(), &out.network, &error_));
      if (row.home) out.home = named(model_.queues[row.home].name);
      out.fingerprint = pairs(CEDE_PART_FINGERPRINT, row.fingerprint);
      out.labels = pairs(CEDE_PART_LABELS, row.labels);
      out.state = word(row.state, NodeState::up);
      out.fingerprint_at = given(row.fingerprint_at, kNoTime, CEDE_ZERO_FINGERPRINT_AT, out.zero);
      out.overcommit_since = given(model_.overcommitted(id), kNoTime, CEDE_ZERO_OVERCOMMIT_SINCE, out.zero);
      all.push_back(out);
    });
    send(all, cede_engine_put_nodes);
  }

  cede_job job_of(JobId id, const JobCore& core) {
    const JobTimes& times = model_.job_times[id.value];
    const JobStateTimes& state_times = model_.job_state_times[id.value];
    const JobOwners& owners = model_.job_owners[id.value];
    const JobCheckpoint& checkpoint = model_.job_checkpoints[id.value];
    const JobExtras& extras = model_.job_extras[id.value];
    cede_job out{};
    out.name = number(model_.job_name(id));
    out.queue = named(model_.queues[core.queue].name);
    out.group = named(model_.groups[core.group].name);
    out.app = named(owners.app);
    out.user = named(owners.user);
    out.project = named(owners.project);
    out.tenant = named(owners.tenant);
    out.kind = word(core.kind, JobKind::absent);
    out.state = word(core.state, JobState::pending);
    if (core.has_priority) {
      out.priority = core.priority;
      if (core.priority == 0) out.zero |= CEDE_ZERO_PRIORITY;
    }
    out.job_class = static_cast<std::int32_t>(given(core.job_class, kNoClass, CEDE_ZERO_CLASS, out.zero));
    out.gang = flag(core.gang);
    out.preemptible = static_cast<std::int32_t>(core.preemptible);
    out.may_preempt = flag(core.may_preempt);
    out.resume = flag(core.resume);
    out.interruptible = flag(core.interruptible);
    out.submitted = given(times.submitted, kNoTime, CEDE_ZERO_SUBMITTED, out.zero);
    out.waiting_since = given(state_times.waiting_since, kNoTime, CEDE_ZERO_WAITING_SINCE, out.zero);
    out.started = given(times.started, kNoTime, CEDE_ZERO_STARTED, out.zero);
    out.resumed = given(state_times.resumed, kNoTime, CEDE_ZERO_RESUMED, out.zero);
    out.walltime = given(times.walltime, kNoDuration, CEDE_ZERO_WALLTIME, out.zero);
    out.below_fair_share_since =
        given(state_times.below_fair_share_since, kNoTime, CEDE_ZERO_BELOW_FAIR_SHARE, out.zero);
    out.checkpoint_last = given(checkpoint.last, kNoTime, CEDE_ZERO_CHECKPOINT_LAST, out.zero);
    out.checkpoint_estimate =
        given(checkpoint.estimate, kNoDuration, CEDE_ZERO_CHECKPOINT_ESTIMATE, out.zero);
    out.checkpoint_timeout = given(checkpoint.timeout, kNoDuration, CEDE_ZERO_CHECKPOINT_TIMEOUT, out.zero);
    out.checkpoint_restart = given(checkpoint.restart, kNoDuration, CEDE_ZERO_CHECKPOINT_RESTART, out.zero);
    out.checkpoint_mode = word(checkpoint.mode, CheckpointMode::absent);
    out.checkpoint_via = word(checkpoint.via, CheckpointVia::absent);
    out.value = given(extras.value, -1, CEDE_ZERO_VALUE, out.zero);
    out.fair_share = given(extras.fair_share, -1, CEDE_ZERO_FAIR_SHARE, out.zero);
    out.max = resources(extras.max);
    out.settings = settings(CEDE_PART_JOB_SETTINGS, extras.settings);
    out.require = requirement(extras.require);
    out.preempted_count = extras.preempted_count;
    out.min_tasks = extras.min_tasks;
    out.task_count = core.task_rows;
    return out;
  }

  cede_task task_of(TaskId id) {
    const TaskCore& core = model_.tasks.core(id);
    const TaskExtras& extras = model_.tasks.extras(id);
    cede_task out{};
    if (core.node) out.node = named(model_.nodes[core.node].name);
    out.resources = resources(core.resources);
    out.count = core.counted ? core.count : 0U;
    out.gpus = core.gpus;
    for (const DeviceShare& share : model_.shares(extras)) {
      EXPECT_EQ(out.share, 0u) << "shares of several devices are for documents";
      out.share = share.share;
      out.share_device = share.device;
    }
    if (core.gpus_given && core.gpus == 0 && out.share == 0) out.zero |= CEDE_ZERO_GPUS;
    out.started = given(extras.started, kNoTime, CEDE_ZERO_STARTED, out.zero);
    if (extras.name != kNoName) out.name = number(model_.job_names.view(extras.name));
    out.required_node = named(extras.required_node);
    if (extras.has_priority) {
      out.priority = extras.priority;
      if (extras.priority == 0) out.zero |= CEDE_ZERO_PRIORITY;
    }
    out.originator = flag(extras.originator);
    out.preemptible = static_cast<std::int32_t>(extras.preemptible);
    out.may_preempt = flag(extras.may_preempt);
    return out;
  }

  void put_jobs() {
    std::vector<cede_job> jobs;
    std::vector<cede_task> tasks;
    const auto send_jobs = [&] {
      good(cede_engine_put_jobs(engine_, jobs.data(), sizeof(cede_job), jobs.size(), tasks.data(),
                                sizeof(cede_task), tasks.size(), &error_));
      jobs.clear();
      tasks.clear();
    };
    model_.jobs.for_each([&](JobId id, const JobCore& core) {
      jobs.push_back(job_of(id, core));
      for (std::uint32_t k = 0; k < core.task_rows; ++k)
        tasks.push_back(task_of(TaskId{core.first_task.value + k}));
      if (jobs.size() == at_once_) send_jobs();
    });
    if (!jobs.empty()) send_jobs();
  }

  void put_reservations() {
    std::vector<cede_reservation> all;
    model_.reservations.for_each([&](ReservationId, const ReservationRow& row) {
      cede_reservation out{};
      out.name = named(row.name);
      std::vector<std::uint32_t> nodes;
      for (const NodeId node : model_.reservation_nodes(row)) nodes.push_back(named(model_.nodes[node].name));
      good(cede_engine_list(engine_, nodes.data(), nodes.size(), &out.nodes, &error_));
      out.from = given(row.from, kNoTime, CEDE_ZERO_FROM, out.zero);
      out.until = given(row.until, kNoTime, CEDE_ZERO_UNTIL, out.zero);
      if (row.queue) out.queue = named(model_.queues[row.queue].name);
      out.user = named(row.user);
      out.job = number(model_.job_names.view(row.job));
      all.push_back(out);
    });
    send(all, cede_engine_put_reservations);
  }

  const Model& model_;
  cede_engine* engine_;
  cede_error error_{};
  std::size_t at_once_ = 1000;
};

}  // namespace cede
