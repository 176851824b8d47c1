// SPDX-License-Identifier: MIT
// How long loading a cluster document takes beside a plain boost::json::parse of the same text, through the
// public ABI. The argument is the size of the document in megabytes; 100 is the size the project promises a
// ratio for.
#include <benchmark/benchmark.h>
#include <cede/cede.h>

#include <algorithm>
#include <boost/json/monotonic_resource.hpp>
#include <boost/json/parse.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

#include "support/cluster_text.h"

namespace {

constexpr std::size_t kBytesPerJob = 420;  // about, with the nodes the jobs run on

const std::string& document(std::int64_t megabytes) {
  static std::map<std::int64_t, std::string> made;
  std::string& text = made[megabytes];
  if (text.empty()) {
    const std::size_t jobs = static_cast<std::size_t>(megabytes) * 1'000'000 / kBytesPerJob;
    text = make_cluster_text(jobs / 4 + 1, jobs);
  }
  return text;
}

void parse_tree(const std::string& text) {
  boost::json::monotonic_resource memory;
  benchmark::DoNotOptimize(boost::json::parse(text, &memory));
}

void load_engine(const std::string& text) {
  cede_engine* engine = nullptr;
  cede_error error;
  if (cede_engine_create(nullptr, 0, nullptr, 0, CEDE_VERSION, &engine, &error) < 0 ||
      cede_engine_load(engine, text.data(), text.size(), &error) < 0) {
    std::fprintf(stderr, "%s\n", error.text);
    std::exit(1);
  }
  cede_engine_destroy(engine);
}

double seconds(void (*work)(const std::string&), const std::string& text) {
  const auto start = std::chrono::steady_clock::now();
  work(text);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Both in turn, so that whatever else the machine does hits both alike; the best of each is what the code
// costs.
void load_against_parse(benchmark::State& state) {
  const std::string& text = document(state.range(0));
  double load = 1e9;
  double parse = 1e9;
  for (auto _ : state) {
    parse = std::min(parse, seconds(parse_tree, text));
    load = std::min(load, seconds(load_engine, text));
  }
  const double megabytes = static_cast<double>(text.size()) / 1e6;
  state.counters["MB"] = megabytes;
  state.counters["parse_s"] = parse;
  state.counters["load_s"] = load;
  state.counters["ms_per_MB"] = load * 1000 / megabytes;
  state.counters["ratio"] = load / parse;
}
BENCHMARK(load_against_parse)->Arg(1)->Arg(10)->Arg(100)->Iterations(5)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
