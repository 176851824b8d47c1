// SPDX-License-Identifier: MIT
#include "engine/policy_check.h"

#include "engine_fixture.h"

namespace cede {
namespace {

std::string policy(std::string_view policies) {
  return R"({"format":"cede-policy/1","policies":{)" + std::string(policies) + "}}";
}

TEST(PolicyCheck, PriorityDependsOnTheProfile) {
  const std::string text = cluster_with(job_with(R"("priority":101)"));
  EXPECT_EQ(load_fault(text), "") << "alone, what depends on the policy is not tested";
  EXPECT_EQ(load_fault(text, kPriorityPolicy).substr(0, 50),
            "jobs[0].priority: 101 is outside 0..100 (line 1, c");
  EXPECT_EQ(load_fault(text, policy(R"("default":{"profile":"class-cost"})")), "");
  const std::string task = cluster_with(job_with("", R"({"priority":-1})"));
  EXPECT_EQ(load_fault(task, kPriorityPolicy).substr(0, 47),
            "jobs[0].tasks[0].priority: -1 is outside 0..100");
}

TEST(PolicyCheck, EveryGroupHasAPolicy) {
  const std::string text = R"({"format":"cede-cluster/1","groups":[{"id":"x","policy":"gold"},{"id":"y"}]})";
  EXPECT_NE(load_fault(text, kPriorityPolicy).find("groups[0].policy: 'gold' is not a policy; 1 is known"),
            std::string::npos)
      << load_fault(text, kPriorityPolicy);
  EXPECT_EQ(load_fault(text, policy(R"("gold":{"profile":"quota"})")), "")
      << "the only policy serves a group that names none";
  EXPECT_NE(load_fault(text, policy(R"("gold":{"profile":"quota"},"b":{"profile":"quota"})"))
                .find("groups[1].policy: missing"),
            std::string::npos);
}

TEST(PolicyCheck, SettingsBelongToAProfileInUse) {
  const std::string text =
      cluster_with("", "", R"({"id":"n"})", R"({"id":"root","settings":{"class_rule":"banded"}})");
  EXPECT_EQ(load_fault(text), "");
  EXPECT_NE(
      load_fault(text, kPriorityPolicy)
          .find("queues[0].settings.class_rule: 'class_rule' is a setting of class-cost, not of priority"),
      std::string::npos)
      << load_fault(text, kPriorityPolicy);
  EXPECT_EQ(load_fault(text, policy(R"("default":{"profile":"priority"},"b":{"profile":"class-cost"})")), "");
}

TEST(PolicyCheck, InheritedSettingsMayContradict) {
  const std::string text = cluster_with(
      "", "", R"({"id":"n"})",
      R"({"id":"root","settings":{"preemption_satisfaction_threshold":0.5,"fair_share_starvation_tolerance":0.5}},
                                           {"id":"a","parent":"root","settings":{"aggressive_preemption_satisfaction_threshold":0.6}})");
  const std::string fault = load_fault(text, policy(R"("default":{"profile":"fair-share"})"));
  EXPECT_NE(fault.find("queues[1].settings.aggressive_preemption_satisfaction_threshold"), std::string::npos)
      << fault;
}

TEST(PolicyCheck, QuotaGangsAreAlike) {
  const std::string text = cluster_with(job_with("", R"({"preemptible":true},{"preemptible":false})"));
  const std::string fault = load_fault(text, policy(R"("default":{"profile":"quota"})"));
  EXPECT_NE(fault.find("jobs[0].tasks[1].preemptible: differs"), std::string::npos) << fault;
  EXPECT_EQ(load_fault(text, policy(R"("default":{"profile":"guarantee"})")), "");
}

TEST(PolicyCheck, QuotaGangsAreJudgedByWhatCounts) {
  const std::string quota = policy(R"("default":{"profile":"quota"})");
  EXPECT_EQ(load_fault(cluster_with(job_with("", R"({"preemptible":true},{})")), quota), "")
      << "the default is true";
  const std::string queues = R"({"id":"root","kind":"service"})";
  EXPECT_EQ(load_fault(cluster_with(job_with("", R"({"preemptible":true},{"preemptible":false})"), "",
                                    R"({"id":"n"})", queues),
                       quota),
            "")
      << "a service is no gang, and the kind is its queue's";
}

TEST(PolicyCheck, APolicyIsHeldAgainstTheLoadedCluster) {
  Engine engine{Options{}};
  Problems problems;
  ASSERT_TRUE(engine.load(cluster_with(job_with(R"("priority":101)")), problems));
  EXPECT_FALSE(engine.set_policy(kPriorityPolicy, problems));
  EXPECT_EQ(problems.all().at(0).message(), "jobs.j.priority: 101 is outside 0..100");
  Problems fine;
  EXPECT_TRUE(engine.set_policy(policy(R"("default":{"profile":"quota"})"), fine));
}

TEST(Warnings, ChildrenMayBePromisedTooMuch) {
  Engine engine{Options{}};
  Problems problems;
  const std::string queues =
      R"({"id":"root","guaranteed":{"gpu":4}},{"id":"a","parent":"root","guaranteed":{"gpu":3}},
                                {"id":"b","parent":"root","guaranteed":{"gpu":2}})";
  EXPECT_TRUE(engine.load(cluster_with("", "", R"({"id":"n"})", queues), problems));
  EXPECT_FALSE(problems.failed());
  ASSERT_EQ(problems.all().size(), 1u);
  EXPECT_NE(problems.all()[0].message().find(
                "queues[0].guaranteed.gpu: the children of 'root' are guaranteed 5, the queue itself only 4"),
            std::string::npos)
      << problems.all()[0].message();
}

TEST(Warnings, OvercommitIsLegalButReported) {
  Engine engine{Options{}};
  Problems problems;
  const std::string tasks = R"({"node":"n1","resources":{"cpu":40}},{"node":"n1","resources":{"cpu":40}})";
  const std::string text = cluster_with(job_with(R"("state":"running","started":1759990000)", tasks));
  engine.check(text, problems);
  EXPECT_FALSE(problems.failed());
  ASSERT_EQ(problems.all().size(), 1u);
  EXPECT_NE(problems.all()[0].message().find("nodes[0]: is overcommitted: its tasks hold 80 cpu, it has 64"),
            std::string::npos)
      << problems.all()[0].message();
}

}  // namespace
}  // namespace cede
