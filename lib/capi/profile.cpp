// SPDX-License-Identifier: MIT
#include "capi/guard.h"
#include "engine/catalogue.h"

namespace {

// Made on first use and then never changed: constant texts, not state. Null when memory ran out.
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
