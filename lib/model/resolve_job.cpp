// SPDX-License-Identifier: MIT
#include "model/resolve_job.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <tuple>

#include "base/bits.h"
#include "base/nearest_name.h"
#include "base/text.h"
#include "model/drafts.h"
#include "model/model.h"

namespace cede {

std::string unknown_text(Kind kind, std::string_view name, std::size_t known) {
  const std::string_view word = to_word(kind, kKindWords);
  const std::string_view plural = known == 1 ? word : to_word(kind, kKindMembers);
  return quote(name) + " is not a " + std::string(word) + "; " + std::to_string(known) + ' ' +
         std::string(plural) + (known == 1 ? " is known" : " are known");
}

namespace {

// Calls visit(table, names) with the table of the kind.
template <class Visit>
auto with_table(const Model& model, Kind kind, Visit visit) {
  switch (kind) {
    case Kind::topology: return visit(model.topologies, model.names);
    case Kind::domain: return visit(model.domains, model.names);
    case Kind::group: return visit(model.groups, model.names);
    case Kind::reservation: return visit(model.reservations, model.names);
    case Kind::queue: return visit(model.queues, model.names);
    case Kind::node: return visit(model.nodes, model.names);
    case Kind::job: break;
  }
  return visit(model.jobs, model.job_names);
}

}  // namespace

std::size_t known_of(const Model& model, Kind kind) {
  return with_table(model, kind, [](const auto& table, const InternTable&) { return table.live(); });
}

std::string unknown_text(const Model& model, Kind kind, std::string_view name) {
  return with_table(model, kind, [&](const auto& table, const InternTable& names) {
    NearestName nearest(name);
    table.for_each([&](auto, const auto& row) { nearest.offer(names.view(row.name)); });
    return unknown_text(kind, name, table.live()) + nearest.question();
  });
}

std::string no_group_text(const Model& model, std::string_view name) {
  if (!name.empty()) return unknown_text(Kind::group, name, model.groups.live());
  return "missing, and there are " + std::to_string(model.groups.live()) + " groups to choose from";
}

std::string limit_text(std::string_view name, std::uint64_t limit) {
  return "more than " + std::to_string(limit) + " (limit " + std::string(name) + ')';
}

GroupId find_group(const Model& model, NameId name) {
  if (name != kNoName) return model.groups.find(name);
  GroupId only;
  if (model.groups.live() == 1) model.groups.for_each([&](GroupId id, const GroupRow&) { only = id; });
  return only;
}

namespace {

Path in_task(std::size_t position, std::string_view member) {
  return {PathStep::member("tasks"), PathStep::element(position), PathStep::member(member)};
}

// The task whose `count` brings about `id#number`, or -1.
std::int64_t counted_as(std::span<const TaskDraft> tasks, const InternTable& names, std::string_view id,
                        std::string_view number) {
  std::uint32_t index = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), index);
  if (error != std::errc{} || end != number.data() + number.size()) return -1;
  for (std::size_t k = 0; k < tasks.size(); ++k) {
    const TaskDraft& task = tasks[k];
    if (!task.core.counted || index >= task.core.count) continue;
    const NameId name = task.extras.name;
    if (name == kNoName ? id == "t" + std::to_string(k) : names.view(name) == id)
      return static_cast<std::int64_t>(k);
  }
  return -1;
}

// The position that `t17` stands for, or one that no task has.
std::uint32_t position_in(std::string_view text) {
  constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  if (text.size() < 2 || text.size() > 8 || text[0] != 't') return kNone;
  std::uint32_t position = 0;
  const auto [end, error] = std::from_chars(text.data() + 1, text.data() + text.size(), position);
  return error == std::errc{} && end == text.data() + text.size() ? position : kNone;
}

}  // namespace

// A task without a name is called `t` and its position. A given name may equal that.
void check_task_names(const InternTable& names, std::span<const TaskDraft> tasks,
                      std::vector<JobFault>& faults) {
  if (tasks.size() == 1 && tasks.front().extras.name == kNoName) return;  // most jobs
  const auto name = [&](std::uint32_t i) { return tasks[i].extras.name; };
  std::vector<std::uint32_t> order;  // by name
  for (std::uint32_t k = 0; k < tasks.size(); ++k) {
    const TaskDraft& task = tasks[k];
    if (name(k) == kNoName) continue;
    order.push_back(k);
    if (!task.core.counted) continue;
    const std::size_t longest = names.view(name(k)).size() + 1 + std::to_string(task.core.count - 1).size();
    if (longest > kMaxNameBytes) {
      faults.push_back({in_task(k, "id"), "with '#' and a number behind it, it is longer than " +
                                              std::to_string(kMaxNameBytes) + " bytes"});
    }
  }
  if (tasks.size() < 2 || order.empty()) return;
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return std::pair(name(a), a) < std::pair(name(b), b); });
  const auto twice = [&](std::uint32_t position, std::uint32_t other, std::string_view text) {
    faults.push_back(
        {in_task(position, "id"), quote(text) + " is also the id of tasks[" + std::to_string(other) + ']'});
  };
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::string_view text = names.view(name(order[i]));
    if (i > 0 && name(order[i]) == name(order[i - 1])) twice(order[i], order[i - 1], text);
    if (const std::size_t hash = text.rfind('#'); hash != std::string_view::npos) {
      const std::int64_t other = counted_as(tasks, names, text.substr(0, hash), text.substr(hash + 1));
      if (other >= 0) twice(order[i], static_cast<std::uint32_t>(other), text);
    }
    const std::uint32_t position = position_in(text);
    if (position < tasks.size() && name(position) == kNoName && text == "t" + std::to_string(position))
      twice(order[i], position, text);
  }
}

// The task at work: where it is, and what is found out about it.
struct JobResolver::TaskAt {
  std::uint32_t position;
  bool unstarted;  // the job runs and does not say since when
  ResolvedJob& out;

  [[gnu::cold, gnu::noinline]] void fail(std::string_view member, std::string_view text) const {
    out.faults.push_back({in_task(position, member), std::string(text)});
  }
};

JobResolver::JobResolver(const Model& cluster, const Model& texts, const Limits& limits)
    : cluster_(cluster),
      texts_(texts),
      limits_(limits),
      only_group_(find_group(cluster, kNoName)),
      gpu_(texts.find_resource("gpu")) {}

void JobResolver::resolve(const JobHead& job, std::span<const TaskDraft> tasks, ResolvedJob& out) const {
  out.queue = cluster_.queues.find(job.queue);
  if (!out.queue) {
    const std::string_view name = texts_.name(job.queue);
    out.faults.push_back({{PathStep::member("queue")},
                          unknown_text(Kind::queue, name, cluster_.queues.live()),
                          Status::document,
                          Kind::queue,
                          std::string(name)});
  }
  out.group = job.group == kNoName ? only_group_ : cluster_.groups.find(job.group);
  if (!out.group) {
    const std::string_view name = texts_.name(job.group);
    out.faults.push_back({{PathStep::member("group")},
                          no_group_text(cluster_, name),
                          Status::document,
                          Kind::group,
                          std::string(name)});
  }

  out.tasks.assign(tasks.size(), {});
  const bool unstarted = job.core.state == JobState::running && job.times.started == kNoTime;
  bool placed = false;
  bool waiting = false;
  std::uint64_t count = 0;
  for (std::uint32_t k = 0; k < tasks.size(); ++k) {
    (tasks[k].node != kNoName ? placed : waiting) = true;
    count += tasks[k].core.count;
    resolve_task({k, unstarted, out}, tasks[k]);
  }
  if (count > limits_.max_tasks_per_job) {
    out.faults.push_back({{PathStep::member("tasks")},
                          limit_text("max_tasks_per_job", limits_.max_tasks_per_job),
                          Status::limit});
  }
  check_state(job, placed, waiting, out);
  if (job.extras.min_tasks > 0) check_size(job, count, out);

  out.submitted = job.times.submitted != kNoTime ? job.times.submitted
                  : job.times.started != kNoTime ? job.times.started
                                                 : cluster_.now;
  if (out.submitted == kNoTime) {
    out.faults.push_back(
        {{}, "has neither 'submitted' nor 'started', and the document gives no 'now' to take instead"});
  }
  if (job.extras.require) check_requirement(job.extras.require, out);
}

NodeId JobResolver::resolve_node(const TaskAt& at, NameId name, std::string_view member) const {
  const NodeId node = cluster_.nodes.find(name);
  if (!node) {
    at.fail(member, unknown_text(Kind::node, texts_.name(name), cluster_.nodes.live()));
    at.out.faults.back().unknown = Kind::node;
    at.out.faults.back().name = texts_.name(name);
  }
  return node;
}

// Many jobs come through here, and few tasks break a rule.
void JobResolver::resolve_task(const TaskAt& at, const TaskDraft& task) const {
  ResolvedJob::Task& out = at.out.tasks[at.position];
  if (task.node != kNoName) {
    if (at.unstarted && task.extras.started == kNoTime)
      at.fail("started", "missing, and the running job has none either");
    out.node = resolve_node(at, task.node, "node");
    const GroupId group = out.node ? cluster_.nodes[out.node].group : GroupId{};
    if (group != at.out.group && group && at.out.group) {
      fail_group(at, task.node, group);
      out.node = {};
    }
    if (task.core.count > 1) at.fail("count", "only waiting tasks can be counted, and this one has a node");
  } else if (task.core.gpus_given) {
    at.fail("gpus", "only a task with a node holds devices, and this one waits");
  }
  if (task.extras.required_node != kNoName)
    out.required = resolve_node(at, task.extras.required_node, "required_node");
  if (task.core.gpus_given) check_devices(at, task);
}

void JobResolver::fail_group(const TaskAt& at, NameId node, GroupId group) const {
  at.fail("node", quote(texts_.name(node)) + " is in group " +
                      quote(cluster_.name(cluster_.groups[group].name)) + ", the job is in " +
                      quote(cluster_.name(cluster_.groups[at.out.group].name)));
}

// As many devices are named as the task holds `gpu`.
void JobResolver::check_devices(const TaskAt& at, const TaskDraft& task) const {
  Total held = static_cast<Total>(count_bits(task.core.gpus)) * kOne;
  if (task.extras.shares != kNoBlob) {
    for (const DeviceShare& share : texts_.shares(task.extras.shares)) held += share.share;
  }
  Amount asked = task.gpu;
  if (asked < 0) {
    const std::uint32_t gpu = gpu_ != ResourceId::kNoValue ? gpu_ : texts_.find_resource("gpu");
    asked = gpu == ResourceId::kNoValue ? 0 : amount_of(texts_.shape(task.core.resources), gpu);
  }
  if (held == asked) return;
  at.fail("gpus",
          "names " + format_total(held) + " devices, but 'resources' gives " + format_amount(asked) + " gpu");
}

void JobResolver::check_state(const JobHead& job, bool placed, bool waiting, ResolvedJob& out) const {
  const JobState state = job.core.state;
  if (!placed && !waiting) {
    out.faults.push_back({{PathStep::member("tasks")}, "a job has at least one task"});
  } else if (state == JobState::pending && !waiting) {
    out.faults.push_back(
        {{PathStep::member("state")}, "a pending job has a task that waits; each of this one's has a node"});
  } else if (state != JobState::pending && state != JobState::suspended && !placed) {
    out.faults.push_back({{PathStep::member("state")},
                          "a " + std::string(to_word(state, kJobStates)) +
                              " job has a task with a node; none of this one's has"});
  }
}

// Of an elastic job.
void JobResolver::check_size(const JobHead& job, std::uint64_t tasks, ResolvedJob& out) const {
  const auto fail = [&](std::string text) {
    out.faults.push_back({{PathStep::member("min_tasks")}, std::move(text)});
  };
  if (job.extras.min_tasks > tasks) {
    fail(std::to_string(job.extras.min_tasks) + " is more than the job's " + std::to_string(tasks) +
         " tasks");
  }
  if (job.core.gang == OptionalFlag::no) fail("only a gang can be elastic, and 'gang' is false");
}

// It names network levels that there are.
void JobResolver::check_requirement(RequirementId id, ResolvedJob& out) const {
  const Requirement& require = *texts_.requirements[id.value];
  const std::vector<NameId>& levels = cluster_.levels;
  const auto is_level = [&](const std::string& level) {
    return std::find(levels.begin(), levels.end(), texts_.names.find(level)) != levels.end();
  };
  const auto fail = [&](const std::string& level, Path path) {
    std::vector<std::string_view> words;
    for (const NameId word : levels) words.push_back(cluster_.name(word));
    path.insert(path.begin(), PathStep::member("require"));
    out.faults.push_back(
        {std::move(path), quote(level) + " is not a network level; " +
                              (words.empty() ? "the cluster has none" : one_of(words) + " is allowed")});
  };
  for (std::size_t k = 0; k < require.network.size(); ++k) {
    const auto& [level, consolidate] = std::tie(require.network[k].level, require.network[k].consolidate);
    const auto in_entry = [&](std::string_view member) {
      return Path{PathStep::member("network"), PathStep::element(k), PathStep::member(member)};
    };
    if (!is_level(level)) fail(level, in_entry("level"));
    if (!consolidate.empty() && !is_level(consolidate)) fail(consolidate, in_entry("consolidate"));
  }
  if (require.exclusive == Exclusive::domain && !is_level(require.exclusive_level))
    fail(require.exclusive_level, {PathStep::member("exclusive")});
}

JobDraft draft_of(const Model& model, JobId id) {
  JobDraft draft;
  draft.core = model.jobs[id];
  draft.times = model.job_times[id.value];
  draft.state_times = model.job_state_times[id.value];
  draft.owners = model.job_owners[id.value];
  draft.checkpoint = model.job_checkpoints[id.value];
  draft.extras = model.job_extras[id.value];
  draft.queue = model.queues[draft.core.queue].name;
  draft.group = model.groups[draft.core.group].name;
  draft.tasks.reserve(draft.core.task_rows);
  for (std::uint32_t k = 0; k < draft.core.task_rows; ++k) {
    const TaskId task{draft.core.first_task.value + k};
    TaskDraft& out = draft.tasks.emplace_back();
    out.core = model.tasks.core(task);
    out.extras = model.tasks.extras(task);
    if (out.core.node) out.node = model.nodes[out.core.node].name;
    out.core.node = {};
    out.core.next_on_node = out.core.previous_on_node = {};
  }
  return draft;
}

}  // namespace cede
