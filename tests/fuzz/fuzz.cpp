// SPDX-License-Identifier: MIT
#include "fuzz.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace fuzz {

void fail(const char* where, std::string_view what) {
  std::fprintf(stderr, "fuzz: %s: %.*s\n", where, static_cast<int>(what.size()), what.data());
  std::abort();
}

namespace {

struct Character {
  std::uint32_t code = 0;
  std::size_t size = 0;  // 0: no UTF-8
};

Character first_of(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return {byte(0), 1};
  const std::size_t size = byte(0) >= 0xF0 ? 4 : byte(0) >= 0xE0 ? 3 : 2;
  if (byte(0) < 0xC2 || byte(0) > 0xF4 || size > text.size()) return {};
  std::uint32_t code = byte(0) & (0x7Fu >> size);
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0u) != 0x80u) return {};
    code = code << 6 | (byte(i) & 0x3Fu);
  }
  constexpr std::array<std::uint32_t, 5> kLeast{0, 0, 0x80, 0x800, 0x10000};
  const bool wrong = code < kLeast[size] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000);
  return wrong ? Character{} : Character{code, size};
}

bool is_seen(std::uint32_t code) {
  const bool control = code < 0x20 || (code >= 0x7F && code < 0xA0);
  const bool turns = code == 0x061C || code == 0x200E || code == 0x200F ||
                     (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
  return !control && !turns;
}

void expect_utf8(std::string_view text, const char* where) {
  while (!text.empty()) {
    const Character character = first_of(text);
    expect(character.size > 0, where, "a text is not UTF-8");
    text.remove_prefix(character.size);
  }
}

bool has_audit() {
  for (std::size_t i = 0; i < cede_option_count(); ++i) {
    if (std::strcmp(cede_option_name(i), "audit") == 0) return true;
  }
  return false;
}

}  // namespace

void expect_visible(std::string_view text, const char* where, bool lines) {
  while (!text.empty()) {
    const Character character = first_of(text);
    expect(character.size > 0, where, "a sentence is not UTF-8");
    const bool line_end = lines && character.code == '\n';
    expect(line_end || is_seen(character.code), where, "a sentence has a character that is not seen");
    text.remove_prefix(character.size);
  }
}

Error::Error() { std::memset(&error_, 'x', sizeof error_); }

std::int32_t Error::status(std::int32_t status, const char* call) {
  static const bool traced = std::getenv("CEDE_FUZZ_TRACE") != nullptr;
  if (traced) std::fprintf(stderr, "%s: %s %s\n", call, cede_status_name(status), error_.text);
  expect(std::memchr(error_.text, 0, sizeof error_.text) != nullptr, call, "the error's text has no end");
  expect(error_.status == status, call, "the error has another status than the call");
  expect(status >= CEDE_E_DAMAGED && status <= CEDE_DOCUMENT_POLICY, call, "a status nobody knows");
  if (status < 0) {
    expect(status != CEDE_E_INTERNAL, call, error_.text);
    expect(status != CEDE_E_NOMEM, call, error_.text);
    expect(error_.text[0] != '\0', call, "an error without a text");
  }
  expect_visible(error_.text, call);
  return status;
}

std::string taken(cede_text* text, const char* call) {
  const Owned<cede_text> owned(text);
  expect(text && cede_text_data(text), call, "no text");
  std::string out(cede_text_data(text), cede_text_size(text));
  expect(cede_text_data(text)[out.size()] == '\0', call, "a text does not end in a NUL");
  expect_utf8(out, call);
  return out;
}

Owned<cede_engine> new_engine(std::string_view policy, const std::vector<std::string>& options) {
  static const bool audited = has_audit();
  std::vector<const char*> texts{"threads=1"};
  if (audited) texts.push_back("audit=1");
  for (const std::string& option : options) texts.push_back(option.c_str());
  cede_engine* engine = nullptr;
  Error error;
  const std::int32_t status =
      error.status(cede_engine_create(policy.empty() ? nullptr : policy.data(), policy.size(), texts.data(),
                                      texts.size(), CEDE_VERSION, &engine, error.out()),
                   "cede_engine_create");
  expect((status >= 0) == (engine != nullptr), "cede_engine_create",
         "an engine where there should be none, or none");
  return Owned<cede_engine>(engine);
}

std::int32_t load(cede_engine* engine, std::string_view cluster) {
  Error error;
  const std::uint64_t revision = cede_engine_revision(engine);
  const std::int32_t status =
      error.status(cede_engine_load(engine, cluster.data(), cluster.size(), error.out()), "cede_engine_load");
  expect(status >= 0 || cede_engine_revision(engine) == revision, "cede_engine_load",
         "a failed call changed the revision");
  return status;
}

Owned<cede_engine> clone_of(const cede_engine* engine) {
  cede_engine* copy = nullptr;
  Error error;
  error.status(cede_engine_clone(engine, &copy, error.out()), "cede_engine_clone");
  return Owned<cede_engine>(copy);
}

std::string exported(const cede_engine* engine) {
  cede_text* text = nullptr;
  Error error;
  error.status(cede_engine_export(engine, &text, error.out()), "cede_engine_export");
  return taken(text, "cede_engine_export");
}

void expect_round_trip(const cede_engine* engine) {
  const std::string first = exported(engine);
  const Owned<cede_engine> other = new_engine({});
  cede_error error{};
  if (cede_engine_load(other.get(), first.data(), first.size(), &error) < 0)
    fail("cede_engine_load", std::string("an export is refused: ") + error.text);
  expect(exported(other.get()) == first, "cede_engine_export", "an export of an export is another text");
}

void expect_check_agrees(const cede_engine* engine, std::string_view text, std::int32_t status) {
  cede_report* made = nullptr;
  Error error;
  const std::int32_t found = error.status(
      cede_engine_check(engine, text.data(), text.size(), &made, error.out()), "cede_engine_check");
  const Owned<cede_report> report(made);
  expect(made != nullptr, "cede_engine_check", "no report");
  // Beside what that call tells, a check warns of values that look like mistakes of the unit.
  const auto accepted = [](std::int32_t answer) { return answer == CEDE_REMARK_WARNINGS ? CEDE_OK : answer; };
  expect(accepted(found) == accepted(status) && found >= status, "cede_engine_check",
         "another status than the call that takes the document");
  const std::size_t count = cede_report_count(made);
  expect(count > 0 || found == CEDE_OK, "cede_engine_check", "a report without a finding");
  const std::vector<cede_finding> findings =
      all_of(cede_report_findings, static_cast<const cede_report*>(made), "cede_report_findings");
  expect(findings.size() == count, "cede_report_findings", "another count");
  for (std::size_t i = 0; i < count; ++i) {
    const cede_finding& finding = findings[i];
    expect_visible(cede_report_path(made, i), "cede_report_path");
    expect_visible(cede_report_text(made, i), "cede_report_text");
    const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
    expect(finding.line <= lines, "cede_report_findings", "a line behind the last");
  }
}

void look_at_plan(const cede_plan* plan) {
  const std::int32_t outcome = cede_plan_outcome(plan);
  expect(outcome >= CEDE_OUTCOME_FITS && outcome <= CEDE_OUTCOME_IMPOSSIBLE, "cede_plan_outcome", "unknown");
  expect_visible(cede_plan_rule(plan), "cede_plan_rule");
  expect_visible(cede_plan_reason(plan), "cede_plan_reason");
  expect(cede_plan_objective(plan) != nullptr, "cede_plan_objective", "NULL");
  const std::size_t victims = cede_plan_victim_count(plan);
  expect(victims == 0 || outcome == CEDE_OUTCOME_PREEMPT, "cede_plan_outcome", "victims of another outcome");
  std::size_t tasks = 0, parts = 0;
  const std::vector<cede_victim> chosen = all_of(cede_plan_victims, plan, "cede_plan_victims");
  expect(chosen.size() == victims, "cede_plan_victims", "another count");
  for (std::size_t i = 0; i < victims; ++i) {
    const cede_victim& victim = chosen[i];
    expect(victim.job != 0, "cede_plan_victims", "a job without a number");
    expect(victim.first_task == tasks && victim.first_cost_part == parts, "cede_plan_victims", "a gap");
    expect(cede_plan_victim_job(plan, i) != nullptr, "cede_plan_victim_job", "NULL");
    for (std::uint32_t t = 0; t < victim.task_count; ++t)
      expect(cede_plan_victim_task(plan, i, t) != nullptr, "cede_plan_victim_task", "NULL");
    tasks += victim.task_count;
    parts += victim.cost_part_count;
  }
  const auto all_tasks = all_of(cede_plan_victim_tasks, plan, "cede_plan_victim_tasks");
  expect(all_tasks.size() == tasks, "cede_plan_victim_tasks", "not the sum of the victims' tasks");
  expect(all_of(cede_plan_cost_parts, plan, "cede_plan_cost_parts").size() == parts, "cede_plan_cost_parts",
         "not the sum of the victims' parts");
  const auto places = all_of(cede_plan_places, plan, "cede_plan_places");
  expect(places.size() == cede_plan_place_count(plan), "cede_plan_places", "another count");
  for (std::size_t i = 0; i < places.size(); ++i) {
    expect(places[i].job != 0 && places[i].node != 0, "cede_plan_places", "a name without a number");
    expect(cede_plan_place_task(plan, i) && cede_plan_place_node(plan, i), "cede_plan_place_task", "NULL");
  }
  cede_plan_facts facts;
  Error error;
  error.status(cede_plan_get(plan, &facts, sizeof facts, error.out()), "cede_plan_get");
  expect(facts.victim_count == victims && facts.task_count == tasks && facts.place_count == places.size(),
         "cede_plan_get", "another count");
  expect(facts.target != 0 && facts.purpose != 0, "cede_plan_get", "a plan for nothing");
  const auto criteria = all_of(cede_plan_criteria, plan, "cede_plan_criteria");
  for (std::size_t i = 0; i < criteria.size(); ++i)
    expect_visible(cede_plan_criterion_name(plan, i), "cede_plan_criterion_name");
  for (std::size_t i = 0; i < cede_plan_after_count(plan); ++i)
    expect(cede_plan_after(plan, i) != nullptr, "cede_plan_after", "NULL");
  cede_text* text = nullptr;
  error.status(cede_plan_json(plan, &text, error.out()), "cede_plan_json");
  taken(text, "cede_plan_json");
  error.status(cede_plan_explain(plan, &text, error.out()), "cede_plan_explain");
  taken(text, "cede_plan_explain");
  error.status(cede_plan_picture(plan, CEDE_PICTURE_TEXT, 80, &text, error.out()), "cede_plan_picture");
  expect_visible(taken(text, "cede_plan_picture"), "cede_plan_picture", true);
  error.status(cede_plan_picture(plan, CEDE_PICTURE_SVG, 0, &text, error.out()), "cede_plan_picture");
  taken(text, "cede_plan_picture");
  error.status(cede_plan_verify(plan, error.out()), "cede_plan_verify");
}

void look_at_step(const cede_step* step, std::size_t events) {
  for (std::size_t i = 0; i < events; ++i) {
    const std::int32_t answer = cede_step_answer(step, i);
    expect(answer == 0 || answer == 1, "cede_step_answer", "neither 0 nor 1");
  }
  std::uint64_t last = 0;
  const std::vector<cede_action> actions = all_of(cede_step_actions, step, "cede_step_actions");
  const auto tasks = all_of(cede_step_tasks, step, "cede_step_tasks");
  const auto places = all_of(cede_step_places, step, "cede_step_places");
  expect(actions.size() == cede_step_action_count(step), "cede_step_actions", "another count");
  for (std::size_t i = 0; i < actions.size(); ++i) {
    const cede_action& action = actions[i];
    expect(action.id > last, "cede_step_actions", "actions are not in the order of their numbers");
    last = action.id;
    expect(action.kind >= CEDE_DO_CHECKPOINT_HINT && action.kind <= CEDE_DO_GONE, "cede_step_actions",
           "an unknown kind");
    expect(cede_step_action_job(step, i) && cede_step_action_preemptor(step, i) &&
               cede_step_action_cause(step, i),
           "cede_step_action_job", "NULL");
    expect(action.target != 0 && action.purpose != 0, "cede_step_actions", "a name without a number");
    expect((action.job == 0) == (*cede_step_action_job(step, i) == 0), "cede_step_actions",
           "a job without a number");
    expect(action.first_task + std::size_t{action.task_count} <= tasks.size(), "cede_step_tasks", "too few");
    expect(action.first_place + std::size_t{action.place_count} <= places.size(), "cede_step_places",
           "too few");
    for (std::uint32_t t = 0; t < action.task_count; ++t) {
      expect(cede_step_action_task(step, i, t) != nullptr, "cede_step_action_task", "NULL");
      const cede_victim_task& task = tasks[action.first_task + t];
      expect(task.job != 0 && task.task != 0 && task.node != 0, "cede_step_tasks", "a name without a number");
    }
    for (std::uint32_t p = 0; p < action.place_count; ++p) {
      expect(cede_step_place_task(step, i, p) && cede_step_place_node(step, i, p), "cede_step_place_task",
             "NULL");
      expect(places[action.first_place + p].node != 0, "cede_step_places", "a name without a number");
    }
  }
  cede_text* text = nullptr;
  Error error;
  error.status(cede_step_json(step, &text, error.out()), "cede_step_json");
  taken(text, "cede_step_json");
}

void look_at_ledger(const cede_engine* engine) {
  cede_ledger* made = nullptr;
  Error error;
  error.status(cede_engine_in_flight(engine, &made, error.out()), "cede_engine_in_flight");
  const Owned<cede_ledger> ledger(made);
  const auto* const snapshot = static_cast<const cede_ledger*>(made);
  const std::vector<cede_entry> entries = all_of(cede_ledger_entries, snapshot, "cede_ledger_entries");
  const auto victims = all_of(cede_ledger_victims, snapshot, "cede_ledger_victims");
  for (const cede_ledger_victim& victim : victims)
    expect(victim.job != 0 && victim.phase >= CEDE_PHASE_PLANNED && victim.phase <= CEDE_PHASE_SPARED,
           "cede_ledger_victims", "not a victim");
  for (const cede_victim_task& task : all_of(cede_ledger_tasks, snapshot, "cede_ledger_tasks"))
    expect(task.job != 0 && task.task != 0 && task.node != 0, "cede_ledger_tasks", "a name without a number");
  for (const cede_place& place : all_of(cede_ledger_places, snapshot, "cede_ledger_places"))
    expect(place.node != 0, "cede_ledger_places", "a name without a number");
  for (std::size_t i = 0; i < cede_ledger_count(made); ++i) {
    const cede_entry& entry = entries[i];
    expect(entry.target != 0, "cede_ledger_entries", "a name without a number");
    expect(cede_ledger_requester(made, i) && cede_ledger_cause(made, i), "cede_ledger_requester", "NULL");
    for (std::uint32_t v = 0; v < entry.victim_count; ++v)
      expect(cede_ledger_victim_job(made, i, v) && cede_ledger_victim_phase(made, i, v),
             "cede_ledger_victim_job", "NULL");
  }
  cede_text* text = nullptr;
  error.status(cede_ledger_json(made, &text, error.out()), "cede_ledger_json");
  taken(text, "cede_ledger_json");
  error.status(cede_engine_metrics(engine, &text, error.out()), "cede_engine_metrics");
  taken(text, "cede_engine_metrics");
}

std::vector<std::string> ids_in(std::string_view document, std::size_t most) {
  std::vector<std::string> out;
  constexpr std::string_view kKey = "\"id\"";
  for (std::size_t at = document.find(kKey); at != std::string_view::npos && out.size() < most;
       at = document.find(kKey, at + 1)) {
    std::size_t first = document.find_first_not_of(" \t\r\n:", at + kKey.size());
    if (first == std::string_view::npos || document[first] != '"') continue;
    const std::size_t end = document.find('"', ++first);
    if (end == std::string_view::npos) break;
    std::string id(document.substr(first, end - first));
    if (std::find(out.begin(), out.end(), id) == out.end()) out.push_back(std::move(id));
  }
  return out;
}

std::string policy_of(std::size_t profile) {
  const auto name = [](std::size_t i) { return std::string(cede_profile_name(i % kProfiles)); };
  return R"({"format":"cede-policy/1","policies":{"default":{"profile":")" + name(profile) +
         R"("},"other":{"profile":")" + name(profile + 1) + R"("}}})";
}

// Two groups, two leaves, boxes of four linked GPUs and of two; a tree of queues with guarantees and limits;
// gangs, single tasks, an elastic job, shares of a device, a count without devices, and as many that wait.
std::string_view small_cluster() {
  static constexpr std::string_view kText = R"({"format":"cede-cluster/1","now":1000000,
"topologies":{"box":{"gpus":4,"numa":[[0,1],[2,3]],"links":{"nvl":[[0,1,2,3]]}},"pair":{"gpus":2}},
"network":{"levels":["leaf"],"domains":[{"id":"l0","level":"leaf"},{"id":"l1","level":"leaf"}]},
"groups":[{"id":"g0","policy":"default","resources":{"licence":3}},{"id":"g1","policy":"other"}],
"queues":[{"id":"root"},{"id":"a","parent":"root","guaranteed":{"gpu":8},"max":{"gpu":12}},
 {"id":"b","parent":"root","guaranteed":{"gpu":2},"weight":2}],
"nodes":[{"id":"n0","group":"g0","topology":"box","resources":{"gpu":4,"cpu":16},"network":["l0"],"home":"a"},
 {"id":"n1","group":"g0","topology":"box","resources":{"gpu":4,"cpu":16},"network":["l0"]},
 {"id":"n2","group":"g0","topology":"pair","resources":{"gpu":2,"cpu":8},"network":["l1"]},
 {"id":"n3","group":"g1","resources":{"gpu":4,"cpu":16}}],
"jobs":[{"id":"j0","queue":"a","group":"g0","state":"running","started":990000,"priority":1,"class":2,
  "checkpoint":{"mode":"auto","estimate":"30s","timeout":"60s"},
  "tasks":[{"id":"t0","node":"n0","gpus":[0,1],"resources":{"gpu":2,"cpu":4}}]},
 {"id":"j1","queue":"b","group":"g0","state":"running","started":995000,"priority":5,"class":3,"gang":true,
  "tasks":[{"id":"t0","node":"n0","gpus":[2,3],"resources":{"gpu":2}},
   {"id":"t1","node":"n1","gpus":[0,1],"resources":{"gpu":2}}]},
 {"id":"j2","queue":"b","group":"g0","state":"running","started":998000,"priority":2,"class":1,"gang":false,
  "tasks":[{"id":"t0","node":"n1","gpus":[2],"resources":{"gpu":1}},
   {"id":"t1","node":"n1","gpus":[{"index":3,"share":0.5}],"resources":{"gpu":"500m"}}]},
 {"id":"j3","queue":"a","group":"g0","state":"running","started":999000,"priority":3,"class":2,"gang":true,
  "min_tasks":1,"tasks":[{"id":"t0","node":"n2","resources":{"gpu":1}},{"id":"t1","node":"n2","resources":{"gpu":1}}]},
 {"id":"j4","queue":"a","group":"g1","state":"running","started":999000,"priority":3,
  "tasks":[{"id":"t0","node":"n3","resources":{"gpu":3}}]},
 {"id":"w0","queue":"a","group":"g0","priority":90,"below_fair_share_since":980000,"class":8,"submitted":980000,"tasks":[{"resources":{"gpu":1}}]},
 {"id":"w1","queue":"b","group":"g0","priority":60,"class":8,"submitted":981000,"gang":true,
  "require":{"network":[{"level":"leaf","max_domains":1}]},"tasks":[{"id":"r","count":2,"resources":{"gpu":2}}]},
 {"id":"w2","queue":"a","group":"g0","priority":70,"class":9,"submitted":982000,"below_fair_share_since":982000,
  "require":{"gpus":[{"level":"nvl"}]},"tasks":[{"resources":{"gpu":4,"licence":1}}]},
 {"id":"w3","queue":"b","group":"g0","priority":40,"class":7,"submitted":983000,"tasks":[{"resources":{"gpu":"500m"}}]},
 {"id":"w4","queue":"b","group":"g1","priority":80,"class":9,"submitted":984000,"tasks":[{"resources":{"gpu":2}}]}]})";
  return kText;
}

Owned<cede_engine> small_engine(std::size_t profile) {
  static const std::vector<Owned<cede_engine>> all = [] {
    std::vector<Owned<cede_engine>> out;
    for (std::size_t i = 0; i < kProfiles; ++i) {
      out.push_back(new_engine(policy_of(i)));
      expect(load(out.back().get(), small_cluster()) >= 0, "cede_engine_load", "refuses the small cluster");
    }
    return out;
  }();
  return clone_of(all[profile % kProfiles].get());
}

}  // namespace fuzz
