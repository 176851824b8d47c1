// SPDX-License-Identifier: MIT

#include <algorithm>
#include <functional>
#include <set>
#include <type_traits>

#include "base/text.h"
#include "engine/book_writer.h"
#include "engine/engine.h"
#include "engine/project_cluster.h"
#include "policy/request.h"

// What a change of the cluster means to what is in flight: requesters that changed, space and limits that
// holds have lost or have again.

namespace cede {

namespace {

// Above these numbers, names that the model does not know are dropped.
constexpr std::size_t kManyJobs = 4096;
constexpr std::size_t kManyNodes = 256;

// Whether the job still is what the entry was planned for: its tasks wait, or they run on the planned nodes.
bool is_as_planned(const Model& model, JobId job, const Entry& entry) {
  if (model.name(model.groups[model.jobs[job].group].name) != entry.order().group) return false;
  // The queue determines the eligible victims, the limits and the home nodes of the job.
  const CommitOrder& order = *entry.orders[entry.placed_by];
  if (!order.queue.empty() && model.name(model.queues[model.jobs[job].queue].name) != order.queue)
    return false;
  std::uint32_t waiting = 0;
  for (const Place& place : entry.placement()) {
    const Model::FoundTask found = model.find_task(job, place.task);
    if (!found.row) return false;
    const TaskCore& task = model.tasks.core(found.row);
    const NameId required = model.tasks.extras(found.row).required_node;
    if (required != kNoName && model.name(required) != place.node) return false;
    if (task.node && model.name(model.nodes[task.node].name) != place.node) return false;
    // No resource is listed twice, so it is enough to find each one.
    const ResourceView asked = model.shape(task.resources);
    if (asked.size() != place.resources.size()) return false;
    for (const ResourceAmount& each : asked) {
      const auto is_it = [&](const auto& planned) {
        return planned.second == each.amount && planned.first == model.resource_name(each.resource);
      };
      if (std::none_of(place.resources.begin(), place.resources.end(), is_it)) return false;
    }
    if (!task.node) ++waiting;
  }
  if (waiting == 0) return true;  // it runs as planned, whatever the change says about it
  const std::uint32_t least = model.job_extras[job.value].min_tasks;
  return (order.requirement == 0 || order.requirement == requirement_checksum(model, job)) &&
         (!order.whole_gang || least > 0 || waiting == waiting_tasks(model, job)) &&
         (order.min_tasks == 0 || order.min_tasks == least);
}

}  // namespace

// Tells the ledger what a new model changes. If a requester no longer is what was planned for, its entry is
// no longer needed.
std::shared_ptr<const Book> Engine::tell_sequence(const Model& next, const RemovedNames& removed) {
  Sequence& sequence = sequence_;
  sequence.removed(removed);
  sequence.set_edit(next.edits);
  std::set<std::string> jobs;
  std::set<std::string> nodes;
  std::vector<EntryId> changed;
  for (const EntryId id : sequence.ledger().ids()) {
    const Entry& entry = *sequence.ledger().find(id);
    for (const Victim& victim : entry.victims) {
      const VictimOrder& order = entry.order_of(victim);
      if (victim.state.finished()) continue;
      if (!next.find_job(order.job)) jobs.insert(order.job);
      for (const Place& place : order.tasks) {
        if (!next.find_node(place.node)) nodes.insert(place.node);
      }
    }
    if (!is_live(entry.clock.state)) continue;
    for (const Place& place : entry.placement()) {
      if (!next.find_node(place.node)) nodes.insert(place.node);
    }
    if (entry.requester().kind != RequesterKind::job) continue;
    const JobId job = next.find_job(entry.requester().name);
    if (!job) {
      jobs.insert(entry.requester().name);
    } else if (!is_as_planned(next, job, entry)) {
      changed.push_back(id);
    }
  }
  const std::vector<std::string> gone_jobs(jobs.begin(), jobs.end());
  const std::vector<std::string> gone_nodes(nodes.begin(), nodes.end());
  sequence.jobs_gone(gone_jobs);
  sequence.nodes_gone(gone_nodes);
  sequence.requesters_changed(changed, moment(next.now));
  std::shared_ptr<const Book> book = tell_lost_space(next);
  if (sequence.known_jobs() > kManyJobs + 2 * next.jobs.live())
    sequence.forget_jobs([&](std::string_view job) { return !next.find_job(job); });
  if (sequence.node_commits().size() > kManyNodes + 2 * next.nodes.live())
    sequence.forget_nodes([&](std::string_view node) { return !next.find_node(node); });
  return book;
}

// Tells the ledger which holds lost space with the last change of the cluster and which regained it. The next
// step checks the limits.
std::shared_ptr<const Book> Engine::tell_lost_space(const Model& next) {
  if (sequence_.ledger().size() == 0) return nullptr;
  for (const EntryId id : sequence_.ledger().ids()) {
    std::vector<UnnamedRun> beside = sequence_.ledger().find(id)->beside;
    if (std::erase_if(beside, [&](const UnnamedRun& run) { return !find_run(next, run); }) > 0)
      sequence_.keep_beside(id, std::move(beside));
  }
  const std::shared_ptr<const Book> book(new Book(write_book(next, sequence_.ledger())));
  std::vector<EntryId> lost;
  std::vector<EntryId> regained;
  for (const BookEntry& entry : book->entries()) {
    if (!entry.has_hold) continue;
    const bool was_lost = sequence_.ledger().find(entry.id)->space_lost;
    if (entry.lost_space() && !was_lost) lost.push_back(entry.id);
    if (!entry.lost_space() && was_lost && !book->is_limited(entry)) regained.push_back(entry.id);
  }
  if (lost.empty() && regained.empty()) return book;
  sequence_.lose_space(lost, moment(next.now));
  sequence_.regain_space(regained);
  return nullptr;
}

// Tells the ledger which holds a limit no longer allows: the `max` of a queue, or the resources that the
// group counts. The projected cluster shows holds as running, so usage beyond a limit there was promised
// beyond the limit. `book` is that of this moment.
void Engine::tell_lost_limits(Look when, Time now, const Book& book) {
  std::vector<GroupId> groups;
  for (const BookEntry& entry : book.entries()) {
    if (entry.has_hold && book.is_limited(entry) &&
        std::find(groups.begin(), groups.end(), entry.group) == groups.end())
      groups.push_back(entry.group);
  }
  if (groups.empty() || !policies_) return;
  std::vector<EntryId> lost;
  std::vector<EntryId> regained;
  const std::shared_ptr<const ProjectedCluster> projected =
      when == Look::before_step
          ? projection()
          : std::make_shared<const ProjectedCluster>(project_cluster(model_, sequence_, policies_.get()));
  for (const GroupId group : groups) {
    const Policy* policy = policy_of(*projected->model, projected->model->groups[group], *policies_);
    if (!policy) continue;
    const std::shared_ptr<const GroupIndex> group_index =
        group_indexes_.of(projected->model, policies_, *policy, group, projected->in_flight, workers_.get());
    const EffectiveSettings effective(*projected->model, *policies_, *policy);
    const std::vector<std::uint64_t> over = book.over_limits(
        group,
        [&](QueueId queue, std::uint32_t resource) { return group_index->usage().used(queue, resource); },
        [&](QueueId queue) {
          return policy->profile == Profile::quota && !effective.flag(Setting::check_parent_quota, queue);
        });
    for (const BookEntry& entry : book.entries()) {
      if (!entry.has_hold || entry.group != group || !book.is_limited(entry)) continue;
      const bool is_over = std::find(over.begin(), over.end(), entry.id) != over.end();
      const bool was_lost = sequence_.ledger().find(entry.id)->space_lost;
      if (is_over && !was_lost) lost.push_back(entry.id);
      if (!is_over && was_lost && !entry.lost_space()) regained.push_back(entry.id);
    }
  }
  sequence_.lose_space(lost, now);
  sequence_.regain_space(regained);
}

bool Engine::limits_allow_now(const Book& here, const BookEntry& entry,
                              const ProjectedCluster* before) const {
  const Policy* policy = policies_ ? policy_of(model_, model_.groups[entry.group], *policies_) : nullptr;
  if (!policy || !entry.queue) return true;
  const bool own_queue_only =
      policy->profile == Profile::quota &&
      !EffectiveSettings(model_, *policies_, *policy).flag(Setting::check_parent_quota, entry.queue);
  // In nearly all cases there is room even if everything promised and every leaving victim counts.
  if (before) {
    const InFlight& in_flight = before->in_flight;
    const std::shared_ptr<const GroupIndex> group_index =
        group_indexes_.of(before->model, policies_, *policy, entry.group, in_flight, workers_.get());
    QueueId root = entry.queue;
    while (model_.queues[root].parent) root = model_.queues[root].parent;
    const auto promised = [&](QueueId queue, std::uint32_t resource) {
      Total sum = group_index->usage().used(queue ? queue : root, resource);
      in_flight.each_surplus([&](const InFlight::QueueSurplus& each) {
        const bool counts = each.queue == queue && each.resource == resource && each.group == entry.group;
        if (counts && each.entry != entry.id) sum += each.amount;
      });
      in_flight.each_blocked([&](const InFlight::Blocked& each) {
        if (!queue && !each.node && each.group == entry.group && each.entry != entry.id)
          sum += amount_of(each.amounts, resource);
      });
      return sum;
    };
    if (here.is_within_limits(entry, promised, own_queue_only)) return true;
  }
  const Book book = write_book(model_, sequence_.ledger());
  const BookEntry& view = *book.find(entry.id);
  return book.is_within_limits(
      view, [&](QueueId queue, std::uint32_t resource) { return book.used_now(view, queue, resource); },
      own_queue_only);
}

}  // namespace cede
