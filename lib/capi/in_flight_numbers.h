// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

#include "capi/plan_words.h"
#include "cede/cede.h"
#include "engine/engine.h"
#include "sequence/order.h"

namespace cede::capi {

// The numbers of what the ledger names, in an engine at this moment. The engine keeps these numbers while the
// ledger has the names.
class InFlightNumbers {
 public:
  explicit InFlightNumbers(const Engine& engine) : engine_(engine), model_(engine.model()) {}

  std::uint32_t of(std::string_view name) const { return engine_.find_name(name); }

  // What an entry is for. `name` is that of a job, of a queue or, for relief, `node:n1`.
  struct Target {
    std::int32_t purpose = 0;
    std::uint32_t number = 0;
  };
  Target target(RequesterKind kind, std::string_view name, std::string_view cause) const {
    if (kind == RequesterKind::job) return {CEDE_FOR_JOB, of(name)};
    if (kind == RequesterKind::claim)
      return {cause == "sensitive" ? CEDE_FOR_SENSITIVE : CEDE_FOR_RECLAIM, of(name)};
    const std::size_t colon = name.find(':');
    const std::string_view what = name.substr(0, colon);
    const std::int32_t purpose = what == "node"    ? CEDE_FOR_NODE
                                 : what == "queue" ? CEDE_FOR_QUEUE
                                                   : CEDE_FOR_JOB_MAX;
    return {purpose, colon == std::string_view::npos ? 0 : of(name.substr(colon + 1))};
  }

  cede_victim_task task(std::string_view job, std::string_view label, std::string_view node) const {
    const JobId id = model_.find_job(job);
    const Model::FoundTask found = id ? model_.find_task(id, label) : Model::FoundTask{};
    return {of(job), of(label), found.row ? position(id, found.row) : kNoPosition, of(node)};
  }

  // `FromPlace`: a Place of the sequence, or of a view of it. The nodes of a claim are no tasks.
  template <class FromPlace>
  cede_place place(std::string_view job, const FromPlace& from) const {
    cede_place out{};
    out.gpus = from.gpus;
    out.node = of(from.node);
    out.share = from.share;
    out.share_device = from.share > 0 ? from.share_device : 0;
    out.devices_known = from.devices_known ? 1 : 0;
    out.whole_node = from.whole_node ? 1 : 0;
    out.position = kNoPosition;
    if (job.empty()) return out;
    out.job = of(job);
    out.task = of(from.task);
    const JobId id = model_.find_job(job);
    const Model::FoundTask found = id ? model_.find_task(id, from.task) : Model::FoundTask{};
    if (!found.row) return out;
    out.position = position(id, found.row);
    out.index = found.index;
    if (model_.tasks.core(found.row).counted) out.task = of(model_.task_name(model_.jobs[id], out.position));
    return out;
  }

 private:
  static constexpr std::uint32_t kNoPosition = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t position(JobId job, TaskId task) const {
    return task.value - model_.jobs[job].first_task.value;
  }

  const Engine& engine_;
  const Model& model_;
};

}  // namespace cede::capi
