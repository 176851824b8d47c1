// SPDX-License-Identifier: MIT
#include "decide/report.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>

#include "decide/measure.h"

namespace bench {

namespace {

std::ofstream opened(const std::string& file) {
  std::ofstream out(file);
  if (out) return out;
  std::fprintf(stderr, "%s: cannot be written\n", file.c_str());
  std::exit(1);
}

std::string in_words(const Row& row) {
  std::string out = row.outcome;
  if (row.victims > 0) out += ", " + std::to_string(row.victims) + " victims";
  if (row.json_p50 > 0) out += "as JSON " + shown(row.json_p50);
  for (const auto& [what, seconds] : row.parts) out += ", " + what + ' ' + shown(seconds);
  if (row.asked > 0) out += ", " + std::to_string(row.done) + " of " + std::to_string(row.asked);
  return out;
}

}  // namespace

void print_head() {
  std::printf(
      "| shape | N | threads | p50 | p99 | plan p50 | unchanged | first | per second | bytes per task | "
      "scan floor | what | aim |\n");
  std::printf("|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
}

void print(const Row& row) {
  const auto told = [](double seconds) { return seconds > 0 ? shown(seconds) : std::string(); };
  std::printf("| %s | %d | %u | %s | %s | %s | %s | %s | %.0f | %.0f | %s | %s | %s |\n", row.shape.c_str(),
              row.size, row.threads, shown(row.p50).c_str(), shown(row.p99).c_str(),
              told(row.plan_p50).c_str(), told(row.again_p50).c_str(), told(row.first).c_str(),
              row.per_second, row.bytes_per_task, shown(row.floor).c_str(), in_words(row).c_str(),
              row.aim.c_str());
  std::fflush(stdout);
}

void print_growth(const std::vector<Row>& rows) {
  std::printf("\n");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const Row& larger : rows) {
      if (larger.shape != rows[i].shape || larger.threads != rows[i].threads || larger.size <= rows[i].size)
        continue;
      const double times = static_cast<double>(larger.size) / rows[i].size;
      std::printf("%s, %u threads: %.1f times the nodes take %.2f times as long\n", larger.shape.c_str(),
                  larger.threads, times, larger.p50 / rows[i].p50);
      break;
    }
  }
}

void print_comparison_head() {
  std::printf(
      "\n| shape | N | who | time | victims | cost | the verifier | objective "
      "|\n|---|---|---|---|---|---|---|---|\n");
}

void print(const Comparison& row) {
  std::printf("| %s | %d | %s | %s | %s | %.3f | %s | %s |\n", row.shape.c_str(), row.size, row.who.c_str(),
              shown(row.seconds).c_str(), row.found ? std::to_string(row.victims).c_str() : "none found",
              static_cast<double>(row.cost) / 1000, row.verdict.c_str(), row.against.c_str());
  std::fflush(stdout);
}

void write_json(const std::vector<Row>& rows, const std::vector<Comparison>& comparisons,
                const std::string& file) {
  std::ofstream out = opened(file);
  out << "{\"format\":\"cede-bench/1\",\"rows\":[";
  for (const Row& row : rows) {
    if (&row != &rows.front()) out << ',';
    out << "\n{\"shape\":\"" << row.shape << "\",\"size\":" << row.size << ",\"threads\":" << row.threads
        << ",\"unit\":\"" << row.unit << "\",\"done\":" << row.done << ",\"asked\":" << row.asked
        << ",\"p50\":" << row.p50 << ",\"p99\":" << row.p99 << ",\"plan_p50\":" << row.plan_p50
        << ",\"plan_p99\":" << row.plan_p99 << ",\"again_p50\":" << row.again_p50
        << ",\"first\":" << row.first << ",\"per_second\":" << row.per_second << ",\"outcome\":\""
        << row.outcome << "\",\"optimal\":" << (row.optimal ? "true" : "false")
        << ",\"victims\":" << row.victims << ",\"cost\":" << row.cost
        << ",\"running_tasks\":" << row.running_tasks << ",\"bytes_per_task\":" << row.bytes_per_task
        << ",\"names_per_task\":" << row.names_per_task << ",\"told_in\":" << row.told_in
        << ",\"floor\":" << row.floor << ",\"json_p50\":" << row.json_p50;
    for (const auto& [what, seconds] : row.parts) out << ",\"" << what << "\":" << seconds;
    out << '}';
  }
  out << "\n],\"comparisons\":[";
  for (const Comparison& row : comparisons) {
    if (&row != &comparisons.front()) out << ',';
    out << "\n{\"shape\":\"" << row.shape << "\",\"size\":" << row.size << ",\"who\":\"" << row.who
        << "\",\"seconds\":" << row.seconds << ",\"found\":" << (row.found ? "true" : "false")
        << ",\"victims\":" << row.victims << ",\"cost\":" << row.cost
        << ",\"accepted\":" << (row.verdict == "accepted" ? "true" : "false") << ",\"objective\":\""
        << row.against << "\"}";
  }
  out << "\n]}\n";
}

// Times on a logarithmic scale from a microsecond on, a bar per row from p50 to p99.
void write_svg(const std::vector<Row>& rows, const std::string& file) {
  constexpr int kLine = 18;
  constexpr int kLeft = 240;
  constexpr int kWidth = 640;
  constexpr double kFirst = 1e-6;
  constexpr int kDecades = 8;
  const auto at = [&](double seconds) {
    return kLeft + kWidth * std::clamp(std::log10(std::max(seconds, kFirst) / kFirst) / kDecades, 0.0, 1.0);
  };
  const int height = static_cast<int>(rows.size()) * kLine + 60;
  std::ofstream out = opened(file);
  out << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << kLeft + kWidth + 140 << "\" height=\""
      << height
      << "\" font-family=\"sans-serif\" font-size=\"11\">\n<rect width=\"100%\" height=\"100%\" "
         "fill=\"white\"/>\n";
  static constexpr const char* kMarks[] = {"1 us",  "10 us", "0.1 ms", "1 ms", "10 ms",
                                           "0.1 s", "1 s",   "10 s",   "100 s"};
  for (int decade = 0; decade <= kDecades; ++decade) {
    const double x = at(kFirst * std::pow(10, decade));
    out << "<line x1=\"" << x << "\" x2=\"" << x << "\" y1=\"24\" y2=\"" << height - 20
        << "\" stroke=\"#ddd\"/><text x=\"" << x << "\" y=\"16\" text-anchor=\"middle\">" << kMarks[decade]
        << "</text>\n";
  }
  int y = 34;
  for (const Row& row : rows) {
    out << "<text x=\"" << kLeft - 8 << "\" y=\"" << y + 9 << "\" text-anchor=\"end\">" << row.shape << ", "
        << row.size << ", " << row.threads << (row.threads == 1 ? " thread" : " threads") << "</text>"
        << "<rect x=\"" << at(row.p50) - 2 << "\" y=\"" << y << "\" width=\"" << at(row.p99) - at(row.p50) + 4
        << "\" height=\"10\" fill=\"" << (row.threads == 1 ? "#4477aa" : "#ee6677") << "\"/>"
        << "<text x=\"" << at(row.p99) + 8 << "\" y=\"" << y + 9 << "\">" << shown(row.p50) << "</text>\n";
    y += kLine;
  }
  out << "<text x=\"" << kLeft << "\" y=\"" << height - 6
      << "\">a bar goes from the median to the 99th percentile</text>\n</svg>\n";
}

}  // namespace bench
