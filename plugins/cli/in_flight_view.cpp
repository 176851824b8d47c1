// SPDX-License-Identifier: MIT
#include <string>
#include <vector>

#include "message_text.h"
#include "plan_view.h"
#include "text_table.h"

namespace cli {

namespace {

std::string victims_of(const JsonNode& entry) {
  std::vector<std::string> victims;
  for (const JsonNode& victim : entry.list_of("victims"))
    victims.push_back(std::string(victim.text_of("job")) + ' ' + std::string(victim.text_of("phase")));
  return some_of(victims);
}

std::string nodes_of(const JsonNode& entry) {
  std::vector<std::string> nodes;
  for (const JsonNode& place : entry.list_of("placement")) {
    std::string node(place.text_of("node"));
    if (nodes.empty() || nodes.back() != node) nodes.push_back(std::move(node));
  }
  return some_of(nodes);
}

}  // namespace

bool print_in_flight(const Ledger& ledger, Console& console) {
  cede_text* made = nullptr;
  cede_error error{};
  if (cede_ledger_json(ledger.get(), &made, &error) < 0) {
    console.fail(one_line(error.text));
    return false;
  }
  const Text text(made);
  const std::optional<JsonNode> document =
      read_tree({cede_text_data(text.get()), cede_text_size(text.get())});
  if (!document) {
    console.fail("the library's ledger is not JSON");
    return false;
  }
  TextTable table({{"IN FLIGHT", true}, {"FOR"}, {"STATE"}, {"UNTIL", true}, {"NODES"}, {"VICTIMS"}});
  for (const JsonNode& entry : document->list_of("entries")) {
    table.add({std::string(entry.text_of("entry")),
               std::string(entry.text_of("for")) + ' ' + std::string(entry.text_of("name")),
               std::string(entry.text_of("state")), std::string(entry.text_of("deadline")), nodes_of(entry),
               victims_of(entry)});
  }
  if (table.empty()) return true;
  console.out("\n");
  table.print(console);
  return true;
}

}  // namespace cli
