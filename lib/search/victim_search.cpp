// SPDX-License-Identifier: MIT
#include "search/victim_search.h"

#include <algorithm>
#include <set>

namespace cede {

namespace {
constexpr std::size_t kAlternatives = 5;
}

void VictimSearch::remove(const Unit& unit) {
  for (const TaskId task : unit.tasks) {
    space_.release(task);
    gone_[task.value] = true;
  }
}

void VictimSearch::put_back(const Unit& unit) {
  for (const TaskId task : unit.tasks) {
    space_.take(task);
    gone_[task.value] = false;
  }
}

std::vector<TaskId> VictimSearch::remove_all(std::span<const Unit* const> units) {
  std::vector<TaskId> taken;
  for (const Unit* unit : units) {
    for (const TaskId task : unit->tasks) {
      if (gone_[task.value]) continue;
      space_.release(task);
      gone_[task.value] = true;
      taken.push_back(task);
    }
  }
  for (const TaskId task : taken) gone_[task.value] = false;
  return taken;
}

bool VictimSearch::meets_needs(NodeId only, std::vector<PlannedTask>* placement) {
  ++answer_.work;
  return placer_.has_queue_room(space_) && placer_.place(space_, placement, only) == PlaceAnswer::placed;
}

std::size_t VictimSearch::jobs_in(const std::vector<const Unit*>& units) const {
  std::set<std::uint32_t> jobs;
  for (const Unit* unit : units) jobs.insert(unit->job.value);
  return jobs.size();
}

// An elastic job goes as a whole or task by task, never both.
bool VictimSearch::may_add(const Place& place, const Unit& unit) const {
  return std::none_of(place.chosen.begin(), place.chosen.end(), [&](const Unit* other) {
    return other->job == unit.job && (other->whole_elastic || unit.whole_elastic);
  });
}

// Whether taking only the elastic job's spare tasks instead of all of it meets the needs as well.
bool VictimSearch::whole_where_part_would_do(const Place& place, const Unit& whole) {
  std::vector<const Unit*> parts;
  for (const Unit* unit : place.units) {
    if (unit->job == whole.job && !unit->whole_elastic) parts.push_back(unit);
  }
  if (parts.empty()) return false;
  put_back(whole);
  for (const Unit* part : parts) remove(*part);
  const bool would_do = meets_needs(place.only, nullptr);
  for (const Unit* part : parts) put_back(*part);
  remove(whole);
  return would_do;
}

// Whether some need is missed without any one of the chosen.
bool VictimSearch::is_minimal(const Place& place) {
  for (const Unit* unit : place.chosen) {
    put_back(*unit);
    const bool still = meets_needs(place.only, nullptr);
    remove(*unit);
    if (still) return false;
  }
  return true;
}

void VictimSearch::offer(const Place& place) {
  if (!is_minimal(place)) return;
  for (const Unit* unit : place.chosen) {
    if (unit->whole_elastic && whole_where_part_would_do(place, *unit)) return;
  }
  const std::size_t jobs = jobs_in(place.chosen);
  if (limits_.max_victims >= 0 && jobs > static_cast<std::size_t>(limits_.max_victims)) {
    answer_.fewest_jobs = answer_.cap_in_the_way ? std::min<std::uint64_t>(answer_.fewest_jobs, jobs) : jobs;
    answer_.cap_in_the_way = true;
    return;
  }
  FoundSet found;
  found.victims = place.chosen;
  meets_needs(place.only, &found.placement);
  found.worth = objective_.worth(found.victims, found.placement);
  if (!answer_.best || compare(found.worth, answer_.best->worth) < 0) {
    if (answer_.best) answer_.others.insert(answer_.others.begin(), std::move(*answer_.best));
    answer_.best = std::move(found);
  } else {
    const auto at = std::find_if(answer_.others.begin(), answer_.others.end(), [&](const FoundSet& other) {
      return compare(found.worth, other.worth) < 0;
    });
    answer_.others.insert(at, std::move(found));
  }
  if (answer_.others.size() > kAlternatives) answer_.others.resize(kAlternatives);
}

// All subsets, in the order of the units' names. A set that meets the needs is not grown any further: every
// criterion up to the number of victims only gets worse. A branch that is already worse than the best is
// left.
void VictimSearch::enumerate(Place& place, std::size_t next) {
  if (exhausted()) return;
  if (answer_.best) {
    const std::vector<Criterion> now = objective_.growing(place.chosen);
    const std::vector<Criterion>& best = answer_.best->worth.shown;
    for (std::size_t i = 0; i < now.size(); ++i) {
      const auto order = compare(now[i], best[i]);
      if (order > 0) return;
      if (order < 0) break;
    }
  }
  if (meets_needs(place.only, nullptr)) return offer(place);
  if (next == place.units.size()) return;
  const Unit& unit = *place.units[next];
  if (may_add(place, unit)) {
    remove(unit);
    place.chosen.push_back(&unit);
    enumerate(place, next + 1);
    place.chosen.pop_back();
    put_back(unit);
  }
  // Without this unit the rest must still be enough.
  const std::vector<TaskId> taken = remove_all(std::span(place.units).subspan(next + 1));
  const bool enough = meets_needs(place.only, nullptr);
  for (const TaskId task : taken) space_.take(task);
  if (enough) enumerate(place, next + 1);
}

// A first answer for places too large to enumerate: take everything, then give back one by one, those first
// that the objective would rather keep.
void VictimSearch::give_back(Place& place) {
  std::vector<const Unit*> taken;
  for (const Unit* unit : place.units) {
    if (!may_add(place, *unit)) continue;
    place.chosen.push_back(unit);
  }
  taken = place.chosen;
  for (const Unit* unit : taken) remove(*unit);
  std::stable_sort(taken.begin(), taken.end(), [&](const Unit* a, const Unit* b) {
    return compare(objective_.worth({b}, {}), objective_.worth({a}, {})) < 0;
  });
  for (const Unit* unit : taken) {
    if (exhausted()) break;
    put_back(*unit);
    if (meets_needs(place.only, nullptr)) {
      std::erase(place.chosen, unit);
    } else {
      remove(*unit);
    }
  }
  if (meets_needs(place.only, nullptr)) offer(place);
  for (const Unit* unit : place.chosen) put_back(*unit);
  place.chosen.clear();
}

SearchAnswer VictimSearch::run(const std::vector<const Unit*>& candidates, bool single_task) {
  answer_ = {};
  const std::vector<Placer::Lacking> lacking = placer_.lacking_queue_room(space_);
  const std::vector<TaskId> taken = remove_all(candidates);
  answer_.needs_met = meets_needs({}, nullptr);
  for (const TaskId task : taken) space_.take(task);
  if (!answer_.needs_met) {
    answer_.proven = true;
    return std::move(answer_);
  }

  std::vector<Place> places;
  const auto exact = static_cast<std::size_t>(limits_.exact_units);
  if (single_task && candidates.size() > exact) {
    // Only what is on its node, or makes room in a queue or in what the group counts, can help a task there.
    const Model& model = space_.model();
    const auto in_lacking_queue = [&](const Unit& unit) {
      for (QueueId queue = model.jobs[unit.job].queue; queue; queue = model.queues[queue].parent) {
        if (std::any_of(lacking.begin(), lacking.end(), [&](const auto& l) { return l.queue == queue; }))
          return true;
      }
      return false;
    };
    const auto frees_for_group = [&](const Unit& unit) {
      return std::any_of(unit.tasks.begin(), unit.tasks.end(), [&](TaskId task) {
        const ResourceView held = model.shape(model.tasks.core(task).resources);
        return std::any_of(held.begin(), held.end(), [&](const ResourceAmount& entry) {
          return space_.counted_by_group(entry.resource) &&
                 placer_.asked(entry.resource) > space_.group_free(entry.resource);
        });
      });
    };
    for (const NodeSpace& node : space_.nodes()) {
      if (!node.usable) continue;
      Place place;
      place.only = node.id;
      for (const Unit* unit : candidates) {
        const bool here = std::any_of(unit->tasks.begin(), unit->tasks.end(),
                                      [&](TaskId task) { return model.tasks.core(task).node == node.id; });
        if (here || in_lacking_queue(*unit) || frees_for_group(*unit)) place.units.push_back(unit);
      }
      places.push_back(std::move(place));
    }
  } else {
    places.push_back({{}, candidates, {}});
  }
  answer_.proven = true;
  for (Place& place : places) {
    if (place.units.size() <= exact) {
      enumerate(place, 0);
    } else {
      give_back(place);
      answer_.proven = false;
    }
  }
  if (exhausted()) answer_.proven = false;
  return std::move(answer_);
}

}  // namespace cede
