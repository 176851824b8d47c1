// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/worker_pool.h"
#include "engine/registries.h"
#include "model/edit.h"

namespace cede {

// One call of the array interface: converts the numbers in the elements of an array into the values of
// drafts. A problem names its place: `jobs[17].class: 11 is outside 0..10`. Zero means "not given"
// everywhere. The drafts go into edit(); from there on, arrays and documents are treated alike.
class ArrayEdit {
 public:
  // Changes the model in place. The destructor reverts the changes unless undo() was told to keep them.
  ArrayEdit(Model& model, NameRegistry& names, const PartRegistry& parts, const Limits& limits,
            Problems& problems);
  ~ArrayEdit() {
    if (!names_kept_) names_.undo();
  }
  ArrayEdit(const ArrayEdit&) = delete;
  ArrayEdit& operator=(const ArrayEdit&) = delete;

  ModelEdit& edit() { return edit_; }
  Undo<Model>& undo() { return undo_; }
  Problems& problems() { return problems_; }

  // Keeps the name look-ups of this call. Call it when undo() keeps the changes.
  void keep_names() noexcept {
    names_.keep();
    names_kept_ = true;
  }

  // Announces about how many elements follow: with many elements, a larger cache of names pays off.
  void expect(std::size_t entries) {
    if (entries > known_.size()) known_.resize(256);
  }

  // Announces the names of the next element (0: none). Those that are names of nodes are looked up in one
  // batch.
  void expect_names(std::span<const std::uint32_t> numbers) {
    names_.find_elsewhere(texts(), numbers, edit_.model().names);
  }

  // While a ReadApart exists, one thread can read elements while another thread puts jobs that are resolved.
  // Names of jobs are then read from a copy of the model, `before`.
  class ReadApart {
   public:
    ReadApart(ArrayEdit& arrays, const Model& before) : arrays_(arrays) {
      arrays_.texts_ = &before.job_names;
    }
    ~ReadApart() { arrays_.texts_ = nullptr; }
    ReadApart(const ReadApart&) = delete;
    ReadApart& operator=(const ReadApart&) = delete;

   private:
    ArrayEdit& arrays_;
  };

  // Sets the subject of the problems that follow: an element of a list, or a task of that element.
  void at(std::string_view list, std::size_t index) {
    list_ = list;
    index_ = index;
    task_ = kNoTask;
  }
  void at_task(std::size_t position) { task_ = position; }
  void leave_task() { task_ = kNoTask; }
  // `member` is the name that documents use; `checkpoint.last` is a member inside a member.
  void fail(std::string_view member, std::string text, Status status = Status::document);

  // Most fields of most elements are not given, and most given values are valid. Only these two cases are
  // inline.
  NameId name(std::uint32_t number, std::string_view member) {
    if (number == 0) return kNoName;
    const Known& known = known_[number & (known_.size() - 1)];
    return known.number == number ? known.name : new_name(number, member);
  }
  NameId job_name(std::uint32_t number, std::string_view member) {
    return number == 0 || names_.holds(number) ? number : other_job(number, member);
  }
  // The text behind a number, for values that are kept as text. Empty, with a problem, if the number is not
  // assigned.
  std::string_view text(std::uint32_t number, std::string_view member);
  // A vector of amounts. Limits keep explicit zeros: a limit of zero forbids the resource.
  ShapeId shape(std::uint32_t number, bool keep_zeros, std::string_view member) {
    if (number == 0) return kNoShape;
    const std::uint64_t key = key_of(number, keep_zeros);
    const KnownShape& known = known_shapes_[key % known_shapes_.size()];
    return known.key == key ? known.shape : new_shape(number, keep_zeros, member);
  }
  // The amount of `gpu` in a vector. Call it right after shape() with the same number.
  Amount gpu_of(std::uint32_t number) const {
    const std::uint64_t key = key_of(number, false);
    const KnownShape& known = known_shapes_[key % known_shapes_.size()];
    return known.key == key ? known.gpu : 0;
  }
  void list(std::uint32_t number, std::string_view member, std::vector<NameId>& out);
  RequirementId requirement(std::uint32_t number, std::string_view member) {
    return number == 0 ? RequirementId{} : known_requirement(number, member);
  }
  BlobId bytes(PartKind kind, std::uint32_t number, std::string_view member) {
    return number == 0 ? kNoBlob : known_bytes(kind, number, member);
  }

  BlobId share_of_device(const DeviceShare& share);

  // `zero`: a zero is a value and does not mean "not given".
  Time time(std::int64_t value, bool zero, std::string_view member) {
    return number<Time>(value, zero, 0, kMaxTime, kNoTime, member);
  }
  Duration duration(std::int64_t value, bool zero, std::string_view member) {
    return number<Duration>(value, zero, 0, kMaxDuration, kNoDuration, member);
  }
  // A number in min..max; `absent` if it is not given.
  template <class Number>
  Number number(std::int64_t value, bool zero, std::int64_t min, std::int64_t max, Number absent,
                std::string_view member) {
    if (value == 0 && !zero) return absent;
    return in_range(value, min, max, member) ? static_cast<Number>(value) : absent;
  }
  // The word with this number, counted from 1 in the order of `words`.
  template <class Enum>
  Enum word(std::int32_t value, std::span<const std::string_view> words, Enum absent,
            std::string_view member) {
    if (value == 0 || !in_range(value, 1, static_cast<std::int64_t>(words.size()), member)) return absent;
    return static_cast<Enum>(value - 1);
  }
  OptionalFlag flag(std::int32_t value, std::string_view member) {
    if (value == 0 || !in_range(value, 1, 2, member)) return OptionalFlag::absent;
    return value == 1 ? OptionalFlag::yes : OptionalFlag::no;
  }
  Preemptible preemptible(std::int32_t value, std::string_view member) {
    if (value == 0 || !in_range(value, 1, 3, member)) return Preemptible::absent;
    return static_cast<Preemptible>(value);
  }

 private:
  static constexpr std::size_t kNoTask = std::numeric_limits<std::size_t>::max();
  // Names repeat often. A small cache, indexed by the low bits of the number, holds the last look-up in each
  // slot.
  struct Known {
    std::uint32_t number = 0;
    NameId name = kNoName;
  };

  struct KnownShape {
    std::uint64_t key = 0;  // the number, and whether zeros are kept
    ShapeId shape = kNoShape;
    Amount gpu = 0;
  };

  const InternTable& texts() { return texts_ ? *texts_ : edit_.model().job_names; }
  bool in_range(std::int64_t value, std::int64_t min, std::int64_t max, std::string_view member) {
    if (value >= min && value <= max) [[likely]]
      return true;
    fail_range(value, min, max, member);
    return false;
  }
  void fail_range(std::int64_t value, std::int64_t min, std::int64_t max, std::string_view member);
  static std::uint64_t key_of(std::uint32_t number, bool keep_zeros) {
    return std::uint64_t{number} << 1 | (keep_zeros ? 1 : 0);
  }
  NameId new_name(std::uint32_t number, std::string_view member);
  NameId other_job(std::uint32_t number, std::string_view member);
  ShapeId new_shape(std::uint32_t number, bool keep_zeros, std::string_view member);
  RequirementId known_requirement(std::uint32_t number, std::string_view member);
  BlobId known_bytes(PartKind kind, std::uint32_t number, std::string_view member);
  bool holds(PartKind kind, std::uint32_t number, std::string_view member);
  ShapeId make_shape(std::uint32_t number, bool keep_zeros, std::string_view member);

  NameRegistry& names_;
  bool names_kept_ = false;
  const PartRegistry& parts_;
  Problems& problems_;
  Undo<Model> undo_;
  ModelEdit edit_;
  const InternTable* texts_ = nullptr;  // job names to read while another thread writes to the model's own
  std::string_view list_;
  std::size_t index_ = 0;
  std::size_t task_ = kNoTask;
  std::vector<Known> known_{32};  // the size is a power of two
  std::array<KnownShape, 32> known_shapes_{};
  std::unordered_map<std::uint32_t, RequirementId> known_requirements_;  // by number
};

// Puts and removes single tasks of existing jobs. Each changed job is put again as a whole, so that all
// checks of a job apply.
class TaskEdit {
 public:
  explicit TaskEdit(ArrayEdit& arrays) : arrays_(arrays) {}

  // `index` is the element of the call. If the job has a task with this id, the task is replaced. Otherwise
  // the task is appended; a task without an id is always appended.
  void put(std::string_view job, const TaskDraft& task, std::size_t index);
  void remove(std::string_view job, std::string_view task, std::size_t index);
  // Passes all changed jobs to the edit.
  void finish();
  // The edit reports problems by job. Where a problem concerns an element of the call, this names the element
  // instead; elsewhere it names the job.
  void rename_places(Problems& problems) const;

 private:
  static constexpr std::size_t kUntouched = static_cast<std::size_t>(-1);
  struct Touched {
    JobDraft draft;
    std::string name;
    std::vector<std::size_t> entries;  // the element that gave each task, or kUntouched
    std::vector<bool> gone;
    std::unordered_map<std::string, std::uint32_t> positions;  // by task id
  };

  Touched* find(std::string_view job);
  void drop_removed(Touched& job);
  void name_new(Touched& job);

  ArrayEdit& arrays_;
  std::vector<Touched> jobs_;
  std::map<std::uint32_t, std::size_t> by_id_;  // JobId to its index in jobs_
};

// Puts the jobs of an array. If there are many jobs and several threads, one thread reads and resolves jobs
// while another writes them. Problems are then found in no certain order, so the caller puts the jobs again
// in one thread to report them.
class JobPipeline {
 public:
  // Reads the next job into the draft. A job that could not be read has no name or no queue. False: no job is
  // left.
  using Read = std::function<bool(JobDraft& draft)>;

  JobPipeline(ArrayEdit& arrays, WorkerPool* workers) : arrays_(arrays), workers_(workers) {}
  // `jobs`: about how many. Returns whether several threads worked.
  bool run(std::size_t jobs, const Read& read);

 private:
  void run_together(const Read& read);

  ArrayEdit& arrays_;
  WorkerPool* const workers_;
};

}  // namespace cede
