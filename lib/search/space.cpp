// SPDX-License-Identifier: MIT
#include "search/space.h"

namespace cede {

Space::Space(const Asking& asking, const NodeTable& table, Fill fill)
    : asking_(asking),
      model_(asking.model()),
      table_(table),
      base_(table.nodes(fill)),
      held_by_all_(fill == Fill::as_it_is),
      own_(base_.size(), 0),
      usable_(base_.size(), 1),
      group_free_(table.group_free(fill)),
      gone_(model_.tasks.id_bound(), false) {
  if (fill == Fill::empty) usage_ = asking.usage.emptied();
}

Space::Space(const Asking& asking, Fill fill)
    : asking_(asking),
      model_(asking.model()),
      made_(std::make_unique<const NodeTable>(model_, asking.group())),
      table_(*made_),
      base_(table_.nodes(fill)),
      held_by_all_(fill == Fill::as_it_is),
      own_(base_.size(), 0),
      usable_(base_.size(), 1),
      group_free_(table_.group_free(fill)),
      gone_(model_.tasks.id_bound(), false) {
  if (fill == Fill::empty) usage_ = asking.usage.emptied();
}

NodeSpace& Space::own(std::size_t index) {
  std::uint32_t& at = own_[index];
  if (at == 0) {
    Moved& moved = moved_.emplace_back();
    moved.space = base_[index];
    moved.free.assign(base_[index].free, base_[index].free + table_.resources());
    moved.space.free = moved.free.data();
    at = static_cast<std::uint32_t>(moved_.size());
  }
  return moved_[at - 1].space;
}

GroupUsage& Space::own_usage() {
  if (!usage_) usage_ = asking_.usage;
  return *usage_;
}

void Space::release(TaskId task) {
  move(task, -1);
  own_usage().release(asking_.effective, task);
}

void Space::take(TaskId task) {
  move(task, 1);
  own_usage().take(asking_.effective, task);
}

void Space::move(TaskId id, int sign) {
  gone_[id.value] = sign < 0;
  table_.count(model_, id, sign, own(index_of(model_.tasks.core(id).node)), group_free_);
}

}  // namespace cede
