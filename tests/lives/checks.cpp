// SPDX-License-Identifier: MIT
// What a plan, a commit and the state of the entries must not be.
#include <algorithm>

#include "life.h"

namespace lives {

void Life::found(const std::string& kind, const std::string& text) const {
  if (settings_.ignored.contains(kind)) {
    say("    ignored: " + kind + ": " + text);
    return;
  }
  throw Finding{kind, text};
}

// Runs that the library was told of and that no event has declared gone. Where an event was wrong about a run
// nothing is concluded from it.
bool Life::counts_as_running(const Task& task) const {
  return task.placed && !book_.released.contains(task.run) && !lied_.contains(task.run);
}

void Life::check_unchanged(const std::string& what) {
  if (engine_->revision() != revision_) found("refused call changes the revision", what);
  if (engine_->in_flight().json != ledger_.json) found("refused call changes the ledger", what);
}

void Life::check_plan(const PlanView& plan, const std::vector<std::string>& terms,
                      const std::string& requester, bool sensitive_claim) {
  const std::string who = requester.empty() ? "a plan" : "the plan for " + requester;
  if (engine_->verify(plan) < 0) {
    const std::string why = engine_->error();
    const std::size_t rule = why.find(": ") + 2;
    found("verify refuses for " + why.substr(rule, why.find(':', rule) - rule),
          who + " (" + plan.reason + "): " + why);
  }
  std::set<std::string> only;
  for (const std::string& term : terms) {
    const std::size_t at = term.find('=');
    const std::string key = term.substr(0, at);
    const std::string name = at == std::string::npos ? std::string() : term.substr(at + 1);
    if (key == "only") only.insert(name);
    for (const PlaceView& place : plan.places) {
      if (key == "avoid" && place.place.node == name) found("avoided node is used", who + " uses " + name);
    }
    for (const VictimView& victim : plan.victims) {
      if (key == "protect" && victim.hold == 0 && victim.job == name && !sensitive_claim)
        found("protected job is taken", who + " takes " + name);
    }
  }
  for (const PlaceView& place : plan.places) {
    if (!only.empty() && !only.contains(place.place.node))
      found("node outside only= is used", who + " uses " + place.place.node);
  }
  Entry* own = requester.empty() ? nullptr : book_.live_entry_of(requester);
  for (const VictimView& victim : plan.victims) {
    if (victim.hold != 0) continue;
    const Job* job = told_.job(victim.job);
    if (!job) return found("victim is unknown", who + " takes " + victim.job);
    if (told_.is_sensitive(*job)) found("sensitive job is taken", who + " takes " + victim.job);
    for (const std::string& name : victim.tasks) {
      const Task* task = job->find(name);
      if (!task || !task->placed)
        return found("victim does not run", who + " takes " + victim.job + '/' + name);
      if (lied_.contains(task->run)) continue;
      const Entry* taker = book_.taker_of(task->run, own ? own->id : 0);
      if (taker && is_leaving_for(*taker, victim.job))
        found("victim is taken twice",
              who + " takes " + victim.job + '/' + name + ", a victim of entry " + std::to_string(taker->id));
    }
  }
}

// Whether the library still waits for a victim of this job to leave: an event may have said that it is gone.
bool Life::is_leaving_for(const Entry& entry, const std::string& job) const {
  const LedgerEntry* known = ledger_.find(entry.id);
  return !known || std::any_of(known->victims.begin(), known->victims.end(), [&](const auto& victim) {
    return victim.first == job && victim.second != "released" && victim.second != "spared";
  });
}

// Whether an entry that keeps its space waits for this run. A run that began no later than the commit cannot
// be told from the one that gives way.
bool Life::is_awaited_by_any(const Job& job, const Task& task) const {
  return std::any_of(book_.entries.begin(), book_.entries.end(), [&](const auto& each) {
    const auto& [id, entry] = each;
    const LedgerEntry* known = ledger_.find(id);
    if (!known || !is_kept(entry) || task.started > known->facts.committed) return false;
    return is_leaving_for(entry, job.id) &&
           std::any_of(entry.victims.begin(), entry.victims.end(), [&](const Victim& victim) {
             return victim.job == job.id && victim.task == task.id && victim.place.node == task.place.node;
           });
  });
}

// Whether an entry keeps its space. One whose job is gone ends with the next step.
bool Life::is_kept(const Entry& entry) const {
  return entry.holds() && (entry.kind != RequesterKind::job || told_.job(entry.requester));
}

// No space is promised that a job keeps or that was promised before.
void Life::check_commit(const Entry& entry, const PlanView& plan) {
  std::set<std::uint64_t> leaving;
  std::set<std::uint64_t> taken;
  std::set<std::string> after(plan.after.begin(), plan.after.end());
  const auto add = [&](const std::vector<Victim>& victims) {
    for (const Victim& victim : victims) leaving.insert(victim.run);
  };
  add(entry.victims);
  for (const VictimView& victim : plan.victims) {
    if (victim.hold != 0) {
      // In a part of a batch the number is the one its entry gets if all parts are committed.
      auto known = std::find_if(book_.entries.begin(), book_.entries.end(), [&](const auto& each) {
        return each.second.kind == RequesterKind::job && each.second.requester == victim.job &&
               each.second.holds() && each.first != entry.id;
      });
      if (known == book_.entries.end()) known = book_.entries.find(victim.hold);
      if (known == book_.entries.end())
        return found("a hold of no known entry is taken", std::to_string(victim.hold));
      if (known->second.started_once) found("hold of a ready entry is taken", std::to_string(victim.hold));
      taken.insert(known->first);
      after.insert(known->second.after.begin(), known->second.after.end());
      add(known->second.victims);
      continue;
    }
    const Job* job = told_.job(victim.job);
    for (const std::string& name : victim.tasks) {
      const Task* task = job ? job->find(name) : nullptr;
      if (task) leaving.insert(task->run);
    }
  }
  // An entry that this one counts on may itself count on others.
  for (std::size_t known = 0; known != after.size();) {
    known = after.size();
    for (const auto& [id, other] : book_.entries) {
      if (after.contains(other.requester)) after.insert(other.after.begin(), other.after.end());
    }
  }
  std::set<std::uint64_t> counted_on = taken;
  counted_on.insert(entry.id);
  for (const auto& [id, other] : book_.entries) {
    if (!after.contains(other.requester)) continue;
    add(other.victims);
    counted_on.insert(id);
  }
  // A run that began no later than the commit cannot be told from the one that gives way; it is awaited.
  const auto is_awaited = [&](const std::string& job) {
    return std::any_of(counted_on.begin(), counted_on.end(), [&](std::uint64_t id) {
      const auto known = book_.entries.find(id);
      const Entry& each = known == book_.entries.end() ? entry : known->second;
      return ledger_.find(id) && is_leaving_for(each, job);
    });
  };
  for (const std::string& name : entry.claimed) {
    for (const auto& [id, other] : book_.entries) {
      if (!is_kept(other) || other.kind != RequesterKind::job || taken.contains(id)) continue;
      if (told_.is_below(other.queue, entry.requester)) continue;
      for (const PlaceView& held : other.places) {
        const Job* job = told_.job(other.requester);
        const Task* task = job ? job->find(held.task) : nullptr;
        if (held.place.node == name && !(task && task->placed))
          found("held node is claimed", "entry " + std::to_string(entry.id) + ": " + name +
                                            " is held by entry " + std::to_string(id));
      }
    }
  }
  for (const PlaceView& view : entry.places) {
    std::vector<Place> used;
    std::vector<Place> others;  // those that stay, and holds
    std::string users;
    for (const Running& each : running_on(told_, view.place.node)) {
      if (!counts_as_running(*each.task) || leaving.contains(each.task->run)) continue;
      if (is_awaited(each.job->id)) continue;
      used.push_back(each.task->place);
      if (!book_.taker_of(each.task->run) && !is_awaited_by_any(*each.job, *each.task))
        others.push_back(each.task->place);
      users += ' ' + each.job->id + '/' + each.task->id;
    }
    const std::string what = "entry " + std::to_string(entry.id) + ": " + place_text(view) + ": ";
    if (!has_room(view.place, used)) return found("used device is promised", what + "used by" + users);
    for (const auto& [id, other] : book_.entries) {
      if (id == entry.id || !is_kept(other) || taken.contains(id)) continue;
      for (const PlaceView& held : other.places) {
        const Job* job = told_.job(other.requester);
        const Task* task = job ? job->find(held.task) : nullptr;
        if ((task && task->placed) || held.place.node != view.place.node) continue;
        others.push_back(held.place);
        users += " entry " + std::to_string(id);
      }
      const bool claimed =
          std::find(other.claimed.begin(), other.claimed.end(), view.place.node) != other.claimed.end();
      if (claimed && !told_.is_below(entry.queue, other.requester))
        found("claimed node is promised", what + "claimed by entry " + std::to_string(id));
    }
    if (!has_room(view.place, others)) found("device is promised twice", what + "used or held by" + users);
  }
}

// A hold that is not short has all of its places.
void Life::check_place(const Entry& entry, const PlaceView& view, const std::string& after) {
  const std::string what = "entry " + std::to_string(entry.id) + " is " + state_name(entry.state) +
                           " after " + after + ", but " + place_text(view) + ": ";
  const Job* job = told_.job(entry.requester);
  const Task* task = job ? job->find(view.task) : nullptr;
  if (task && task->placed) return;  // it runs already
  const Node* node = told_.node(view.place.node);
  if (!node) return found("hold on a lost node", what + "the node is gone");
  if (node->state != "up") return found("hold on a lost node", what + "the node is " + node->state);
  if (node->group != entry.group)
    return found("hold on a lost node", what + "the node is in group " + node->group);
  const std::uint32_t devices = node->devices();
  const bool beyond = devices < 64 && view.place.gpus >> devices != 0;
  if (view.place.devices_known && (beyond || (view.place.share > 0 && view.place.share_device >= devices)))
    return found("hold beyond the node", what + "the node has " + std::to_string(devices) + " devices");
  for (const auto& [resource, asked] :
       entry.asked.contains(view.task) ? entry.asked.at(view.task) : Resources{}) {
    if (told_.by_group(entry.group, resource)) continue;
    const auto most = node->resources.find(resource);
    if (asked > 0 && (most == node->resources.end() || most->second < asked))
      return found("hold beyond the node", what + "the node has less " + resource);
  }
  if (entry.state != CEDE_ENTRY_READY) return;
  std::vector<Place> used;
  std::string users;
  for (const Running& each : running_on(told_, node->id)) {
    if (!counts_as_running(*each.task)) continue;
    used.push_back(each.task->place);
    users += ' ' + each.job->id + '/' + each.task->id;
  }
  if (!has_room(view.place, used)) found("ready on a used device", what + "used by" + users);
}

// A job that gets its devices without names might get a device that is kept for another by name.
void Life::check_names(const std::string& after) {
  struct Promised {
    std::uint64_t entry;
    bool named;
  };
  std::map<std::string, std::vector<Promised>> nodes;
  for (const auto& [id, entry] : book_.entries) {
    const Job* job = told_.job(entry.requester);
    if (!is_kept(entry) || entry.kind != RequesterKind::job || !job) continue;
    for (const PlaceView& view : entry.places) {
      const Task* task = job->find(view.task);
      const Node* node = told_.node(view.place.node);
      if (!task || task->placed || !node || node->devices() == 0) continue;
      const bool named = view.place.gpus != 0 || view.place.share > 0;
      if (named || !view.place.devices_known) nodes[node->id].push_back({id, named});
    }
  }
  for (const auto& [node, promised] : nodes) {
    for (const Promised& one : promised) {
      for (const Promised& other : promised) {
        if (one.named && !other.named && one.entry != other.entry)
          found("names beside none", "after " + after + " entry " + std::to_string(one.entry) +
                                         " has devices of " + node + " by name, entry " +
                                         std::to_string(other.entry) + " without");
      }
    }
  }
}

void Life::check_entries(const std::string& after) {
  check_names(after);
  for (const auto& [id, entry] : book_.entries) {
    if (!entry.holds()) continue;
    for (const PlaceView& place : entry.places) check_place(entry, place, after);
    for (const std::string& name : entry.claimed) {
      const Node* node = told_.node(name);
      if (entry.claimed_lost) continue;
      if (!node || node->state != "up" || node->group != entry.group)
        found("claim on a lost node", "entry " + std::to_string(id) + " is " + state_name(entry.state) +
                                          " after " + after + ", but node " + name + " is not there");
    }
  }
}

}  // namespace lives
