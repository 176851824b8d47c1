// SPDX-License-Identifier: MIT
#include <memory>

#include "capi/array_out.h"
#include "capi/guard.h"
#include "capi/handles.h"
#include "capi/in_flight_numbers.h"

using cede::capi::guard;
using cede::capi::InFlightNumbers;
using cede::capi::memory_fault;
using cede::capi::missing;
using cede::capi::tell;
using cede::capi::write_array;

namespace {

static_assert(CEDE_ENTRY_FAILED == CEDE_ENTRY_PREPARING + static_cast<int>(cede::EntryState::failed));
static_assert(CEDE_PHASE_SPARED == CEDE_PHASE_PLANNED + static_cast<int>(cede::VictimPhase::spared));

const cede::LedgerView::Entry* entry_at(const cede_ledger* ledger, size_t index) {
  return ledger && index < ledger->view.entries.size() ? &ledger->view.entries[index] : nullptr;
}

const cede::LedgerView::Victim* victim_at(const cede_ledger* ledger, size_t index, size_t victim) {
  const cede::LedgerView::Entry* entry = entry_at(ledger, index);
  return entry && victim < entry->victims.size() ? &entry->victims[victim] : nullptr;
}

void add_entries(const InFlightNumbers& numbers, cede_ledger& ledger) {
  const auto size = [](const auto& list) { return static_cast<uint32_t>(list.size()); };
  for (const cede::LedgerView::Entry& from : ledger.view.entries) {
    const auto kind = static_cast<cede::RequesterKind>(from.requester_number);
    const InFlightNumbers::Target target = numbers.target(kind, from.requester, from.cause);
    cede_entry& entry = ledger.entries.emplace_back();
    entry.entry = from.id;
    entry.plan = from.plan;
    entry.committed = from.committed;
    entry.deadline = from.deadline;
    entry.state = from.state_number + CEDE_ENTRY_PREPARING;
    entry.purpose = target.purpose;
    entry.cause = cede::capi::cause_number(from.cause);
    entry.has_hold = from.has_hold ? 1 : 0;
    entry.target = target.number;
    entry.first_victim = size(ledger.victims);
    entry.victim_count = size(from.victims);
    entry.first_place = size(ledger.places);
    entry.place_count = size(from.placement);
    for (const cede::LedgerView::Victim& leaving : from.victims) {
      cede_ledger_victim& victim = ledger.victims.emplace_back();
      victim.entry = from.id;
      victim.deadline = leaving.deadline;
      victim.phase = leaving.phase_number + CEDE_PHASE_PLANNED;
      victim.how = cede::capi::how_number(static_cast<cede::ExitResult>(leaving.exit_number));
      victim.job = numbers.of(leaving.job);
      victim.first_task = size(ledger.tasks);
      victim.task_count = size(leaving.tasks);
      for (size_t i = 0; i < leaving.tasks.size(); ++i)
        ledger.tasks.push_back(numbers.task(leaving.job, leaving.tasks[i], leaving.nodes[i]));
    }
    const bool of_job = kind == cede::RequesterKind::job;
    for (const cede::LedgerView::Place& place : from.placement)
      ledger.places.push_back(numbers.place(of_job ? from.requester : std::string(), place));
  }
}

}  // namespace

int32_t cede_engine_in_flight(const cede_engine* engine, cede_ledger** ledger, cede_error* error) {
  return guard(error, [&] {
    if (!engine) return missing(error, "engine: NULL is not an engine");
    if (!ledger) return missing(error, "ledger: NULL is not a place for the answer");
    auto made = std::make_unique<cede_ledger>();
    made->view = cede::view_of(engine->engine.sequence());
    add_entries(InFlightNumbers(engine->engine), *made);
    *ledger = made.release();
    return tell(error, CEDE_OK, {});
  });
}

void cede_ledger_destroy(cede_ledger* ledger) { delete ledger; }

size_t cede_ledger_count(const cede_ledger* ledger) { return ledger ? ledger->view.entries.size() : 0; }

int32_t cede_ledger_entries(const cede_ledger* ledger, cede_entry* out, size_t out_size, size_t capacity,
                            size_t* count, cede_error* error) {
  return guard(error, [&] {
    if (!ledger) return missing(error, "ledger: NULL is not a ledger");
    return write_array({out, out_size, capacity, count}, ledger->entries, error);
  });
}

int32_t cede_ledger_victims(const cede_ledger* ledger, cede_ledger_victim* out, size_t out_size,
                            size_t capacity, size_t* count, cede_error* error) {
  return guard(error, [&] {
    if (!ledger) return missing(error, "ledger: NULL is not a ledger");
    return write_array({out, out_size, capacity, count}, ledger->victims, error);
  });
}

int32_t cede_ledger_tasks(const cede_ledger* ledger, cede_victim_task* out, size_t out_size, size_t capacity,
                          size_t* count, cede_error* error) {
  return guard(error, [&] {
    if (!ledger) return missing(error, "ledger: NULL is not a ledger");
    return write_array({out, out_size, capacity, count}, ledger->tasks, error);
  });
}

int32_t cede_ledger_places(const cede_ledger* ledger, cede_place* out, size_t out_size, size_t capacity,
                           size_t* count, cede_error* error) {
  return guard(error, [&] {
    if (!ledger) return missing(error, "ledger: NULL is not a ledger");
    return write_array({out, out_size, capacity, count}, ledger->places, error);
  });
}

const char* cede_ledger_requester(const cede_ledger* ledger, size_t index) {
  const cede::LedgerView::Entry* found = entry_at(ledger, index);
  return found ? found->requester.c_str() : nullptr;
}

const char* cede_ledger_cause(const cede_ledger* ledger, size_t index) {
  const cede::LedgerView::Entry* found = entry_at(ledger, index);
  return found ? found->cause.c_str() : nullptr;
}

const char* cede_ledger_victim_job(const cede_ledger* ledger, size_t index, size_t victim) {
  const cede::LedgerView::Victim* found = victim_at(ledger, index, victim);
  return found ? found->job.c_str() : nullptr;
}

const char* cede_ledger_victim_phase(const cede_ledger* ledger, size_t index, size_t victim) {
  const cede::LedgerView::Victim* found = victim_at(ledger, index, victim);
  return found ? found->phase.data() : nullptr;  // a word of a table; it ends with a NUL
}

int32_t cede_ledger_json(const cede_ledger* ledger, cede_text** text, cede_error* error) {
  return guard(error, [&] {
    if (!ledger) return missing(error, "ledger: NULL is not a ledger");
    if (!text) return missing(error, "text: NULL is not a place for the new text");
    *text = new cede_text{cede::ledger_document(ledger->view)};
    return tell(error, CEDE_OK, {});
  });
}

int32_t cede_engine_save(const cede_engine* engine, cede_text** state, cede_error* error) {
  return guard(error, [&] {
    if (!engine) return missing(error, "engine: NULL is not an engine");
    if (!state) return missing(error, "state: NULL is not a place for the bytes");
    *state = new cede_text{engine->engine.save_state()};
    return tell(error, CEDE_OK, {});
  });
}

int32_t cede_engine_restore(cede_engine* engine, const char* state, size_t size, cede_error* error) {
  return guard(error, [&] {
    if (!engine) return missing(error, "engine: NULL is not an engine");
    if (!state) return missing(error, "state: NULL is not a saved state");
    if (const int32_t status = memory_fault(size, 1, "size", error)) return status;
    cede::Problems problems = engine->engine.new_problems();
    return engine->engine.restore_state({state, size}, problems) ? tell(error, CEDE_OK, {})
                                                                 : tell(error, problems);
  });
}

int32_t cede_engine_metrics(const cede_engine* engine, cede_text** text, cede_error* error) {
  return guard(error, [&] {
    if (!engine) return missing(error, "engine: NULL is not an engine");
    if (!text) return missing(error, "text: NULL is not a place for the new text");
    *text = new cede_text{engine->engine.metrics_text()};
    return tell(error, CEDE_OK, {});
  });
}
