// SPDX-License-Identifier: MIT
#pragma once

#include <cede/cede.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace bench {

inline constexpr std::int64_t kNow = 1'760'000'000'000;
inline constexpr std::int64_t kSecond = 1'000;
inline constexpr std::int64_t kMinute = 60'000;

// A cluster as the shapes describe it: plain structs, which the engine takes through the typed door and the
// strategies to compare with read as they are.
struct Description {
  struct Node {
    std::string name;
    std::int64_t capacity = 0;  // of the one resource that is short, in thousandths
    std::string leaf;           // empty: no network
  };
  struct Queue {
    std::string name;             // below the root
    std::int64_t guaranteed = 0;  // of the resource that is short; 0: nothing
    std::int64_t max = 0;         // 0: no limit
  };
  struct Task {
    std::uint32_t node = 0;  // running: where; waiting: unused
    std::int64_t amount = 0;
    std::uint64_t devices = 0;  // those it names
    std::int64_t since = 0;     // running: started; 0: with its job
  };
  struct Job {
    std::string name;
    bool running = false;
    std::int32_t priority = 0;  // in profile class-cost the class too
    std::int64_t since = kNow;  // started, or submitted
    std::vector<Task> tasks;    // waiting ones: those of equal amount one after the other
    std::string require;        // JSON, or empty
    bool checkpoints = false;
    std::size_t queue = 0;  // 0: the root, n: the n-th of `queues`
    bool gang = false;      // false: as the profile has it
    bool starving = false;  // waiting: below its fair share since it waits
    // As a site knows its jobs; 0: not said.
    std::uint32_t owner = 0;  // user and project are named after it
    std::int64_t walltime = 0;
  };

  std::string shape;  // k8s-basic/same
  std::string size;   // 1000 nodes
  std::string resource = "cpu";
  std::vector<std::pair<std::string, std::int64_t>> further;  // on every node and task, never short
  std::string profile = "priority";
  std::string settings;  // of the policy, JSON members
  std::vector<std::string> levels;
  std::vector<Queue> queues;
  std::vector<Node> nodes;
  std::vector<Job> jobs;
  std::vector<std::string> asked;  // jobs to decide, in this order; "relief:queue:q" for relief

  std::string policy() const;
  std::size_t running_tasks() const;
};

// The names that an owner's number stands for.
std::string user_name(std::uint32_t owner);
std::string project_name(std::uint32_t owner);

// How much an engine is told when it is made.
enum class Told { nodes, everything };

// An engine told of it, with the numbers it gave out.
class Cluster {
 public:
  Cluster(const Description& description, unsigned threads, Told told = Told::everything);
  ~Cluster();
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;

  cede_engine* engine() const { return engine_; }
  std::uint32_t number(std::string_view name);
  // Of the nodes in the order of the description.
  const std::vector<std::uint32_t>& node_numbers() const { return node_numbers_; }

  // One change: the jobs with all their tasks. `into` may be a copy of the engine.
  void put(const std::vector<const Description::Job*>& jobs) { put(jobs, engine_); }
  void put(const std::vector<const Description::Job*>& jobs, cede_engine* into);
  // In two steps: a manager has its arrays, with the numbers of names in them, before it sends them.
  void prepare(const std::vector<const Description::Job*>& jobs);
  void send(cede_engine* into);
  void put_all_jobs();
  void name_all_jobs();
  std::vector<const Description::Job*> all_jobs() const;
  void remove(const std::vector<std::uint32_t>& names);
  // The job as running where the plan puts it.
  void start(const Description::Job& job, const cede_plan* plan);

  // The seconds it took to tell it all.
  double seconds = 0;
  // What it holds by now; without names, of which those of nodes are kept twice: with all that the caller
  // named, and with those that are no jobs'.
  std::size_t bytes() const;
  std::size_t bytes_without_names() const;

 private:
  void check(std::int32_t status) const;
  struct Owner {
    std::uint32_t user = 0;
    std::uint32_t project = 0;
  };
  Owner owner(std::uint32_t number);
  std::uint32_t number_of(const Description::Job& job);
  std::uint32_t resources(std::int64_t amount);
  std::uint32_t limit(std::int64_t amount);
  std::uint32_t requirement(const std::string& text);
  void append(const Description::Job& job);
  void put_queues();
  void put_nodes();

  const Description& description_;
  std::size_t bytes_before_ = 0;
  std::size_t bytes_of_names_ = 0;
  std::size_t bytes_of_node_names_ = 0;
  cede_engine* engine_ = nullptr;
  mutable cede_error error_{};
  std::unordered_map<std::int64_t, std::uint32_t> shapes_;
  std::int64_t last_amount_ = -1;
  std::uint32_t last_shape_ = 0;
  std::unordered_map<std::string, std::uint32_t> requirements_;
  std::vector<std::uint32_t> node_numbers_;
  std::vector<std::uint32_t> job_numbers_;  // of the description's jobs, once they were asked for
  std::vector<Owner> owners_;
  std::vector<std::uint32_t> queue_numbers_;  // the root first
  std::uint32_t group_ = 0;
  std::vector<cede_job> jobs_;
  std::vector<cede_task> tasks_;
};

}  // namespace bench
