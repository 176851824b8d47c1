// SPDX-License-Identifier: MIT
// A cluster's jobs come and go for years under names that never return. Rounds of changes that leave the
// cluster as large as it was must leave the engine as large as it was: nothing of a name, resource vector,
// requirement or note that nobody uses any more may stay.
#include <cede/cede.h>

#include <cstdio>
#include <cstring>
#include <string>

#include "allocations.h"
#include "documents.h"

namespace {

int32_t apply(cede_engine* engine, const std::string& text) {
  cede_error error;
  const int32_t status = cede_engine_apply(engine, text.data(), text.size(), &error);
  if (status != CEDE_OK) std::fprintf(stderr, "%s\n", error.text);
  return status;
}

// Puts one object of each kind that is new in every word of it, and removes those of the round before.
std::string changes_of(int round) {
  const std::string name = "a name for round number " + std::to_string(round);
  const std::string last = "a name for round number " + std::to_string(round - 1);
  const std::string number = std::to_string(1 + round);
  const std::string note = R"(, "x-note": "written in round )" + number + R"(")";
  std::string text = R"({"format": "cede-changes/1", "put": {)";
  text += R"("queues": [{"id": ")" + name + R"(", "parent": "root", "max": {"gpu": )" + number + "}" + note +
          "}]";
  text += R"(, "nodes": [{"id": ")" + name + R"(", "group": "g", "resources": {"gpu": )" + number +
          R"(}, "labels": {"l": ")" + name + R"("}, "fingerprint": {"driver": ")" + name +
          R"("}, "home": ")" + name + "\"" + note + "}]";
  text += R"(, "jobs": [{"id": ")" + name + R"(", "queue": ")" + name + R"(", "group": "g", "app": ")" +
          name + R"(", "user": ")" + name + R"(", "project": ")" + name + R"(", "tenant": ")" + name +
          R"(", "submitted": 1760000000, "require": {"hosts": {"include": [")" + name +
          R"("]}}, "max": {"gpu": )" + number + R"(}, "tasks": [{"id": ")" + name +
          R"(", "resources": {"gpu": )" + number + "}" + note +
          "}, {\"count\": 2, \"resources\": {\"cpu\": " + number + "}}]" + note + "}]}";
  if (round > 0) {
    text += R"(, "remove": {"jobs": [")" + last + R"("], "nodes": [")" + last + R"("], "queues": [")" + last +
            R"("]})";
  }
  return text + "}";
}

}  // namespace

int main() {
  constexpr int kSettled = 2000;
  constexpr int kRounds = 6000;
  cede_engine* engine = nullptr;
  if (cede_engine_create(policy_text, std::strlen(policy_text), nullptr, 0, CEDE_VERSION, &engine, nullptr) !=
          CEDE_OK ||
      cede_engine_load(engine, cluster_text, std::strlen(cluster_text), nullptr) != CEDE_OK) {
    return 1;
  }
  std::size_t bytes_settled = 0;
  std::ptrdiff_t settled = 0;
  int failed = 0;
  for (int round = 0; round < kRounds && !failed; ++round) {
    if (apply(engine, changes_of(round)) != CEDE_OK) failed = 1;
    if (round == kSettled) {
      settled = allocations::living();
      bytes_settled = allocations::living_bytes();
    }
  }
  const std::ptrdiff_t living = allocations::living();
  const std::size_t bytes = allocations::living_bytes();
  std::printf("%td allocations and %zu bytes after %d rounds, %td and %zu after %d\n", settled, bytes_settled,
              kSettled, living, bytes, kRounds);
  cede_engine_destroy(engine);
  // Tables grow in steps, so a little more is no leak; three times the rounds would show one.
  if (living > settled + settled / 10 || bytes > bytes_settled + bytes_settled / 10) {
    std::fprintf(stderr, "the engine grows although the cluster does not\n");
    failed = 1;
  }
  return failed;
}
