// SPDX-License-Identifier: MIT
#include "engine_fixture.h"

namespace cede {
namespace {

constexpr std::string_view kPolicy =
    R"({"format":"cede-policy/1","policies":{"default":{"profile":"priority"}},
  "admission":{"projects":{"p":{"max":50}},"users":{"u":{"default_priority":20,"may_opt_out":false}}}})";

Engine loaded() {
  Engine engine{Options{}};
  Problems problems;
  EXPECT_TRUE(engine.set_policy(kPolicy, problems));
  EXPECT_TRUE(engine.load(cluster_with(job_with(R"("project":"p","user":"u")")), problems));
  return engine;
}

std::string put(std::string_view jobs) {
  return R"({"format":"cede-changes/1","put":{"jobs":[)" + std::string(jobs) + "]}}";
}

// The document, or the status and message of the error.
std::string answer(const Engine& engine, std::string_view job,
                   std::optional<std::string_view> changes = std::nullopt) {
  Problems problems;
  const auto made = engine.admit(job, changes, problems);
  if (made) return admission_document(*made);
  EXPECT_EQ(problems.errors(), 1u);
  return std::to_string(static_cast<int>(problems.all().at(0).status)) + " " + problems.all().at(0).message();
}

TEST(EngineAdmit, ChangesAreAskedForAndNotMade) {
  const Engine engine = loaded();
  const std::string before = engine.export_cluster();
  const std::string more = put(R"({"id":"k","queue":"root","project":"p","priority":60,"tasks":[{}]},
             {"id":"l","queue":"root","user":"u","preemptible":false,"tasks":[{}]})");
  EXPECT_NE(answer(engine, "k", more).find(R"("rule":"priority")"), std::string::npos);
  EXPECT_NE(answer(engine, "l", more).find(R"("rule":"opt-out")"), std::string::npos);
  EXPECT_EQ(answer(engine, "j", more), answer(engine, "j"));
  // A job that is there is asked for as it would become.
  const std::string altered = put(job_with(R"("project":"p","user":"u","priority":51)"));
  EXPECT_NE(answer(engine, "j", altered).find(R"("rule":"priority")"), std::string::npos);
  EXPECT_NE(answer(engine, "j").find(R"("admitted":true)"), std::string::npos);
  EXPECT_EQ(engine.export_cluster(), before);
  EXPECT_EQ(engine.revision(), 2u);
}

TEST(EngineAdmit, SaysTheSameBeforeAndAfterTheChange) {
  Engine engine = loaded();
  const std::string change = put(R"({"id":"k","queue":"root.a","user":"u","class":8,"tasks":[{}]})");
  const std::string before = answer(engine, "k", change);
  Problems problems;
  ASSERT_TRUE(engine.apply(change, problems));
  EXPECT_EQ(answer(engine, "k"), before);
}

TEST(EngineAdmit, ErrorsNameThePlace) {
  const Engine engine = loaded();
  EXPECT_EQ(answer(engine, "k"), "-7 unknown-job: 'k' is not a job; 1 job is known");
  EXPECT_EQ(answer(engine, "k", put(R"({"id":"l","queue":"root","tasks":[{}]})")),
            "-7 unknown-job: 'k' is not a job; 2 jobs are known");
  EXPECT_EQ(
      answer(engine, "k", put(R"({"id":"k","queue":"root","priority":101,"tasks":[{}]})")).substr(0, 52),
      "-2 put.jobs[0].priority: 101 is outside 0..100 (line");
  EXPECT_EQ(answer(engine, "j", R"({"format":"cede-changes/1","remove":{"jobs":["j"]}})"),
            "-7 unknown-job: 'j' is not a job; 0 jobs are known");
  EXPECT_EQ(answer(engine, "j", std::string_view()).substr(0, 3), "-2 ") << "an empty text is no document";
  Engine bare{Options{}};
  Problems problems;
  ASSERT_TRUE(bare.load(cluster_with(job_with("")), problems));
  EXPECT_EQ(answer(bare, "j"), "-1 the engine has no policy to admit by");
}

TEST(AdmissionDocument, OfAJobThatIsTaken) {
  EXPECT_EQ(answer(loaded(), "j"),
            R"({"format":"cede-admission/1","job":"j","policy":"default","profile":"priority",)"
            R"("admitted":true,"rule":null,)"
            R"("reason":"job 'j' is taken with priority 20 and class 4, and may be preempted",)"
            R"("priority":20,"class":4,"preemptible":true,)"
            R"("offer":{"priority":{"min":0,"max":50,"default":20,"may_change":true},)"
            R"("max_class":9,"may_opt_out":false}})"
            "\n");
}

TEST(AdmissionDocument, OfARefusedJob) {
  const std::string text = answer(
      loaded(), "k",
      put(R"({"id":"k","queue":"root","project":"p","priority":51,"preemptible":false,"tasks":[{}]})"));
  EXPECT_NE(text.find(R"("admitted":false,"rule":"priority","reason":"priority 51 is above 50, the)"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find(R"("priority":51,"class":4,"preemptible":false,)"), std::string::npos) << text;
}

TEST(AdmissionDocument, OfTheLastResortAndOfNoPriorityAtAll) {
  const Engine engine = loaded();
  const std::string last = put(R"({"id":"k","queue":"root","preemptible":"last-resort","tasks":[{}]})");
  EXPECT_NE(answer(engine, "k", last).find(R"("preemptible":"last-resort",)"), std::string::npos);
  Engine none{Options{}};
  Problems problems;
  ASSERT_TRUE(none.set_policy(R"({"format":"cede-policy/1","policies":{"default":{"profile":"priority"},
    "other":{"profile":"quota"}},"admission":{"users":{"u":{"min":101}}}})",
                              problems));
  ASSERT_TRUE(none.load(cluster_with(job_with(R"("user":"u")")), problems));
  EXPECT_NE(answer(none, "j").find(R"("offer":{"priority":null,"max_class":9)"), std::string::npos)
      << answer(none, "j");
}

}  // namespace
}  // namespace cede
