// SPDX-License-Identifier: MIT
#include "policy/composition.h"

#include "owned_rule_context.h"
#include "plan_fixture.h"

namespace cede {
namespace {

template <class Rule>
std::string names(const RuleList<Rule>& rules) {
  std::string out;
  for (const auto& rule : rules) out += (out.empty() ? "" : " ") + std::string(rule->name());
  return out;
}

// What one profile is made of, for a waiting job.
struct ProfileRules {
  explicit ProfileRules(const Scene& scene) : loaded(scene.cluster(), scene.policy()), plan(loaded.plan()) {}
  explicit ProfileRules(std::string_view profile)
      : ProfileRules(Scene(profile).node("n1", 8).waits("p", 1)) {}

  std::string triggers() const {
    RuleList<Trigger> rules(facts.rule_context);
    composition(facts.effective.profile()).add_triggers(rules);
    return names(rules);
  }
  std::string admission() const {
    RuleList<Trigger> rules(facts.rule_context);
    composition(facts.effective.profile()).add_admission(rules);
    return names(rules);
  }

  Loaded loaded;
  Plan plan;
  OwnedRuleContext facts{plan, *loaded.engine.policies()};
};

constexpr std::string_view kShared =
    "running same-job same-group sensitive held protected not-preemptible queue-off min-runtime "
    "preempted-often "
    "cooldown ";

void expect_rules(const ProfileRules& made, std::string_view own) {
  EXPECT_EQ(names(eligibility_rules(made.facts.rule_context)), std::string(kShared) + std::string(own));
}

TEST(Composition, Priority) {
  const ProfileRules made("priority");
  EXPECT_EQ(made.admission(), "");
  EXPECT_EQ(made.triggers(), "not-front no-lower-priority");
  expect_rules(made, "priority-threshold priority scope");
  EXPECT_EQ(names(caps(made.facts.rule_context)), "max-victims budget");
  const auto order = [](std::string_view order) {
    const ProfileRules ordered(
        Scene("priority", JsonObject{{"preemption_order", order}}).node("n1", 8).waits("p", 1));
    return names(measures(ordered.facts.rule_context));
  };
  EXPECT_EQ(order("oldest"), "last-resort priority started");
  EXPECT_EQ(order("newest"), "last-resort priority started");
  EXPECT_EQ(order("fewest"), "last-resort highest-priority number priority");
  EXPECT_EQ(order("smallest"), "last-resort highest-priority size priority");
}

TEST(Composition, ClassCost) {
  const ProfileRules made("class-cost");
  EXPECT_EQ(made.admission(), "");
  EXPECT_EQ(made.triggers(), "no-quota-preemption queue-max");
  expect_rules(made, "class unsaved-high-class near-completion home-service home");
  EXPECT_EQ(names(caps(made.facts.rule_context)), "max-victims budget value-exceeded");
  EXPECT_EQ(names(measures(made.facts.rule_context)), "last-resort price class checkpoint");
}

TEST(Composition, Quota) {
  const ProfileRules made("quota");
  EXPECT_EQ(made.admission(), "quota-min quota-max");
  EXPECT_EQ(made.triggers(), "quota-min quota-max");
  expect_rules(made, "priority");
  EXPECT_EQ(names(caps(made.facts.rule_context)), "max-victims budget");
  EXPECT_EQ(names(measures(made.facts.rule_context)), "last-resort priority");
}

TEST(Composition, FairShare) {
  const ProfileRules made("fair-share");
  EXPECT_EQ(made.admission(), "");
  EXPECT_EQ(made.triggers(), "not-starving");
  expect_rules(made, "protected-task aggressive-only aggressive-forbidden starving-victim node-backoff");
  EXPECT_EQ(names(caps(made.facts.rule_context)), "max-victims budget no-gain");
  EXPECT_EQ(names(measures(made.facts.rule_context)), "last-resort aggressive number started");
}

TEST(Composition, Guarantee) {
  const ProfileRules made("guarantee");
  EXPECT_EQ(made.admission(), "");
  EXPECT_EQ(made.triggers(), "pending-delay attempt-interval over-guarantee");
  expect_rules(made, "same-app fence priority required-node shared-guarantee queue-not-over");
  EXPECT_EQ(names(caps(made.facts.rule_context)), "max-victims budget below-guarantee");
  EXPECT_EQ(names(measures(made.facts.rule_context)), "last-resort originators priority");
}

TEST(Composition, LostWorkIsTheCriterionAfterLastResort) {
  for (const char* profile : {"priority", "class-cost", "quota", "fair-share", "guarantee"}) {
    const ProfileRules made(Scene(profile, R"("cost_model":"lost-work")").node("n1", 8).waits("p", 1));
    EXPECT_TRUE(names(measures(made.facts.rule_context)).starts_with("last-resort lost-work ")) << profile;
  }
}

TEST(Composition, ASensitiveClaimIsStoppedByLittle) {
  const Scene scene = Scene("class-cost").node("n1", 8).runs("v", "n1", 8);
  const Loaded loaded(scene.cluster(), scene.policy());
  Problems problems;
  const std::optional<Plan> plan =
      loaded.engine.plan_claim("root", {"n1"}, "sensitive", kNoTime, {}, problems);
  ASSERT_TRUE(plan);
  const OwnedRuleContext facts(*plan, *loaded.engine.policies());
  EXPECT_EQ(names(eligibility_rules(facts.rule_context)), "running same-group sensitive held");
}

}  // namespace
}  // namespace cede
