// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>

#include "cli/json_tree.h"
#include "job_run.h"
#include "scenario.h"

namespace local {

// In which order waiting jobs are served, by the profile of their group: from the highest number of their
// request down (class-cost: class first), then by submission. The number of a request is the lowest priority
// of the tasks it would place, as the library counts it.
class WaitingOrder {
 public:
  using Key = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::string>;

  explicit WaitingOrder(const Scenario& scenario);

  // The job with the smallest key is served first.
  Key key(const JobRun& job) const;

 private:
  const cli::JsonNode* policy_of(const JobSpec& job) const;
  const QueueSpec* queue(const std::string& id) const;
  std::string setting(const JobSpec& job, const cli::JsonNode& policy, std::string_view name) const;
  std::int64_t offset(const JobSpec& job) const;
  bool is_gang(const JobSpec& job, std::string_view profile) const;
  std::int64_t request_priority(const JobRun& job, const cli::JsonNode& policy) const;

  const Scenario& scenario_;
  cli::JsonNode policies_;
  std::map<std::string, const QueueSpec*> queues_;
};

}  // namespace local
