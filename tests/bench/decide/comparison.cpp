// SPDX-License-Identifier: MIT
#include <algorithm>

#include "decide/measure.h"
#include "decide/run.h"
#include "decide/strategies.h"
#include "decide/verify_choice.h"

namespace bench {

namespace {

Comparison own_row(const Shape& shape, int size, const Cluster& cluster, const Description::Job& asked) {
  Comparison row;
  row.shape = shape.name;
  row.size = size;
  row.who = "libcede";
  cede_plan* plan = nullptr;
  const Clock clock;
  cede_plan_create(cluster.engine(), asked.name.c_str(), CEDE_NOW_OF_CLUSTER, nullptr, 0, &plan, nullptr);
  row.seconds = clock.seconds();
  const std::int32_t outcome = cede_plan_outcome(plan);
  row.found = outcome == CEDE_OUTCOME_PREEMPT || outcome == CEDE_OUTCOME_FITS;
  row.victims = cede_plan_victim_count(plan);
  row.cost = cede_plan_cost(plan);
  cede_error error;
  row.verdict = !row.found ? "" : cede_plan_verify(plan, &error) == CEDE_OK ? "accepted" : error.text;
  cede_plan_destroy(plan);
  return row;
}

}  // namespace

std::vector<Comparison> compare_strategies(const Shape& shape, int size, const Terms& terms) {
  const Description description = shape.make(size, terms.seed);
  const Cluster cluster(description, 1);
  const auto asked =
      std::find_if(description.jobs.begin(), description.jobs.end(),
                   [&](const Description::Job& job) { return job.name == description.asked.front(); });
  std::vector<Comparison> rows{own_row(shape, size, cluster, *asked)};
  for (const Strategy& strategy : strategies()) {
    Comparison row;
    row.shape = shape.name;
    row.size = size;
    row.who = strategy.name;
    const Clock clock;
    const Choice choice = strategy.choose(description, *asked);
    row.seconds = clock.seconds();
    row.found = choice.found;
    row.victims = choice.victims.size();
    if (choice.found) {
      const Verdict verdict = verify_choice(cluster, description, *asked, choice);
      row.cost = verdict.cost;
      row.verdict = verdict.fault.empty() ? "accepted" : verdict.fault;
      if (rows.front().found && !choice.victims.empty())
        row.against = verdict.compared < 0 ? "better" : verdict.compared > 0 ? "worse" : "alike";
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace bench
