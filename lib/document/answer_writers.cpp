// SPDX-License-Identifier: MIT
#include "document/answer_writers.h"

#include <algorithm>
#include <vector>

#include "base/amount.h"
#include "base/text.h"
#include "document/json_writer.h"
#include "document/step_documents.h"
#include "policy/request.h"

namespace cede {

std::string write_admission(const AdmissionAnswer& answer) {
  std::string out;
  JsonWriter json(out);
  json.begin_object().key("format").text(kAdmissionFormat).key("job").text(answer.job);
  json.key("policy").text(answer.policy).key("profile").text(to_word(answer.profile, kProfiles));
  json.key("admitted").flag(answer.admitted()).key("rule");
  if (answer.admitted()) {
    json.raw("null");
  } else {
    json.text(answer.rule);
  }
  json.key("reason").text(answer.reason);
  json.key("priority").number(answer.priority).key("class").number(answer.job_class).key("preemptible");
  if (answer.preemptible == Preemptible::last_resort) {
    json.text("last-resort");
  } else {
    json.flag(answer.preemptible == Preemptible::yes);
  }
  const AdmissionTerms& offer = answer.offer;
  json.key("offer").begin_object().key("priority");
  if (offer.priorities.empty()) {
    json.raw("null");
  } else {
    json.begin_object().key("min").number(offer.priorities.min).key("max").number(offer.priorities.max);
    json.key("default").number(offer.default_priority).key("may_change").flag(offer.may_change).end_object();
  }
  json.key("max_class").number(offer.max_class).key("may_opt_out");
  if (offer.may_opt_out == kNoPriority || offer.may_always_opt_out()) {
    json.flag(offer.may_always_opt_out());
  } else {
    json.begin_object().key("min").number(offer.may_opt_out.min).key("max").number(offer.may_opt_out.max);
    json.end_object();
  }
  json.end_object();
  if (!answer.quota.empty()) {
    json.key("quota").begin_object().key("answer").text(answer.quota);
    json.key("reason").text(answer.quota_text).end_object();
  }
  json.end_object();
  out.push_back('\n');
  return out;
}

namespace {

class LedgerWriter {
 public:
  explicit LedgerWriter(const LedgerView& view) : view_(view), json_(out_) {}

  std::string write() {
    json_.begin_object().key("format").text(kInFlightFormat);
    time("now", view_.now);
    time("next_due", view_.next_due);
    json_.key("entries").begin_array();
    for (const LedgerView::Entry& entry : view_.entries) this->entry(entry);
    json_.end_array().end_object();
    return std::move(out_);
  }

 private:
  void time(std::string_view key, Time value) {
    json_.key(key).raw(value == kNoTime ? "null" : format_seconds(value));
  }

  void entry(const LedgerView::Entry& entry) {
    json_.begin_object().key("entry").raw(std::to_string(entry.id));
    json_.key("state").text(entry.state).key("for").text(entry.requester_kind);
    json_.key("name").text(entry.requester).key("cause").text(entry.cause);
    time("committed", entry.committed);
    time("deadline", entry.deadline);
    json_.key("hold").flag(entry.has_hold).key("victims").begin_array();
    for (const LedgerView::Victim& victim : entry.victims) this->victim(victim);
    json_.end_array().key("placement").begin_array();
    for (const LedgerView::Place& place : entry.placement) write_place(json_, place);
    json_.end_array().end_object();
  }

  void victim(const LedgerView::Victim& victim) {
    json_.begin_object().key("job").text(victim.job).key("tasks").begin_array();
    for (const std::string& task : victim.tasks) json_.text(task);
    json_.end_array().key("phase").text(victim.phase);
    if (!victim.exit_result.empty()) json_.key("released").text(victim.exit_result);
    time("deadline", victim.deadline);
    json_.end_object();
  }

  const LedgerView& view_;
  std::string out_;
  JsonWriter json_;
};

}  // namespace

std::string write_ledger(const LedgerView& view) { return LedgerWriter(view).write(); }

namespace {

constexpr int kShareDigits = 12;

std::string decimal(Share share) { return format_scaled(share, kShareDigits); }

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

// Each queue comes before the queues below it, which are in the order of their names. No recursion: the tree
// may be as deep as it has queues.
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
  // If the job has its share now, the time in the document is obsolete.
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

namespace {

void begin(const TopologyHead& head, JsonWriter& json) {
  json.begin_object().key("format").text(kTopologyFormat).key("name").text(head.name);
  json.key("kind").text(head.kind).key("signature").text(head.signature);
}

}  // namespace

std::string write_topology_document(const TopologyHead& head, const NodeClass& node_class) {
  std::string out;
  JsonWriter json(out);
  begin(head, json);
  std::vector<std::string_view> pci;
  for (const NodeClass::Device& device : node_class.devices) pci.push_back(device.pci);
  if (std::all_of(pci.begin(), pci.end(), [](std::string_view address) { return address.empty(); }))
    pci.clear();
  const Model none;
  ClusterParts parts(none, json);
  json.line().key("topology");
  write_node_class(node_class, pci, {}, parts, json);
  json.end_object();
  return out + '\n';
}

std::string write_topology_document(const TopologyHead& head, const NetworkDescription& network) {
  std::string out;
  JsonWriter json(out);
  begin(head, json);
  json.line().key("network").begin_object().key("levels").begin_array();
  for (const std::string& level : network.levels) json.text(level);
  json.end_array().line().key("domains").begin_array();
  for (const NetworkDescription::Domain& domain : network.domains) {
    json.line().begin_object().key("id").text(domain.name).key("level").text(network.levels[domain.level]);
    if (domain.parent >= 0)
      json.key("parent").text(network.domains[static_cast<std::size_t>(domain.parent)].name);
    json.end_object();
  }
  json.end_array().end_object();
  json.line().key("nodes").begin_array();
  for (const NetworkDescription::Node& node : network.nodes) {
    json.line().begin_object().key("id").text(node.name).key("network").begin_array();
    json.text(network.domains[node.domain].name).end_array().end_object();
  }
  json.end_array().end_object();
  return out + '\n';
}

}  // namespace cede
