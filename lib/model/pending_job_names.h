// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "model/job_rows.h"
#include "model/named_table.h"

namespace cede {

// New jobs whose rows are yet to be added to the table, in their order and perhaps by another thread: which
// names are taken by now, and the id each will have. While that goes on the table itself is not asked.
class PendingJobNames {
 public:
  // `names`: a bound for those of jobs.
  PendingJobNames(const NamedTable<JobId, JobCore>& jobs, std::size_t names)
      : taken_(names / 64 + 1), next_(jobs) {
    jobs.for_each_name([this](NameId name) { mark(name); });
  }

  bool is_taken(NameId name) const { return (taken_[name >> 6] >> (name & 63) & 1) != 0; }
  void mark(NameId name) { taken_[name >> 6] |= std::uint64_t{1} << (name & 63); }
  // All that came are in the table, and others may have been added there by others.
  void catch_up(const NamedTable<JobId, JobCore>& jobs) { next_ = NamedTable<JobId, JobCore>::NextIds(jobs); }
  JobId add(NameId name) {
    mark(name);
    return next_.take();
  }
  std::size_t live() const { return next_.live(); }

 private:
  std::vector<std::uint64_t> taken_;  // a bit for each name
  NamedTable<JobId, JobCore>::NextIds next_;
};

}  // namespace cede
