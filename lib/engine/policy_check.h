// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <vector>

#include "base/problem.h"
#include "model/edit.h"
#include "model/model.h"
#include "policy/settings/effective_settings.h"
#include "policy/settings/policy.h"

namespace cede {

// Checks whether a cluster and a policy agree: every group's policy exists, priorities are legal under the
// group's profile, settings of queues and jobs belong to a profile in use, and no setting contradicts what it
// inherits.
class PolicyCheck {
 public:
  // The path of a job's member. `index` is the one given to check_jobs().
  using JobPath = std::function<Path(std::size_t index, std::string_view member)>;

  // Paths start with the prefix. They name groups and queues (`queues.root.settings`) instead of counting
  // them.
  PolicyCheck(const Model& model, const PolicySet& policies, Problems& problems, Path prefix = {})
      : model_(model), policies_(policies), problems_(problems), prefix_(std::move(prefix)) {}

  void check_groups();
  void check_queues();
  void check_jobs(const std::vector<ModelEdit::PutJob>& jobs, const JobPath& path);
  // Runs all checks; paths name jobs too (`jobs.j1.priority`).
  void check_all();

 private:
  void check_job(JobId id, const JobCore& job, std::size_t index, const JobPath& path);
  void check_priority(const JobCore& job, std::size_t index, const JobPath& path);
  void check_settings_of(const JobCore& job, BlobId settings, std::size_t index, const JobPath& path);
  void check_gang(JobId id, const Policy& policy, std::size_t index, const JobPath& path);
  const Policy* policy_for(GroupId group);
  void check_queue_settings(const QueueRow& row);
  Path at(std::string_view list, std::string_view name, std::string_view member) const;
  SettingValues inherited_by(const QueueRow& row, const Policy& policy) const;

  const Model& model_;
  const PolicySet& policies_;
  Problems& problems_;
  const Path prefix_;
  GroupId last_group_;  // consecutive jobs are mostly of one group
  const Policy* last_policy_ = nullptr;
  PriorityRange last_range_;
};

}  // namespace cede
