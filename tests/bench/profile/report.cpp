// SPDX-License-Identifier: MIT
#include "profile/report.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <utility>

namespace bench {

namespace {

std::string at(const Times& times, double part) {
  return times.cpu.count() == 0 ? std::string() : shown(times.cpu.part(part));
}

std::string ratio(const Times& times, const Times& to) {
  if (times.cpu.count() == 0 || to.cpu.part(0.5) <= 0) return {};
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", times.cpu.part(0.5) / to.cpu.part(0.5));
  return text;
}

std::string outcomes(const ProfileRow& row) {
  std::string out;
  for (const auto& [outcome, count] : row.outcomes) {
    if (!out.empty()) out += ", ";
    out += std::to_string(count) + " " + outcome;
  }
  if (row.stale > 0) out += ", " + std::to_string(row.stale) + " stale";
  return out;
}

std::string proof(const ProfileRow& row) {
  if (row.preempted == 0) return {};
  char text[64];
  std::snprintf(text, sizeof text, "%.0f %%",
                100.0 * static_cast<double>(row.optimal) / static_cast<double>(row.preempted));
  std::string out = text;
  if (row.without_gap > 0) {
    out += ", " + std::to_string(row.without_gap) + " without a gap";
  } else if (row.optimal < row.preempted) {
    std::snprintf(text, sizeof text, ", gap %.1f %%", 100 * row.gap);
    out += text;
  }
  return out;
}

void write_times(std::ofstream& out, const char* name, const Times& times) {
  if (times.cpu.count() == 0) return;
  out << ",\"" << name << "\":{\"p50\":" << times.cpu.part(0.5) << ",\"p99\":" << times.cpu.part(0.99)
      << ",\"wall_p50\":" << times.wall.part(0.5) << ",\"wall_p99\":" << times.wall.part(0.99)
      << ",\"count\":" << times.cpu.count() << '}';
}

}  // namespace

void print_profile_head() {
  std::printf(
      "Processor time. Plan: after a change of one job; unchanged: asked again (batch: planning alone); "
      "commit: nothing "
      "changed since the plan;\ncommit*: one unrelated job changed in between. Batch: per ask. > marks the "
      "slowest profile.\n\n"
      "| shape | N | profile | plan p50 | p99 | wall p99 | unchanged | first | verify | verify/plan | commit "
      "| commit* | p99 | "
      "commit*/plan | answers | optimal | aim "
      "|\n|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
}

void print_profiles(const std::vector<ProfileRow>& rows) {
  const auto slowest =
      std::max_element(rows.begin(), rows.end(),
                       [](const ProfileRow& a, const ProfileRow& b) { return a.decision() < b.decision(); });
  for (const ProfileRow& row : rows) {
    std::printf("| %s | %d | %s%s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n",
                row.shape.c_str(), row.size, &row == &*slowest && rows.size() > 1 ? "> " : "",
                row.profile.c_str(), at(row.plan, 0.5).c_str(), at(row.plan, 0.99).c_str(),
                shown(row.plan.wall.part(0.99)).c_str(), at(row.unchanged, 0.5).c_str(),
                at(row.first, 0.5).c_str(), at(row.verify, 0.5).c_str(), ratio(row.verify, row.plan).c_str(),
                at(row.commit, 0.5).c_str(), at(row.commit_changed, 0.5).c_str(),
                at(row.commit_changed, 0.99).c_str(), ratio(row.commit_changed, row.plan).c_str(),
                outcomes(row).c_str(), proof(row).c_str(), row.aim.c_str());
  }
  std::fflush(stdout);
}

// The exponent is 1 where twice as much takes twice as long.
void print_profile_growth(const std::vector<ProfileRow>& rows) {
  std::printf(
      "\nTimes as long when the size doubles:\n\n| shape | profile | sizes | plan | verify | commit* "
      "|\n|---|---|---|---|---|---|\n");
  for (const ProfileRow& row : rows) {
    const auto larger = std::find_if(rows.begin(), rows.end(), [&](const ProfileRow& other) {
      return other.shape == row.shape && other.profile == row.profile && other.size > row.size;
    });
    if (larger == rows.end()) continue;
    const double doublings = std::log2(static_cast<double>(larger->size) / row.size);
    const auto growth = [&](const Times& from, const Times& to) {
      char text[32] = "";
      if (from.cpu.count() > 0 && to.cpu.count() > 0 && from.cpu.part(0.5) > 0)
        std::snprintf(text, sizeof text, "%.2f",
                      std::pow(to.cpu.part(0.5) / from.cpu.part(0.5), 1 / doublings));
      return std::string(text);
    };
    std::printf("| %s | %s | %d to %d | %s | %s | %s |\n", row.shape.c_str(), row.profile.c_str(), row.size,
                larger->size, growth(row.plan, larger->plan).c_str(),
                growth(row.verify, larger->verify).c_str(),
                growth(row.commit_changed, larger->commit_changed).c_str());
  }
}

void print_slowest(const std::vector<ProfileRow>& rows) {
  std::map<std::pair<std::string, int>, const ProfileRow*> worst;
  for (const ProfileRow& row : rows) {
    const ProfileRow*& place = worst[{row.shape, row.size}];
    if (place == nullptr || place->decision() < row.decision()) place = &row;
  }
  std::vector<const ProfileRow*> sorted;
  for (const auto& [key, row] : worst) sorted.push_back(row);
  std::sort(sorted.begin(), sorted.end(),
            [](const ProfileRow* a, const ProfileRow* b) { return a->decision() > b->decision(); });
  std::printf(
      "\nThe slowest profile of every row:\n\n| shape | N | profile | plan p50 | p99 | commit* | answers | "
      "optimal "
      "| aim |\n|---|---|---|---|---|---|---|---|---|\n");
  for (const ProfileRow* row : sorted) {
    std::printf("| %s | %d | %s | %s | %s | %s | %s | %s | %s |\n", row->shape.c_str(), row->size,
                row->profile.c_str(), at(row->plan, 0.5).c_str(), at(row->plan, 0.99).c_str(),
                at(row->commit_changed, 0.5).c_str(), outcomes(*row).c_str(), proof(*row).c_str(),
                row->aim.c_str());
  }
}

void write_profile_json(const std::vector<ProfileRow>& rows, const std::string& file) {
  std::ofstream out(file);
  if (!out) {
    std::fprintf(stderr, "%s: cannot be written\n", file.c_str());
    std::exit(1);
  }
  out << "{\"format\":\"cede-profile-bench/1\",\"rows\":[";
  for (const ProfileRow& row : rows) {
    if (&row != &rows.front()) out << ',';
    out << "\n{\"shape\":\"" << row.shape << "\",\"size\":" << row.size << ",\"profile\":\"" << row.profile
        << "\",\"running_jobs\":" << row.running_jobs << ",\"told_in\":" << row.told_in;
    write_times(out, "first", row.first);
    write_times(out, "plan", row.plan);
    write_times(out, "unchanged", row.unchanged);
    write_times(out, "verify", row.verify);
    write_times(out, "commit", row.commit);
    write_times(out, "commit_changed", row.commit_changed);
    out << ",\"outcomes\":{";
    for (const auto& [outcome, count] : row.outcomes)
      out << (outcome == row.outcomes.begin()->first ? "\"" : ",\"") << outcome << "\":" << count;
    out << "},\"stale\":" << row.stale << ",\"preempted\":" << row.preempted << ",\"optimal\":" << row.optimal
        << ",\"gap\":" << row.gap << ",\"without_gap\":" << row.without_gap << '}';
  }
  out << "\n]}\n";
}

}  // namespace bench
