// SPDX-License-Identifier: MIT
#include <string_view>

#include "cede/cede.h"

#define CEDE_QUOTE_(x) #x
#define CEDE_QUOTE(x) CEDE_QUOTE_(x)

uint32_t cede_version(void) { return CEDE_VERSION; }

const char* cede_version_text(void) {
  return CEDE_QUOTE(CEDE_VERSION_MAJOR) "." CEDE_QUOTE(CEDE_VERSION_MINOR) "." CEDE_QUOTE(CEDE_VERSION_PATCH);
}

int32_t cede_has_feature(const char* name) {
  if (!name) return 0;
  for (const std::string_view known :
       {"documents", "check", "hwloc-xml", "plan", "admit", "relief", "claims", "nccl-xml", "slurm-topology",
        "topology", "shares", "sequence", "arrays", "batch"}) {
    if (known == name) return 1;
  }
  return 0;
}

const char* cede_status_name(int32_t status) {
  switch (status) {
    case CEDE_OK: return "CEDE_OK";
    case CEDE_REMARK_WARNINGS: return "CEDE_REMARK_WARNINGS";
    case CEDE_E_INVALID: return "CEDE_E_INVALID";
    case CEDE_E_DOCUMENT: return "CEDE_E_DOCUMENT";
    case CEDE_E_LIMIT: return "CEDE_E_LIMIT";
    case CEDE_E_VERSION: return "CEDE_E_VERSION";
    case CEDE_E_NOMEM: return "CEDE_E_NOMEM";
    case CEDE_E_INTERNAL: return "CEDE_E_INTERNAL";
    case CEDE_E_UNKNOWN: return "CEDE_E_UNKNOWN";
    case CEDE_E_STALE: return "CEDE_E_STALE";
    case CEDE_E_DAMAGED: return "CEDE_E_DAMAGED";
    default: return "CEDE_E_?";
  }
}
