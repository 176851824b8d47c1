// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "console.h"
#include "finding.h"
#include "handles.h"
#include "replacement.h"

namespace cli {

// Only the command reads scenarios; the library does not know this kind.
inline constexpr std::int32_t kDocumentScenario = 100;

// A document in memory and what has been found about it so far.
struct Document {
  std::string text;
  std::int32_t kind = 0;  // CEDE_DOCUMENT_..., below 0 if it is not known
  Replacements replaced;
  FileReport report;

  bool ok() const { return report.ok(); }
};

// Reads a document, recognises its kind and inserts the files it names. Call this before any engine is made.
Document open_document(const std::string& name, Console& console);

// The same for a text that is already in memory; `name` appears in messages.
Document document_of(const std::string& name, std::string text, std::int32_t kind);

// An engine with or without a policy. If that fails, the result is empty and the policy's report says why.
Engine make_engine(Document* policy, Console& console);

// Adds what the library finds when it checks this document.
void check_document(const Engine& engine, Document& document, Console& console);

// Loads it into the engine. False if that fails; the report says why.
bool load_cluster(const Engine& engine, Document& cluster, Console& console);

// Adds what is wrong with a scenario. In plugins/local/run_command.cpp.
void check_scenario(Document& document, Console& console);

// `cede-cluster/1`
std::string format_of(std::int32_t kind);

}  // namespace cli
