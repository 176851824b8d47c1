// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "sequence/sequence.h"

namespace cede {

// Makes changes of a sequence in place all or nothing: the destructor undoes all changes since the
// constructor, unless keep() was called. The cost is that of the changes. With a copy as a fallback, the next
// change would have to copy every shared table. Copies made in between must be destroyed first.
class SequenceUndo {
 public:
  explicit SequenceUndo(Sequence& sequence);
  ~SequenceUndo();
  SequenceUndo(const SequenceUndo&) = delete;
  SequenceUndo& operator=(const SequenceUndo&) = delete;

  void keep() noexcept;

 private:
  template <class Visit>
  void each_part(Visit visit);

  Sequence& sequence_;
  bool kept_ = false;
  // Members that are not tables.
  const std::size_t sweep_at_;
  const Duration storm_length_;
  Metrics counted_;
  std::vector<Event> inbox_;
  const VanishedNames::Counts vanished_;
  const EntryId last_entry_;
  const ActionId last_action_;
  const Time now_;
  const std::uint64_t revision_;
};

}  // namespace cede
