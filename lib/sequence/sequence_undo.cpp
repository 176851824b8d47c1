// SPDX-License-Identifier: MIT
#include "sequence/sequence_undo.h"

namespace cede {

template <class Visit>
void SequenceUndo::each_part(Visit visit) {
  Sequence& s = sequence_;
  s.ledger_.each_part(visit);
  visit(s.storm_.records_);
  visit(s.tally_.preemptions_);
  visit(s.tally_.plans_);
  visit(s.tally_.lost_work_);
  visit(s.node_commits_);
  visit(s.attempts_);
  visit(s.starving_);
  visit(s.overcommitted_);
  visit(s.vanished_.serials_);
  visit(s.vanished_.keys_);
}

// Everything that may fail runs before the first begin().
SequenceUndo::SequenceUndo(Sequence& sequence)
    : sequence_(sequence),
      sweep_at_(sequence.storm_.sweep_at_),
      storm_length_(sequence.storm_length_),
      counted_(sequence.tally_.plain_),
      inbox_(sequence.inbox_),
      vanished_(sequence.vanished_.counts_),
      last_entry_(sequence.last_entry_),
      last_action_(sequence.last_action_),
      now_(sequence.now_),
      revision_(sequence.revision_) {
  each_part([](auto& part) { part.begin(); });
}

void SequenceUndo::keep() noexcept {
  each_part([](auto& part) { part.keep(); });
  kept_ = true;
}

SequenceUndo::~SequenceUndo() {
  if (kept_) return;
  each_part([](auto& part) { part.undo(); });
  sequence_.storm_.sweep_at_ = sweep_at_;
  sequence_.storm_length_ = storm_length_;
  std::swap(sequence_.tally_.plain_, counted_);
  sequence_.inbox_.swap(inbox_);
  sequence_.vanished_.counts_ = vanished_;
  sequence_.last_entry_ = last_entry_;
  sequence_.last_action_ = last_action_;
  sequence_.now_ = now_;
  sequence_.revision_ = revision_;
}

}  // namespace cede
