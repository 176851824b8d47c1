// SPDX-License-Identifier: MIT
#include "profile/profile_maker.h"

#include <algorithm>
#include <map>

namespace bench {

namespace {

// How many tasks an operation of fair-share has.
constexpr std::size_t kTasksOfOperation = 40;

std::string settings_for(const std::string& profile) {
  if (profile == "priority") return R"("front_only":false)";
  if (profile == "class-cost") return R"("max_victims":1000000)";
  return {};
}

}  // namespace

ProfileMaker::ProfileMaker(const char* shape, const std::string& profile, int size, std::uint64_t seed,
                           std::size_t teams)
    : make_(shape, size, seed), teams_(teams) {
  out().profile = profile;
  out().settings = settings_for(profile);
  out().resource = "gpu";
  out().queues.push_back({"own", 0, 0});
  for (std::size_t t = 0; t < teams; ++t) out().queues.push_back({numbered("team", t), 0, 0});
}

Description::Job& ProfileMaker::runs(std::size_t node, std::int64_t amount) {
  Description::Job& job = make_.runs(node, amount, static_cast<std::int32_t>(make_.below(5)));
  job.queue = 2 + make_.below(teams_);
  job.checkpoints = make_.below(2) == 0;
  return job;
}

void ProfileMaker::fill(int nodes) {
  for (std::size_t n = 0; n < static_cast<std::size_t>(nodes); ++n) {
    make_.node(8000);
    for (int j = 0; j < 8; ++j) runs(n, 1000);
  }
}

Description::Job& ProfileMaker::asks(std::int64_t amount, std::size_t tasks) {
  Description::Job& job = make_.asks(amount, tasks, kRequester);
  job.queue = 1;
  job.gang = tasks > 1;
  job.starving = fair_share();
  return job;
}

Description ProfileMaker::finish(double kept, std::int64_t own) {
  std::vector<std::int64_t> used(out().queues.size() + 1, 0);
  std::int64_t asked = own;
  for (const Description::Job& job : out().jobs) {
    std::int64_t sum = 0;
    for (const Description::Task& task : job.tasks) sum += task.amount;
    if (job.running) {
      used[job.queue] += sum;
    } else {
      asked = std::max(asked, sum);
    }
  }
  out().queues[0].guaranteed = asked;
  for (std::size_t q = 1; q < out().queues.size(); ++q)
    out().queues[q].guaranteed =
        static_cast<std::int64_t>(kept * static_cast<double>(used[q + 1])) / 1000 * 1000;
  if (fair_share()) {
    merge_into_operations();
    const std::int64_t backlog = capacity(out()) / 2;
    out().queues[0].guaranteed = std::max(asked, backlog);
    Description::Job& more = asks(1000, static_cast<std::size_t>(backlog / 1000));
    more.name = "backlog";
    more.gang = false;
    out().asked.pop_back();
  }
  return std::move(out());
}

void ProfileMaker::merge_into_operations() {
  std::vector<Description::Job> merged;
  std::map<std::size_t, std::size_t> open;  // by queue: the operation that still takes tasks
  for (Description::Job& job : out().jobs) {
    if (!job.running || job.priority == kUntouchable) {
      merged.push_back(std::move(job));
      continue;
    }
    for (Description::Task& task : job.tasks) task.since = job.since;
    const auto [place, added] = open.try_emplace(job.queue, merged.size());
    if (added) {
      merged.push_back(std::move(job));
      continue;
    }
    Description::Job& into = merged[place->second];
    into.since = std::min(into.since, job.since);
    into.tasks.insert(into.tasks.end(), job.tasks.begin(), job.tasks.end());
    if (into.tasks.size() >= kTasksOfOperation) open.erase(place);
  }
  for (Description::Job& job : merged) {
    if (job.running) job.gang = false;
  }
  out().jobs = std::move(merged);
}

std::int64_t capacity(const Description& description) {
  std::int64_t sum = 0;
  for (const Description::Node& node : description.nodes) sum += node.capacity;
  return sum;
}

}  // namespace bench
