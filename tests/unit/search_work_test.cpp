// SPDX-License-Identifier: MIT
// `search_work` bounds everything a question does. Each part is driven to its worst case; what is checked is
// the counted work, for time is nothing that a test can rely on (cede_worst_bench measures it).
#include <gtest/gtest.h>

#include "base/work.h"
#include "engine_fixture.h"
#include "search/decision_context.h"
#include "support/worst_cases.h"
#include "verify/verify.h"

namespace cede {
namespace {

TEST(Work, ends_when_more_is_spent_than_allowed) {
  Work work(10);
  EXPECT_TRUE(work.spend(10));
  EXPECT_FALSE(work.ended());
  EXPECT_FALSE(work.spend(1));
  EXPECT_TRUE(work.ended());
  EXPECT_EQ(work.left(), 0u);
  EXPECT_EQ(work.spent(), 11u);
}

TEST(Work, a_share_is_never_more_than_the_whole) {
  Work work(100);
  {
    const WorkShare share(work, 30);
    EXPECT_EQ(work.left(), 30u);
    {
      const WorkShare more(work, 1000);
      EXPECT_EQ(work.left(), 30u);
    }
    work.spend(40);
    EXPECT_TRUE(work.ended());
  }
  EXPECT_FALSE(work.ended());
  EXPECT_EQ(work.left(), 60u);
  const WorkShare everything(work, Work::kUnlimited);
  EXPECT_EQ(work.left(), 60u);
}

TEST(Work, what_was_done_elsewhere_counts) {
  Work work(10);
  Work other;
  other.spend(11);
  other.leave_open();
  work.add(other);
  EXPECT_TRUE(work.ended());
  EXPECT_EQ(work.left_open(), 1u);
}

class WorstCases : public testing::TestWithParam<std::string> {};

struct Answered {
  Plan plan;
  std::string fault;
};

Answered answer(const cede_test::WorstCase& given, const std::string& limits) {
  Answered out;
  Engine engine{Options{}};
  Problems problems;
  std::string policy = given.policy;
  if (!limits.empty() && policy.find("\"limits\"") == std::string::npos)
    policy.insert(policy.size() - 1, ",\"limits\":{" + limits + "}");
  EXPECT_TRUE(engine.set_policy(policy, problems) && engine.load(given.cluster, problems))
      << (problems.all().empty() ? "" : problems.all()[0].message());
  const std::string relief = "relief:";
  std::optional<Plan> made =
      given.asks.starts_with(relief)
          ? engine.plan_relief(given.asks.substr(relief.size()), {}, kNoTime, {}, problems)
          : engine.plan(given.asks, kNoTime, {}, problems);
  EXPECT_TRUE(made) << (problems.all().empty() ? "" : problems.all()[0].message());
  if (!made) return out;
  out.plan = std::move(*made);
  out.fault = verify(out.plan, *engine.policies());
  return out;
}

// What is done once more although the work has ended: a tenth, for looks at many nodes are counted when they
// are done.
constexpr std::uint64_t with_margin(std::uint64_t limit) { return limit + limit / 10; }

TEST_P(WorstCases, stay_within_the_work_allowed) {
  const Answered found = answer(cede_test::worst_case(GetParam()), {});
  EXPECT_EQ(found.fault, "");
  EXPECT_LE(found.plan.spent, with_margin(kFirstAnswerWork + 10'000'000));
}

TEST_P(WorstCases, stay_within_less_work_and_say_so) {
  const Answered found = answer(cede_test::worst_case(GetParam()), R"("search_work":1000)");
  EXPECT_EQ(found.fault, "");
  EXPECT_LE(found.plan.spent, with_margin(kFirstAnswerWork + 1000));
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Search, WorstCases, testing::ValuesIn(cede_test::worst_case_names()), test_name);

}  // namespace
}  // namespace cede
