// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "command.h"
#include "message_text.h"
#include "schemas.h"

namespace cli {

namespace {

int run_schema(const Arguments& arguments, Console& console) {
  const std::vector<std::string_view> known = schema_formats();
  if (arguments.operands().empty()) {
    for (const std::string_view format : known) console.out(std::string(format) + '\n');
    return kYes;
  }
  if (arguments.operands().size() > 1) return console.fail("schema takes one format at a time");
  const std::string& format = arguments.operands().front();
  if (std::find(known.begin(), known.end(), format) == known.end())
    return console.fail(quote(format) + " is not a format with a schema" +
                        did_you_mean_or_list(format, known));
  std::string fault;
  const std::string text = schema_text(format, fault);
  if (!fault.empty()) return console.fail(fault);
  console.out(text);
  return kYes;
}

}  // namespace

extern constinit const Command schema_command{
    .name = "schema",
    .summary = "print the JSON Schema of a document, for editors",
    .synopsis = "schema [FORMAT]",
    .operand = "FORMAT",
    .options = {},
    .description =
        "Prints the JSON Schema (draft 2020-12) of a format of documents; without FORMAT\n"
        "the formats that have one. An editor that knows JSON Schema completes and\n"
        "checks documents with it. It is made from the tables that read the documents.\n"
        "What a schema cannot say, such as names that must exist, 'cede check' checks.\n"
        "\n"
        "Exit status: 0 done, 2 an error.\n",
    .examples =
        "  cede schema cede-policy/1 > cede-policy.json\n"
        "  cede schema | xargs -n1 echo\n",
    .run = run_schema,
};

}  // namespace cli
