// SPDX-License-Identifier: MIT
#include "waiting_order.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace local {

WaitingOrder::WaitingOrder(const Scenario& scenario) : scenario_(scenario) {
  if (const std::optional<cli::JsonNode> policy = cli::read_tree(scenario.policy)) {
    if (const cli::JsonNode* policies = policy->find("policies")) policies_ = *policies;
  }
  for (const QueueSpec& queue : scenario.queues) queues_.emplace(queue.id, &queue);
}

// As the library chooses it: the group's, else `default`, else the only one.
const cli::JsonNode* WaitingOrder::policy_of(const JobSpec& job) const {
  const auto group =
      std::find_if(scenario_.groups.begin(), scenario_.groups.end(),
                   [&job](const GroupSpec& each) { return job.group.empty() || each.id == job.group; });
  if (group != scenario_.groups.end() && !group->policy.empty()) return policies_.find(group->policy);
  if (const cli::JsonNode* usual = policies_.find("default")) return usual;
  return policies_.items.size() == 1 ? &policies_.items.front() : nullptr;
}

const QueueSpec* WaitingOrder::queue(const std::string& id) const {
  const auto found = queues_.find(id);
  return found == queues_.end() ? nullptr : found->second;
}

// The value of the job's queue, else of the nearest queue above it, else of the policy; empty if none says.
std::string WaitingOrder::setting(const JobSpec& job, const cli::JsonNode& policy,
                                  std::string_view name) const {
  for (const QueueSpec* at = queue(job.queue); at; at = queue(at->parent)) {
    if (const std::string_view own = at->settings.text_of(name); !own.empty()) return std::string(own);
  }
  const cli::JsonNode* settings = policy.find("settings");
  return std::string(settings ? settings->text_of(name) : "");
}

std::int64_t WaitingOrder::offset(const JobSpec& job) const {
  std::int64_t sum = 0;
  for (const QueueSpec* at = queue(job.queue); at; at = queue(at->parent)) sum += at->priority_offset;
  return sum;
}

bool WaitingOrder::is_gang(const JobSpec& job, std::string_view profile) const {
  if (job.gang) return *job.gang;
  std::string kind = job.kind;
  for (const QueueSpec* at = queue(job.queue); at && kind.empty(); at = queue(at->parent)) kind = at->kind;
  return profile != "fair-share" && profile != "guarantee" && kind != "service" && kind != "inference";
}

// A gang asks for all its waiting tasks, an elastic gang for those it lacks, any other job for the first that
// may preempt and those equal to it.
std::int64_t WaitingOrder::request_priority(const JobRun& job, const cli::JsonNode& policy) const {
  const JobSpec& spec = *job.spec;
  const std::string_view profile = policy.text_of("profile");
  const bool usually =
      profile != "quota" || setting(spec, policy, "disable_default_trigger_preemption") != "true";
  std::vector<const TaskSpec*> waiting;
  std::uint32_t placed = 0;
  for (std::size_t i = 0; i < job.tasks.size(); ++i) {
    if (job.tasks[i].state == TaskState::waiting) waiting.push_back(&spec.tasks[i]);
    if (job.tasks[i].state == TaskState::running) ++placed;
  }
  const auto priority_of = [&job](const TaskSpec* task) {
    return static_cast<std::int64_t>(task->priority.value_or(job.priority));
  };
  if (waiting.empty()) return job.priority;
  if (!is_gang(spec, profile)) {
    const auto may = std::find_if(waiting.begin(), waiting.end(), [&](const TaskSpec* task) {
      return task->may_preempt.value_or(spec.may_preempt.value_or(usually));
    });
    return priority_of(may == waiting.end() ? waiting.front() : *may);
  }
  std::size_t asked = waiting.size();
  if (spec.min_tasks > 0)
    asked = std::min<std::size_t>(asked, spec.min_tasks > placed ? spec.min_tasks - placed : 0);
  std::int64_t least = asked == 0 ? job.priority : priority_of(waiting.front());
  for (std::size_t i = 0; i < asked; ++i) least = std::min(least, priority_of(waiting[i]));
  return least;
}

WaitingOrder::Key WaitingOrder::key(const JobRun& job) const {
  std::int64_t first = 0, second = 0;
  if (const cli::JsonNode* policy = policy_of(*job.spec)) {
    const std::string_view profile = policy->text_of("profile");
    const std::int64_t priority = request_priority(job, *policy);
    if (profile == "class-cost") {
      first = job.job_class;
      second = priority;
    } else if (profile != "fair-share") {
      first = priority + (profile == "guarantee" ? offset(*job.spec) : 0);
    }
  }
  return {-first, -second, job.submitted, job.spec->id};
}

}  // namespace local
