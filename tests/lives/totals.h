// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace lives {

// The kinds of calls, as they are counted and timed.
enum class Call : std::uint8_t {
  create,
  load,
  apply,
  arrays,
  set_policy,
  clone,
  exported,
  check,
  admit,
  plan,
  batch,
  relief,
  claim,
  read_plan,
  verify,
  commit,
  extend,
  cancel,
  give_up,
  note,
  step,
  in_flight,
  save,
  restore,
  metrics,
  shares,
};
inline constexpr std::array<std::string_view, 26> kCalls{
    "create",  "load",  "apply",  "arrays",    "set_policy", "clone",   "export",  "check",  "admit",
    "plan",    "batch", "relief", "claim",     "read_plan",  "verify",  "commit",  "extend", "cancel",
    "give_up", "note",  "step",   "in_flight", "save",       "restore", "metrics", "shares"};

struct Worst {
  std::int64_t cpu_nanos = 0;
  std::uint64_t life = 0;
};

// What a run has done. Plain, so that child processes add to it in shared memory.
struct Totals {
  std::uint64_t lives = 0;
  std::uint64_t steps = 0;
  std::uint64_t findings = 0;
  std::uint64_t crashes = 0;
  std::array<std::uint64_t, kCalls.size()> calls{};
  std::array<Worst, kCalls.size()> worst{};
  // What the lives went through; all of them must happen for the checks to mean something.
  std::uint64_t commits = 0;
  std::uint64_t preempts = 0;
  std::uint64_t starts = 0;
  std::uint64_t claims_ready = 0;
  std::uint64_t shorts = 0;
  std::uint64_t extended = 0;
  std::uint64_t holds_taken = 0;
  std::uint64_t stale = 0;
  std::uint64_t restored = 0;
  std::uint64_t restore_refused = 0;
  std::uint64_t changes_refused = 0;
  std::uint64_t plans_refused = 0;
  std::uint64_t parts_committed = 0;
  std::uint64_t unrelated_changes = 0;
  std::uint64_t policies_swapped = 0;
};

}  // namespace lives
