// SPDX-License-Identifier: MIT
#include "now_option.h"

#include <cede/cede.h>

#include <algorithm>
#include <string>

#include "json_tree.h"
#include "message_text.h"
#include "moment.h"

namespace cli {

std::optional<NowOption> now_of(const Arguments& arguments, Console& console) {
  const std::optional<std::string> text = arguments.value("--now");
  if (!text) return NowOption{CEDE_NOW_OF_CLUSTER, false};
  const bool after = text->starts_with('+');
  const std::optional<std::int64_t> parsed = after ? parse_span(text->substr(1)) : parse_moment(*text);
  if (parsed) return NowOption{*parsed, after};
  console.fail("--now: " + quote(*text) +
               (after ? " is not a time after the cluster's own, such as +90s, +5m or +1h30m"
                      : " is not a time, such as 2025-10-09T08:53:20Z, a number of seconds since 1970 "
                        "(0..253402300799) or +5m"));
  return {};
}

namespace {

using Writer = std::int32_t (*)(const cede_engine* engine, cede_text** text);

// What stands under "now" in a document that the library writes.
std::optional<std::int64_t> now_in(const Engine& engine, Writer write) {
  cede_text* made = nullptr;
  if (write(engine.get(), &made) < 0) return {};
  const Text text(made);
  const std::optional<JsonNode> document = read_tree({cede_text_data(made), cede_text_size(made)});
  return document ? parse_seconds(document->text_of("now")) : std::nullopt;
}

}  // namespace

std::optional<std::int64_t> cluster_now(const Engine& engine) {
  // Restored state may be later than the cluster's document.
  const std::optional<std::int64_t> of_state = now_in(engine, [](const cede_engine* of, cede_text** text) {
    cede_ledger* view = nullptr;
    if (const std::int32_t status = cede_engine_in_flight(of, &view, nullptr); status < 0) return status;
    return cede_ledger_json(Ledger(view).get(), text, nullptr);
  });
  const std::optional<std::int64_t> of_cluster = now_in(
      engine, [](const cede_engine* of, cede_text** text) { return cede_engine_export(of, text, nullptr); });
  return std::max(of_state, of_cluster);
}

std::optional<std::int64_t> NowOption::of(const Engine& engine, Console& console) const {
  if (!after_cluster) return milliseconds;
  const std::optional<std::int64_t> now = cluster_now(engine);
  if (now) return *now + milliseconds;
  console.fail("--now: the cluster has no 'now' to count from");
  return {};
}

}  // namespace cli
