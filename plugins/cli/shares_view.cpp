// SPDX-License-Identifier: MIT
#include "shares_view.h"

#include <charconv>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "message_text.h"
#include "text_table.h"

namespace cli {

namespace {

// `33.333%` of `0.333333333333`: without floating point, rounded half up.
std::string percent(std::string_view share) {
  const std::size_t point = share.find('.');
  std::string digits(share.substr(0, point));
  std::string fraction = point == std::string_view::npos ? "" : std::string(share.substr(point + 1));
  fraction.resize(std::max<std::size_t>(fraction.size(), 6), '0');
  digits += fraction.substr(0, 5);
  std::int64_t thousandths = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), thousandths);
  if (fraction[5] >= '5') ++thousandths;
  std::string rest = std::to_string(thousandths % 1000);
  rest.insert(0, 3 - rest.size(), '0');
  return std::to_string(thousandths / 1000) + '.' + rest + '%';
}

std::string_view mark(std::string_view starvation) {
  if (starvation == "aggressively_starving") return "!!";
  return starvation == "starving" ? "!" : "";
}

class GroupView {
 public:
  GroupView(const JsonNode& group, Console& console) : group_(group), console_(console) {
    for (const JsonNode& job : group.list_of("jobs"))
      jobs_[std::string(job.text_of("queue"))].push_back(&job);
  }

  void print() {
    std::size_t starving = 0;
    std::size_t aggressive = 0;
    for (const JsonNode& job : group_.list_of("jobs")) {
      const std::size_t marks = mark(job.text_of("starvation")).size();
      if (marks > 0) ++starving;
      if (marks > 1) ++aggressive;
    }
    const std::size_t all = group_.list_of("jobs").size();
    std::string sentence = ": " + std::to_string(starving) + " of " + counted(all, "job") +
                           (starving == 1 ? " starves" : " starve");
    if (aggressive > 0) sentence += ", " + std::to_string(aggressive) + " aggressively";
    sentence += "; it has ";
    const JsonNode& capacity = member(group_, "capacity");
    for (const JsonNode& item : capacity.items)
      sentence += (&item == &capacity.items.front() ? "" : ", ") + item.text + ' ' + item.key;
    if (capacity.items.empty()) sentence += "nothing";
    console_.out(console_.paint_out(starving > 0 ? Style::yellow : Style::green,
                                    "group " + one_line(quote(group_.text_of("id")))) +
                 one_line(sentence) + "\n\n");
    std::map<std::string, std::size_t, std::less<>> depths;
    for (const JsonNode& queue : group_.list_of("queues")) {
      const auto parent = depths.find(queue.text_of("parent"));
      const std::size_t depth = is_root(queue) || parent == depths.end() ? 0 : parent->second + 1;
      depths[std::string(queue.text_of("id"))] = depth;
      add_queue(queue, depth);
    }
    table_.print(console_);
  }

 private:
  static const JsonNode& member(const JsonNode& object, std::string_view key) {
    static const JsonNode kNone;
    const JsonNode* found = object.find(key);
    return found ? *found : kNone;
  }
  static bool is_root(const JsonNode& queue) { return !member(queue, "parent").is_text(); }

  static std::vector<std::string> row(std::string_view marked, const JsonNode& object, std::size_t depth) {
    const JsonNode& dominant = member(object, "dominant");
    const bool given = object.text_of("given") == "true";
    return {std::string(marked), std::string(2 * depth, ' ') + std::string(object.text_of("id")),
            percent(dominant.text_of("usage")), percent(dominant.text_of("fair_share")) + (given ? "*" : " "),
            percent(dominant.text_of("demand"))};
  }

  void add_queue(const JsonNode& queue, std::size_t depth) {
    std::vector<std::string> cells = row("", queue, depth);
    cells.push_back(percent(member(queue, "dominant").text_of("guaranteed")));
    cells.resize(kColumns);
    table_.add(cells);
    for (const JsonNode* job : jobs_[std::string(queue.text_of("id"))]) add_job(*job, depth + 1);
  }

  void add_job(const JsonNode& job, std::size_t depth) {
    const std::string_view starvation = job.text_of("starvation");
    std::vector<std::string> cells = row(mark(starvation), job, depth);
    const JsonNode& tasks = member(job, "tasks");
    cells.emplace_back();
    for (const char* tier : {"preemptible", "aggressively_preemptible", "non_preemptible"})
      cells.push_back(std::to_string(tasks.list_of(tier).size()));
    cells.emplace_back(job.text_of("status"));
    cells.emplace_back(starvation);
    table_.add(cells);
  }

  static constexpr std::size_t kColumns = 11;
  const JsonNode& group_;
  Console& console_;
  std::map<std::string, std::vector<const JsonNode*>> jobs_;  // by queue
  TextTable table_{{{""},
                    {"QUEUE, JOB"},
                    {"USAGE", true},
                    {"FAIR SHARE ", true},
                    {"DEMAND", true},
                    {"GUARANTEED", true},
                    {"PREEMPTIBLE", true},
                    {"AGGRESSIVE", true},
                    {"PROTECTED", true},
                    {"STATUS"},
                    {"STARVATION"}}};
};

}  // namespace

void print_shares(const JsonNode& document, Console& console) {
  bool first = true;
  for (const JsonNode& group : document.list_of("groups")) {
    if (!first) console.out("\n");
    first = false;
    GroupView(group, console).print();
  }
  console.out(
      "\nShares are of the resource of which each has most. !: starves, !!: starves aggressively,\n"
      "*: given by the site.\n");
}

}  // namespace cli
