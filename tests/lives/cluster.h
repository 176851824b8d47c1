// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace lives {

using Millis = std::int64_t;
using Resources = std::map<std::string, std::int64_t>;  // in thousandths

// Where a task is, or is to go.
struct Place {
  std::string node;
  std::uint64_t gpus = 0;  // whole devices
  std::uint32_t share = 0;
  std::uint32_t share_device = 0;
  bool devices_known = true;

  bool operator==(const Place&) const = default;
};

// Whether a place has room on its node's devices beside others on the same node; shares of one device add up.
bool has_room(const Place& place, const std::vector<Place>& others);

struct Task {
  std::string id;
  Resources resources;
  std::string required_node;
  bool placed = false;
  Place place;            // the devices it really uses, also where nobody tells which
  Millis started = 0;     // by a clock that may have been set back
  std::uint64_t run = 0;  // never used twice
  bool tells_devices = true;

  bool operator==(const Task&) const = default;
};

struct Job {
  std::string id;
  std::string queue;
  std::string group;
  std::string app;
  std::string user;
  std::string kind;         // empty: the queue's
  std::string preemptible;  // JSON; empty: not stated
  std::string may_preempt;
  std::string require;  // JSON object
  int priority = 0;
  int job_class = 4;
  int gang = -1;  // -1: the profile's default
  int min_tasks = 0;
  int checkpoint = 0;          // CEDE_CHECKPOINT_...; 0: not stated
  int checkpoint_timeout = 0;  // seconds
  Millis submitted = 0;
  Millis started = 0;
  Millis below_fair_share = 0;
  Millis walltime = 0;
  int preempted = 0;
  bool interruptible = false;
  bool resume = false;
  bool counted = false;  // its waiting tasks are told as one entry with a count
  std::vector<Task> tasks;

  bool runs() const;
  bool waits() const;
  Task* find(const std::string& task);
  const Task* find(const std::string& task) const;
  bool operator==(const Job&) const = default;
};

struct Node {
  std::string id;
  std::string group;
  std::string state = "up";
  std::string topology;  // empty: none
  std::string domain;    // empty: none
  std::string home;      // a queue; empty: nobody's
  std::string fingerprint;
  Resources resources;
  bool tells_devices = true;  // false: tasks are told without the devices they use

  // Whether the task, which runs here, is told with its devices.
  bool tells_devices_of(const Task& task) const;
  // Devices that can be named: those of the topology, else as many as there are GPUs.
  std::uint32_t devices() const;
  bool operator==(const Node&) const = default;
};

struct Group {
  std::string id;
  std::string policy;
  Resources resources;

  bool operator==(const Group&) const = default;
};

struct Queue {
  std::string id;
  std::string parent;
  std::string kind;
  std::string settings;  // JSON members
  Resources guaranteed;
  Resources max;
  int weight = 1;
  std::string fence;  // "default", "fence", "disabled"
  int delay = 1;      // seconds

  bool operator==(const Queue&) const = default;
};

struct Reservation {
  std::string id;
  std::string node;
  std::string queue;  // for whom; empty: nobody
  Millis from = 0;
  Millis until = 0;

  bool operator==(const Reservation&) const = default;
};

// The topologies every cluster has, by name, and their devices.
extern const std::map<std::string, std::uint32_t> kTopologies;

struct Cluster {
  std::map<std::string, Group> groups;
  std::map<std::string, Queue> queues;
  std::map<std::string, Node> nodes;
  std::map<std::string, Job> jobs;
  std::map<std::string, Reservation> reservations;
  bool exact_times = false;  // times are told to the millisecond

  const Node* node(const std::string& id) const;
  Job* job(const std::string& id);
  const Job* job(const std::string& id) const;
  bool is_below(const std::string& queue, const std::string& root) const;
  std::string kind_of(const Job& job) const;
  bool is_sensitive(const Job& job) const;
  // Whether the group counts it; then no node does.
  bool by_group(const std::string& group, const std::string& resource) const;
  bool operator==(const Cluster&) const = default;
};

// The tasks that are placed, with their jobs.
struct Running {
  const Job* job;
  const Task* task;
};
std::vector<Running> running_on(const Cluster& cluster, const std::string& node);

}  // namespace lives
