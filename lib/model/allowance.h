// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "base/time.h"
#include "model/ids.h"

namespace cede {

// What earlier decisions still allow a request at one moment: the rest of the storm limits, and when its last
// attempt was.
struct Allowance {
  // How much may still be taken within the window.
  struct Budget {
    std::int64_t left = 0;   // never below 0
    Time free_at = kNoTime;  // when more than that becomes free
  };
  struct OfQueue {
    QueueId queue;  // the victims' queue
    Budget budget;
  };
  struct OfUser {
    NameId user = kNoName;  // the victims' user
    Budget budget;
  };

  Time last_attempt = kNoTime;  // by the requester
  std::vector<OfQueue> queues;  // queues with less than the full budget left
  std::vector<OfUser> users;    // likewise
  bool bounds_lost_work = false;
  Budget lost_work;  // of the group, in thousandths of a GPU-minute
  bool bounds_queues = false;
  bool bounds_users = false;
  std::int64_t per_queue = 0;  // for queues that are not listed
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
