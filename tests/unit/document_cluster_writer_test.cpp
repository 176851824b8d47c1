// SPDX-License-Identifier: MIT
#include "document/document.h"

#include <cstdlib>

#include "engine_fixture.h"
#include "random_cluster.h"

namespace cede {
namespace {

// What the document said survives: every member and number of the input is in the export again, or the export
// would not load to the same model. Checked by exporting twice and from shuffled input.
TEST(ClusterWriter, ExportLoadsBackToTheSameModel) {
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    RandomCluster cluster(seed);
    const std::string first = export_of(cluster.document());
    ASSERT_EQ(export_of(first), first) << "seed " << seed;
    ASSERT_EQ(export_of(cluster.document(true)), first) << "seed " << seed << ", shuffled";
    if (HasFailure()) return;
  }
}

TEST(ClusterWriter, KeepsEveryFieldOfTheDocument) {
  const std::string text =
      R"({"format":"cede-cluster/1","now":1760000000,"x-s":1,)"
      "\n"
      R"("topologies":{)"
      "\n"
      R"("t":{"gpus":2,"model":["A",null],"numa":[[0,1]],"cores":[8],"links":{"nvl":[{"devices":[0,1],"lanes":4}]},"nics":[{"near":[0]}],"degraded":[[0,1]]}},)"
      "\n"
      R"("network":{"levels":["leaf"],)"
      "\n"
      R"("domains":[)"
      "\n"
      R"({"id":"l1","level":"leaf"}]},)"
      "\n"
      R"("groups":[)"
      "\n"
      R"({"id":"g","policy":"p","resources":{"lic":2.5}}],)"
      "\n"
      R"("reservations":[)"
      "\n"
      R"({"id":"r","nodes":["n1"],"from":5,"until":6,"for":{"user":"u"}}],)"
      "\n"
      R"("queues":[)"
      "\n"
      R"({"id":"root","guaranteed":{"gpu":1},"max":{"cpu":0,"gpu":2},"weight":0.5,"kind":"service","preemption":{"policy":"fence","delay":30},"priority_offset":-2,"settings":{"grace":"10s"},"fair_share":0.25}],)"
      "\n"
      R"("nodes":[)"
      "\n"
      R"({"id":"n1","group":"g","resources":{"cpu":8,"gpu":2},"topology":"t","network":["l1"],"state":"drain","home":"root","fingerprint":{"driver":"5"},"fingerprint_at":7,"labels":{"zone":"a"},"overcommit_since":8}],)"
      "\n"
      R"("jobs":[)"
      "\n"
      R"({"id":"j","queue":"root","group":"g","app":"a","user":"u","project":"p","tenant":"d","kind":"batch","state":"running","priority":-3,"class":9,"gang":true,"min_tasks":1,"submitted":1,"waiting_since":2,"started":3,"resumed":4,"walltime":3600.5,)"
      R"("checkpoint":{"mode":"manual","last":5,"estimate":6,"timeout":7,"restart":8,"via":"callback"},"preemptible":"last-resort","may_preempt":false,"value":1.5,"preempted_count":2,"resume":true,"interruptible":true,"max":{"gpu":0},"settings":{"fair_share_starvation_tolerance":0.5},"fair_share":0.000000000001,"below_fair_share_since":9,)"
      R"("require":{"nodes":{"min":1,"max":2},"gpus":[{"scope":"node","level":"pcie","mode":"connected","strength":"prefer"}],"nic":{"level":"socket","per_gpu":false},"cpu":{"numa":"restricted"},"network":[{"level":"leaf","max_domains":3}],"exclusive":"domain:leaf","conformance":{"mode":"prefer","components":["driver"],"scope":"segment","max_age":60},"placement":"spread","hosts":{"exclude":["n9"]}},)"
      R"("tasks":[{"id":"a","node":"n1","resources":{"gpu":1.5},"gpus":[0,{"index":1,"share":0.5}],"started":3,"priority":4,"originator":true,"preemptible":false,"may_preempt":true},{"count":2,"resources":{"cpu":1},"required_node":"n1","x-t":"y"}]}]})"
      "\n";
  EXPECT_EQ(export_of(text), text);
}

TEST(ClusterWriter, KeepsSiteFieldsOfLinksAndDevices) {
  const std::string topology =
      R"(,"topologies":{"t":{"gpus":4,"links":{"x-l":1,"nvl":[{"x-a":"b","devices":[0,1]},{"devices":[2,3],"lanes":2,"x-a":"c"}]}}})";
  const std::string job = job_with(
      R"("state":"running","started":1)",
      R"({"node":"n1","resources":{"gpu":1.5},"gpus":[{"x-u":7,"index":1,"share":0.5},{"index":0,"share":1,"x-u":8}]})");
  const std::string first = export_of(cluster_with(job, topology));
  for (const char* kept :
       {R"({"devices":[0,1],"x-a":"b"})", R"({"devices":[2,3],"lanes":2,"x-a":"c"})", R"("x-l":1)",
        R"({"index":1,"share":0.5,"x-u":7})", R"({"index":0,"share":1,"x-u":8})"}) {
    EXPECT_NE(first.find(kept), std::string::npos) << kept << " in " << first;
  }
  EXPECT_EQ(export_of(first), first);
}

}  // namespace
}  // namespace cede
