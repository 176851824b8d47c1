// SPDX-License-Identifier: MIT
// Many jobs are put by several threads, few by one. The result is the same: all counts, lists and owners,
// and the errors about wrong entries.
#include "engine/array_edit.h"

#include <cede/cede.h>
#include <gtest/gtest.h>
#include <oneapi/tbb/global_control.h>

#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "capi/handles.h"
#include "support/cluster_builder.h"

namespace cede {
namespace {

constexpr std::size_t kFedNodes = 3000;
constexpr std::size_t kUsers = 900;  // more than are remembered at a time

struct FedEngine {
  explicit FedEngine(int threads) {
    const std::string policy = policy_text("class-cost");
    const std::string option = "threads=" + std::to_string(threads);
    const char* options[] = {option.c_str()};
    EXPECT_EQ(cede_engine_create(policy.data(), policy.size(), options, 1, CEDE_VERSION, &handle, &error),
              CEDE_OK);
    ClusterBuilder cluster(2000000);
    cluster.group();
    cluster.queue("root");
    for (int q = 0; q < 70; ++q) cluster.queue("q" + std::to_string(q), "root");
    for (std::size_t n = 0; n < kFedNodes; ++n)
      cluster.node("n" + std::to_string(n), {{"cpu", 60 + n % 90}, {"gpu", 8}});
    cluster.job("ask", "q0").put_all(R"("class":9,"submitted":1000000,"tasks":[{"resources":{"gpu":4}}])");
    const std::string text = cluster.text();
    EXPECT_EQ(cede_engine_load(handle, text.data(), text.size(), &error), CEDE_OK) << error.text;
  }
  ~FedEngine() { cede_engine_destroy(handle); }
  FedEngine(const FedEngine&) = delete;
  FedEngine& operator=(const FedEngine&) = delete;

  std::uint32_t number(const std::string& name) {
    std::uint32_t out = 0;
    EXPECT_EQ(cede_engine_name(handle, name.data(), name.size(), &out, &error), CEDE_OK) << error.text;
    return out;
  }
  std::uint32_t resources(std::int64_t cpu, std::int64_t gpu) {
    const cede_amount amounts[] = {{cpu * 1000, number("cpu"), 0}, {gpu * 1000, number("gpu"), 0}};
    std::uint32_t out = 0;
    EXPECT_EQ(cede_engine_resources(handle, amounts, sizeof amounts[0], 2, &out, &error), CEDE_OK);
    return out;
  }
  std::string exported() const {
    cede_text* text = nullptr;
    EXPECT_EQ(cede_engine_export(handle, &text, nullptr), CEDE_OK);
    std::string out(cede_text_data(text), cede_text_size(text));
    cede_text_destroy(text);
    return out;
  }
  std::string plan() {
    cede_plan* plan = nullptr;
    EXPECT_GE(cede_plan_create(handle, "ask", CEDE_NOW_OF_CLUSTER, nullptr, 0, &plan, &error), 0)
        << error.text;
    cede_text* text = nullptr;
    EXPECT_EQ(cede_plan_json(plan, &text, nullptr), CEDE_OK);
    std::string out(cede_text_data(text), cede_text_size(text));
    cede_text_destroy(text);
    cede_plan_destroy(plan);
    return out;
  }

  cede_engine* handle = nullptr;
  cede_error error{};
};

// Everything that a model counts or links beside what is exported.
std::string books(const Model& model) {
  std::ostringstream out;
  model.queues.for_each(
      [&](QueueId, const QueueRow& row) { out << model.name(row.name) << ": " << row.jobs << " jobs\n"; });
  model.groups.for_each(
      [&](GroupId, const GroupRow& row) { out << model.name(row.name) << ": " << row.jobs << " jobs\n"; });
  model.nodes.for_each([&](NodeId id, const NodeRow& row) {
    out << model.name(row.name) << ": " << row.tasks << " tasks, required by " << row.required_by << ':';
    TaskId previous;
    for (TaskId task = row.first_task; task; task = model.tasks.core(task).next_on_node) {
      const TaskCore& core = model.tasks.core(task);
      EXPECT_TRUE(core.node == id && core.previous_on_node == previous);
      out << ' ' << model.job_name(core.job) << '.' << task.value - model.jobs[core.job].first_task.value;
      previous = task;
    }
    out << '\n';
  });
  model.jobs.for_each([&](JobId id, const JobCore& job) {
    EXPECT_EQ(model.jobs.find(job.name), id);
    for (std::uint32_t k = 0; k < job.task_rows; ++k)
      EXPECT_EQ(model.tasks.core(TaskId{job.first_task.value + k}).job, id);
  });
  const auto owners = [&](const char* what, const InternTable& table) {
    std::map<std::string, std::uint32_t> all;
    for (InternTable::Id id = 1; id < table.id_bound(); ++id) {
      if (!table.view(id).empty()) all[std::string(table.view(id))] = table.owners(id);
    }
    for (const auto& [text, count] : all) out << what << ' ' << text << ": " << count << '\n';
  };
  owners("name", model.names);
  owners("job name", model.job_names);
  owners("shape", model.shapes);
  owners("blob", model.blobs);
  out << model.jobs.live() << " jobs, " << model.tasks.live() << " tasks\n";
  return out.str();
}

// One call's arrays, made alike for any engine.
class Entries {
 public:
  // `odd`: one job in so many gives rare fields; 0: none does.
  Entries(FedEngine& engine, std::uint64_t seed, std::size_t count, std::size_t first, std::uint64_t odd)
      : engine_(engine), random_(seed) {
    for (std::int64_t cpu = 1; cpu <= 40; ++cpu) {
      shapes_[0].push_back(engine.resources(cpu, 0));
      shapes_[1].push_back(engine.resources(cpu, 1));
    }
    for (std::size_t i = 0; i < count; ++i) add(first + i, odd > 0 && random_() % odd == 0);
  }
  std::int32_t put() {
    return cede_engine_put_jobs(engine_.handle, jobs.data(), sizeof(cede_job), jobs.size(), tasks.data(),
                                sizeof(cede_task), tasks.size(), &engine_.error);
  }
  std::size_t first_task(std::size_t job) const {
    std::size_t first = 0;
    for (std::size_t i = 0; i < job; ++i) first += jobs[i].task_count;
    return first;
  }

  std::vector<cede_job> jobs;
  std::vector<cede_task> tasks;
  std::uint32_t huge = 0;  // resources that no node has

 private:
  void add(std::size_t number, bool odd) {
    cede_job job{};
    job.name = engine_.number("j" + std::to_string(number));
    job.queue = engine_.number("q" + std::to_string(random_() % 70));
    if (random_() % 2 == 0) job.user = engine_.number("u" + std::to_string(random_() % kUsers));
    if (random_() % 3 == 0) job.project = engine_.number("p" + std::to_string(random_() % 20));
    const bool waits = random_() % 8 == 0;
    job.state = waits ? CEDE_JOB_PENDING : CEDE_JOB_RUNNING;
    job.submitted = 1000000000 + static_cast<std::int64_t>(random_() % 1000);
    if (!waits) job.started = 1100000000;
    job.priority = static_cast<std::int32_t>(random_() % 5);
    job.job_class = static_cast<std::int32_t>(random_() % 5);
    if (random_() % 4 == 0) job.checkpoint_mode = CEDE_CHECKPOINT_AUTO;
    if (random_() % 9 == 0) job.waiting_since = 1050000000;
    job.task_count = random_() % 4 == 0 ? static_cast<std::uint32_t>(1 + random_() % 5) : 1;
    const std::uint64_t kind = random_() % 5;
    if (odd && kind == 0) job.preempted_count = 2;
    if (odd && kind == 1) job.state = CEDE_JOB_SUSPENDED;
    if (odd && kind == 2) job.value = 7;
    for (std::uint32_t k = 0; k < job.task_count; ++k) {
      cede_task task{};
      // Half of them name their device, each of which is named once.
      const bool named = !waits && next_device_ < kFedNodes * 8 && random_() % 2 == 0;
      task.resources = shapes_[named ? 1 : 0][random_() % 40];
      if (named) {
        task.node = engine_.number("n" + std::to_string(next_device_ / 8));
        task.gpus = std::uint64_t{1} << next_device_ % 8;
        ++next_device_;
      } else if (!waits) {
        task.node = engine_.number("n" + std::to_string(random_() % kFedNodes));
      }
      if (odd && kind == 3) task.name = engine_.number("own" + std::to_string(k));
      if (odd && kind == 4 && !waits) task.started = 1150000000;
      tasks.push_back(task);
    }
    jobs.push_back(job);
  }

  FedEngine& engine_;
  std::mt19937_64 random_;
  std::vector<std::uint32_t> shapes_[2];
  std::size_t next_device_ = 0;
};

class JobFeedTest : public ::testing::Test {
 protected:
  const tbb::global_control allow_{tbb::global_control::max_allowed_parallelism, 4};
  FedEngine alone_{1};
  FedEngine two_{2};
  FedEngine four_{4};

  // The same on all three; `act` says what came of it.
  template <class Act>
  void on_all(Act act) {
    const auto expected = act(alone_);
    for (FedEngine* engine : {&two_, &four_}) {
      EXPECT_EQ(act(*engine), expected);
      EXPECT_TRUE(engine->exported() == alone_.exported());
      EXPECT_TRUE(books(engine->handle->engine.model()) == books(alone_.handle->engine.model()));
    }
  }
};

TEST_F(JobFeedTest, LeavesTheSameBooksHoweverManyThreadsThereAre) {
  std::uint64_t seed = 1;
  std::size_t first = 0;
  for (const std::uint64_t odd : {0, 9000, 700, 40, 3}) {
    SCOPED_TRACE(odd);
    on_all([&](FedEngine& engine) {
      Entries entries(engine, seed, 9000, first, odd);
      // A copy shares every table, so that each is written to for the first time.
      cede_engine* copy = nullptr;
      EXPECT_EQ(cede_engine_clone(engine.handle, &copy, &engine.error), CEDE_OK);
      const std::string before = books(copy->engine.model());
      const std::int32_t put = entries.put();
      EXPECT_EQ(put, CEDE_OK) << engine.error.text;
      EXPECT_TRUE(books(copy->engine.model()) == before);
      cede_engine_destroy(copy);
      return put;
    });
    EXPECT_EQ(alone_.handle->engine.model().jobs.live(), 9001);
    EXPECT_EQ(two_.plan(), alone_.plan());
    EXPECT_EQ(four_.plan(), alone_.plan());
    // Their rows are free for those that come next.
    on_all([&](FedEngine& engine) {
      std::vector<std::uint32_t> names;
      for (std::size_t i = 0; i < 9000; ++i) names.push_back(engine.number("j" + std::to_string(first + i)));
      return cede_engine_remove_jobs(engine.handle, names.data(), names.size(), &engine.error);
    });
    EXPECT_EQ(alone_.handle->engine.model().jobs.live(), 1);
    ++seed;
    first += 4000;
  }
}

TEST_F(JobFeedTest, PutsThoseAgainThatAreThere) {
  for (const std::size_t first : {0, 4500, 8999, 100}) {
    SCOPED_TRACE(first);
    on_all([&](FedEngine& engine) {
      Entries entries(engine, 7, 9000, first, 2000);
      // Existing tasks keep their devices: no task names any.
      for (cede_task& task : entries.tasks) task.gpus = 0;
      const std::int32_t put = entries.put();
      EXPECT_EQ(put, CEDE_OK) << engine.error.text;
      return put;
    });
  }
}

TEST_F(JobFeedTest, ReportsTheSameForWrongEntriesAndChangesNothing) {
  using Spoil = void (*)(Entries&, std::size_t at);
  const std::pair<const char*, Spoil> wrong[] = {
      {"no name", [](Entries& all, std::size_t at) { all.jobs[at].name = 0; }},
      {"no queue", [](Entries& all, std::size_t at) { all.jobs[at].queue = 0; }},
      {"unknown user", [](Entries& all, std::size_t at) { all.jobs[at].user = 4000000; }},
      {"given twice",
       [](Entries& all, std::size_t at) { all.jobs[at].name = all.jobs[at > 0 ? at - 1 : 1].name; }},
      {"bad class", [](Entries& all, std::size_t at) { all.jobs[at].job_class = 12; }},
      {"many tasks", [](Entries& all, std::size_t at) { all.jobs[at].task_count = 100000; }},
      {"too large",
       [](Entries& all, std::size_t at) {
         all.jobs[at].state = CEDE_JOB_RUNNING;
         all.jobs[at].started = 1;
         cede_task& task = all.tasks[all.first_task(at)];
         task.node = all.tasks[0].node;
         task.resources = all.huge;
       }},
      {"devices twice",
       [](Entries& all, std::size_t at) {
         for (std::size_t i = 0, left = 2; i < all.tasks.size() && left > 0; ++i) {
           cede_task& task = all.tasks[(all.first_task(at) + i) % all.tasks.size()];
           if (task.gpus == 0) continue;
           task.gpus = 0xFF;
           --left;
         }
       }},
      // What is seen when entries are read, and what is when they are put.
      {"several",
       [](Entries& all, std::size_t at) {
         all.jobs[at].queue = all.jobs[0].name;
         all.jobs[(at + 10) % 9000].user = 4000000;
         all.jobs[(at + 300) % 9000].job_class = 12;
         all.jobs[(at + 1000) % 9000].queue = all.jobs[0].name;
       }},
      {"all",
       [](Entries& all, std::size_t at) {
         for (cede_job& job : all.jobs) job.queue = all.jobs[0].name;
         all.jobs[at].user = 4000000;
       }},
      {"too many",
       [](Entries& all, std::size_t at) {
         for (std::size_t i = 0; i < 60; ++i) all.jobs[(at + 7 * i) % 9000].user = 4000000;
         for (std::size_t i = 0; i < 60; ++i) all.jobs[(at + 5 * i + 1) % 9000].queue = all.jobs[0].name;
       }},
  };
  for (const auto& [what, spoil] : wrong) {
    for (const std::size_t at : {std::size_t{0}, std::size_t{255}, std::size_t{256}, std::size_t{8999}}) {
      SCOPED_TRACE(what + std::string(" at ") + std::to_string(at));
      on_all([&, spoil = spoil](FedEngine& engine) {
        Entries entries(engine, 3, 9000, 0, 4000);
        entries.huge = engine.resources(100000, 0);
        const std::string before = engine.exported();
        spoil(entries, at);
        const std::int32_t put = entries.put();
        EXPECT_LT(put, 0);
        EXPECT_TRUE(engine.exported() == before);
        return std::to_string(put) + ' ' + engine.error.text;
      });
    }
  }
}

TEST_F(JobFeedTest, ChangesNothingWhereReadingThrows) {
  for (FedEngine* each : {&alone_, &two_, &four_}) {
    cede::Engine& engine = each->handle->engine;
    std::vector<std::uint32_t> names;
    for (int i = 0; i < 9000; ++i) names.push_back(each->number("j" + std::to_string(i)));
    const NameId queue = engine.model().names.find("q0");
    const NameId node = engine.model().names.find("n7");
    const auto put = [&](std::size_t good) {
      Problems problems = engine.new_problems();
      ArrayEdit arrays = engine.edit_arrays(problems);
      std::size_t next = 0;
      JobPipeline(arrays, engine.workers()).run(names.size(), [&](JobDraft& draft) {
        if (next == names.size()) return false;
        if (next == good) throw std::bad_alloc();
        draft = {};
        draft.core.name = names[next++];
        draft.core.state = JobState::running;
        draft.times.started = 1000;
        draft.queue = queue;
        draft.tasks.emplace_back().node = node;
        draft.tasks.back().gpu = 0;
        return true;
      });
      return engine.take(arrays);
    };
    const std::string before = books(engine.model());
    for (const std::size_t good : {0, 100, 1024, 7000, 8999}) {
      EXPECT_THROW(put(good), std::bad_alloc);
      EXPECT_TRUE(books(engine.model()) == before) << good;
    }
    EXPECT_TRUE(put(names.size()));
    EXPECT_EQ(engine.model().jobs.live(), names.size() + 1);
  }
}

}  // namespace
}  // namespace cede
