// SPDX-License-Identifier: MIT
#include "engine/options.h"

#include <array>
#include <charconv>
#include <vector>

#include "base/text.h"
#include "model/job_rows.h"

namespace cede {

namespace {

template <std::uint64_t Limits::*kMember>
std::uint64_t& limit(Options& options) {
  return options.limits.*kMember;
}

constexpr std::uint64_t kMillion = 1'000'000;
constexpr std::uint64_t kMostTasksPerJob = 1000 * kMillion;
static_assert(kMostTasksPerJob <= kMaxTaskCount, "a task row could not hold the count");

// The defaults equal those of Limits; a test checks that.
constexpr std::array<OptionSpec, 20> kOptions{{
    {"max_document_bytes", "1073741824", "largest document, in bytes", 1, std::uint64_t{1} << 40,
     limit<&Limits::max_document_bytes>},
    {"max_nesting", "32", "how deep objects and lists may nest in a document", 8, 256,
     limit<&Limits::max_nesting>},
    {"max_nodes", "1000000", "most nodes of a cluster", 1, 100 * kMillion, limit<&Limits::max_nodes>},
    {"max_jobs", "4000000", "most jobs of a cluster", 1, 100 * kMillion, limit<&Limits::max_jobs>},
    {"max_tasks", "16000000", "most entries of 'tasks' over all jobs", 1, 1000 * kMillion,
     limit<&Limits::max_tasks>},
    {"max_tasks_per_job", "1000000", "most tasks of one job, every 'count' written out", 1, kMostTasksPerJob,
     limit<&Limits::max_tasks_per_job>},
    {"max_queues", "65536", "most queues", 1, kMillion, limit<&Limits::max_queues>},
    {"max_queue_depth", "64", "how deep the tree of queues may be", 1, 1000, limit<&Limits::max_queue_depth>},
    {"max_resources", "256", "most distinct resource names since the last load", 1, 4096,
     limit<&Limits::max_resources>},
    {"max_groups", "4096", "most groups of nodes", 1, kMillion, limit<&Limits::max_groups>},
    {"max_levels", "16", "most network levels", 1, 64, limit<&Limits::max_levels>},
    {"max_domains", "262144", "most network domains", 1, 10 * kMillion, limit<&Limits::max_domains>},
    {"max_reservations", "65536", "most reservations", 1, kMillion, limit<&Limits::max_reservations>},
    {"max_topologies", "4096", "most node topologies", 1, kMillion, limit<&Limits::max_topologies>},
    {"max_labels", "64", "most labels, or fingerprint components, of one node", 1, 4096,
     limit<&Limits::max_labels>},
    {"max_list", "100000", "most entries of any other list in a document", 1, 10 * kMillion,
     limit<&Limits::max_list>},
    {"max_site_bytes", "65536", "most bytes of the x- fields of one object", 0, 16 * kMillion,
     limit<&Limits::max_site_bytes>},
    {"max_findings", "20", "most mistakes told about one document", 1, 10000, limit<&Limits::max_findings>},
    {"threads", "0",
     "threads one decision or one large array of jobs may use; 0: as many as the machine allows", 0, 1024,
     [](Options& options) -> std::uint64_t& { return options.threads; }},
    {"audit", "0",
     "1: after every change, count from first principles that nothing is promised twice; a change after "
     "which "
     "something is fails as internal and is taken back; slow, for tests",
     0, 1, [](Options& options) -> std::uint64_t& { return options.audit; }},
}};

}  // namespace

std::span<const OptionSpec> option_specs() { return kOptions; }

Status set_option(Options& options, std::string_view text, std::string& why) {
  const std::size_t equals = text.find('=');
  const std::string_view name = text.substr(0, equals);
  if (equals == std::string_view::npos) {
    why = "option " + quote(text) + " is not of the form name=value";
    return Status::invalid;
  }
  for (const OptionSpec& spec : kOptions) {
    if (name != spec.name) continue;
    const std::string_view digits = text.substr(equals + 1);
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{} || end != digits.data() + digits.size() || value < spec.min ||
        value > spec.max) {
      why = "option " + std::string(name) + ": " + quote(digits) + " is not a whole number in " +
            std::to_string(spec.min) + ".." + std::to_string(spec.max);
      return Status::invalid;
    }
    spec.in(options) = value;
    return Status::ok;
  }
  std::vector<std::string_view> names;
  for (const OptionSpec& spec : kOptions) names.emplace_back(spec.name);
  why = "unknown option " + quote(name) + did_you_mean(name, names);
  return Status::unknown;
}

}  // namespace cede
