// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "console.h"
#include "finding.h"
#include "handles.h"
#include "replacement.h"

namespace cli {

// A scenario is a document of the command alone: the library does not know it.
inline constexpr std::int32_t kDocumentScenario = 100;

// A document in memory, as the library takes it, and what has been found about it so far.
struct Document {
  std::string text;
  std::int32_t kind = 0;  // CEDE_DOCUMENT_..., below 0 when it is none
  Replacements replaced;
  FileReport report;

  bool ok() const { return report.ok(); }
};

// Reads, recognises and completes it with the files it names. Open all before the first engine is made.
Document open_document(const std::string& name, Console& console);

// The same for a text that is in memory already; `name` is whose it is.
Document document_of(const std::string& name, std::string text, std::int32_t kind);

// An engine with the policy, or with none. On failure empty, and the policy's report says why.
Engine make_engine(Document* policy, Console& console);

// Adds what the library finds when it is asked to take this document now.
void check_document(const Engine& engine, Document& document, Console& console);

// Makes it the engine's cluster. On failure false, and the report says why.
bool load_cluster(const Engine& engine, Document& cluster, Console& console);

// Adds what is wrong with a scenario. In plugins/local/run_command.cpp.
void check_scenario(Document& document, Console& console);

// `cede-cluster/1`
std::string format_of(std::int32_t kind);

}  // namespace cli
