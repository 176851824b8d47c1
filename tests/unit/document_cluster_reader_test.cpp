// SPDX-License-Identifier: MIT
#include "document/document.h"

#include "engine_fixture.h"

namespace cede {
namespace {

struct Mistake {
  const char* name;
  std::string text;
  const char* message;  // what the error must contain
};

class Mistakes : public testing::TestWithParam<Mistake> {};

TEST_P(Mistakes, AreReportedInOneLine) {
  const std::string message = load_fault(GetParam().text);
  EXPECT_NE(message.find(GetParam().message), std::string::npos) << message;
  EXPECT_EQ(message.find('\n'), std::string::npos);
}

const std::string kNode = R"({"id":"n1","resources":{"gpu":8,"cpu":64}})";

INSTANTIATE_TEST_SUITE_P(
    Document, Mistakes,
    testing::Values(
        Mistake{"no_text", "", "the text ends in the middle"},
        Mistake{"a_list", "[]", "a list is not a document; an object is"},
        Mistake{"a_number", "17", "17 is not a document; an object is"},
        Mistake{"truncated", R"({"format":"cede-cluster/1","jobs":[{"id":)", "the text ends in the middle"},
        Mistake{"garbage", R"({"format":"cede-cluster/1",}})", "not JSON"},
        Mistake{"more_text", R"({"format":"cede-cluster/1"} x)", "more text after the end of the document"},
        Mistake{"byte_order_mark", "\xEF\xBB\xBF{}", "byte order mark"},
        Mistake{"invalid_utf8", "{\"format\":\"cede-cluster/1\",\"x-a\":\"\xff\"}", "not JSON"},
        Mistake{"no_format", "{}", "format: missing; 'cede-cluster/1' is wanted"},
        Mistake{"other_format", R"({"format":"cede-policy/1"})", "'cede-policy/1' is not cede-cluster/1"},
        Mistake{"unknown_field", R"({"format":"cede-cluster/1","node":[]})",
                "node: unknown field 'node'; did you mean 'nodes'? (line 1, column 28)"},
        Mistake{"repeated_field", R"({"format":"cede-cluster/1","nodes":[],"nodes":[]})",
                "'nodes' is given twice"},
        Mistake{"deep",
                R"({"format":"cede-cluster/1","x-a":)" + std::string(40, '[') + std::string(40, ']') + "}",
                "nested deeper than 32 levels (limit max_nesting)"},
        Mistake{"list_for_number", cluster_with(job_with(R"("priority":[])")),
                "jobs[0].priority: a list is not allowed here"},
        Mistake{"number_for_list", R"({"format":"cede-cluster/1","jobs":5})", "jobs: 5 is not a list"},
        Mistake{"bad_time", R"({"format":"cede-cluster/1","now":"noon"})", "now: 'noon' is not a time"},
        // Boost.JSON 1.81 hands these on as infinity.
        Mistake{
            "infinite_time", R"({"format":"cede-cluster/1","now":4444444444444444444e442})",
            "now: 4444444444444444444e442 is larger than any number a document may hold (line 1, column 34)"},
        Mistake{"infinite_below_zero", cluster_with(job_with(R"("value":-1e999)")),
                "jobs[0].value: -1e999 is larger than any number a document may hold"},
        Mistake{"infinite_amount",
                R"({"format":"cede-cluster/1","nodes":[{"id":"n","resources":{"gpu":1e400}}]})",
                "nodes[0].resources.gpu: 1e400 is larger than any number a document may hold"},
        Mistake{"infinite_device", cluster_with(job_with("", R"({"gpus":[0,1e400]})")),
                "jobs[0].tasks[0].gpus[1]: 1e400 is larger than any number a document may hold"},
        Mistake{"infinite_own_field", R"({"format":"cede-cluster/1","x-a":1e400})",
                "x-a: 1e400 is larger than any number a document may hold (line 1, column 34)"},
        Mistake{"infinite_inside_own_field", cluster_with(job_with(R"("x-a":[{"b":1e400}])")),
                "jobs[0].x-a: 1e400 is larger than any number a document may hold"},
        Mistake{"endless_exponent", R"({"format":"cede-cluster/1","now":1e99999999999})",
                "not JSON: exponent overflow (line 1"},
        Mistake{"escaped_key", "{\"format\":\"cede-cluster/1\",\"n\\u006fdez\":[]}",
                "did you mean 'nodes'? (line 1, column 28)"}),
    [](const auto& info) { return std::string(info.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Jobs, Mistakes,
    testing::Values(
        Mistake{"misspelt_field", cluster_with(job_with(R"("prioirty":1)")),
                "jobs[0].prioirty: unknown field 'prioirty'; did you mean 'priority'?"},
        Mistake{"unknown_queue", cluster_with(R"({"id":"j","queue":"root.b","tasks":[{}]})"),
                "jobs[0].queue: 'root.b' is not a queue; 2 queues are known"},
        Mistake{"class_11", cluster_with(job_with(R"("class":11)")), "jobs[0].class: 11 is outside 0..10"},
        Mistake{"class_text", cluster_with(job_with(R"("class":"high")")), "'high' is not a whole number"},
        Mistake{"class_half", cluster_with(job_with(R"("class":1.5)")), "1.5 is not a whole number in 0..10"},
        Mistake{"long_name",
                cluster_with(R"({"id":")" + std::string(1300, 'x') + R"(","queue":"root","tasks":[{}]})"),
                "is 1300 bytes long; a name has at most 1024"},
        Mistake{"control_character", cluster_with(R"({"id":"a\u0007","queue":"root","tasks":[{}]})"),
                "jobs[0].id: 'a\\u0007' has a control character"},
        Mistake{"no_id", cluster_with(R"({"queue":"root","tasks":[{}]})"), "jobs[0].id: missing"},
        Mistake{"null_id", cluster_with(R"({"id":null,"queue":"root","tasks":[{}]})"), "jobs[0].id: missing"},
        Mistake{"no_queue", cluster_with(R"({"id":"j","tasks":[{}]})"), "jobs[0].queue: missing"},
        Mistake{"no_tasks", cluster_with(R"({"id":"j","queue":"root"})"), "jobs[0].tasks: missing"},
        Mistake{"empty_tasks", cluster_with(job_with("", "")), "jobs[0].tasks: a job has at least one task"},
        Mistake{"same_id", cluster_with(job_with("") + "," + job_with("")),
                "jobs[1].id: 'j' is given twice, first in jobs[0]"},
        Mistake{"unknown_group", cluster_with(job_with(R"("group":"h")")),
                "jobs[0].group: 'h' is not a group; 1 group is known"},
        Mistake{"unknown_state", cluster_with(job_with(R"("state":"runing")")),
                "'runing' is not pending, running, checkpointing, preempting or suspended; did you mean "
                "'running'?"},
        Mistake{"running_without_node", cluster_with(job_with(R"("state":"running","started":5)")),
                "jobs[0].state: a running job has a task with a node"},
        Mistake{"pending_without_waiting_task", cluster_with(job_with("", R"({"node":"n1","started":3})")),
                "jobs[0].state: a pending job has a task that waits"},
        Mistake{"running_without_start", cluster_with(job_with(R"("state":"running")", R"({"node":"n1"})")),
                "jobs[0].tasks[0].started: missing, and the running job has none either"},
        Mistake{"negative_amount", cluster_with(job_with("", R"({"resources":{"gpu":-1}})")),
                "jobs[0].tasks[0].resources.gpu: '-1' is negative"},
        Mistake{"fine_amount", cluster_with(job_with("", R"({"resources":{"gpu":0.0001}})")),
                "is finer than 1/1000"},
        Mistake{"repeated_resource", cluster_with(job_with("", R"({"resources":{"gpu":1,"gpu":1}})")),
                "jobs[0].tasks[0].resources.gpu: 'gpu' is given twice"},
        Mistake{"unknown_node",
                cluster_with(job_with(R"("state":"running","started":1)", R"({"node":"n9"})")),
                "jobs[0].tasks[0].node: 'n9' is not a node; 1 node is known"},
        Mistake{"larger_than_node",
                cluster_with(job_with(R"("state":"running","started":1)",
                                      R"({"node":"n1","resources":{"gpu":9}})")),
                "jobs[0].tasks[0].resources: task 't0' of job 'j' holds 9 gpu, node 'n1' has 8"},
        Mistake{"device_outside",
                cluster_with(job_with(R"("state":"running","started":1)",
                                      R"({"node":"n1","resources":{"gpu":1},"gpus":[8]})")),
                "names device 8; node 'n1' has 0..7"},
        Mistake{"devices_and_count_differ",
                cluster_with(job_with(R"("state":"running","started":1)",
                                      R"({"node":"n1","resources":{"gpu":2},"gpus":[0]})")),
                "jobs[0].tasks[0].gpus: names 1 devices, but 'resources' gives 2 gpu"},
        Mistake{"device_listed_twice",
                cluster_with(job_with(R"("state":"running","started":1)",
                                      R"({"node":"n1","resources":{"gpu":2},"gpus":[3,3]})")),
                "jobs[0].tasks[0].gpus[1]: device 3 is listed twice"},
        Mistake{"two_tasks_on_one_device",
                cluster_with(job_with(R"("state":"running","started":1)",
                                      R"({"node":"n1","resources":{"gpu":1},"gpus":[0]},
                                         {"node":"n1","resources":{"gpu":1},"gpus":[0]})")),
                "holds device 0 of node 'n1', which another task holds too"},
        Mistake{"whole_and_shared",
                cluster_with(job_with(R"("state":"running","started":1)",
                                      R"({"node":"n1","resources":{"gpu":1},"gpus":[0]},
                                         {"node":"n1","resources":{"gpu":0.5},"gpus":[{"index":0,"share":0.5}]})")),
                "holds device 0 of node 'n1', which another task holds too"},
        Mistake{
            "shares_above_one",
            cluster_with(job_with(R"("state":"running","started":1)",
                                  R"({"node":"n1","resources":{"gpu":0.6},"gpus":[{"index":0,"share":0.6}]},
                                         {"node":"n1","resources":{"gpu":0.5},"gpus":[{"index":0,"share":0.5}]})")),
            "the shares of device 0 on node 'n1' add up to more than 1"},
        Mistake{"devices_while_waiting", cluster_with(job_with("", R"({"resources":{"gpu":1},"gpus":[0]})")),
                "jobs[0].tasks[0].gpus: only a task with a node holds devices"},
        Mistake{"count_while_running",
                cluster_with(job_with(R"("state":"running","started":1)", R"({"node":"n1","count":2})")),
                "jobs[0].tasks[0].count: only waiting tasks can be counted"},
        Mistake{"count_of_zero", cluster_with(job_with("", R"({"count":0})")), "0 is outside 1..1000000"},
        Mistake{"same_task_id", cluster_with(job_with("", R"({"id":"a"},{"id":"a"})")),
                "jobs[0].tasks[1].id: 'a' is also the id of tasks[0]"},
        Mistake{"task_id_of_an_unnamed_one", cluster_with(job_with("", R"({"id":"t1"},{})")),
                "jobs[0].tasks[0].id: 't1' is also the id of tasks[1]"},
        Mistake{"task_id_of_a_counted_one",
                cluster_with(job_with("", R"({"id":"a","count":2},{"id":"a#0"})")),
                "jobs[0].tasks[1].id: 'a#0' is also the id of tasks[0]"},
        Mistake{"task_id_of_an_unnamed_counted_one",
                cluster_with(job_with("", R"({"count":2},{"id":"t0#1"})")),
                "jobs[0].tasks[1].id: 't0#1' is also the id of tasks[0]"},
        Mistake{"null_level", cluster_with(job_with(R"("require":{"gpus":[{"level":null}]})")),
                "jobs[0].require.gpus[0].level: missing"},
        Mistake{"repeated_key_of_the_site", cluster_with(job_with(R"("x-a":{"b":1,"b":2})")),
                "'b' is given twice"},
        Mistake{"elastic_but_no_gang", cluster_with(job_with(R"("gang":false,"min_tasks":1)")),
                "jobs[0].min_tasks: only a gang can be elastic"},
        Mistake{"min_tasks_too_many", cluster_with(job_with(R"("min_tasks":2)")),
                "2 is more than the job's 1 tasks"},
        Mistake{"bad_preemptible", cluster_with(job_with(R"("preemptible":"never")")),
                "'never' is not true, false or 'last-resort'"},
        Mistake{"fair_share_above_one", cluster_with(job_with(R"("fair_share":1.5)")),
                "jobs[0].fair_share: '1.5' is above 1"},
        Mistake{"unknown_setting", cluster_with(job_with(R"("settings":{"max_victim":3})")), "max_victim"},
        Mistake{"unknown_required_node", cluster_with(job_with("", R"({"required_node":"n9"})")),
                "jobs[0].tasks[0].required_node: 'n9' is not a node"}),
    [](const auto& info) { return std::string(info.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Requirements, Mistakes,
    testing::Values(
        Mistake{"unknown_level", cluster_with(job_with(R"("require":{"network":[{"level":"leaf"}]})")),
                "jobs[0].require.network[0].level: 'leaf' is not a network level; the cluster has none"},
        Mistake{"unknown_word", cluster_with(job_with(R"("require":{"gpus":[{"level":"nvlink"}]})")),
                "jobs[0].require.gpus[0].level: 'nvlink' is not nvl, pcie, numa or socket"},
        Mistake{"no_level", cluster_with(job_with(R"("require":{"gpus":[{}]})")),
                "jobs[0].require.gpus[0].level: missing"},
        Mistake{"crossed_bounds", cluster_with(job_with(R"("require":{"nodes":{"min":3,"max":2}})")),
                "jobs[0].require.nodes.min: 3 is more than 'max', 2"},
        Mistake{"nic_by_nvlink", cluster_with(job_with(R"("require":{"nic":{"level":"nvl"}})")),
                "'nvl' is not pcie, numa or socket"},
        Mistake{"baseline_without_one",
                cluster_with(job_with(R"("require":{"conformance":{"mode":"baseline"}})")),
                "jobs[0].require.conformance.baseline: missing"},
        Mistake{"spread_without_segment",
                cluster_with(job_with(R"("require":{"network":[{"level":"x","spread":true}]})")),
                "'segment' is not given"},
        Mistake{"exclusive_word", cluster_with(job_with(R"("require":{"exclusive":"rack"})")),
                "'rack' is not none, node, user or domain:LEVEL"},
        Mistake{"unknown_entry", cluster_with(job_with(R"("require":{"gpuss":[]})")),
                "did you mean 'gpus'?"}),
    [](const auto& info) { return std::string(info.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Cluster, Mistakes,
    testing::Values(
        Mistake{
            "cyclic_queues",
            cluster_with("", "", kNode, R"({"id":"root"},{"id":"a","parent":"b"},{"id":"b","parent":"a"})"),
            "is its own ancestor or hangs on a queue that is"},
        Mistake{"queue_its_own_parent",
                cluster_with("", "", kNode, R"({"id":"root"},{"id":"a","parent":"a"})"), "own ancestor"},
        Mistake{"two_roots", cluster_with("", "", kNode, R"({"id":"r1"},{"id":"r2"})"),
                "two queues have no parent: 'r1' and 'r2'"},
        Mistake{"unknown_parent", cluster_with("", "", kNode, R"({"id":"root"},{"id":"a","parent":"rot"})"),
                "queues[1].parent: 'rot' is not a queue"},
        Mistake{"guarantee_above_max",
                cluster_with("", "", kNode, R"({"id":"root","guaranteed":{"gpu":5},"max":{"gpu":4}})"),
                "queues[0].guaranteed.gpu: 5 is more than the queue's max, 4"},
        Mistake{"guarantee_above_max_of_zero",
                cluster_with("", "", kNode, R"({"id":"root","guaranteed":{"gpu":1},"max":{"gpu":0}})"),
                "queue's max, 0"},
        Mistake{"weight_of_zero", cluster_with("", "", kNode, R"({"id":"root","weight":0})"),
                "queues[0].weight: 0 is not a weight"},
        Mistake{"delay_of_zero", cluster_with("", "", kNode, R"({"id":"root","preemption":{"delay":"0s"}})"),
                "queues[0].preemption.delay: 0 is not a delay"},
        Mistake{"misspelt_delay",
                cluster_with("", "", kNode, R"({"id":"root","preemption":{"delay":"30sec"}})"),
                "queues[0].preemption.delay: '30sec' is not a duration"},
        Mistake{"unknown_topology", cluster_with("", "", R"({"id":"n1","topology":"dgx"})"),
                "nodes[0].topology: 'dgx' is not a topology; 0 topologies are known"},
        Mistake{"unknown_home", cluster_with("", "", R"({"id":"n1","home":"x"})"),
                "nodes[0].home: 'x' is not a queue"},
        Mistake{"unknown_domain", cluster_with("", "", R"({"id":"n1","network":["l1"]})"),
                "nodes[0].network[0]: 'l1' is not a domain; 0 domains are known"},
        Mistake{
            "two_leaves",
            cluster_with(
                "",
                R"(,"network":{"levels":["leaf"],"domains":[{"id":"l1","level":"leaf"},{"id":"l2","level":"leaf"}]})",
                R"({"id":"n1","network":["l1","l2"]})"),
            "node 'n1' is in two domains of level 'leaf': 'l1' and 'l2'"},
        Mistake{
            "two_spines_through_parents",
            cluster_with(
                "",
                R"(,"network":{"levels":["leaf","spine"],"domains":[{"id":"l1","level":"leaf","parent":"s1"},
                                    {"id":"s1","level":"spine"},{"id":"s2","level":"spine"}]})",
                R"({"id":"n1","network":["l1","s2"]})"),
            "is in two domains of level 'spine'"},
        Mistake{"unknown_level",
                cluster_with("", R"(,"network":{"levels":["leaf"],"domains":[{"id":"l1","level":"leef"}]})"),
                "network.domains[0].level: 'leef' is not a level; leaf is allowed"},
        Mistake{
            "nearer_parent",
            cluster_with("", R"(,"network":{"levels":["leaf","spine"],"domains":[{"id":"l1","level":"leaf"},
                                    {"id":"s1","level":"spine","parent":"l1"}]})"),
            "network.domains[1].parent: 'l1' is not of a farther level"},
        Mistake{"two_groups_to_choose_from",
                R"({"format":"cede-cluster/1","groups":[{"id":"a"},{"id":"b"}],"nodes":[{"id":"n"}]})",
                "nodes[0].group: missing, and there are 2 groups to choose from"},
        Mistake{
            "node_of_another_group",
            R"({"format":"cede-cluster/1","now":1,"groups":[{"id":"a"},{"id":"b"}],"queues":[{"id":"root"}],
                    "nodes":[{"id":"n","group":"a"}],"jobs":[{"id":"j","queue":"root","group":"b","state":"running",
                    "started":1,"tasks":[{"node":"n"}]}]})",
            "jobs[0].tasks[0].node: 'n' is in group 'a', the job is in 'b'"},
        Mistake{"reservation_without_nodes", cluster_with("", R"(,"reservations":[{"id":"r","from":5}])"),
                "reservations[0].nodes: missing"},
        Mistake{"reservation_ends_first",
                cluster_with("", R"(,"reservations":[{"id":"r","nodes":["n1"],"from":5,"until":5}])"),
                "reservations[0].until: is not after 'from'"},
        Mistake{
            "reservation_for_two",
            cluster_with(
                "", R"(,"reservations":[{"id":"r","nodes":["n1"],"from":5,"for":{"user":"u","job":"j"}}])"),
            "reservations[0].for.job: a reservation is for one party only"},
        Mistake{
            "reservation_for_unknown_queue",
            cluster_with("", R"(,"reservations":[{"id":"r","nodes":["n1"],"from":5,"for":{"queue":"q"}}])"),
            "reservations[0].for.queue: 'q' is not a queue"},
        Mistake{
            "neither_submitted_nor_now",
            R"({"format":"cede-cluster/1","groups":[{"id":"g"}],"queues":[{"id":"root"}],"nodes":[{"id":"n"}],
                    "jobs":[{"id":"j","queue":"root","tasks":[{}]}]})",
            "jobs[0]: has neither 'submitted' nor 'started'"}),
    [](const auto& info) { return std::string(info.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Topologies, Mistakes,
    testing::Values(
        Mistake{"null_gpus", cluster_with("", R"(,"topologies":{"t":{"gpus":null}})"),
                "topologies.t.gpus: missing"},
        Mistake{"no_gpus", cluster_with("", R"(,"topologies":{"t":{}})"), "topologies.t.gpus: missing"},
        Mistake{"too_many", cluster_with("", R"(,"topologies":{"t":{"gpus":65}})"),
                "topologies.t.gpus: 65 is outside 0..64"},
        Mistake{"numa_outside", cluster_with("", R"(,"topologies":{"t":{"gpus":2,"numa":[[0,2]]}})"),
                "topologies.t.numa: device 2 is outside 'gpus'"},
        Mistake{"numa_twice", cluster_with("", R"(,"topologies":{"t":{"gpus":2,"numa":[[0],[0,1]]}})"),
                "device 0 is listed twice"},
        Mistake{"link_of_one", cluster_with("", R"(,"topologies":{"t":{"gpus":2,"links":{"nvl":[[0]]}}})"),
                "a link joins at least two devices"},
        Mistake{"unknown_link",
                cluster_with("", R"(,"topologies":{"t":{"gpus":2,"links":{"nvlink":[[0,1]]}}})"),
                "topologies.t.links.nvlink: unknown field 'nvlink'"},
        Mistake{"model_count", cluster_with("", R"(,"topologies":{"t":{"gpus":2,"model":["a"]}})"),
                "has 1 entries for 2 gpus"},
        Mistake{"cores_without_numa", cluster_with("", R"(,"topologies":{"t":{"gpus":0,"cores":[8]}})"),
                "has 1 entries for 0 NUMA nodes"},
        Mistake{"file", cluster_with("", R"(,"topologies":{"t":{"hwloc_xml_file":"a.xml"}})"),
                "the library reads no files"},
        Mistake{"not_xml", cluster_with("", R"(,"topologies":{"t":{"hwloc_xml":"hello"}})"),
                "topologies.t.hwloc_xml: "},
        Mistake{"repeated", cluster_with("", R"(,"topologies":{"t":{"gpus":1},"t":{"gpus":1}})"),
                "'t' is given twice"},
        Mistake{"device_beyond_topology",
                cluster_with(job_with(R"("state":"running","started":1)",
                                      R"({"node":"n1","resources":{"gpu":1},"gpus":[4]})"),
                             R"(,"topologies":{"box4":{"gpus":4}})",
                             R"({"id":"n1","topology":"box4","resources":{"gpu":4}})"),
                "names device 4; node 'n1' has 0..3"},
        Mistake{"fewer_devices_than_gpus",
                cluster_with("", R"(,"topologies":{"box4":{"gpus":4}})",
                             R"({"id":"n1","topology":"box4","resources":{"gpu":8}})"),
                "nodes[0].topology: topology 'box4' has 4 devices, node 'n1' has 8 gpu"}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(ClusterReader, ReportsEveryMistakeItCanGoOnAfter) {
  Engine engine{Options{}};
  Problems problems;
  const std::string text =
      cluster_with(job_with(R"("prioirty":1,"class":11)") + ",\n" + job_with(R"("state":"runing")"));
  EXPECT_FALSE(engine.load(text, problems));
  ASSERT_EQ(problems.errors(), 4u);
  EXPECT_EQ(problems.all()[0].line, 1u);
  EXPECT_EQ(to_string(problems.all()[0].path), "jobs[0].prioirty");
  EXPECT_EQ(to_string(problems.all()[1].path), "jobs[0].class");
  EXPECT_EQ(to_string(problems.all()[2].path), "jobs[1].state");
  EXPECT_EQ(problems.all()[2].line, 2u);
  EXPECT_EQ(to_string(problems.all()[3].path), "jobs[1].id");
}

TEST(ClusterReader, CommonCompletesWhatIsNotGiven) {
  const std::string text =
      export_of(cluster_with(job_with(R"("waiting_since":null,"x-note":{"a":[1,2.50,"b\n"]})")));
  EXPECT_NE(text.find(R"("submitted":1000)"), std::string::npos)
      << "submitted is now where nothing else is said";
  EXPECT_NE(text.find(R"("x-note":{"a":[1,2.50,"b\n"]})"), std::string::npos)
      << "the site's fields are kept to the digit";
  EXPECT_EQ(text.find("waiting_since"), std::string::npos);
}

TEST(ClusterReader, WhatTheGroupCountsNeedsNoNode) {
  const auto with_licences = [](int asked) {
    return R"({"format":"cede-cluster/1","now":9,"groups":[{"id":"g","resources":{"licence":2}}],"queues":[{"id":"root"}],
               "nodes":[{"id":"n1","resources":{"cpu":8}}],"jobs":[{"id":"j","queue":"root","state":"running","started":1,
               "tasks":[{"node":"n1","resources":{"licence":)" +
           std::to_string(asked) + "}}]}]}";
  };
  EXPECT_EQ(load_fault(with_licences(2)), "");
  EXPECT_NE(load_fault(with_licences(3)).find("holds 3 licence, node 'n1' has 2"), std::string::npos);
}

TEST(ClusterReader, OrderInsideTheDocumentDoesNotMatter) {
  const std::string nodes = R"("nodes":[{"id":"n1","resources":{"gpu":8}}])";
  const std::string jobs =
      R"("jobs":[{"tasks":[{"node":"n1","resources":{"gpu":2}}],"started":5,"state":"running","queue":"root","id":"j"}])";
  const std::string queues = R"("queues":[{"parent":"root","id":"b"},{"id":"root"}])";
  const std::string groups = R"("groups":[{"id":"g"}])";
  const std::string format = R"("format":"cede-cluster/1","now":9)";
  const std::string first =
      export_of("{" + format + "," + groups + "," + queues + "," + nodes + "," + jobs + "}");
  const std::string second =
      export_of("{" + jobs + "," + nodes + "," + queues + "," + groups + "," + format + "}");
  EXPECT_EQ(first, second);
}

}  // namespace
}  // namespace cede
