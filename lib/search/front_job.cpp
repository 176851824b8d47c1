// SPDX-License-Identifier: MIT
#include "search/front_job.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "placement/placer.h"
#include "placement/usable_nodes.h"
#include "policy/queue_shortfall.h"

namespace cede {

namespace {

constexpr std::uint64_t kOtherJobsWork = 5'000'000;  // for jobs that are served first

// Requirement, queue, shape and number of tasks, class.
using RequestKey = std::tuple<std::uint32_t, std::uint32_t, ShapeId, std::size_t, std::uint32_t>;

// Requests with equal keys are all possible or all impossible. nullopt if more than the key decides.
std::optional<RequestKey> key_of(const EffectiveSettings& effective, const Request& request) {
  if (request.tasks.empty()) return std::nullopt;
  const Model& model = effective.model();
  const RequestTask& first = request.tasks.front();
  for (const RequestTask& task : request.tasks) {
    if (task.resources != first.resources || task.required_node != kNoName) return std::nullopt;
  }
  const JobCore& core = model.jobs[request.job];
  for (std::uint32_t k = 0; k < core.task_rows; ++k) {
    if (model.tasks.core(TaskId{core.first_task.value + k}).node) return std::nullopt;
  }
  const RequirementId require = model.job_extras[request.job.value].require;
  for (std::size_t i = 0; require && i < model.requirements[require.value]->network.size(); ++i) {
    if (model.requirements[require.value]->network[i].expires != kNoDuration) return std::nullopt;
  }
  return RequestKey{require ? require.value : RequirementId::kNoValue, request.queue.value, first.resources,
                    request.tasks.size(), effective.job_class(request.job)};
}

// Whether the request would fit its group with every node up and empty, and every `max` admits it.
bool is_possible(const RuleContext& other, const GroupIndex& group_index, Work& work) {
  if (other.request.tasks.empty()) return false;
  Space empty(other, group_index.nodes(), Space::Fill::empty, &work);
  mark_usable(empty, other, {}, Usable::ever);
  work.spend(50 + empty.size() / 2);
  if (!queue_shortfalls(other, empty.usage()).empty()) return false;
  // If the work ends before this is known, the job counts as possible.
  return work.ended() || Placer(other, empty.table(), work).fits(empty) != PlacementResult::no_room;
}

}  // namespace

JobId find_front_job(const RuleContext& rule_context, const GroupIndex& group_index, Work& work) {
  const WorkShare share(work, kOtherJobsWork);
  std::map<RequestKey, bool> known;
  for (const JobId id : group_index.waiting_before(rule_context.requester())) {
    if (rule_context.in_flight.has_entry(id) || !rule_context.effective.may_preempt(id)) continue;
    const Request request = make_request(rule_context.effective, id);
    const std::optional<RequestKey> key = key_of(rule_context.effective, request);
    const auto alike = key ? known.find(*key) : known.end();
    bool possible = false;
    if (alike != known.end()) {
      possible = alike->second;
    } else {
      const RuleContext other{rule_context.effective, request,
                              rule_context.now,       {},
                              rule_context.usage,     rule_context.in_flight,
                              rule_context.units,     rule_context.fair};
      possible = is_possible(other, group_index, work);
    }
    if (key) known[*key] = possible;
    if (possible) return id;
  }
  return {};
}

}  // namespace cede
