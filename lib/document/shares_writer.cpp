// SPDX-License-Identifier: MIT
#include "document/shares_writer.h"

#include <algorithm>

#include "policy/request.h"

namespace cede {

namespace {

constexpr int kShareDigits = 12;

std::string decimal(Share share) { return format_scaled(share, kShareDigits); }

template <class IdType, class Name>
void sort_by_name(std::vector<IdType>& ids, Name name) {
  std::sort(ids.begin(), ids.end(), [&](IdType a, IdType b) { return name(a) < name(b); });
}

}  // namespace

SharesWriter::SharesWriter(Time now) : json_(out_) {
  json_.begin_object().key("format").text(kSharesFormat).key("now").raw(format_seconds(now));
  json_.key("groups").begin_array();
}

void SharesWriter::add(const EffectiveSettings& effective, GroupId id, const FairShareStatus& standing) {
  Group group{effective, standing, {}};
  const Model& model = effective.model();
  const std::vector<Total>& held = standing.tree().tree.capacity;
  for (std::uint32_t r = 0; r < held.size(); ++r) {
    if (held[r] > 0) group.resources.push_back(r);
  }
  sort_by_name(group.resources, [&](std::uint32_t r) { return model.resource_name(r); });
  json_.line().begin_object().key("id").text(model.name(model.groups[id].name));
  json_.key("policy").text(effective.policy().name);
  capacity(group);
  json_.line().key("queues").begin_array();
  queues(group);
  json_.end_array().line().key("jobs").begin_array();
  std::vector<JobId> jobs;
  model.jobs.for_each([&](JobId job, const JobCore& core) {
    if (core.group == id) jobs.push_back(job);
  });
  sort_by_name(jobs, [&](JobId job) { return model.job_name(job); });
  for (const JobId each : jobs) job(group, each);
  json_.end_array().end_object();
}

std::string SharesWriter::finish() {
  json_.end_array().end_object();
  return std::move(out_) + '\n';
}

void SharesWriter::capacity(const Group& group) {
  json_.key("capacity").begin_object();
  for (const std::uint32_t r : group.resources)
    json_.key(group.model().resource_name(r)).raw(format_total(group.standing.tree().tree.capacity[r]));
  json_.end_object();
}

// A queue before those below it, and those by name. Without recursion: the tree may be as deep as it has
// queues.
void SharesWriter::queues(const Group& group) {
  const Model& model = group.model();
  std::vector<QueueId> by_name;
  model.queues.for_each([&](QueueId id, const QueueRow&) { by_name.push_back(id); });
  sort_by_name(by_name, [&](QueueId id) { return model.name(model.queues[id].name); });
  std::reverse(by_name.begin(), by_name.end());
  std::vector<std::vector<QueueId>> children(model.queues.id_bound());
  std::vector<QueueId> next;
  for (const QueueId id : by_name) {
    const QueueId parent = model.queues[id].parent;
    (parent ? children[parent.value] : next).push_back(id);
  }
  while (!next.empty()) {
    const QueueId id = next.back();
    next.pop_back();
    queue(group, id);
    next.insert(next.end(), children[id.value].begin(), children[id.value].end());
  }
}

void SharesWriter::queue(const Group& group, QueueId id) {
  const Model& model = group.model();
  const QueueRow& row = model.queues[id];
  const FairShareTree& tree = group.standing.tree();
  json_.line().begin_object().key("id").text(model.name(row.name)).key("parent");
  if (row.parent) {
    json_.text(model.name(model.queues[row.parent].name));
  } else {
    json_.raw("null");
  }
  std::vector<Share> guaranteed(tree.tree.resources(), 0);
  for (const ResourceAmount& entry : model.shape(row.guaranteed))
    guaranteed[entry.resource] = share_of(entry.amount, tree.tree.capacity[entry.resource]);
  shares(group, tree.element(id), guaranteed);
  json_.end_object();
}

void SharesWriter::job(const Group& group, JobId id) {
  const Model& model = group.model();
  const FairShareStatus& standing = group.standing;
  json_.line().begin_object().key("id").text(model.job_name(id));
  json_.key("queue").text(model.name(model.queues[model.jobs[id].queue].name));
  shares(group, standing.tree().element(id), {});
  const ShareStatus status = standing.status(id);
  json_.key("status").text(to_word(status, kShareStatuses));
  json_.key("starvation").text(to_word(standing.starvation(id), kStarvations)).key("below_since");
  // What the document says of a job that has its share by now means nothing.
  const Time since = status == ShareStatus::normal ? kNoTime : standing.below_since(id);
  json_.raw(since == kNoTime ? "null" : format_seconds(since));
  tasks(group, id);
  json_.end_object();
}

void SharesWriter::tasks(const Group& group, JobId id) {
  json_.key("tasks").begin_object();
  for (std::size_t tier = 0; tier < kTaskTiers.size(); ++tier) {
    json_.key(kTaskTiers[tier]).begin_array();
    for (const SplitTask& task : group.standing.split(id)) {
      if (static_cast<std::size_t>(task.tier) == tier) json_.text(task_label(group.model(), task.row, 0));
    }
    json_.end_array();
  }
  json_.end_object();
}

void SharesWriter::shares(const Group& group, std::uint32_t element, std::span<const Share> guaranteed) {
  const FairShareTree& tree = group.standing.tree();
  const FairShares& all = group.standing.shares();
  const bool has_guarantee = !tree.tree.elements[element].is_job;
  json_.key("dominant").begin_object();
  json_.key("usage").raw(decimal(dominant(tree.usage_of(element))));
  json_.key("fair_share").raw(decimal(all.dominant[element]));
  json_.key("demand").raw(decimal(dominant(all.demand_of(element))));
  if (has_guarantee) json_.key("guaranteed").raw(decimal(dominant(guaranteed)));
  json_.end_object();
  by_resource("usage", group, tree.usage_of(element));
  by_resource("fair_share", group, all.fair_of(element));
  by_resource("demand", group, all.demand_of(element));
  if (has_guarantee) by_resource("guaranteed", group, guaranteed);
  json_.key("given").flag(tree.tree.elements[element].given != kNoShare);
}

void SharesWriter::by_resource(std::string_view key, const Group& group, std::span<const Share> shares) {
  json_.key(key).begin_object();
  for (const std::uint32_t r : group.resources)
    json_.key(group.model().resource_name(r)).raw(decimal(shares[r]));
  json_.end_object();
}

}  // namespace cede
