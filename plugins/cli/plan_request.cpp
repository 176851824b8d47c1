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
constexpr std::array<std::string_view, 2> kOfJobs{"--avoid", "--only"};
constexpr std::array kSubjects{
    Subject{"--job", kOfJobs},
    Subject{"--batch", kOfJobs},
    Subject{"--relief", {"--group", "--partial"}},
    Subject{"--claim", {"--nodes", "--reason"}},
};

std::string written(std::string_view name) {
  const auto option = std::find_if(kPlanOptions.begin(), kPlanOptions.end(),
                                   [&](const Option& each) { return each.name == name; });
  return std::string(name) + '=' + std::string(option->value);
}

// `--job or --batch`
std::string owners_of(std::string_view option) {
  std::string out;
  for (const Subject& subject : kSubjects) {
    if (std::find(subject.own.begin(), subject.own.end(), option) == subject.own.end()) continue;
    out += (out.empty() ? "" : " or ") + std::string(subject.option);
  }
  return out;
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
      const bool allowed = asked && std::find(asked->own.begin(), asked->own.end(), own) != asked->own.end();
      if (!own.empty() && arguments.has(own) && !allowed)
        return std::string(own) + " goes with " + owners_of(own) + " only" + see;
    }
  }
  if (!asked) {
    return command + " needs " + written("--job") + ", " + written("--batch") + ", " + written("--relief") +
           " or " + written("--claim") + see;
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
  for (const std::string& node : arguments.values("--only")) texts.push_back("only=" + node);
  if (arguments.has("--partial")) texts.emplace_back("partial");
  return texts;
}

// Asks the library: one plan, or one for each of the jobs. `nodes` are those claimed.
std::int32_t ask(const Engine& engine, const Arguments& arguments, const std::vector<std::string>& nodes,
                 const std::vector<std::string>& jobs, std::int64_t now, cede_plan** plans,
                 cede_error* error) {
  const std::vector<std::string> texts = terms_of(arguments);
  const std::vector<const char*> terms = pointers_to(texts);
  if (const auto target = arguments.value("--relief")) {
    const std::optional<std::string> group = arguments.value("--group");
    return cede_plan_create_relief(engine.get(), target->c_str(), group ? group->c_str() : nullptr, now,
                                   terms.data(), terms.size(), plans, error);
  }
  if (const auto queue = arguments.value("--claim")) {
    const std::vector<const char*> claimed = pointers_to(nodes);
    return cede_plan_create_claim(engine.get(), queue->c_str(), claimed.data(), claimed.size(),
                                  arguments.value("--reason")->c_str(), now, terms.data(), terms.size(),
                                  plans, error);
  }
  if (!jobs.empty()) {
    const std::vector<const char*> names = pointers_to(jobs);
    return cede_plan_create_batch(engine.get(), names.data(), names.size(), now, terms.data(), terms.size(),
                                  plans, error);
  }
  return cede_plan_create(engine.get(), arguments.value("--job")->c_str(), now, terms.data(), terms.size(),
                          plans, error);
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

std::vector<Plan> make_plans(std::string_view command, const Arguments& arguments, Console& console,
                             Ledger& in_flight) {
  if (const std::string fault = options_fault(std::string(command), arguments); !fault.empty()) {
    console.fail(fault);
    return {};
  }
  const std::optional<NowOption> time = now_of(arguments, console);
  if (!time) return {};
  const std::vector<std::string> nodes = listed(arguments, "--nodes", console);
  if (nodes.empty() && arguments.has("--nodes")) return {};
  const std::vector<std::string> jobs = listed(arguments, "--batch", console);
  if (jobs.empty() && arguments.has("--batch")) return {};
  const Engine engine = prepare(arguments, console, in_flight);
  if (!engine) return {};
  const std::optional<std::int64_t> now = time->of(engine, console);
  if (!now) return {};
  std::vector<cede_plan*> made(std::max<std::size_t>(jobs.size(), 1));
  cede_error error{};
  std::int32_t status = CEDE_OK;
  {
    const Progress progress(console, "planning");
    status = ask(engine, arguments, nodes, jobs, *now, made.data(), &error);
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
  const bool yes =
      std::all_of(plans.begin(), plans.end(), [](const Plan& plan) { return status_of(plan) == kYes; });
  return yes ? kYes : kNo;
}

namespace {

Text document_of(const Plan& plan, decltype(&cede_plan_json) document, Console& console) {
  cede_text* made = nullptr;
  cede_error error{};
  if (document(plan.get(), &made, &error) < 0) console.fail(one_line(error.text));
  return Text(made);
}

std::string_view bytes_of(const Text& text) {
  return {cede_text_data(text.get()), cede_text_size(text.get())};
}

}  // namespace

std::optional<JsonNode> explanation_of(const Plan& plan, Console& console) {
  const Progress progress(console, "explaining");
  const Text text = document_of(plan, cede_plan_explain, console);
  if (!text) return std::nullopt;
  std::optional<JsonNode> explanation = read_tree(bytes_of(text));
  if (!explanation) console.fail("the library's explanation is not JSON");
  return explanation;
}

int print_plans(const std::vector<Plan>& plans, bool explained, bool batch, Console& console) {
  std::string out = batch ? "{\"format\":\"cede-plan/1\",\"batch\":[" : "";
  for (const Plan& plan : plans) {
    const Text text = document_of(plan, explained ? cede_plan_explain : cede_plan_json, console);
    if (!text) return kError;
    std::string_view part = bytes_of(text);
    if (batch) part = part.substr(0, part.find_last_not_of('\n') + 1);
    if (batch) out += &plan == &plans.front() ? "\n" : ",\n";
    out += part;
  }
  if (batch) out += "]}\n";
  console.out(out);
  return status_of(plans);
}

}  // namespace cli
