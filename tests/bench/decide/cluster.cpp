// SPDX-License-Identifier: MIT
#include "decide/cluster.h"

#include <malloc.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>

#include "decide/measure.h"

namespace bench {

std::string Description::policy() const {
  return R"({"format":"cede-policy/1","policies":{"default":{"profile":")" + profile + R"(","settings":{)" +
         settings + "}}}}";
}

std::size_t Description::running_tasks() const {
  std::size_t count = 0;
  for (const Job& job : jobs) count += job.running ? job.tasks.size() : 0;
  return count;
}

std::string user_name(std::uint32_t owner) { return "user" + std::to_string(owner); }
std::string project_name(std::uint32_t owner) { return "p" + std::to_string(owner % 60); }

namespace {

std::size_t in_use() {
  const auto info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

}  // namespace

Cluster::Cluster(const Description& description, unsigned threads, Told told) : description_(description) {
  const std::string policy = description.policy();
  const std::string option = "threads=" + std::to_string(threads);
  const char* options[] = {option.c_str()};
  check(cede_engine_create(policy.data(), policy.size(), options, 1, CEDE_VERSION, &engine_, &error_));
  bytes_before_ = in_use();
  const Clock clock;
  queue_numbers_ = {number("root")};
  for (const Description::Queue& queue : description.queues) queue_numbers_.push_back(number(queue.name));
  group_ = number("g");
  for (const Description::Node& node : description.nodes) number(node.name);
  bytes_of_node_names_ = in_use() - bytes_before_;
  if (told == Told::everything) name_all_jobs();
  bytes_of_names_ = in_use() - bytes_before_;
  put_nodes();
  if (told == Told::everything) put_all_jobs();
  seconds = clock.seconds();
}

std::size_t Cluster::bytes() const { return in_use() - bytes_before_; }
std::size_t Cluster::bytes_without_names() const { return bytes() - bytes_of_names_ - bytes_of_node_names_; }

std::vector<const Description::Job*> Cluster::all_jobs() const {
  std::vector<const Description::Job*> all;
  for (const Description::Job& job : description_.jobs) all.push_back(&job);
  return all;
}

void Cluster::name_all_jobs() {
  std::vector<const char*> texts;
  std::vector<std::size_t> sizes;
  texts.reserve(description_.jobs.size());
  sizes.reserve(description_.jobs.size());
  for (const Description::Job& job : description_.jobs) {
    texts.push_back(job.name.data());
    sizes.push_back(job.name.size());
  }
  job_numbers_.resize(texts.size());
  check(cede_engine_names(engine_, texts.data(), sizes.data(), texts.size(), job_numbers_.data(), &error_));
}

// As a manager keeps it beside its record of the job.
std::uint32_t Cluster::number_of(const Description::Job& job) {
  const std::less<> before;
  const Description::Job* const first = description_.jobs.data();
  const bool its_own = !before(&job, first) && before(&job, first + description_.jobs.size());
  const auto index = static_cast<std::size_t>(its_own ? &job - first : 0);
  return its_own && index < job_numbers_.size() ? job_numbers_[index] : number(job.name);
}

void Cluster::put_all_jobs() {
  put(all_jobs());
  // Not the engine's: they are not to be counted.
  std::vector<cede_job>().swap(jobs_);
  std::vector<cede_task>().swap(tasks_);
}

Cluster::~Cluster() { cede_engine_destroy(engine_); }

void Cluster::check(std::int32_t status) const {
  if (status >= 0) return;
  std::fprintf(stderr, "%s %s: %s\n", description_.shape.c_str(), description_.size.c_str(), error_.text);
  std::exit(1);
}

std::uint32_t Cluster::number(std::string_view name) {
  std::uint32_t out = 0;
  check(cede_engine_name(engine_, name.data(), name.size(), &out, &error_));
  return out;
}

Cluster::Owner Cluster::owner(std::uint32_t number_of) {
  if (number_of >= owners_.size()) owners_.resize(number_of + 1);
  Owner& owner = owners_[number_of];
  if (owner.user == 0) owner = {number(user_name(number_of)), number(project_name(number_of))};
  return owner;
}

std::uint32_t Cluster::resources(std::int64_t amount) {
  if (amount == last_amount_) return last_shape_;
  const auto [known, added] = shapes_.try_emplace(amount, 0);
  if (added) {
    std::vector<cede_amount> amounts{{amount, number(description_.resource), 0}};
    for (const auto& [name, each] : description_.further) amounts.push_back({each, number(name), 0});
    check(cede_engine_resources(engine_, amounts.data(), sizeof amounts[0], amounts.size(), &known->second,
                                &error_));
  }
  last_amount_ = amount;
  last_shape_ = known->second;
  return last_shape_;
}

std::uint32_t Cluster::requirement(const std::string& text) {
  if (text.empty()) return 0;
  const auto [known, added] = requirements_.try_emplace(text, 0);
  if (added) {
    check(
        cede_engine_part(engine_, CEDE_PART_REQUIREMENT, text.data(), text.size(), &known->second, &error_));
  }
  return known->second;
}

// Of the one resource that is short, without what else every task holds.
std::uint32_t Cluster::limit(std::int64_t amount) {
  if (amount == 0) return 0;
  const cede_amount only{amount, number(description_.resource), 0};
  std::uint32_t out = 0;
  check(cede_engine_resources(engine_, &only, sizeof only, 1, &out, &error_));
  return out;
}

void Cluster::put_queues() {
  std::vector<cede_queue> queues(queue_numbers_.size());
  for (std::size_t q = 0; q < queues.size(); ++q) {
    queues[q].name = queue_numbers_[q];
    if (q == 0) continue;
    queues[q].parent = queue_numbers_[0];
    queues[q].guaranteed = limit(description_.queues[q - 1].guaranteed);
    queues[q].max = limit(description_.queues[q - 1].max);
  }
  check(cede_engine_put_queues(engine_, queues.data(), sizeof(cede_queue), queues.size(), &error_));
}

void Cluster::put_nodes() {
  check(cede_engine_set_now(engine_, kNow, &error_));
  const cede_group group{group_, 0, 0, 0};
  check(cede_engine_put_groups(engine_, &group, sizeof group, 1, &error_));
  put_queues();
  std::vector<std::uint32_t> levels;
  for (const std::string& level : description_.levels) levels.push_back(number(level));
  check(cede_engine_put_levels(engine_, levels.data(), levels.size(), &error_));
  std::map<std::string, cede_domain> leaves;
  std::vector<cede_node> nodes;
  // What is never short on a node is there a thousand times over.
  std::vector<cede_amount> amounts{{0, number(description_.resource), 0}};
  for (const auto& [name, each] : description_.further) amounts.push_back({each * 1000, number(name), 0});
  std::unordered_map<std::int64_t, std::uint32_t> shapes;
  for (const Description::Node& from : description_.nodes) {
    cede_node node{};
    node.name = number(from.name);
    std::uint32_t& shape = shapes[from.capacity];
    if (shape == 0) {
      amounts[0].amount = from.capacity;
      check(
          cede_engine_resources(engine_, amounts.data(), sizeof amounts[0], amounts.size(), &shape, &error_));
    }
    node.resources = shape;
    if (!from.leaf.empty()) {
      node.domain = number(from.leaf);
      leaves[from.leaf] = {node.domain, levels[0], 0, 0};
    }
    node_numbers_.push_back(node.name);
    nodes.push_back(node);
  }
  std::vector<cede_domain> domains;
  for (const auto& [name, domain] : leaves) domains.push_back(domain);
  check(cede_engine_put_domains(engine_, domains.data(), sizeof(cede_domain), domains.size(), &error_));
  check(cede_engine_put_nodes(engine_, nodes.data(), sizeof(cede_node), nodes.size(), &error_));
}

void Cluster::append(const Description::Job& from) {
  cede_job& job = jobs_.emplace_back();
  job.name = number_of(from);
  job.queue = queue_numbers_[from.queue];
  if (from.gang) job.gang = CEDE_YES;
  if (from.starving) job.below_fair_share_since = from.since;
  job.priority = from.priority;
  job.zero = CEDE_ZERO_PRIORITY;
  if (description_.profile == "class-cost") {
    job.job_class = from.priority;
    job.zero |= CEDE_ZERO_CLASS;
  }
  job.state = from.running ? CEDE_JOB_RUNNING : CEDE_JOB_PENDING;
  (from.running ? job.started : job.submitted) = from.since;
  job.require = requirement(from.require);
  if (from.owner != 0) {
    const Owner whose = owner(from.owner);
    job.user = whose.user;
    job.project = whose.project;
    job.group = group_;
    job.kind = CEDE_KIND_TRAINING;
  }
  job.walltime = from.walltime;
  if (from.checkpoints) {
    job.checkpoint_mode = CEDE_CHECKPOINT_AUTO;
    job.checkpoint_last = from.since;
    job.checkpoint_estimate = kMinute;
  }
  if (from.running) {
    for (const Description::Task& task : from.tasks) {
      cede_task& out = tasks_.emplace_back();
      out.node = node_numbers_[task.node];
      out.resources = resources(task.amount);
      out.gpus = task.devices;
      out.started = task.since;
    }
    job.task_count = static_cast<std::uint32_t>(from.tasks.size());
  } else {
    for (std::size_t first = 0, last = 0; first < from.tasks.size(); first = last) {
      while (last < from.tasks.size() && from.tasks[last].amount == from.tasks[first].amount) ++last;
      cede_task& out = tasks_.emplace_back();
      out.resources = resources(from.tasks[first].amount);
      out.count = static_cast<std::uint32_t>(last - first);
      ++job.task_count;
    }
  }
}

void Cluster::put(const std::vector<const Description::Job*>& jobs, cede_engine* into) {
  prepare(jobs);
  send(into);
}

void Cluster::prepare(const std::vector<const Description::Job*>& jobs) {
  jobs_.clear();
  tasks_.clear();
  jobs_.reserve(jobs.size());
  std::size_t tasks = 0;
  for (const Description::Job* job : jobs) tasks += job->tasks.size();
  tasks_.reserve(tasks);
  for (const Description::Job* job : jobs) append(*job);
}

void Cluster::send(cede_engine* into) {
  check(cede_engine_put_jobs(into, jobs_.data(), sizeof(cede_job), jobs_.size(), tasks_.data(),
                             sizeof(cede_task), tasks_.size(), &error_));
}

void Cluster::remove(const std::vector<std::uint32_t>& names) {
  check(cede_engine_remove_jobs(engine_, names.data(), names.size(), &error_));
}

void Cluster::start(const Description::Job& from, const cede_plan* plan) {
  jobs_.clear();
  tasks_.clear();
  append(from);
  cede_job& job = jobs_.back();
  const cede_task waiting = tasks_.back();
  tasks_.clear();
  std::vector<cede_place> places(cede_plan_place_count(plan));
  check(cede_plan_places(plan, places.data(), sizeof(cede_place), places.size(), nullptr, &error_));
  for (std::size_t i = 0; i < places.size(); ++i) {
    const cede_place& place = places[i];
    cede_task task = waiting;
    task.count = 0;
    task.name = number(cede_plan_place_task(plan, i));  // what the plan calls it, so that it is known again
    task.node = place.node;
    task.gpus = place.devices_known != 0 ? place.gpus : 0;
    tasks_.push_back(task);
  }
  job.state = CEDE_JOB_RUNNING;
  job.started = kNow;
  job.task_count = static_cast<std::uint32_t>(tasks_.size());
  check(cede_engine_put_jobs(engine_, jobs_.data(), sizeof(cede_job), 1, tasks_.data(), sizeof(cede_task),
                             tasks_.size(), &error_));
}

}  // namespace bench
