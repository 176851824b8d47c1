// SPDX-License-Identifier: MIT
#include "engine/rebase.h"

#include <algorithm>
#include <type_traits>

#include "base/text.h"
#include "policy/request.h"

namespace cede {

namespace {

class Rebase {
 public:
  Rebase(const Plan& from, const std::shared_ptr<const ProjectedCluster>& projection)
      : from_(from), projection_(projection), to_(*projection->model), out_(from) {
    out_.snapshot = projection->model;
    out_.in_flight = std::shared_ptr<const InFlight>(projection, &projection->in_flight);
  }

  bool run() { return subject() && after() && terms() && victims() && placement(); }
  std::string why() { return std::move(why_); }
  Plan plan() { return std::move(out_); }

 private:
  bool fail(std::string why) {
    why_ = std::move(why);
    return false;
  }

  std::string node_name(NodeId id) const {
    return std::string(from_.model().name(from_.model().nodes[id].name));
  }

  bool find(JobId& job) {
    const std::string name(from_.model().job_name(job));
    job = to_.find_job(name);
    return job ? true : fail("job " + quote(name) + " is gone");
  }
  bool find(NodeId& node) {
    const std::string name = node_name(node);
    node = to_.find_node(name);
    return node ? true : fail("node " + quote(name) + " is gone");
  }
  bool find(QueueId& queue) {
    const std::string name(from_.model().name(from_.model().queues[queue].name));
    queue = to_.find_queue(name);
    return queue ? true : fail("queue " + quote(name) + " is gone");
  }

  bool subject() {
    Subject& subject = out_.subject;
    const std::string group(from_.model().name(from_.model().groups[subject.group].name));
    subject.group = to_.find_group(group);
    if (!subject.group) return fail("group " + quote(group) + " is gone");
    if (subject.job && !find(subject.job)) return false;
    if (subject.queue && !find(subject.queue)) return false;
    if (subject.purpose == Purpose::job && to_.jobs[subject.job].queue != subject.queue)
      return fail("job " + quote(to_.job_name(subject.job)) + " is in another queue");
    if (subject.node && !find(subject.node)) return false;
    return std::all_of(subject.claimed.begin(), subject.claimed.end(),
                       [&](NodeId& node) { return find(node); });
  }

  bool after() {
    return std::all_of(out_.after.begin(), out_.after.end(), [&](JobId& job) { return find(job); });
  }

  // Protected jobs and avoided nodes that are gone need no term. Of the `only` nodes, at least one must
  // remain, because an empty list would allow any node.
  bool terms() {
    const auto keep_known = [](auto& ids, const auto& find) {
      std::remove_reference_t<decltype(ids)> known;
      for (const auto id : ids) {
        if (const auto now = find(id)) known.push_back(now);
      }
      std::sort(known.begin(), known.end());
      ids = std::move(known);
    };
    const auto job = [&](JobId id) { return to_.find_job(from_.model().job_name(id)); };
    const auto node = [&](NodeId id) { return to_.find_node(node_name(id)); };
    const bool had_only = !out_.avoid.only.empty();
    keep_known(out_.protect, job);
    keep_known(out_.avoid.avoid, node);
    keep_known(out_.avoid.only, node);
    return !had_only || !out_.avoid.only.empty() ? true : fail("none of the only nodes to use is left");
  }

  bool victims() {
    for (PlannedVictim& victim : out_.victims) {
      const JobId before = victim.job;
      if (!find(victim.job)) return false;
      if (victim.hold != 0) {
        const InFlight::Hold* hold = projection_->in_flight.hold(victim.job);
        // The entries of a batch get their numbers only when its plans are committed.
        if (hold && from_.in_batch) victim.hold = hold->entry;
        if (!hold || hold->entry != victim.hold)
          return fail("entry " + std::to_string(victim.hold) + " holds nothing any more");
        victim.tasks = hold->tasks;
        continue;
      }
      for (TaskId& task : victim.tasks) {
        const std::string label = task_label(from_.model(), task, 0);
        const Model::FoundTask found = to_.find_task(victim.job, label);
        const std::string place = node_name(from_.model().tasks.core(task).node);
        const NodeId now_on = found.row ? to_.tasks.core(found.row).node : NodeId{};
        if (!now_on || to_.name(to_.nodes[now_on].name) != place) {
          return fail("task " + quote(label) + " of job " + quote(from_.model().job_name(before)) +
                      " does not run on node " + quote(place) + " any more");
        }
        task = found.row;
      }
      std::sort(victim.tasks.begin(), victim.tasks.end());
    }
    return true;
  }

  bool placement() {
    for (PlannedTask& task : out_.placement) {
      const std::string label = task_label(from_.model(), task.task, task.index);
      const Model::FoundTask found = to_.find_task(out_.subject.job, label);
      if (!found.row || to_.tasks.core(found.row).node)
        return fail("task " + quote(label) + " of the request does not wait any more");
      task.task = found.row;
      task.index = found.index;
      if (!find(task.node)) return false;
    }
    return true;
  }

  const Plan& from_;
  const std::shared_ptr<const ProjectedCluster> projection_;
  const Model& to_;
  Plan out_;
  std::string why_;
};

}  // namespace

std::optional<Plan> transfer(const Plan& plan, const std::shared_ptr<const ProjectedCluster>& projection,
                             std::string& why) {
  Rebase transfer(plan, projection);
  if (transfer.run()) return transfer.plan();
  why = transfer.why();
  return std::nullopt;
}

}  // namespace cede
