// SPDX-License-Identifier: MIT
#include "report.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace lives {

namespace {

std::string milliseconds(std::int64_t nanos) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", static_cast<double>(nanos) / 1e6);
  return text;
}

std::string totals_line(const Shared& shared, std::uint64_t seed) {
  const Totals& totals = shared.totals;
  std::string out = "seed=" + std::to_string(seed);
  const auto add = [&](const std::string& name, std::uint64_t value) {
    out += ' ' + name + '=' + std::to_string(value);
  };
  add("lives", totals.lives);
  add("findings", totals.findings);
  add("crashes", totals.crashes);
  std::uint64_t calls = 0;
  for (const std::uint64_t count : totals.calls) calls += count;
  add("calls", calls);
  for (std::size_t i = 0; i < kCalls.size(); ++i) add(std::string(kCalls[i]), totals.calls[i]);
  add("commits", totals.commits);
  add("preempts", totals.preempts);
  add("starts", totals.starts);
  add("claims_ready", totals.claims_ready);
  add("shorts", totals.shorts);
  add("extended", totals.extended);
  add("holds_taken", totals.holds_taken);
  add("stale", totals.stale);
  add("parts_committed", totals.parts_committed);
  add("unrelated_changes", totals.unrelated_changes);
  add("policies_swapped", totals.policies_swapped);
  add("restored", totals.restored);
  add("restore_refused", totals.restore_refused);
  add("changes_refused", totals.changes_refused);
  for (const Call call : {Call::plan, Call::batch, Call::commit, Call::verify, Call::step, Call::apply}) {
    const auto index = static_cast<std::size_t>(call);
    const Worst& worst = totals.worst[index];
    out += " worst_" + std::string(kCalls[index]) + "_cpu_ms=" + milliseconds(worst.cpu_nanos) + "(life " +
           std::to_string(worst.life) + ')';
  }
  return out;
}

}  // namespace

void Shared::count(const std::string& kind) {
  ++totals.findings;
  for (Kind& known : kinds) {
    if (known.count == 0) {
      std::snprintf(known.name, sizeof known.name, "%s", kind.c_str());
      known.first = life;
    }
    if (kind.substr(0, sizeof known.name - 1) != known.name) continue;
    ++known.count;
    known.first = std::min(known.first, life);
    return;
  }
}

void print_finding(const std::string& program, std::uint64_t seed, std::uint64_t life, int step,
                   const std::string& options, const std::string& kind, const std::string& text) {
  std::printf(
      "finding: %s\n  life %llu of seed %llu, step %d: %s\n  again: %s --seed %llu --only %llu --trace%s\n",
      kind.c_str(), static_cast<unsigned long long>(life), static_cast<unsigned long long>(seed), step,
      text.c_str(), program.c_str(), static_cast<unsigned long long>(seed),
      static_cast<unsigned long long>(life), options.c_str());
  std::fflush(stdout);
}

void print_summary(const Shared& shared, std::uint64_t seed) {
  for (const Shared::Kind& kind : shared.kinds) {
    if (kind.count > 0)
      std::printf("%6llu  %s (first: life %llu)\n", static_cast<unsigned long long>(kind.count), kind.name,
                  static_cast<unsigned long long>(kind.first));
  }
  std::printf("%s\n", totals_line(shared, seed).c_str());
}

bool write_totals(const std::string& file, const Shared& shared, std::uint64_t seed) {
  std::FILE* out = std::fopen(file.c_str(), "w");
  if (!out) return false;
  const bool written = std::fprintf(out, "%s\n", totals_line(shared, seed).c_str()) > 0;
  return std::fclose(out) == 0 && written;
}

}  // namespace lives
