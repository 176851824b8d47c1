// SPDX-License-Identifier: MIT
#include "sequence/save.h"

#include <random>

#include "base/text.h"
#include "sequence/saved_fields.h"
#include "sequence_script.h"

namespace cede {
namespace {

// A sequence with something of everything in it.
Sequence busy_sequence() {
  Script script;
  script.acknowledge = false;
  CommitOrder weak = order_for("w", {victim("a", kCheckpoint, {"t0", "t1"}), victim("b", kTerminate)});
  weak.max_action_retries = 0;
  script.commit(weak);
  script.step(0);
  script.step(1, {done("a", "t1"), script.fails("TERM b until 30")});
  VictimOrder hold;
  hold.hold = 1;
  script.commit(order_for("s", {hold, victim("c", VictimAction::soft_evict)}), 2);
  script.step(3, {defer("a", 20), progress("a")});
  script.commit(order_for("r"), 4);
  CommitOrder requeues = order_for("q", {victim("d", kTerminate), victim("e", kCheckpoint)});
  for (VictimOrder& each : requeues.victims) each.terms.requeue = Requeue::always;
  script.commit(requeues, 4);
  script.step(5);
  script.step(6, {released("d"), exited("nobody")});
  std::string why;
  EXPECT_TRUE(script.sequence.cancel(4, at(7), why)) << why;
  script.sequence.note({.requester = "n", .profile = "quota", .outcome = Outcome::wait, .plan_micros = 12},
                       at(7));
  script.sequence.set_starving_since("hungry", at(-50));
  script.sequence.jobs_gone(std::vector<std::string>{"r"});
  return script.sequence;
}

std::string fault_of(std::string_view bytes, Status expected = Status::damaged) {
  Problems problems;
  EXPECT_FALSE(restore(bytes, problems).has_value());
  if (problems.all().size() != 1) return "no problem told";
  EXPECT_EQ(problems.all()[0].status, expected);
  return problems.all()[0].message();
}

// The bytes with a right checksum, whatever was done to them.
std::string sealed(std::string bytes) {
  bytes.resize(bytes.size() - 8);
  SavedWriter checksum;
  checksum.number(crc64(bytes));
  return bytes + checksum.take();
}

TEST(Save, ComesBackAsItWas) {
  const Sequence sequence = busy_sequence();
  const std::string bytes = save(sequence);
  Problems problems;
  const std::optional<Sequence> restored = restore(bytes, problems);
  ASSERT_TRUE(restored.has_value()) << problems.all()[0].message();
  EXPECT_EQ(save(*restored), bytes);
  EXPECT_EQ(restored->metrics(), sequence.metrics());
  EXPECT_EQ(restored->now(), sequence.now());
  EXPECT_EQ(time_of(restored->starving(), "hungry"), at(-50));
  EXPECT_EQ(restored->last_attempt_of("n"), at(7));
  EXPECT_EQ(time_of(restored->node_commits(), "n-a"), time_of(sequence.node_commits(), "n-a"));
  EXPECT_EQ(restored->storm().rows(), sequence.storm().rows());
  EXPECT_EQ(restored->revision(), sequence.revision());
  expect_same_ledger(*restored, sequence);
  EXPECT_TRUE(restored->is_held("a", "t0"));
  EXPECT_EQ(restored->live_entry("s"), 2U);
}

// `p` waits for `a` to save, `q` is told to start.
Sequence two_entries() {
  Script script;
  script.commit(order_for("p", {victim("a", VictimAction::checkpoint)}), 0);
  script.commit(order_for("q"), 0);
  return script.sequence;
}

// The same as version 9 wrote it, which 0.2.0 did. It stays readable for ever.
constexpr std::string_view kVersion9 =
    "636564652d73657109000000be0500000000000000c02cc8990100000200000000000000010000000000000002000000"
    "00000000c027090000000000030000000008000000726f6f742e6c6f770100000000c02cc89901000001000000000000"
    "000103000000752d610100000000c02cc89901000001000000000000000201000000670100000000c02cc899010000dc"
    "0500000000000002000000030000006e2d6100c02cc899010000030000006e2d7000c02cc89901000002000000010000"
    "007000c02cc899010000010000007100c02cc89901000000000000000000000000000000000000000000000000000000"
    "000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
    "000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
    "000000000000000000000000000000000000000000000000000000020000000a000000636c6173732d636f7374040000"
    "006669747301000000000000000a000000636c6173732d636f737407000000707265656d707401000000000000000000"
    "000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
    "000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
    "000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
    "000000000000000000000000000000000000000000000000000000000000000000000000000000000000020000000001"
    "0000007001000000670a000000636c6173732d636f7374080000007072696f7269747901070000000000000003000000"
    "00000000ffffffffffffffffc02709000000000080ee36000000000060ea000000000000030000000000000000000080"
    "01000000020000007430030000006e2d700000000000000000400000000000000001000100000003000000677075e803"
    "0000000000000000000000000000010000000000000000000000010000006108000000726f6f742e6c6f770300000075"
    "2d6101000000020000007430030000006e2d610000000000000000400000000000000001000100000003000000677075"
    "e8030000000000000000000000000000000200c027090000000000f401000000000000e0930400000000003075000000"
    "0000000000000000000080307500000000000060ea00000000000003000000010201000000c07d1dc899010000020000"
    "000000dc0500000000000000000000000000800300000000000000000000000000000000000001000000710100000067"
    "0a000000636c6173732d636f7374080000007072696f726974790007000000000000000300000000000000ffffffffff"
    "ffffffc02709000000000080ee36000000000060ea000000000000030000000000000000000080010000000200000074"
    "30030000006e2d710000000000000000400000000000000001000100000003000000677075e803000000000000000000"
    "00000000000000000000000000000000000000000000000000000200000001000000000000000080ae63c89901000000"
    "0000000000008000c02cc899010000000000000001000000000000000000000001000000000000000000000000000000"
    "010000000000000000000000000000000000010000000000000000000000000000000000000000000000000000800000"
    "000000000080000000000000008000000000000000000000000000000080000900000000000000000000000000010000"
    "000009000000000000000000000000000900000000000000000000000000000000000000000000000000000200000000"
    "0000000380ae63c89901000000c02cc89901000000c02cc8990100000000000000010000000100000000000000000000"
    "000000000009010000000000000000000000000900000000000000000000000000000000000000000000000000000000"
    "000020f0c3e830e827da";

std::string from_hex(std::string_view hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
  return bytes;
}

TEST(Save, ReadsWhatVersion9Wrote) {
  Problems problems;
  const std::optional<Sequence> restored = restore(from_hex(kVersion9), problems);
  ASSERT_TRUE(restored.has_value()) << problems.all()[0].message();
  expect_same_ledger(*restored, two_entries());
  Script script;
  script.sequence = *restored;
  EXPECT_EQ(script.step(2), (Words{"start q", "checkpoint-hint a until 602"}));
  EXPECT_EQ(script.step(3, {done("a")}), Words{"suspend a until 33"});
  EXPECT_EQ(script.step(4, {released("a")}), Words{"start p"});
}

TEST(Save, AnEmptySequenceComesBackToo) {
  Problems problems;
  const std::optional<Sequence> restored = restore(save(Sequence{}), problems);
  ASSERT_TRUE(restored.has_value());
  EXPECT_EQ(restored->now(), kNoTime);
  EXPECT_EQ(restored->next_due(), kNoTime);
}

TEST(Save, ActionsNotAnsweredAreListedAgainUnderTheirNumbers) {
  Script script;
  script.acknowledge = false;
  CommitOrder order =
      order_for("p", {victim("a", kTerminate), victim("b", kCheckpoint), victim("c", kTerminate)});
  order.victims[2].terms.requeue = Requeue::always;
  script.commit(order);
  script.step(0);
  const ActionId term = script.id_of("TERM a until 30");
  const ActionId hint = script.id_of("checkpoint-hint b until 600");
  script.step(1, {script.succeeds("checkpoint-hint b until 600"), released("c")});
  const ActionId requeue = script.id_of("requeue c");
  Problems problems;
  script.sequence = *restore(save(script.sequence), problems);
  EXPECT_EQ(script.sequence.next_due(), Ledger::kAtOnce);
  ASSERT_EQ(script.step(100), (Words{"TERM a until 130", "requeue c"}))
      << "the hint was answered; the TERM may never have been sent, so its grace begins anew";
  EXPECT_EQ(script.last[0].id, term);
  EXPECT_EQ(script.last[1].id, requeue);
  EXPECT_EQ(script.step(129, {answer(EventKind::action_done, term)}), Words{});
  EXPECT_EQ(script.answers[0], EventAnswer::taken);
  ASSERT_EQ(script.step(130), Words{"KILL a until 190"});
  EXPECT_GT(script.last[0].id, std::max({term, hint, requeue})) << "no number is used twice";
  EXPECT_EQ(script.phase("b"), "checkpointing");
  EXPECT_EQ(script.find("b")->state.deadline, at(600));
}

TEST(Save, DeferralIsGrantedOnceInALife) {
  Script script;
  script.commit(order_for("p", {victim("a", kCheckpoint)}));
  script.step(0);
  script.step(1, {defer("a", 200)});
  Problems problems;
  script.sequence = *restore(save(script.sequence), problems);
  script.step(300, {defer("a", 200)});
  EXPECT_EQ(script.find("a")->state.deadline, at(900)) << "five minutes in total";
}

TEST(Save, AnAnsweredTermKeepsItsGrace) {
  Script script;
  script.commit(order_for("p", {victim("a", kTerminate)}));
  script.step(0);
  Problems problems;
  script.sequence = *restore(save(script.sequence), problems);
  EXPECT_EQ(script.step(10), Words{});
  EXPECT_EQ(script.step(30), Words{"KILL a until 90"});
}

TEST(Save, WhatWasNeverListedIsListedAfterwards) {
  Script script;
  script.commit(order_for("p"));
  Problems problems;
  script.sequence = *restore(save(script.sequence), problems);
  EXPECT_EQ(script.step(1), Words{"start p"});
  EXPECT_EQ(script.step(2), Words{});
}

TEST(Save, AnUnansweredStartIsTheSameStart) {
  Script script;
  script.acknowledge = false;
  script.commit(order_for("p"));
  script.step(0);
  const ActionId start = script.id_of("start p");
  Problems problems;
  script.sequence = *restore(save(script.sequence), problems);
  EXPECT_EQ(script.step(5), Words{"start p"});
  EXPECT_EQ(script.id_of("start p"), start);
  EXPECT_EQ(script.state(), "ready");
  EXPECT_EQ(script.step(600), Words{"release-hold #1"}) << "the hold's time went on";
}

TEST(Save, WhatLeftTheModelIsNotForgotten) {
  Script script;
  script.commit(order_for("p", {victim("a", kTerminate)}));
  script.step(0);
  script.sequence.jobs_gone(std::vector<std::string>{"a"});
  Problems problems;
  script.sequence = *restore(save(script.sequence), problems);
  EXPECT_EQ(script.step(1), Words{"start p"});
}

TEST(Save, EveryByteCounts) {
  std::string bytes = save(busy_sequence());
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (const int change : {0x01, 0x80, 0xFF}) {
      bytes[i] = static_cast<char>(bytes[i] ^ change);
      Problems problems;
      ASSERT_FALSE(restore(bytes, problems).has_value()) << "byte " << i;
      ASSERT_EQ(problems.all().size(), 1U);
      ASSERT_TRUE(problems.all()[0].text.starts_with("saved state: ")) << problems.all()[0].text;
      bytes[i] = static_cast<char>(bytes[i] ^ change);
    }
  }
}

TEST(Save, EveryLengthCounts) {
  const std::string bytes = save(busy_sequence());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    Problems problems;
    ASSERT_FALSE(restore(std::string_view(bytes).substr(0, size), problems).has_value()) << size;
  }
  EXPECT_NE(fault_of(bytes + '\0').find("too long"), std::string::npos);
}

TEST(Save, DamageIsNamed) {
  const std::string bytes = save(busy_sequence());
  EXPECT_EQ(fault_of(""), "saved state: 0 bytes are too few");
  EXPECT_EQ(fault_of("{\"format\":\"cede-cluster/1\",\"x\":1}"),
            "saved state: does not begin with 'cede-seq'");
  std::string damaged = bytes;
  damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] ^ 0x10);
  EXPECT_EQ(fault_of(damaged), "saved state: checksum does not match");
  std::string newer = bytes;
  newer[8] = 99;
  EXPECT_EQ(fault_of(newer, Status::version),
            "saved state: version 99 is newer than " + std::to_string(kSavedVersion));
  EXPECT_EQ(fault_of(sealed(newer), Status::version),
            "saved state: version 99 is newer than " + std::to_string(kSavedVersion));
  for (char version = 0; version < static_cast<char>(kFirstSavedVersion); ++version) {
    newer[8] = version;
    EXPECT_EQ(fault_of(sealed(newer), Status::version),
              "saved state: it was saved by 0.1.0; this library restores what 0.2.0 and later versions save");
  }
  const std::size_t content = bytes.size() - 28;
  EXPECT_EQ(fault_of(bytes.substr(0, bytes.size() - 5)), "saved state: cut off: it has " +
                                                             std::to_string(content - 5) + " of " +
                                                             std::to_string(content) + " bytes");
}

// A right checksum over wrong content: whatever is accepted must be safe to run.
TEST(Save, EveryTextIsUtf8) {
  const std::string bytes = save(busy_sequence());
  for (const std::string_view text : {"quota", "hungry", "t1"}) {
    const std::size_t where = bytes.find(text);
    ASSERT_NE(where, std::string::npos) << text;
    std::string spoilt = bytes;
    spoilt[where] = '\xC3';
    EXPECT_EQ(fault_of(sealed(spoilt)), "saved state: a text is not UTF-8") << text;
  }
}

TEST(Save, WrongContentUnderARightChecksumIsHarmless) {
  const std::string whole = save(busy_sequence());
  std::mt19937 random(17);
  int refused = 0;
  int accepted = 0;
  const int rounds = long_tier() ? 2'000'000 : 30'000;
  for (int round = 0; round < rounds; ++round) {
    std::string bytes = whole;
    for (std::size_t changes = 1 + random() % 3; changes > 0; --changes) {
      const std::size_t where = 20 + random() % (bytes.size() - 28);
      bytes[where] = static_cast<char>(random() % 3 == 0 ? random() % 256 : random() % 4);
    }
    Problems problems;
    std::optional<Sequence> restored = restore(sealed(bytes), problems);
    if (!restored) {
      ++refused;
      ASSERT_EQ(problems.all()[0].status, Status::damaged);
      continue;
    }
    ++accepted;
    for (const std::int64_t second : {8, 9, 700, 5000}) {
      const std::vector<Event> events{done("a"), released("c", "t0"), exited("e"), node_down("n-a"),
                                      cancelled("s")};
      restored->step(at(second), events);
      restored->metrics();
      restored->holds();
    }
    std::optional<Sequence> again = restore(save(*restored), problems);
    ASSERT_TRUE(again.has_value()) << problems.all().back().message();
  }
  EXPECT_GT(refused, rounds / 10);
  EXPECT_GT(accepted, rounds / 10);
}

}  // namespace
}  // namespace cede
