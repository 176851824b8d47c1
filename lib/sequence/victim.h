// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/time.h"
#include "model/plan.h"
#include "policy/settings/profile.h"

namespace cede {

// How one victim leaves, as pure functions on a small struct: each takes an input and says what the resource
// manager is to do next, if anything.
//
// Where the specification leaves room:
// * An exit counts as the job's own until an action that ends it (INT, suspend, TERM, KILL, terminate) has
//   been sent; after that it is the effect of that action. A marked victim that exits has finished by itself;
//   one that the manager releases or cancels was deleted by whoever reacted to the mark. A victim cancelled
//   by its owner once it is being ended is `completed`: not preempted, not requeued.
// * Harsher steps: hint, INT, mark and suspend are followed by TERM, TERM by KILL (never before its grace,
//   also when TERM could not be sent), KILL by `terminate`, which asks for removal by whatever means, and
//   that by itself. KILL and `terminate` are answered by the victim's release only.
// * A task that leaves without having said done does not end the checkpoint of the others, but once all of
//   them have spoken it has failed. A task lost with its node fails it at once.
// * A victim whose node is lost before it was being ended is `lost`: not counted as preempted and not
//   requeued, for that is then the manager's own affair.

enum class VictimPhase : std::uint8_t {
  planned,
  checkpointing,  // hinted
  signalled,      // INT
  marked,
  stopping,     // suspend, after a checkpoint or instead of one
  terminating,  // TERM
  killing,      // KILL
  removing,     // terminate
  stuck,        // cannot be removed
  released,
  spared,  // its requester needs it no more: it runs on
};
inline constexpr std::array<std::string_view, 11> kVictimPhases{
    "planned", "checkpointing", "signalled", "marked",   "stopping", "terminating",
    "killing", "removing",      "stuck",     "released", "spared"};

// As what a victim was released.
enum class Release : std::uint8_t { none, suspended, failed, terminated, completed, lost };
inline constexpr std::array<std::string_view, 6> kReleases{"none",       "suspended", "failed",
                                                           "terminated", "completed", "lost"};

// What the manager is to do now.
enum class VictimStep : std::uint8_t { none, hint, interrupt, mark, suspend, term, kill, terminate, unhint };

enum class Leave : std::uint8_t { exited, released, cancelled, node_lost };

struct VictimTerms {
  VictimAction action = VictimAction::terminate;
  Requeue requeue = Requeue::never;
  bool has_checkpoint = false;  // an earlier one, before any hint
  Duration checkpoint_timeout = 10 * kMinute;
  std::int64_t timeout_extension = 500;  // thousandths of the timeout
  Duration max_deferral = 5 * kMinute;
  Duration grace = 30 * kSecond;
  Duration soft_evict_timeout = kNoDuration;  // none: waits for ever
  Duration signal_timeout = 30 * kSecond;
  Duration action_timeout = 60 * kSecond;  // this and the next are the order's, copied here by the commit
  std::uint32_t max_action_retries = 3;

  bool operator==(const VictimTerms&) const = default;
};

struct VictimState {
  VictimPhase phase = VictimPhase::planned;
  Release release = Release::none;
  bool answered = false;    // the last action, by the manager or by its effect
  bool progressed = false;  // since the hint or the last deadline
  bool extended = false;
  bool saved = false;              // every task said done
  bool checkpoint_failed = false;  // silence counts
  bool ending = false;             // an action that ends it was sent: the point of no return
  bool lost_task = false;          // with its node, before it said done
  std::uint32_t tasks = 0;
  std::uint32_t done = 0;          // said so
  std::uint32_t gone = 0;          // left
  std::uint32_t gone_unsaved = 0;  // left without having said done
  std::uint32_t failures = 0;      // of actions
  Time hinted = kNoTime;
  Time sent = kNoTime;          // the last action
  Time deadline = kNoTime;      // when the phase ends by itself
  Time paused_until = kNoTime;  // by deferral
  Duration deferred = 0;        // granted in total
  Time released = kNoTime;

  bool finished() const { return phase == VictimPhase::released || phase == VictimPhase::spared; }
  bool preempted() const {
    return release == Release::suspended || release == Release::failed || release == Release::terminated;
  }
  bool operator==(const VictimState&) const = default;
};

// The first step out of `planned`.
VictimStep begin(const VictimTerms& terms, VictimState& victim, Time now);

// Word from the job. All but `left` mean something while it is checkpointing only; false, or none, otherwise.
bool made_progress(VictimState& victim);
bool asked_to_defer(const VictimTerms& terms, VictimState& victim, Time now, Duration wanted);
VictimStep said_done(const VictimTerms& terms, VictimState& victim, Time now, std::uint32_t tasks);
VictimStep failed_to_save(const VictimTerms& terms, VictimState& victim, Time now);

// Tasks are gone, `unsaved` of them without having said done. The last one releases the victim.
VictimStep left(const VictimTerms& terms, VictimState& victim, Time now, Leave how, std::uint32_t tasks,
                std::uint32_t unsaved);

// The manager's answer to the last action.
void action_done(VictimState& victim);
VictimStep action_failed(const VictimTerms& terms, VictimState& victim, Time now);

// The requester needs it no more: back to work unless it is past the point of no return.
VictimStep spare(VictimState& victim);

// Fires the earliest clock that is due; to be called again until it answers none.
VictimStep tick(const VictimTerms& terms, VictimState& victim, Time now);
// When that will be; kNoTime: never.
Time next_due(const VictimTerms& terms, const VictimState& victim);

// The last action is sent once more after a restart, because nobody knows whether it was done: its clock
// begins anew, so that no KILL follows a TERM that was never sent.
void sent_again(const VictimTerms& terms, VictimState& victim, Time now);

// Of a released victim.
bool waits_again(const VictimTerms& terms, const VictimState& victim);
// It has something to resume from: a checkpoint, or what a suspended job's nodes keep of it.
bool resumes(const VictimTerms& terms, const VictimState& victim, bool keep_local);

}  // namespace cede
