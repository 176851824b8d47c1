// SPDX-License-Identifier: MIT
#include "policy/shares/starvation.h"

#include "fair_share_fixture.h"
#include "share_list.h"

namespace cede {
namespace {

constexpr std::int64_t kEighty = 800'000'000;

// A job's usage, fair share and demand by resource, in percent unless `fine`.
struct Case {
  std::vector<Share> usage;
  std::vector<Share> fair;
  std::vector<Share> demand;
};

ShareStatus fine_status(const Case& given, std::int64_t tolerance = kEighty) {
  return share_status({given.usage, given.fair, given.demand}, tolerance);
}

ShareStatus status(Case given, std::int64_t tolerance = kEighty) {
  for (auto* row : {&given.usage, &given.fair, &given.demand}) {
    for (Share& share : *row) share *= kPercent;
  }
  return fine_status(given, tolerance);
}

constexpr auto kNormal = ShareStatus::normal;
constexpr auto kBelow = ShareStatus::below_fair_share;

TEST(ShareStatus, ToleranceIsAPartOfTheFairShare) {
  EXPECT_EQ(status({{39}, {50}, {90}}), kBelow);
  EXPECT_EQ(status({{40}, {50}, {90}}), kNormal);
  EXPECT_EQ(status({{40}, {50}, {90}}, 900'000'000), kBelow);
  EXPECT_EQ(status({{0}, {50}, {90}}, 0), kNormal);
}

TEST(ShareStatus, ThereIsNoToleranceWhereTheFairShareCoversTheDemand) {
  EXPECT_EQ(status({{49}, {50}, {50}}), kBelow);
  EXPECT_EQ(status({{50}, {50}, {50}}), kNormal);
  EXPECT_EQ(status({{49, 0}, {50, 10}, {50, 20}}), kBelow) << "only one of two: the other decides, with it";
  EXPECT_EQ(status({{40, 9}, {50, 10}, {50, 20}}), kNormal);
}

TEST(ShareStatus, AFairShareAboveTheDemandAsksForNoMoreThanTheDemand) {
  EXPECT_EQ(status({{30}, {90}, {30}}), kNormal);
  EXPECT_EQ(status({{29}, {90}, {30}}), kBelow);
}

TEST(ShareStatus, AResourceWhoseFairShareMeetsTheDemandDoesNotCount) {
  // It has all of the first it wants and too little of the second.
  EXPECT_EQ(status({{30, 10}, {30, 40}, {30, 80}}), kBelow);
  // It has none of the first, which does not matter while it has its part of the second.
  EXPECT_EQ(status({{0, 40}, {30, 40}, {30, 80}}), kNormal);
}

TEST(ShareStatus, EveryResourceThatCountsMustBeBelow) {
  EXPECT_EQ(status({{10, 10}, {50, 25}, {90, 45}}), kBelow);
  EXPECT_EQ(status({{50, 10}, {50, 25}, {90, 45}}), kNormal);
  EXPECT_EQ(status({{10, 25}, {50, 25}, {90, 45}}), kNormal);
}

TEST(ShareStatus, WhereAllMeetTheDemandOneThatIsLackingIsEnough) {
  EXPECT_EQ(status({{50, 10}, {50, 20}, {50, 20}}), kBelow);
  EXPECT_EQ(status({{50, 20}, {50, 20}, {50, 20}}), kNormal);
  EXPECT_EQ(status({{0, 10, 0}, {0, 20, 0}, {0, 20, 0}}), kBelow) << "what it does not demand is not lacking";
}

TEST(ShareStatus, NothingDemandedOrDueIsNormal) {
  EXPECT_EQ(status({{0}, {0}, {0}}), kNormal);
  EXPECT_EQ(status({{0}, {0}, {50}}), kNormal);
  EXPECT_EQ(fine_status({}), kNormal);
}

TEST(ShareStatus, DifferencesUpToABillionthAreNone) {
  const Share half = 50 * kPercent;
  EXPECT_EQ(fine_status({{half - 1000}, {half}, {half}}), kNormal);
  EXPECT_EQ(fine_status({{half - 1001}, {half}, {half}}), kBelow);
  // The fair share meets the demand up to a billionth, so there is no tolerance.
  EXPECT_EQ(fine_status({{45 * kPercent}, {half}, {half + 1000}}), kBelow);
  EXPECT_EQ(fine_status({{45 * kPercent}, {half}, {half + 1001}}), kNormal);
}

constexpr StarvationTerms kTerms{
    .timeout = 30 * kSecond, .aggressive_timeout = 120 * kSecond, .tolerance = kEighty, .aggressive = true};
constexpr Time kNow = 1'000 * kSecond;

Starvation below_for(Duration time, const StarvationTerms& terms = kTerms) {
  return starvation(kBelow, kNow - time, kNow, terms);
}

TEST(Starvation, BeginsWhenBelowForLongerThanTheTimeout) {
  EXPECT_EQ(below_for(30 * kSecond), Starvation::non_starving);
  EXPECT_EQ(below_for(30 * kSecond + 1), Starvation::starving);
  EXPECT_EQ(below_for(120 * kSecond), Starvation::starving);
  EXPECT_EQ(below_for(120 * kSecond + 1), Starvation::aggressively_starving);
  EXPECT_EQ(below_for(-5 * kSecond), Starvation::non_starving);
}

TEST(Starvation, IsAggressiveOnlyWhereEnabledAndAfterTheFirst) {
  StarvationTerms terms = kTerms;
  terms.aggressive = false;
  EXPECT_EQ(below_for(kHour, terms), Starvation::starving);
  terms = kTerms;
  terms.timeout = 300 * kSecond;
  EXPECT_EQ(below_for(200 * kSecond, terms), Starvation::non_starving);
  EXPECT_EQ(below_for(301 * kSecond, terms), Starvation::aggressively_starving);
}

TEST(Starvation, IsClearedAtOnceWhenSatisfied) {
  EXPECT_EQ(starvation(kNormal, kNow - kHour, kNow, kTerms), Starvation::non_starving);
  EXPECT_EQ(starvation(kBelow, kNoTime, kNow, kTerms), Starvation::non_starving);
}

TEST(Starvation, TheClockStartsOnceAndIsClearedAtOnce) {
  EXPECT_EQ(below_since(kBelow, kNoTime, kNow), kNow);
  EXPECT_EQ(below_since(kBelow, kNow - 5, kNow), kNow - 5);
  EXPECT_EQ(below_since(kNormal, kNow - 5, kNow), kNoTime);
}

// A queue that overrides its parent, and jobs that ask for more and for less patience.
const std::string kStarvingCluster = R"({"format":"cede-cluster/1","now":1000,"groups":[{"id":"g"}],
  "queues":[{"id":"root","settings":{"fair_share_starvation_timeout":40,"enable_aggressive_starvation":true}},
            {"id":"a","parent":"root","settings":{"fair_share_starvation_tolerance":0.7}}],
  "jobs":[{"id":"plain","queue":"a","tasks":[{}]},
          {"id":"patient","queue":"a","tasks":[{}],"settings":{"fair_share_starvation_timeout":50,
            "fair_share_aggressive_starvation_timeout":"5m","fair_share_starvation_tolerance":0.5}},
          {"id":"impatient","queue":"a","tasks":[{}],"settings":{"fair_share_starvation_timeout":1,
            "fair_share_aggressive_starvation_timeout":2,"fair_share_starvation_tolerance":0.9}}]})";

TEST(Starvation, AJobMayOnlyBeMorePatientThanItsQueue) {
  const FairCluster cluster(kStarvingCluster);
  const auto terms = [&](std::string_view job) {
    return starvation_terms(cluster.effective(), cluster.job(job));
  };
  for (const char* job : {"plain", "impatient"}) {
    EXPECT_EQ(terms(job).timeout, 40 * kSecond) << job;
    EXPECT_EQ(terms(job).aggressive_timeout, 120 * kSecond) << job;
    EXPECT_EQ(terms(job).tolerance, 700'000'000) << job;
    EXPECT_TRUE(terms(job).aggressive) << job;
  }
  EXPECT_EQ(terms("patient").timeout, 50 * kSecond);
  EXPECT_EQ(terms("patient").aggressive_timeout, 300 * kSecond);
  EXPECT_EQ(terms("patient").tolerance, 500'000'000);
}

TEST(Starvation, TheDefaultsAreThoseOfTheProfile) {
  const FairCluster cluster(
      R"({"format":"cede-cluster/1","now":1,"groups":[{"id":"g"}],"queues":[{"id":"root"}],
          "jobs":[{"id":"j","queue":"root","tasks":[{}]}]})");
  const StarvationTerms terms = starvation_terms(cluster.effective(), cluster.job("j"));
  EXPECT_EQ(terms.timeout, 30 * kSecond);
  EXPECT_EQ(terms.aggressive_timeout, 120 * kSecond);
  EXPECT_EQ(terms.tolerance, kEighty);
  EXPECT_FALSE(terms.aggressive);
}

}  // namespace
}  // namespace cede
