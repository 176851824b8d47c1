// SPDX-License-Identifier: MIT
#include "sequence/save.h"

#include <functional>

#include "sequence_script.h"

namespace cede {
namespace {

// Two entries on their way; the first has a victim that checkpoints and one that is released.
std::vector<Entry> some_entries() {
  Script script;
  script.acknowledge = false;
  CommitOrder order = order_for(
      "p", {victim("a", VictimAction::checkpoint, {"t0", "t1"}), victim("b", VictimAction::terminate)});
  order.victims[1].terms.requeue = Requeue::always;
  script.commit(order);
  script.commit(order_for("q"));
  script.step(0);
  script.step(1, {done("a", "t1"), released("b")});
  std::vector<Entry> entries;
  for (const EntryId id : script.sequence.ledger().ids())
    entries.push_back(*script.sequence.ledger().find(id));
  return entries;
}

std::string entries_fault_after(const std::function<void(std::vector<Entry>&)>& spoil) {
  std::vector<Entry> entries = some_entries();
  EXPECT_EQ(entries_fault(entries, 2, 9), "");
  spoil(entries);
  return entries_fault(entries, 2, 9);
}

TEST(SavedCheck, NamesTheEntryAndWhatIsWrong) {
  const auto of_a = [](auto spoil) {
    return entries_fault_after([&](std::vector<Entry>& e) { spoil(e[0].victims[0]); });
  };
  EXPECT_EQ(entries_fault_after([](auto& e) { std::swap(e[0], e[1]); }), "entry 1 is out of order");
  EXPECT_EQ(entries_fault_after([](auto& e) { e[1].id = 7; }), "entry 7 is beyond the last, 2");
  EXPECT_EQ(entries_fault_after([](auto& e) { e[1].orders.clear(); }), "entry 2: it has no order");
  EXPECT_EQ(entries_fault_after([](auto& e) { e[1].placed_by = 1; }), "entry 2: it has no order");
  EXPECT_EQ(entries_fault_after([](auto& e) { e[1].clock.ready_at = kNoTime; }),
            "entry 2: it is ready, and since when is missing");
  EXPECT_EQ(entries_fault_after([](auto& e) { e[1].clock.deadline = 4 * kMaxTime; }),
            "entry 2: a time is out of range");
  EXPECT_EQ(entries_fault_after([](auto& e) { e[1].notice.kind = ActionKind::requeue; }),
            "entry 2: an action of it is not its own");
  EXPECT_EQ(entries_fault_after([](auto& e) { e[1].notice.id = 77; }),
            "entry 2: action 77 is beyond the last, 9");
  EXPECT_EQ(entries_fault_after([](auto& e) { e[1].notice.id = e[0].victims[1].pending_action.id; }),
            "entry 2: action " + std::to_string(some_entries()[0].victims[1].pending_action.id) +
                " is there twice");
  EXPECT_EQ(of_a([](Victim& v) { v.order = 4; }), "entry 1: victims[0]: it is in no order");
  EXPECT_EQ(of_a([](Victim& v) { v.index = 4; }), "entry 1: victims[0]: it is in no order");
  EXPECT_EQ(of_a([](Victim& v) { v.index = 1; }), "entry 1: victims[0]: it has other tasks than its order");
  EXPECT_EQ(of_a([](Victim& v) { v.first_task = 9; }),
            "entry 1: victims[0]: it has other tasks than its order");
  EXPECT_EQ(of_a([](Victim& v) { v.state.done = 0; }),
            "entry 1: victims[0]: its tasks are not counted right");
  EXPECT_EQ(of_a([](Victim& v) { v.action = 3; }), "entry 1: victims[0]: its action and its phase disagree");
  EXPECT_EQ(of_a([](Victim& v) { v.state.deferred = kHour; }),
            "entry 1: victims[0]: deferred longer than it may");
  EXPECT_EQ(of_a([](Victim& v) { v.state.exit_result = ExitResult::lost; }),
            "entry 1: victims[0]: it is checkpointing with 2 tasks left");
  EXPECT_EQ(of_a([](Victim& v) { v.state.deadline = kNoTime; }),
            "entry 1: victims[0]: its checkpoint has no deadline");
  EXPECT_EQ(of_a([](Victim& v) { v.state.hinted = 4 * kMaxTime; }),
            "entry 1: victims[0]: a time is out of range");
  EXPECT_EQ(entries_fault_after([](auto& e) { e[0].victims[1].pending_action.kind = ActionKind::start; }),
            "entry 1: victims[1]: its pending action is not one");
}

TEST(SavedCheck, BorrowedRoomIsOfAnEntrysVictims) {
  const auto with = [](auto spoil) {
    return entries_fault_after([&](std::vector<Entry>& e) {
      BorrowedRoom borrowed_room;
      borrowed_room.from = 1;
      borrowed_room.room.push_back(place("", "n-a"));
      borrowed_room.victims.push_back({"a", "t1"});
      spoil(borrowed_room);
      e[1].borrowed_rooms.push_back(borrowed_room);
    });
  };
  EXPECT_EQ(with([](BorrowedRoom&) {}), "");
  EXPECT_EQ(with([](BorrowedRoom& borrowed_room) { borrowed_room.from = 0; }),
            "entry 2: borrowed[0]: it names no entry to borrow from");
  EXPECT_EQ(with([](BorrowedRoom& borrowed_room) { borrowed_room.from = 2; }),
            "entry 2: borrowed[0]: it is its own");
  EXPECT_EQ(with([](BorrowedRoom& borrowed_room) { borrowed_room.room[0].node.clear(); }),
            "entry 2: borrowed[0]: it is on no node");
  EXPECT_EQ(with([](BorrowedRoom& borrowed_room) { borrowed_room.room[0].resources[0].second = 0; }),
            "entry 2: borrowed[0]: one of its amounts has no name or is not above 0");
  EXPECT_EQ(with([](BorrowedRoom& borrowed_room) {
              borrowed_room.queues.push_back({"q", "", 1});
            }),
            "entry 2: borrowed[0]: one of its amounts has no name or is not above 0");
  EXPECT_EQ(with([](BorrowedRoom& borrowed_room) { borrowed_room.victims[0].job = "b"; }),
            "entry 2: it waits for job 'b', which is no entry's victim");
  EXPECT_EQ(with([](BorrowedRoom& borrowed_room) {
              borrowed_room.victims[0].job = "b";
              borrowed_room.victims[0].state = AwaitedState::gone;
            }),
            "");
}

TEST(SavedCheck, NothingIsInTwoEntries) {
  EXPECT_EQ(entries_fault_after([](auto& e) {
              e[1] = e[0];
              e[1].id = 2;
            }),
            "entry 2: job 'p' has two live entries");
  EXPECT_EQ(entries_fault_after([](auto& e) {
              e[1] = e[0];
              e[1].id = 2;
              e[0].clock.state = EntryState::failed;
              e[1].victims[1].pending_action = {};
            }),
            "entry 2: task 't0' of job 'a' is in two entries");
  EXPECT_EQ(entries_fault_after([](auto& e) { e[0].victims.push_back(e[0].victims[1]); }),
            "entry 1: two victims share a task");
}

TEST(SavedCheck, OrdersAreCheckedAsAtCommit) {
  EXPECT_EQ(entries_fault_after([](auto& e) {
              CommitOrder order = *e[1].orders[0];
              order.hold_timeout = -1;
              e[1].orders[0] = std::make_shared<const CommitOrder>(order);
            }),
            "entry 2: hold_timeout: -1 is outside 0..3162240000000 milliseconds");
  EXPECT_EQ(entries_fault_after([](auto& e) {
              CommitOrder order = *e[0].orders[0];
              std::swap(order.victims[0].tasks[0], order.victims[0].tasks[1]);
              e[0].orders[0] = std::make_shared<const CommitOrder>(order);
            }),
            "entry 1: an order is not in order");
}

TEST(SavedCheck, TimesAndSumsAreInRange) {
  EXPECT_EQ(times_fault(kNoTime, 0, {}, {}), "");
  EXPECT_EQ(times_fault(kMaxTime + 1, 0, {}, {}), "now is out of range");
  EXPECT_EQ(times_fault(0, -1, {}, {}), "the storm window is out of range");
  EXPECT_EQ(times_fault(0, 0, {{StormScope::queue, "q", {{5, 1}, {5, 1}}}}, {}),
            "the storm window of 'q' is not sound");
  EXPECT_EQ(times_fault(0, 0, {{StormScope::queue, "q", {{5, 0}}}}, {}),
            "the storm window of 'q' is not sound");
  EXPECT_EQ(times_fault(0, 0, {}, {{"q", -1}}), "the lost work of 'q' is out of range");
  EXPECT_EQ(named_times_fault({{"j", 4 * kMaxTime}}), "a time of 'j' is out of range");
  EXPECT_EQ(named_times_fault({{"j", kNoTime}}), "");
}

}  // namespace
}  // namespace cede
