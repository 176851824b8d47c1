// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/handles.h"

namespace local {

// Where a task runs or will run.
struct Place {
  std::string task;
  std::string node;
  cede_place devices{};
};

// An action the library asks for, with the names it refers to.
struct EngineAction {
  cede_action fields{};
  std::string job;
  std::string preemptor;
  std::string cause;
  std::vector<std::string> tasks;
  std::vector<Place> places;
};

// An event for the library.
struct EngineEvent {
  std::int32_t kind = 0;
  std::string job{};
  std::string task{};
  std::uint64_t action = 0;
  std::int64_t length = 0;
  std::int32_t code = 0;
  std::string text{};
  std::uint64_t entry = 0;
  std::string node{};
};

// An entry of the library's ledger, for the view.
struct LedgerEntry {
  cede_entry fields{};
  std::string requester;
  std::string cause;
  std::vector<std::pair<std::string, std::string>> victims;  // job and phase
};

// Wraps one engine. Errors are texts; an empty text means success.
class Library {
 public:
  std::string open(const std::string& policy);
  std::string load(const std::string& cluster);
  std::string apply(const std::string& changes);

  cli::Admission admit(const std::string& job, const std::string& changes, std::string& fault) const;
  cli::Plan plan(const std::string& job, std::int64_t now, const std::vector<std::string>& terms,
                 std::string& fault) const;
  // One plan per job, in this order, each as if those before it were committed; none on a fault.
  std::vector<cli::Plan> plan_batch(const std::vector<std::string>& jobs, std::int64_t now,
                                    const std::vector<std::string>& terms, std::string& fault) const;
  cli::Plan plan_relief(const std::string& target, const std::string& group, bool partial, std::int64_t now,
                        std::string& fault) const;
  cli::Plan plan_claim(const std::string& queue, const std::vector<std::string>& nodes,
                       const std::string& reason, std::int64_t now, std::string& fault) const;
  // Whether the target stays within its limits if the entry, which relieves it, is cancelled.
  bool is_within_without(std::uint64_t entry, const std::string& target, const std::string& group,
                         std::int64_t now) const;
  // 0 if the plan is stale.
  std::uint64_t commit(const cli::Plan& plan, std::int64_t now, std::int64_t micros, std::string& fault);
  std::string extend(std::uint64_t entry, const cli::Plan& plan, std::int64_t now);
  void give_up(std::uint64_t entry, std::int64_t now);
  void cancel(std::uint64_t entry, std::int64_t now);

  // Actions in the order of their numbers; `due` is when the next step is, -1 for never.
  std::string step(std::int64_t now, const std::vector<EngineEvent>& events,
                   std::vector<EngineAction>& actions, std::int64_t& due);
  std::vector<LedgerEntry> in_flight() const;
  std::string save(std::string& state) const;
  std::string restore(const std::string& state);
  std::string metrics() const;

 private:
  cli::Engine engine_;
};

}  // namespace local
