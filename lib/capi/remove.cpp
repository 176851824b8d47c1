// SPDX-License-Identifier: MIT
// Removals, and the objects that are put one at a time.
#include <algorithm>
#include <vector>

#include "capi/array_in.h"
#include "engine/topology.h"

using cede::ArrayEdit;
using cede::Kind;
using cede::Problems;
using cede::capi::done;
using cede::capi::guard;
using cede::capi::memory_fault;
using cede::capi::missing;
using cede::capi::tell;
using cede::capi::text_size_fault;
using cede::capi::use_field_names;

namespace {

int32_t remove_all(cede_engine* engine, Kind kind, const uint32_t* names, size_t name_count,
                   cede_error* error) {
  return guard(error, [&] {
    if (!engine) return missing(error, "engine: NULL is not an engine");
    if (!names && name_count > 0) return missing(error, "names: NULL, but name_count is not 0");
    if (const int32_t status = memory_fault(name_count, sizeof *names, "name_count", error)) return status;
    Problems problems = engine->engine.new_problems();
    ArrayEdit arrays = engine->engine.edit_arrays(problems);
    for (size_t i = 0; i < name_count && !problems.full(); ++i) {
      arrays.at(to_word(kind, cede::kKindMembers), i);
      const std::string_view text = arrays.text(names[i], {});
      if (!text.empty()) arrays.edit().remove(kind, text);
    }
    const bool taken = engine->engine.take(arrays);
    use_field_names(problems);
    return taken ? done(error, problems) : tell(error, problems);
  });
}

}  // namespace

int32_t cede_engine_remove_topologies(cede_engine* engine, const uint32_t* names, size_t name_count,
                                      cede_error* error) {
  return remove_all(engine, Kind::topology, names, name_count, error);
}

int32_t cede_engine_remove_domains(cede_engine* engine, const uint32_t* names, size_t name_count,
                                   cede_error* error) {
  return remove_all(engine, Kind::domain, names, name_count, error);
}

int32_t cede_engine_remove_groups(cede_engine* engine, const uint32_t* names, size_t name_count,
                                  cede_error* error) {
  return remove_all(engine, Kind::group, names, name_count, error);
}

int32_t cede_engine_remove_reservations(cede_engine* engine, const uint32_t* names, size_t name_count,
                                        cede_error* error) {
  return remove_all(engine, Kind::reservation, names, name_count, error);
}

int32_t cede_engine_remove_queues(cede_engine* engine, const uint32_t* names, size_t name_count,
                                  cede_error* error) {
  return remove_all(engine, Kind::queue, names, name_count, error);
}

int32_t cede_engine_remove_nodes(cede_engine* engine, const uint32_t* names, size_t name_count,
                                 cede_error* error) {
  return remove_all(engine, Kind::node, names, name_count, error);
}

int32_t cede_engine_remove_jobs(cede_engine* engine, const uint32_t* names, size_t name_count,
                                cede_error* error) {
  return remove_all(engine, Kind::job, names, name_count, error);
}

int32_t cede_engine_set_now(cede_engine* engine, int64_t now, cede_error* error) {
  return guard(error, [&] {
    if (!engine) return missing(error, "engine: NULL is not an engine");
    if (now < 0 || now > cede::kMaxTime) {
      return missing(error,
                     "now: " + std::to_string(now) + " is outside 0.." + std::to_string(cede::kMaxTime));
    }
    Problems problems = engine->engine.new_problems();
    ArrayEdit arrays = engine->engine.edit_arrays(problems);
    arrays.edit().set_now(now);
    const bool taken = engine->engine.take(arrays);
    use_field_names(problems);
    return taken ? done(error, problems) : tell(error, problems);
  });
}

int32_t cede_engine_put_levels(cede_engine* engine, const uint32_t* names, size_t name_count,
                               cede_error* error) {
  return guard(error, [&] {
    if (!engine) return missing(error, "engine: NULL is not an engine");
    if (!names && name_count > 0) return missing(error, "names: NULL, but name_count is not 0");
    const uint64_t most = engine->engine.options().limits.max_levels;
    if (name_count > most) {
      return tell(error, CEDE_E_LIMIT, "levels: more than " + std::to_string(most) + " (limit max_levels)");
    }
    const cede::Model& model = engine->engine.model();
    if (!model.levels.empty() || model.domains.live() > 0 || model.jobs.live() > 0)
      return missing(error, "levels: cannot be changed; load the whole cluster instead");
    Problems problems = engine->engine.new_problems();
    ArrayEdit arrays = engine->engine.edit_arrays(problems);
    std::vector<cede::NameId> levels;
    for (size_t i = 0; i < name_count; ++i) {
      arrays.at("levels", i);
      if (arrays.text(names[i], {}).empty()) continue;
      const cede::NameId level = arrays.name(names[i], {});
      if (std::find(levels.begin(), levels.end(), level) != levels.end()) arrays.fail({}, "is listed twice");
      levels.push_back(level);
    }
    arrays.edit().set_levels(std::move(levels));
    const bool taken = engine->engine.take(arrays);
    use_field_names(problems);
    return taken ? done(error, problems) : tell(error, problems);
  });
}

int32_t cede_engine_import_topology(cede_engine* engine, uint32_t name, const char* text, size_t size,
                                    cede_error* error) {
  return guard(error, [&] {
    if (!engine) return missing(error, "engine: NULL is not an engine");
    if (!text) return missing(error, "text: NULL is not a topology");
    if (const int32_t status =
            text_size_fault(size, engine->engine.options().limits.max_document_bytes, error))
      return status;
    Problems problems = engine->engine.new_problems();
    ArrayEdit arrays = engine->engine.edit_arrays(problems);
    arrays.at("topologies", 0);
    if (!arrays.text(name, "id").empty()) cede::import_topology({text, size}, name, arrays);
    const bool taken = engine->engine.take(arrays);
    use_field_names(problems);
    return taken ? done(error, problems) : tell(error, problems);
  });
}

// Disruption budgets are laid out and have no effect yet.

int32_t cede_engine_put_budgets(cede_engine* engine, const cede_budget* budgets, size_t budget_size,
                                size_t budget_count, cede_error* error) {
  return guard(error, [&] {
    if (!engine) return missing(error, "engine: NULL is not an engine");
    const cede::capi::ArrayIn<cede_budget> in(budgets, budget_size, budget_count);
    if (const int32_t status = in.fault("budget", "budgets", error)) return status;
    if (budget_count == 0) return tell(error, CEDE_OK, {});
    return tell(error, CEDE_E_VERSION, "budgets: not available in this version of the library");
  });
}

int32_t cede_engine_remove_budgets(cede_engine* engine, const uint32_t* names, size_t name_count,
                                   cede_error* error) {
  return guard(error, [&] {
    if (!engine) return missing(error, "engine: NULL is not an engine");
    if (!names && name_count > 0) return missing(error, "names: NULL, but name_count is not 0");
    if (name_count == 0) return tell(error, CEDE_OK, {});
    return tell(error, CEDE_E_VERSION, "budgets: not available in this version of the library");
  });
}
