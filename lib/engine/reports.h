// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <string>
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

LedgerView view_of(const Sequence& sequence);

// The view as a document of format cede-in-flight/1.
std::string ledger_document(const LedgerView& view);

// When the next step is due if no event comes first. If it is due at once, this is the latest known time.
// kNoTime: never.
Time next_step(const Sequence& sequence);

}  // namespace cede
