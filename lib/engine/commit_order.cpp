// SPDX-License-Identifier: MIT
#include "engine/commit_order.h"

#include <algorithm>
#include <map>
#include <set>

#include "engine/book_writer.h"
#include "policy/composition.h"

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

std::optional<Plan> rebase(const Plan& plan, const std::shared_ptr<const ProjectedCluster>& projection,
                           std::string& why) {
  Rebase rebased(plan, projection);
  if (rebased.run()) return rebased.plan();
  why = rebased.why();
  return std::nullopt;
}

namespace {

class OrderWriter {
 public:
  OrderWriter(const Plan& plan, const PolicySet& policies, Time now)
      : plan_(plan),
        model_(plan.model()),
        now_(now),
        effective_(plan.model(), policies, *policies.find(plan.policy)),
        signatures_(plan.model()) {}

  CommitOrder write() const {
    CommitOrder order;
    order.requester = requester();
    order.group = model_.name(model_.groups[plan_.subject.group].name);
    if (plan_.subject.purpose == Purpose::job) {
      const JobId job = plan_.subject.job;
      order.queue = model_.name(model_.queues[plan_.subject.queue].name);
      order.requirement = requirement_checksum(model_, job);
      if (effective_.is_gang(job)) {
        order.min_tasks = model_.job_extras[job.value].min_tasks;
        order.whole_gang = order.min_tasks == 0;
      }
    }
    order.profile = plan_.profile;
    order.cause = plan_.cause;
    order.outcome = plan_.outcome;
    order.plan = order.revision = plan_.revision;
    const QueueId queue = plan_.subject.queue;
    order.hold_timeout = effective_.setting(Setting::hold_timeout, queue);
    order.entry_timeout = effective_.setting(Setting::entry_timeout, queue);
    order.action_timeout = effective_.setting(Setting::action_timeout, queue);
    order.max_action_retries =
        static_cast<std::uint32_t>(effective_.setting(Setting::max_action_retries, queue));
    order.latest_start = plan_.latest_start;
    for (const PlannedTask& task : plan_.placement) order.placement.push_back(place_of(task));
    order.beside = runs_beside();
    for (const NodeId node : plan_.subject.claimed) {
      Place& place = order.placement.emplace_back();
      place.task = place.node = model_.name(model_.nodes[node].name);
      place.whole_node = true;
    }
    for (const PlannedVictim& victim : plan_.victims) add_victims_of(victim, order.victims);
    return order;
  }

 private:
  Requester requester() const {
    const Subject& subject = plan_.subject;
    const auto queue = [&] { return std::string(model_.name(model_.queues[subject.queue].name)); };
    switch (subject.purpose) {
      case Purpose::job: return {RequesterKind::job, std::string(model_.job_name(subject.job))};
      case Purpose::relief_node:
        return {RequesterKind::relief, "node:" + std::string(model_.name(model_.nodes[subject.node].name))};
      case Purpose::relief_queue: return {RequesterKind::relief, "queue:" + queue()};
      case Purpose::relief_job:
        return {RequesterKind::relief, "job:" + std::string(model_.job_name(subject.job))};
      case Purpose::reclaim:
      case Purpose::sensitive_claim: break;
    }
    return {RequesterKind::claim, queue()};
  }

  void resources_of(TaskId task, Place& place) const {
    for (const ResourceAmount& entry : model_.shape(model_.tasks.core(task).resources))
      place.resources.emplace_back(model_.resource_name(entry.resource), entry.amount);
  }

  Place place_of(const PlannedTask& task) const {
    Place place;
    place.task = task_label(model_, task.task, task.index);
    place.node = model_.name(model_.nodes[task.node].name);
    place.gpus = task.gpus;
    place.share_device = task.share_device;
    place.share = task.share;
    place.devices_known = task.devices_known;
    // If the request is bound to its nodes, the hold keeps them as a whole until the tasks start.
    place.whole_node = plan_.cause == "required-node";
    resources_of(task.task, place);
    const bool devices = task.gpus != 0 || task.share > 0 || !task.devices_known;
    const RequirementId require = model_.job_extras[plan_.subject.job.value].require;
    place.node_signature = signatures_.of(task.node, devices, static_cast<bool>(require));
    return place;
  }

  // The runs that stay on nodes where the plan names devices, and do not name theirs.
  std::vector<UnnamedRun> runs_beside() const {
    std::set<NodeId> nodes;
    for (const PlannedTask& task : plan_.placement) {
      if (task.gpus != 0 || task.share > 0) nodes.insert(task.node);
    }
    std::vector<TaskId> leaving;
    for (const PlannedVictim& victim : plan_.victims)
      leaving.insert(leaving.end(), victim.tasks.begin(), victim.tasks.end());
    std::sort(leaving.begin(), leaving.end());
    std::vector<UnnamedRun> runs;
    for (const NodeId node : nodes) {
      for (TaskId t = model_.nodes[node].first_task; t; t = model_.tasks.core(t).next_on_node) {
        if (std::binary_search(leaving.begin(), leaving.end(), t)) continue;
        if (std::optional<UnnamedRun> run = unnamed_run(model_, t)) runs.push_back(std::move(*run));
      }
    }
    return runs;
  }

  // A plan lists all chosen tasks of a job together. Each unit leaves on its own: one task of a job that is
  // not a gang saves, or fails to save, whatever the others do.
  void add_victims_of(const PlannedVictim& planned, std::vector<VictimOrder>& out) const {
    if (planned.hold != 0) {
      out.emplace_back().hold = planned.hold;
      return;
    }
    for (const Unit& unit : units_of(effective_, planned)) out.push_back(victim_of(planned, unit));
  }

  VictimOrder victim_of(const PlannedVictim& planned, const Unit& unit) const {
    VictimOrder out;
    const JobCore& job = model_.jobs[planned.job];
    const QueueSettings& settings = settings_of(job.queue);
    const JobOwners& owners = model_.job_owners[planned.job.value];
    out.job = model_.job_name(planned.job);
    out.queue = model_.name(model_.queues[job.queue].name);
    if (owners.user != kNoName) out.user = model_.name(owners.user);
    out.started_by = now_;
    for (const TaskId task : unit.tasks) {
      out.tasks.push_back(held_by(model_, task));
      out.started_by = std::max(out.started_by, start_of(model_, task));
    }
    out.terms = terms_of(planned, settings);
    out.submitted = effective_.submitted(planned.job);
    out.preempted_count = model_.job_extras[planned.job.value].preempted_count;
    out.waits_for_owner = waits_for_owner(planned);
    out.via = model_.job_checkpoints[planned.job.value].via;
    out.lost_work = lost_work(effective_, plan_.now, unit);
    return out;
  }

  bool waits_for_owner(const PlannedVictim& planned) const {
    return effective_.profile() == Profile::priority && planned.then == VictimAction::suspend &&
           effective_.kind(planned.job) == JobKind::interactive;
  }

  // The settings for victims of one queue, looked up once per queue because most victims share a queue.
  struct QueueSettings {
    VictimTerms terms;
    Requeue requeue = Requeue::never;
  };

  const QueueSettings& settings_of(QueueId queue) const {
    const auto [known, added] = by_queue_.try_emplace(queue);
    QueueSettings& out = known->second;
    if (!added) return out;
    out.requeue = static_cast<Requeue>(effective_.setting(Setting::requeue, queue));
    VictimTerms& terms = out.terms;
    const Purpose purpose = plan_.subject.purpose;
    terms.timeout_extension =
        may_extend(purpose) ? effective_.setting(Setting::timeout_extension, queue) / (kWhole / 1000) : 0;
    terms.max_deferral = may_defer(purpose) ? effective_.setting(Setting::max_deferral, queue) : 0;
    terms.grace = effective_.setting(Setting::grace, queue);
    const std::int64_t soft = effective_.setting(Setting::soft_evict_timeout, queue);
    terms.soft_evict_timeout = soft == kNoSetting ? kNoDuration : soft;
    if (effective_.profile() == Profile::fair_share)
      terms.signal_timeout = effective_.setting(Setting::allocation_preemption_timeout, queue);
    return out;
  }

  VictimTerms terms_of(const PlannedVictim& planned, const QueueSettings& settings) const {
    VictimTerms terms = settings.terms;
    terms.action = planned.action;
    terms.then = planned.then;
    terms.unsaved = planned.unsaved;
    terms.keep_local = keeps_local(effective_, planned.job);
    // A session that waits for its owner is also handed back, but not to the queue.
    if (planned.requeue || waits_for_owner(planned)) terms.requeue = settings.requeue;
    terms.has_checkpoint = model_.job_checkpoints[planned.job.value].last != kNoTime;
    terms.checkpoint_timeout = effective_.checkpoint_timeout(planned.job);
    return terms;
  }

  const Plan& plan_;
  const Model& model_;
  const Time now_;
  const EffectiveSettings effective_;
  mutable NodeSignatures signatures_;
  mutable std::map<QueueId, QueueSettings> by_queue_;
};

}  // namespace

CommitOrder commit_order(const Plan& plan, const PolicySet& policies, Time now) {
  return OrderWriter(plan, policies, now).write();
}

}  // namespace cede
