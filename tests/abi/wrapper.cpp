// SPDX-License-Identifier: MIT
// The C++17 wrapper over the C ABI: that it compiles, passes everything on, and fails the way it was asked
// to.
#include <cede/cede.hpp>

#include <cstdio>

namespace {

int failures = 0;

void expect(bool good, const char* what) {
  if (good) return;
  std::fprintf(stderr, "%s\n", what);
  ++failures;
}

constexpr const char* kPolicy =
    R"({"format": "cede-policy/1", "policies": {"default": {"profile": "priority"}}})";
constexpr std::int64_t kNow = 1760000000000;

cede::Engine told_in_arrays() {
  cede::Engine engine(kPolicy, {"threads=1"});
  const std::uint32_t root = engine.name("root");
  const std::uint32_t two = engine.resources({{2000, engine.name("gpu"), 0}});
  engine.set_now(kNow);
  engine.put(std::vector<cede_group>{{engine.name("g"), 0, 0, 0}});
  cede_queue queue{};
  queue.name = root;
  engine.put(std::vector{queue});
  cede_node node{};
  node.name = engine.name("n");
  node.resources = two;
  engine.put(std::vector{node});
  cede_job jobs[2] = {};
  cede_task tasks[2] = {};
  jobs[0].name = engine.name("v");
  jobs[0].state = CEDE_JOB_RUNNING;
  jobs[0].started = kNow - 86400000;
  jobs[0].priority = 1;
  tasks[0].node = node.name;
  jobs[1].name = engine.name("w");
  jobs[1].submitted = kNow - 60000;
  jobs[1].priority = 50;
  for (int i = 0; i < 2; ++i) {
    jobs[i].queue = root;
    jobs[i].task_count = 1;
    tasks[i].resources = two;
  }
  engine.put({jobs[0], jobs[1]}, {tasks[0], tasks[1]});
  return engine;
}

void plans() {
  const cede::Engine engine = told_in_arrays();
  const cede::Plan plan = engine.plan("w");
  expect(plan.outcome() == CEDE_OUTCOME_PREEMPT, "the plan does not preempt");
  expect(plan.victims().size() == 1 && plan.victims()[0].job == engine.find_name("v"), "the victim is not v");
  expect(plan.victim_tasks().size() == 1 && plan.places().size() == 1, "tasks or places are missing");
  expect(plan.place_node(0) == "n" && plan.victim_job(0) == "v", "names are not passed on");
  expect(plan.json().find("\"job\":\"w\"") != std::string::npos, "the document is not passed on");
  expect(plan.explain().size() > plan.json().size() && plan.verify(), "explain or verify fails");
  expect(engine.name_text(engine.find_name("n")) == "n", "a name has no way back");
  cede::Engine copy = engine.clone();
  expect(copy.remove_jobs({engine.find_name("v")}), "a clone cannot be changed");
  expect(copy.export_cluster() != engine.export_cluster(), "the clone is not on its own");
  expect(copy.plan("w").outcome() == CEDE_OUTCOME_FITS, "the clone plans as the engine does");
}

void fails_as_asked() {
  cede::Engine engine = told_in_arrays();
  cede::Status status;
  expect(!engine.load("{", &status) && status.code() == CEDE_E_DOCUMENT && !status.text().empty(),
         "a status is not filled in");
  expect(!engine.plan("nobody", CEDE_NOW_OF_CLUSTER, {}, &status) && status.code() == CEDE_E_UNKNOWN,
         "no plan is made for an unknown job");
  try {
    engine.load("{");
    expect(false, "nothing is thrown");
  } catch (const cede::Error& error) {
    expect(error.code() == CEDE_E_DOCUMENT && error.line() == 1, "the error is not passed on");
  }
  expect(!cede::Engine("{", {}, &status) && status.code() == CEDE_E_DOCUMENT, "an engine is made of nothing");
}

}  // namespace

int main() {
  plans();
  fails_as_asked();
  return failures == 0 ? 0 : 1;
}
