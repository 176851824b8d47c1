// SPDX-License-Identifier: MIT
#include <random>
#include <set>

#include "sequence_compared.h"

namespace cede {
namespace {

// One random life: commits, events, clocks and restarts, given to the sequence and to the plain model alike.
class Stream {
 public:
  Stream(std::uint32_t seed, Coverage& coverage) : random_(seed), sightings_(coverage) {}

  void run() {
    for (int i = 0; i < 40 && !testing::Test::HasFatalFailure(); ++i) {
      const int what = below(20);
      if (what < 4 || i == 0) commit();
      if (what == 4) replan();
      if (what == 5) abandon();
      if (what == 6) vanish();
      if (what == 7) twins_.restart();
      step();
    }
  }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<std::uint32_t>(n)); }
  bool chance(int percent) { return below(100) < percent; }
  std::string job() { return std::string(1, static_cast<char>('a' + below(5))); }
  std::string task() { return "t" + std::to_string(below(3)); }
  std::string node() { return "n" + std::to_string(below(4)); }
  Duration seconds(int most) { return below(most + 1) * kSecond; }

  CommitOrder order() {
    CommitOrder order;
    order.requester.name = std::string(1, static_cast<char>('p' + below(4)));
    if (chance(10)) order.requester = {RequesterKind::claim, "root.q"};
    order.cause = "priority";
    order.hold_timeout = seconds(8);
    order.entry_timeout = seconds(30);
    order.action_timeout = kSecond + seconds(5);
    order.max_action_retries = static_cast<std::uint32_t>(below(3));
    if (chance(30)) order.latest_start = now_ + seconds(40);
    for (int i = below(2); i >= 0; --i) order.placement.push_back(place("x" + std::to_string(i), node()));
    for (int i = below(4); i > 0; --i) order.victims.push_back(new_victim());
    if (chance(20)) {
      VictimOrder hold;
      hold.hold = 1 + random_() % 6;
      order.victims.push_back(hold);
    }
    if (chance(10) && !order.victims.empty()) {
      order.requester = {RequesterKind::relief, "node:n1"};
      order.placement.clear();
    }
    return order;
  }

  VictimOrder new_victim() {
    VictimOrder victim;
    victim.job = job();
    victim.queue = "root.low";
    std::set<std::string> labels;
    for (int i = below(3); i >= 0; --i) labels.insert(task());
    for (const std::string& label : labels) victim.tasks.push_back(place(label, node()));
    std::shuffle(victim.tasks.begin(), victim.tasks.end(), random_);
    VictimTerms& terms = victim.terms;
    terms.action = static_cast<VictimAction>(chance(50) ? 0 : below(5));
    terms.requeue = static_cast<Requeue>(below(3));
    terms.has_checkpoint = chance(20);
    terms.checkpoint_timeout = seconds(9);
    terms.timeout_extension = below(3) * 500;
    terms.max_deferral = seconds(6);
    terms.grace = seconds(5);
    terms.soft_evict_timeout = chance(40) ? kNoDuration : seconds(9);
    terms.signal_timeout = seconds(5);
    victim.units = static_cast<std::uint32_t>(1 + below(2));
    terms.keep_local = chance(30);
    terms.then = static_cast<VictimAction>(1 + below(4));
    terms.unsaved = static_cast<VictimAction>(1 + below(4));
    return victim;
  }

  void commit() {
    const CommitOrder order = this->order();
    if (order_fault(order).empty()) twins_.commit(order, now_);
  }

  EntryId some_entry() { return 1 + random_() % 8; }

  void replan() {
    CommitOrder order = this->order();
    const EntryId id = some_entry();
    if (const Entry* entry = twins_.sequence().ledger().find(id); entry && chance(80)) {
      order.requester = entry->requester();
      if (order.placement.empty() && order.requester.kind != RequesterKind::relief) {
        order.placement.push_back(place("x0", node()));
      }
    }
    if (order_fault(order).empty()) twins_.extend(id, order, now_);
  }

  void abandon() {
    const EntryId id = some_entry();
    if (chance(50)) {
      twins_.cancel(id, now_);
    } else {
      twins_.give_up(id, now_);
    }
  }

  void vanish() {
    const std::string name = chance(60) ? job() : std::string(1, static_cast<char>('p' + below(4)));
    twins_.vanish(name);
  }

  Event random_event() {
    const auto kind = static_cast<EventKind>(below(13));
    Event event = cede::event(kind, kind == EventKind::started || chance(15)
                                        ? std::string(1, static_cast<char>('p' + below(4)))
                                        : job());
    if (chance(60)) event.task = task();
    event.node = node();
    event.entry = some_entry();
    event.length = seconds(5);
    return event;
  }

  void step() {
    now_ += chance(2) ? 400 * 86400 * kSecond : chance(30) ? 0 : seconds(3);
    std::vector<Event> events;
    const std::vector<ActionId> listed = twins_.listed();
    for (int i = below(4); i > 0; --i) {
      events.push_back(random_event());
      if (!listed.empty() && chance(80)) events.back().action = listed[random_() % listed.size()];
    }
    // Most managers answer soon.
    for (const ActionId id : twins_.fresh()) {
      if (chance(60)) events.push_back(answer(EventKind::action_done, id));
    }
    twins_.step(chance(5) ? now_ - seconds(20) : now_, events, &sightings_);
  }

  std::mt19937 random_;
  Coverage& sightings_;
  Time now_ = at(0);
  ComparedSequence twins_;
};

template <class Words>
void expect_all(const Coverage& coverage, const std::string& kind, const Words& words,
                const std::set<std::string_view>& except = {}) {
  for (const std::string_view word : words) {
    if (except.contains(word)) continue;
    const auto found = coverage.seen.find(kind + ' ' + std::string(word));
    EXPECT_GE(found == coverage.seen.end() ? 0 : found->second, 100U) << kind << ' ' << word;
  }
}

TEST(SequenceModel, RandomStreamsAgreeWithThePlainModel) {
  const std::uint32_t streams = long_tier() ? 1'000'000 : 10'000;
  Coverage coverage;
  for (std::uint32_t seed = 1; seed <= streams; ++seed) {
    Stream(seed, coverage).run();
    ASSERT_FALSE(HasFailure()) << "stream " << seed;
  }
  // Streams that meet nothing prove nothing.
  expect_all(coverage, "action", kActionKinds);
  expect_all(coverage, "signal", kSignals, {""});
  expect_all(coverage, "entry", kEntryStates, {"preparing"});
  expect_all(coverage, "victim", kVictimPhases, {"planned"});
  expect_all(coverage, "release", kExitResults);
  expect_all(coverage, "taken", kEventKinds, {"job-is-gone"});
  expect_all(coverage, "ignored", kEventKinds, {"job-is-gone"});
}

}  // namespace
}  // namespace cede
