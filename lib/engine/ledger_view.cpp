// SPDX-License-Identifier: MIT
#include "engine/ledger_view.h"

#include "base/text.h"
#include "document/ledger_writer.h"

namespace cede {

namespace {

LedgerView::Victim victim_view(const Entry& entry, const Victim& victim) {
  LedgerView::Victim out;
  const VictimOrder& order = entry.order_of(victim);
  out.job = order.job;
  for (const Place& place : order.tasks) out.tasks.push_back(place.task);
  out.phase = to_word(victim.state.phase, kVictimPhases);
  if (victim.state.release != Release::none) out.release = to_word(victim.state.release, kReleases);
  out.deadline = victim.state.finished() ? kNoTime : victim.state.deadline;
  return out;
}

}  // namespace

Time next_step(const Sequence& sequence) {
  const Time due = sequence.next_due();
  return due == Ledger::kAtOnce ? sequence.now() : due;
}

LedgerView view_of(const Sequence& sequence) {
  LedgerView view;
  view.now = sequence.now();
  view.next_due = next_step(sequence);
  for (const EntryId id : sequence.ledger().ids()) {
    const Entry& entry = *sequence.ledger().find(id);
    if (entry.remembered) continue;
    LedgerView::Entry& out = view.entries.emplace_back();
    out.id = id;
    out.state = to_word(entry.clock.state, kEntryStates);
    out.state_number = static_cast<std::int32_t>(entry.clock.state);
    out.requester_kind = to_word(entry.requester().kind, kRequesterKinds);
    out.requester_number = static_cast<std::int32_t>(entry.requester().kind);
    out.requester = entry.requester().name;
    out.cause = entry.order().cause;
    out.committed = entry.committed;
    out.deadline = is_live(entry.clock.state) ? next_due(entry.terms(), entry.clock) : kNoTime;
    out.has_hold = is_live(entry.clock.state) && entry.has_hold();
    for (const Victim& victim : entry.victims) {
      if (entry.order_of(victim).hold == kNoEntry) out.victims.push_back(victim_view(entry, victim));
    }
    for (const Place& place : entry.placement()) {
      out.placement.push_back({place.task, place.node, place.gpus, place.share_device, place.share,
                               place.devices_known, place.whole_node});
    }
  }
  return view;
}

std::string ledger_document(const LedgerView& view) { return write_ledger(view); }

}  // namespace cede
