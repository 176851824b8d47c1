// SPDX-License-Identifier: MIT
#include "library.h"

namespace local {

namespace {

std::string text_of(const char* text) { return text ? text : ""; }

// Names one after the other, as the library takes them. The first byte belongs to no name.
class Names {
 public:
  std::uint32_t add(const std::string& name) {
    if (name.empty()) return 0;
    const auto at = static_cast<std::uint32_t>(bytes_.size());
    bytes_.append(name.c_str(), name.size() + 1);
    return at;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_ = std::string(1, '\0');
};

std::vector<const char*> pointers(const std::vector<std::string>& texts) {
  std::vector<const char*> out;
  for (const std::string& text : texts) out.push_back(text.c_str());
  return out;
}

EngineAction action_of(const cede_step* step, std::size_t index) {
  EngineAction out;
  cede_step_action_get(step, index, &out.fields, sizeof out.fields, nullptr);
  out.job = text_of(cede_step_action_job(step, index));
  out.preemptor = text_of(cede_step_action_preemptor(step, index));
  out.cause = text_of(cede_step_action_cause(step, index));
  for (std::uint32_t i = 0; i < out.fields.task_count; ++i)
    out.tasks.push_back(text_of(cede_step_action_task(step, index, i)));
  for (std::uint32_t i = 0; i < out.fields.place_count; ++i) {
    Place place;
    place.task = text_of(cede_step_place_task(step, index, i));
    place.node = text_of(cede_step_place_node(step, index, i));
    cede_step_place_get(step, index, i, &place.devices, sizeof place.devices, nullptr);
    out.places.push_back(std::move(place));
  }
  return out;
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
  Names names;
  std::vector<cede_event> fields;
  for (const EngineEvent& each : events) {
    cede_event event{};
    event.kind = each.kind;
    event.code = each.code;
    event.action = each.action;
    event.length = each.length;
    event.entry = each.entry;
    event.node = names.add(each.node);
    event.job = names.add(each.job);
    event.task = names.add(each.task);
    event.text = names.add(each.text);
    fields.push_back(event);
  }
  cede_step* made = nullptr;
  cede_error error{};
  if (cede_engine_step(engine_.get(), now, fields.data(), sizeof(cede_event), fields.size(),
                       names.bytes().data(), names.bytes().size(), &made, &error) < 0)
    return error.text;
  const cli::Step step(made);
  for (std::size_t i = 0; i < cede_step_action_count(made); ++i) actions.push_back(action_of(made, i));
  due = cede_step_next_due(made);
  if (due == CEDE_NOW_OF_CLUSTER) due = -1;
  return {};
}

std::vector<LedgerEntry> Library::in_flight() const {
  cede_ledger* made = nullptr;
  std::vector<LedgerEntry> out;
  if (cede_engine_in_flight(engine_.get(), &made, nullptr) < 0) return out;
  const cli::Ledger ledger(made);
  for (std::size_t i = 0; i < cede_ledger_count(made); ++i) {
    LedgerEntry entry;
    if (cede_ledger_get(made, i, &entry.fields, sizeof entry.fields, nullptr) < 0) continue;
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
