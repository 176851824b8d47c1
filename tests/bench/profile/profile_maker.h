// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "decide/maker.h"

namespace bench {

// Running jobs have priorities 0 to 4, requesters 8; a running job with 9 cannot be taken. In class-cost
// these are the classes.
inline constexpr std::int32_t kRequester = 8;
inline constexpr std::int32_t kUntouchable = 9;

// A description for one profile. The requester's queue comes first; the teams that run something follow.
class ProfileMaker {
 public:
  ProfileMaker(const char* shape, const std::string& profile, int size, std::uint64_t seed,
               std::size_t teams);

  Maker& make() { return make_; }
  Description& out() { return make_.out(); }
  bool fair_share() const { return make_.out().profile == "fair-share"; }

  // A job of one of the teams.
  Description::Job& runs(std::size_t node, std::int64_t amount);
  // All GPUs of as many nodes of eight taken by jobs of one GPU.
  void fill(int nodes);
  // A waiting job of the requester's queue, all its tasks at once.
  Description::Job& asks(std::int64_t amount, std::size_t tasks);
  // Each team is guaranteed this part of what it uses, and the requester's queue what is asked for, or this
  // amount where that is more. Fair-share: jobs become operations of many tasks, and there is a backlog of
  // the requester's queue, because a job is never taken below its fair share and that of one task is never
  // less.
  Description finish(double kept, std::int64_t own = 0);

 private:
  void merge_into_operations();

  Maker make_;
  std::size_t teams_;
};

// As many GPUs as all nodes have, in thousandths.
std::int64_t capacity(const Description& description);

}  // namespace bench
