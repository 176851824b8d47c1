// SPDX-License-Identifier: MIT
#include "cede/cede.h"
#include "engine/options.h"

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
