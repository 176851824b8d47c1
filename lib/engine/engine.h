// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/problem.h"
#include "engine/options.h"
#include "model/model.h"
#include "model/plan.h"
#include "policy/admit.h"
#include "policy/policy.h"
#include "search/crew.h"
#include "search/ground.h"

namespace cede {

struct Question;

enum class LogLevel : std::int32_t { debug, info, warning };

// What a document says it is.
enum class DocumentKind : std::int32_t { unknown = 0, cluster = 1, changes = 2, policy = 3 };

// One cluster under one policy. Copying an engine copies pointers only (see Model); a copy has no log.
class Engine {
 public:
  using Log = void (*)(void* context, std::int32_t level, const char* text);

  explicit Engine(Options options)
      : options_(std::move(options)),
        crew_(std::make_shared<Crew>(static_cast<std::size_t>(options_.threads))) {}
  Engine(const Engine& other);
  Engine& operator=(const Engine&) = delete;

  // Each is all or nothing: with an error among the problems, nothing has changed. True when it was done.
  bool load(std::string_view text, Problems& problems);
  bool apply(std::string_view text, Problems& problems);
  bool set_policy(std::string_view text, Problems& problems);

  // Everything wrong or odd about a document as it would be taken now, or about what is loaded.
  void check(std::string_view text, Problems& problems) const;
  void check_loaded(Problems& problems) const;

  // Plans for one waiting job; `terms` are protect=JOB, avoid=NODE, only=NODE and, of relief, partial. A name
  // nobody knows, or a question that makes no sense, is a problem and no plan.
  std::optional<Plan> plan(std::string_view job, Time now, const std::vector<std::string>& terms,
                           Problems& problems) const;
  // Relief of `node:N`, `queue:Q` or `job:J`; a queue with jobs in several groups needs one named.
  std::optional<Plan> plan_relief(std::string_view target, std::string_view group, Time now,
                                  const std::vector<std::string>& terms, Problems& problems) const;
  // A claim of a queue on nodes, for `reclaim` or `sensitive`.
  std::optional<Plan> plan_claim(std::string_view queue, const std::vector<std::string>& nodes,
                                 std::string_view reason, Time now, const std::vector<std::string>& terms,
                                 Problems& problems) const;
  // Whether the job is taken as it was submitted: as it is loaded or, with changes, as it would be once they
  // were applied. The engine stays as it is.
  std::optional<AdmissionAnswer> admit(std::string_view job, std::optional<std::string_view> changes,
                                       Problems& problems) const;
  // Fair shares of one group or, without, of all whose profile is fair-share, as a document. They are as of
  // the last change; `now` decides who starves.
  std::optional<std::string> shares(std::optional<std::string_view> group, Time now,
                                    Problems& problems) const;
  std::shared_ptr<const PolicySet> policies() const { return policies_; }

  std::string export_cluster() const;
  std::uint64_t revision() const { return revision_; }
  const Options& options() const { return options_; }
  Problems new_problems() const { return Problems(static_cast<std::size_t>(options_.limits.max_findings)); }
  void set_log(Log log, void* context);

 private:
  Plan decide_on(const Question& question) const;
  // What planning must know besides the model, with names turned into ids.
  std::shared_ptr<const InFlight> in_flight(const Model& model) const;
  // When each job was first found below its fair share, after a look at this model.
  using Clocks = std::map<std::string, Time>;
  Clocks clocks_after(const Model& model) const;
  std::optional<Model> read_cluster_text(std::string_view text, Problems& problems) const;
  std::optional<Model> read_changes_text(std::string_view text, Problems& problems) const;
  std::shared_ptr<const PolicySet> read_policy_text(std::string_view text, Problems& problems) const;
  void say(LogLevel level, const std::string& text) const;

  Options options_;
  Model model_;
  std::shared_ptr<const PolicySet> policies_;  // null: none was given
  std::uint64_t revision_ = 0;
  Clocks below_since_;  // by job
  mutable Grounds grounds_;
  std::shared_ptr<Crew> crew_;  // shared with copies
  Log log_ = nullptr;
  void* log_context_ = nullptr;
};

// A plan as its document, plain or explained; its objective alone; the label of a task in it; what is wrong
// with it.
std::string plan_document(const Plan& plan, bool explained);
std::string plan_objective(const Plan& plan);
std::string plan_task_label(const Plan& plan, TaskId row, std::uint32_t index);
std::string plan_fault(const Plan& plan, const PolicySet& policies);

std::string admission_document(const AdmissionAnswer& answer);

// The kind a text claims to be; unknown and a problem where it is no JSON object or of no known format.
DocumentKind document_kind(std::string_view text, const Limits& limits, Problems& problems);

}  // namespace cede
