// SPDX-License-Identifier: MIT
#include <string>
#include <string_view>
#include <utility>

#include "capi/guard.h"
#include "capi/handles.h"
#include "cede/cede.h"
#include "engine/engine.h"
#include "engine/reports.h"

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

size_t cede_option_count(void) { return cede::option_specs().size(); }

const char* cede_option_name(size_t option) {
  return option < cede::option_specs().size() ? cede::option_specs()[option].name : nullptr;
}

const char* cede_option_default(size_t option) {
  return option < cede::option_specs().size() ? cede::option_specs()[option].fallback : nullptr;
}

const char* cede_option_help(size_t option) {
  return option < cede::option_specs().size() ? cede::option_specs()[option].help : nullptr;
}

namespace {

// Constant texts, made on first use and never changed. Null if memory ran out.
const cede::Catalogue* catalogue() noexcept {
  const cede::Catalogue* made = nullptr;
  cede::capi::guard(nullptr, [&] {
    static const cede::Catalogue texts = cede::make_catalogue();
    made = &texts;
    return CEDE_OK;
  });
  return made;
}

const cede::Catalogue::ProfileTexts* texts_of(size_t profile) noexcept {
  const cede::Catalogue* all = catalogue();
  return all && profile < all->profiles.size() ? &all->profiles[profile] : nullptr;
}

}  // namespace

size_t cede_profile_count(void) { return catalogue() ? catalogue()->profiles.size() : 0; }

const char* cede_profile_name(size_t profile) {
  return texts_of(profile) ? texts_of(profile)->name.c_str() : nullptr;
}

const char* cede_profile_help(size_t profile) {
  return texts_of(profile) ? texts_of(profile)->help.c_str() : nullptr;
}

size_t cede_setting_count(size_t profile) {
  return texts_of(profile) ? texts_of(profile)->settings.size() : 0;
}

const char* cede_setting_text(size_t profile, size_t setting, int32_t what) {
  const auto* texts = texts_of(profile);
  if (!texts || setting >= texts->settings.size()) return nullptr;
  if (what < 0 || static_cast<size_t>(what) >= cede::Catalogue::kColumns) return nullptr;
  return texts->settings[setting][static_cast<size_t>(what)].c_str();
}

size_t cede_schema_count(void) { return cede::schema_count(); }

const char* cede_schema_format(size_t schema) { return cede::schema_format(schema); }

int32_t cede_schema_json(const char* format, cede_text** text, cede_error* error) {
  using namespace cede::capi;
  return guard(error, [&] {
    if (!format) return missing(error, "format: NULL is not a format");
    if (!text) return missing(error, "text: NULL is not a place for the new text");
    std::string schema, why;
    if (!cede::schema_of(format, schema, why)) return tell(error, CEDE_E_UNKNOWN, "format: " + why);
    *text = new cede_text{std::move(schema)};
    return tell(error, CEDE_OK, {});
  });
}

const char* cede_text_data(const cede_text* text) { return text ? text->text.c_str() : nullptr; }

size_t cede_text_size(const cede_text* text) { return text ? text->text.size() : 0; }

void cede_text_destroy(cede_text* text) { delete text; }
