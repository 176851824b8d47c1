// SPDX-License-Identifier: MIT
#include "library.h"

#include <array>

#include "cli/json_text.h"

namespace local {

namespace {

std::string text_of(const char* text) { return text ? text : ""; }

std::vector<const char*> pointers(const std::vector<std::string>& texts) {
  std::vector<const char*> out;
  for (const std::string& text : texts) out.push_back(text.c_str());
  return out;
}

std::vector<EngineAction> actions_of(const cede_step* step) {
  const std::vector<cede_place> places = cli::all_of(cede_step_places, step);
  std::vector<EngineAction> actions;
  for (const cede_action& fields : cli::all_of(cede_step_actions, step)) {
    const std::size_t index = actions.size();
    EngineAction& out = actions.emplace_back();
    out.fields = fields;
    out.job = text_of(cede_step_action_job(step, index));
    out.preemptor = text_of(cede_step_action_preemptor(step, index));
    out.cause = text_of(cede_step_action_cause(step, index));
    for (std::uint32_t i = 0; i < fields.task_count; ++i)
      out.tasks.push_back(text_of(cede_step_action_task(step, index, i)));
    for (std::uint32_t i = 0; i < fields.place_count; ++i) {
      out.places.push_back({text_of(cede_step_place_task(step, index, i)),
                            text_of(cede_step_place_node(step, index, i)), places[fields.first_place + i]});
    }
  }
  return actions;
}

// The events as a cede-events/1 document.
std::string events_document(const std::vector<EngineEvent>& events) {
  static constexpr std::array<const char*, 14> kWords{"",
                                                      "checkpoint-progress",
                                                      "checkpoint-done",
                                                      "checkpoint-failed",
                                                      "defer",
                                                      "released",
                                                      "exited",
                                                      "claim-done",
                                                      "started",
                                                      "cancelled",
                                                      "node-down",
                                                      "node-up",
                                                      "action-done",
                                                      "action-failed"};
  std::string out = "{\"format\":\"cede-events/1\",\"events\":[";
  for (const EngineEvent& each : events) {
    const auto text = [&](const char* member, const std::string& value) {
      if (!value.empty()) out += std::string(",\"") + member + "\":" + cli::json_quoted(cli::as_utf8(value));
    };
    const auto number = [&](const char* member, const std::string& value, bool given) {
      if (given) out += std::string(",\"") + member + "\":" + value;
    };
    if (&each != &events.front()) out += ',';
    out += std::string("\n{\"event\":\"") + kWords.at(static_cast<std::size_t>(each.kind)) + '"';
    text("job", each.job);
    text("task", each.task);
    text("node", each.node);
    text("text", each.text);
    number("entry", std::to_string(each.entry), each.entry != 0);
    number("action", std::to_string(each.action), each.action != 0);
    number("length", '"' + std::to_string(each.length) + "ms\"", each.length != 0);
    number("code", std::to_string(each.code), each.code != 0);
    out += '}';
  }
  return out + "]}";
}

}  // namespace

std::string Library::open(const std::string& policy) {
  cede_engine* made = nullptr;
  cede_error error{};
  if (cede_engine_create(policy.data(), policy.size(), nullptr, 0, CEDE_VERSION, &made, &error) < 0)
    return error.text;
  engine_.reset(made);
  return {};
}

std::string Library::load(const std::string& cluster) {
  cede_error error{};
  return cede_engine_load(engine_.get(), cluster.data(), cluster.size(), &error) < 0 ? error.text : "";
}

std::string Library::apply(const std::string& changes) {
  cede_error error{};
  return cede_engine_apply(engine_.get(), changes.data(), changes.size(), &error) < 0 ? error.text : "";
}

cli::Admission Library::admit(const std::string& job, const std::string& changes, std::string& fault) const {
  cede_admission* made = nullptr;
  cede_error error{};
  if (cede_engine_admit(engine_.get(), job.c_str(), changes.data(), changes.size(), &made, &error) < 0)
    fault = error.text;
  return cli::Admission(made);
}

cli::Plan Library::plan(const std::string& job, std::int64_t now, const std::vector<std::string>& terms,
                        std::string& fault) const {
  const std::vector<const char*> words = pointers(terms);
  cede_plan* made = nullptr;
  cede_error error{};
  if (cede_plan_create(engine_.get(), job.c_str(), now, words.data(), words.size(), &made, &error) < 0)
    fault = error.text;
  return cli::Plan(made);
}

std::vector<cli::Plan> Library::plan_batch(const std::vector<std::string>& jobs, std::int64_t now,
                                           const std::vector<std::string>& terms, std::string& fault) const {
  const std::vector<const char*> names = pointers(jobs), words = pointers(terms);
  std::vector<cede_plan*> made(jobs.size(), nullptr);
  cede_error error{};
  if (cede_plan_create_batch(engine_.get(), names.data(), names.size(), now, words.data(), words.size(),
                             made.data(), &error) < 0) {
    fault = error.text;
    return {};
  }
  return {made.begin(), made.end()};
}

cli::Plan Library::plan_relief(const std::string& target, const std::string& group, bool partial,
                               std::int64_t now, std::string& fault) const {
  const char* const term = "partial";
  cede_plan* made = nullptr;
  cede_error error{};
  if (cede_plan_create_relief(engine_.get(), target.c_str(), group.empty() ? nullptr : group.c_str(), now,
                              partial ? &term : nullptr, partial ? 1 : 0, &made, &error) < 0)
    fault = error.text;
  return cli::Plan(made);
}

cli::Plan Library::plan_claim(const std::string& queue, const std::vector<std::string>& nodes,
                              const std::string& reason, std::int64_t now, std::string& fault) const {
  const std::vector<const char*> names = pointers(nodes);
  cede_plan* made = nullptr;
  cede_error error{};
  if (cede_plan_create_claim(engine_.get(), queue.c_str(), names.data(), names.size(), reason.c_str(), now,
                             nullptr, 0, &made, &error) < 0)
    fault = error.text;
  return cli::Plan(made);
}

bool Library::is_within_without(std::uint64_t entry, const std::string& target, const std::string& group,
                                std::int64_t now) const {
  cede_engine* copy = nullptr;
  if (cede_engine_clone(engine_.get(), &copy, nullptr) < 0) return false;
  Library without;
  without.engine_.reset(copy);
  if (cede_engine_cancel(copy, entry, now, nullptr) < 0) return false;
  std::string fault;
  const cli::Plan plan = without.plan_relief(target, group, false, now, fault);
  return plan && cede_plan_outcome(plan.get()) == CEDE_OUTCOME_FITS;
}

std::uint64_t Library::commit(const cli::Plan& plan, std::int64_t now, std::int64_t micros,
                              std::string& fault) {
  std::uint64_t entry = 0;
  cede_error error{};
  const std::int32_t status = cede_engine_commit(engine_.get(), plan.get(), now, micros, &entry, &error);
  if (status < 0 && status != CEDE_E_STALE) fault = error.text;
  return status < 0 ? 0 : entry;
}

std::string Library::extend(std::uint64_t entry, const cli::Plan& plan, std::int64_t now) {
  cede_error error{};
  return cede_engine_extend(engine_.get(), entry, plan.get(), now, -1, &error) < 0 ? error.text : "";
}

void Library::give_up(std::uint64_t entry, std::int64_t now) {
  // An entry that has ended in the meantime needs no giving up.
  cede_engine_give_up(engine_.get(), entry, now, nullptr);
}

void Library::cancel(std::uint64_t entry, std::int64_t now) {
  cede_engine_cancel(engine_.get(), entry, now, nullptr);
}

std::string Library::step(std::int64_t now, const std::vector<EngineEvent>& events,
                          std::vector<EngineAction>& actions, std::int64_t& due) {
  const std::string document = events.empty() ? std::string() : events_document(events);
  cede_step* made = nullptr;
  cede_error error{};
  if (cede_engine_step_document(engine_.get(), now, document.empty() ? nullptr : document.data(),
                                document.size(), &made, &error) < 0)
    return error.text;
  const cli::Step step(made);
  actions = actions_of(made);
  due = cede_step_next_due(made);
  if (due == CEDE_NONE) due = -1;
  return {};
}

std::vector<LedgerEntry> Library::in_flight() const {
  cede_ledger* made = nullptr;
  std::vector<LedgerEntry> out;
  if (cede_engine_in_flight(engine_.get(), &made, nullptr) < 0) return out;
  const cli::Ledger ledger(made);
  for (const cede_entry& fields : cli::all_of(cede_ledger_entries, ledger.get())) {
    const std::size_t i = out.size();
    LedgerEntry entry;
    entry.fields = fields;
    entry.requester = text_of(cede_ledger_requester(made, i));
    entry.cause = text_of(cede_ledger_cause(made, i));
    for (std::uint32_t v = 0; v < entry.fields.victim_count; ++v) {
      entry.victims.emplace_back(text_of(cede_ledger_victim_job(made, i, v)),
                                 text_of(cede_ledger_victim_phase(made, i, v)));
    }
    out.push_back(std::move(entry));
  }
  return out;
}

std::string Library::save(std::string& state) const {
  cede_text* made = nullptr;
  cede_error error{};
  if (cede_engine_save(engine_.get(), &made, &error) < 0) return error.text;
  const cli::Text text(made);
  state.assign(cede_text_data(made), cede_text_size(made));
  return {};
}

std::string Library::restore(const std::string& state) {
  cede_error error{};
  return cede_engine_restore(engine_.get(), state.data(), state.size(), &error) < 0 ? error.text : "";
}

std::string Library::metrics() const {
  cede_text* made = nullptr;
  if (cede_engine_metrics(engine_.get(), &made, nullptr) < 0) return {};
  const cli::Text text(made);
  return {cede_text_data(made), cede_text_size(made)};
}

}  // namespace local
