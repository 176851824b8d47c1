// SPDX-License-Identifier: MIT
#include "plan_request.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "input.h"
#include "load_engine.h"
#include "message_text.h"
#include "now_option.h"
#include "progress.h"

namespace cli {

namespace {

constexpr std::size_t kMaxState = std::size_t{1} << 30;

// What a plan is for, and the options that only then make sense.
struct Subject {
  std::string_view option;
  std::array<std::string_view, 2> own;
};
constexpr std::array kSubjects{
    Subject{"--job", {"--avoid"}},
    Subject{"--batch", {}},
    Subject{"--relief", {"--group", "--partial"}},
    Subject{"--claim", {"--nodes", "--reason"}},
};

std::string written(std::string_view name) {
  const auto option = std::find_if(kPlanOrBatchOptions.begin(), kPlanOrBatchOptions.end(),
                                   [&](const Option& each) { return each.name == name; });
  return std::string(name) + '=' + std::string(option->value);
}

// Empty, or why these options do not go together.
std::string options_fault(const std::string& command, const Arguments& arguments) {
  const std::string see = "; see 'cede help " + command + "'";
  for (const std::string_view document : {"--cluster", "--policy"}) {
    if (!arguments.has(document)) return command + " needs " + written(document) + see;
  }
  const Subject* asked = nullptr;
  for (const Subject& subject : kSubjects) {
    if (!arguments.has(subject.option)) continue;
    if (asked) {
      return std::string(asked->option) + " and " + std::string(subject.option) +
             " are two questions; a plan answers one" + see;
    }
    asked = &subject;
  }
  for (const Subject& subject : kSubjects) {
    for (const std::string_view own : subject.own) {
      if (!own.empty() && arguments.has(own) && asked != &subject)
        return std::string(own) + " goes with " + std::string(subject.option) + " only" + see;
    }
  }
  if (!asked) {
    const std::string batch = command == "plan" ? written("--batch") + ", " : "";
    return command + " needs " + written("--job") + ", " + batch + written("--relief") + " or " +
           written("--claim") + see;
  }
  if (asked->option == "--claim") {
    for (const std::string_view own : asked->own) {
      if (!arguments.has(own)) return "--claim needs " + written(own) + see;
    }
  }
  int inputs = 0;
  for (const std::string_view file : {"--cluster", "--policy", "--state"}) {
    if (arguments.value(file) == "-") ++inputs;
  }
  return inputs > 1 ? "standard input is named twice" : "";
}

// The names between the commas; a name may be empty.
std::vector<std::string> names_in(std::string_view text) {
  std::vector<std::string> names;
  for (;;) {
    const std::size_t comma = text.find(',');
    names.emplace_back(text.substr(0, comma));
    if (comma == std::string_view::npos) return names;
    text.remove_prefix(comma + 1);
  }
}

std::vector<const char*> pointers_to(const std::vector<std::string>& texts) {
  std::vector<const char*> out;
  for (const std::string& text : texts) out.push_back(text.c_str());
  return out;
}

std::vector<std::string> terms_of(const Arguments& arguments) {
  std::vector<std::string> texts;
  for (const std::string& job : arguments.values("--protect")) texts.push_back("protect=" + job);
  for (const std::string& node : arguments.values("--avoid")) texts.push_back("avoid=" + node);
  if (arguments.has("--partial")) texts.emplace_back("partial");
  return texts;
}

// Asks the library; `nodes` are those claimed.
std::int32_t ask(const Engine& engine, const Arguments& arguments, const std::vector<std::string>& nodes,
                 std::int64_t now, cede_plan** plan, cede_error* error) {
  const std::vector<std::string> texts = terms_of(arguments);
  const std::vector<const char*> terms = pointers_to(texts);
  if (const auto target = arguments.value("--relief")) {
    const std::optional<std::string> group = arguments.value("--group");
    return cede_plan_create_relief(engine.get(), target->c_str(), group ? group->c_str() : nullptr, now,
                                   terms.data(), terms.size(), plan, error);
  }
  if (const auto queue = arguments.value("--claim")) {
    const std::vector<const char*> claimed = pointers_to(nodes);
    return cede_plan_create_claim(engine.get(), queue->c_str(), claimed.data(), claimed.size(),
                                  arguments.value("--reason")->c_str(), now, terms.data(), terms.size(), plan,
                                  error);
  }
  return cede_plan_create(engine.get(), arguments.value("--job")->c_str(), now, terms.data(), terms.size(),
                          plan, error);
}

}  // namespace

namespace {

// Takes over the saved state. False after an error, which has been printed.
bool restore(const Engine& engine, const std::string& name, Console& console, Ledger& in_flight) {
  std::string state;
  if (const ReadFault fault = read_text(name, kMaxState, state)) {
    console.fail(shown_name(name) + ": " + fault.text);
    return false;
  }
  cede_error error{};
  cede_ledger* ledger = nullptr;
  if (cede_engine_restore(engine.get(), state.data(), state.size(), &error) < 0 ||
      cede_engine_in_flight(engine.get(), &ledger, &error) < 0) {
    console.fail(shown_name(name) + ": " + one_line(error.text));
    return false;
  }
  in_flight.reset(ledger);
  return true;
}

}  // namespace

namespace {

// The names that an option lists. None after an error (an empty name), which has been printed.
std::vector<std::string> listed(const Arguments& arguments, std::string_view option, Console& console) {
  const std::optional<std::string> text = arguments.value(option);
  if (!text) return {};
  std::vector<std::string> names = names_in(*text);
  if (std::find(names.begin(), names.end(), "") == names.end()) return names;
  console.fail(std::string(option) + ": " + quote(*text) +
               " has an empty name; names are separated by one comma");
  return {};
}

// The engine to ask, with what is in flight if a state is named. Empty after an error.
Engine prepare(const Arguments& arguments, Console& console, Ledger& in_flight) {
  Engine engine = load_engine(arguments.value("--policy"), *arguments.value("--cluster"), console);
  const std::optional<std::string> state = arguments.value("--state");
  if (engine && state && !restore(engine, *state, console, in_flight)) return {};
  return engine;
}

}  // namespace

Plan make_plan(std::string_view command, const Arguments& arguments, Console& console, Ledger& in_flight) {
  if (const std::string fault = options_fault(std::string(command), arguments); !fault.empty()) {
    console.fail(fault);
    return {};
  }
  const std::optional<std::int64_t> now = now_of(arguments, console);
  if (!now) return {};
  const std::vector<std::string> nodes = listed(arguments, "--nodes", console);
  if (nodes.empty() && arguments.has("--nodes")) return {};
  const Engine engine = prepare(arguments, console, in_flight);
  if (!engine) return {};
  cede_plan* made = nullptr;
  cede_error error{};
  std::int32_t status = CEDE_OK;
  {
    const Progress progress(console, "planning");
    status = ask(engine, arguments, nodes, *now, &made, &error);
  }
  if (status < 0) console.fail(one_line(error.text));
  return Plan(made);
}

std::vector<Plan> make_batch(const Arguments& arguments, Console& console, Ledger& in_flight) {
  if (const std::string fault = options_fault("plan", arguments); !fault.empty()) {
    console.fail(fault);
    return {};
  }
  const std::optional<std::int64_t> now = now_of(arguments, console);
  if (!now) return {};
  const std::vector<std::string> jobs = listed(arguments, "--batch", console);
  if (jobs.empty()) return {};
  const Engine engine = prepare(arguments, console, in_flight);
  if (!engine) return {};
  const std::vector<std::string> texts = terms_of(arguments);
  const std::vector<const char*> terms = pointers_to(texts);
  const std::vector<const char*> names = pointers_to(jobs);
  std::vector<cede_plan*> made(jobs.size());
  cede_error error{};
  std::int32_t status = CEDE_OK;
  {
    const Progress progress(console, "planning");
    status = cede_plan_create_batch(engine.get(), names.data(), names.size(), *now, terms.data(),
                                    terms.size(), made.data(), &error);
  }
  std::vector<Plan> plans;
  if (status < 0) {
    console.fail(one_line(error.text));
    return plans;
  }
  for (cede_plan* plan : made) plans.emplace_back(plan);
  return plans;
}

int status_of(const Plan& plan) {
  const std::int32_t outcome = cede_plan_outcome(plan.get());
  return outcome == CEDE_OUTCOME_FITS || outcome == CEDE_OUTCOME_PREEMPT ? kYes : kNo;
}

int status_of(const std::vector<Plan>& plans) {
  for (const Plan& plan : plans) {
    if (status_of(plan) != kYes) return kNo;
  }
  return kYes;
}

int print_document(const std::vector<Plan>& plans, Console& console) {
  std::vector<const cede_plan*> parts;
  for (const Plan& plan : plans) parts.push_back(plan.get());
  cede_text* made = nullptr;
  cede_error error{};
  if (cede_plan_batch_json(parts.data(), parts.size(), &made, &error) < 0)
    return console.fail(one_line(error.text));
  const Text text(made);
  console.out({cede_text_data(text.get()), cede_text_size(text.get())});
  return status_of(plans);
}

Text document_of(const Plan& plan, PlanDocument document, Console& console) {
  cede_text* made = nullptr;
  cede_error error{};
  if (document(plan.get(), &made, &error) < 0) console.fail(one_line(error.text));
  return Text(made);
}

int print_document(const Plan& plan, PlanDocument document, Console& console) {
  const Text text = document_of(plan, document, console);
  if (!text) return kError;
  console.out({cede_text_data(text.get()), cede_text_size(text.get())});
  return status_of(plan);
}

}  // namespace cli
