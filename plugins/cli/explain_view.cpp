// SPDX-License-Identifier: MIT
#include "explain_view.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "message_text.h"
#include "plan_text.h"
#include "plan_view.h"
#include "text_table.h"

namespace cli {

namespace {

constexpr std::size_t kExamples = 3;
constexpr std::size_t kReasonsOfRule = 4;  // lines for one rule; the rarer reasons share the last

std::string name_of(const JsonNode& unit) {
  const std::vector<JsonNode>& tasks = unit.list_of("tasks");
  std::string name(unit.text_of("job"));
  return tasks.size() == 1 ? name : name + " (" + counted(tasks.size(), "task") + ')';
}

// Units with the same reason.
struct Reason {
  std::string_view rule;
  std::string_view values;
  std::size_t units = 0;
  std::vector<std::string> examples;

  void add(const JsonNode& unit) {
    ++units;
    if (examples.size() < kExamples) examples.push_back(name_of(unit));
  }
};

// `(e.g. prod-1, prod-2, …)`
std::string examples_text(const Reason& reason) {
  std::string out = reason.units > reason.examples.size() ? " (e.g. " : " (";
  for (const std::string& example : reason.examples)
    out += (&example == &reason.examples.front() ? "" : ", ") + example;
  return out + (reason.units > reason.examples.size() ? ", …)" : ")");
}

// By rule, the most frequent rule first; of each rule its most frequent reasons.
std::vector<std::vector<Reason>> by_rule(const std::vector<JsonNode>& units) {
  std::map<std::string_view, std::map<std::string_view, Reason>> found;
  for (const JsonNode& unit : units) {
    Reason& reason = found[unit.text_of("rule")][unit.text_of("values")];
    reason.rule = unit.text_of("rule");
    reason.values = unit.text_of("values");
    reason.add(unit);
  }
  std::vector<std::vector<Reason>> out;
  for (auto& [rule, reasons] : found) {
    std::vector<Reason>& list = out.emplace_back();
    for (auto& [values, reason] : reasons) list.push_back(std::move(reason));
    std::stable_sort(list.begin(), list.end(),
                     [](const Reason& a, const Reason& b) { return a.units > b.units; });
  }
  const auto sum = [](const std::vector<Reason>& list) {
    std::size_t all = 0;
    for (const Reason& each : list) all += each.units;
    return all;
  };
  std::stable_sort(out.begin(), out.end(), [&](const auto& a, const auto& b) { return sum(a) > sum(b); });
  return out;
}

void print_reason(const Reason& reason, const std::string& because, Console& console) {
  const std::string text = counted(reason.units, "unit") + ", " + std::string(reason.rule) + ": " + because +
                           examples_text(reason);
  constexpr std::string_view kIndent = "  ";
  std::string indent(kIndent);
  for (const std::string& line : wrap(one_line(text), std::max<std::size_t>(console.columns(), 40) - 4)) {
    console.out(indent + line + '\n');
    indent = "    ";
  }
}

void print_reasons(const std::vector<JsonNode>& units, Console& console) {
  for (const std::vector<Reason>& reasons : by_rule(units)) {
    const std::size_t alone = reasons.size() <= kReasonsOfRule ? reasons.size() : kReasonsOfRule - 1;
    for (std::size_t i = 0; i < alone; ++i) print_reason(reasons[i], std::string(reasons[i].values), console);
    if (alone == reasons.size()) continue;
    Reason rest{reasons[alone].rule, {}, 0, {}};
    for (std::size_t i = alone; i < reasons.size(); ++i) {
      rest.units += reasons[i].units;
      for (const std::string& example : reasons[i].examples) {
        if (rest.examples.size() < kExamples) rest.examples.push_back(example);
      }
    }
    print_reason(
        rest,
        counted(reasons.size() - alone, "other value") + ", such as: " + std::string(reasons[alone].values),
        console);
  }
}

void print_title(std::string_view title, Console& console) {
  console.out('\n' + console.paint_out(Style::bold, title) + '\n');
}

}  // namespace

void print_not_needed(const JsonNode& plan, bool yes, bool everything, Console& console) {
  const std::vector<JsonNode>& units = plan.list_of("not_needed");
  if (units.empty()) return;
  if (!everything) {
    Reason all;
    for (const JsonNode& unit : units) all.add(unit);
    print_title(yes ? "NOT NEEDED" : "NOT TAKEN", console);
    console.out("  " + counted(units.size(), "unit") + " that may be taken" + examples_text(all) + '\n');
    return;
  }
  TextTable table({{yes ? "NOT NEEDED" : "NOT TAKEN"}, {"TASKS"}});
  for (const JsonNode& unit : units)
    table.add({std::string(unit.text_of("job")), some_of(texts_of(unit.list_of("tasks")))});
  console.out("\n");
  table.print(console);
}

void print_excluded(const JsonNode& plan, bool everything, Console& console) {
  const std::vector<JsonNode>& units = plan.list_of("excluded");
  if (units.empty()) return;
  if (!everything) {
    print_title("MAY NOT BE TAKEN", console);
    print_reasons(units, console);
    return;
  }
  TextTable table({{"EXCLUDED"}, {"TASKS"}, {"RULE"}, {"BECAUSE"}});
  for (const JsonNode& unit : units) {
    table.add({std::string(unit.text_of("job")), some_of(texts_of(unit.list_of("tasks"))),
               std::string(unit.text_of("rule")), std::string(unit.text_of("values"))});
  }
  console.out("\n");
  table.print(console);
}

void print_alternatives(const JsonNode& plan, Console& console) {
  const bool priced = has_price(plan);
  TextTable table({{"ALTERNATIVE"}, {priced ? "PRICE" : "LOST", true}, {"WORSE BY"}});
  for (const JsonNode& alternative : plan.list_of("alternatives")) {
    const std::int64_t cost = thousandths_of(alternative.text_of("cost"));
    table.add({some_of(texts_of(alternative.list_of("victims"))),
               priced ? tenths(cost) + " min" : work_text(plan, cost), worse_text(plan, alternative)});
  }
  if (table.empty()) return;
  console.out("\n");
  table.print(console);
}

}  // namespace cli
