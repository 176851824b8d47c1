// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/text.h"
#include "sequence/action.h"
#include "sequence/entry.h"
#include "sequence/storm_window.h"

namespace cede {

// The binary format of saved states: little-endian integers, texts and lists with their length. One list of
// fields per struct serves both SavedWriter and SavedReader, so that they cannot disagree.
class SavedWriter {
 public:
  static constexpr bool kReads = false;

  // Whether fields of this version are present.
  static constexpr bool has(std::uint32_t) { return true; }

  template <class Number>
  void number(const Number& value) {
    auto bits = static_cast<std::make_unsigned_t<Number>>(value);
    for (std::size_t i = 0; i < sizeof(Number); ++i) {
      bytes_ += static_cast<char>(bits & 0xFFU);
      bits = static_cast<std::make_unsigned_t<Number>>(bits >> (sizeof(Number) > 1 ? 8U : 0U));
    }
  }
  void flag(const bool& value) { number(static_cast<std::uint8_t>(value ? 1 : 0)); }
  void text(const std::string& value) {
    number(static_cast<std::uint32_t>(value.size()));
    bytes_ += value;
  }
  template <class Enum>
  void word(const Enum& value, std::size_t, std::string_view) {
    number(static_cast<std::uint8_t>(value));
  }
  template <class Item, class Fields>
  void list(const std::vector<Item>& items, Fields fields) {
    number(static_cast<std::uint32_t>(items.size()));
    for (const Item& item : items) fields(item);
  }

  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// Never reads beyond its bytes and never allocates more than they could fill. After the first fault
// everything reads as zero; fault() tells the fault.
class SavedReader {
 public:
  static constexpr bool kReads = true;

  explicit SavedReader(std::string_view bytes, std::uint32_t version = 0)
      : bytes_(bytes), version_(version) {}

  bool has(std::uint32_t version) const { return version_ >= version; }

  template <class Number>
  void number(Number& value) {
    std::make_unsigned_t<Number> bits = 0;
    const std::string_view raw = take(sizeof(Number));
    for (std::size_t i = 0; i < raw.size(); ++i) {
      bits = static_cast<std::make_unsigned_t<Number>>(
          bits | static_cast<std::uint64_t>(static_cast<unsigned char>(raw[i])) << (8 * i));
    }
    value = static_cast<Number>(bits);
  }
  void flag(bool& value) {
    std::uint8_t bits = 0;
    number(bits);
    if (bits > 1) fail("a flag is " + std::to_string(bits));
    value = bits == 1;
  }
  // Every text in the library is valid UTF-8.
  void text(std::string& value) {
    value = std::string(take(length()));
    if (is_utf8(value)) return;
    value.clear();
    fail("a text is not UTF-8");
  }
  template <class Enum>
  void word(Enum& value, std::size_t known, std::string_view what) {
    std::uint8_t bits = 0;
    number(bits);
    if (bits >= known) fail(std::string(what) + ' ' + std::to_string(bits) + " is unknown");
    value = static_cast<Enum>(failed() ? 0 : bits);
  }
  template <class Item, class Fields>
  void list(std::vector<Item>& items, Fields fields) {
    const std::size_t count = length();  // an item has at least one byte
    items.clear();
    for (std::size_t i = 0; i < count && !failed(); ++i) {
      items.emplace_back();
      fields(items.back());
    }
  }

  void fail(std::string why) {
    if (fault_.empty()) fault_ = std::move(why);
    bytes_ = {};
  }
  bool failed() const { return !fault_.empty(); }
  const std::string& fault() const { return fault_; }
  bool at_end() const { return bytes_.empty(); }

 private:
  std::string_view take(std::size_t count) {
    if (count > bytes_.size()) {
      fail("a field goes beyond the end");
      return {};
    }
    const std::string_view taken = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return taken;
  }
  std::size_t length() {
    std::uint32_t count = 0;
    number(count);
    if (count <= bytes_.size()) return count;
    fail("a list goes beyond the end");
    return 0;
  }

  std::string_view bytes_;
  std::uint32_t version_;
  std::string fault_;
};

// The saved fields of each struct, in this order. A new field goes to the end of its struct's list with the
// version that added it (see has()), and the version goes up. Every version from kFirstSavedVersion on stays
// readable.

// A struct as the archive needs it: writable for a reader, const for a writer.
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
  a.number(place.node_signature);
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
  a.word(terms.then, kVictimActions.size(), "victim action");
  a.word(terms.unsaved, kVictimActions.size(), "victim action");
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
  a.flag(victim.terms.keep_local);
  a.number(victim.lost_work);
  a.number(victim.started_by);
  a.word(victim.via, kCheckpointVias.size() + 1, "via");
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
  a.text(order.queue);
  a.number(order.requirement);
  a.flag(order.whole_gang);
  a.number(order.min_tasks);
}

// The send time of the last action is left out: the action is either answered or sent again.
template <class Archive>
void saved_fields(Archive& a, SavedPart<Archive, VictimState> state) {
  a.word(state.phase, kVictimPhases.size(), "victim phase");
  a.word(state.exit_result, kExitResults.size(), "release");
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
  a.flag(state.kept_local);
}

template <class Archive>
void saved_fields(Archive& a, SavedPart<Archive, PendingAction> pending_action) {
  a.word(pending_action.kind, kActionKinds.size(), "action");
  a.number(pending_action.id);
  a.number(pending_action.failures);
  a.flag(pending_action.was_listed);
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
void saved_fields(Archive& a, SavedPart<Archive, UnnamedRun> run) {
  a.text(run.node);
  a.text(run.job);
  a.text(run.task);
  a.number(run.started);
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
