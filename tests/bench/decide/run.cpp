// SPDX-License-Identifier: MIT
#include "decide/run.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <random>

#include "decide/measure.h"
#include "decide/plan_handle.h"

namespace bench {

namespace {

void note_first(const cede_plan* plan, Row& row) {
  static constexpr const char* kWords[] = {"?", "fits", "preempt", "wait", "in-progress", "impossible"};
  row.outcome = kWords[cede_plan_outcome(plan)];
  if (*cede_plan_rule(plan) != '\0' && row.outcome != cede_plan_rule(plan))
    row.outcome += std::string(" ") + cede_plan_rule(plan);
  row.victims = cede_plan_victim_count(plan);
  row.cost = cede_plan_cost(plan);
  row.optimal = cede_plan_bound(plan) == cede_plan_cost(plan);
}

// A table of nodes as small as it can be, looked at once: what no search can do without.
double scan_floor(int size) {
  struct Node {
    std::int64_t free;
    std::uint32_t leaf;
    std::uint32_t state;
  };
  std::vector<Node> nodes(static_cast<std::size_t>(size));
  for (std::size_t i = 0; i < nodes.size(); ++i)
    nodes[i] = {static_cast<std::int64_t>(i * 7 % 9), static_cast<std::uint32_t>(i / 40), 0};
  std::vector<std::uint32_t> leaves(nodes.size() / 40 + 1);
  double best = 1e9;
  volatile std::uint32_t seen = 0;
  for (int turn = 0; turn < 50; ++turn) {
    const Clock clock;
    for (const Node& node : nodes) leaves[node.leaf] += node.free >= 8 && node.state == 0 ? 1 : 0;
    best = std::min(best, clock.seconds());
    seen = seen + leaves[leaves.size() / 2];
  }
  return best;
}

// Between two questions one running job changes, elsewhere in the cluster than the answer as a rule; then the
// same is asked again with nothing changed. Prices depend on the time, and every question is asked a second
// later than the one before.
void measure_one(const Description& description, Cluster& cluster, const Terms& terms, Row& row) {
  std::mt19937_64 random(terms.seed);
  Samples plans;
  Samples again;
  std::int64_t now = kNow;
  const auto ask = [&] {
    const Clock clock;
    const PlanHandle plan = plan_for(cluster.engine(), description.asked.front(), now);
    const double seconds = clock.seconds();
    now += kSecond;
    if (row.outcome.empty()) note_first(plan.get(), row);
    return seconds;
  };
  row.first = ask();
  const Clock whole;
  for (std::size_t turn = 0; turn < 500 && (turn < 2 || whole.seconds() < terms.seconds); ++turn) {
    std::size_t index = random() % description.jobs.size();
    while (!description.jobs[index].running) index = random() % description.jobs.size();
    Description::Job job = description.jobs[index];
    job.since += kSecond * static_cast<std::int64_t>(turn % 60);
    cluster.put({&job});
    plans.add(ask());
    again.add(ask());
  }
  row.unit = "plan";
  row.done = plans.count();
  row.p50 = row.plan_p50 = plans.part(0.5);
  row.p99 = row.plan_p99 = plans.part(0.99);
  row.again_p50 = again.part(0.5);
  row.per_second = static_cast<double>(plans.count()) / plans.sum();
}

// Tells the engine what happened, and takes whatever it says is to be done for done.
class Sequence {
 public:
  explicit Sequence(Cluster& cluster) : cluster_(cluster) {}

  void step(const std::vector<cede_event>& events) {
    cede_step* step = nullptr;
    cede_error error;
    if (cede_engine_step(cluster_.engine(), CEDE_NOW_OF_CLUSTER, events.data(), sizeof(cede_event),
                         events.size(), nullptr, 0, &step, &error) < 0)
      give_up(error);
    // That victims are gone was seen already; that the requester runs must be news.
    for (std::size_t i = 0; i < events.size(); ++i) {
      if (events[i].kind != CEDE_EVENT_STARTED || cede_step_answer(step, i) == 1) continue;
      std::fprintf(stderr, "a start was ignored\n");
      std::exit(1);
    }
    done_.clear();
    std::vector<cede_action> actions(cede_step_action_count(step));
    cede_step_actions(step, actions.data(), sizeof(cede_action), actions.size(), nullptr, nullptr);
    for (const cede_action& action : actions) {
      cede_event event{};
      event.kind = CEDE_EVENT_ACTION_DONE;
      event.action = action.id;
      done_.push_back(event);
    }
    cede_step_destroy(step);
  }

  // The whole way of one plan: the victims are told, have left, and the requester runs.
  void carry_out(const cede_plan* plan, const Description::Job& job) {
    cede_error error;
    std::uint64_t entry = 0;
    if (cede_engine_commit(cluster_.engine(), plan, CEDE_NOW_OF_CLUSTER, -1, &entry, &error) < 0)
      give_up(error);
    std::vector<cede_event> events;
    step({});
    events = done_;
    std::vector<cede_victim> victims(cede_plan_victim_count(plan));
    if (cede_plan_victims(plan, victims.data(), sizeof(cede_victim), victims.size(), nullptr, &error) < 0)
      give_up(error);
    std::vector<std::uint32_t> leaving;
    for (const cede_victim& victim : victims) {
      leaving.push_back(victim.job);
      events.push_back(event_of(CEDE_EVENT_RELEASED, victim.job));
    }
    if (!leaving.empty()) cluster_.remove(leaving);
    step(events);
    cluster_.start(job, plan);
    events = done_;
    events.push_back(event_of(CEDE_EVENT_STARTED, cluster_.number(job.name)));
    step(events);
    if (!done_.empty()) step(std::vector<cede_event>(done_));
  }

 private:
  static cede_event event_of(std::int32_t kind, std::uint32_t job) {
    cede_event event{};
    event.kind = kind;
    event.job = job;
    return event;
  }

  Cluster& cluster_;
  std::vector<cede_event> done_;
};

// Each request is planned and carried out before the next is asked.
void measure_many(const Description& description, Cluster& cluster, const Terms& terms, Row& row) {
  std::map<std::string_view, const Description::Job*> by_name;
  for (const Description::Job& job : description.jobs) by_name[job.name] = &job;
  Samples plans;
  Samples decisions;
  const Clock whole;
  Sequence sequence(cluster);
  for (const std::string& name : description.asked) {
    if (whole.seconds() > terms.seconds) break;
    const Clock clock;
    const PlanHandle plan = plan_for(cluster.engine(), name);
    plans.add(clock.seconds());
    if (plans.count() == 1) note_first(plan.get(), row);
    const std::int32_t outcome = cede_plan_outcome(plan.get());
    if (outcome == CEDE_OUTCOME_PREEMPT || outcome == CEDE_OUTCOME_FITS)
      sequence.carry_out(plan.get(), *by_name[name]);
    decisions.add(clock.seconds());
  }
  row.unit = "decision";
  row.done = decisions.count();
  row.asked = description.asked.size();
  row.p50 = decisions.part(0.5);
  row.p99 = decisions.part(0.99);
  row.plan_p50 = plans.part(0.5);
  row.plan_p99 = plans.part(0.99);
  row.per_second = static_cast<double>(decisions.count()) / decisions.sum();
}

}  // namespace

Row run(const Shape& shape, int size, unsigned threads, const Terms& terms) {
  const Description description = shape.make(size, terms.seed);
  Cluster cluster(description, threads);
  Row row;
  row.shape = shape.name;
  row.size = size;
  row.threads = threads;
  row.aim = shape.aim;
  row.running_tasks = description.running_tasks();
  row.told_in = cluster.seconds;
  row.floor = scan_floor(size);
  switch (shape.query) {
    case Query::one: measure_one(description, cluster, terms, row); break;
    case Query::many: measure_many(description, cluster, terms, row); break;
    case Query::update: measure_update(description, cluster, terms, row); break;
    case Query::what_if: measure_what_if(description, cluster, terms, row); break;
    case Query::doors: measure_doors(description, threads, terms, row); break;
  }
  const auto tasks = static_cast<double>(row.running_tasks);
  row.bytes_per_task = static_cast<double>(cluster.bytes_without_names()) / tasks;
  row.names_per_task = static_cast<double>(cluster.bytes()) / tasks - row.bytes_per_task;
  return row;
}

}  // namespace bench
