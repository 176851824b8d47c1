// SPDX-License-Identifier: MIT
#include "plan_view.h"

#include <algorithm>
#include <array>

#include "message_text.h"
#include "moment.h"
#include "plan_text.h"
#include "text_table.h"

namespace cli {

namespace {

constexpr std::size_t kRowsShown = 20;  // of a list that may be as long as the cluster

// `0-3,6`, from numbers in ascending order.
std::string ranges(const std::vector<std::size_t>& numbers) {
  std::string out;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::size_t first = i;
    while (i + 1 < numbers.size() && numbers[i + 1] == numbers[i] + 1) ++i;
    out += (out.empty() ? "" : ",") + std::to_string(numbers[first]);
    if (i > first) out += '-' + std::to_string(numbers[i]);
  }
  return out;
}

std::string devices_of(const JsonNode& place) {
  if (place.find("devices")) return "not known which";
  std::vector<std::size_t> whole;
  std::string share;
  for (const JsonNode& device : place.list_of("gpus")) {
    if (device.is_object()) {
      share = std::string(device.text_of("share")) + " of " + std::string(device.text_of("index"));
    } else {
      whole.push_back(static_cast<std::size_t>(std::stoul(device.text)));
    }
  }
  std::string out = ranges(whole);
  if (!share.empty()) out += (out.empty() ? "" : " and ") + share;
  return out.empty() ? "none" : out;
}

struct Cell {
  char sign;
  std::string_view meaning;
};
constexpr std::array kCells{Cell{'.', "free"},
                            Cell{'?', "not known"},
                            Cell{'K', "kept"},
                            Cell{'V', "victim"},
                            Cell{'+', "given to the request"},
                            Cell{'*', "victim's, given to the request"}};

std::string painted(char sign, std::string_view text, const Console& console) {
  switch (sign) {
    case 'K': return console.paint_out(Style::bold, text);
    case 'V': return console.paint_out(Style::red, text);
    case '+': return console.paint_out(Style::green, text);
    case '*': return console.paint_out(Style::yellow, text);
    default: return std::string(text);
  }
}

std::string painted_cells(std::string_view cells, const Console& console) {
  std::string out;
  while (!cells.empty()) {
    const std::size_t same = std::min(cells.find_first_not_of(cells.front()), cells.size());
    out += painted(cells.front(), cells.substr(0, same), console);
    cells.remove_prefix(same);
  }
  return out;
}

// A fact below the answer, with its name in a column of its own.
void print_fact(std::string_view name, std::string_view text, Console& console) {
  constexpr std::size_t kNames = 10;
  const std::vector<std::string> lines =
      wrap(one_line(text), std::max<std::size_t>(console.columns(), 60) - kNames);
  std::string head(name);
  head.resize(kNames, ' ');
  for (const std::string& line : lines) {
    console.out((&line == &lines.front() ? head : std::string(kNames, ' ')) + line + '\n');
  }
}

bool is_yes(const JsonNode& plan) {
  return plan.text_of("outcome") == "preempt" || plan.text_of("outcome") == "fits";
}

// `expected in 5m30s (2025-10-09 08:58:50Z), in 21m at the latest (2025-10-09 09:14:20Z)`.
std::string start_text(const JsonNode& plan) {
  const JsonNode* expected = plan.find("expected_start");
  const JsonNode* latest = plan.find("latest_start");
  if (!expected || !latest || expected->text == "null") return {};
  const std::int64_t now = thousandths_of(plan.text_of("now"));
  const std::int64_t soon = thousandths_of(expected->text);
  if (soon <= now && plan.list_of("victims").empty()) return "now (" + moment_text(soon) + ')';
  std::string out = "expected in " + span_text(soon - now) + " (" + moment_text(soon) + ')';
  if (latest->text == "null") return out + "; no latest time: a victim may take as long as it likes";
  const std::int64_t last = thousandths_of(latest->text);
  if (last == soon) return "in " + span_text(last - now) + " at the latest (" + moment_text(last) + ')';
  return out + ", in " + span_text(last - now) + " at the latest (" + moment_text(last) + ')';
}

std::string joined(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) out += (out.empty() ? "" : ", ") + text;
  return out;
}

void print_nearest_miss(const JsonNode& miss, Console& console) {
  const std::string place(miss.text_of("place"));
  if (!place.empty()) {
    std::string text = place + ": " + std::string(miss.text_of("missing"));
    if (miss.find("blockers") && !miss.list_of("blockers").empty())
      text += " once every unit that may be taken is gone";
    print_fact("nearest", text, console);
  }
  const std::vector<JsonNode>& blockers = miss.list_of("blockers");
  for (const JsonNode& blocker : blockers) {
    print_fact("",
               "job " + quote(blocker.text_of("job")) + " on " + std::string(blocker.text_of("node")) +
                   " may not be taken (" + std::string(blocker.text_of("rule")) +
                   "): " + std::string(blocker.text_of("values")),
               console);
  }
  const std::size_t blocked = static_cast<std::size_t>(thousandths_of(miss.text_of("blocked")) / 1000);
  if (blocked > blockers.size())
    print_fact("", "and " + std::to_string(blocked - blockers.size()) + " more may not be taken there",
               console);
  bool first = true;
  for (const JsonNode& change : miss.list_of("changes")) {
    print_fact(first ? "would do" : "or", change.text, console);
    first = false;
  }
}

// Which tasks of a victim leave.
std::string tasks_of(const JsonNode& victim) {
  const std::vector<JsonNode>& tasks = victim.list_of("tasks");
  if (tasks.size() > 1 && victim.text_of("whole_job") == "true") return "all " + std::to_string(tasks.size());
  return some_of(texts_of(tasks));
}

void print_rest(std::size_t all, std::size_t shown, std::string_view noun, Console& console) {
  if (all > shown) console.out("… and " + counted(all - shown, noun) + " more; --verbose lists all\n");
}

std::size_t shown_of(std::size_t all, bool everything) {
  return everything ? all : std::min(all, kRowsShown);
}

}  // namespace

std::string some_of(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 4;
  // One name takes no more room than saying that there is one more.
  const std::size_t shown = names.size() <= kShown + 1 ? names.size() : kShown;
  std::string out;
  for (std::size_t i = 0; i < shown; ++i) out += (i > 0 ? ", " : "") + names[i];
  if (shown < names.size()) out += " and " + std::to_string(names.size() - shown) + " more";
  return out;
}

std::vector<std::string> texts_of(const std::vector<JsonNode>& list) {
  std::vector<std::string> out;
  for (const JsonNode& item : list) out.push_back(item.text);
  return out;
}

void print_job(const JsonNode& plan, bool first, Console& console) {
  console.out((first ? "" : "\n") + console.paint_out(Style::bold, "job " + one_line(plan.text_of("job"))) +
              '\n');
}

void print_answer(const JsonNode& plan, Console& console) {
  console.out(console.paint_out(is_yes(plan) ? Style::green : Style::red, plan.text_of("outcome")) + ": " +
              one_line(plan.text_of("reason")) + '\n');
  const bool placed = !plan.list_of("placement").empty();
  if (const std::string start = start_text(plan); !start.empty())
    print_fact(placed ? "starts" : "done", start, console);
  if (!plan.list_of("victims").empty()) {
    print_fact("choice", proof_text(plan), console);
    std::string cost = work_text(plan, lost_work_of(plan)) + " of work lost";
    if (has_price(plan)) cost += "; price " + tenths(thousandths_of(plan.text_of("cost"))) + " min";
    print_fact("costs", cost, console);
  }
  if (const JsonNode* topology = plan.find("topology"); topology && is_yes(plan)) {
    if (!topology->list_of("met").empty())
      print_fact("meets", joined(texts_of(topology->list_of("met"))), console);
    if (!topology->list_of("preferred_missed").empty())
      print_fact("misses", joined(texts_of(topology->list_of("preferred_missed"))) + " (preferred)", console);
  }
  if (const JsonNode* miss = plan.find("nearest_miss"); miss && miss->is_object())
    print_nearest_miss(*miss, console);
}

void print_victims(const JsonNode& plan, bool everything, Console& console) {
  const std::vector<JsonNode>& victims = plan.list_of("victims");
  const std::vector<JsonNode>& leaving = plan.list_of("leaving");
  if (victims.empty() || leaving.size() != victims.size()) return;
  const bool priced = has_price(plan);
  std::vector<TextTable::Column> columns{{"VICTIM"},        {"TASKS"},        {"OWNER"},     {"GPUS", true},
                                         {"RUNNING SINCE"}, {"WHAT HAPPENS"}, {"LOST", true}};
  if (priced) columns.push_back({"PRICE", true});
  TextTable table(columns);
  const std::size_t shown = shown_of(victims.size(), everything);
  for (std::size_t i = 0; i < shown; ++i) {
    const JsonNode& victim = victims[i];
    const JsonNode& facts = leaving[i];
    const std::string_view user = facts.text_of("user"), since = facts.text_of("since");
    std::vector<std::string> row{std::string(victim.text_of("job")),
                                 tasks_of(victim),
                                 user == "null" ? "" : std::string(user),
                                 trimmed(facts.text_of("gpus")),
                                 since == "null" ? "" : moment_text(thousandths_of(since), false),
                                 exit_text(victim),
                                 work_text(plan, thousandths_of(facts.text_of("lost_work")))};
    if (priced) row.push_back(tenths(thousandths_of(victim.text_of("cost"))) + " min");
    table.add(row);
  }
  console.out("\n");
  table.print(console);
  print_rest(victims.size(), shown, "victim", console);
}

void print_costs(const JsonNode& plan, Console& console) {
  TextTable parts({{"COST OF"}, {"PARTS"}});
  for (const JsonNode& victim : plan.list_of("victims")) {
    const JsonNode* of = victim.find("cost_parts");
    std::string text;
    for (const JsonNode& part : of ? of->items : std::vector<JsonNode>{}) {
      const std::string figure =
          part.key == "lost-work" ? work_text(plan, thousandths_of(part.text)) : trimmed(part.text) + " min";
      text += (text.empty() ? "" : " + ") + part.key + ' ' + figure;
    }
    parts.add({std::string(victim.text_of("job")), text});
  }
  TextTable criteria({{"CRITERION"}, {"VALUE"}, {"PROOF"}});
  const std::int64_t proven = thousandths_of(plan.text_of("proven")) / 1000;
  for (const JsonNode& criterion : plan.list_of("objective")) {
    if (criterion.items.size() != 2) continue;
    const std::string& name = criterion.items[0].text;
    const bool best = &criterion - plan.list_of("objective").data() < proven;
    criteria.add(
        {name, criterion_text(plan, name, criterion.items[1]), best ? "best possible" : "not proven"});
  }
  for (const TextTable* table : {&parts, &criteria}) {
    if (table->empty()) continue;
    console.out("\n");
    table->print(console);
  }
}

void print_placement(const JsonNode& plan, bool everything, Console& console) {
  const std::vector<JsonNode>& places = plan.list_of("placement");
  TextTable table({{"TASK"}, {"NODE"}, {"DEVICES"}});
  const std::size_t shown = shown_of(places.size(), everything);
  for (std::size_t i = 0; i < shown; ++i)
    table.add({std::string(places[i].text_of("task")), std::string(places[i].text_of("node")),
               devices_of(places[i])});
  if (table.empty()) return;
  console.out("\n");
  table.print(console);
  print_rest(places.size(), shown, "task", console);
}

void print_map(const JsonNode& plan, bool everything, Console& console) {
  const std::vector<JsonNode>& nodes = plan.list_of("nodes");
  const std::size_t shown = shown_of(nodes.size(), everything);
  std::size_t widest = 0;
  std::string seen;
  for (std::size_t i = 0; i < shown; ++i) {
    widest = std::max(widest, width(one_line(nodes[i].text_of("id"))));
    seen += nodes[i].text_of("cells");
  }
  if (seen.empty()) return;  // no node has GPUs
  console.out("\n");
  for (std::size_t i = 0; i < shown; ++i) {
    const std::string id = one_line(nodes[i].text_of("id"));
    const std::string cells = one_line(nodes[i].text_of("cells"));
    console.out(id + std::string(widest - width(id) + 2, ' ') +
                (cells.empty() ? "no GPUs" : painted_cells(cells, console)) + '\n');
  }
  print_rest(nodes.size(), shown, "node", console);
  std::string legend;
  for (const Cell& cell : kCells) {
    if (seen.find(cell.sign) == std::string::npos) continue;
    legend += (legend.empty() ? "" : ", ") + painted(cell.sign, std::string_view(&cell.sign, 1), console) +
              ' ' + std::string(cell.meaning);
  }
  console.out(legend + '\n');
}

}  // namespace cli
