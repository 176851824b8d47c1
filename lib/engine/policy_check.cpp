// SPDX-License-Identifier: MIT
#include "engine/policy_check.h"

#include <algorithm>

#include "base/text.h"
#include "policy/settings/setting_values.h"

namespace cede {

Path PolicyCheck::at(std::string_view list, std::string_view name, std::string_view member) const {
  Path path = prefix_;
  path.push_back(PathStep::member(list));
  path.push_back(PathStep::member(name));
  path.push_back(PathStep::member(member));
  return path;
}

void PolicyCheck::check_groups() {
  std::vector<std::string_view> known;
  for (const Policy& policy : policies_.policies) known.push_back(policy.name);
  model_.groups.for_each([&](GroupId, const GroupRow& row) {
    if (policy_of(model_, row, policies_)) return;
    Path path = at("groups", model_.name(row.name), "policy");
    if (row.policy == kNoName) {
      problems_.error(std::move(path),
                      "missing; " + one_of(known) + " is wanted, and none of them is called 'default'");
    } else {
      problems_.error(std::move(path), quote(model_.name(row.policy)) + " is not a policy; " +
                                           std::to_string(known.size()) +
                                           (known.size() == 1 ? " is" : " are") + " known" +
                                           did_you_mean(model_.name(row.policy), known));
    }
  });
}

SettingValues PolicyCheck::inherited_by(const QueueRow& row, const Policy& policy) const {
  std::vector<BlobId> above;
  for (QueueId queue = row.parent; queue; queue = model_.queues[queue].parent) {
    if (model_.queues[queue].settings != kNoBlob) above.push_back(model_.queues[queue].settings);
  }
  SettingValues values = policy.settings;
  for (auto blob = above.rbegin(); blob != above.rend(); ++blob) {
    values.override_by(decode_settings(model_.blobs.view(*blob)));
  }
  return values;
}

void PolicyCheck::check_queue_settings(const QueueRow& row) {
  const SettingValues own = decode_settings(model_.blobs.view(row.settings));
  const auto path = [&](std::string_view setting) {
    Path path = at("queues", model_.name(row.name), "settings");
    path.push_back(PathStep::member(setting));
    return path;
  };
  for (const SettingValues::Entry& entry : own.entries()) {
    const std::string_view name = setting_anywhere(entry.id).name;
    const auto has = [&](const Policy& policy) { return find_setting(policy.profile, name) != nullptr; };
    if (std::any_of(policies_.policies.begin(), policies_.policies.end(), has)) continue;
    std::string why;
    accept_setting(policies_.policies.front().profile, SettingHolder::queue, name, why);
    problems_.error(path(name), std::move(why));
  }
  for (const Policy& policy : policies_.policies) {
    const std::vector<SettingFault> faults = check_settings(policy.profile, inherited_by(row, policy), own);
    for (const SettingFault& fault : faults) {
      std::string message = fault.message + " (under policy " + quote(policy.name) + ')';
      if (fault.severity == Severity::warning) {
        problems_.warning(path(fault.setting), std::move(message));
      } else {
        problems_.error(path(fault.setting), std::move(message));
      }
    }
    if (!faults.empty()) break;
  }
}

void PolicyCheck::check_queues() {
  model_.queues.for_each([&](QueueId, const QueueRow& row) {
    if (row.settings != kNoBlob && !problems_.full()) check_queue_settings(row);
  });
}

void PolicyCheck::check_jobs(const std::vector<ModelEdit::PutJob>& jobs, const JobPath& path) {
  NamedTable<JobId, JobCore>::Reader rows(model_.jobs);
  for (const ModelEdit::PutJob& put : jobs) {
    if (problems_.full()) return;
    const JobCore& job = rows[put.id];
    if (job.name != kNoName) check_job(put.id, job, put.index, path);
  }
}

const Policy* PolicyCheck::policy_for(GroupId group) {
  if (group != last_group_ || !last_policy_) {
    last_group_ = group;
    last_policy_ = policy_of(model_, model_.groups[group], policies_);
    if (last_policy_) last_range_ = facts(last_policy_->profile).priorities;
  }
  return last_policy_;
}

namespace {

Path at_task(Path at, std::uint32_t position, std::string_view member) {
  at.push_back(PathStep::element(position));
  at.push_back(PathStep::member(member));
  return at;
}

}  // namespace

// Under `quota`, the tasks of a gang are either all preemptible or all not.
void PolicyCheck::check_gang(JobId id, const Policy& policy, std::size_t index, const JobPath& path) {
  const JobCore& job = model_.jobs[id];
  const EffectiveSettings effective(model_, policies_, policy);
  if (!effective.is_gang(id)) return;
  const Preemptible first = effective.preemptible(job.first_task);
  for (std::uint32_t k = 1; k < job.task_rows; ++k) {
    if (effective.preemptible(TaskId{job.first_task.value + k}) == first) continue;
    return problems_.error(at_task(path(index, "tasks"), k, "preemptible"),
                           "differs from the job's other tasks; in a gang all are alike");
  }
}

void PolicyCheck::check_priority(const JobCore& job, std::size_t index, const JobPath& path) {
  const PriorityRange range = last_range_;
  const auto outside = [&](std::int32_t priority) {
    return std::to_string(priority) + " is outside " + std::to_string(range.min) + ".." +
           std::to_string(range.max);
  };
  if (job.has_priority && !range.contains(job.priority))
    problems_.error(path(index, "priority"), outside(job.priority));
  for (std::uint32_t k = 0; k < job.task_rows && model_.tasks.has_extras(); ++k) {
    const TaskExtras& task = model_.tasks.extras(TaskId{job.first_task.value + k});
    if (task.has_priority && !range.contains(task.priority))
      problems_.error(at_task(path(index, "tasks"), k, "priority"), outside(task.priority));
  }
}

void PolicyCheck::check_settings_of(const JobCore& job, BlobId settings, std::size_t index,
                                    const JobPath& path) {
  const SettingValues values = decode_settings(model_.blobs.view(settings));
  for (const SettingValues::Entry& entry : values.entries()) {
    const std::string_view name = setting_anywhere(entry.id).name;
    std::string why;
    if (accept_setting(policy_for(job.group)->profile, SettingHolder::job, name, why)) continue;
    Path at = path(index, "settings");
    at.push_back(PathStep::member(name));
    problems_.error(std::move(at), std::move(why));
  }
}

void PolicyCheck::check_job(JobId id, const JobCore& job, std::size_t index, const JobPath& path) {
  const Policy* policy = policy_for(job.group);
  if (!policy) return;  // check_groups() reports this
  check_priority(job, index, path);
  if (policy->profile == Profile::quota && job.task_rows > 1) check_gang(id, *policy, index, path);
  const BlobId settings = model_.job_extras[id.value].settings;
  if (settings != kNoBlob) check_settings_of(job, settings, index, path);
}

void PolicyCheck::check_all() {
  check_groups();
  check_queues();
  std::vector<ModelEdit::PutJob> jobs;
  jobs.reserve(model_.jobs.live());
  model_.jobs.for_each([&](JobId id, const JobCore&) { jobs.push_back({id, jobs.size()}); });
  check_jobs(jobs, [&](std::size_t index, std::string_view member) {
    return at("jobs", model_.job_name(jobs[index].id), member);
  });
}

}  // namespace cede
