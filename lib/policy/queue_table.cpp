// SPDX-License-Identifier: MIT
#include "policy/queue_table.h"

#include "policy/effective.h"

namespace cede {

QueueTable::QueueTable(const Effective& effective) : rows_(effective.model().queues.id_bound()) {
  effective.model().queues.for_each([&](QueueId id, const QueueRow&) {
    Row& row = rows_[id.value];
    for (const SettingSpec& spec : settings_of(effective.profile()))
      row.settings[static_cast<std::size_t>(spec.id)] = effective.setting(spec.id, id);
    row.offset = effective.priority_offset(id);
    row.kind = effective.queue_kind(id);
    row.on = effective.preemption_on(id);
  });
}

}  // namespace cede
