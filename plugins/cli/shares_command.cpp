// SPDX-License-Identifier: MIT
#include <array>
#include <optional>
#include <span>
#include <string>

#include "command.h"
#include "json_tree.h"
#include "load_engine.h"
#include "message_text.h"
#include "now_option.h"
#include "shares_view.h"

namespace cli {

namespace {

// The first two it needs.
constexpr std::array kSharesOptions{
    Option{"--cluster", "", "FILE", "the cluster document"},
    Option{"--policy", "", "FILE", "the policy document"},
    Option{"--group", "", "GROUP", "this group only; without it all whose profile is fair-share"},
    kNowOption,
    Option{"--json", "", "", "print one cede-shares/1 document on standard output and nothing else"},
};

int run_shares(const Arguments& arguments, Console& console) {
  for (const Option& option : std::span(kSharesOptions).first(2)) {
    if (arguments.has(option.name)) continue;
    return console.fail("shares needs " + std::string(option.name) + '=' + std::string(option.value) +
                        "; see 'cede help shares'");
  }
  const std::string cluster = *arguments.value("--cluster");
  const std::optional<std::string> policy = arguments.value("--policy");
  if (cluster == "-" && policy == cluster) return console.fail("standard input is named twice");
  const std::optional<NowOption> time = now_of(arguments, console);
  if (!time) return kError;
  const Engine engine = load_engine(policy, cluster, console);
  if (!engine) return kError;
  const std::optional<std::int64_t> now = time->of(engine, console);
  if (!now) return kError;
  const std::optional<std::string> group = arguments.value("--group");
  cede_text* made = nullptr;
  cede_error error{};
  if (cede_engine_shares(engine.get(), group ? group->c_str() : nullptr, *now, &made, &error) < 0)
    return console.fail(one_line(error.text));
  const Text text(made);
  const std::string_view document(cede_text_data(made), cede_text_size(made));
  if (arguments.has("--json")) {
    console.out(document);
    return kYes;
  }
  const std::optional<JsonNode> shares = read_tree(document);
  if (!shares) return console.fail("the library's document is not JSON");
  print_shares(*shares, console);
  return kYes;
}

}  // namespace

extern constinit const Command shares_command{
    .name = "shares",
    .summary = "show fair shares, and which jobs are below theirs or starve",
    .synopsis =
        "shares --cluster FILE --policy FILE [--group GROUP] [--now TIME]\n"
        "                   [--json]",
    .operand = "",
    .options = kSharesOptions,
    .description =
        "Shows for every queue and job of a group of profile fair-share its usage, fair\n"
        "share and demand, as parts of what the group has. For every job it shows whether\n"
        "it is below its fair share and starves, and how many of its tasks may be taken\n"
        "by starving jobs (preemptible), only by aggressively starving jobs (aggressive)\n"
        "or by no job (protected). Changes nothing. A FILE of '-' is standard input.\n"
        "\n"
        "Starvation counts from the document's below_fair_share_since; a job without it\n"
        "is below only since the document's own time.\n"
        "\n"
        "Exit status: 0 done, 2 an error.\n",
    .examples =
        "  cede shares --cluster cluster.json --policy policy.json\n"
        "  cede shares --cluster cluster.json --policy policy.json --json |\n"
        "    jq -r '.groups[].jobs[] | select(.starvation != \"non_starving\").id'\n",
    .run = run_shares,
};

}  // namespace cli
