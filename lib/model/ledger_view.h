// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "model/node_class.h"

namespace cede {

// The decisions in flight as plain data for reports.
struct LedgerView {
  struct Victim {
    std::string job;
    std::vector<std::string> tasks;
    std::vector<std::string> nodes;  // where each of them runs or ran
    std::string_view phase;
    std::int32_t phase_number = 0;  // in the order of the phases, from 0; the same for results
    std::string_view exit_result;   // empty: not released
    std::int32_t exit_number = 0;
    Time deadline = kNoTime;  // when the phase ends by itself
  };
  struct Place {
    std::string task;
    std::string node;
    DeviceMask gpus = 0;
    std::uint32_t share_device = kMaxDevices;
    std::uint32_t share = 0;
    bool devices_known = true;
    bool whole_node = false;
  };
  struct Entry {
    std::uint64_t id = 0;
    std::uint64_t plan = 0;  // the revision the plan was made on
    std::string_view state;
    std::int32_t state_number = 0;  // in the order of the states, from 0
    std::string_view requester_kind;
    std::int32_t requester_number = 0;
    std::string requester;
    std::string cause;
    Time committed = kNoTime;
    Time deadline = kNoTime;  // of the wait, or of the hold once it is ready
    bool has_hold = false;
    std::vector<Victim> victims;
    std::vector<Place> placement;
  };

  Time now = kNoTime;
  Time next_due = kNoTime;
  std::vector<Entry> entries;
};

}  // namespace cede
