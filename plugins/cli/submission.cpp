// SPDX-License-Identifier: MIT
#include "submission.h"

#include <charconv>
#include <cstdint>

#include "document.h"
#include "json_text.h"
#include "message_text.h"

namespace cli {

namespace {

constexpr std::string_view kJobPlace = "put.jobs[0].";  // where the library finds the job's fields

bool is_known(const Engine& engine, const std::string& job) {
  cede_admission* made = nullptr;
  const bool known = cede_engine_admit(engine.get(), job.c_str(), nullptr, 0, &made, nullptr) >= 0;
  cede_admission_destroy(made);
  return known;
}

std::string free_name(const Engine& engine) {
  std::string name = "new-job";
  for (int i = 2; is_known(engine, name); ++i) name = "new-job-" + std::to_string(i);
  return name;
}

std::optional<std::int32_t> whole_number(std::string_view text) {
  std::int32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return {};
  return number;
}

// The option's name without its dashes; it is also the field's name.
std::string field_of(const Option& option) { return std::string(option.name.substr(2)); }

}  // namespace

std::optional<Submission> describe_submission(const Arguments& arguments, const Engine& engine,
                                              Console& console) {
  Submission made{.job = free_name(engine), .text = {}};
  std::string members = "\"id\":" + json_quoted(made.job);
  for (const Option& option : kSubmissionOptions) {
    const std::optional<std::string> value = arguments.value(option.name);
    if (!value) continue;
    if (option.value.empty()) {
      members += ",\"preemptible\":false";
    } else if (option.value != "N") {
      members += ",\"" + field_of(option) + "\":" + json_quoted(as_utf8(*value));
    } else if (const std::optional<std::int32_t> number = whole_number(*value)) {
      members += ",\"" + field_of(option) + "\":" + std::to_string(*number);
    } else {
      console.fail(std::string(option.name) + ": " + quote(*value) + " is not a whole number of 32 bits");
      return {};
    }
  }
  Document document;
  document.text = "{\"format\":\"cede-changes/1\",\"put\":{\"jobs\":[{" + members + ",\"tasks\":[{}]}]}}";
  check_document(engine, document, console);
  for (const Finding& finding : document.report.findings) {
    if (finding.warning) continue;
    // The message names the option, because the user has not seen the document.
    std::string place = finding.path;
    if (place.starts_with(kJobPlace)) place = "--" + place.substr(kJobPlace.size());
    console.fail((place.empty() ? "" : one_line(place) + ": ") + one_line(finding.text));
    return {};
  }
  made.text = std::move(document.text);
  return made;
}

}  // namespace cli
