// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "base/amount.h"
#include "base/text.h"
#include "model/node_class.h"

namespace cede {

// The largest inputs that an engine accepts. Each is an option of the same name (see engine/options), so that
// a site can lower it. Loading time grows linearly up to each limit.
struct Limits {
  std::uint64_t max_document_bytes = std::uint64_t{1} << 30;
  std::uint64_t max_nesting = 32;
  std::uint64_t max_nodes = 1'000'000;
  std::uint64_t max_jobs = 4'000'000;
  std::uint64_t max_tasks = 16'000'000;         // entries of `tasks` over all jobs
  std::uint64_t max_tasks_per_job = 1'000'000;  // tasks of a job with every `count` expanded
  std::uint64_t max_queues = 65'536;
  std::uint64_t max_queue_depth = 64;
  std::uint64_t max_resources = 256;  // distinct names since the last load; changes release none
  std::uint64_t max_groups = 4'096;
  std::uint64_t max_levels = 16;
  std::uint64_t max_domains = 262'144;
  std::uint64_t max_reservations = 65'536;
  std::uint64_t max_topologies = 4'096;
  std::uint64_t max_labels = 64;          // per node, and components per fingerprint
  std::uint64_t max_list = 100'000;       // entries of any other list
  std::uint64_t max_site_bytes = 65'536;  // all `x-` fields of one object
  std::uint64_t max_findings = 20;
};

static_assert(kMaxDevices == 64 && kMaxNameBytes == 1024, "documented in the manual beside the options");

// The ranges of single values, in documents and arrays alike.
inline constexpr std::int64_t kMaxClass = 10;
inline constexpr std::int64_t kMaxMinTasks = 1'000'000;
inline constexpr std::int64_t kMaxPreemptedCount = 2'000'000'000;
inline constexpr std::int64_t kWholeShare = 1'000'000'000'000;  // of `fair_share`, in 10^-12
inline constexpr std::int64_t kMaxValue =
    1'000'000'000'000'000;  // thousandths of a minute: two million years
inline constexpr Amount kMaxWeight = 1'000'000 * kOne;

}  // namespace cede
