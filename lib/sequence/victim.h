// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/time.h"
#include "model/plan.h"
#include "policy/settings/profile.h"

namespace cede {

// How one victim leaves, as pure functions on a small struct. Each takes an input and returns what the
// resource manager must do next, if anything.
//
// Choices where the specification leaves room:
// * An exit counts as the job's own until an action that ends the job (INT, suspend, TERM, KILL, terminate)
//   has been sent. After that it counts as the effect of that action. A marked victim that exits has finished
//   by itself. If the manager releases or cancels a marked victim, it was deleted in reaction to the mark; a
//   victim that is to be marked may also be released while it saves. A victim that its owner cancels while it
//   is being ended is `completed`: not preempted, not requeued.
// * A victim that saves first leaves in one way if its checkpoint is written and in another if it is not (see
//   VictimTerms). If a hint cannot be sent, its checkpoint has failed.
// * A suspended victim is `saved` if its checkpoint is written or its nodes keep its state. Otherwise its
// work
//   is lost, as if it had been terminated.
// * Harsher steps: TERM follows INT, mark and suspend. KILL follows TERM, never before the grace
//   period, even if TERM could not be sent. `terminate`, removal by any means, follows KILL and then itself.
//   Only the victim's release answers KILL and `terminate`.
// * If a task leaves without having reported done, the checkpoint of the other tasks goes on. Once all of
//   them have reported, the checkpoint has failed. A task that is lost with its node fails it at once.
// * A victim whose node is lost before an action ended it is `lost`: it does not count as preempted, and
//   requeuing it is left to the manager.

enum class VictimPhase : std::uint8_t {
  planned,
  checkpointing,  // after a hint
  signalled,      // after INT
  marked,
  stopping,     // after suspend
  terminating,  // after TERM
  killing,      // after KILL
  removing,     // after terminate
  stuck,        // cannot be removed
  released,
  spared,  // its requester no longer needs it, so it runs on
};
inline constexpr std::array<std::string_view, 11> kVictimPhases{
    "planned", "checkpointing", "signalled", "marked",   "stopping", "terminating",
    "killing", "removing",      "stuck",     "released", "spared"};

// How a victim's exit ended. `failed`: its checkpoint was asked for and not written. `lost`: with its node,
// before anything ended it.
enum class ExitResult : std::uint8_t { none, saved, failed, terminated, completed, lost };
inline constexpr std::array<std::string_view, 6> kExitResults{"none",       "saved",     "failed",
                                                              "terminated", "completed", "lost"};

// What the manager must do now.
enum class VictimStep : std::uint8_t { none, hint, interrupt, mark, suspend, term, kill, terminate, unhint };

// Why a task is gone, as an event says.
enum class ExitCause : std::uint8_t { exited, released, cancelled, node_lost };

struct VictimTerms {
  VictimAction action = VictimAction::terminate;
  // If the action is checkpoint: what follows once it is written, and what follows if it is not.
  VictimAction then = VictimAction::suspend;
  VictimAction unsaved = VictimAction::terminate;
  Requeue requeue = Requeue::never;
  bool has_checkpoint = false;  // from before any hint
  bool keep_local = false;      // `suspend_keep` is local: the nodes of a suspended victim keep its state
  Duration checkpoint_timeout = 10 * kMinute;
  std::int64_t timeout_extension = 500;  // thousandths of the timeout
  Duration max_deferral = 5 * kMinute;
  Duration grace = 30 * kSecond;
  Duration soft_evict_timeout = kNoDuration;  // none: no time limit
  Duration signal_timeout = 30 * kSecond;
  Duration action_timeout = 60 * kSecond;  // this and the next come from the order, set by the commit
  std::uint32_t max_action_retries = 3;

  // Whether it may be marked, and whether it may then stay for ever.
  bool marks() const {
    const bool saves = action == VictimAction::checkpoint;
    return (saves ? then : action) == VictimAction::soft_evict ||
           (saves && unsaved == VictimAction::soft_evict);
  }
  bool may_stay() const { return marks() && soft_evict_timeout == kNoDuration; }
  bool operator==(const VictimTerms&) const = default;
};

struct VictimState {
  VictimPhase phase = VictimPhase::planned;
  ExitResult exit_result = ExitResult::none;
  bool answered = false;    // the last action, by the manager or through its effect
  bool progressed = false;  // since the hint or the last deadline
  bool extended = false;
  bool saved = false;              // every task reported done
  bool kept_local = false;         // it was suspended and its nodes keep its state
  bool checkpoint_failed = false;  // also set if no report came in time
  bool ending = false;             // an action that ends it was sent: the point of no return
  bool lost_task = false;          // lost with its node before it reported done
  std::uint32_t tasks = 0;
  std::uint32_t done = 0;          // tasks that reported done
  std::uint32_t gone = 0;          // tasks that left
  std::uint32_t gone_unsaved = 0;  // tasks that left without reporting done
  std::uint32_t failures = 0;      // of actions
  Time hinted = kNoTime;
  Time sent = kNoTime;          // when the last action was sent
  Time deadline = kNoTime;      // when the phase ends by itself
  Time paused_until = kNoTime;  // by a deferral
  Duration deferred = 0;        // granted in total
  Time released = kNoTime;

  bool finished() const { return phase == VictimPhase::released || phase == VictimPhase::spared; }
  bool preempted() const {
    return exit_result == ExitResult::saved || exit_result == ExitResult::failed ||
           exit_result == ExitResult::terminated;
  }
  bool operator==(const VictimState&) const = default;
};

// The first step out of `planned`.
VictimStep begin(const VictimTerms& terms, VictimState& victim, Time now);

// Reports from the job. They have an effect only while the victim is checkpointing; otherwise they return
// false or none.
bool made_progress(VictimState& victim);
bool asked_to_defer(const VictimTerms& terms, VictimState& victim, Time now, Duration wanted);
VictimStep said_done(const VictimTerms& terms, VictimState& victim, Time now, std::uint32_t tasks);
VictimStep failed_to_save(const VictimTerms& terms, VictimState& victim, Time now);

// Tasks are gone; `unsaved` of them had not reported done. The last task releases the victim.
VictimStep left(const VictimTerms& terms, VictimState& victim, Time now, ExitCause cause, std::uint32_t tasks,
                std::uint32_t unsaved);

// The manager's answer to the last action.
void action_done(VictimState& victim);
VictimStep action_failed(const VictimTerms& terms, VictimState& victim, Time now);

// The requester no longer needs it: the victim runs on unless it is past the point of no return.
VictimStep spare(VictimState& victim);
// Its entry is over and it could not be asked: it runs on, and other requests may take it again. One that an
// action was to end may still leave.
VictimStep let_go(VictimState& victim);

// Handles the earliest deadline that has passed. Call it again until it returns none.
VictimStep tick(const VictimTerms& terms, VictimState& victim, Time now);
// When the next deadline passes; kNoTime: never.
Time next_due(const VictimTerms& terms, const VictimState& victim);

// After a restart the last action is sent once more, because it is unknown whether it was done. Its timeout
// restarts, so that no KILL follows a TERM that was never sent.
void sent_again(const VictimTerms& terms, VictimState& victim, Time now);

// Whether a released victim is requeued.
bool waits_again(const VictimTerms& terms, const VictimState& victim);
// Whether it has a state to resume from: a checkpoint, or what the nodes of a suspended job keep.
bool resumes(const VictimTerms& terms, const VictimState& victim);

}  // namespace cede
