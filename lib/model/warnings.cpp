// SPDX-License-Identifier: MIT
#include "model/warnings.h"

#include <algorithm>
#include <vector>

#include "base/text.h"

namespace cede {

namespace {

// Sorts objects by name, so that warnings do not depend on the order of a document.
template <class IdType>
void sort_by_name(const Model& model, std::vector<IdType>& ids, const auto& table) {
  std::sort(ids.begin(), ids.end(),
            [&](IdType a, IdType b) { return model.name(table[a].name) < model.name(table[b].name); });
}

}  // namespace

void warn_about_queues(const Model& model, Problems& problems) {
  const std::size_t resources = model.resources.size();
  std::vector<Total> promised(model.queues.id_bound() * resources, 0);
  model.queues.for_each([&](QueueId, const QueueRow& row) {
    if (!row.parent) return;
    for (const ResourceAmount& entry : model.shape(row.guaranteed)) {
      promised[row.parent.value * resources + entry.resource] += entry.amount;
    }
  });
  std::vector<QueueId> ids;
  model.queues.for_each([&](QueueId id, const QueueRow& row) {
    if (row.guaranteed != kNoShape) ids.push_back(id);
  });
  sort_by_name(model, ids, model.queues);
  for (const QueueId id : ids) {
    const QueueRow& row = model.queues[id];
    // A resource missing in the queue's guarantee counts as zero. A queue without a guarantee is not checked.
    for (std::uint32_t r = 0; r < resources; ++r) {
      const Total sum = promised[id.value * resources + r];
      const Amount own = amount_of(model.shape(row.guaranteed), r);
      if (sum <= own) continue;
      problems.warning({PathStep::member("queues"), PathStep::member(model.name(row.name)),
                        PathStep::member("guaranteed"), PathStep::member(model.resource_name(r))},
                       "the children of " + quote(model.name(row.name)) + " are guaranteed " +
                           format_total(sum) + ", the queue itself only " + format_amount(own));
    }
  }
}

void warn_about_nodes(const Model& model, Problems& problems) {
  std::vector<NodeId> over;
  std::vector<Total> used(model.resources.size());
  const auto first_over = [&](const NodeRow& row) {
    std::fill(used.begin(), used.end(), 0);
    for (TaskId task = row.first_task; task; task = model.tasks.core(task).next_on_node) {
      for (const ResourceAmount& entry : model.shape(model.tasks.core(task).resources)) {
        used[entry.resource] += entry.amount;
      }
    }
    const ResourceView capacity = model.shape(row.resources);
    std::size_t r = 0;
    while (r < used.size() && used[r] <= amount_of(capacity, static_cast<std::uint32_t>(r))) ++r;
    return r;
  };
  model.nodes.for_each([&](NodeId id, const NodeRow& row) {
    if (row.first_task && first_over(row) < used.size()) over.push_back(id);
  });
  sort_by_name(model, over, model.nodes);
  for (const NodeId id : over) {
    const NodeRow& row = model.nodes[id];
    const std::size_t r = first_over(row);
    const auto resource = static_cast<std::uint32_t>(r);
    problems.warning({PathStep::member("nodes"), PathStep::member(model.name(row.name))},
                     "is overcommitted: its tasks hold " + format_total(used[r]) + ' ' +
                         std::string(model.resource_name(resource)) + ", it has " +
                         format_amount(amount_of(model.shape(row.resources), resource)));
  }
}

}  // namespace cede
