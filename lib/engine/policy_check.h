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

// What a cluster and a policy must agree on beyond what each says alone: every group's policy exists,
// priorities are legal under their group's profile, settings of queues and jobs belong to a profile in use,
// and none contradicts what it inherits.
class PolicyCheck {
 public:
  // Where to point for a job's member: the `index` of check_jobs() is handed back.
  using JobPath = std::function<Path(std::size_t index, std::string_view member)>;

  // Paths start with the prefix; groups and queues are named in them (`queues.root.settings`), not counted.
  PolicyCheck(const Model& model, const PolicySet& policies, Problems& problems, Path prefix = {})
      : model_(model), policies_(policies), problems_(problems), prefix_(std::move(prefix)) {}

  void check_groups();
  void check_queues();
  void check_jobs(const std::vector<ModelEdit::PutJob>& jobs, const JobPath& path);
  // Whether any policy takes jobs of all these priorities.
  bool allows(ModelEdit::Priorities priorities) const;
  // All of it, with jobs named too (`jobs.j1.priority`).
  void check_all();

 private:
  void check_job(JobId id, const JobCore& job, std::size_t index, const JobPath& path);
  void check_priority(const JobCore& job, PriorityRange range, std::size_t index, const JobPath& path);
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
  GroupId last_group_;  // jobs of one group mostly come one after the other
  const Policy* last_policy_ = nullptr;
};

}  // namespace cede
