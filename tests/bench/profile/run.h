// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "profile/shapes.h"
#include "profile/times.h"

namespace bench {

// One row of the table: a shape of one size under one profile.
struct ProfileRow {
  std::string shape;
  int size = 0;
  std::string profile;
  std::string aim;
  bool many_kinds = false;  // of questions: the slow ones count
  std::size_t running_jobs = 0;
  double told_in = 0;                           // seconds until the engine knew the cluster
  Times first;                                  // the first plan of a cluster just told
  Times plan;                                   // after a change; in a batch: per ask, with its commit
  Times unchanged;                              // the same question again
  Times verify;                                 // of that plan
  Times commit;                                 // of that plan, nothing changed in between
  Times commit_changed;                         // a change between plan and commit
  std::map<std::string, std::size_t> outcomes;  // with the rule of a no
  std::size_t preempted = 0;
  std::size_t optimal = 0;      // of those
  double gap = 0;               // the largest of those not proven, as a part of the value
  std::size_t without_gap = 0;  // not proven, and nothing said about how far off
  std::size_t stale = 0;        // commits that were refused
  std::string unexpected;       // the first answer that the shape does not expect, with its reason

  // What a user waits for: the plan and its commit.
  double decision() const {
    const double part = many_kinds ? 0.99 : 0.5;
    return plan.cpu.part(part) + commit_changed.cpu.part(part);
  }
};

struct ProfileTerms {
  double seconds = 1;  // per row, once the cluster is told; every kind of question is asked once
  std::uint64_t seed = 1;
  unsigned threads = 1;
  std::string folder;  // not empty: the documents of every row go there
};

ProfileRow run(const ProfileShape& shape, const Description& description, int size,
               const ProfileTerms& terms);

}  // namespace bench
