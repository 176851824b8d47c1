// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "cluster.h"

namespace lives {

std::string amount_text(std::int64_t thousandths);
std::string group_json(const Group& group);
std::string queue_json(const Queue& queue);
std::string node_json(const Node& node);
std::string job_json(const Cluster& cluster, const Job& job);
std::string reservation_json(const Reservation& reservation);

// A cede-cluster/1 document.
std::string cluster_document(const Cluster& cluster, Millis now);

// What a cede-changes/1 document says: the names of what is put, as it is in the cluster, and of what is
// removed.
struct Change {
  std::vector<std::string> groups;
  std::vector<std::string> queues;
  std::vector<std::string> nodes;
  std::vector<std::string> jobs;
  std::vector<std::string> reservations;
  std::vector<std::string> removed_nodes;
  std::vector<std::string> removed_jobs;
  std::vector<std::string> removed_reservations;

  bool empty() const;
};

// What is in `real` otherwise than in `told`.
Change difference(const Cluster& real, const Cluster& told);
std::string change_document(const Cluster& cluster, const Change& change);
// Makes `told` what it is once the change was taken.
void carry_over(const Cluster& real, const Change& change, Cluster& told);

}  // namespace lives
