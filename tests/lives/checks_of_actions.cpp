// SPDX-License-Identifier: MIT
// What the library must not ask for.
#include <algorithm>
#include <bit>
#include <optional>

#include "life.h"

namespace lives {

namespace {

bool ends_victim(const cede_action& action) {
  return action.kind == CEDE_DO_SIGNAL || action.kind == CEDE_DO_SUSPEND || action.kind == CEDE_DO_TERMINATE;
}

}  // namespace

void Life::check_action(const ActionView& action, bool listed_again) {
  const auto known = book_.entries.find(action.facts.entry);
  if (known == book_.entries.end()) return found("action of an unknown entry", action_name(action.facts));
  Entry& entry = known->second;
  const std::string what = std::string(action_name(action.facts)) + " #" + std::to_string(action.facts.id) +
                           " of entry " + std::to_string(entry.id) + ' ' + action.job;
  if (action.facts.kind == CEDE_DO_START || action.facts.kind == CEDE_DO_CLAIM_READY) {
    // An unanswered claim-ready is sent again; no job is started twice.
    if (entry.started_once && !listed_again && action.facts.kind == CEDE_DO_START)
      found("started twice", what);
    entry.started_once = true;
    if (action.facts.kind == CEDE_DO_START) {
      ++recorder_.totals->starts;
      check_start(action, entry, listed_again);
      if (told_.job(action.job)) check_start_amounts(action, entry);
    } else {
      ++recorder_.totals->claims_ready;
      check_claim_ready(action, entry);
    }
  }
  if (action.facts.kind == CEDE_DO_REQUEUE || action.facts.kind == CEDE_DO_GONE) check_exit(action, what);
  if (!ends_victim(action.facts) && action.facts.kind != CEDE_DO_MARK) return;
  for (const std::string& name : action.tasks) {
    const auto victim = std::find_if(entry.victims.begin(), entry.victims.end(), [&](const Victim& each) {
      return each.job == action.job && each.task == name;
    });
    if (victim == entry.victims.end()) return found("action for a job that is no victim", what + '/' + name);
  }
  check_kill(action);
}

// How a victim left. No job of these lives has a checkpoint from before, so there is something to resume from
// only if it was saved on this occasion.
void Life::check_exit(const ActionView& action, const std::string& what) {
  const cede_action& facts = action.facts;
  if (facts.how < CEDE_HOW_COMPLETED || facts.how > CEDE_HOW_FAILED)
    found("a victim left in no known way", what + ": " + std::to_string(facts.how));
  if (facts.kind == CEDE_DO_REQUEUE && facts.how == CEDE_HOW_COMPLETED)
    found("a job that has completed is queued again", what);
  if (facts.kind == CEDE_DO_REQUEUE && (facts.resume != 0) != (facts.how == CEDE_HOW_SAVED))
    found("resumes from nothing", what);
  if (facts.keep_local != 0 && facts.kind == CEDE_DO_REQUEUE && facts.how != CEDE_HOW_SAVED)
    found("a node keeps what is lost", what);
}

// Never before its grace. After a restore, a job that gets TERM once more has its grace once more.
void Life::check_kill(const ActionView& action) {
  if (action.facts.kind != CEDE_DO_SIGNAL) return;
  const Entry& entry = book_.entries.at(action.facts.entry);
  for (const std::string& task : action.tasks) {
    // An entry may have taken one run, and another one with a hold.
    std::optional<Millis> term;
    bool known = false;
    for (const Victim& victim : entry.victims) {
      if (victim.job != action.job || victim.task != task || victim.run == 0) continue;
      if (action.facts.signal == CEDE_SIGNAL_TERM) book_.terminated[victim.run] = book_.now;
      known = true;
      const auto told = book_.terminated.find(victim.run);
      if (told != book_.terminated.end()) term = std::max(term.value_or(told->second), told->second);
    }
    if (action.facts.signal != CEDE_SIGNAL_KILL || !known) continue;
    const std::string who = action.job + '/' + task;
    if (!term) return found("KILL without TERM", who);
    if (book_.now - *term < grace_)
      found("KILL before its grace", who + ": " + std::to_string(book_.now - *term) + " ms after TERM");
  }
}

void Life::check_start(const ActionView& action, const Entry& entry, bool listed_again) {
  const std::string what = "START of entry " + std::to_string(entry.id) + ", " + action.job + ": ";
  const Job* job = told_.job(action.job);
  if (!job) return found("start of a job that is gone", what);
  for (const Task& task : job->tasks) {
    const bool starts = std::any_of(action.places.begin(), action.places.end(),
                                    [&](const PlaceView& view) { return view.task == task.id; });
    if (job->gang == 1 && job->min_tasks == 0 && !task.placed && !starts)
      found("start of a part of a gang", what + task.id + " waits");
  }
  for (const PlaceView& view : action.places) {
    const std::string where = what + place_text(view) + ": ";
    const Task* task = job->find(view.task);
    if (!task) return found("start of a task that is gone", where);
    if (task->placed) return found("start of a task that runs", where);
    const Node* node = told_.node(view.place.node);
    if (!node || node->state != "up") return found("start on a lost node", where);
    if (node->group != job->group)
      return found("start on a lost node", where + "it is in group " + node->group);
    const std::uint32_t devices = node->devices();
    const auto asked = task->resources.find("gpu");
    const std::int64_t gpus = asked == task->resources.end() ? 0 : asked->second;
    if (devices > 0 && gpus > 0 && view.place.devices_known &&
        std::popcount(view.place.gpus) * 1000 + static_cast<std::int64_t>(view.place.share) != gpus)
      found("start with other devices than asked for", where + std::to_string(gpus));
    // An action that was sent stays as it is, because it may have been done.
    if (devices > 0 && gpus >= 1000 && !view.place.devices_known && !listed_again &&
        names_are_used_on(*node, entry))
      found("start without devices", where);
    if ((devices < 64 && view.place.gpus >> devices != 0) ||
        (view.place.share > 0 && view.place.share_device >= devices))
      found("start beyond the node", where + std::to_string(devices) + " devices");
    std::vector<Place> used;
    std::string users;
    for (const Running& each : running_on(told_, node->id)) {
      if (!counts_as_running(*each.task)) continue;
      used.push_back(each.task->place);
      users += ' ' + each.job->id + '/' + each.task->id;
    }
    if (!has_room(view.place, used)) return found("start on a used device", where + "used by" + users);
    for (const PlaceView& other : action.places) {
      if (&other != &view && other.place.node == view.place.node) used.push_back(other.place);
    }
    if (!has_room(view.place, used))
      return found("start of two tasks on one device", where + "used by" + users);
    for (const auto& [id, other] : book_.entries) {
      if (id == entry.id || !is_kept(other)) continue;
      const Job* requester = told_.job(other.requester);
      for (const PlaceView& held : other.places) {
        const Task* waiting = requester ? requester->find(held.task) : nullptr;
        const bool runs = waiting && waiting->placed;
        if (!other.started_once || runs || held.place.node != node->id) continue;
        used.push_back(held.place);
        users += " entry " + std::to_string(id);
      }
      const bool claimed =
          std::find(other.claimed.begin(), other.claimed.end(), node->id) != other.claimed.end();
      if (claimed && !told_.is_below(job->queue, other.requester))
        found("start on a claimed node", where + "entry " + std::to_string(id));
    }
    if (!has_room(view.place, used)) found("start on a device of another start", where + "used by" + users);
    for (const auto& [id, reservation] : told_.reservations) {
      if (reservation.node != node->id || entry.space_disturbed) continue;
      const bool for_it = !reservation.queue.empty() && told_.is_below(job->queue, reservation.queue);
      if (!for_it && job->walltime == 0 && book_.now < reservation.until)
        found("start on a reserved node", where + id);
    }
  }
}

// Whether all tasks on the node name their devices, and there is at least one.
bool Life::names_are_used_on(const Node& node, const Entry& but) const {
  bool any = false;
  for (const Running& each : running_on(told_, node.id)) {
    if (!each.task->resources.contains("gpu")) continue;
    // The cluster still shows a task that only an event called gone.
    if (!node.tells_devices_of(*each.task)) return false;
    any = any || counts_as_running(*each.task);
  }
  for (const auto& [id, other] : book_.entries) {
    const Job* requester = told_.job(other.requester);
    // A hold that this step ends may have come after the start.
    const bool kept = is_kept(other);
    if (id == but.id || !other.started_once || !requester || (!kept && !kept_before_.contains(id))) continue;
    for (const PlaceView& held : other.places) {
      const Task* waiting = requester->find(held.task);
      if (held.place.node != node.id || !waiting || waiting->placed) continue;
      if (!held.place.devices_known) return false;
      if (!kept) continue;
      any = any || held.place.gpus != 0 || held.place.share > 0;
    }
  }
  return any;
}

// The sums of what was told to run, of what was told to start, and of this.
void Life::check_start_amounts(const ActionView& action, const Entry& entry) {
  const Job& job = told_.jobs.at(action.job);
  struct Use {
    const Job* job;
    std::string node;
    Resources resources;
  };
  std::vector<Use> uses;
  for (const auto& [id, other] : told_.jobs) {
    for (const Task& task : other.tasks) {
      if (counts_as_running(task)) uses.push_back({&other, task.place.node, task.resources});
    }
  }
  for (const auto& [id, other] : book_.entries) {
    const Job* requester = told_.job(other.requester);
    if (id == entry.id || !requester || other.state != CEDE_ENTRY_READY || !other.started_once) continue;
    for (const PlaceView& place : other.places) {
      const Task* task = requester->find(place.task);
      if (task && !task->placed) uses.push_back({requester, place.place.node, task->resources});
    }
  }
  Resources asked;
  for (const PlaceView& place : action.places) {
    const Task* task = job.find(place.task);
    if (!task || task->placed || !told_.node(place.place.node)) return;  // said before
    uses.push_back({&job, place.place.node, task->resources});
    for (const auto& [resource, amount] : task->resources) {
      if (amount > 0) asked[resource] = amount;
    }
  }
  std::string list;
  const auto sum = [&](const std::string& resource, auto counts) {
    std::int64_t total = 0;
    list.clear();
    for (const Use& use : uses) {
      const auto at = use.resources.find(resource);
      if (at == use.resources.end() || !counts(use)) continue;
      total += at->second;
      list += ' ' + use.job->id + '=' + amount_text(at->second);
    }
    return total;
  };
  const auto beyond = [&](std::int64_t total, std::int64_t most) {
    return amount_text(total) + " of " + amount_text(most) + ':' + list;
  };
  for (const auto& [resource, amount] : asked) {
    const std::string what = "START of entry " + std::to_string(entry.id) + ", " + action.job + ": ";
    if (told_.by_group(job.group, resource)) {
      const std::int64_t total = sum(resource, [&](const Use& use) { return use.job->group == job.group; });
      const std::int64_t most = told_.groups.at(job.group).resources.at(resource);
      if (!entry.queues_disturbed && total > most)
        found("start beyond the group", what + resource + ' ' + beyond(total, most));
    } else {
      for (const PlaceView& place : action.places) {
        // A manager may overcommit what the task there does not ask for.
        const Resources& wanted = job.find(place.task)->resources;
        if (!wanted.contains(resource) || wanted.at(resource) == 0) continue;
        const Node& node = told_.nodes.at(place.place.node);
        const std::int64_t total = sum(resource, [&](const Use& use) { return use.node == node.id; });
        const auto known = node.resources.find(resource);
        const std::int64_t most = known == node.resources.end() ? 0 : known->second;
        if (total > most)
          found("start beyond the capacity", what + node.id + ", " + resource + ' ' + beyond(total, most));
      }
    }
    // Under quota a queue's max is weighed against other sums, and not always up the tree.
    const bool plain = !entry.queues_disturbed && entry.profile != "quota";
    for (std::string at = job.queue; plain && !at.empty(); at = told_.queues.at(at).parent) {
      const auto most = told_.queues.at(at).max.find(resource);
      if (most == told_.queues.at(at).max.end()) continue;
      const std::int64_t total = sum(resource, [&](const Use& use) {
        return use.job->group == job.group && told_.is_below(use.job->queue, at);
      });
      if (total > most->second)
        found("start beyond a queue's max", what + at + ", " + resource + ' ' + beyond(total, most->second));
    }
  }
}

void Life::check_claim_ready(const ActionView& action, const Entry& entry) {
  const std::string what = "CLAIM-READY of entry " + std::to_string(entry.id) + ": ";
  for (const std::string& name : entry.claimed) {
    const Node* node = told_.node(name);
    if (!node || node->state != "up" || node->group != entry.group)
      found("claim-ready on a lost node", what + name);
    if (entry.claim_disturbed) continue;
    for (const Running& each : running_on(told_, name)) {
      if (counts_as_running(*each.task) && !told_.is_below(each.job->queue, entry.requester))
        found("claim-ready on a used node", what + name + " is used by " + each.job->id);
    }
    for (const auto& [id, other] : book_.entries) {
      if (!is_kept(other) || other.kind != RequesterKind::job || !other.started_once) continue;
      for (const PlaceView& place : other.places) {
        const Job* job = told_.job(other.requester);
        const Task* task = job ? job->find(place.task) : nullptr;
        if (task && task->placed) continue;
        if (place.place.node == name && !told_.is_below(other.queue, entry.requester))
          found("claim-ready beside a start", what + name + ", entry " + std::to_string(id));
      }
    }
  }
  static_cast<void>(action);
}

}  // namespace lives
