// SPDX-License-Identifier: MIT
#include "plan_view.h"

#include <algorithm>
#include <array>
#include <string>

#include "message_text.h"
#include "text_table.h"

namespace cli {

namespace {

std::string outcome_word(std::int32_t outcome) {
  switch (outcome) {
    case CEDE_OUTCOME_FITS: return "fits";
    case CEDE_OUTCOME_PREEMPT: return "preempt";
    case CEDE_OUTCOME_WAIT: return "wait";
    case CEDE_OUTCOME_IN_PROGRESS: return "in-progress";
    case CEDE_OUTCOME_IMPOSSIBLE: return "impossible";
    default: return "outcome " + std::to_string(outcome);
  }
}

std::string action_word(std::int32_t action) {
  switch (action) {
    case CEDE_ACTION_CHECKPOINT: return "checkpoint";
    case CEDE_ACTION_SUSPEND: return "suspend";
    case CEDE_ACTION_TERMINATE: return "terminate";
    case CEDE_ACTION_SOFT_EVICT: return "soft-evict";
    case CEDE_ACTION_SIGNAL_FIRST: return "signal-first";
    default: return "action " + std::to_string(action);
  }
}

// Thousandths as a decimal number.
std::string decimal(std::int64_t thousandths) {
  const bool negative = thousandths < 0;
  const std::uint64_t size =
      negative ? 0 - static_cast<std::uint64_t>(thousandths) : static_cast<std::uint64_t>(thousandths);
  const std::string fraction = std::to_string(1000 + size % 1000).substr(1);
  return (negative ? "-" : "") + std::to_string(size / 1000) + '.' + fraction;
}

// `0-3,6`
std::string ranges(std::uint64_t devices) {
  const auto has = [devices](unsigned i) { return i < 64 && (devices >> i & 1) != 0; };
  std::string out;
  for (unsigned i = 0; i < 64; ++i) {
    if (!has(i)) continue;
    const unsigned first = i;
    while (has(i + 1)) ++i;
    out += (out.empty() ? "" : ",") + std::to_string(first);
    if (i > first) out += '-' + std::to_string(i);
  }
  return out;
}

std::string devices_of(const cede_place& place) {
  if (place.devices_known == 0) return "not known which";
  std::string out = ranges(place.gpus);
  if (place.share > 0) {
    out += (out.empty() ? "" : " and ") + decimal(place.share) + " of " + std::to_string(place.share_device);
  }
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

void print_answer(const Plan& plan, Console& console) {
  const std::int32_t outcome = cede_plan_outcome(plan.get());
  const bool yes = outcome == CEDE_OUTCOME_FITS || outcome == CEDE_OUTCOME_PREEMPT;
  console.out(console.paint_out(yes ? Style::green : Style::red, outcome_word(outcome)) + ": " +
              one_line(cede_plan_reason(plan.get())) + '\n');
}

void print_victims(const Plan& plan, Console& console) {
  TextTable table({{"VICTIM"}, {"TASKS"}, {"ACTION"}, {"REQUEUE"}, {"COST", true}});
  const std::vector<cede_victim> victims = all_of(cede_plan_victims, plan.get());
  for (std::size_t i = 0; i < victims.size(); ++i) {
    const cede_victim& victim = victims[i];
    std::vector<std::string> tasks;
    for (std::size_t task = 0; task < victim.task_count; ++task)
      tasks.emplace_back(cede_plan_victim_task(plan.get(), i, task));
    std::string action = action_word(victim.action);
    if (victim.then != 0) action += ", " + action_word(victim.then);
    table.add({cede_plan_victim_job(plan.get(), i), some_of(tasks), std::move(action),
               victim.requeue != 0 ? "yes" : "no", decimal(victim.cost)});
  }
  if (table.empty()) return;
  console.out("\n");
  table.print(console);
}

void print_placement(const Plan& plan, Console& console) {
  TextTable table({{"TASK"}, {"NODE"}, {"DEVICES"}});
  const std::vector<cede_place> places = all_of(cede_plan_places, plan.get());
  for (std::size_t i = 0; i < places.size(); ++i) {
    table.add(
        {cede_plan_place_task(plan.get(), i), cede_plan_place_node(plan.get(), i), devices_of(places[i])});
  }
  if (table.empty()) return;
  console.out("\n");
  table.print(console);
}

void print_map(const JsonNode& explanation, Console& console) {
  std::size_t widest = 0;
  std::string seen;
  for (const JsonNode& node : explanation.list_of("nodes")) {
    widest = std::max(widest, width(one_line(node.text_of("id"))));
    seen += node.text_of("cells");
  }
  if (seen.empty()) return;  // no node has GPUs
  console.out("\n");
  for (const JsonNode& node : explanation.list_of("nodes")) {
    const std::string id = one_line(node.text_of("id"));
    const std::string cells = one_line(node.text_of("cells"));
    console.out(id + std::string(widest - width(id) + 2, ' ') +
                (cells.empty() ? "no GPUs" : painted_cells(cells, console)) + '\n');
  }
  std::string legend;
  for (const Cell& cell : kCells) {
    if (seen.find(cell.sign) == std::string::npos) continue;
    legend += (legend.empty() ? "" : ", ") + painted(cell.sign, std::string_view(&cell.sign, 1), console) +
              ' ' + std::string(cell.meaning);
  }
  console.out(legend + '\n');
}

}  // namespace cli
