// SPDX-License-Identifier: MIT
// Every part of cede.hpp once, with exceptions and with statuses. The calls themselves are tested in
// tests/abi.
#include <gtest/gtest.h>
#include <cede/cede.hpp>

#include <array>
#include <thread>

namespace {

constexpr const char* kPolicy =
    R"({"format": "cede-policy/1", "policies": {"default": {"profile": "class-cost"}}})";
constexpr const char* kCluster = R"({"format": "cede-cluster/1", "now": 1760000000,
 "groups": [{"id": "g", "policy": "default"}], "queues": [{"id": "root"}],
 "nodes": [{"id": "n1", "resources": {"gpu": 8}}, {"id": "n2", "resources": {"gpu": 2}}],
 "jobs": [
  {"id": "low", "queue": "root", "class": 2, "state": "running", "started": 1759990000, "checkpoint": {"mode": "auto"},
   "tasks": [{"node": "n1", "resources": {"gpu": 8}, "gpus": [0, 1, 2, 3, 4, 5, 6, 7]}]},
  {"id": "high", "queue": "root", "class": 8, "value": 100, "submitted": 1759999000,
   "tasks": [{"resources": {"gpu": 4}}]}]})";
constexpr std::int64_t kStart = 1760000000000;

cede::Engine loaded() {
  cede::Engine engine(kPolicy, {"threads=1"});
  engine.load(kCluster);
  return engine;
}

template <class Call>
std::int32_t thrown(Call call) {
  try {
    call();
  } catch (const cede::Error& error) {
    return error.code();
  }
  return CEDE_OK;
}

TEST(Catalogue, IsPassedOn) {
  EXPECT_EQ(cede::version(), std::uint32_t{CEDE_VERSION});
  EXPECT_FALSE(cede::version_text().empty());
  EXPECT_TRUE(cede::has_feature("arrays"));
  EXPECT_FALSE(cede::options().empty());
  EXPECT_EQ(cede::profiles().size(), 5u);
  EXPECT_FALSE(cede::profiles()[0].settings.at(0).help.empty());
  EXPECT_EQ(cede::document_kind(kCluster), CEDE_DOCUMENT_CLUSTER);
  cede::Status status;
  EXPECT_LT(cede::document_kind("[]", &status), 0);
  EXPECT_EQ(status.code(), CEDE_E_DOCUMENT);
  EXPECT_FALSE(cede::schema(cede::schema_formats().at(0)).empty());
  EXPECT_TRUE(cede::schema("cede-poem/1", &status).empty());
}

TEST(Engine, TakesDocuments) {
  cede::Engine engine = loaded();
  EXPECT_NE(engine.export_cluster().find("high"), std::string::npos);
  EXPECT_NE(engine.metrics().find("# EOF"), std::string::npos);
  EXPECT_TRUE(engine.apply(R"({"format": "cede-changes/1", "remove": {"jobs": ["low"]}})"));
  EXPECT_EQ(engine.plan("high").outcome(), CEDE_OUTCOME_FITS);
  EXPECT_EQ(thrown([&] { engine.shares(); }), CEDE_E_INVALID);
  EXPECT_TRUE(engine.set_policy(
      R"({"format": "cede-policy/1", "policies": {"default": {"profile": "fair-share"}}})"));
  EXPECT_NE(engine.shares("g").find("cede-shares/1"), std::string::npos);
}

TEST(Engine, ChecksDocuments) {
  const cede::Engine engine = loaded();
  EXPECT_EQ(engine.check().status(), CEDE_OK);
  const cede::Report report = engine.check("{\"format\": \"cede-cluster/1\",\n \"now\": \"soon\"}");
  ASSERT_EQ(report.findings().size(), 1u);
  EXPECT_EQ(report.status(), CEDE_E_DOCUMENT);
  EXPECT_EQ(report.findings()[0].line, 2u);
  EXPECT_EQ(report.path(0), "now");
  EXPECT_FALSE(report.text(0).empty());
  EXPECT_EQ(report.text(1), "");
  EXPECT_EQ(report.dropped(), 0u);
}

TEST(Engine, AdmitsJobs) {
  cede::Engine engine = loaded();
  const cede::Admission admission = engine.admit("high");
  EXPECT_TRUE(admission.admitted());
  EXPECT_EQ(admission.ruling().job_class, 8);
  EXPECT_EQ(admission.rule(), "");
  EXPECT_FALSE(admission.reason().empty());
  EXPECT_EQ(admission.quota(), "");
  EXPECT_EQ(engine.admit(engine.name("high")).json(), admission.json());
}

TEST(Engine, MovesWithItsLog) {
  std::vector<std::string> heard;
  cede::Engine engine(kPolicy);
  engine.set_log([&](std::int32_t, std::string_view text) { heard.emplace_back(text); });
  cede::Engine moved = std::move(engine);
  moved.load(kCluster);
  EXPECT_FALSE(heard.empty());
  const std::size_t before = heard.size();
  moved.set_log(nullptr);
  moved.load(kCluster);
  EXPECT_EQ(heard.size(), before);
  EXPECT_FALSE(engine);  // NOLINT: what is left of it is empty
  engine = std::move(moved);
  EXPECT_EQ(engine.plan("high").outcome(), CEDE_OUTCOME_PREEMPT);
}

TEST(Names, GoBothWays) {
  cede::Engine engine(kPolicy);
  const cede::Numbers numbers = engine.names({"a", "b\xc3\xa9", "c"});
  EXPECT_EQ(engine.name_texts(numbers), (cede::Texts{"a", "b\xc3\xa9", "c"}));
  EXPECT_EQ(engine.name("c"), numbers[2]);
  EXPECT_EQ(engine.find_name("c"), numbers[2]);
  EXPECT_EQ(engine.name_text(numbers[0]), "a");
  cede::Status status;
  EXPECT_TRUE(engine.names({"d", ""}, &status).empty());
  EXPECT_EQ(status.code(), CEDE_E_INVALID);
  EXPECT_EQ(engine.find_name("d"), 0u);
  EXPECT_TRUE(engine.forget(numbers, &status));
  EXPECT_TRUE(status.ok());  // a status tells of the last call only
  EXPECT_TRUE(engine.name_texts(numbers, &status).empty());
}

TEST(Arrays, AreAnyContiguousElements) {
  cede::Engine engine = loaded();
  const cede::Numbers names = engine.names({"m1", "m2", "m3", "m4"});
  std::array<cede_node, 2> two{};
  cede_node one[1] = {};
  two[0].name = names[0];
  two[1].name = names[1];
  one[0].name = names[2];
  cede_node last{};
  last.name = names[3];
  EXPECT_TRUE(engine.put(two));
  EXPECT_TRUE(engine.put(one));
  EXPECT_TRUE(engine.put({last}));
  EXPECT_TRUE(engine.remove_nodes({names.data(), 3}));
  EXPECT_EQ(thrown([&] { engine.remove_nodes(names); }), CEDE_E_DOCUMENT);  // three are gone already
}

TEST(Arrays, PutAndRemoveEverything) {
  cede::Engine engine = loaded();
  const std::uint32_t root = engine.name("root");
  const std::uint32_t two = engine.resources({{2000, engine.name("gpu"), 0}});
  EXPECT_TRUE(engine.set_now(kStart + 1));
  EXPECT_TRUE(engine.import_topology(engine.name("box"), R"({"gpus": 2})"));
  EXPECT_TRUE(engine.put(cede::View<cede_group>{{engine.name("h"), engine.name("default"), 0, 0}}));
  cede_queue queue{};
  queue.name = engine.name("root.a");
  queue.parent = root;
  EXPECT_TRUE(engine.put({queue}));
  cede_node node{};
  node.name = engine.name("n3");
  node.group = engine.name("h");
  node.resources = two;
  node.topology = engine.name("box");
  node.labels = engine.part(CEDE_PART_LABELS, R"({"rack": "r1"})");
  EXPECT_TRUE(engine.put({node}));
  cede_reservation reservation{};
  reservation.name = engine.name("r");
  reservation.nodes = engine.list({node.name});
  reservation.from = 1;
  reservation.until = 2;
  EXPECT_TRUE(engine.put({reservation}));
  cede_task task{};
  task.job = engine.name("high");
  task.name = engine.name("more");
  task.resources = two;
  EXPECT_TRUE(engine.put({task}));
  EXPECT_TRUE(engine.put(cede::View<cede_budget>()));
  EXPECT_TRUE(engine.remove_budgets({}));
  EXPECT_TRUE(engine.remove_tasks({{task.job, task.name}}));
  EXPECT_TRUE(engine.remove_reservations({reservation.name}));
  EXPECT_TRUE(engine.remove_nodes({node.name}));
  EXPECT_TRUE(engine.remove_topologies({engine.name("box")}));
  EXPECT_TRUE(engine.remove_groups({engine.name("h")}));
  EXPECT_TRUE(engine.remove_queues({queue.name}));
  EXPECT_TRUE(engine.remove_jobs(engine.names({"low", "high"})));
  cede::Engine other(kPolicy);
  EXPECT_TRUE(other.put_levels({other.name("leaf")}));
  EXPECT_TRUE(other.put(cede::View<cede_domain>{{other.name("l1"), other.name("leaf"), 0, 0}}));
  EXPECT_TRUE(other.remove_domains({other.name("l1")}));
}

TEST(Plan, IsPassedOn) {
  const cede::Engine engine = loaded();
  const cede::Plan plan = engine.plan("high");
  EXPECT_EQ(plan.outcome(), CEDE_OUTCOME_PREEMPT);
  EXPECT_EQ(plan.cause() + "/" + plan.policy() + "/" + plan.profile() + plan.rule(),
            "priority/default/class-cost");
  EXPECT_FALSE(plan.reason().empty());
  EXPECT_EQ(plan.revision(), engine.revision());
  EXPECT_GE(plan.cost(), plan.bound());
  const cede_plan_facts facts = plan.facts();
  EXPECT_EQ(facts.cost, plan.cost());
  ASSERT_EQ(plan.victims().size(), 1u);
  EXPECT_EQ(plan.victims()[0].job, engine.find_name("low"));
  EXPECT_EQ(plan.victim_tasks().size(), facts.task_count);
  EXPECT_EQ(plan.places().at(0).gpus, 0xfu);
  EXPECT_EQ(plan.cost_parts().size(), facts.cost_part_count);
  EXPECT_EQ(plan.criteria().size(), facts.criterion_count);
  EXPECT_EQ(plan.criterion_name(0), "last-resort");
  EXPECT_NE(plan.objective().find("last-resort"), std::string::npos);
  EXPECT_TRUE(plan.moves().empty() && plan.violations().empty() && plan.after_jobs().empty());
  EXPECT_EQ(plan.victim_job(0) + plan.victim_task(0, 0) + plan.place_task(0) + plan.place_node(0),
            "lowt0t0n1");
  EXPECT_EQ(plan.after(0) + plan.met(0) + plan.missed(0), "");
  EXPECT_GT(plan.explain().size(), plan.json().size());
  EXPECT_NE(plan.picture(CEDE_PICTURE_SVG, 400).find("<svg"), std::string::npos);
  EXPECT_TRUE(plan.verify());
  EXPECT_EQ(engine.plan("high", cede::kNow, {"protect=low"}).outcome(), CEDE_OUTCOME_WAIT);
  const std::vector<cede::Plan> batch = engine.plan_batch(cede::Texts{"high"});
  EXPECT_EQ(batch.at(0).json(), plan.json());
}

TEST(Plan, OutlivesItsEngineAndIsShared) {
  const cede::Plan plan = loaded().plan("high");
  std::vector<std::thread> threads;
  std::array<std::string, 4> told;
  for (std::string& text : told) threads.emplace_back([&] { text = plan.json() + plan.explain(); });
  for (std::thread& thread : threads) thread.join();
  for (const std::string& text : told) EXPECT_EQ(text, told[0]);
}

TEST(Sequence, GoesFromPlanToStarted) {
  cede::Engine engine = loaded();
  const std::uint64_t entry = engine.commit(engine.plan("high"), kStart);
  EXPECT_GT(entry, 0u);
  const cede::Step first = engine.step(kStart);
  ASSERT_EQ(first.actions().size(), 1u);
  EXPECT_EQ(first.actions()[0].kind, CEDE_DO_CHECKPOINT_HINT);
  EXPECT_EQ(first.action_job(0) + first.action_preemptor(0) + first.action_task(0, 0), "lowhight0");
  EXPECT_EQ(first.action_cause(0), "priority");
  EXPECT_EQ(first.tasks().size(), 1u);
  EXPECT_GT(first.next_due(), kStart);

  const cede::Ledger ledger = engine.in_flight();
  ASSERT_EQ(ledger.size(), 1u);
  EXPECT_EQ(ledger.entries()[0].entry, entry);
  EXPECT_EQ(ledger.victims().size() + ledger.tasks().size() + ledger.places().size(), 3u);
  EXPECT_EQ(ledger.requester(0) + "/" + ledger.cause(0) + "/" + ledger.victim_job(0, 0), "high/priority/low");
  EXPECT_EQ(ledger.victim_phase(0, 0), "checkpointing");
  EXPECT_NE(ledger.json().find("cede-in-flight/1"), std::string::npos);

  const std::string state = engine.save();
  cede::Engine other = loaded();
  EXPECT_TRUE(other.restore(state));
  EXPECT_EQ(other.in_flight().entries().at(0).entry, entry);
  EXPECT_EQ(thrown([&] { other.restore(state.substr(1)); }), CEDE_E_DAMAGED);

  cede_event saved{};
  saved.kind = CEDE_EVENT_CHECKPOINT_DONE;
  saved.job = engine.name("low");
  EXPECT_TRUE(engine.step(kStart, {saved}).answer(0));
  const cede::Step last = engine.step_document(
      kStart, R"({"format": "cede-events/1", "events": [{"event": "released", "job": "low"}]})");
  std::size_t start = 0;
  while (last.actions().at(start).kind != CEDE_DO_START) ++start;
  EXPECT_EQ(last.place_task(start, 0) + last.place_node(start, 0), "t0n1");
  EXPECT_EQ(last.places().size(), 1u);
  EXPECT_NE(last.json().find("cede-actions/1"), std::string::npos);
  EXPECT_TRUE(engine.cancel(entry, kStart));
}

TEST(Sequence, ReplansOrGivesUp) {
  cede::Engine engine = loaded();
  const std::uint64_t entry = engine.commit(engine.plan("high"), kStart, 25);
  engine.apply(R"({"format": "cede-changes/1", "put": {"nodes": [
    {"id": "n1", "resources": {"gpu": 8}, "state": "down"}, {"id": "n2", "resources": {"gpu": 8}}]}})");
  engine.step(kStart);
  EXPECT_TRUE(engine.extend(entry, engine.plan("high"), kStart));
  engine.apply(R"({"format": "cede-changes/1", "put": {"nodes": [
    {"id": "n2", "resources": {"gpu": 8}, "state": "down"}]}})");
  engine.step(kStart);
  EXPECT_TRUE(engine.note(engine.plan("high"), kStart));
  EXPECT_TRUE(engine.give_up(entry, kStart));
  cede::Status status;
  EXPECT_EQ(engine.commit(engine.plan("high"), kStart, -1, &status), 0u);
  EXPECT_EQ(status.code(), CEDE_E_INVALID);
}

TEST(Topology, IsPassedOn) {
  const cede::Topology network("SwitchName=leaf0 Nodes=n[0-3]\nSwitchName=spine Switches=leaf0\n");
  EXPECT_EQ(network.facts().kind, CEDE_TOPOLOGY_SLURM);
  EXPECT_EQ(network.facts().nodes, 4u);
  EXPECT_EQ(network.signature().size(), 32u);
  EXPECT_FALSE(network.level(0).empty());
  EXPECT_EQ(network.domains(0), cede::Texts{"leaf0"});
  EXPECT_NE(network.json().find("cede-topology/1"), std::string::npos);
  EXPECT_FALSE(network.picture().empty());
  cede::Status status;
  EXPECT_FALSE(cede::Topology("SwitchNam=a", CEDE_TOPOLOGY_SLURM, "fabric", &status));
  EXPECT_EQ(status.error.line, 1u);
}

TEST(Errors, ComeAsTheCallerLikes) {
  cede::Engine engine = loaded();
  cede::Status status;
  EXPECT_FALSE(engine.load("{", &status));
  EXPECT_EQ(status.code(), CEDE_E_DOCUMENT);
  EXPECT_FALSE(status.text().empty());
  EXPECT_FALSE(engine.plan("nobody", cede::kNow, {}, &status));
  EXPECT_EQ(status.code(), CEDE_E_UNKNOWN);
  EXPECT_TRUE(engine.plan_batch(cede::Texts{"high", "high"}, cede::kNow, {}, &status).empty());
  EXPECT_EQ(status.code(), CEDE_E_INVALID);
  EXPECT_FALSE(cede::Engine("{", {}, &status));
  EXPECT_EQ(thrown([] { cede::Engine("{"); }), CEDE_E_DOCUMENT);
  EXPECT_EQ(thrown([&] { engine.plan(4242u); }), CEDE_E_INVALID);
}

}  // namespace
