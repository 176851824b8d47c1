// SPDX-License-Identifier: MIT
#include "sequence/victim.h"

#include <algorithm>

namespace cede {

namespace {

Duration patience(const VictimTerms& terms, VictimPhase phase) {
  switch (phase) {
    case VictimPhase::checkpointing: return terms.checkpoint_timeout;
    case VictimPhase::signalled: return terms.signal_timeout;
    case VictimPhase::marked: return terms.soft_evict_timeout;
    case VictimPhase::stopping:
    case VictimPhase::terminating: return terms.grace;
    case VictimPhase::killing:
    case VictimPhase::removing: return terms.action_timeout;
    default: return kNoDuration;
  }
}

VictimStep step_into(VictimPhase phase) {
  switch (phase) {
    case VictimPhase::checkpointing: return VictimStep::hint;
    case VictimPhase::signalled: return VictimStep::interrupt;
    case VictimPhase::marked: return VictimStep::mark;
    case VictimPhase::stopping: return VictimStep::suspend;
    case VictimPhase::terminating: return VictimStep::term;
    case VictimPhase::killing: return VictimStep::kill;
    case VictimPhase::removing: return VictimStep::terminate;
    default: return VictimStep::none;
  }
}

bool asks_only(VictimPhase phase) {
  return phase == VictimPhase::checkpointing || phase == VictimPhase::marked;
}

VictimStep enter(const VictimTerms& terms, VictimState& victim, VictimPhase phase, Time now) {
  const Duration length = patience(terms, phase);
  victim.phase = phase;
  victim.sent = now;
  victim.answered = false;
  victim.deadline = length == kNoDuration ? kNoTime : now + length;
  victim.ending = victim.ending || !asks_only(phase);
  if (phase == VictimPhase::checkpointing) victim.hinted = now;
  return step_into(phase);
}

VictimPhase first_phase(VictimAction action) {
  switch (action) {
    case VictimAction::checkpoint: return VictimPhase::checkpointing;
    case VictimAction::suspend: return VictimPhase::stopping;
    case VictimAction::soft_evict: return VictimPhase::marked;
    case VictimAction::signal_first: return VictimPhase::signalled;
    case VictimAction::terminate: break;
  }
  return VictimPhase::terminating;
}

VictimStep give_up_saving(const VictimTerms& terms, VictimState& victim, Time now) {
  victim.checkpoint_failed = true;
  return enter(terms, victim, first_phase(terms.unsaved), now);
}

// Ends the checkpoint once every task has reported done or left.
VictimStep conclude_checkpoint(const VictimTerms& terms, VictimState& victim, Time now) {
  if (victim.done == victim.tasks) {
    victim.saved = true;
    return enter(terms, victim, first_phase(terms.then), now);
  }
  if (victim.done + victim.gone_unsaved == victim.tasks) return give_up_saving(terms, victim, now);
  return VictimStep::none;
}

ExitResult exit_result_of(const VictimTerms& terms, const VictimState& victim, ExitCause cause) {
  if (!victim.ending) {
    const bool asked = victim.phase != VictimPhase::planned;
    const bool hinted = victim.phase == VictimPhase::checkpointing;
    const bool deleted = terms.marks() && asked &&
                         (cause == ExitCause::released || (cause == ExitCause::cancelled && !hinted));
    if (!deleted) return cause == ExitCause::node_lost ? ExitResult::lost : ExitResult::completed;
  } else if (cause == ExitCause::cancelled) {
    return ExitResult::completed;
  }
  if (victim.saved || victim.kept_local) return ExitResult::saved;
  return victim.checkpoint_failed ? ExitResult::failed : ExitResult::terminated;
}

// When an unanswered action counts as failed. KILL and terminate use their deadline for this.
Time silence_ends(const VictimTerms& terms, const VictimState& victim) {
  if (victim.answered || victim.phase == VictimPhase::killing || victim.phase == VictimPhase::removing) {
    return kNoTime;
  }
  return victim.sent + terms.action_timeout;
}

bool has_clock(const VictimState& victim) {
  return victim.phase != VictimPhase::planned && victim.phase != VictimPhase::stuck && !victim.finished();
}

// Returns none if only the deadline has moved.
VictimStep deadline_passed(const VictimTerms& terms, VictimState& victim, Time now) {
  switch (victim.phase) {
    case VictimPhase::checkpointing:
      if (!victim.progressed || victim.extended) return give_up_saving(terms, victim, now);
      victim.extended = true;
      victim.progressed = false;
      victim.deadline += terms.checkpoint_timeout * terms.timeout_extension / 1000;
      return VictimStep::none;
    case VictimPhase::terminating: return enter(terms, victim, VictimPhase::killing, now);
    case VictimPhase::killing:
    case VictimPhase::removing: return action_failed(terms, victim, now);
    default: return enter(terms, victim, VictimPhase::terminating, now);
  }
}

}  // namespace

VictimStep begin(const VictimTerms& terms, VictimState& victim, Time now) {
  if (terms.action == VictimAction::checkpoint && victim.lost_task) return give_up_saving(terms, victim, now);
  return enter(terms, victim, first_phase(terms.action), now);
}

bool made_progress(VictimState& victim) {
  if (victim.phase != VictimPhase::checkpointing) return false;
  victim.answered = victim.progressed = true;
  return true;
}

bool asked_to_defer(const VictimTerms& terms, VictimState& victim, Time now, Duration wanted) {
  if (victim.phase != VictimPhase::checkpointing) return false;
  victim.answered = true;
  const Time paused = std::max(victim.paused_until, now);
  const Duration longer = std::max<Duration>(wanted, 0) - (paused - now);
  const Duration granted = std::min(longer, terms.max_deferral - victim.deferred);
  if (granted <= 0) return true;
  victim.paused_until = paused + granted;
  victim.deadline += granted;
  victim.deferred += granted;
  return true;
}

VictimStep said_done(const VictimTerms& terms, VictimState& victim, Time now, std::uint32_t tasks) {
  if (victim.phase != VictimPhase::checkpointing) return VictimStep::none;
  victim.answered = true;
  victim.done += tasks;
  return conclude_checkpoint(terms, victim, now);
}

VictimStep failed_to_save(const VictimTerms& terms, VictimState& victim, Time now) {
  if (victim.phase != VictimPhase::checkpointing) return VictimStep::none;
  return give_up_saving(terms, victim, now);
}

VictimStep left(const VictimTerms& terms, VictimState& victim, Time now, ExitCause cause, std::uint32_t tasks,
                std::uint32_t unsaved) {
  victim.gone += tasks;
  victim.gone_unsaved += unsaved;
  if (cause == ExitCause::node_lost && unsaved > 0) victim.lost_task = true;
  if (victim.gone == victim.tasks) {
    victim.kept_local = terms.keep_local && victim.phase == VictimPhase::stopping &&
                        cause != ExitCause::node_lost && cause != ExitCause::cancelled;
    victim.exit_result = exit_result_of(terms, victim, cause);
    victim.phase = VictimPhase::released;
    victim.answered = true;
    victim.deadline = kNoTime;
    victim.released = now;
    return VictimStep::none;
  }
  if (victim.phase != VictimPhase::checkpointing) return VictimStep::none;
  if (victim.lost_task) return give_up_saving(terms, victim, now);
  return conclude_checkpoint(terms, victim, now);
}

void action_done(VictimState& victim) { victim.answered = true; }

VictimStep action_failed(const VictimTerms& terms, VictimState& victim, Time now) {
  if (!has_clock(victim)) return VictimStep::none;
  ++victim.failures;
  if (victim.phase == VictimPhase::checkpointing) victim.checkpoint_failed = true;
  if (victim.failures > terms.max_action_retries) {
    victim.phase = VictimPhase::stuck;
    victim.answered = true;
    victim.deadline = kNoTime;
    return VictimStep::none;
  }
  switch (victim.phase) {
    case VictimPhase::terminating: victim.answered = true; return VictimStep::none;  // KILL follows in time
    case VictimPhase::killing:
    case VictimPhase::removing: return enter(terms, victim, VictimPhase::removing, now);
    case VictimPhase::checkpointing: return give_up_saving(terms, victim, now);
    default: return enter(terms, victim, VictimPhase::terminating, now);
  }
}

VictimStep spare(VictimState& victim) {
  if (victim.ending || victim.finished()) return VictimStep::none;
  const bool was_told = victim.phase != VictimPhase::planned;
  victim.phase = VictimPhase::spared;
  victim.answered = true;
  victim.deadline = kNoTime;
  return was_told ? VictimStep::unhint : VictimStep::none;
}

VictimStep let_go(VictimState& victim) {
  return victim.phase == VictimPhase::stuck ? spare(victim) : VictimStep::none;
}

VictimStep tick(const VictimTerms& terms, VictimState& victim, Time now) {
  for (;;) {
    const Time due = next_due(terms, victim);
    if (due == kNoTime || due > now) return VictimStep::none;
    const VictimStep step =
        due == victim.deadline ? deadline_passed(terms, victim, now) : action_failed(terms, victim, now);
    if (step != VictimStep::none) return step;
  }
}

Time next_due(const VictimTerms& terms, const VictimState& victim) {
  if (!has_clock(victim)) return kNoTime;
  const Time silence = silence_ends(terms, victim);
  if (silence == kNoTime || victim.deadline == kNoTime) return std::max(silence, victim.deadline);
  return std::min(silence, victim.deadline);
}

void sent_again(const VictimTerms& terms, VictimState& victim, Time now) {
  if (has_clock(victim) && !victim.answered) enter(terms, victim, victim.phase, now);
}

bool waits_again(const VictimTerms& terms, const VictimState& victim) {
  if (!victim.preempted()) return false;
  return terms.requeue == Requeue::always ||
         (terms.requeue == Requeue::saved && victim.exit_result == ExitResult::saved);
}

bool resumes(const VictimTerms& terms, const VictimState& victim) {
  return victim.saved || victim.kept_local || terms.has_checkpoint;
}

}  // namespace cede
