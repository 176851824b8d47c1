// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "model/named_table.h"
#include "model/rows.h"

namespace cede {

// New jobs whose rows are not in the table yet; another thread may add them, in order. Tells which names are
// taken so far and which id each job will get. Meanwhile the table itself is not read.
class PendingJobNames {
 public:
  // `names`: an upper bound of the NameIds of jobs.
  PendingJobNames(const NamedTable<JobId, JobCore>& jobs, std::size_t names)
      : taken_(names / 64 + 1), next_(jobs) {
    jobs.for_each_name([this](NameId name) { mark(name); });
  }

  bool is_taken(NameId name) const { return (taken_[name >> 6] >> (name & 63) & 1) != 0; }
  void mark(NameId name) { taken_[name >> 6] |= std::uint64_t{1} << (name & 63); }
  // Call it when all announced jobs are in the table; others may have been added too.
  void catch_up(const NamedTable<JobId, JobCore>& jobs) { next_ = NamedTable<JobId, JobCore>::NextIds(jobs); }
  JobId add(NameId name) {
    mark(name);
    return next_.take();
  }
  std::size_t live() const { return next_.live(); }

 private:
  std::vector<std::uint64_t> taken_;  // one bit per name
  NamedTable<JobId, JobCore>::NextIds next_;
};

}  // namespace cede
