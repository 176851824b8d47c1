// SPDX-License-Identifier: MIT
#include "search/front_job.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "policy/queue_room.h"
#include "search/nodes.h"
#include "search/placement.h"

namespace cede {

namespace {

constexpr std::uint64_t kOtherJobsWork = 5'000'000;  // of a question's, to look at jobs that are served first

// Requirement, queue, shape and number of tasks, class.
using RequestKey = std::tuple<std::uint32_t, std::uint32_t, ShapeId, std::size_t, std::uint32_t>;

// Requests with equal keys are possible or not together. Nothing where more than the key decides.
std::optional<RequestKey> key_of(const Effective& effective, const Request& request) {
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

// Whether the request would fit its group with every node up and empty, and every `max` takes it.
bool is_possible(const Asking& other, const Ground& ground, Work& work) {
  if (other.request.tasks.empty()) return false;
  Space empty(other, ground.nodes(), Space::Fill::empty, &work);
  mark_usable(empty, other, {}, Usable::ever);
  work.spend(50 + empty.size() / 2);
  if (!lacking_room(other, empty.usage()).empty()) return false;
  // A job counts as possible where the work ends before it is known.
  return work.ended() || Placer(other, empty.table(), work).fits(empty) != PlaceAnswer::no_room;
}

}  // namespace

JobId find_front_job(const Asking& asking, const Ground& ground, Work& work) {
  const WorkShare share(work, kOtherJobsWork);
  std::map<RequestKey, bool> known;
  for (const JobId id : ground.waiting_before(asking.requester())) {
    if (asking.in_flight.has_entry(id) || !asking.effective.may_preempt(id)) continue;
    const Request request = make_request(asking.effective, id);
    const std::optional<RequestKey> key = key_of(asking.effective, request);
    const auto alike = key ? known.find(*key) : known.end();
    bool possible = false;
    if (alike != known.end()) {
      possible = alike->second;
    } else {
      const Asking other{asking.effective, request,         asking.now,   {},
                         asking.usage,     asking.in_flight, asking.units, asking.fair};
      possible = is_possible(other, ground, work);
    }
    if (key) known[*key] = possible;
    if (possible) return id;
  }
  return {};
}

}  // namespace cede
