// SPDX-License-Identifier: MIT
// Every shape under every profile that can decide it, through the public header: plan, verify and commit
// after a change of the cluster. Equal seeds give equal clusters.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "profile/report.h"
#include "profile/run.h"

namespace {

constexpr const char* kUsage =
    "usage: cede_profile_bench [--only SHAPE]... [--profile NAME]... [--size N]... [--seconds S] [--seed N]\n"
    "                          [--threads N] [--max-size N] [--json FILE] [--export FOLDER] [--tiny]\n"
    "  --only SHAPE    a shape, or the beginning of its name\n"
    "  --profile NAME  only under this profile\n"
    "  --size N        these instead of the shape's own sizes\n"
    "  --seconds S     per row, once its cluster is told; every kind of question is asked once (1)\n"
    "  --threads N     of the engine (1)\n"
    "  --max-size N    leaves out larger ones\n"
    "  --export FOLDER  writes the documents of every row there\n"
    "  --tiny          every shape at its smallest size; fails where an answer is not the expected one\n";

struct Arguments {
  std::vector<std::string> only;
  std::vector<std::string> profiles;
  std::vector<int> sizes;
  bench::ProfileTerms terms;
  int max_size = 1'000'000'000;
  bool tiny = false;
  std::string json;
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
    if (option == "--tiny") {
      out.tiny = true;
      continue;
    }
    if (i + 1 == count) fail(option + ": a value is missing");
    const char* value = values[++i];
    if (option == "--only") {
      out.only.emplace_back(value);
    } else if (option == "--profile") {
      out.profiles.emplace_back(value);
    } else if (option == "--size") {
      out.sizes.push_back(std::atoi(value));
    } else if (option == "--seconds") {
      out.terms.seconds = std::atof(value);
    } else if (option == "--seed") {
      out.terms.seed = std::strtoull(value, nullptr, 10);
    } else if (option == "--threads") {
      out.terms.threads = static_cast<unsigned>(std::atoi(value));
    } else if (option == "--max-size") {
      out.max_size = std::atoi(value);
    } else if (option == "--export") {
      out.terms.folder = value;
    } else if (option == "--json") {
      out.json = value;
    } else {
      fail(option + ": is no option");
    }
  }
  return out;
}

bool wanted(const std::vector<std::string>& starts, const std::string& name) {
  if (starts.empty()) return true;
  for (const std::string& start : starts) {
    if (name.compare(0, start.size(), start) == 0) return true;
  }
  return false;
}

}  // namespace

int main(int count, char** values) {
  const Arguments arguments = read(count, values);
  std::vector<bench::ProfileRow> rows;
  bool as_expected = true;
  bench::print_profile_head();
  for (const bench::ProfileShape& shape : bench::profile_shapes()) {
    if (!wanted(arguments.only, shape.name)) continue;
    const std::vector<int> tiny{shape.tiny};
    for (const int size : arguments.tiny ? tiny : arguments.sizes.empty() ? shape.sizes : arguments.sizes) {
      if (size > arguments.max_size) continue;
      std::vector<bench::ProfileRow> beside;
      for (const std::string& profile : shape.profiles) {
        if (!wanted(arguments.profiles, profile)) continue;
        const bench::Description description = shape.make(profile, size, arguments.terms.seed);
        if (description.nodes.empty()) continue;
        beside.push_back(bench::run(shape, description, size, arguments.terms));
        const std::string& unexpected = beside.back().unexpected;
        if (unexpected.empty()) continue;
        as_expected = false;
        std::fprintf(stderr, "%s, %d, %s: %s\n", shape.name.c_str(), size, profile.c_str(),
                     unexpected.c_str());
      }
      if (!beside.empty()) bench::print_profiles(beside);
      rows.insert(rows.end(), beside.begin(), beside.end());
    }
  }
  bench::print_profile_growth(rows);
  bench::print_slowest(rows);
  if (!arguments.json.empty()) bench::write_profile_json(rows, arguments.json);
  if (rows.empty()) return 1;
  return arguments.tiny && !as_expected ? 1 : 0;
}
