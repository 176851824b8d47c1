// SPDX-License-Identifier: MIT
#include "search/partial_relief.h"

#include <algorithm>

namespace cede {

namespace {

using Excesses = std::vector<ReliefNeeds::Excess>;

// Whether some resource is over by less in `now` than before.
bool is_less(const Excesses& now, const Excesses& before) {
  return std::any_of(before.begin(), before.end(), [&](const ReliefNeeds::Excess& each) {
    return std::none_of(now.begin(), now.end(), [&](const ReliefNeeds::Excess& left) {
      return left.resource == each.resource && left.over >= each.over;
    });
  });
}

}  // namespace

void PartialRelief::remove(const Unit& unit) {
  for (const TaskId task : unit.tasks) space_.release(task);
}

void PartialRelief::put_back(const Unit& unit) {
  for (const TaskId task : unit.tasks) space_.take(task);
}

bool PartialRelief::is_allowed(const Unit& newest) {
  for (std::size_t i = 0; i < caps_.size(); ++i) {
    std::string why;
    if (!caps_[i].breaks(chosen_, &why)) continue;
    kept_.push_back({&newest, caps_[i].name(), std::move(why)});
    return false;
  }
  return true;
}

void PartialRelief::add(const Unit& unit) {
  // An elastic job as a whole replaces its single tasks. Single tasks add nothing to the whole.
  std::vector<const Unit*> replaced;
  for (const Unit* other : chosen_) {
    if (other->job != unit.job) continue;
    if (other->whole_elastic) return;
    if (unit.whole_elastic) replaced.push_back(other);
  }
  const std::vector<const Unit*> before = replaced.empty() ? std::vector<const Unit*>{} : chosen_;
  for (const Unit* other : replaced) {
    put_back(*other);
    std::erase(chosen_, other);
  }
  remove(unit);
  chosen_.push_back(&unit);
  Excesses over = needs_.excesses(space_);
  if (is_less(over, over_) && is_allowed(unit)) {
    over_ = std::move(over);
    return;
  }
  chosen_.pop_back();
  put_back(unit);
  for (const Unit* other : replaced) remove(*other);
  if (!replaced.empty()) chosen_ = before;
}

bool PartialRelief::give_back() {
  const std::vector<const Unit*> all = chosen_;
  for (auto unit = all.rbegin(); unit != all.rend(); ++unit) {
    put_back(**unit);
    if (is_less(over_, needs_.excesses(space_))) {
      remove(**unit);
    } else {
      std::erase(chosen_, *unit);
    }
  }
  return chosen_.size() < all.size();
}

// A unit that is given back may let another unit pass a cap. The loop ends because each further round lowers
// some excess.
void PartialRelief::take(std::span<const Unit* const> order) {
  do {
    kept_.clear();
    for (const Unit* unit : order) {
      if (std::find(chosen_.begin(), chosen_.end(), unit) == chosen_.end()) add(*unit);
    }
  } while (give_back());
}

}  // namespace cede
