// SPDX-License-Identifier: MIT
#include <deque>
#include <functional>
#include <unordered_set>

#include "sequence_compared.h"

// Every state that two victims can reach, and every order of a few events.
namespace cede {
namespace {

VictimOrder quick(const std::string& job, VictimAction action) {
  VictimOrder order = victim(job, action);
  order.terms.checkpoint_timeout = 2 * kSecond;
  order.terms.timeout_extension = 500;
  order.terms.max_deferral = kSecond;
  order.terms.grace = kSecond;
  order.terms.soft_evict_timeout = 2 * kSecond;
  order.terms.signal_timeout = kSecond;
  order.terms.requeue = Requeue::always;
  return order;
}

CommitOrder quick_order(VictimAction a, VictimAction b) {
  CommitOrder order = order_for("p", {quick("a", a), quick("b", b)});
  order.action_timeout = 2 * kSecond;
  order.max_action_retries = 1;
  order.hold_timeout = 2 * kSecond;
  order.entry_timeout = kHour;  // its clock would tell apart states that are otherwise the same
  return order;
}

// A sequence with what its past obliges it to.
struct Node {
  Sequence sequence;
  StepInvariants invariants;
  Time now = at(0);
};

// The state without the numbers and times that never recur: two nodes of one key have the same future.
std::string key_of(const Node& node) {
  std::string key;
  const auto put = [&](auto value) { key += std::to_string(static_cast<long long>(value)) + ' '; };
  const auto put_time = [&](Time time) {
    key += time == kNoTime ? "- " : std::to_string(time - node.now) + ' ';
  };
  const auto put_errand = [&](const PendingAction& pending_action) {
    put(pending_action.open());
    if (!pending_action.open()) return;
    put(pending_action.kind);
    put(pending_action.failures);
    put_time(pending_action.sent);
  };
  for (const EntryId id : node.sequence.ledger().ids()) {
    const Entry& entry = *node.sequence.ledger().find(id);
    put(entry.clock.state);
    if (entry.clock.state == EntryState::ready) put_time(entry.clock.ready_at);
    put(entry.lost_nodes.size());
    put_errand(entry.notice);
    put_errand(entry.release);
    for (const Victim& victim : entry.victims) {
      const VictimState& state = victim.state;
      put(state.phase);
      put(state.exit_result);
      put_errand(victim.pending_action);
      if (state.finished()) continue;
      for (const bool flag : {state.answered, state.progressed, state.extended, state.saved,
                              state.checkpoint_failed, state.ending}) {
        put(flag);
      }
      put(state.failures);
      put(state.deferred);
      put_time(std::max(state.paused_until, node.now));
      if (!state.answered) put_time(state.sent);
      put_time(state.deadline);
    }
  }
  return key + node.invariants.key(node.now);
}

std::vector<Event> alphabet(const Sequence& sequence) {
  std::vector<Event> events{started("p"), cancelled("p"), node_down("n-p"), node_up("n-p")};
  for (const std::string job : {"a", "b"}) {
    for (const Event& event : {progress(job), done(job), failed(job), defer(job, 1), released(job),
                               exited(job), cancelled(job), node_down("n-" + job)}) {
      events.push_back(event);
    }
  }
  const auto answers = [&](ActionId id) {
    if (id == kNoAction) return;
    events.push_back(answer(EventKind::action_done, id));
    events.push_back(answer(EventKind::action_failed, id));
  };
  for (const EntryId id : sequence.ledger().ids()) {
    const Entry& entry = *sequence.ledger().find(id);
    answers(entry.notice.id);
    answers(entry.release.id);
    for (const Victim& victim : entry.victims) {
      answers(victim.action);
      answers(victim.pending_action.id);
    }
  }
  return events;
}

// From here on the manager does whatever it is asked: everything must come to an end.
void expect_an_end(Node node) {
  std::vector<Event> events;
  for (int second = 0; second < 60; ++second) {
    node.now += kSecond;
    const StepResult result = node.sequence.step(node.now, events);
    events.clear();
    for (const EntryId id : node.sequence.ledger().ids()) {
      const Entry& entry = *node.sequence.ledger().find(id);
      for (const Victim& victim : entry.victims) {
        if (victim.state.phase == VictimPhase::stuck) events.push_back(exited(entry.order_of(victim).job));
      }
      if (!entry.lost_nodes.empty()) events.push_back(node_up("n-p"));
    }
    for (const Action& action : result.actions) {
      events.push_back(answer(EventKind::action_done, action.id));
      if (action.signal == Signal::kill || action.kind == ActionKind::terminate)
        events.push_back(exited(action.job));
      if (action.kind == ActionKind::start) events.push_back(started(action.job));
    }
  }
  ASSERT_EQ(node.sequence.ledger().size(), 0U) << key_of(node);
}

std::size_t explore(VictimAction a, VictimAction b) {
  std::unordered_set<std::string> known;
  std::deque<Node> frontier(1);
  std::string why;
  EXPECT_NE(frontier[0].sequence.commit(quick_order(a, b), at(0), why), kNoEntry) << why;
  std::size_t visited = 0;
  while (!frontier.empty() && !testing::Test::HasFailure()) {
    const Node node = std::move(frontier.front());
    frontier.pop_front();
    if (++visited % 97 == 0) expect_an_end(node);
    std::vector<Event> events = alphabet(node.sequence);
    events.emplace_back();  // a second passes
    for (std::size_t i = 0; i < events.size(); ++i) {
      Node next = node;
      const bool tick = i + 1 == events.size();
      if (tick) next.now += kSecond;
      const std::vector<Event> happens = tick ? std::vector<Event>{} : std::vector<Event>{events[i]};
      const StepResult result = next.sequence.step(next.now, happens);
      next.invariants.step(next.sequence, result);
      if (known.insert(key_of(next)).second) frontier.push_back(std::move(next));
    }
  }
  return known.size();
}

TEST(SequenceStates, EveryReachableStateOfTwoVictimsKeepsTheInvariants) {
  using enum VictimAction;
  std::vector<std::pair<VictimAction, VictimAction>> pairs{
      {checkpoint, terminate}, {suspend, soft_evict}, {terminate, signal_first}};
  if (long_tier()) {
    pairs = {};
    for (const VictimAction a : {checkpoint, suspend, terminate, soft_evict, signal_first}) {
      for (const VictimAction b : {checkpoint, suspend, terminate, soft_evict, signal_first}) {
        if (a <= b) pairs.emplace_back(a, b);
      }
    }
  }
  for (const auto& [a, b] : pairs) {
    const std::size_t states = explore(a, b);
    EXPECT_GT(states, 1000U);
    RecordProperty(std::string(to_word(a, kVictimActions)) + "+" + std::string(to_word(b, kVictimActions)),
                   static_cast<int>(states));
  }
}

// All orders of six things that can happen, against the plain model.
void all_orders(const ComparedSequence& compared, Time now, int depth) {
  if (depth == 0 || testing::Test::HasFailure()) return;
  const std::vector<ActionId> listed = compared.listed();
  for (int letter = 0; letter < 6; ++letter) {
    ComparedSequence next = compared;
    Time then = now;
    std::vector<Event> events;
    switch (letter) {
      case 0: then += kSecond; break;
      case 1: events = {done("a")}; break;
      case 2: events = {progress("a"), defer("a", 1)}; break;
      case 3: events = {released("a")}; break;
      case 4:
        if (!listed.empty()) events = {answer(EventKind::action_failed, listed.back())};
        break;
      default: events = {cancelled("p")};
    }
    next.step(then, events);
    all_orders(next, then, depth - 1);
  }
}

TEST(SequenceStates, AllOrdersOfSixEventsAgreeWithThePlainModel) {
  for (const VictimAction action : {VictimAction::checkpoint, VictimAction::suspend}) {
    ComparedSequence compared;
    CommitOrder order = order_for("p", {quick("a", action)});
    order.action_timeout = 2 * kSecond;
    order.max_action_retries = 1;
    compared.commit(order, at(0));
    all_orders(compared, at(0), long_tier() ? 8 : 7);
  }
}

}  // namespace
}  // namespace cede
