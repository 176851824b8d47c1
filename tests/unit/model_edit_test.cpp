// SPDX-License-Identifier: MIT
#include "model/edit.h"

#include "document/document.h"
#include "engine_fixture.h"
#include "random_cluster.h"

namespace cede {
namespace {

Model load_model(const std::string& text) {
  Problems problems;
  ModelEdit edit(Model{}, Limits{}, problems, true);
  read_cluster(text, edit);
  Model model = edit.finish();
  EXPECT_FALSE(problems.failed()) << problems.all()[0].message();
  return model;
}

Model apply_to(const Model& model, const std::string& changes) {
  Problems problems;
  const Limits limits;
  ModelEdit edit(model, limits, problems, false);
  read_changes(changes, edit);
  Model next = edit.finish();
  EXPECT_FALSE(problems.failed()) << problems.all()[0].message();
  return next;
}

// The counters that guard removals and the lists that link tasks to nodes, counted anew.
void expect_consistent(const Model& model) {
  std::vector<std::uint32_t> node_tasks(model.nodes.id_bound()), queue_jobs(model.queues.id_bound()),
      group_jobs(model.groups.id_bound()), group_nodes(model.groups.id_bound()),
      children(model.queues.id_bound());
  std::size_t rows = 0;
  model.jobs.for_each([&](JobId id, const JobCore& job) {
    ++queue_jobs[job.queue.value];
    ++group_jobs[job.group.value];
    for (std::uint32_t i = 0; i < job.task_rows; ++i, ++rows) {
      const TaskCore& task = model.tasks.core(TaskId{job.first_task.value + i});
      EXPECT_EQ(task.job, id);
      if (task.node) ++node_tasks[task.node.value];
    }
  });
  EXPECT_EQ(model.tasks.live(), rows);
  model.nodes.for_each([&](NodeId id, const NodeRow& node) {
    ++group_nodes[node.group.value];
    std::uint32_t linked = 0;
    TaskId before;
    for (TaskId task = node.first_task; task; before = task, task = model.tasks.core(task).next_on_node) {
      EXPECT_EQ(model.tasks.core(task).previous_on_node, before);
      EXPECT_EQ(model.tasks.core(task).node, id);
      ++linked;
    }
    EXPECT_EQ(linked, node_tasks[id.value]);
    EXPECT_EQ(node.tasks, linked);
  });
  model.queues.for_each([&](QueueId, const QueueRow& queue) {
    if (queue.parent) ++children[queue.parent.value];
  });
  model.queues.for_each([&](QueueId id, const QueueRow& queue) {
    EXPECT_EQ(queue.jobs, queue_jobs[id.value]);
    EXPECT_EQ(queue.children, children[id.value]);
  });
  model.groups.for_each([&](GroupId id, const GroupRow& group) {
    EXPECT_EQ(group.jobs, group_jobs[id.value]);
    EXPECT_EQ(group.nodes, group_nodes[id.value]);
  });
}

// `t0`, `t1` ... of which no task that is there bears the name: they stay once a task has needed them.
std::size_t named_positions(const Model& model) {
  std::size_t count = 0;
  for (std::uint32_t k = 0; k < model.position_names; ++k)
    count += model.job_names.owners(model.job_names.find("t" + std::to_string(k))) == 1 ? 1 : 0;
  return count;
}

TEST(ModelEdit, ChangesLeadWhereALoadWouldHaveLed) {
  Model model = load_model(RandomCluster(1).document());
  for (std::uint64_t seed = 2; seed <= 400; ++seed) {
    const RandomCluster before(seed - 1);
    RandomCluster after(seed);
    const Model kept = model;
    const std::string kept_text = write_cluster(kept);
    model = apply_to(model, after.changes_from(before));
    const Model direct = load_model(after.document());
    ASSERT_EQ(write_cluster(model), write_cluster(direct)) << "seed " << seed;
    ASSERT_EQ(write_cluster(kept), kept_text) << "the snapshot before the change moved, seed " << seed;
    expect_consistent(model);
    // Nothing of what was replaced stays behind: the tables hold what a fresh load holds. Resource names and
    // what only the document as a whole carries are kept.
    EXPECT_EQ(model.job_names.live() - named_positions(model),
              direct.job_names.live() - named_positions(direct))
        << "seed " << seed;
    EXPECT_EQ(model.shapes.live(), direct.shapes.live()) << "seed " << seed;
    EXPECT_EQ(model.requirement_keys.live(), direct.requirement_keys.live()) << "seed " << seed;
    EXPECT_EQ(model.class_keys.live(), direct.class_keys.live()) << "seed " << seed;
    if (HasFailure()) return;
  }
  EXPECT_LT(model.names.live(), 60u) << "names of removed things are given back";
}

TEST(ModelEdit, ARefusedChangeLeavesTheModelAlone) {
  Engine engine{Options{}};
  Problems problems;
  ASSERT_TRUE(engine.load(cluster_with(job_with("")), problems));
  const std::string before = engine.export_cluster();
  const std::uint64_t revision = engine.revision();
  const auto refuse = [&](const std::string& changes, const std::string& message) {
    Problems found;
    EXPECT_FALSE(engine.apply(R"({"format":"cede-changes/1",)" + changes + "}", found));
    ASSERT_FALSE(found.all().empty());
    EXPECT_NE(found.all()[0].message().find(message), std::string::npos) << found.all()[0].message();
    EXPECT_EQ(engine.export_cluster(), before);
    EXPECT_EQ(engine.revision(), revision);
  };
  refuse(R"("remove":{"jobs":["x"]})", "remove.jobs[0]: 'x' is not a job");
  refuse(R"("remove":{"jobs":["j","j"]})",
         "remove.jobs[1]: 'j' is also put by this document, or named twice");
  refuse(R"("remove":{"queues":["root"]})", "remove.queues[0]: 'root' still has 1 job");
  refuse(R"("remove":{"groups":["g"]})", "remove.groups[0]: 'g' still has 1 node");
  refuse(R"("put":{"jobs":[)" + job_with("") + R"(]},"remove":{"jobs":["j"]})",
         "is also put by this document");
  refuse(R"("put":{"queues":[{"id":"new","parent":"nowhere"}]})",
         "put.queues[0].parent: 'nowhere' is not a queue");
  refuse(R"("put":{"queues":[{"id":"root","parent":"root.a"}]})", "own ancestor");
  refuse(R"("put":{"queues":[{"id":"second"}]})", "two queues have no parent");
  refuse(R"("put":{"jobs":[{"id":"k","queue":"zzz","tasks":[{}]}]})",
         "put.jobs[0].queue: 'zzz' is not a queue");
  refuse(R"("put":{"network":{"levels":["leaf"]}})", "put.network.levels: levels cannot be changed");
}

TEST(ModelEdit, DomainsCannotHangOnEachOther) {
  Engine engine{Options{}};
  Problems problems;
  ASSERT_TRUE(engine.load(
      R"({"format":"cede-cluster/1","now":1,"network":{"levels":["host","leaf","spine"],"domains":[{"id":"B","level":"leaf","parent":"A"},
          {"id":"A","level":"spine"}]},"groups":[{"id":"g"}],"nodes":[{"id":"n","network":["B"]}]})",
      problems));
  EXPECT_FALSE(engine.apply(
      R"({"format":"cede-changes/1","put":{"network":{"domains":[{"id":"A","level":"host","parent":"B"}]}}})",
      problems));
  EXPECT_NE(problems.all().at(0).message().find("is no longer of a farther level than its child 'B'"),
            std::string::npos);
}

TEST(ModelEdit, NodesAreCheckedAgainstTasksThatStay) {
  Engine engine{Options{}};
  Problems problems;
  const std::string job =
      job_with(R"("state":"running","started":1)", R"({"node":"n1","resources":{"gpu":4},"gpus":[4,5,6,7]})");
  ASSERT_TRUE(engine.load(cluster_with(job), problems));
  EXPECT_FALSE(engine.apply(
      R"({"format":"cede-changes/1","put":{"nodes":[{"id":"n1","resources":{"gpu":4}}]}})", problems));
  EXPECT_NE(problems.all().at(0).message().find(
                "put.nodes[0]: task 't0' of job 'j' names device 4; node 'n1' has 0..3"),
            std::string::npos)
      << problems.all()[0].message();
}

TEST(ModelEdit, DevicesMayBeSwappedInOneDocument) {
  const auto job = [](const char* id, int device) {
    return std::string(R"({"id":")") + id +
           R"(","queue":"root","state":"running","started":1,"tasks":[{"node":"n1","resources":{"gpu":1},"gpus":[)" +
           std::to_string(device) + "]}]}";
  };
  Engine engine{Options{}};
  Problems problems;
  ASSERT_TRUE(engine.load(cluster_with(job("a", 0) + "," + job("b", 1)), problems));
  EXPECT_TRUE(engine.apply(
      R"({"format":"cede-changes/1","put":{"jobs":[)" + job("a", 1) + "," + job("b", 0) + "]}}", problems));
}

// A job that is put again with the tasks it has leaves their rows and those of their nodes alone.
TEST(ModelEdit, TasksThatStayAreNotWrittenTo) {
  const auto job = [](const std::string& members, const std::string& node, const std::string& task) {
    return R"({"id":"j",)" + members + R"(,"state":"running","tasks":[{"id":"a","node":")" + node +
           R"(","resources":{"gpu":1},"gpus":[0])" + task + R"(},{"node":"n2","resources":{"gpu":2}}]})";
  };
  const auto put = [](const std::string& text) {
    return R"({"format":"cede-changes/1","put":{"jobs":[)" + text + "]}}";
  };
  const std::string said = R"("queue":"root.a","started":5,"checkpoint":{"mode":"auto"},"user":"u")";
  const Model model = load_model(
      R"({"format":"cede-cluster/1","now":10,"groups":[{"id":"g"}],"queues":[{"id":"root"},
      {"id":"root.a","parent":"root"},{"id":"root.b","parent":"root"}],
      "nodes":[{"id":"n1","resources":{"gpu":8}},{"id":"n2","resources":{"gpu":8}}],"jobs":[)" +
      job(said, "n1", "") + "]}");
  const auto stays = [&](const Model& next) {
    expect_consistent(next);
    return next.tasks.same_storage(model.tasks) && next.nodes.same_storage(model.nodes);
  };
  EXPECT_TRUE(stays(apply_to(model, put(job(said, "n1", "")))));
  const Model moved =
      apply_to(model, put(job(R"("queue":"root.b","started":5,"priority":7,"walltime":60)", "n1", "")));
  EXPECT_TRUE(stays(moved));
  const JobId id = moved.find_job("j");
  EXPECT_EQ(moved.jobs[id].priority, 7);
  EXPECT_EQ(moved.jobs[id].queue, moved.find_queue("root.b"));
  EXPECT_EQ(moved.job_times[id.value].walltime, 60'000);
  EXPECT_EQ(moved.job_checkpoints[id.value].mode, CheckpointMode::absent);
  EXPECT_EQ(moved.names.find("u"), InternTable::kNotFound) << "nothing names it any more";

  EXPECT_FALSE(stays(apply_to(model, put(job(said, "n2", "")))));
  EXPECT_FALSE(stays(apply_to(model, put(job(said, "n1", R"(,"priority":3)")))));

  // What depends on the job is still looked at.
  Problems problems;
  const Limits limits;
  ModelEdit edit(model, limits, problems, false);
  read_changes(put(job(R"("queue":"root.a")", "n1", "")), edit);
  edit.finish();
  ASSERT_TRUE(problems.failed());
  EXPECT_EQ(problems.all()[0].message(),
            "put.jobs[0].tasks[0].started: missing, and the running job has none either");
}

TEST(ModelEdit, AJobBeyondTheLimitMayComeTwice) {
  Problems problems;
  Limits limits;
  limits.max_tasks = 1;
  ModelEdit edit(Model{}, limits, problems, true);
  const std::string job = R"({"id":"j","queue":"root","submitted":1,"tasks":[{},{}]})";
  read_cluster(R"({"format":"cede-cluster/1","groups":[{"id":"g"}],"queues":[{"id":"root"}],"jobs":[)" + job +
                   ',' + job + "]}",
               edit);
  edit.finish();
  ASSERT_EQ(problems.all().size(), 1u);
  EXPECT_EQ(to_string(problems.all()[0].path), "jobs[0].tasks");
  EXPECT_EQ(problems.all()[0].text, "more than 1 (limit max_tasks)");
}

TEST(ModelEdit, AnUpdateTouchesOnlyItsPages) {
  std::string nodes;
  for (int i = 0; i < 2000; ++i)
    nodes += (i == 0 ? "" : ",") + std::string(R"({"id":"n)") + std::to_string(i) + R"("})";
  Model model = load_model(cluster_with(job_with(""), "", nodes));
  const Model snapshot = model;
  model = apply_to(model,
                   R"({"format":"cede-changes/1","put":{"jobs":[{"id":"k","queue":"root","tasks":[{}]}]}})");
  // Two nodes far from each other still are the very same bytes in both models.
  EXPECT_EQ(&model.nodes[NodeId{5}], &snapshot.nodes[NodeId{5}]);
  EXPECT_EQ(&model.nodes[NodeId{1999}], &snapshot.nodes[NodeId{1999}]);
  EXPECT_EQ(snapshot.jobs.live(), 1u);
  EXPECT_EQ(model.jobs.live(), 2u);
}

}  // namespace
}  // namespace cede
