// SPDX-License-Identifier: MIT
// How long one plan takes on the shapes of the specification's table of speed, white box: the model is built
// through its edit calls and asked directly. `cede_search_bench SHAPE [SIZE [RUNS [THREADS]]]`.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>

#include "document/plan_writer.h"
#include "search/decide.h"
#include "search/verify.h"
#include "search_shapes.h"

namespace cede::bench {
namespace {

using Clock = std::chrono::steady_clock;

double micros(Clock::duration time) { return std::chrono::duration<double, std::micro>(time).count(); }

// Of all threads: what the work costs on a machine that others use too.
double processor_micros() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_nsec) / 1e3;
}

Shape shape_of(const std::string& name, std::size_t size) {
  const auto or_else = [&](std::size_t usual) { return size == 0 ? usual : size; };
  if (name == "k8s-basic-same") return k8s_basic(or_else(1000), false);
  if (name == "k8s-basic-mixed") return k8s_basic(or_else(1000), true);
  if (name == "k8s-gang") return k8s_gang(or_else(5000), false);
  if (name == "k8s-gang-mixed") return k8s_gang(or_else(5000), true);
  if (name == "kai-many") return kai_many(or_else(500));
  if (name == "kai-large-half") return kai_large(or_else(10'000), or_else(10'000) / 2);
  if (name == "kai-large-all") return kai_large(or_else(10'000), or_else(10'000));
  if (name == "kai-no") return kai_large(or_else(10'000), or_else(10'000) + 1);
  if (name == "no-topology") return no_topology(or_else(2000));
  if (name == "kueue-topology") return kueue_topology();
  if (name == "huge-gang") return huge(or_else(100'000), true);
  if (name == "huge-one") return huge(or_else(100'000), false);
  std::fprintf(stderr, "unknown shape '%s'\n", name.c_str());
  std::exit(2);
}

// The cluster once the plan was carried out: the victims gone, the job running where it was placed.
Model carried_out(const Model& model, const Plan& plan) {
  Problems problems;
  ModelEdit edit(model, Limits{}, problems, false);
  for (const PlannedVictim& victim : plan.victims) edit.remove(Kind::job, model.job_name(victim.job));
  const JobId id = plan.subject.job;
  JobDraft job;
  job.core = model.jobs[id];
  job.core.state = JobState::running;
  job.times = model.job_times[id.value];
  job.times.started = plan.now;
  job.owners = model.job_owners[id.value];
  job.checkpoint = model.job_checkpoints[id.value];
  job.extras = model.job_extras[id.value];
  job.queue = model.queues[model.jobs[id].queue].name;
  for (const PlannedTask& placed : plan.placement) {
    TaskDraft task;
    task.core = model.tasks.core(placed.task);
    task.extras = model.tasks.extras(placed.task);
    task.core.count = 1;
    task.extras.counted = false;
    task.core.gpus = placed.gpus;
    task.extras.gpus_given = placed.gpus != 0;
    task.node = model.nodes[placed.node].name;
    job.tasks.push_back(task);
  }
  edit.put(job);
  Model next = edit.finish();
  if (problems.failed()) {
    std::fprintf(stderr, "%s\n", problems.all()[0].message().c_str());
    std::exit(1);
  }
  return next;
}

int run(int argc, char** argv) {
  const std::string name = argc > 1 ? argv[1] : "k8s-basic-same";
  const std::size_t size = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 0;
  const std::size_t runs = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 20;
  const std::size_t threads = argc > 4 ? std::strtoull(argv[4], nullptr, 10) : 1;
  Shape shape = shape_of(name, size);
  const auto in_flight = std::make_shared<const InFlight>();
  Grounds grounds;
  Crew crew(threads);
  const Means means{shape.policies, &grounds, &crew};
  const bool series = shape.requests.size() > 1;
  std::vector<double> times;
  std::vector<double> processor;
  double whole = 0;
  Question question;
  for (std::size_t i = 0; i < (series ? std::min(runs, shape.requests.size()) : runs); ++i) {
    question.job = shape.model.find_job(shape.requests[series ? i : 0]);
    question.now = shape.model.now + static_cast<Time>(i) * 1000;
    const double spent = processor_micros();
    const auto start = Clock::now();
    const Plan plan = decide(shape.model, *shape.policies, in_flight, question, means);
    const auto planned = Clock::now();
    processor.push_back(processor_micros() - spent);
    if (series) shape.model = carried_out(shape.model, plan);
    whole += micros(Clock::now() - start);
    times.push_back(micros(planned - start));
    if (i > 0) continue;
    std::printf(
        "%s: outcome %s %s; %s; %zu victims, cost %lld bound %lld, proven %u of %zu, optimal %d, work %llu, "
        "fault '%s'\n",
        name.c_str(), std::string(to_word(plan.outcome, kOutcomes)).c_str(), plan.rule.c_str(),
        plan.reason.c_str(), plan.victims.size(), static_cast<long long>(plan.cost),
        static_cast<long long>(plan.bound), plan.proven, plan.objective.size(), plan.optimal,
        static_cast<unsigned long long>(plan.work),
        argc > 5 ? verify(plan, *shape.policies).c_str() : "not asked");
    std::fflush(stdout);
  }
  const double first = times.front();
  std::sort(times.begin(), times.end());
  std::sort(processor.begin(), processor.end());
  std::printf(
      "%s: first %.1f us, processor p50 %.1f us, p50 %.1f us, p99 %.1f us, with carrying out %.1f us each, "
      "%zu runs\n",
      name.c_str(), first, processor[processor.size() / 2], times[times.size() / 2],
      times[times.size() * 99 / 100], whole / static_cast<double>(times.size()), times.size());
  return 0;
}

}  // namespace
}  // namespace cede::bench

int main(int argc, char** argv) { return cede::bench::run(argc, argv); }
