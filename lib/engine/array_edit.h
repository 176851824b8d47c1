// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/registries.h"
#include "model/edit.h"
#include "model/undo.h"

namespace cede {

// One call of the typed door: turns the numbers of an array's entries into the values of drafts, and says
// what is wrong with one at its place, `jobs[17].class: 11 is outside 0..10`. Zero means "not given"
// everywhere. The drafts go into edit(), and the rest is the same as for documents.
class ArrayEdit {
 public:
  // Changes the model in place and takes that back in the end, unless undo() was told to keep it.
  ArrayEdit(Model& model, NameRegistry& names, const PartRegistry& parts, const Limits& limits,
            Problems& problems);
  ~ArrayEdit() {
    if (!names_kept_) names_.undo();
  }
  ArrayEdit(const ArrayEdit&) = delete;
  ArrayEdit& operator=(const ArrayEdit&) = delete;

  ModelEdit& edit() { return edit_; }
  Undo& undo() { return undo_; }
  Problems& problems() { return problems_; }

  // What was learnt of names stays, as does what undo() was told to keep.
  void keep_names() noexcept {
    names_.keep();
    names_kept_ = true;
  }

  // That about so many entries come: their names are worth more room.
  void expect(std::size_t entries) {
    if (entries > known_.size()) known_.resize(256);
  }

  // That an entry about to come names these, or 0: which of them are nodes' is looked up for all together.
  void expect_names(std::span<const std::uint32_t> numbers) {
    names_.find_elsewhere(texts(), numbers, edit_.model().names);
  }

  // As long as there is one of these, entries can be read while others write the names of jobs.
  class ReadApart {
   public:
    explicit ReadApart(ArrayEdit& arrays) : arrays_(arrays) {
      arrays_.texts_.emplace(arrays.edit_.model().job_names);
    }
    ~ReadApart() { arrays_.texts_.reset(); }
    ReadApart(const ReadApart&) = delete;
    ReadApart& operator=(const ReadApart&) = delete;

   private:
    ArrayEdit& arrays_;
  };

  // What the following problems are about: an entry of a list, or a task of such an entry.
  void at(std::string_view list, std::size_t index) {
    list_ = list;
    index_ = index;
    task_ = kNoTask;
  }
  void at_task(std::size_t position) { task_ = position; }
  void leave_task() { task_ = kNoTask; }
  // `member` as documents call it, `checkpoint.last` for one inside another.
  void fail(std::string_view member, std::string text, Status status = Status::document);

  // Most fields of most entries are not given, and most of those given are right: that much is inline.
  NameId name(std::uint32_t number, std::string_view member) {
    if (number == 0) return kNoName;
    const Known& known = known_[number & (known_.size() - 1)];
    return known.number == number ? known.name : new_name(number, member);
  }
  NameId job_name(std::uint32_t number, std::string_view member) {
    return number == 0 || names_.holds(number) ? number : unknown_job(number, member);
  }
  // The text behind a number, for what is kept as text; empty and a problem where it is nobody's.
  std::string_view text(std::uint32_t number, std::string_view member);
  // A vector of amounts. Limits keep explicit zeros, which forbid.
  ShapeId shape(std::uint32_t number, bool keep_zeros, std::string_view member) {
    if (number == 0) return kNoShape;
    const std::uint64_t key = key_of(number, keep_zeros);
    const KnownShape& known = known_shapes_[key % known_shapes_.size()];
    return known.key == key ? known.shape : new_shape(number, keep_zeros, member);
  }
  // How much `gpu` that is; the number was just asked for.
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

  // `zero`: a zero is a zero and not "not given".
  Time time(std::int64_t value, bool zero, std::string_view member) {
    return number<Time>(value, zero, 0, kMaxTime, kNoTime, member);
  }
  Duration duration(std::int64_t value, bool zero, std::string_view member) {
    return number<Duration>(value, zero, 0, kMaxDuration, kNoDuration, member);
  }
  // A number in min..max; `absent` where it is not given.
  template <class Number>
  Number number(std::int64_t value, bool zero, std::int64_t min, std::int64_t max, Number absent,
                std::string_view member) {
    if (value == 0 && !zero) return absent;
    return in_range(value, min, max, member) ? static_cast<Number>(value) : absent;
  }
  // A word by its number, from 1 in the order of the words.
  template <class Enum>
  Enum word(std::int32_t value, std::span<const std::string_view> words, Enum absent,
            std::string_view member) {
    if (value == 0 || !in_range(value, 1, static_cast<std::int64_t>(words.size()), member)) return absent;
    return static_cast<Enum>(value - 1);
  }
  Tri flag(std::int32_t value, std::string_view member) {
    if (value == 0 || !in_range(value, 1, 2, member)) return Tri::absent;
    return value == 1 ? Tri::yes : Tri::no;
  }
  Preemptible preemptible(std::int32_t value, std::string_view member) {
    if (value == 0 || !in_range(value, 1, 3, member)) return Preemptible::absent;
    return static_cast<Preemptible>(value);
  }

 private:
  static constexpr std::size_t kNoTask = std::numeric_limits<std::size_t>::max();
  // Names come again and again: who asked for which number last, by its low bits.
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
  NameId unknown_job(std::uint32_t number, std::string_view member);
  ShapeId new_shape(std::uint32_t number, bool keep_zeros, std::string_view member);
  RequirementId known_requirement(std::uint32_t number, std::string_view member);
  BlobId known_bytes(PartKind kind, std::uint32_t number, std::string_view member);
  bool holds(PartKind kind, std::uint32_t number, std::string_view member);
  ShapeId make_shape(std::uint32_t number, bool keep_zeros, std::string_view member);

  NameRegistry& names_;
  bool names_kept_ = false;
  const PartRegistry& parts_;
  Problems& problems_;
  Undo undo_;
  ModelEdit edit_;
  std::optional<InternTable> texts_;  // those of numbers, where the model's own are written to meanwhile
  std::string_view list_;
  std::size_t index_ = 0;
  std::size_t task_ = kNoTask;
  std::vector<Known> known_{32};  // a power of two of them
  std::array<KnownShape, 32> known_shapes_{};
  std::unordered_map<std::uint32_t, RequirementId> known_requirements_;  // by number
};

// Puts and removes single tasks of jobs that are there. Each job touched is put again as it is but for those
// tasks, so everything that holds of a job is checked.
class TaskEdit {
 public:
  explicit TaskEdit(ArrayEdit& arrays) : arrays_(arrays) {}

  // Entry `index` of the call. A task whose id the job has is replaced, any other comes behind the last; one
  // without an id always does.
  void put(std::string_view job, const TaskDraft& task, std::size_t index);
  void remove(std::string_view job, std::string_view task, std::size_t index);
  // Hands all of it to the edit.
  void finish();
  // The edit speaks of the jobs; makes its problems speak of the call's entries where they are about one, and
  // of the job by name elsewhere.
  void rename_places(Problems& problems) const;

 private:
  static constexpr std::size_t kUntouched = static_cast<std::size_t>(-1);
  struct Touched {
    JobDraft draft;
    std::string name;
    std::vector<std::size_t> entries;  // which entry gave each task; kUntouched: none did
    std::vector<bool> gone;
    std::unordered_map<std::string, std::uint32_t> positions;  // by task id
  };

  Touched* find(std::string_view job);
  void drop_removed(Touched& job);
  void name_new(Touched& job);

  ArrayEdit& arrays_;
  std::vector<Touched> jobs_;
  std::map<std::uint32_t, std::size_t> by_id_;  // JobId to its place in jobs_
};

}  // namespace cede
