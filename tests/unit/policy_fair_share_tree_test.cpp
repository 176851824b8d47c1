// SPDX-License-Identifier: MIT
#include "policy/shares/fair_share.h"

#include "engine_fixture.h"
#include "fair_share_fixture.h"
#include "share_list.h"

namespace cede {
namespace {

// Two groups; g has 10 CPUs up, 10 drained and 10 down, counts 4 licences itself, and a node claims to have
// some too.
const std::string kTwoGroups = R"({"format":"cede-cluster/1","now":1000,
  "groups":[{"id":"g","resources":{"lic":4}},{"id":"h"}],
  "queues":[{"id":"root"},
            {"id":"a","parent":"root","weight":2.5,"guaranteed":{"cpu":3},"max":{"cpu":8,"lic":0}},
            {"id":"a.b","parent":"a","fair_share":0.25}],
  "nodes":[{"id":"n1","group":"g","resources":{"cpu":6,"lic":100}},
           {"id":"n2","group":"g","resources":{"cpu":4}},
           {"id":"n3","group":"g","resources":{"cpu":10},"state":"drain"},
           {"id":"n4","group":"g","resources":{"cpu":10},"state":"down"},
           {"id":"m1","group":"h","resources":{"cpu":50,"disk":7}}],
  "jobs":[{"id":"one","queue":"a.b","group":"g","started":1,"state":"running","max":{"cpu":7},
           "tasks":[{"node":"n1","resources":{"cpu":1,"lic":1}},{"node":"n3","resources":{"cpu":2}},
                    {"count":3,"resources":{"cpu":1}},{"resources":{"cpu":0.5}}]},
          {"id":"two","queue":"a","group":"g","fair_share":0.5,"tasks":[{"count":2,"resources":{"cpu":2}}]},
          {"id":"elsewhere","queue":"a","group":"h","started":1,"state":"running",
           "tasks":[{"node":"m1","resources":{"cpu":40}}]}]})";

class FairShareTreeOfAGroup : public testing::Test {
 protected:
  std::uint32_t resource(std::string_view name) const { return cluster_.model.find_resource(name); }
  const ShareElement& queue(std::string_view name) const {
    return tree_.tree.elements[tree_.element(cluster_.queue(name))];
  }
  std::uint32_t job(std::string_view name) const { return tree_.element(cluster_.job(name)); }
  Total demand(std::string_view name, std::string_view what) const {
    return tree_.tree.demand[job(name) * tree_.tree.resources() + resource(what)];
  }
  Share usage(std::uint32_t element, std::string_view what) const {
    return tree_.usage_of(element)[resource(what)];
  }

  FairCluster cluster_{kTwoGroups};
  FairShareTree tree_ = fair_share_tree(cluster_.effective(), cluster_.group());
};

TEST_F(FairShareTreeOfAGroup, CountsNodesThatAreUpAndWhatTheGroupItselfHas) {
  EXPECT_EQ(tree_.tree.capacity[resource("cpu")], 10 * kOne);
  EXPECT_EQ(tree_.tree.capacity[resource("lic")], 4 * kOne) << "as the group counts it, not its nodes";
  EXPECT_EQ(tree_.tree.capacity[resource("disk")], 0) << "only the other group has it";
  EXPECT_EQ(group_capacity(cluster_.model, cluster_.group("h"))[resource("cpu")], 50 * kOne);
}

TEST_F(FairShareTreeOfAGroup, KeepsWhatQueuesSay) {
  EXPECT_EQ(queue("root").parent, ShareElement::kNoParent);
  EXPECT_EQ(queue("root").weight, kOne);
  EXPECT_EQ(queue("root").given, kNoShare);
  EXPECT_EQ(queue("a").parent, tree_.element(cluster_.queue("root")));
  EXPECT_EQ(queue("a").weight, 2500);
  EXPECT_EQ(amount_of(queue("a").guarantee, resource("cpu")), 3 * kOne);
  EXPECT_EQ(amount_of(queue("a").max, resource("cpu"), kNoAmount), 8 * kOne);
  EXPECT_EQ(amount_of(queue("a").max, resource("lic"), kNoAmount), 0);
  EXPECT_EQ(queue("a.b").name, "a.b");
  EXPECT_EQ(queue("a.b").given, 25 * kPercent);
  EXPECT_FALSE(queue("a.b").is_job);
}

TEST_F(FairShareTreeOfAGroup, AJobDemandsItsPlacedAndItsWaitingTasks) {
  const ShareElement& one = tree_.tree.elements[job("one")];
  EXPECT_TRUE(one.is_job);
  EXPECT_EQ(one.name, "one");
  EXPECT_EQ(one.parent, tree_.element(cluster_.queue("a.b")));
  EXPECT_EQ(one.weight, kOne);
  EXPECT_EQ(amount_of(one.max, resource("cpu"), kNoAmount), 7 * kOne);
  EXPECT_EQ(demand("one", "cpu"), 6500);
  EXPECT_EQ(demand("one", "lic"), 1000);
  EXPECT_EQ(demand("two", "cpu"), 4000);
  EXPECT_EQ(tree_.tree.elements[job("two")].given, 50 * kPercent);
}

TEST_F(FairShareTreeOfAGroup, UsageIsWhatPlacedTasksHoldWhereverTheyAre) {
  EXPECT_EQ(usage(job("one"), "cpu"), 30 * kPercent);
  EXPECT_EQ(usage(job("one"), "lic"), 25 * kPercent);
  EXPECT_EQ(usage(job("two"), "cpu"), 0);
  for (const char* name : {"root", "a", "a.b"})
    EXPECT_EQ(usage(tree_.element(cluster_.queue(name)), "cpu"), 30 * kPercent) << name;
}

TEST_F(FairShareTreeOfAGroup, JobsOfOtherGroupsAreNotInIt) {
  EXPECT_EQ(job("elsewhere"), FairShareTree::kNoElement);
  EXPECT_EQ(tree_.tree.elements.size(), 5U);
  const FairShareTree other = fair_share_tree(cluster_.effective(), cluster_.group("h"));
  EXPECT_EQ(other.tree.elements.size(), 4U);
  EXPECT_EQ(other.usage_of(other.element(cluster_.queue("root")))[resource("cpu")], 80 * kPercent);
  EXPECT_EQ(other.element(cluster_.job("one")), FairShareTree::kNoElement);
}

TEST(FairShareTree, IsWhatTheComputationTakes) {
  // The guarantee of b covers p's demand; the rest is a's.
  const FairCluster cluster(R"({"format":"cede-cluster/1","now":1000,"groups":[{"id":"g"}],
    "queues":[{"id":"root"},{"id":"a","parent":"root"},{"id":"b","parent":"root","guaranteed":{"cpu":3}}],
    "nodes":[{"id":"n","resources":{"cpu":3}}],
    "jobs":[{"id":"o","queue":"a","state":"running","started":1,
             "tasks":[{"node":"n","resources":{"cpu":1}},{"node":"n","resources":{"cpu":1}},
                      {"node":"n","resources":{"cpu":1}}]},
            {"id":"p","queue":"b","tasks":[{"resources":{"cpu":1}}]}]})");
  const FairShareTree tree = fair_share_tree(cluster.effective(), cluster.group());
  const FairShares shares = compute_fair_shares(tree.tree);
  EXPECT_EQ(list(shares.fair_of(tree.element(cluster.job("p")))), (Shares{333'333'333'333}));
  EXPECT_EQ(list(shares.fair_of(tree.element(cluster.job("o")))), (Shares{666'666'666'667}));
  EXPECT_EQ(list(tree.usage_of(tree.element(cluster.job("o")))), (Shares{kFullShare}));
}

TEST(FairShareTree, AGroupWithNothingInItIsFine) {
  const FairCluster cluster(R"({"format":"cede-cluster/1","groups":[{"id":"g"}],"queues":[{"id":"root"}]})");
  const FairShareTree tree = fair_share_tree(cluster.effective(), cluster.group());
  EXPECT_EQ(tree.tree.elements.size(), 1U);
  EXPECT_EQ(compute_fair_shares(tree.tree).dominant, (Shares{0}));
}

}  // namespace
}  // namespace cede
