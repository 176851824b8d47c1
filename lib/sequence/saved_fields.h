// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <type_traits>

#include "sequence/entry.h"
#include "sequence/event.h"
#include "sequence/saved_bytes.h"
#include "sequence/storm_window.h"

namespace cede {

// What is written of each struct, in this order. A new field goes to the end of its struct's list with the
// version that brought it, and the version goes up: every older one stays readable.

inline constexpr std::uint32_t kVersionWithLoans = 2;
// Which run of a victim gives way, what a placement counts on about its nodes, and whether it was lost.
inline constexpr std::uint32_t kVersionWithRuns = 3;
// The requester's queue.
inline constexpr std::uint32_t kVersionWithQueue = 4;

// A struct as the archive sees it: to be filled, or only looked at.
template <class Archive, class Struct>
using SavedPart = std::conditional_t<Archive::kReads, Struct&, const Struct&>;

template <class Archive>
void saved_fields(Archive& a, SavedPart<Archive, Place> place) {
  a.text(place.task);
  a.text(place.node);
  a.number(place.gpus);
  a.number(place.share_device);
  a.number(place.share);
  a.flag(place.devices_known);
  a.flag(place.whole_node);
  a.list(place.resources, [&](auto& resource) {
    a.text(resource.first);
    a.number(resource.second);
  });
  if (!a.has(kVersionWithRuns)) return;
  a.number(place.node_signature);
  a.number(place.unknown_there);
}

template <class Archive>
void saved_fields(Archive& a, SavedPart<Archive, VictimTerms> terms) {
  a.word(terms.action, kVictimActions.size(), "victim action");
  a.word(terms.requeue, kRequeues.size(), "requeue");
  a.flag(terms.has_checkpoint);
  a.number(terms.checkpoint_timeout);
  a.number(terms.timeout_extension);
  a.number(terms.max_deferral);
  a.number(terms.grace);
  a.number(terms.soft_evict_timeout);
  a.number(terms.signal_timeout);
  a.number(terms.action_timeout);
  a.number(terms.max_action_retries);
}

template <class Archive>
void saved_fields(Archive& a, SavedPart<Archive, VictimOrder> victim) {
  a.number(victim.hold);
  a.text(victim.job);
  a.text(victim.queue);
  a.text(victim.user);
  a.list(victim.tasks, [&](auto& task) { saved_fields<Archive>(a, task); });
  saved_fields<Archive>(a, victim.terms);
  a.number(victim.units);
  a.number(victim.submitted);
  a.number(victim.preempted_count);
  a.flag(victim.waits_for_owner);
  a.flag(victim.keep_local);
  a.number(victim.lost_work);
  if (a.has(kVersionWithRuns)) a.number(victim.started_by);
}

template <class Archive>
void saved_fields(Archive& a, SavedPart<Archive, CommitOrder> order) {
  a.word(order.requester.kind, kRequesterKinds.size(), "requester kind");
  a.text(order.requester.name);
  a.text(order.group);
  a.text(order.profile);
  a.text(order.cause);
  a.word(order.outcome, kOutcomes.size(), "outcome");
  a.number(order.plan);
  a.number(order.revision);
  a.number(order.plan_micros);
  a.number(order.hold_timeout);
  a.number(order.entry_timeout);
  a.number(order.action_timeout);
  a.number(order.max_action_retries);
  a.number(order.latest_start);
  a.list(order.placement, [&](auto& place) { saved_fields<Archive>(a, place); });
  a.list(order.victims, [&](auto& victim) { saved_fields<Archive>(a, victim); });
  if (a.has(kVersionWithQueue)) a.text(order.queue);
}

// When the last action was sent is left out: either it is answered, or it is sent again.
template <class Archive>
void saved_fields(Archive& a, SavedPart<Archive, VictimState> state) {
  a.word(state.phase, kVictimPhases.size(), "victim phase");
  a.word(state.release, kReleases.size(), "release");
  a.flag(state.answered);
  a.flag(state.progressed);
  a.flag(state.extended);
  a.flag(state.saved);
  a.flag(state.checkpoint_failed);
  a.flag(state.ending);
  a.flag(state.lost_task);
  a.number(state.tasks);
  a.number(state.done);
  a.number(state.gone);
  a.number(state.gone_unsaved);
  a.number(state.failures);
  a.number(state.hinted);
  a.number(state.deadline);
  a.number(state.paused_until);
  a.number(state.deferred);
  a.number(state.released);
}

template <class Archive>
void saved_fields(Archive& a, SavedPart<Archive, PendingAction> pending_action) {
  a.word(pending_action.kind, kActionKinds.size(), "action");
  a.number(pending_action.id);
  a.number(pending_action.failures);
}

template <class Archive>
void saved_fields(Archive& a, SavedPart<Archive, Victim> victim) {
  a.number(victim.order);
  a.number(victim.index);
  a.number(victim.first_task);
  a.flag(victim.needed);
  a.number(victim.action);
  saved_fields<Archive>(a, victim.state);
  saved_fields<Archive>(a, victim.pending_action);
}

template <class Archive>
void saved_fields(Archive& a, SavedPart<Archive, BorrowedRoom> borrowed_room) {
  a.number(borrowed_room.from);
  a.list(borrowed_room.room, [&](auto& place) { saved_fields<Archive>(a, place); });
  a.list(borrowed_room.queues, [&](auto& room) {
    a.text(room.queue);
    a.text(room.resource);
    a.number(room.amount);
  });
  a.list(borrowed_room.victims, [&](auto& victim) {
    a.text(victim.job);
    a.text(victim.task);
    a.flag(victim.may_stay);
    a.word(victim.state, kAwaitedStates.size(), "state of an awaited victim");
  });
}

template <class Archive>
void saved_fields(Archive& a, SavedPart<Archive, Event> event) {
  a.word(event.kind, kEventKinds.size(), "event");
  a.text(event.job);
  a.text(event.task);
  a.text(event.node);
  a.number(event.entry);
  a.number(event.action);
  a.number(event.length);
  a.number(event.code);
  a.text(event.text);
}

template <class Archive>
void saved_fields(Archive& a, SavedPart<Archive, StormWindow::Row> row) {
  a.word(row.scope, 3, "storm scope");
  a.text(row.name);
  a.list(row.records, [&](auto& record) {
    a.number(record.at);
    a.number(record.amount);
  });
}

}  // namespace cede
