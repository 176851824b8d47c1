// SPDX-License-Identifier: MIT
#include "report/metrics_text.h"

#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "sequence/metrics_counter.h"

namespace cede {
namespace {

Metrics some_metrics() {
  MetricsCounter tally;
  tally.preempted("root.ml", "priority", 2, 1500);
  tally.preempted("root.ml", "reclaim", 1, 0);
  tally.preempted("we\"ird\\na\nme", "priority", 1, 1);
  tally.planned("class-cost", "preempt", 1'234);
  tally.planned("class-cost", "wait", -1);
  tally.checkpointed(45'000);
  tally.checkpointed(1'000);
  tally.checkpointed(99'000'000);
  tally.requeued();
  tally.checkpoint_failed();
  tally.hold_expired();
  tally.ignored(4);
  Metrics metrics = tally.metrics();
  metrics.holds = 5;
  metrics.in_flight = 6;
  return metrics;
}

TEST(MetricsText, IsOpenMetrics) {
  const std::string text = metrics_text(some_metrics());
  EXPECT_TRUE(text.ends_with("# EOF\n"));
  for (const std::string line : {
           "# TYPE cede_preemptions counter",
           "cede_preemptions_total{queue=\"root.ml\",reason=\"priority\"} 2",
           "cede_preemptions_total{queue=\"we\\\"ird\\\\na\\nme\",reason=\"priority\"} 1",
           "# TYPE cede_preemption_checkpoint_duration_seconds histogram",
           "cede_preemption_checkpoint_duration_seconds_bucket{le=\"1.0\"} 1",
           "cede_preemption_checkpoint_duration_seconds_bucket{le=\"30.0\"} 1",
           "cede_preemption_checkpoint_duration_seconds_bucket{le=\"60.0\"} 2",
           "cede_preemption_checkpoint_duration_seconds_bucket{le=\"7200.0\"} 2",
           "cede_preemption_checkpoint_duration_seconds_bucket{le=\"+Inf\"} 3",
           "cede_preemption_checkpoint_duration_seconds_count 3",
           "cede_preemption_checkpoint_duration_seconds_sum 99046",
           "cede_preemption_victim_requeue_total 1",
           "cede_preemption_failed_checkpoint_total 1",
           "cede_plans_total{profile=\"class-cost\",outcome=\"preempt\"} 1",
           "cede_plans_total{profile=\"class-cost\",outcome=\"wait\"} 1",
           "cede_plan_seconds_bucket{le=\"1e-05\"} 0",
           "cede_plan_seconds_bucket{le=\"5e-05\"} 0",
           "cede_plan_seconds_bucket{le=\"0.0001\"} 0",
           "cede_plan_seconds_bucket{le=\"0.5\"} 1",
           "cede_plan_seconds_bucket{le=\"10.0\"} 1",
           "cede_plan_seconds_bucket{le=\"0.001\"} 0",
           "cede_plan_seconds_bucket{le=\"0.002\"} 1",
           "cede_plan_seconds_sum 0.001234",
           "cede_plan_seconds_count 1",
           "cede_lost_work_gpu_seconds_total{queue=\"root.ml\"} 90",
           "cede_lost_work_gpu_seconds_total{queue=\"we\\\"ird\\\\na\\nme\"} 0.06",
           "# TYPE cede_holds gauge",
           "cede_holds 5",
           "cede_holds_expired_total 1",
           "cede_in_flight 6",
           "cede_ignored_events_total 4",
       }) {
    EXPECT_NE(("\n" + text).find("\n" + line + "\n"), std::string::npos) << line << "\n" << text;
  }
}

// The shape the format prescribes: each family once, its type before its help before its samples, every
// sample's name made of the family's and a suffix its type allows, nothing after the end.
TEST(MetricsText, FamiliesAreWhole) {
  std::istringstream lines(metrics_text(some_metrics()));
  std::set<std::string> families;
  std::string family;
  std::string type;
  std::string line;
  bool ended = false;
  int samples = 0;
  while (std::getline(lines, line)) {
    ASSERT_FALSE(ended);
    if (line == "# EOF") {
      ended = true;
    } else if (line.starts_with("# TYPE ")) {
      std::istringstream words(line.substr(7));
      words >> family >> type;
      EXPECT_TRUE(families.insert(family).second) << family;
      EXPECT_FALSE(family.ends_with("_total"));
    } else if (line.starts_with("# HELP ")) {
      EXPECT_TRUE(line.starts_with("# HELP " + family + " "));
    } else {
      ++samples;
      ASSERT_TRUE(line.starts_with(family)) << line;
      const std::string rest = line.substr(family.size());
      const std::string suffix = rest.substr(0, rest.find_first_of("{ "));
      const std::set<std::string> allowed = type == "counter" ? std::set<std::string>{"_total"}
                                            : type == "gauge"
                                                ? std::set<std::string>{""}
                                                : std::set<std::string>{"_bucket", "_sum", "_count"};
      EXPECT_TRUE(allowed.contains(suffix)) << line;
    }
  }
  EXPECT_TRUE(ended);
  EXPECT_EQ(families.size(), 11U);
  EXPECT_GT(samples, 40);
}

TEST(MetricsText, NothingCountedIsStillWhole) {
  const std::string text = metrics_text(Metrics{});
  EXPECT_NE(text.find("cede_preemption_victim_requeue_total 0\n"), std::string::npos);
  EXPECT_NE(text.find("cede_plan_seconds_bucket{le=\"+Inf\"} 0\n"), std::string::npos);
  EXPECT_TRUE(text.ends_with("cede_ignored_events_total 0\n# EOF\n"));
}

TEST(MetricsText, ATallyComesBackFromItsMetrics) {
  Metrics metrics = some_metrics();
  metrics.holds = metrics.in_flight = 0;
  EXPECT_EQ(MetricsCounter::of(metrics).metrics(), metrics);
}

}  // namespace
}  // namespace cede
