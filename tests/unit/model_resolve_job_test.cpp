// SPDX-License-Identifier: MIT
#include "model/resolve_job.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "document/document.h"
#include "model/edit.h"

namespace cede {
namespace {

Model small_model() {
  Problems problems;
  ModelEdit edit(Model{}, Limits{}, problems, true);
  EXPECT_TRUE(read_cluster(R"({"format":"cede-cluster/1","now":2000000,
    "network":{"levels":["leaf"],"domains":[{"id":"l0","level":"leaf"}]},
    "groups":[{"id":"g"},{"id":"h"}],"queues":[{"id":"root"},{"id":"q","parent":"root"}],
    "nodes":[{"id":"n0","group":"g","resources":{"cpu":8,"gpu":4}},
             {"id":"n1","group":"h","resources":{"cpu":8,"gpu":4}}]})",
                           edit));
  Model model = edit.finish();
  EXPECT_FALSE(problems.failed());
  return model;
}

JobDraft running_on(Model& model, const std::string& node) {
  JobDraft draft;
  draft.core.name = model.job_names.intern("j");
  draft.core.state = JobState::running;
  draft.times.started = 1000;
  draft.queue = model.names.intern("q");
  draft.group = model.names.intern("g");
  draft.tasks.emplace_back().node = model.names.intern(node);
  draft.tasks.back().gpu = 0;
  return draft;
}

std::vector<std::string> faults_of(const ResolvedJob& job) {
  std::vector<std::string> out;
  for (const JobFault& fault : job.faults) out.push_back(to_string(fault.path) + ": " + fault.text);
  return out;
}

// Drafts that break many rules, and one that breaks none.
std::vector<JobDraft> sorts_of_jobs(Model& model) {
  std::vector<JobDraft> all(6, running_on(model, "n0"));
  all[1].queue = model.names.intern("nobody");
  all[1].times.started = kNoTime;
  all[2] = running_on(model, "n1");
  all[3].core.state = JobState::pending;
  all[3].extras.min_tasks = 5;
  all[4].tasks.front().core.gpus = 3;
  all[4].tasks.front().core.gpus_given = true;
  all[4].tasks.front().gpu = kOne;
  all[5].tasks.clear();
  return all;
}

TEST(JobResolver, TurnsNamesIntoIds) {
  Model model = small_model();
  const JobDraft draft = running_on(model, "n0");
  ResolvedJob out;
  JobResolver(model, model, Limits{}).resolve(draft, draft.tasks, out);
  EXPECT_EQ(faults_of(out), std::vector<std::string>{});
  EXPECT_EQ(out.queue, model.find_queue("q"));
  EXPECT_EQ(out.group, model.find_group("g"));
  EXPECT_EQ(out.submitted, 1000);
  ASSERT_EQ(out.tasks.size(), 1u);
  EXPECT_EQ(out.tasks[0].node, model.find_node("n0"));
  EXPECT_FALSE(out.tasks[0].required);
}

TEST(JobResolver, FindsEveryFaultOfAJob) {
  Model model = small_model();
  const std::vector<JobDraft> jobs = sorts_of_jobs(model);
  const Limits limits;
  const JobResolver resolver(model, model, limits);
  std::vector<std::vector<std::string>> found;
  for (const JobDraft& job : jobs) {
    ResolvedJob out;
    resolver.resolve(job, job.tasks, out);
    found.push_back(faults_of(out));
  }
  const std::vector<std::vector<std::string>> expected = {
      {},
      {"queue: 'nobody' is not a queue; 2 queues are known",
       "tasks[0].started: missing, and the running job has none either"},
      {"tasks[0].node: 'n1' is in group 'h', the job is in 'g'"},
      {"state: a pending job has a task that waits; each of this one's has a node",
       "min_tasks: 5 is more than the job's 1 tasks"},
      {"tasks[0].gpus: names 2 devices, but 'resources' gives 1 gpu"},
      {"tasks: a job has at least one task"},
  };
  EXPECT_EQ(found, expected);
}

// The thread sanitizer sees here whether resolving writes anything.
TEST(JobResolver, SeveralThreadsResolveWhileAnotherWritesJobs) {
  Model model = small_model();
  const std::vector<JobDraft> jobs = sorts_of_jobs(model);
  const Limits limits;
  const Model before = model;
  const JobResolver resolver(before, before, limits);
  const auto resolve_all = [&] {
    std::vector<std::string> found;
    for (int turn = 0; turn < 50; ++turn) {
      for (const JobDraft& job : jobs) {
        ResolvedJob out;
        resolver.resolve(job, job.tasks, out);
        for (std::string& fault : faults_of(out)) found.push_back(std::move(fault));
      }
    }
    return found;
  };
  const std::vector<std::string> expected = resolve_all();
  std::vector<std::vector<std::string>> found(3);
  std::vector<std::thread> threads;
  for (auto& each : found) threads.emplace_back([&] { each = resolve_all(); });
  Problems problems;
  ModelEdit edit(model, limits, problems);
  edit.take_one_list();
  for (int i = 0; i < 200; ++i) {
    JobDraft draft = jobs.front();
    draft.core.name = model.job_names.intern("j" + std::to_string(i));
    edit.put(draft);
  }
  edit.settle();
  for (std::thread& thread : threads) thread.join();
  EXPECT_FALSE(problems.failed());
  EXPECT_EQ(model.jobs.live(), 200u);
  for (const auto& each : found) EXPECT_EQ(each, expected);
}

}  // namespace
}  // namespace cede
