// SPDX-License-Identifier: MIT
#include "plan_request.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "loaded_engine.h"
#include "progress.h"
#include "time_option.h"
#include "wording.h"

namespace cli {

Plan make_plan(std::string_view command, const Arguments& arguments, Console& console) {
  for (const Option& option : std::span(kPlanOptions).first(3)) {
    if (arguments.has(option.name)) continue;
    console.fail(std::string(command) + " needs " + std::string(option.name) + '=' +
                 std::string(option.value) + "; see 'cede help " + std::string(command) + "'");
    return {};
  }
  const std::optional<std::string> policy = arguments.value("--policy");
  const std::string cluster = *arguments.value("--cluster");
  if (cluster == "-" && policy == cluster) {
    console.fail("standard input is named twice");
    return {};
  }
  const std::optional<std::int64_t> now = now_of(arguments, console);
  if (!now) return {};
  std::vector<std::string> texts;
  for (const std::string& job : arguments.values("--protect")) texts.push_back("protect=" + job);
  for (const std::string& node : arguments.values("--avoid")) texts.push_back("avoid=" + node);
  std::vector<const char*> terms;
  for (const std::string& text : texts) terms.push_back(text.c_str());

  const Engine engine = load_engine(policy, cluster, console);
  if (!engine) return {};
  cede_plan* made = nullptr;
  cede_error error{};
  std::int32_t status = CEDE_OK;
  {
    const Progress progress(console, "planning");
    status = cede_plan_create(engine.get(), arguments.value("--job")->c_str(), *now, terms.data(),
                              terms.size(), &made, &error);
  }
  if (status < 0) console.fail(one_line(error.text));
  return Plan(made);
}

int status_of(const Plan& plan) {
  const std::int32_t outcome = cede_plan_outcome(plan.get());
  return outcome == CEDE_OUTCOME_FITS || outcome == CEDE_OUTCOME_PREEMPT ? kYes : kNo;
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
