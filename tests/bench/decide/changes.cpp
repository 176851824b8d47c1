// SPDX-License-Identifier: MIT
// What changes to a cluster cost: through arrays, through documents, and on a copy.
#include <charconv>
#include <map>
#include <random>

#include "decide/measure.h"
#include "decide/plan_handle.h"
#include "decide/run.h"

namespace bench {

namespace {

void add(std::string& out, std::int64_t number) {
  char digits[24];
  out.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

// Of a resource beyond the one that is short, or of that one: in whole units.
void add_resources(std::string& out, const Description::Task& task, const Description& description) {
  out.append(R"("resources":{")").append(description.resource).append("\":");
  add(out, task.amount / 1000);
  for (const auto& [name, amount] : description.further) {
    out.append(",\"").append(name).append("\":");
    add(out, amount / 1000);
  }
  out.append("}");
}

void add_devices(std::string& out, std::uint64_t devices) {
  out.append(R"(,"gpus":)");
  for (std::int64_t d = 0, first = 1; devices >> d != 0; ++d) {
    if ((devices >> d & 1) == 0) continue;
    out.append(first != 0 ? "[" : ",");
    add(out, d);
    first = 0;
  }
  out.append("]");
}

// As a manager that knows how long its text will be writes it: into one string, without pieces in between.
void add_job(std::string& out, const Description::Job& job, const Description& description) {
  out.append(R"({"id":")").append(job.name).append(R"(","queue":"root","priority":)");
  add(out, job.priority);
  if (description.profile == "class-cost") {
    out.append(R"(,"class":)");
    add(out, job.priority);
  }
  if (job.owner != 0) {
    out.append(R"(,"user":")").append(user_name(job.owner)).append(R"(","project":")");
    out.append(project_name(job.owner)).append(R"(","group":"g","kind":"training")");
  }
  out.append(job.running ? R"(,"state":"running","started":)" : R"(,"submitted":)");
  add(out, job.since / 1000);
  if (job.walltime != 0) {
    out.append(R"(,"walltime":)");
    add(out, job.walltime / 1000);
  }
  if (!job.require.empty()) out.append(R"(,"require":)").append(job.require);
  if (job.checkpoints) {
    out.append(R"(,"checkpoint":{"mode":"auto","last":)");
    add(out, job.since / 1000);
    out.append(R"(,"estimate":60})");
  }
  out.append(R"(,"tasks":[)");
  if (!job.running) {
    out.append(R"({"count":)");
    add(out, static_cast<std::int64_t>(job.tasks.size()));
    out.append(",");
    add_resources(out, job.tasks.front(), description);
    out.append("}");
  }
  for (std::size_t t = 0; job.running && t < job.tasks.size(); ++t) {
    out.append(t == 0 ? R"({"node":")" : R"(,{"node":")");
    out.append(description.nodes[job.tasks[t].node].name).append("\",");
    add_resources(out, job.tasks[t], description);
    if (job.tasks[t].devices != 0) add_devices(out, job.tasks[t].devices);
    out.append("}");
  }
  out.append("]}");
}

std::string changes_of(const std::vector<const Description::Job*>& jobs, const Description& description) {
  std::string out;
  out.reserve(jobs.size() * 400);
  out.append(R"({"format":"cede-changes/1","put":{"jobs":[)");
  for (const Description::Job* job : jobs) {
    if (job != jobs.front()) out.append(",");
    add_job(out, *job, description);
  }
  return out.append("]}}");
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
    // A plan is made between two changes.
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

// An engine that knows the nodes is told all jobs and asked once, from the manager's own records to the plan:
// names numbered, arrays filled and put; or text written and applied.
void measure_doors(const Description& description, unsigned threads, const Terms& terms, Row& row) {
  Samples arrays;
  Samples names;
  Samples fills;
  Samples puts;
  Samples plans;
  Samples documents;
  Samples writes;
  Samples applies;
  const Clock whole;
  for (std::size_t turn = 0; turn < 20 && (turn == 0 || whole.seconds() < terms.seconds); ++turn) {
    {
      Cluster typed(description, threads, Told::nodes);
      const std::vector<const Description::Job*> all = typed.all_jobs();
      const Clock clock;
      typed.name_all_jobs();
      names.add(clock.seconds());
      const Clock fill;
      typed.prepare(all);
      fills.add(fill.seconds());
      const Clock put;
      typed.send(typed.engine());
      puts.add(put.seconds());
      const Clock plan;
      plan_for(typed.engine(), description.asked.front());
      plans.add(plan.seconds());
      arrays.add(clock.seconds());
    }
    const Cluster told(description, threads, Told::nodes);
    const std::vector<const Description::Job*> all = told.all_jobs();
    const Clock clock;
    const std::string text = changes_of(all, description);
    writes.add(clock.seconds());
    const Clock apply;
    apply_text(told, text);
    applies.add(apply.seconds());
    plan_for(told.engine(), description.asked.front());
    documents.add(clock.seconds());
  }
  row.unit = "jobs and a plan";
  row.plan_p50 = plans.part(0.5);
  row.plan_p99 = plans.part(0.99);
  row.done = arrays.count();
  row.p50 = arrays.part(0.5);
  row.p99 = arrays.part(0.99);
  row.json_p50 = documents.part(0.5);
  row.per_second = static_cast<double>(arrays.count()) / arrays.sum();
  row.parts = {{"naming", names.part(0.5)},
               {"filling", fills.part(0.5)},
               {"putting", puts.part(0.5)},
               {"writing", writes.part(0.5)},
               {"applying", applies.part(0.5)}};
}

}  // namespace bench
