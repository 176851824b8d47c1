// SPDX-License-Identifier: MIT
#include "engine/array_edit.h"

#include <algorithm>
#include <array>
#include <unordered_set>

#include "base/text.h"
#include "model/resolve_job.h"

namespace cede {

namespace {

constexpr std::array<std::string_view, kPartKinds> kPartWords{
    "",       "resources",    "a list", "a requirement", "a queue's settings", "a job's settings",
    "labels", "a fingerprint"};

}  // namespace

ArrayEdit::ArrayEdit(Model& model, NameRegistry& names, const PartRegistry& parts, const Limits& limits,
                     Problems& problems)
    : names_(names), parts_(parts), problems_(problems), undo_(model), edit_(model, limits, problems) {
  edit_.take_one_list();
  names_.begin();
}

void ArrayEdit::fail(std::string_view member, std::string text, Status status) {
  Path path{PathStep::member(list_), PathStep::element(index_)};
  if (task_ != kNoTask) {
    path.push_back(PathStep::member("tasks"));
    path.push_back(PathStep::element(task_));
  }
  while (!member.empty()) {
    const std::size_t dot = std::min(member.find('.'), member.size());
    path.push_back(PathStep::member(member.substr(0, dot)));
    member.remove_prefix(std::min(dot + 1, member.size()));
  }
  problems_.error(std::move(path), std::move(text), status);
}

std::string_view ArrayEdit::text(std::uint32_t number, std::string_view member) {
  const std::string_view text = text_of(texts(), number);
  if (text.empty()) fail(member, std::to_string(number) + " is not the number of a name", Status::unknown);
  return text;
}

NameId ArrayEdit::new_name(std::uint32_t number, std::string_view member) {
  NameId name = names_.elsewhere(number);
  if (name == kNoName) {
    const std::string_view given = text(number, member);
    if (given.empty()) return kNoName;
    // A number that the caller does not hold may be another name's after this change.
    name = names_.holds(number) ? names_.put_elsewhere(texts(), number, edit_.model().names)
                                : edit_.model().names.intern(given);
  }
  known_[number & (known_.size() - 1)] = {number, name};
  return name;
}

NameId ArrayEdit::other_job(std::uint32_t number, std::string_view member) {
  return text(number, member).empty() ? kNoName : number;
}

bool ArrayEdit::holds(PartKind kind, std::uint32_t number, std::string_view member) {
  if (parts_.holds(kind, number)) return true;
  fail(member, std::to_string(number) + " is not the number of " + std::string(to_word(kind, kPartWords)),
       Status::unknown);
  return false;
}

ShapeId ArrayEdit::new_shape(std::uint32_t number, bool keep_zeros, std::string_view member) {
  if (!holds(PartKind::resources, number, member)) return kNoShape;
  const std::uint64_t key = key_of(number, keep_zeros);
  KnownShape& known = known_shapes_[key % known_shapes_.size()];
  known = {key, make_shape(number, keep_zeros, member), 0};
  for (const auto& [name, amount] : parts_.resources(number)) {
    if (name == "gpu") known.gpu = amount;
  }
  return known.shape;
}

ShapeId ArrayEdit::make_shape(std::uint32_t number, bool keep_zeros, std::string_view member) {
  Model& model = edit_.model();
  std::vector<ResourceAmount> entries;
  for (const auto& [name, amount] : parts_.resources(number)) {
    ResourceAmount entry;
    entry.amount = amount;
    entry.resource = edit_.resource(model.names.intern(name));
    if (entry.resource == ResourceId::kNoValue) {
      const std::uint64_t most = edit_.limits().max_resources;
      fail(member,
           quote(name) + " is one resource too many; at most " + std::to_string(most) +
               " names are allowed (limit max_resources)",
           Status::limit);
      return kNoShape;
    }
    if (amount != 0 || keep_zeros) entries.push_back(entry);
  }
  std::sort(entries.begin(), entries.end(),
            [](const ResourceAmount& a, const ResourceAmount& b) { return a.resource < b.resource; });
  return model.shapes.intern({static_cast<const char*>(static_cast<const void*>(entries.data())),
                              entries.size() * sizeof(ResourceAmount)});
}

void ArrayEdit::list(std::uint32_t number, std::string_view member, std::vector<NameId>& out) {
  if (number == 0 || !holds(PartKind::list, number, member)) return;
  for (const std::string_view name : parts_.list(number)) out.push_back(edit_.model().names.intern(name));
}

RequirementId ArrayEdit::known_requirement(std::uint32_t number, std::string_view member) {
  const auto known = known_requirements_.find(number);
  if (known != known_requirements_.end()) return known->second;
  if (!holds(PartKind::requirement, number, member)) return {};
  const Requirement& asked = parts_.requirement(number);
  const RequirementId id = asked == Requirement{} ? RequirementId{} : edit_.intern_requirement(asked);
  known_requirements_.emplace(number, id);
  return id;
}

BlobId ArrayEdit::known_bytes(PartKind kind, std::uint32_t number, std::string_view member) {
  if (!holds(kind, number, member)) return kNoBlob;
  return edit_.model().blobs.intern(parts_.bytes(number));
}

BlobId ArrayEdit::share_of_device(const DeviceShare& share) {
  return edit_.model().blobs.intern(
      {static_cast<const char*>(static_cast<const void*>(&share)), sizeof share});
}

void ArrayEdit::fail_range(std::int64_t value, std::int64_t min, std::int64_t max, std::string_view member) {
  fail(member, std::to_string(value) + " is outside " + std::to_string(min) + ".." + std::to_string(max));
}

TaskEdit::Touched* TaskEdit::find(std::string_view job) {
  const Model& model = arrays_.edit().model();
  const JobId id = model.find_job(job);
  if (!id) {
    arrays_.fail("job", unknown_text(model, Kind::job, job));
    return nullptr;
  }
  const auto [place, added] = by_id_.try_emplace(id.value, jobs_.size());
  if (added) {
    Touched& touched = jobs_.emplace_back();
    touched.draft = draft_of(model, id);
    touched.name = job;
    const std::size_t tasks = touched.draft.tasks.size();
    touched.entries.assign(tasks, kUntouched);
    touched.gone.assign(tasks, false);
    for (std::uint32_t k = 0; k < tasks; ++k)
      touched.positions.emplace(model.task_name(model.jobs[id], k), k);
  }
  return &jobs_[place->second];
}

void TaskEdit::put(std::string_view job, const TaskDraft& task, std::size_t index) {
  Touched* const touched = find(job);
  if (!touched) return;
  const std::string name(arrays_.edit().model().job_names.view(task.extras.name));
  const auto known = name.empty() ? touched->positions.end() : touched->positions.find(name);
  if (known == touched->positions.end()) {
    if (!name.empty())
      touched->positions.emplace(name, static_cast<std::uint32_t>(touched->draft.tasks.size()));
    touched->draft.tasks.push_back(task);
    touched->entries.push_back(index);
    touched->gone.push_back(false);
    return;
  }
  std::size_t& entry = touched->entries[known->second];
  if (entry != kUntouched) {
    return arrays_.fail("id", quote(name) + " of job " + quote(job) + " is given twice, first in tasks[" +
                                  std::to_string(entry) + ']');
  }
  entry = index;
  TaskDraft& old = touched->draft.tasks[known->second];
  const NameId own = old.extras.name;  // a name such as `t3` may come from the position alone
  old = task;
  old.extras.name = own;
}

void TaskEdit::remove(std::string_view job, std::string_view task, std::size_t index) {
  Touched* const touched = find(job);
  if (!touched) return;
  const auto known = touched->positions.find(std::string(task));
  if (known == touched->positions.end())
    return arrays_.fail("task", quote(task) + " is not a task of job " + quote(job));
  if (touched->gone[known->second])
    return arrays_.fail("task", quote(task) + " of job " + quote(job) + " is named twice");
  touched->gone[known->second] = true;
  touched->entries[known->second] = index;
}

// A task that is named by its position keeps its name when a task before it is removed.
void TaskEdit::drop_removed(Touched& job) {
  std::size_t kept = 0;
  for (std::size_t k = 0; k < job.draft.tasks.size(); ++k) {
    if (job.gone[k]) continue;
    TaskDraft& task = job.draft.tasks[k];
    if (kept != k && task.extras.name == kNoName)
      task.extras.name = arrays_.edit().model().job_names.intern("t" + std::to_string(k));
    job.entries[kept] = job.entries[k];
    if (kept != k) job.draft.tasks[kept] = task;
    ++kept;
  }
  job.draft.tasks.resize(kept);
  job.entries.resize(kept);
}

// A task without a name is called `t` and its position. After removals another task may already have that
// name. Then the new task gets the next free number.
void TaskEdit::name_new(Touched& job) {
  std::vector<TaskDraft>& tasks = job.draft.tasks;
  InternTable& names = arrays_.edit().model().job_names;
  std::unordered_set<std::string> taken;
  for (const TaskDraft& task : tasks) taken.emplace(names.view(task.extras.name));
  const auto is_taken = [&](const std::string& id) { return taken.find(id) != taken.end(); };
  std::size_t next = tasks.size();
  for (std::size_t k = 0; k < tasks.size(); ++k) {
    if (job.entries[k] == kUntouched || tasks[k].extras.name != kNoName) continue;
    if (!is_taken("t" + std::to_string(k))) continue;
    while (is_taken("t" + std::to_string(next))) ++next;
    tasks[k].extras.name = names.intern("t" + std::to_string(next));
    ++next;
  }
}

void TaskEdit::finish() {
  for (Touched& job : jobs_) {
    drop_removed(job);
    name_new(job);
    arrays_.edit().put(job.draft);
  }
}

void TaskEdit::rename_places(Problems& problems) const {
  for (Problem& problem : problems.all()) {
    Path& path = problem.path;
    if (path.size() < 2 || path[0].key != "jobs" || path[1].index < 0) continue;
    const Touched& job = jobs_[static_cast<std::size_t>(path[1].index)];
    path[1] = PathStep::member(job.name);
    if (path.size() < 4 || path[2].key != "tasks" || path[3].index < 0) continue;
    const std::size_t entry = job.entries[static_cast<std::size_t>(path[3].index)];
    if (entry == kUntouched) continue;
    path.erase(path.begin(), path.begin() + 2);
    path[1] = PathStep::element(entry);
  }
}

namespace {

constexpr std::size_t kBlocks = 4;  // in the pipeline at the same time
constexpr std::size_t kBlockJobs = 256;

struct Block {
  std::array<JobDraft, kBlockJobs> jobs;
  std::array<ResolvedJob, kBlockJobs> resolved;
  std::size_t size = 0;
};

bool was_read(const JobDraft& draft) { return draft.core.name != kNoName && draft.queue != kNoName; }

}  // namespace

bool JobPipeline::run(std::size_t jobs, const Read& read) {
  if (workers_for(workers_, jobs) && workers_->threads() > 1) {
    run_together(read);
    return true;
  }
  JobDraft draft;
  while (read(draft)) {
    if (was_read(draft)) {
      arrays_.edit().put(draft);
    } else {
      arrays_.edit().skip(Kind::job);
    }
  }
  return false;
}

void JobPipeline::run_together(const Read& read) {
  ModelEdit& edit = arrays_.edit();
  const Model before = edit.model();
  const ArrayEdit::ReadApart apart(arrays_, before);
  const JobResolver resolver(before, edit.model(), edit.limits());
  Problems found;  // by the thread that writes
  edit.report_to(found);
  std::vector<Block> blocks(kBlocks);
  const auto fill = [&](std::size_t number) {
    Block& block = blocks[number];
    for (block.size = 0; block.size < kBlockJobs; ++block.size) {
      JobDraft& draft = block.jobs[block.size];
      if (!read(draft)) return false;
      if (!was_read(draft)) continue;
      ResolvedJob& resolved = block.resolved[block.size];
      resolved.faults.clear();
      check_task_names(before.job_names, draft.tasks, resolved.faults);
      resolver.resolve(draft, draft.tasks, resolved);
    }
    return true;
  };
  const WorkerPool::Step write = [&](std::size_t number) {
    const Block& block = blocks[number];
    for (std::size_t i = 0; i < block.size && !found.failed(); ++i) {
      if (was_read(block.jobs[i])) {
        edit.put(block.jobs[i], block.resolved[i]);
      } else {
        edit.skip(Kind::job);
      }
    }
  };
  workers_->run_pipeline(blocks.size(), fill, {&write, 1});
  edit.report_to(arrays_.problems());
  for (Problem& problem : found.all()) arrays_.problems().add(std::move(problem));
}

}  // namespace cede
