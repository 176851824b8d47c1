// SPDX-License-Identifier: MIT
#include "plan_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include "message_text.h"
#include "moment.h"

namespace cli {

namespace {

constexpr std::int64_t kThousand = 1000;

std::int64_t whole_of(std::string_view number) {
  std::int64_t value = 0;
  std::from_chars(number.data(), number.data() + number.size(), value);
  return value;
}

// What one criterion counts. Amounts are thousandths, `freed` is billionths.
enum class Figure { count, minutes, work, parts, level };
struct CriterionWords {
  std::string_view name;
  Figure figure;
  std::string_view noun;  // of a count, in the singular; of a level, what it is
};
constexpr std::array kCriteria{CriterionWords{"last-resort", Figure::count, "last-resort unit"},
                               CriterionWords{"disruptions", Figure::count, "budget violation"},
                               CriterionWords{"unmoved", Figure::count, "unmovable GPU"},
                               CriterionWords{"price", Figure::minutes, ""},
                               CriterionWords{"lost-work", Figure::work, ""},
                               CriterionWords{"checkpoint", Figure::minutes, ""},
                               CriterionWords{"victims", Figure::count, "victim"},
                               CriterionWords{"number", Figure::count, "victim"},
                               CriterionWords{"freed", Figure::parts, ""},
                               CriterionWords{"size", Figure::parts, ""},
                               CriterionWords{"preferences", Figure::count, "missed preference"},
                               CriterionWords{"borrowed", Figure::count, "borrowed node"},
                               CriterionWords{"aggressive", Figure::count, "aggressively preemptible victim"},
                               CriterionWords{"originators", Figure::count, "originator"},
                               CriterionWords{"reclaim", Figure::count, "reclaiming set"},
                               CriterionWords{"highest-priority", Figure::level, "priority"}};

CriterionWords words_of(std::string_view name) {
  const auto found = std::find_if(kCriteria.begin(), kCriteria.end(),
                                  [&](const CriterionWords& each) { return each.name == name; });
  return found == kCriteria.end() ? CriterionWords{name, Figure::count, {}} : *found;
}

std::string percent(std::int64_t billionths) { return tenths(billionths / 10'000) + " % of the group"; }

std::string number_text(const JsonNode& plan, const CriterionWords& words, std::int64_t value) {
  switch (words.figure) {
    case Figure::minutes: return tenths(value) + " min";
    case Figure::work: return work_text(plan, value);
    case Figure::parts: return percent(value);
    case Figure::level: return std::string(words.noun) + ' ' + std::to_string(value);
    case Figure::count: break;
  }
  if (words.noun.empty()) return std::to_string(value);
  return counted(static_cast<std::size_t>(std::max<std::int64_t>(value, 0)), words.noun);
}

// Of counts: how many have the value.
std::int64_t count_at(const JsonNode& counts, std::int64_t value) {
  for (const JsonNode& each : counts.items) {
    if (each.items.size() == 2 && whole_of(each.items[0].text) == value) return whole_of(each.items[1].text);
  }
  return 0;
}

// The highest value that one has more often than the other.
std::optional<std::int64_t> first_difference(const JsonNode& a, const JsonNode& b) {
  std::optional<std::int64_t> highest;
  for (const JsonNode* list : {&a, &b}) {
    for (const JsonNode& each : list->items) {
      if (each.items.size() != 2) return {};
      const std::int64_t value = whole_of(each.items[0].text);
      if (count_at(a, value) != count_at(b, value) && (!highest || value > *highest)) highest = value;
    }
  }
  return highest;
}

bool are_counts(const JsonNode& value) {
  return value.is_list() && !value.items.empty() && value.items[0].is_list();
}

std::string times_difference(const JsonNode& best, const JsonNode& value) {
  for (std::size_t i = 0; i < std::min(best.items.size(), value.items.size()); ++i) {
    const std::int64_t ours = thousandths_of(best.items[i].text),
                       theirs = thousandths_of(value.items[i].text);
    if (ours == theirs) continue;
    return "a victim that started " + span_text(std::abs(theirs - ours)) +
           (theirs > ours ? " later" : " earlier");
  }
  return "more victims";
}

}  // namespace

std::string tenths(std::int64_t thousandths) {
  const std::int64_t rounded = (std::abs(thousandths) + 50) / 100;
  std::string out = (thousandths < 0 && rounded > 0 ? "-" : "") + std::to_string(rounded / 10);
  if (rounded % 10 != 0) out += '.' + std::to_string(rounded % 10);
  return out;
}

std::string trimmed(std::string_view number) {
  std::string out(number);
  if (out.find('.') == std::string::npos) return out;
  out.erase(out.find_last_not_of('0') + 1);
  if (out.ends_with('.')) out.pop_back();
  return out;
}

std::int64_t thousandths_of(std::string_view number) {
  const bool negative = number.starts_with('-');
  if (negative) number.remove_prefix(1);
  const std::size_t point = std::min(number.find('.'), number.size());
  std::string fraction(number.substr(std::min(point + 1, number.size())).substr(0, 3));
  fraction.resize(3, '0');
  const std::int64_t value = whole_of(number.substr(0, point)) * kThousand + whole_of(fraction);
  return negative ? -value : value;
}

std::string work_text(const JsonNode& plan, std::int64_t thousandths) {
  const std::vector<JsonNode>& leaving = plan.list_of("leaving");
  const bool gpus = leaving.empty() || std::any_of(leaving.begin(), leaving.end(), [](const JsonNode& each) {
                      return thousandths_of(each.text_of("gpus")) > 0;
                    });
  return tenths(thousandths) + (gpus ? " GPU-min" : " node-min");
}

std::int64_t lost_work_of(const JsonNode& plan) {
  std::int64_t sum = 0;
  for (const JsonNode& each : plan.list_of("leaving")) sum += thousandths_of(each.text_of("lost_work"));
  return sum;
}

bool has_price(const JsonNode& plan) {
  for (const JsonNode& victim : plan.list_of("victims")) {
    const JsonNode* parts = victim.find("cost_parts");
    if (parts && !parts->items.empty()) return parts->items.front().key != "lost-work";
  }
  return false;
}

std::string proof_text(const JsonNode& plan) {
  if (plan.text_of("optimal") == "true") return "proven optimal";
  const std::string unproven = "best found; no proof within the allowed work";
  const JsonNode* gap = plan.find("gap");
  const JsonNode* value = gap ? gap->find("value") : nullptr;
  const JsonNode* bound = gap ? gap->find("bound") : nullptr;
  if (!value || !bound) return unproven;
  const CriterionWords words = words_of(gap->text_of("criterion"));
  const bool is_cost = words.figure == Figure::minutes || words.figure == Figure::work;
  if (is_cost && !value->is_list()) {
    const std::int64_t ours = whole_of(value->text), least = whole_of(bound->text);
    if (least <= 0) return unproven;
    return "within " + std::to_string(((ours - least) * 100 + least - 1) / least) + " % of the best possible";
  }
  // Start times have no "less".
  if (value->is_list() && !are_counts(*value)) return unproven;
  return "best found: " + criterion_text(plan, words.name, *value) + "; no set has less than " +
         criterion_text(plan, words.name, *bound);
}

std::string criterion_text(const JsonNode& plan, std::string_view name, const JsonNode& value) {
  if (!value.is_list()) return number_text(plan, words_of(name), whole_of(value.text));
  if (value.items.empty()) return "none";
  std::vector<std::string> parts;
  for (const JsonNode& each : value.items) {
    parts.push_back(each.is_list() && each.items.size() == 2
                        ? each.items[1].text + " of " + std::string(name) + ' ' + each.items[0].text
                        : moment_text(thousandths_of(each.text)));
  }
  std::string out;
  constexpr std::size_t kShown = 4;
  for (std::size_t i = 0; i < std::min(parts.size(), kShown); ++i) out += (i > 0 ? ", " : "") + parts[i];
  if (parts.size() > kShown) out += " and " + std::to_string(parts.size() - kShown) + " more";
  return out;
}

std::string worse_text(const JsonNode& plan, const JsonNode& alternative) {
  const std::string_view name = alternative.text_of("worse");
  const JsonNode* best = alternative.find("best");
  const JsonNode* value = alternative.find("value");
  if (!best || !value) return "nothing but the order of names";
  if (are_counts(*best) || are_counts(*value)) {
    const std::optional<std::int64_t> at = first_difference(*best, *value);
    if (!at) return std::string(name);
    return std::to_string(count_at(*value, *at)) + " of " + std::string(name) + ' ' + std::to_string(*at) +
           " instead of " + std::to_string(count_at(*best, *at));
  }
  if (best->is_list()) return times_difference(*best, *value);
  const CriterionWords words = words_of(name);
  const std::int64_t ours = whole_of(best->text), theirs = whole_of(value->text);
  if (words.figure == Figure::level)
    return number_text(plan, words, theirs) + " instead of " + std::to_string(ours);
  if (words.noun.empty() && words.figure == Figure::count)
    return std::to_string(theirs - ours) + " more of " + std::string(name);
  std::string out = number_text(plan, words, theirs - ours);
  if (words.figure == Figure::parts) return out + " more freed";
  return out + " more";
}

std::string exit_text(const JsonNode& victim) {
  if (victim.find("hold")) return "the space kept for it is taken";
  std::string out(victim.text_of("action"));
  const std::string_view then = victim.text_of("then");
  if (!then.empty()) out += ", then " + std::string(then);
  return out + (victim.text_of("requeue") == "true" ? "; requeued" : "");
}

}  // namespace cli
