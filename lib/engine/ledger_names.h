// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "base/cow_map.h"
#include "base/intern_table.h"
#include "sequence/ledger.h"

namespace cede {

// Owns the names that entries of the ledger use in the table of numbers, so that an action or event about a
// job has its number also when the job has left the cluster. A copy takes constant time.
class LedgerNames {
 public:
  bool empty() const { return held_.size() == 0; }
  // Whether some entry has left the ledger since its names were taken.
  bool is_behind(const Ledger& ledger) const { return held_.size() > ledger.size(); }

  // The names of an entry that is new or has a new plan.
  void take(const Entry& entry, InternTable& names);
  // Those of the whole ledger, in place of what is held.
  void take_all(const Ledger& ledger, InternTable& names);
  // Gives up the names of entries that have left the ledger.
  void drop_ended(const Ledger& ledger, InternTable& names);

 private:
  using Numbers = std::vector<std::uint32_t>;

  static void release(const Numbers& numbers, InternTable& names);

  CowMap<EntryId, Numbers> held_;
};

}  // namespace cede
