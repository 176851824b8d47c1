// SPDX-License-Identifier: MIT
// Jobs from an array and jobs from a document: both make the same cluster, and a wrong entry among many is
// reported as it is reported alone.
#include <cede/cede.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "array_feed.h"
#include "capi/handles.h"
#include "support/cluster_builder.h"

namespace cede {
namespace {

constexpr int kNodes = 600;

ClusterBuilder empty_cluster() {
  ClusterBuilder cluster(2000000);
  cluster.levels = {"leaf"};
  cluster.domain("l0", "leaf");
  for (const char* group : {"g", "h"}) cluster.group(group);
  cluster.queue("root");
  for (const char* queue : {"a", "b"}) cluster.queue(queue, "root");
  for (int n = 0; n < kNodes; ++n) {
    cluster.node("n" + std::to_string(n), {{"cpu", 640}, {"gpu", 8}}).put("group", n % 50 == 49 ? "h" : "g");
  }
  return cluster;
}

// Mostly jobs that give few fields, and of every other sort some.
void add_job(ClusterBuilder& cluster, std::mt19937_64& random, int number) {
  const auto one_in = [&](unsigned n) { return random() % n == 0; };
  const auto numbered = [](const char* head, auto value) { return head + std::to_string(value); };
  const bool waits = one_in(6);
  const bool suspended = !waits && one_in(20);
  const bool of_h = one_in(30);
  JsonObject& job = cluster.job(numbered("j", number), one_in(2) ? "a" : "b").put("group", of_h ? "h" : "g");
  job.put("state", waits ? "pending" : suspended ? "suspended" : "running");
  job.put("submitted", 1000000 + random() % 1000);
  if (!waits) job.put("started", 1500000 + random() % 1000);
  if (one_in(2)) job.put("user", numbered("u", random() % 40));
  if (one_in(3)) job.put("project", numbered("p", random() % 9));
  if (one_in(3)) job.put("checkpoint", JsonObject{{"mode", "auto"}, {"last", 1600000}});
  if (one_in(9)) job.put("walltime", "3h").put("priority", random() % 5);
  if (one_in(25)) job.put("waiting_since", 1400000);
  if (one_in(25)) job.put("require", JsonObject(R"("network":[{"level":"leaf"}])"));
  if (one_in(25)) job.put("preempted_count", 3);
  JsonList tasks;
  const std::uint64_t count = one_in(3) ? 1 + random() % 5 : 1;
  for (std::uint64_t k = 0; k < count; ++k) {
    JsonObject task{{"resources", JsonObject{{"cpu", 1 + random() % 3}}}};
    if (one_in(30)) task.put("id", numbered("own", k));
    if (waits && one_in(3)) task.put("count", 1 + random() % 4);
    if (!waits) {
      const std::uint64_t block = of_h ? random() % 12 : random() % kNodes / 50;
      task.put("node", numbered("n", 50 * block + (of_h ? 49 : random() % 49)));
    }
    tasks.add(task);
  }
  job.put("tasks", tasks);
}

struct Engine {
  Engine() {
    const std::string policy = policy_text("class-cost");
    const std::int32_t made =
        cede_engine_create(policy.data(), policy.size(), nullptr, 0, CEDE_VERSION, &handle, &error);
    EXPECT_EQ(made, CEDE_OK) << error.text;
  }
  ~Engine() { cede_engine_destroy(handle); }
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  void load(const std::string& text) {
    ASSERT_GE(cede_engine_load(handle, text.data(), text.size(), &error), 0) << error.text;
  }
  std::uint32_t number(const std::string& name) {
    std::uint32_t out = 0;
    EXPECT_EQ(cede_engine_name(handle, name.data(), name.size(), &out, &error), CEDE_OK) << error.text;
    return out;
  }
  std::string exported() const {
    cede_text* text = nullptr;
    EXPECT_EQ(cede_engine_export(handle, &text, nullptr), CEDE_OK);
    const std::string out(cede_text_data(text), cede_text_size(text));
    cede_text_destroy(text);
    return out;
  }

  cede_engine* handle = nullptr;
  cede_error error{};
};

TEST(CapiJobArray, MakeTheClusterADocumentMakes) {
  std::mt19937_64 random(5);
  for (const int jobs : {100, 3000, 12000}) {
    ClusterBuilder cluster = empty_cluster();
    for (int j = 0; j < jobs; ++j) add_job(cluster, random, j);
    Engine document;
    ASSERT_NO_FATAL_FAILURE(document.load(cluster.text()));
    Engine arrays;
    ArrayFeed(document.handle->engine.model(), arrays.handle).put(1000000);
    EXPECT_TRUE(document.exported() == arrays.exported()) << jobs;
    // Half of them again, which are there, among as many that are not.
    ClusterBuilder more = empty_cluster();
    for (int j = 0; j < jobs; ++j) add_job(more, random, j + jobs / 2);
    Engine others;
    ASSERT_NO_FATAL_FAILURE(others.load(more.text()));
    ArrayFeed(others.handle->engine.model(), arrays.handle).put(1000000, false);
    ClusterBuilder only_jobs;
    only_jobs.jobs = more.jobs;
    const std::string changes = only_jobs.changes();
    ASSERT_GE(cede_engine_apply(document.handle, changes.data(), changes.size(), &document.error), 0)
        << document.error.text;
    EXPECT_TRUE(document.exported() == arrays.exported()) << jobs;
  }
}

// What is wrong with one entry.
struct Wrong {
  const char* what;
  void (*spoil)(cede_job& job, cede_task& task, Engine& engine);
};

constexpr Wrong kWrong[] = {
    {"no name", [](cede_job& job, cede_task&, Engine&) { job.name = 0; }},
    {"unknown name", [](cede_job& job, cede_task&, Engine&) { job.name = 4000000; }},
    {"no queue", [](cede_job& job, cede_task&, Engine&) { job.queue = 0; }},
    {"unknown queue", [](cede_job& job, cede_task&, Engine& e) { job.queue = e.number("nowhere"); }},
    {"unknown group", [](cede_job& job, cede_task&, Engine& e) { job.group = e.number("nobody"); }},
    {"no group of two", [](cede_job& job, cede_task&, Engine&) { job.group = 0; }},
    {"group of another", [](cede_job& job, cede_task&, Engine& e) { job.group = e.number("h"); }},
    {"unknown user", [](cede_job& job, cede_task&, Engine&) { job.user = 4000000; }},
    {"bad class", [](cede_job& job, cede_task&, Engine&) { job.job_class = 11; }},
    {"bad state", [](cede_job& job, cede_task&, Engine&) { job.state = 99; }},
    {"pending with a node", [](cede_job& job, cede_task&, Engine&) { job.state = CEDE_JOB_PENDING; }},
    {"bad time", [](cede_job& job, cede_task&, Engine&) { job.submitted = -5; }},
    {"never started", [](cede_job& job, cede_task&, Engine&) { job.started = 0; }},
    {"bad flag", [](cede_job& job, cede_task&, Engine&) { job.gang = 7; }},
    {"reserved", [](cede_job& job, cede_task&, Engine&) { job.reserved = 1; }},
    {"unknown zero", [](cede_job& job, cede_task&, Engine&) { job.zero = 1u << 31; }},
    {"no such settings", [](cede_job& job, cede_task&, Engine&) { job.settings = 4000000; }},
    {"too elastic", [](cede_job& job, cede_task&, Engine&) { job.min_tasks = 9; }},
    {"unknown node", [](cede_job&, cede_task& task, Engine& e) { task.node = e.number("n9999"); }},
    {"no node", [](cede_job&, cede_task& task, Engine&) { task.node = 0; }},
    {"no such resources", [](cede_job&, cede_task& task, Engine&) { task.resources = 4000000; }},
    {"too many devices", [](cede_job&, cede_task& task, Engine&) { task.gpus = 7; }},
    {"counted", [](cede_job&, cede_task& task, Engine&) { task.count = 2; }},
    {"bad share", [](cede_job&, cede_task& task, Engine&) { task.share = 5000; }},
    {"task of tomorrow", [](cede_job&, cede_task& task, Engine&) { task.leaving = CEDE_YES; }},
};

class Entries {
 public:
  Entries(Engine& engine, std::size_t count) {
    const std::uint32_t gpu = engine.number("gpu");
    const cede_amount amount{1000, gpu, 0};
    std::uint32_t shape = 0;
    EXPECT_EQ(cede_engine_resources(engine.handle, &amount, sizeof amount, 1, &shape, nullptr), CEDE_OK);
    for (std::size_t i = 0; i < count; ++i) {
      cede_job job{};
      job.name = engine.number("job" + std::to_string(i));
      job.queue = engine.number("a");
      job.group = engine.number("g");
      job.user = engine.number("u" + std::to_string(i % 7));
      job.state = CEDE_JOB_RUNNING;
      job.submitted = 1000000000;
      job.started = 1100000000;
      job.task_count = 1;
      jobs.push_back(job);
      cede_task task{};
      task.node = engine.number("n" + std::to_string(i / 8 % 49));
      task.gpus = std::uint64_t{1} << i % 8;
      task.resources = shape;
      tasks.push_back(task);
    }
  }
  std::int32_t put(Engine& engine, std::size_t from, std::size_t count) {
    return cede_engine_put_jobs(engine.handle, jobs.data() + from, sizeof(cede_job), count,
                                tasks.data() + from, sizeof(cede_task), count, &engine.error);
  }

  std::vector<cede_job> jobs;
  std::vector<cede_task> tasks;
};

TEST(CapiJobArray, ReportAWrongEntryAsWhenItIsPutAlone) {
  Engine engine;
  ASSERT_NO_FATAL_FAILURE(engine.load(empty_cluster().text()));
  const std::string before = engine.exported();
  Entries good(engine, 390);
  for (const Wrong& wrong : kWrong) {
    SCOPED_TRACE(wrong.what);
    for (const std::size_t at : {std::size_t{0}, std::size_t{3}, std::size_t{255}, std::size_t{389}}) {
      Entries entries = good;
      wrong.spoil(entries.jobs[at], entries.tasks[at], engine);
      const std::int32_t alone = entries.put(engine, at, 1);
      EXPECT_LT(alone, 0);
      std::string told = engine.error.text;
      const std::string place = "jobs[" + std::to_string(at) + ']';
      for (std::size_t from = 0; (from = told.find("jobs[0]", from)) != std::string::npos;
           from += place.size())
        told.replace(from, 7, place);
      EXPECT_EQ(entries.put(engine, 0, entries.jobs.size()), alone);
      EXPECT_EQ(engine.error.text, told);
      EXPECT_TRUE(engine.exported() == before);
    }
  }
  EXPECT_EQ(good.put(engine, 0, good.jobs.size()), CEDE_OK) << engine.error.text;
  EXPECT_FALSE(engine.exported() == before);
}

TEST(CapiJobArray, ReportMistakesThatOnlyTheWholeListHas) {
  Engine engine;
  ASSERT_NO_FATAL_FAILURE(engine.load(empty_cluster().text()));
  const std::string before = engine.exported();
  const Entries good(engine, 390);
  Entries twice = good;
  twice.jobs[300].name = twice.jobs[20].name;
  EXPECT_EQ(twice.put(engine, 0, 390), CEDE_E_DOCUMENT);
  EXPECT_STREQ(engine.error.text, "jobs[300].name: 'job20' is given twice, first in jobs[20]");
  Entries greedy = good;
  greedy.jobs[301].task_count = 200;
  EXPECT_EQ(greedy.put(engine, 0, 390), CEDE_E_INVALID);
  EXPECT_STREQ(engine.error.text,
               "jobs[301].task_count: 200 is more than the 89 entries of tasks that are left");
  Entries modest = good;
  modest.jobs[389].task_count = 0;
  EXPECT_LT(modest.put(engine, 0, 390), 0);
  EXPECT_TRUE(engine.exported() == before);
  // A device that two hold is seen in the end, wherever they are in the list.
  Entries clash = good;
  clash.tasks[380].node = clash.tasks[2].node;
  clash.tasks[380].gpus = clash.tasks[2].gpus;
  EXPECT_EQ(clash.put(engine, 0, 390), CEDE_E_DOCUMENT);
  EXPECT_NE(std::string(engine.error.text).find("which another task holds too"), std::string::npos)
      << engine.error.text;
  EXPECT_TRUE(engine.exported() == before);
}

// What was there and is wrong since the group has less is not what a call is refused for.
TEST(CapiJobArray, ReportOnlyMistakesOfWhatIsPut) {
  Engine engine;
  ClusterBuilder cluster(2000000);
  cluster.group().put("resources", JsonObject{{"license", 5}});
  cluster.queue("a");
  for (int n = 0; n < 100; ++n) cluster.node("n" + std::to_string(n), {{"gpu", 8}});
  const JsonObject task{{"node", "n99"}, {"resources", JsonObject{{"license", 5}}}};
  cluster.job("old", "a").put("state", "running").put("started", 1000000).put("tasks", JsonList{task});
  ASSERT_NO_FATAL_FAILURE(engine.load(cluster.text()));
  const std::string fewer =
      R"({"format":"cede-changes/1","put":{"groups":[{"id":"g","resources":{"license":2}}]}})";
  ASSERT_GE(cede_engine_apply(engine.handle, fewer.data(), fewer.size(), &engine.error), 0)
      << engine.error.text;
  Entries entries(engine, 390);
  const cede_amount amount{9000, engine.number("gpu"), 0};
  std::uint32_t large = 0;
  ASSERT_EQ(cede_engine_resources(engine.handle, &amount, sizeof amount, 1, &large, nullptr), CEDE_OK);
  entries.tasks[200].resources = large;
  entries.tasks[200].gpus = 0;
  EXPECT_EQ(entries.put(engine, 0, 390), CEDE_E_DOCUMENT);
  EXPECT_STREQ(engine.error.text,
               "jobs[200].tasks[0].resources: task 't0' of job 'job200' holds 9 gpu, node 'n25' has 8");
}

constexpr const char* kOneOld = R"({"format":"cede-cluster/1","now":2000000,"groups":[{"id":"g"}],
    "queues":[{"id":"a"}],"nodes":[{"id":"n0","resources":{"gpu":8}}],"jobs":[
    {"id":"old","queue":"a","state":"running","started":1000000,
     "tasks":[{"node":"n0","resources":{"gpu":1},"gpus":[0]}]},
    {"id":"waits","queue":"a","submitted":1000000,"tasks":[{},{},{}]}]})";

// Where a device is held twice, the one that is put is in the wrong, and both are named.
TEST(CapiJobArray, ReportWhichJobCameToADeviceThatIsHeld) {
  Engine engine;
  ASSERT_NO_FATAL_FAILURE(engine.load(kOneOld));
  Entries entries(engine, 1);
  EXPECT_EQ(entries.put(engine, 0, 1), CEDE_E_DOCUMENT);
  const std::string told =
      "jobs[0].tasks[0].gpus: task 't0' of job 'job0' holds device 0 of node 'n0', which another task holds "
      "too: task 't0' of job 'old'";
  EXPECT_EQ(engine.error.text, told);
  const std::string changes = R"({"format":"cede-changes/1","put":{"jobs":[{"id":"job0","queue":"a",
      "state":"running","started":1000000,"tasks":[{"node":"n0","resources":{"gpu":1},"gpus":[0]}]}]}})";
  EXPECT_EQ(cede_engine_apply(engine.handle, changes.data(), changes.size(), &engine.error), CEDE_E_DOCUMENT);
  EXPECT_NE(std::string(engine.error.text).find("put." + told), std::string::npos) << engine.error.text;
  entries.tasks[0].gpus = 2;
  EXPECT_EQ(entries.put(engine, 0, 1), CEDE_OK) << engine.error.text;
}

TEST(CapiJobArray, ATaskWithoutANameFindsOneThatIsFree) {
  Engine engine;
  ASSERT_NO_FATAL_FAILURE(engine.load(kOneOld));
  const auto ids = [&] {
    std::string out;
    const Model& model = engine.handle->engine.model();
    const JobCore& job = model.jobs[model.find_job("waits")];
    for (std::uint32_t k = 0; k < job.task_rows; ++k) out += std::string(model.task_name(job, k)) + ' ';
    return out;
  };
  cede_task_name gone{engine.number("waits"), engine.number("t0")};
  ASSERT_EQ(cede_engine_remove_tasks(engine.handle, &gone, sizeof gone, 1, &engine.error), CEDE_OK)
      << engine.error.text;
  EXPECT_EQ(ids(), "t1 t2 ");
  cede_task more[2] = {};
  more[0].job = more[1].job = gone.job;
  ASSERT_EQ(cede_engine_put_tasks(engine.handle, more, sizeof more[0], 2, &engine.error), CEDE_OK)
      << engine.error.text;
  EXPECT_EQ(ids(), "t1 t2 t4 t3 ");
  const std::string text = engine.exported();
  Engine again;
  ASSERT_NO_FATAL_FAILURE(again.load(text));
  EXPECT_EQ(again.exported(), text);
}

}  // namespace
}  // namespace cede
