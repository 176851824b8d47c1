// SPDX-License-Identifier: MIT
#include "policy/shares/fair_share.h"

#include <gtest/gtest.h>

#include <numeric>

#include "fair_share_oracle.h"
#include "random_share_tree.h"
#include "share_list.h"

namespace cede {
namespace {

std::string text_of(const ShareTree& tree) {
  std::string out = "capacity";
  for (const Total c : tree.capacity) out += ' ' + format_total(c);
  for (std::size_t i = 0; i < tree.elements.size(); ++i) {
    const ShareElement& e = tree.elements[i];
    out += '\n' + std::to_string(i) + (e.is_job ? " job " : " queue ") + std::string(e.name);
    if (e.parent != ShareElement::kNoParent) out += " in " + std::to_string(e.parent);
    out += " weight " + std::to_string(e.weight) + " given " + std::to_string(e.given) + " demand";
    for (std::size_t r = 0; r < tree.resources(); ++r)
      out += ' ' + format_total(tree.demand[i * tree.resources() + r]);
    for (const ResourceAmount& a : e.guarantee)
      out += " guarantee" + std::to_string(a.resource) + "=" + format_amount(a.amount);
    for (const ResourceAmount& a : e.max)
      out += " max" + std::to_string(a.resource) + "=" + format_amount(a.amount);
  }
  return out;
}

std::span<const Share> cap_of(const FairShares& shares, std::size_t element) {
  return std::span(shares.cap).subspan(element * shares.resources, shares.resources);
}

struct Terms {
  Amount weight = kOne;
  std::vector<Amount> guarantee = {};  // -1: not named
  std::vector<Amount> max = {};
  Share given = kNoShare;
};

// A tree written down by hand, its amounts in whole units; capacity 1000 of each resource.
class Small {
 public:
  explicit Small(std::size_t resources = 1) {
    owned_.tree.capacity.assign(resources, 1000 * kOne);
    owned_.add({.name = "root"});
  }

  std::uint32_t queue(std::string name, const Terms& terms, std::uint32_t parent = 0) {
    return owned_.add(element(std::move(name), terms, parent, false));
  }
  std::uint32_t job(std::string name, const std::vector<Amount>& demand, std::uint32_t parent = 0,
                    const Terms& terms = {}) {
    std::vector<Total> amounts;
    for (const Amount amount : demand) amounts.push_back(static_cast<Total>(amount) * kOne);
    return owned_.add(element(std::move(name), terms, parent, true), amounts);
  }

  ShareTree& tree() { return owned_.tree; }
  FairShares compute() const { return compute_fair_shares(owned_.tree); }
  Shares fair(std::uint32_t element) const { return list(compute().fair_of(element)); }

 private:
  ResourceView view(const std::vector<Amount>& amounts) {
    std::vector<ResourceAmount> entries;
    for (std::uint32_t r = 0; r < amounts.size(); ++r) {
      if (amounts[r] >= 0) entries.push_back({amounts[r] * kOne, r, 0});
    }
    return owned_.keep(std::move(entries));
  }
  ShareElement element(std::string name, const Terms& terms, std::uint32_t parent, bool is_job) {
    return {.parent = parent,
            .is_job = is_job,
            .name = owned_.keep(std::move(name)),
            .weight = terms.weight,
            .given = terms.given,
            .guarantee = view(terms.guarantee),
            .max = view(terms.max)};
  }
  OwnedShareTree owned_;
};

TEST(FairShare, ADemandThatFitsIsMetInFull) {
  Small tree(2);
  const auto a = tree.job("a", {300, 100});
  const auto b = tree.job("b", {700, 0});
  const FairShares shares = tree.compute();
  EXPECT_EQ(list(shares.fair_of(a)), (Shares{30 * kPercent, 10 * kPercent}));
  EXPECT_EQ(list(shares.fair_of(b)), (Shares{70 * kPercent, 0}));
  EXPECT_EQ(list(shares.fair_of(0)), (Shares{100 * kPercent, 10 * kPercent}));
  EXPECT_EQ(shares.dominant[a], 30 * kPercent);
}

TEST(FairShare, JobsOfOneQueueShareEquallyAndTheRemainderGoesInByteOrder) {
  Small tree;
  const auto z = tree.job("z", {900});
  const auto b = tree.job("b", {900});
  const auto capital = tree.job("B", {900});
  EXPECT_EQ(tree.fair(capital), (Shares{333'333'333'334}));
  EXPECT_EQ(tree.fair(b), (Shares{333'333'333'333}));
  EXPECT_EQ(tree.fair(z), (Shares{333'333'333'333}));
}

TEST(FairShare, NamesAreComparedAsBytesBeyondTheirFirstEight) {
  Small tree;
  const auto last = tree.job("job-number-\xC3\xA4", {900});
  const auto second = tree.job("job-number-2", {900});
  const auto first = tree.job("job-number-10", {900});
  EXPECT_EQ(tree.fair(first), (Shares{333'333'333'334}));
  EXPECT_EQ(tree.fair(second), (Shares{333'333'333'333}));
  EXPECT_EQ(tree.fair(last), (Shares{333'333'333'333}));
}

TEST(FairShare, AQueueComesBeforeAJobOfTheSameName) {
  Small tree;
  const auto job = tree.job("same", {900});
  const auto queue = tree.queue("same", {});
  tree.job("inside", {900}, queue);
  const auto other = tree.job("t", {900});
  EXPECT_EQ(tree.fair(queue), (Shares{333'333'333'334}));
  EXPECT_EQ(tree.fair(job), (Shares{333'333'333'333}));
  EXPECT_EQ(tree.fair(other), (Shares{333'333'333'333}));
}

TEST(FairShare, TheLevelRisesByWeight) {
  Small tree;
  const auto a = tree.queue("a", {.weight = 1 * kOne});
  const auto b = tree.queue("b", {.weight = 2 * kOne});
  tree.job("ja", {1000}, a);
  tree.job("jb", {1000}, b);
  EXPECT_EQ(tree.fair(a), (Shares{333'333'333'334}));
  EXPECT_EQ(tree.fair(b), (Shares{666'666'666'666}));
}

TEST(FairShare, WhatOneDoesNotDemandTheOthersGet) {
  Small tree;
  const auto a = tree.job("a", {100});
  const auto b = tree.job("b", {600});
  const auto c = tree.job("c", {600});
  EXPECT_EQ(tree.fair(a), (Shares{10 * kPercent}));
  EXPECT_EQ(tree.fair(b), (Shares{45 * kPercent}));
  EXPECT_EQ(tree.fair(c), (Shares{45 * kPercent}));
}

TEST(FairShare, ADemandIsCutToMaxInJobsAndQueues) {
  Small tree;
  const auto limited = tree.queue("limited", {.max = {200}});
  const auto inside = tree.job("inside", {900}, limited);
  const auto job = tree.job("job", {900}, 0, {.max = {100}});
  const auto rest = tree.job("rest", {900});
  const FairShares shares = tree.compute();
  EXPECT_EQ(list(shares.demand_of(inside)), (Shares{90 * kPercent}));
  EXPECT_EQ(list(shares.demand_of(limited)), (Shares{90 * kPercent}));
  EXPECT_EQ(list(cap_of(shares, limited)), (Shares{20 * kPercent}));
  EXPECT_EQ(list(shares.demand_of(0)), (Shares{120 * kPercent})) << "the sum of the children's caps";
  EXPECT_EQ(list(shares.fair_of(inside)), (Shares{20 * kPercent}));
  EXPECT_EQ(list(shares.fair_of(job)), (Shares{10 * kPercent}));
  EXPECT_EQ(list(shares.fair_of(rest)), (Shares{70 * kPercent}));
}

TEST(FairShare, AMaxOfZeroForbids) {
  Small tree(2);
  const auto job = tree.job("job", {100, 100}, 0, {.max = {-1, 0}});
  EXPECT_EQ(tree.fair(job), (Shares{10 * kPercent, 0}));
}

TEST(FairShare, AGuaranteeComesFirstUpToTheDemand) {
  Small tree;
  const auto a = tree.queue("a", {.guarantee = {700}});
  tree.job("ja", {1000}, a);
  const auto b = tree.queue("b", {.guarantee = {900}});
  tree.job("jb", {100}, b);
  const auto c = tree.queue("c", {});
  tree.job("jc", {1000}, c);
  EXPECT_EQ(tree.fair(a), (Shares{70 * kPercent}));
  EXPECT_EQ(tree.fair(b), (Shares{10 * kPercent}));
  EXPECT_EQ(tree.fair(c), (Shares{20 * kPercent}));
}

TEST(FairShare, AGuaranteeIsAFloorNotAnAddition) {
  Small tree;
  const auto a = tree.queue("a", {.guarantee = {300}});
  tree.job("ja", {1000}, a);
  const auto b = tree.queue("b", {});
  tree.job("jb", {1000}, b);
  EXPECT_EQ(tree.fair(a), (Shares{50 * kPercent}));
  EXPECT_EQ(tree.fair(b), (Shares{50 * kPercent}));
}

TEST(FairShare, GuaranteesThatDoNotFitAreCutByWeight) {
  Small tree;
  const auto parent = tree.queue("p", {.max = {600}});
  const auto a = tree.queue("a", {.weight = 1 * kOne, .guarantee = {1000}}, parent);
  const auto b = tree.queue("b", {.weight = 2 * kOne, .guarantee = {1000}}, parent);
  const auto c = tree.queue("c", {.weight = 1 * kOne, .guarantee = {60}}, parent);
  for (const auto queue : {a, b, c}) tree.job("j" + std::to_string(queue), {1000}, queue);
  EXPECT_EQ(tree.fair(parent), (Shares{60 * kPercent}));
  EXPECT_EQ(tree.fair(a), (Shares{18 * kPercent}));
  EXPECT_EQ(tree.fair(b), (Shares{36 * kPercent}));
  EXPECT_EQ(tree.fair(c), (Shares{6 * kPercent})) << "below its part, so it keeps its own";
}

TEST(FairShare, TheRemainderOfCutGuaranteesGoesInByteOrder) {
  Small tree;
  std::vector<std::uint32_t> queues;
  for (const char* name : {"c", "b", "a"}) {
    queues.push_back(tree.queue(name, {.guarantee = {1000}}));
    tree.job(std::string("j") + name, {1000}, queues.back());
  }
  EXPECT_EQ(tree.fair(queues[0]), (Shares{333'333'333'333}));
  EXPECT_EQ(tree.fair(queues[1]), (Shares{333'333'333'333}));
  EXPECT_EQ(tree.fair(queues[2]), (Shares{333'333'333'334}));
}

TEST(FairShare, SharesKeepTheProportionsOfTheDemand) {
  Small tree(2);
  const auto a = tree.job("a", {1000, 500});
  const auto b = tree.job("b", {1000, 100});
  EXPECT_EQ(tree.fair(a), (Shares{50 * kPercent, 25 * kPercent}));
  EXPECT_EQ(tree.fair(b), (Shares{50 * kPercent, 5 * kPercent}));
}

TEST(FairShare, TheLevelCountsInEveryonesLargestResource) {
  Small tree(2);
  const auto a = tree.job("a", {900, 300});
  const auto b = tree.job("b", {300, 900});
  EXPECT_EQ(tree.fair(a), (Shares{75 * kPercent, 25 * kPercent}));
  EXPECT_EQ(tree.fair(b), (Shares{25 * kPercent, 75 * kPercent}));
}

TEST(FairShare, AnElementThatNeedsAUsedUpResourceFreezesAndTheOthersGoOn) {
  Small tree(2);
  const auto a = tree.job("a", {1000, 200});
  const auto b = tree.job("b", {1000, 200});
  const auto c = tree.job("c", {0, 900});
  EXPECT_EQ(tree.fair(a), (Shares{50 * kPercent, 10 * kPercent}));
  EXPECT_EQ(tree.fair(b), (Shares{50 * kPercent, 10 * kPercent}));
  EXPECT_EQ(tree.fair(c), (Shares{0, 80 * kPercent}));
}

TEST(FairShare, AGuaranteeInOneResourceLetsTheOthersFollow) {
  // All of the first resource is guaranteed. Were needing it to mean wanting more of it, both would freeze
  // before they had any of the second.
  Small tree(2);
  const auto a = tree.queue("a", {.guarantee = {700}});
  const auto b = tree.queue("b", {.guarantee = {300}});
  tree.job("ja", {1000, 1000}, a);
  tree.job("jb", {1000, 500}, b);
  EXPECT_EQ(tree.fair(a), (Shares{70 * kPercent, 70 * kPercent}));
  EXPECT_EQ(tree.fair(b), (Shares{30 * kPercent, 15 * kPercent}));
}

TEST(FairShare, AnElementWhoseDemandIsGuaranteedDoesNotNeedMoreOfIt) {
  Small tree(2);
  const auto a = tree.queue("a", {.guarantee = {500}});
  const auto b = tree.queue("b", {});
  tree.job("ja", {500, 1000}, a);
  tree.job("jb", {1000, 0}, b);
  EXPECT_EQ(tree.fair(a), (Shares{50 * kPercent, 100 * kPercent}));
  EXPECT_EQ(tree.fair(b), (Shares{50 * kPercent, 0}));
}

TEST(FairShare, AQueueOfManyDemandsDividesWhatItGets) {
  Small tree;
  const auto a = tree.queue("a", {.guarantee = {100}});
  const auto b = tree.queue("b", {});
  std::vector<std::uint32_t> jobs;
  for (int i = 0; i < 4; ++i) jobs.push_back(tree.job("j" + std::to_string(i), {1000}, i == 0 ? a : b));
  EXPECT_EQ(tree.fair(jobs[0]), (Shares{50 * kPercent}));
  EXPECT_EQ(tree.fair(jobs[1]), (Shares{166'666'666'667}));
  EXPECT_EQ(tree.fair(jobs[2]), (Shares{166'666'666'667}));
  EXPECT_EQ(tree.fair(jobs[3]), (Shares{166'666'666'666}));
}

TEST(FairShare, WhatTheSiteGaveStands) {
  Small tree(2);
  const auto a = tree.job("a", {1000, 500}, 0, {.given = 20 * kPercent});
  const auto b = tree.job("b", {1000, 1000});
  const FairShares shares = tree.compute();
  EXPECT_EQ(list(shares.fair_of(a)), (Shares{20 * kPercent, 10 * kPercent})) << "in proportion to its demand";
  EXPECT_EQ(shares.dominant[a], 20 * kPercent);
  EXPECT_EQ(list(shares.fair_of(b)), (Shares{80 * kPercent, 80 * kPercent})) << "what is left";
}

TEST(FairShare, AGivenShareAboveTheDemandStandsButOnlyTheDemandIsTaken) {
  Small tree;
  const auto a = tree.job("a", {100}, 0, {.given = 50 * kPercent});
  const auto b = tree.job("b", {1000});
  const FairShares shares = tree.compute();
  EXPECT_EQ(list(shares.fair_of(a)), (Shares{10 * kPercent}));
  EXPECT_EQ(shares.dominant[a], 50 * kPercent);
  EXPECT_EQ(list(shares.fair_of(b)), (Shares{90 * kPercent}));
}

TEST(FairShare, AGivenShareOfAQueueIsDividedAmongItsJobs) {
  Small tree;
  const auto queue = tree.queue("q", {.given = 40 * kPercent});
  const auto a = tree.job("a", {1000}, queue);
  const auto b = tree.job("b", {1000}, queue);
  EXPECT_EQ(tree.fair(a), (Shares{20 * kPercent}));
  EXPECT_EQ(tree.fair(b), (Shares{20 * kPercent}));
}

TEST(FairShare, GivenSharesBeyondTheWholeLeaveNothing) {
  Small tree;
  const auto a = tree.job("a", {1000}, 0, {.given = 80 * kPercent});
  const auto b = tree.job("b", {1000}, 0, {.given = 70 * kPercent});
  const auto c = tree.job("c", {1000});
  EXPECT_EQ(tree.fair(a), (Shares{80 * kPercent}));
  EXPECT_EQ(tree.fair(b), (Shares{70 * kPercent}));
  EXPECT_EQ(tree.fair(c), (Shares{0}));
}

TEST(FairShare, AGivenShareOfTheRootLimitsAll) {
  Small tree;
  tree.tree().elements[0].given = 50 * kPercent;
  const auto a = tree.job("a", {1000});
  const FairShares shares = tree.compute();
  EXPECT_EQ(list(shares.fair_of(a)), (Shares{50 * kPercent}));
  EXPECT_EQ(shares.dominant[0], 50 * kPercent);
}

TEST(FairShare, AResourceOfWhichThereIsNothingTakesNoPart) {
  Small tree(2);
  tree.tree().capacity[1] = 0;
  const auto a = tree.job("a", {500, 900}, 0, {.max = {-1, 100}});
  const auto b = tree.job("b", {900, 0});
  const FairShares shares = tree.compute();
  EXPECT_EQ(list(shares.demand_of(a)), (Shares{50 * kPercent, 0}));
  EXPECT_EQ(list(shares.fair_of(a)), (Shares{50 * kPercent, 0}));
  EXPECT_EQ(list(shares.fair_of(b)), (Shares{50 * kPercent, 0}));
}

TEST(FairShare, NothingAtAllIsFine) {
  EXPECT_TRUE(compute_fair_shares({}).dominant.empty());
  EXPECT_EQ(Small().fair(0), (Shares{0}));
  EXPECT_EQ(Small(0).fair(0), (Shares{}));
}

TEST(FairShare, HugeDemandsKeepTheirProportions) {
  Small tree(2);
  const auto a = tree.job("a", {500'000'000, 125'000'000});
  const auto b = tree.job("b", {1000, 1000});
  const Shares fair = tree.fair(a);
  EXPECT_EQ(fair[0], 50 * kPercent);
  EXPECT_EQ(fair[1], 50 * kPercent / 4);
  EXPECT_EQ(tree.fair(b), (Shares{50 * kPercent, 50 * kPercent}));
}

TEST(FairShare, DemandsBeyondAllMeasureAddUp) {
  Small tree;
  const auto queue = tree.queue("q", {});
  std::vector<std::uint32_t> jobs;
  for (int i = 0; i < 10; ++i) jobs.push_back(tree.job("j" + std::to_string(i), {kMaxAmountUnits}, queue));
  const auto other = tree.queue("r", {});
  tree.job("k", {kMaxAmountUnits}, other);
  for (const auto job : jobs) EXPECT_EQ(tree.fair(job), (Shares{kFullShare / 20}));
  EXPECT_EQ(tree.fair(other), (Shares{50 * kPercent}));
}

TEST(ShareOf, RoundsDownAndStopsAtAMillionTimesTheWhole) {
  EXPECT_EQ(share_of(1, 3), 333'333'333'333);
  EXPECT_EQ(share_of(4, 3), 1'333'333'333'333);
  EXPECT_EQ(share_of(0, 3), 0);
  EXPECT_EQ(share_of(3, 0), 0);
  EXPECT_EQ(share_of(static_cast<Total>(kMaxAmount) * 1'000'000, 1), kMostShare);
  const Total huge = static_cast<Total>(kMaxAmount) * 1'000'000;
  EXPECT_EQ(share_of(huge / 2, huge), kFullShare / 2);
  EXPECT_EQ(share_of(999'999, 1), kMostShare - kFullShare);
}

TEST(FairShare, AgreesWithExactFractionsOnRandomTrees) {
  for (std::uint64_t seed = 1; seed <= 20'000; ++seed) {
    const OwnedShareTree owned = random_share_tree(seed);
    const FairShares shares = compute_fair_shares(owned.tree);
    const FairShareOracle oracle(owned.tree);
    for (std::size_t i = 0; i < owned.tree.elements.size(); ++i) {
      const auto& expected = oracle.answers()[i];
      ASSERT_EQ(list(shares.demand_of(i)), expected.demand) << "seed " << seed << "\n" << text_of(owned.tree);
      ASSERT_EQ(list(shares.fair_of(i)), expected.fair) << "seed " << seed << " element " << i << "\n"
                                                        << text_of(owned.tree);
      ASSERT_EQ(shares.dominant[i], expected.dominant) << "seed " << seed;
    }
  }
}

// The same tree with its elements in another order; `moved` says where each went.
ShareTree shuffled(const ShareTree& tree, std::uint64_t seed, std::vector<std::uint32_t>& moved) {
  std::vector<std::uint32_t> from(tree.elements.size());
  std::iota(from.begin(), from.end(), 0);
  std::shuffle(from.begin(), from.end(), std::mt19937_64(seed));
  moved.resize(from.size());
  for (std::uint32_t to = 0; to < from.size(); ++to) moved[from[to]] = to;
  ShareTree out{tree.capacity, {}, {}};
  for (const std::uint32_t i : from) {
    ShareElement element = tree.elements[i];
    if (element.parent != ShareElement::kNoParent) element.parent = moved[element.parent];
    out.elements.push_back(element);
    for (std::size_t r = 0; r < tree.resources(); ++r)
      out.demand.push_back(tree.demand[i * tree.resources() + r]);
  }
  return out;
}

TEST(FairShare, TheOrderOfElementsMakesNoDifference) {
  for (std::uint64_t seed = 1; seed <= 3'000; ++seed) {
    const OwnedShareTree owned = random_share_tree(seed, seed % 3 == 0);
    const FairShares shares = compute_fair_shares(owned.tree);
    std::vector<std::uint32_t> moved;
    const FairShares again = compute_fair_shares(shuffled(owned.tree, seed, moved));
    for (std::size_t i = 0; i < moved.size(); ++i) {
      ASSERT_EQ(list(shares.fair_of(i)), list(again.fair_of(moved[i]))) << "seed " << seed;
      ASSERT_EQ(shares.dominant[i], again.dominant[moved[i]]) << "seed " << seed;
    }
  }
}

// Weights nine orders of magnitude apart and amounts from one to the largest there is: nothing overflows,
// no element gets more than it may, and no queue gives more than it has.
TEST(FairShare, KeepsWithinItsBoundsWhateverTheNumbers) {
  for (std::uint64_t seed = 1; seed <= 5'000; ++seed) {
    const OwnedShareTree owned = random_share_tree(seed, seed % 4 != 0);
    const ShareTree& tree = owned.tree;
    const FairShares shares = compute_fair_shares(tree);
    std::vector<Wide> spent(tree.elements.size() * tree.resources(), 0);
    std::vector<bool> by_site(tree.elements.size(), false);
    for (std::size_t i = 0; i < tree.elements.size(); ++i) {
      for (std::size_t r = 0; r < tree.resources(); ++r) {
        ASSERT_GE(shares.fair_of(i)[r], 0) << "seed " << seed;
        ASSERT_LE(shares.fair_of(i)[r], cap_of(shares, i)[r]) << "seed " << seed << "\n" << text_of(tree);
        ASSERT_LE(cap_of(shares, i)[r], shares.demand_of(i)[r]) << "seed " << seed;
      }
      if (tree.elements[i].parent == ShareElement::kNoParent) continue;
      for (std::size_t r = 0; r < tree.resources(); ++r)
        spent[tree.elements[i].parent * tree.resources() + r] += shares.fair_of(i)[r];
      if (tree.elements[i].given != kNoShare) by_site[tree.elements[i].parent] = true;
    }
    for (std::size_t i = 0; i < tree.elements.size(); ++i) {
      for (std::size_t r = 0; r < tree.resources() && !by_site[i] && !tree.elements[i].is_job; ++r)
        ASSERT_LE(spent[i * tree.resources() + r], shares.fair_of(i)[r]) << "seed " << seed << "\n"
                                                                         << text_of(tree);
    }
  }
}

}  // namespace
}  // namespace cede
