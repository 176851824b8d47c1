// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "model/ledger_view.h"
#include "sequence/sequence.h"

namespace cede {

// The texts of `cede policy`, made once from the tables of settings and kept for the life of the library.
struct Catalogue {
  static constexpr std::size_t kColumns = 6;  // name, default, unit, range, side, help
  struct ProfileTexts {
    std::string name;
    std::string help;
    std::vector<std::array<std::string, kColumns>> settings;
  };
  std::vector<ProfileTexts> profiles;
};

Catalogue make_catalogue();

// The formats whose JSON Schema the library knows. Null beyond the last.
std::size_t schema_count();
const char* schema_format(std::size_t schema);
// False if there is no such format; `why` says which there are.
bool schema_of(std::string_view format, std::string& text, std::string& why);

LedgerView view_of(const Sequence& sequence);

// The view as a document of format cede-in-flight/1.
std::string ledger_document(const LedgerView& view);

// When the next step is due if no event comes first. If it is due at once, this is the latest known time.
// kNoTime: never.
Time next_step(const Sequence& sequence);

}  // namespace cede
