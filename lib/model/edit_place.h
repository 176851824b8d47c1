// SPDX-License-Identifier: MIT
#pragma once

#include <type_traits>

#include "base/text.h"
#include "model/edit.h"

namespace cede {

// Finds or adds the row of a put. Adds the name's ownership, the stamp and the entry in the numbering;
// reports an id given twice and a table that is full, and returns none then.
template <class IdType, class Row, class Entry>
IdType ModelEdit::place(NamedTable<IdType, Row>& table, NameId name, Kind kind, std::vector<Entry>& pending,
                        std::uint64_t limit, std::string_view limit_name) {
  pending.emplace_back();
  if constexpr (std::is_same_v<IdType, TopologyId>)
    pending.back().third = name;  // what at() shows in place of a number
  const std::size_t index = pending.size() - 1;
  IdType id = table.find(name);
  if (id && table[id].stamp == model_.edits) {
    std::size_t first = 0;
    while (first < index && pending[first].id != id) ++first;
    if (first == index) return {};  // the first one was refused, which is reported
    const InternTable& names = kind == Kind::job ? model_.job_names : model_.names;
    fail(at(kind, index, "id"),
         quote(names.view(name)) + " is given twice, first in " + to_string(at(kind, first)));
    return {};
  }
  if (!id) {
    if (table.live() >= limit) {
      bool& reported = limit_reported_[static_cast<std::size_t>(kind)];
      if (!reported) fail_limit(list_path(kind), limit_name, limit);
      reported = true;  // the rest of the list would only repeat it
      return {};
    }
    Row row;
    row.name = name;
    row.stamp = model_.edits;
    id = table.add(row);
    (kind == Kind::job ? model_.job_names : model_.names).retain(name);
    if (has_number(kind)) give_number(name);
  } else {
    table.edit(id).stamp = model_.edits;
  }
  pending.back().id = id;
  return id;
}

// The live row of a name, or none and a problem.
template <class IdType, class Row>
IdType ModelEdit::resolve(const NamedTable<IdType, Row>& table, NameId name, Kind kind, const Path& path) {
  const IdType id = table.find(name);
  if (!id) fail_unknown(path, kind, model_.name(name));
  return id;
}

}  // namespace cede
