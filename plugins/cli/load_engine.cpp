// SPDX-License-Identifier: MIT
#include "load_engine.h"

#include "document.h"

namespace cli {

namespace {

// False if it is not a correct document of this kind; the first error is printed.
bool usable(Document& document, std::int32_t kind, Console& console) {
  if (document.kind > 0 && document.kind != kind && document.ok()) {
    document.report.findings.push_back(
        {.path = "format",
         .text = "this is a " + document.report.format + " document, and " + format_of(kind) + " is needed"});
  }
  if (document.ok()) return true;
  print_first_error(document.report, console);
  return false;
}

}  // namespace

Engine load_engine(const std::optional<std::string>& policy_name, const std::string& cluster_name,
                   Console& console) {
  std::optional<Document> policy;
  if (policy_name) policy = open_document(*policy_name, console);
  Document cluster = open_document(cluster_name, console);
  const Engine bare = make_engine(nullptr, console);
  if (!bare) return {};
  if (policy && policy->ok() && policy->kind != CEDE_DOCUMENT_CLUSTER) check_document(bare, *policy, console);
  if (cluster.ok() && cluster.kind < 0) check_document(bare, cluster, console);
  if (policy && !usable(*policy, CEDE_DOCUMENT_POLICY, console)) return {};
  if (!usable(cluster, CEDE_DOCUMENT_CLUSTER, console)) return {};

  Engine engine = make_engine(policy ? &*policy : nullptr, console);
  if (!engine) {
    if (policy) print_first_error(policy->report, console);
    return {};
  }
  if (!load_cluster(engine, cluster, console)) {
    print_first_error(cluster.report, console);
    return {};
  }
  return engine;
}

}  // namespace cli
