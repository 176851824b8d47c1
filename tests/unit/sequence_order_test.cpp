// SPDX-License-Identifier: MIT
#include "sequence/order.h"

#include "sequence_script.h"

namespace cede {
namespace {

template <class Spoil>
std::string order_fault_after(Spoil spoil) {
  CommitOrder order =
      order_for("p", {victim("a", VictimAction::checkpoint), victim("b", VictimAction::terminate)});
  EXPECT_EQ(order_fault(order), "");
  spoil(order);
  return order_fault(order);
}

TEST(Order, NamesWhatIsWrong) {
  EXPECT_EQ(order_fault_after([](CommitOrder& o) { o.requester.name.clear(); }), "requester: has no name");
  EXPECT_EQ(order_fault_after([](CommitOrder& o) { o.placement.clear(); }), "placement: 'p' has no place");
  EXPECT_EQ(order_fault_after([](CommitOrder& o) { o.placement[0].node.clear(); }),
            "placement: task 't0' has no node");
  EXPECT_EQ(order_fault_after([](CommitOrder& o) { o.outcome = Outcome::wait; }),
            "outcome: 'wait' cannot be committed; fits or preempt can");
  EXPECT_EQ(order_fault_after([](CommitOrder& o) { o.hold_timeout = -1; }),
            "hold_timeout: -1 is outside 0..3162240000000 milliseconds");
  EXPECT_EQ(order_fault_after([](CommitOrder& o) { o.entry_timeout = kNoDuration; }),
            "entry_timeout: -9223372036854775808 is outside 0..3162240000000 milliseconds");
  EXPECT_EQ(order_fault_after([](CommitOrder& o) { o.action_timeout = 0; }),
            "action_timeout: 0 leaves no time for an answer");
  EXPECT_EQ(order_fault_after([](CommitOrder& o) { o.latest_start = std::numeric_limits<Time>::max(); }),
            "latest_start: 9223372036854775807 is no time");
  EXPECT_EQ(order_fault_after([](CommitOrder& o) { o.victims[1].job.clear(); }), "victims[1]: has no job");
  EXPECT_EQ(order_fault_after([](CommitOrder& o) { o.victims[1].tasks.clear(); }),
            "victims[1]: job 'b' has no tasks");
  EXPECT_EQ(order_fault_after([](CommitOrder& o) { o.victims[0].tasks[0].task.clear(); }),
            "victims[0]: a task on node 'n-a' has no label");
  EXPECT_EQ(order_fault_after([](CommitOrder& o) { o.victims[0].hold = 3; }),
            "victims[0]: a hold is taken together with a job");
  EXPECT_EQ(order_fault_after([](CommitOrder& o) { o.victims[0].lost_work = -4; }),
            "victims[0]: lost_work: -4 is below 0");
  EXPECT_EQ(order_fault_after([](CommitOrder& o) { o.victims[1] = o.victims[0]; }),
            "victims: task 't0' of job 'a' is named twice");
}

TEST(Order, EveryDurationOfAVictimIsChecked) {
  using Member = Duration VictimTerms::*;
  const std::vector<std::pair<Member, std::string>> members{
      {&VictimTerms::checkpoint_timeout, "checkpoint_timeout"},
      {&VictimTerms::max_deferral, "max_deferral"},
      {&VictimTerms::grace, "grace"},
      {&VictimTerms::soft_evict_timeout, "soft_evict_timeout"},
      {&VictimTerms::signal_timeout, "signal_timeout"}};
  for (const auto& each : members) {
    for (const Duration bad : {Duration{-1}, kMaxDuration + 1}) {
      const std::string why =
          order_fault_after([&](CommitOrder& o) { o.victims[0].terms.*(each.first) = bad; });
      EXPECT_EQ(why, "victims[0]: " + each.second + ": " + std::to_string(bad) +
                         " is outside 0..3162240000000 milliseconds");
    }
  }
  EXPECT_EQ(order_fault_after([](CommitOrder& o) { o.victims[0].terms.timeout_extension = 10'001; }),
            "victims[0]: timeout_extension: 10001 is outside 0..10000 thousandths");
  EXPECT_EQ(order_fault_after([](CommitOrder& o) { o.victims[0].terms.unsaved = VictimAction::checkpoint; }),
            "victims[0]: a checkpoint does not follow a checkpoint");
  EXPECT_EQ(order_fault_after([](CommitOrder& o) { o.victims[0].terms.soft_evict_timeout = kNoDuration; }),
            "");
}

TEST(Order, HoldsAreTakenOnceEach) {
  CommitOrder order = order_for("p");
  VictimOrder hold;
  hold.hold = 4;
  order.victims = {hold};
  EXPECT_EQ(order_fault(order), "");
  order.victims = {hold, hold};
  EXPECT_EQ(order_fault(order), "victims: the hold of entry 4 is named twice");
}

TEST(Order, ReliefNeedsVictimsAndNothingElse) {
  CommitOrder order = order_for("", {victim("a", VictimAction::terminate)});
  order.requester.kind = RequesterKind::relief;
  order.placement.clear();
  EXPECT_EQ(order_fault(order), "");
  order.victims.clear();
  EXPECT_EQ(order_fault(order), "victims: relief without any frees nothing");
}

TEST(Order, SettlingSortsTasksAndSpreadsThePatience) {
  CommitOrder order = order_for("p", {victim("a", VictimAction::terminate, {"t2", "t10", "t1"})});
  order.action_timeout = 5 * kSecond;
  order.max_action_retries = 9;
  const CommitOrder kept = settled(order);
  EXPECT_EQ(kept.victims[0].tasks[0].task, "t1");
  EXPECT_EQ(kept.victims[0].tasks[1].task, "t10");
  EXPECT_EQ(kept.victims[0].tasks[2].task, "t2");
  EXPECT_EQ(kept.victims[0].terms.action_timeout, 5 * kSecond);
  EXPECT_EQ(kept.victims[0].terms.max_action_retries, 9U);
  EXPECT_EQ(settled(kept), kept);
}

}  // namespace
}  // namespace cede
