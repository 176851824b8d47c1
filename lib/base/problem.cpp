// SPDX-License-Identifier: MIT
#include "base/problem.h"

#include <algorithm>

#include "base/text.h"

namespace cede {

namespace {

bool is_plain_word(std::string_view key) {
  return !key.empty() && std::all_of(key.begin(), key.end(), [](unsigned char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-';
  });
}

}  // namespace

std::string to_string(const Path& path) {
  std::string out;
  for (const PathStep& step : path) {
    if (step.index >= 0) {
      out += '[' + std::to_string(step.index) + ']';
    } else if (is_plain_word(step.key)) {
      if (!out.empty()) out += '.';
      out += shorten(step.key);
    } else {
      out += '[' + quote(step.key) + ']';
    }
  }
  return out;
}

std::string Problem::message() const {
  std::string out = to_string(path);
  if (!out.empty()) out += ": ";
  out += text;
  if (line > 0) out += " (line " + std::to_string(line) + ", column " + std::to_string(column) + ')';
  return out;
}

void Problems::add(Problem problem) {
  if (problem.severity == Severity::error) ++errors_;
  if (all_.size() >= keep_) {
    ++dropped_;
    if (problem.severity == Severity::warning || errors_ > keep_) return;
    // An error replaces a warning.
    const auto warning = std::find_if(all_.begin(), all_.end(),
                                      [](const Problem& p) { return p.severity == Severity::warning; });
    if (warning == all_.end()) return;
    all_.erase(warning);
  }
  all_.push_back(std::move(problem));
}

void Problems::error(Path path, std::string text, Status status) {
  Problem problem;
  problem.status = status;
  problem.path = std::move(path);
  problem.text = std::move(text);
  add(std::move(problem));
}

void Problems::warning(Path path, std::string text) {
  Problem problem;
  problem.severity = Severity::warning;
  problem.status = Status::warnings;
  problem.path = std::move(path);
  problem.text = std::move(text);
  add(std::move(problem));
}

}  // namespace cede
