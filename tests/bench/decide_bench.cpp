// SPDX-License-Identifier: MIT
// Every shape of cluster the project measures itself on, through the typed door: one command, one table.
// Equal seeds give equal clusters. A row stops at its time limit and says how far it came.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "decide/report.h"
#include "decide/run.h"

namespace {

constexpr const char* kUsage =
    "usage: cede_decide_bench [--only SHAPE]... [--seconds S] [--seed N] [--threads N]... [--max-size N]\n"
    "                         [--json FILE] [--svg FILE]\n"
    "  --only SHAPE    a shape, or the beginning of its name\n"
    "  --seconds S     per row, once its cluster is told (2)\n"
    "  --threads N     1 and 2 unless given\n"
    "  --max-size N    leaves out larger ones\n";

struct Arguments {
  std::vector<std::string> only;
  std::vector<unsigned> threads;
  bench::Terms terms;
  int max_size = 1'000'000'000;
  std::string json;
  std::string svg;
};

[[noreturn]] void fail(const std::string& text) {
  std::fprintf(stderr, "%s\n%s", text.c_str(), kUsage);
  std::exit(2);
}

Arguments read(int count, char** values) {
  Arguments out;
  for (int i = 1; i < count; ++i) {
    const std::string option = values[i];
    if (option == "--help") {
      std::fputs(kUsage, stdout);
      std::exit(0);
    }
    if (i + 1 == count) fail(option + ": a value is missing");
    const char* value = values[++i];
    if (option == "--only") {
      out.only.emplace_back(value);
    } else if (option == "--seconds") {
      out.terms.seconds = std::atof(value);
    } else if (option == "--seed") {
      out.terms.seed = std::strtoull(value, nullptr, 10);
    } else if (option == "--threads") {
      out.threads.push_back(static_cast<unsigned>(std::atoi(value)));
    } else if (option == "--max-size") {
      out.max_size = std::atoi(value);
    } else if (option == "--json") {
      out.json = value;
    } else if (option == "--svg") {
      out.svg = value;
    } else {
      fail(option + ": is no option");
    }
  }
  if (out.threads.empty()) out.threads = {1, 2};
  return out;
}

bool wanted(const Arguments& arguments, const std::string& shape) {
  if (arguments.only.empty()) return true;
  for (const std::string& start : arguments.only) {
    if (shape.compare(0, start.size(), start) == 0) return true;
  }
  return false;
}

}  // namespace

int main(int count, char** values) {
  const Arguments arguments = read(count, values);
  std::vector<bench::Row> rows;
  bench::print_head();
  for (const bench::Shape& shape : bench::shapes()) {
    if (!wanted(arguments, shape.name)) continue;
    for (const int size : shape.sizes) {
      if (size > arguments.max_size) continue;
      for (const unsigned threads : arguments.threads) {
        rows.push_back(bench::run(shape, size, threads, arguments.terms));
        bench::print(rows.back());
      }
    }
  }
  bench::print_growth(rows);
  std::vector<bench::Comparison> comparisons;
  bench::print_comparison_head();
  for (const bench::Shape& shape : bench::shapes()) {
    if (shape.compared_at == 0 || shape.compared_at > arguments.max_size || !wanted(arguments, shape.name))
      continue;
    for (bench::Comparison& row : bench::compare_strategies(shape, shape.compared_at, arguments.terms)) {
      bench::print(row);
      comparisons.push_back(std::move(row));
    }
  }
  if (!arguments.json.empty()) bench::write_json(rows, comparisons, arguments.json);
  if (!arguments.svg.empty()) bench::write_svg(rows, arguments.svg);
  return rows.empty() ? 1 : 0;
}
