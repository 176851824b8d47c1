// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "base/time.h"
#include "model/ids.h"

namespace cede {

// What earlier decisions leave to a request at one moment: of storm limits, and of its own patience.
struct Allowance {
  // What may still be taken within the window.
  struct Budget {
    std::int64_t left = 0;   // never below 0
    Time free_at = kNoTime;  // when there will be more than that
  };
  struct OfQueue {
    QueueId queue;  // of victims
    Budget budget;
  };
  struct OfUser {
    NameId user = kNoName;  // of victims
    Budget budget;
  };

  Time last_attempt = kNoTime;  // of the requester
  std::vector<OfQueue> queues;  // of which something was taken, or all where nothing may ever be
  std::vector<OfUser> users;    // likewise
  bool bounds_lost_work = false;
  Budget lost_work;  // of the group, in thousandths of a GPU-minute
  bool bounds_queues = false;
  bool bounds_users = false;
  std::int64_t per_queue = 0;  // for those not listed
  std::int64_t per_user = 0;

  bool bounds() const { return bounds_queues || bounds_users || bounds_lost_work; }
  Budget of_queue(QueueId queue) const {
    for (const OfQueue& each : queues) {
      if (each.queue == queue) return each.budget;
    }
    return {per_queue, kNoTime};
  }
  Budget of_user(NameId user) const {
    for (const OfUser& each : users) {
      if (each.user == user) return each.budget;
    }
    return {per_user, kNoTime};
  }
};

}  // namespace cede
