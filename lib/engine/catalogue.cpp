// SPDX-License-Identifier: MIT
#include "engine/catalogue.h"

#include "policy/settings/setting_text.h"

namespace cede {

Catalogue make_catalogue() {
  Catalogue catalogue;
  for (std::size_t p = 0; p < kProfiles.size(); ++p) {
    const auto profile = static_cast<Profile>(p);
    Catalogue::ProfileTexts texts{std::string(kProfiles[p]), std::string(facts(profile).help), {}};
    for (const SettingSpec& spec : settings_of(profile)) {
      texts.settings.push_back({std::string(spec.name), show_default(spec),
                                std::string(to_word(spec.unit, kSettingUnits)), show_range(spec),
                                std::string(to_word(spec.side, kSettingSides)), std::string(spec.help)});
    }
    catalogue.profiles.push_back(std::move(texts));
  }
  return catalogue;
}

}  // namespace cede
