// SPDX-License-Identifier: MIT
#include <memory>

#include "capi/guard.h"
#include "capi/handles.h"

using cede::capi::guard;
using cede::capi::hand_out;
using cede::capi::memory_fault;
using cede::capi::missing;
using cede::capi::place_fault;
using cede::capi::tell;

namespace {

const cede::LedgerView::Entry* entry_at(const cede_ledger* ledger, size_t index) {
  return ledger && index < ledger->view.entries.size() ? &ledger->view.entries[index] : nullptr;
}

const cede::LedgerView::Victim* victim_at(const cede_ledger* ledger, size_t index, size_t victim) {
  const cede::LedgerView::Entry* entry = entry_at(ledger, index);
  return entry && victim < entry->victims.size() ? &entry->victims[victim] : nullptr;
}

}  // namespace

int32_t cede_engine_in_flight(const cede_engine* engine, cede_ledger** ledger, cede_error* error) {
  return guard(error, [&] {
    if (!engine) return missing(error, "engine: NULL is not an engine");
    if (!ledger) return missing(error, "ledger: NULL is not a place for the answer");
    *ledger = new cede_ledger{cede::view_of(engine->engine.sequence())};
    return tell(error, CEDE_OK, {});
  });
}

void cede_ledger_destroy(cede_ledger* ledger) { delete ledger; }

size_t cede_ledger_count(const cede_ledger* ledger) { return ledger ? ledger->view.entries.size() : 0; }

int32_t cede_ledger_get(const cede_ledger* ledger, size_t index, cede_entry* out, size_t out_size,
                        cede_error* error) {
  return guard(error, [&] {
    if (!ledger) return missing(error, "ledger: NULL is not a ledger");
    if (const int32_t status = place_fault(out, out_size, "out", error)) return status;
    const cede::LedgerView::Entry* from = entry_at(ledger, index);
    if (!from) {
      return missing(error, "index: " + std::to_string(index) + " is outside the ledger's " +
                                std::to_string(ledger->view.entries.size()) + " entries");
    }
    cede_entry facts{};
    facts.entry = from->id;
    facts.committed = from->committed;
    facts.deadline = from->deadline;
    facts.state = from->state_number + CEDE_ENTRY_PREPARING;
    facts.requester_kind = from->requester_number + CEDE_REQUESTER_JOB;
    facts.victim_count = static_cast<uint32_t>(from->victims.size());
    facts.place_count = static_cast<uint32_t>(from->placement.size());
    return hand_out(facts, out, out_size, error);
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
