// SPDX-License-Identifier: MIT
// What changes to a cluster cost: through arrays, through documents, and on a copy.
#include <map>
#include <random>

#include "decide/measure.h"
#include "decide/plan_handle.h"
#include "decide/run.h"

namespace bench {

namespace {

std::string text_of(const Description::Job& job, const Description& description) {
  const auto seconds = [](std::int64_t time) { return std::to_string(time / 1000); };
  const auto resources = [&](const Description::Task& task) {
    return R"("resources":{")" + description.resource + R"(":)" + std::to_string(task.amount / 1000) + "}}";
  };
  std::string out =
      R"({"id":")" + job.name + R"(","queue":"root","priority":)" + std::to_string(job.priority);
  if (description.profile == "class-cost") out += R"(,"class":)" + std::to_string(job.priority);
  out += job.running ? R"(,"state":"running","started":)" : R"(,"submitted":)";
  out += seconds(job.since);
  if (!job.require.empty()) out += R"(,"require":)" + job.require;
  if (job.checkpoints)
    out += R"(,"checkpoint":{"mode":"auto","last":)" + seconds(job.since) + R"(,"estimate":60})";
  out += R"(,"tasks":[)";
  if (!job.running) {
    out += R"({"count":)" + std::to_string(job.tasks.size()) + "," + resources(job.tasks.front());
  }
  for (std::size_t t = 0; job.running && t < job.tasks.size(); ++t) {
    out += std::string(t == 0 ? "" : ",") + R"({"node":")" + description.nodes[job.tasks[t].node].name +
           R"(",)" + resources(job.tasks[t]);
  }
  return out + "]}";
}

std::string changes_of(const std::vector<const Description::Job*>& jobs, const Description& description) {
  std::string out = R"({"format":"cede-changes/1","put":{"jobs":[)";
  for (const Description::Job* job : jobs)
    out += (job == jobs.front() ? "" : ",") + text_of(*job, description);
  return out + "]}}";
}

void apply_text(const Cluster& cluster, const std::string& text) {
  cede_error error;
  if (cede_engine_apply(cluster.engine(), text.data(), text.size(), &error) < 0) give_up(error);
}

}  // namespace

// A thousand running jobs change through arrays, and a thousand others through a document.
void measure_update(const Description& description, Cluster& cluster, const Terms& terms, Row& row) {
  constexpr std::size_t kChanged = 1000;
  std::mt19937_64 random(terms.seed);
  const auto choose = [&](std::map<std::size_t, Description::Job>& chosen) {
    while (chosen.size() < kChanged) {
      const std::size_t index = random() % description.jobs.size();
      if (!description.jobs[index].running) continue;
      Description::Job& job = chosen[index];
      job = description.jobs[index];
      job.priority = static_cast<std::int32_t>(random() % 5);
    }
    std::vector<const Description::Job*> jobs;
    for (const auto& [index, job] : chosen) jobs.push_back(&job);
    return jobs;
  };
  Samples arrays;
  Samples documents;
  const Clock whole;
  for (std::size_t turn = 0; turn < 500 && (turn == 0 || whole.seconds() < terms.seconds); ++turn) {
    std::map<std::size_t, Description::Job> some;
    std::map<std::size_t, Description::Job> others;
    const std::string text = changes_of(choose(others), description);
    cluster.prepare(choose(some));
    // Somebody plans between two changes.
    plan_for(cluster.engine(), description.asked.front());
    const Clock clock;
    cluster.send(cluster.engine());
    arrays.add(clock.seconds());
    plan_for(cluster.engine(), description.asked.front());
    const Clock other;
    apply_text(cluster, text);
    documents.add(other.seconds());
  }
  row.unit = "1,000 jobs";
  row.done = arrays.count();
  row.p50 = arrays.part(0.5);
  row.p99 = arrays.part(0.99);
  row.json_p50 = documents.part(0.5);
  row.per_second = static_cast<double>(arrays.count()) / arrays.sum();
}

// What would be if one job were another one: a copy is changed, asked and dropped. The plan alone is the
// original's.
void measure_what_if(const Description& description, Cluster& cluster, const Terms& terms, Row& row) {
  std::mt19937_64 random(terms.seed);
  Samples plans;
  Samples copies;
  const Clock whole;
  plan_for(cluster.engine(), description.asked.front());
  for (std::size_t turn = 1; turn < 1000 && (turn < 3 || whole.seconds() < terms.seconds); ++turn) {
    std::size_t index = random() % description.jobs.size();
    while (!description.jobs[index].running) index = random() % description.jobs.size();
    Description::Job other = description.jobs[index];
    other.since += kSecond * static_cast<std::int64_t>(turn % 60);
    const std::int64_t now = kNow + kSecond * static_cast<std::int64_t>(turn);
    const Clock clock;
    cede_engine* copy = nullptr;
    cede_error error;
    if (cede_engine_clone(cluster.engine(), &copy, &error) < 0) give_up(error);
    cluster.put({&other}, copy);
    plan_for(copy, description.asked.front(), now);
    cede_engine_destroy(copy);
    copies.add(clock.seconds());
    const Clock alone;
    plan_for(cluster.engine(), description.asked.front(), now);
    plans.add(alone.seconds());
  }
  row.unit = "what-if";
  row.done = copies.count();
  row.p50 = copies.part(0.5);
  row.p99 = copies.part(0.99);
  row.plan_p50 = plans.part(0.5);
  row.plan_p99 = plans.part(0.99);
  row.per_second = static_cast<double>(copies.count()) / copies.sum();
}

// An engine that knows the nodes is told all jobs and asked once.
void measure_doors(const Description& description, unsigned threads, const Terms& terms, Row& row) {
  std::vector<const Description::Job*> all;
  for (const Description::Job& job : description.jobs) all.push_back(&job);
  const std::string text = changes_of(all, description);
  Samples arrays;
  Samples plans;
  Samples documents;
  const Clock whole;
  for (std::size_t turn = 0; turn < 20 && (turn == 0 || whole.seconds() < terms.seconds); ++turn) {
    Cluster typed(description, threads, Told::nodes);
    const Clock clock;
    typed.put_all_jobs();
    const Clock asked;
    plan_for(typed.engine(), description.asked.front());
    plans.add(asked.seconds());
    arrays.add(clock.seconds());
    const Cluster told(description, threads, Told::nodes);
    const Clock other;
    apply_text(told, text);
    plan_for(told.engine(), description.asked.front());
    documents.add(other.seconds());
  }
  row.unit = "jobs and a plan";
  row.plan_p50 = plans.part(0.5);
  row.plan_p99 = plans.part(0.99);
  row.done = arrays.count();
  row.p50 = arrays.part(0.5);
  row.p99 = arrays.part(0.99);
  row.json_p50 = documents.part(0.5);
  row.per_second = static_cast<double>(arrays.count()) / arrays.sum();
}

}  // namespace bench
