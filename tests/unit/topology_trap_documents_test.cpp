// SPDX-License-Identifier: MIT
// The ten traps of topology, each on its example document, for every job that waits there.
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "planned_cluster.h"
#include "support/source_folder.h"

namespace cede {
namespace {

struct TrapCase {
  std::string_view document;
  std::string_view job;
  std::string_view answer;  // outcome and rule
  std::string_view victims;
  std::string_view places;
};

constexpr TrapCase kTrapCases[] = {
    {"free_and_freed", "asks", "wait no-set", "", ""},
    {"free_and_freed", "asks-other", "preempt", "far", "n1[0,1,4,5]"},
    {"co_tenant_cores", "asks", "preempt", "cores2,gpus2", "n2[0,1,2,3]"},
    {"co_tenant_cores", "asks-other", "preempt", "gpus1", "n1[0,1,2,3]"},
    {"draining_node", "asks", "preempt", "dear", "n2[0,1,2,3]"},
    {"draining_node", "asks-other", "wait nodes-unavailable", "", ""},
    {"exclusive_node", "asks", "preempt", "big", "n2[0]"},
    {"exclusive_node", "asks-other", "fits fits", "", "n1[0]"},
    {"mixed_models", "asks", "preempt", "other", "n1[0,2]"},
    {"mixed_models", "asks-other", "fits fits", "", "n1[2,3]"},
    {"degraded_link", "asks", "preempt", "linked", "n1[0,2]"},
    {"degraded_link", "asks-other", "fits fits", "", "n1[0,1]"},
    {"links_not_transitive", "asks", "impossible impossible", "", ""},
    {"links_not_transitive", "asks-other", "preempt", "middle", "n1[0,1,2]"},
    {"different_subsets", "asks", "preempt", "good", "n1[6,7]"},
    {"different_subsets", "asks-nic", "fits fits", "", "n1[0,4]"},
    {"different_subsets", "asks-numa", "fits fits", "", "n1[0,2]"},
    {"different_subsets", "asks-link", "fits fits", "", "n1[3,4]"},
    {"two_tasks_one_node", "asks", "preempt", "half", "n1[0,1] n1[2,3]"},
    {"two_tasks_one_node", "asks-other", "fits fits", "", "n1[0,1]"},
    {"other_order", "asks", "preempt", "near", "n1[0,3]"},
    {"other_order", "asks-other", "fits fits", "", "n1[0,1]"},
};

std::string examples() { return source_folder() + "/bindings/c/examples/topology/"; }

std::string file_of(std::string_view document) { return "trap-" + std::string(document) + ".json"; }

std::string text_of(std::string_view document) {
  const std::ifstream file(examples() + file_of(document));
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// Names a case where a test fails; GoogleTest would print bytes.
void PrintTo(const TrapCase& trap, std::ostream* out) { *out << trap.document << ' ' << trap.job; }

struct TrapDocuments : testing::TestWithParam<TrapCase> {};

TEST_P(TrapDocuments, AnswerAsTheTableSays) {
  const TrapCase& trap = GetParam();
  const PlannedCluster cluster(text_of(trap.document));
  ASSERT_TRUE(cluster.loaded);
  const Plan plan = cluster.plan(trap.job);
  EXPECT_EQ(cluster.fault(plan), "") << write_plan(plan, true);
  EXPECT_EQ(answer_of(plan), trap.answer) << plan.reason;
  EXPECT_EQ(victims_of(plan), trap.victims);
  EXPECT_EQ(places_of(plan), trap.places);
}

INSTANTIATE_TEST_SUITE_P(All, TrapDocuments, testing::ValuesIn(kTrapCases), [](const auto& info) {
  std::string name = std::string(info.param.document) + "_" + std::string(info.param.job);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(TrapFolder, HoldsTheDocumentsOfTheTable) {
  std::set<std::string> expected;
  for (const TrapCase& trap : kTrapCases) expected.insert(file_of(trap.document));
  EXPECT_EQ(expected.size(), 10u);
  std::set<std::string> found;
  for (const auto& entry : std::filesystem::directory_iterator(examples())) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("trap")) found.insert(name);
  }
  EXPECT_EQ(found, expected);
}

// A job that waits in a document and that the table forgets would show nothing.
TEST(TrapFolder, EveryWaitingJobIsInTheTable) {
  std::set<std::string> expected;
  std::set<std::string> found;
  for (const TrapCase& trap : kTrapCases) {
    const std::string document(trap.document);
    expected.insert(document + " " + std::string(trap.job));
    if (trap.job != "asks") continue;
    const Model model = PlannedCluster(text_of(document)).plan().model();
    model.jobs.for_each([&](JobId id, const JobCore& job) {
      if (job.state == JobState::pending) found.insert(document + " " + std::string(model.job_name(id)));
    });
  }
  EXPECT_EQ(found, expected);
}

}  // namespace
}  // namespace cede
