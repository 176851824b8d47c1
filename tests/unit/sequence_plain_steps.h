// SPDX-License-Identifier: MIT
#pragma once

#include "sequence_plain_model.h"

// The steps of the plain model: what events do, and what time does.
namespace cede {

// What each phase asks for, how long it lasts and what follows; a failure leads to the same phase, except
// that TERM waits for its time.
struct PlainPhase {
  std::string asks;
  Duration (*patience)(const PlainSequence::Victim&);
  std::string next;
};

inline const std::map<std::string, PlainPhase>& plain_phases() {
  using Victim = PlainSequence::Victim;
  static const std::map<std::string, PlainPhase> kPhases{
      {"checkpointing",
       {"checkpoint-hint", [](const Victim& v) { return v.order.terms.checkpoint_timeout; }, "terminating"}},
      {"signalled", {"INT", [](const Victim& v) { return v.order.terms.signal_timeout; }, "terminating"}},
      {"marked", {"mark", [](const Victim& v) { return v.order.terms.soft_evict_timeout; }, "terminating"}},
      {"stopping", {"suspend", [](const Victim& v) { return v.order.terms.grace; }, "terminating"}},
      {"terminating", {"TERM", [](const Victim& v) { return v.order.terms.grace; }, "killing"}},
      {"killing", {"KILL", [](const Victim& v) { return v.action_timeout; }, "removing"}},
      {"removing", {"terminate", [](const Victim& v) { return v.action_timeout; }, "removing"}},
  };
  return kPhases;
}

inline const std::string& plain_first_phase(VictimAction action) {
  static const std::map<VictimAction, std::string> kFirst{{VictimAction::checkpoint, "checkpointing"},
                                                          {VictimAction::suspend, "stopping"},
                                                          {VictimAction::terminate, "terminating"},
                                                          {VictimAction::soft_evict, "marked"},
                                                          {VictimAction::signal_first, "signalled"}};
  return kFirst.at(action);
}

inline std::string with_tasks(const std::string& job, const std::vector<PlainSequence::Task>& tasks,
                              bool all) {
  std::string text = job;
  for (const PlainSequence::Task& task : tasks) {
    if (all || !task.gone) text += '/' + task.label;
  }
  return text;
}

inline void PlainSequence::end(Entry& entry, const std::string& how, bool spare_all) {
  if (entry.has_hold()) entry.release = {.what = "release-hold"};
  entry.state = how;
  entry.notice = {};
  for (Victim& victim : entry.victims) {
    const bool runs_on = spare_all || victim.phase == "stuck";
    if (runs_on && !victim.ending && !victim.is_finished()) spare(entry, victim);
  }
}

// What was asked of a victim in the step in which it is gone, or runs on, is not asked.
inline void PlainSequence::unsay(Victim& victim) {
  for (const std::string& text : victim.said_now) {
    texts_.erase(std::find(texts_.begin(), texts_.end(), text));
    --said_[text];
  }
  victim.said_now.clear();
}

inline void PlainSequence::spare(Entry&, Victim& victim) {
  unsay(victim);
  if (victim.phase != "planned") victim.pending_action = {.what = "cancel-hint"};
  victim.phase = "spared";
  victim.unanswered = victim.timed = false;
}

inline void PlainSequence::say(const std::string& text, ActionKey* key) {
  texts_.push_back(text);
  if (key) *key = {text, ++said_[text]};
}

inline void PlainSequence::enter(Entry& entry, Victim& victim, const std::string& phase) {
  victim.phase = phase;
  if (phase != "checkpointing" && phase != "marked") victim.ending = true;
  list(entry, victim, false);
}

inline void PlainSequence::list(Entry& entry, Victim& victim, bool again) {
  const PlainPhase& row = plain_phases().at(victim.phase);
  const Duration patience = row.patience(victim);
  victim.timed = patience != kNoDuration;
  victim.left = patience;
  victim.paused = 0;
  victim.unanswered = true;
  victim.list_again = false;
  victim.silence_left = victim.action_timeout;
  std::string text = '#' + std::to_string(entry.id) + ' ' + row.asks + ' ' +
                     with_tasks(victim.order.job, victim.tasks, false);
  if (victim.timed) text += " until " + format_scaled(now_ + patience - kStart, 3);
  say(text, again ? nullptr : &victim.open);
  if (!again) victim.said_now.push_back(text);
}

inline void PlainSequence::checkpoint_failed(Entry& entry, Victim& victim) {
  victim.failed = true;
  ++failed_checkpoints;
  enter(entry, victim, plain_first_phase(victim.order.terms.unsaved));
}

inline void PlainSequence::leave(Entry& entry, Victim& victim, const std::vector<Task*>& tasks,
                                 const std::string& how) {
  for (Task* task : tasks) {
    task->gone = true;
    if (how == "node" && !task->done) victim.lost_task = true;
  }
  const auto all = [&](auto claim) { return std::all_of(victim.tasks.begin(), victim.tasks.end(), claim); };
  if (all([](const Task& t) { return t.gone; })) {
    const bool deleted = victim.is_for_marking() && victim.phase != "planned" &&
                         (how == "released" || (how == "cancelled" && victim.phase != "checkpointing"));
    victim.kept = victim.phase == "stopping" && victim.order.terms.keep_local && how != "node";
    if (!victim.ending && !deleted) {
      victim.exit_result = how == "node" ? "lost" : "completed";
    } else if (victim.ending && how == "cancelled") {
      victim.exit_result = "completed";
    } else if (victim.saved || victim.kept) {
      victim.exit_result = "saved";
    } else {
      victim.exit_result = victim.failed ? "failed" : "terminated";
    }
    unsay(victim);
    victim.phase = "released";
    victim.unanswered = victim.timed = false;
    victim.pending_action = {.what = "gone"};
    if (victim.exit_result == "completed" || victim.exit_result == "lost") return;
    preempted += victim.order.units;
    const Requeue requeue = victim.order.terms.requeue;
    if (requeue == Requeue::never || (requeue == Requeue::saved && victim.exit_result != "saved")) return;
    ++requeued;
    victim.pending_action = {.what = "requeue"};
    return;
  }
  if (victim.phase != "checkpointing") return;
  if (victim.lost_task || all([](const Task& t) { return t.done || t.gone; }))
    checkpoint_failed(entry, victim);
}

// The manager could not do it.
inline void PlainSequence::fail(Entry& entry, Victim& victim) {
  ++victim.failures;
  const bool over = victim.failures > victim.retries;
  if (victim.phase == "checkpointing" && !over) {
    checkpoint_failed(entry, victim);
    return;
  }
  if (over) {
    if (victim.phase == "checkpointing") {
      victim.failed = true;
      ++failed_checkpoints;
    }
    victim.phase = "stuck";
    victim.unanswered = victim.timed = false;
    if (!entry.is_live() && !victim.ending) spare(entry, victim);
  } else if (victim.phase == "terminating") {
    victim.unanswered = false;
  } else {
    enter(entry, victim, plain_phases().at(victim.phase).next);
  }
}

inline void PlainSequence::run_clocks(Entry& entry, Victim& victim) {
  for (;;) {
    const bool waits = victim.unanswered && victim.phase != "killing" && victim.phase != "removing";
    const bool silent = waits && victim.silence_left <= 0;
    const Duration left = victim.left + victim.paused;
    const bool over = victim.timed && left <= 0;
    if (!silent && !over) return;
    if (silent && (!over || victim.silence_left < left)) {
      fail(entry, victim);
    } else if (victim.phase == "killing" || victim.phase == "removing") {
      fail(entry, victim);
    } else if (victim.phase != "checkpointing") {
      enter(entry, victim, plain_phases().at(victim.phase).next);
    } else if (victim.progressed && !victim.extended) {
      victim.extended = true;
      victim.left += victim.order.terms.checkpoint_timeout * victim.order.terms.timeout_extension / 1000;
    } else {
      checkpoint_failed(entry, victim);
    }
  }
}

inline bool PlainSequence::happens_to_victim(Entry& entry, Victim& victim, const PlainEvent& about) {
  const Event& event = about.event;
  const bool ends = event.kind == EventKind::exited || event.kind == EventKind::cancelled;
  std::vector<Task*> named;
  bool knows = event.task.empty() || ends;
  for (Task& task : victim.tasks) {
    if (!event.task.empty() && !ends && task.label != event.task) continue;
    knows = true;
    if (!task.gone) named.push_back(&task);
  }
  if (!knows) return false;
  const bool checkpointing = victim.phase == "checkpointing";
  switch (event.kind) {
    case EventKind::checkpoint_progress:
      if (checkpointing) victim.progressed = true, victim.unanswered = false;
      return checkpointing;
    case EventKind::defer: {
      if (!checkpointing) return false;
      victim.unanswered = false;
      const Duration more = std::min(event.length - victim.paused, victim.deferral_left);
      if (more > 0) victim.paused += more, victim.deferral_left -= more;
      return true;
    }
    case EventKind::checkpoint_failed:
      if (checkpointing) checkpoint_failed(entry, victim);
      return checkpointing;
    case EventKind::checkpoint_done: {
      if (!checkpointing) return false;
      std::erase_if(named, [](const Task* t) { return t->done; });
      if (named.empty()) return false;
      for (Task* task : named) task->done = true;
      victim.unanswered = false;
      std::size_t spoke = 0;
      std::size_t left = 0;
      for (const Task& task : victim.tasks) {
        if (task.done) ++spoke;
        if (task.gone && !task.done) ++left;
      }
      if (spoke == victim.tasks.size()) {
        victim.saved = true;
        enter(entry, victim, plain_first_phase(victim.order.terms.then));
      } else if (spoke + left == victim.tasks.size()) {
        checkpoint_failed(entry, victim);
      }
      return true;
    }
    default:
      if (named.empty()) return false;
      leave(entry, victim, named,
            event.kind == EventKind::released    ? "released"
            : event.kind == EventKind::cancelled ? "cancelled"
                                                 : "exited");
      return true;
  }
}

inline bool PlainSequence::answered(const PlainEvent& about) {
  const bool good = about.event.kind == EventKind::action_done;
  if (about.about.first.empty()) return false;
  for (Entry& entry : entries) {
    for (Victim& victim : entry.victims) {
      if (victim.unanswered && victim.open == about.about) {
        if (good) {
          victim.unanswered = false;
        } else {
          fail(entry, victim);
        }
        return true;
      }
    }
    std::vector<PendingAction*> pending{&entry.notice, &entry.release};
    for (Victim& victim : entry.victims) pending.push_back(&victim.pending_action);
    for (PendingAction* pending_action : pending) {
      if (pending_action->what.empty() || pending_action->key != about.about) continue;
      if (good) {
        *pending_action = {};
      } else {
        pending_action_failed(entry, *pending_action);
      }
      return true;
    }
  }
  return false;
}

inline void PlainSequence::pending_action_failed(Entry& entry, PendingAction& pending_action) {
  const std::uint32_t failures = pending_action.failures + 1;
  if (pending_action.what == "start" || failures > entry.order.max_action_retries) {
    pending_action = {};
  } else {
    pending_action = {.what = pending_action.what, .failures = failures};
  }
}

inline bool PlainSequence::happens(const PlainEvent& about) {
  const Event& event = about.event;
  bool taken = false;
  if (event.kind == EventKind::action_done || event.kind == EventKind::action_failed) return answered(about);
  if (event.kind == EventKind::node_down || event.kind == EventKind::node_up) {
    const bool down = event.kind == EventKind::node_down;
    for (Entry& entry : entries) {
      for (Victim& victim : entry.victims) {
        if (!down || victim.is_finished()) continue;
        std::vector<Task*> lost;
        for (Task& task : victim.tasks) {
          if (task.node == event.node && !task.gone) lost.push_back(&task);
        }
        if (lost.empty()) continue;
        leave(entry, victim, lost, "node");
        taken = true;
      }
      const bool uses = std::any_of(entry.placement.begin(), entry.placement.end(),
                                    [&](const Place& place) { return place.node == event.node; });
      const auto lost = std::find(entry.lost_nodes.begin(), entry.lost_nodes.end(), event.node);
      if (!uses || !entry.has_hold()) continue;
      if (down == (lost != entry.lost_nodes.end())) continue;
      if (down) {
        entry.lost_nodes.push_back(event.node);
      } else {
        entry.lost_nodes.erase(lost);
      }
      taken = true;
    }
    return taken;
  }
  for (Entry& entry : entries) {
    for (Victim& victim : entry.victims) {
      if (event.kind == EventKind::started || event.kind == EventKind::claim_done) continue;
      if (victim.order.job != event.job || victim.is_finished()) continue;
      taken = happens_to_victim(entry, victim, about) || taken;
    }
  }
  const bool concerns_requester = event.kind == EventKind::exited || event.kind == EventKind::cancelled ||
                                  event.kind == EventKind::gone || event.kind == EventKind::started;
  for (Entry& entry : entries) {
    const bool is_it = event.kind == EventKind::claim_done
                           ? entry.id == event.entry && entry.order.requester.kind == RequesterKind::claim
                           : concerns_requester && entry.order.requester.kind == RequesterKind::job &&
                                 entry.order.requester.name == event.job;
    if (!is_it || !entry.is_live()) continue;
    const bool ran = event.kind == EventKind::started || event.kind == EventKind::exited ||
                     event.kind == EventKind::claim_done;
    end(entry, ran && entry.state == "ready" ? "started" : "cancelled", true);
    taken = true;
  }
  return taken;
}

inline void PlainSequence::list_pending_action(Entry& entry, PendingAction& pending_action,
                                               const Victim* victim) {
  if (pending_action.what.empty()) return;
  if (pending_action.listed && pending_action.silence_left <= 0 && pending_action.what != "start")
    pending_action_failed(entry, pending_action);
  if (pending_action.what.empty() || pending_action.listed) return;
  pending_action.listed = true;
  pending_action.silence_left = entry.order.action_timeout;
  std::string text = '#' + std::to_string(entry.id) + ' ' + pending_action.what;
  if (pending_action.what == "start") text += ' ' + entry.order.requester.name;
  const bool left = pending_action.what == "requeue" || pending_action.what == "gone";
  if (victim) text += ' ' + with_tasks(victim->order.job, victim->tasks, left);
  if (left) text += ' ' + (victim->exit_result == "lost" && victim->saved ? "saved" : victim->exit_result);
  if (pending_action.what == "requeue" &&
      (victim->saved || victim->order.terms.has_checkpoint || victim->kept))
    text += " to resume";
  say(text, pending_action.key.first.empty() ? &pending_action.key : nullptr);
}

inline void PlainSequence::step_run(Entry& entry) {
  for (Victim& victim : entry.victims) {
    if (victim.list_again && victim.unanswered) list(entry, victim, true);
  }
  for (Victim& victim : entry.victims) {
    if (victim.phase == "planned") {
      if (victim.order.terms.action == VictimAction::checkpoint && victim.lost_task) {
        checkpoint_failed(entry, victim);
      } else {
        enter(entry, victim, plain_first_phase(victim.order.terms.action));
      }
    }
    run_clocks(entry, victim);
  }
  if (entry.state == "ready") {
    if (entry.order.requester.kind == RequesterKind::job && entry.left <= 0) {
      end(entry, "expired", false);
      ++expired;
    } else if (!entry.lost_nodes.empty()) {
      const Time least = now_ + entry.order.hold_timeout;
      entry.bound_at = entry.bounded ? std::max(entry.bound_at, least) : least;
      entry.left = entry.bound_at - now_;
      entry.bounded = true;
      if (entry.left <= 0) {
        end(entry, "failed", false);
      } else {
        entry.state = "short";
        entry.notice = {.what = "replan"};
      }
    }
  } else if (entry.is_live()) {
    bool pending = false;
    bool short_of_space = entry.hold_taken || !entry.lost_nodes.empty();
    for (const Victim& victim : entry.victims) {
      if (!victim.needed || victim.is_finished()) continue;
      pending = true;
      short_of_space = short_of_space || victim.phase == "stuck";
    }
    const bool may_last = std::any_of(entry.victims.begin(), entry.victims.end(),
                                      [](const Victim& v) { return v.has_no_limit(); });
    if ((pending || short_of_space) && !entry.bounded && !may_last) {
      entry.bounded = true;
      entry.left = entry.order.entry_timeout;
      entry.bound_at = now_ + entry.left;
    }
    if (!pending && !short_of_space) {
      become_ready(entry);
    } else if (entry.bounded && entry.left <= 0) {
      end(entry, "failed", false);
    } else if (!short_of_space) {
      entry.state = "waiting";
      entry.notice = {};
    } else if (entry.state != "short") {
      entry.state = "short";
      entry.notice = {.what = "replan"};
    }
  }
  list_pending_action(entry, entry.notice, nullptr);
  list_pending_action(entry, entry.release, nullptr);
  for (Victim& victim : entry.victims) list_pending_action(entry, victim.pending_action, &victim);
}

inline PlainSequence::Texts PlainSequence::step(Time now, const std::vector<PlainEvent>& events,
                                                std::vector<bool>& taken) {
  pass(now);
  texts_.clear();
  for (Entry& entry : entries) {
    for (Victim& victim : entry.victims) victim.said_now.clear();
  }
  using enum EventKind;
  taken.assign(events.size(), false);
  std::vector<bool> heard(events.size(), false);
  for (const std::string& job : std::exchange(gone_, {})) {
    for (std::size_t i = 0; i < events.size(); ++i) {
      const bool about_it = events[i].event.job == job && events[i].event.kind != claim_done &&
                            events[i].event.kind < node_down;
      if (!about_it || heard[i]) continue;
      heard[i] = true;
      taken[i] = happens(events[i]);
    }
    PlainEvent vanished;
    vanished.event = event(EventKind::gone, job);
    happens(vanished);
  }
  for (std::size_t i = 0; i < events.size(); ++i) {
    const Event& told = events[i].event;
    if (!heard[i]) taken[i] = happens(events[i]);
    const bool known = std::find(vanished_.begin(), vanished_.end(), told.job) != vanished_.end();
    if (known && (told.kind == released || told.kind == exited || told.kind == cancelled)) taken[i] = true;
    if (told.kind == action_done && !events[i].about.first.empty()) taken[i] = true;
    if (!taken[i]) ++ignored;
  }
  for (Entry& entry : entries) step_run(entry);
  std::erase_if(entries, [](const Entry& entry) {
    return !entry.is_live() && entry.notice.what.empty() && entry.release.what.empty() &&
           std::all_of(entry.victims.begin(), entry.victims.end(),
                       [](const Victim& v) { return v.is_finished() && v.pending_action.what.empty(); });
  });
  return texts_;
}

}  // namespace cede
