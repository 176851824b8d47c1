// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "sequence/sequence.h"

namespace cede {

// Lets a sequence be changed in place, all or nothing: what happens to it after this is made is taken back
// when this goes away, unless keep() was called. Costs what is changed; a copy to fall back on would make the
// next change pay for every table it shares. Copies taken in between must be gone by then.
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
  // What is no table.
  const std::size_t sweep_at_;
  const Duration storm_length_;
  Metrics counted_;
  std::vector<Event> inbox_;
  const EntryId last_entry_;
  const ActionId last_action_;
  const Time now_;
  const std::uint64_t revision_;
};

}  // namespace cede
