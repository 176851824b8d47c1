// SPDX-License-Identifier: MIT
#include "policy/admit.h"

#include "engine_fixture.h"
#include "support/cluster_builder.h"

namespace cede {
namespace {

constexpr std::string_view kPriority = R"("default":{"profile":"priority"})";

// Asks for one job of project `p` and user `u` under these rules.
struct Ask {
  std::string projects = {};  // members of the rule of `p`
  std::string users = {};     // and of `u`
  std::string policies = std::string(kPriority);
  std::string queue = R"({"id":"root"})";

  AdmissionAnswer operator()(std::string_view members = {}, std::string_view tasks = "{}") const {
    Engine engine{Options{}};
    Problems problems;
    const auto rule = [](const std::string& name, const JsonObject& of) {
      return of.empty() ? JsonObject() : JsonObject{{name, of}};
    };
    const JsonObject admission{{"projects", rule("p", projects)}, {"users", rule("u", users)}};
    const JsonObject policy{
        {"format", "cede-policy/1"}, {"policies", JsonObject(policies)}, {"admission", admission}};
    EXPECT_TRUE(engine.set_policy(policy.text(), problems)) << problems.all()[0].message();
    const std::string job =
        job_with(JsonObject(R"("project":"p","user":"u")").put_all(members).members(), tasks);
    EXPECT_TRUE(engine.load(cluster_with(job, "", R"({"id":"n"})", queue), problems))
        << problems.all()[0].message();
    const auto answer = engine.admit("j", {}, problems);
    EXPECT_TRUE(answer.has_value());
    return answer.value_or(AdmissionAnswer{});
  }
};

std::string verdict(const AdmissionAnswer& answer) {
  return (answer.admitted() ? std::string() : answer.rule + ": ") + answer.reason;
}

TEST(Admit, WithoutRulesTheProfileGivesTheValues) {
  const AdmissionAnswer answer = Ask{}();
  EXPECT_TRUE(answer.admitted());
  EXPECT_EQ(answer.reason, "job 'j' is taken with priority 10 and class 4, and may be preempted");
  EXPECT_EQ(answer.job, "j");
  EXPECT_EQ(answer.policy, "default");
  EXPECT_EQ(answer.profile, Profile::priority);
  EXPECT_EQ(answer.priority, 10);
  EXPECT_EQ(answer.job_class, 4);
  EXPECT_EQ(answer.preemptible, Preemptible::yes);
  EXPECT_EQ(answer.offer,
            (AdmissionTerms{.priorities = {0, 100}, .default_priority = 10, .may_opt_out = {0, 100}}));
  for (const std::string_view other : {"class-cost", "quota", "fair-share", "guarantee"}) {
    const Ask ask{.policies = R"("default":{"profile":")" + std::string(other) + "\"}"};
    EXPECT_EQ(ask().priority, 0) << other;
    EXPECT_EQ(ask().offer.priorities, PriorityRange{}) << other;
    EXPECT_EQ(ask(R"("priority":-7)").priority, -7) << other;
  }
}

TEST(Admit, PriorityIsStatedElseTheUsersElseTheProjects) {
  EXPECT_EQ((Ask{R"("default_priority":30)", R"("default_priority":40)"})().priority, 40);
  EXPECT_EQ((Ask{R"("default_priority":30)", R"("max":90)"})().priority, 30);
  EXPECT_EQ((Ask{R"("min":20)", {}})().priority, 20) << "the profile's 10 is not within the range";
  EXPECT_EQ((Ask{R"("default_priority":30)", R"("default_priority":40)"})(R"("priority":50)").priority, 50);
}

TEST(Admit, PriorityOutsideTheRangeNamesTheRuleThatLimitsIt) {
  const Ask ask{R"("min":5,"max":50)", R"("min":20,"max":60)"};
  EXPECT_EQ(verdict(ask(R"("priority":51)")), "priority: priority 51 is above 50, the limit of project 'p'");
  EXPECT_EQ(verdict(ask(R"("priority":19)")), "priority: priority 19 is below 20, the limit of user 'u'");
  EXPECT_EQ(ask(R"("priority":51)").priority, 51) << "what it asks for";
  for (const int priority : {20, 50}) {
    EXPECT_TRUE(ask("\"priority\":" + std::to_string(priority)).admitted()) << priority;
  }
  EXPECT_EQ(ask().offer.priorities, (PriorityRange{20, 50}));
  EXPECT_EQ(ask().priority, 20);
}

TEST(Admit, PriorityThatMayNotBeChangedIsTheDefault) {
  const Ask project{R"("may_change":false)", R"("default_priority":40)"};
  const AdmissionAnswer silent = project();
  EXPECT_EQ(silent.priority, 40);
  EXPECT_EQ(silent.offer.priorities, (PriorityRange{40, 40})) << "all that a frontend may offer";
  EXPECT_FALSE(silent.offer.may_change);
  EXPECT_TRUE(project(R"("priority":40)").admitted()) << "stating the default changes nothing";
  EXPECT_EQ(verdict(project(R"("priority":41)")),
            "priority: priority 41 is not the default 40, which project 'p' may not change");
  const Ask user{R"("default_priority":30)", R"("may_change":false)"};
  EXPECT_EQ(verdict(user(R"("priority":10)")),
            "priority: priority 10 is not the default 30, which user 'u' may not change");
}

TEST(Admit, TasksAreHeldToTheSameLimits) {
  const Ask ask{R"("max":50)", {}};
  EXPECT_TRUE(ask(R"("priority":50)", R"({"priority":50},{"priority":0})").admitted());
  EXPECT_EQ(verdict(ask(R"("priority":50)", R"({"priority":50},{"id":"w","priority":51})")),
            "priority: task 'w': priority 51 is above 50, the limit of project 'p'");
  const Ask fixed{R"("may_change":false)", {}};
  EXPECT_EQ(verdict(fixed("", R"({"priority":11})")),
            "priority: task 't0': priority 11 is not the default 10, which project 'p' may not change");
}

TEST(Admit, NoPriorityLeftIsARefusalNotAnError) {
  // Each rule is legal in one of the policies, but not in the one that decides.
  const Ask ask{R"("max":-1)", {}, R"("default":{"profile":"priority"},"other":{"profile":"quota"})"};
  const AdmissionAnswer answer = ask();
  EXPECT_EQ(verdict(answer),
            "priority: no priority is left: profile priority allows 0..100, project 'p' up to -1");
  EXPECT_TRUE(answer.offer.priorities.empty());
  EXPECT_EQ(answer.offer.max_class, 9);
  const Ask fixed{R"("max":-1,"may_change":false)", {}, ask.policies};
  EXPECT_TRUE(fixed().offer.priorities.empty()) << "a default outside the range is no offer";
}

TEST(Admit, ClassUpToTheHighestGranted) {
  const Ask ask{R"("max_class":7)", R"("max_class":6)"};
  EXPECT_TRUE(ask(R"("class":6)").admitted());
  EXPECT_EQ(ask(R"("class":6)").job_class, 6);
  EXPECT_EQ(verdict(ask(R"("class":7)")), "class: class 7 is above 6, the limit of user 'u'");
  EXPECT_EQ(verdict((Ask{R"("max_class":5)", R"("max_class":6)"})(R"("class":7)")),
            "class: class 7 is above 5, the limit of project 'p'");
  EXPECT_EQ(ask().offer.max_class, 6);
  EXPECT_EQ((Ask{R"("max_class":3)", {}})().job_class, 3) << "the default 4 is no reason to refuse";
  EXPECT_TRUE((Ask{R"("max_class":3)", {}})().admitted());
  EXPECT_FALSE((Ask{R"("max_class":3)", {}})(R"("class":4)").admitted());
}

TEST(Admit, ClassTenHasToBeGrantedHoweverItComesAbout) {
  const std::string limit = "is above 9, the limit where no rule grants more";
  EXPECT_EQ(verdict(Ask{}(R"("class":10)")), "class: class 10 " + limit);
  EXPECT_EQ(verdict(Ask{}(R"("kind":"sensitive")")),
            "class: kind sensitive counts as class 10, which " + limit);
  EXPECT_EQ(verdict(Ask{}(R"("kind":"sensitive","class":2)")),
            "class: kind sensitive counts as class 10, which " + limit);
  const std::string sensitive = R"({"id":"root","kind":"sensitive"})";
  EXPECT_EQ(Ask{.queue = sensitive}().rule, "class") << "by its queue's kind";
  EXPECT_TRUE(Ask{.queue = sensitive}(R"("kind":"batch")").admitted());
  const Ask granted{R"("max_class":10)", {}};
  for (const std::string_view how : {R"("class":10)", R"("kind":"sensitive")"}) {
    const AdmissionAnswer answer = granted(how);
    EXPECT_TRUE(answer.admitted()) << answer.reason;
    EXPECT_EQ(answer.job_class, 10);
    EXPECT_EQ(answer.preemptible, Preemptible::no) << "in every profile";
    EXPECT_EQ(answer.reason, "job 'j' is taken with priority 10 and class 10, and is never preempted");
  }
}

TEST(Admit, OptingOut) {
  const Ask forbidden{{}, R"("may_opt_out":false)"};
  EXPECT_EQ(verdict(forbidden(R"("preemptible":false)")),
            "opt-out: preemptible is false, and user 'u' may not opt out of preemption");
  EXPECT_EQ(verdict((Ask{R"("may_opt_out":false)", {}})(R"("preemptible":false)")),
            "opt-out: preemptible is false, and project 'p' may not opt out of preemption");
  EXPECT_EQ(forbidden("", R"({},{"preemptible":false})").rule, "opt-out") << "one task is enough";
  EXPECT_TRUE(forbidden(R"("preemptible":false)", R"({"preemptible":true})").admitted()) << "overridden";
  EXPECT_TRUE(forbidden(R"("preemptible":true)").admitted());
  EXPECT_TRUE(forbidden(R"("preemptible":"last-resort")").admitted()) << "it still gives way";
  EXPECT_EQ(forbidden().offer.may_opt_out, kNoPriority);
  EXPECT_TRUE(Ask{}().offer.may_always_opt_out());
  EXPECT_TRUE(Ask{}(R"("preemptible":false)").admitted());
}

TEST(Admit, OptingOutByPriority) {
  const Ask high{{}, R"("may_opt_out":{"min":50})"};
  EXPECT_TRUE(high(R"("preemptible":false,"priority":50)").admitted());
  EXPECT_TRUE(high(R"("priority":49)").admitted()) << "it does not opt out";
  EXPECT_TRUE(high(R"("preemptible":"last-resort","priority":49)").admitted());
  EXPECT_EQ(verdict(high(R"("preemptible":false,"priority":49)")),
            "opt-out: preemptible is false at priority 49, and user 'u' may opt out of preemption only at 50 "
            "and above");
  EXPECT_EQ(high(R"("preemptible":false)").rule, "opt-out") << "the default priority counts";
  EXPECT_EQ(high().offer.may_opt_out, (PriorityRange{50, 100}));
  EXPECT_FALSE(high().offer.may_always_opt_out());
}

TEST(Admit, OptingOutByPriorityNeedsProjectAndUser) {
  const Ask both{R"("may_opt_out":{"min":20,"max":60})", R"("may_opt_out":{"min":50})"};
  EXPECT_EQ(both().offer.may_opt_out, (PriorityRange{50, 60}));
  EXPECT_TRUE(both(R"("preemptible":false,"priority":60)").admitted());
  EXPECT_EQ(verdict(both(R"("preemptible":false,"priority":61)")),
            "opt-out: preemptible is false at priority 61, and project 'p' may opt out of preemption only at "
            "20..60");
  EXPECT_EQ(verdict(both(R"("preemptible":false,"priority":49)")),
            "opt-out: preemptible is false at priority 49, and user 'u' may opt out of preemption only at 50 "
            "and above");
  const Ask apart{R"("may_opt_out":{"max":40})", R"("may_opt_out":{"min":50})"};
  EXPECT_EQ(apart().offer.may_opt_out, kNoPriority) << "legal: no job may";
  EXPECT_EQ((Ask{R"("may_opt_out":{"max":40})", R"("may_opt_out":false)"})().offer.may_opt_out, kNoPriority);
  EXPECT_TRUE(
      (Ask{R"("may_opt_out":{"min":10,"max":50})", R"("min":20,"max":30)"})().offer.may_always_opt_out())
      << "at every priority on offer";
}

// A task's own priority decides whether that task may opt out.
TEST(Admit, OptingOutByTheTasksPriority) {
  const Ask high{{}, R"("may_opt_out":{"min":50})"};
  EXPECT_TRUE(high(R"("priority":10)", R"({"priority":60,"preemptible":false},{})").admitted());
  EXPECT_EQ(verdict(high(R"("priority":60,"preemptible":false)", R"({},{"priority":10})")),
            "opt-out: task 't1': preemptible is false at priority 10, and user 'u' may opt out of preemption "
            "only at 50 and above");
}

TEST(Admit, OptingOutWithAFixedPriority) {
  const Ask fixed{{}, R"("may_change":false,"default_priority":30,"may_opt_out":{"min":50})"};
  EXPECT_EQ(fixed().offer.may_opt_out, kNoPriority) << "its only priority is 30";
  const Ask enough{{}, R"("may_change":false,"default_priority":60,"may_opt_out":{"min":50})"};
  EXPECT_TRUE(enough().offer.may_always_opt_out());
}

TEST(Admit, PreemptibleAsItCounts) {
  EXPECT_EQ(Ask{}(R"("preemptible":false)").preemptible, Preemptible::no);
  EXPECT_EQ(Ask{}(R"("preemptible":"last-resort")").preemptible, Preemptible::last_resort);
  EXPECT_EQ(Ask{}(R"("preemptible":"last-resort")").reason,
            "job 'j' is taken with priority 10 and class 4, and is preempted as the last resort");
  const std::string mixed = R"({"preemptible":"last-resort"},{"preemptible":false},{"preemptible":true})";
  EXPECT_EQ(Ask{}("", mixed).preemptible, Preemptible::no) << "the most protected counts";
  EXPECT_EQ(Ask{}("", R"({"preemptible":true},{"preemptible":"last-resort"},{})").preemptible,
            Preemptible::last_resort);
}

TEST(Admit, PreemptibleByTheProfile) {
  const Ask quota{{},
                  R"("may_opt_out":false)",
                  R"("default":{"profile":"quota","settings":{"disable_default_preemptible":true}})"};
  EXPECT_EQ(quota().preemptible, Preemptible::no);
  EXPECT_TRUE(quota().admitted()) << "a job does not opt out by the profile's default";
  EXPECT_EQ(quota(R"("preemptible":false)").rule, "opt-out");
  const std::string wish = R"("default":{"profile":"guarantee"})";
  const std::string strict = R"("default":{"profile":"guarantee","settings":{"strict_opt_out":true}})";
  EXPECT_EQ((Ask{.policies = wish})(R"("preemptible":false)").preemptible, Preemptible::last_resort);
  EXPECT_EQ((Ask{.policies = strict})(R"("preemptible":false)").preemptible, Preemptible::no);
  EXPECT_EQ((Ask{R"("max_class":10)", {}, wish})(R"("class":10)").preemptible, Preemptible::no);
  EXPECT_EQ((Ask{.policies = wish, .queue = R"({"id":"root","settings":{"strict_opt_out":true}})"})(
                R"("preemptible":false)")
                .preemptible,
            Preemptible::no)
      << "read on the job's queue";
}

TEST(Admit, FirstLimitRefuses) {
  const Ask ask{R"("max":50,"max_class":5,"may_opt_out":false)", {}};
  EXPECT_EQ(ask(R"("priority":60,"class":6,"preemptible":false)").rule, "priority");
  EXPECT_EQ(ask(R"("priority":50,"class":6,"preemptible":false)").rule, "class");
  EXPECT_EQ(ask(R"("priority":50,"class":5,"preemptible":false)").rule, "opt-out");
  EXPECT_EQ(ask(R"("priority":50,"class":5)").rule, "");
}

TEST(Admit, GroupsDecideByTheirOwnPolicy) {
  Engine engine{Options{}};
  Problems problems;
  ASSERT_TRUE(engine.set_policy(
      R"({"format":"cede-policy/1","policies":{"a":{"profile":"priority"},"b":{"profile":"quota"}},
          "admission":{"users":{"u":{"min":-5,"max":120}}}})",
      problems));
  ASSERT_TRUE(engine.load(
      R"({"format":"cede-cluster/1","now":1,"groups":[{"id":"x","policy":"a"},{"id":"y","policy":"b"}],
          "queues":[{"id":"q"}],"jobs":[{"id":"1","user":"u","queue":"q","group":"x","tasks":[{}]},
          {"id":"2","user":"u","queue":"q","group":"y","tasks":[{}]},
          {"id":"3","queue":"q","group":"y","tasks":[{}]},
          {"id":"4","user":"p","project":"u","queue":"q","group":"y","tasks":[{}]}]})",
      problems))
      << problems.all()[0].message();
  EXPECT_EQ(engine.admit("1", {}, problems)->offer.priorities, (PriorityRange{0, 100}));
  EXPECT_EQ(engine.admit("2", {}, problems)->offer.priorities, (PriorityRange{-5, 120}));
  EXPECT_EQ(engine.admit("3", {}, problems)->offer.priorities, PriorityRange{}) << "without a user no rule";
  EXPECT_EQ(engine.admit("4", {}, problems)->offer.priorities, PriorityRange{}) << "a project called 'u'";
}

// Being over a quota does not refuse a job: it waits.
TEST(Admit, SaysWhetherTheJobIsWithinItsQuotas) {
  Ask ask;
  ask.policies = R"("default":{"profile":"quota"})";
  ask.queue = R"({"id":"root","max":{"cpu":4},"guaranteed":{"cpu":2}})";
  const AdmissionAnswer within = ask("", R"({"resources":{"cpu":4}})");
  EXPECT_TRUE(within.admitted());
  EXPECT_EQ(within.quota, "within");
  const AdmissionAnswer above = ask("", R"({"resources":{"cpu":5}})");
  EXPECT_TRUE(above.admitted());
  EXPECT_EQ(above.quota, "quota-max");
  EXPECT_NE(above.quota_text.find("its max is 4"), std::string::npos) << above.quota_text;
  const AdmissionAnswer fixed = ask(R"("preemptible":false)", R"({"resources":{"cpu":3}})");
  EXPECT_EQ(fixed.quota, "quota-min");
  ask.policies = std::string(kPriority);
  EXPECT_EQ(ask("", R"({"resources":{"cpu":5}})").quota, "");
}

}  // namespace
}  // namespace cede
