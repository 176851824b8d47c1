// SPDX-License-Identifier: MIT
#include "attempt.h"

#include <cstdio>
#include <cstdlib>

namespace local {

namespace {

// Texts of any content one behind the other, each with its size in front.
void append(std::string& out, const std::string& text) { out += std::to_string(text.size()) + ':' + text; }

std::optional<std::string> take(std::string_view& rest) {
  const std::size_t colon = rest.find(':');
  if (colon == std::string_view::npos || colon > 9) return {};
  const std::size_t size = std::strtoul(std::string(rest.substr(0, colon)).c_str(), nullptr, 10);
  if (rest.size() - colon - 1 < size) return {};
  std::string out(rest.substr(colon + 1, size));
  rest.remove_prefix(colon + 1 + size);
  return out;
}

}  // namespace

std::string Launch::text() const {
  std::string out;
  append(out, std::to_string(signal));
  append(out, std::to_string(orphan_timeout));
  append(out, owner_file);
  append(out, std::to_string(command.size()));
  for (const std::string& word : command) append(out, word);
  append(out, std::to_string(environment.size()));
  for (const auto& [name, value] : environment) {
    append(out, name);
    append(out, value);
  }
  return out;
}

std::optional<Launch> Launch::read(const std::string& text) {
  std::string_view rest = text;
  bool whole = true;
  const auto next = [&] {
    std::optional<std::string> piece = take(rest);
    whole = whole && piece.has_value();
    return piece.value_or("");
  };
  Launch out;
  out.signal = std::atoi(next().c_str());
  out.orphan_timeout = std::atoll(next().c_str());
  out.owner_file = next();
  for (long words = std::atol(next().c_str()); whole && words > 0; --words) out.command.push_back(next());
  for (long pairs = std::atol(next().c_str()); whole && pairs > 0; --pairs) {
    std::string name = next();
    out.environment.emplace_back(std::move(name), next());
  }
  return whole && !out.command.empty() ? std::optional(out) : std::nullopt;
}

std::string Exit::text() const {
  return (by_signal ? "signalled " : "exited ") + std::to_string(code) + (told ? " told" : "") +
         (orphaned ? " orphaned\n" : "\n");
}

std::optional<Exit> Exit::read(const std::string& text) {
  Exit out;
  char how[16] = {};
  if (std::sscanf(text.c_str(), "%15s %d", how, &out.code) != 2) return {};
  out.by_signal = std::string_view(how) == "signalled";
  out.told = text.find(" told") != std::string::npos;
  out.orphaned = text.find(" orphaned") != std::string::npos;
  return out;
}

}  // namespace local
