// SPDX-License-Identifier: MIT
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "command.h"
#include "document.h"
#include "input.h"
#include "json_text.h"
#include "message_text.h"
#include "settings_table.h"

namespace cli {

namespace {

constexpr std::array kPolicyOptions{
    Option{"--profile", "", "NAME", "show this profile only"},
    Option{"--check", "", "FILE", "check a policy document instead, as 'cede check' does"},
    Option{"--json", "", "", "print one cede-profiles/1 (with --check: cede-check/1) document"},
};

// JSON member names of CEDE_SETTING_NAME to CEDE_SETTING_HELP.
constexpr std::array<const char*, 6> kSettingMembers{"name", "default", "unit", "range", "side", "help"};

std::string setting_json(std::size_t profile, std::size_t setting) {
  std::string out;
  for (std::size_t what = 0; what < kSettingMembers.size(); ++what) {
    const char* text = cede_setting_text(profile, setting, static_cast<std::int32_t>(what));
    out += (what == 0 ? "{\"" : ",\"") + std::string(kSettingMembers[what]) +
           "\":" + json_quoted(text ? text : "");
  }
  return out + '}';
}

void print_profiles_json(const std::vector<std::size_t>& profiles, Console& console) {
  console.out("{\"format\":\"cede-profiles/1\",\"profiles\":[");
  for (const std::size_t profile : profiles) {
    console.out(std::string(profile == profiles.front() ? "" : ",") +
                "\n{\"name\":" + json_quoted(cede_profile_name(profile)) +
                ",\"help\":" + json_quoted(cede_profile_help(profile)) + ",\"settings\":[");
    for (std::size_t setting = 0; setting < cede_setting_count(profile); ++setting) {
      console.out((setting == 0 ? "\n " : ",\n ") + setting_json(profile, setting));
    }
    console.out("]}");
  }
  console.out("\n]}\n");
}

void print_profiles(const std::vector<std::size_t>& profiles, Console& console) {
  for (const std::size_t profile : profiles) {
    if (profile != profiles.front()) console.out("\n");
    const std::string name = cede_profile_name(profile);
    const std::vector<std::string> lines = wrap(name + ": " + cede_profile_help(profile), console.columns());
    console.out(console.paint_out(Style::bold, name) + lines.front().substr(name.size()) + '\n');
    for (std::size_t i = 1; i < lines.size(); ++i) console.out(lines[i] + '\n');
    print_settings(profile, console);
  }
}

int check_policy(const std::string& name, bool json, Console& console) {
  Document policy = open_document(name, console);
  const Engine bare = make_engine(nullptr, console);
  if (!bare) return kError;
  const bool other = policy.kind > 0 && policy.kind != CEDE_DOCUMENT_POLICY;
  if (other) {
    policy.report.findings.push_back(
        {.path = "format",
         .text = "this is a " + policy.report.format + " document, and cede-policy/1 is needed"});
  } else if (policy.ok()) {
    check_document(bare, policy, console);
  }
  return print_reports(std::span(&policy.report, 1), json, false, console);
}

int run_policy(const Arguments& arguments, Console& console) {
  const std::optional<std::string> wanted = arguments.value("--profile");
  const std::optional<std::string> file = arguments.value("--check");
  if (wanted && file) return console.fail("policy takes --profile or --check, not both");
  if (file) return check_policy(*file, arguments.has("--json"), console);

  std::vector<std::size_t> profiles;
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < cede_profile_count(); ++i) {
    names.emplace_back(cede_profile_name(i));
    if (!wanted || *wanted == names.back()) profiles.push_back(i);
  }
  if (profiles.empty())
    return console.fail("unknown profile " + quote(*wanted) + did_you_mean_or_list(*wanted, names));
  if (arguments.has("--json")) {
    print_profiles_json(profiles, console);
  } else {
    print_profiles(profiles, console);
  }
  return kYes;
}

}  // namespace

extern constinit const Command policy_command{
    .name = "policy",
    .summary = "list profiles and their settings, or check a policy",
    .synopsis = "policy [--profile NAME] [--json]\n       cede policy --check FILE [--json]",
    .operand = "",
    .options = kPolicyOptions,
    .description =
        "Lists the profiles a policy document may name and every setting of each: its\n"
        "default, unit, range, on whose queue it is read (the requester's, the victim's\n"
        "or both) and what it does.\n"
        "\n"
        "Exit status: 0 done, 2 an error.\n",
    .examples =
        "  cede policy --profile class-cost\n"
        "  cede policy --check policy.json\n"
        "  cede policy --json | jq -r '.profiles[].name'\n",
    .run = run_policy,
};

}  // namespace cli
