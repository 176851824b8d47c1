// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/problem.h"
#include "engine/engine.h"
#include "model/drafts.h"
#include "model/model.h"
#include "model/plan.h"
#include "policy/settings/policy.h"
#include "search/query.h"

namespace cede {

// Converts the names of a query into ids. Each step returns false, with a problem, if a name is unknown or
// the query is invalid; then there is no query.
class QueryReader {
 public:
  QueryReader(const Model& model, const PolicySet* policies, Problems& problems)
      : model_(model), policies_(policies), problems_(problems) {}

  bool about_job(std::string_view job);
  bool about_relief(std::string_view target, std::string_view group);
  bool about_claim(std::string_view queue, const std::vector<std::string>& nodes, std::string_view reason);
  bool at(Time now);
  bool on_terms(const std::vector<std::string>& terms);
  const Query& query() const { return query_; }

 private:
  bool fail(std::string text, Status status);
  bool unknown(std::string_view place, Kind kind, std::string_view name);
  bool has_policy(GroupId group);
  bool about_queue(QueueId queue, std::string_view group);

  const Model& model_;
  const PolicySet* policies_;
  Problems& problems_;
  Query query_;
};

// Plans for several jobs as if each plan were committed before the next job is planned. No victim is taken
// twice. A hold for one job stays closed to the others, unless a later plan takes the hold. Surplus room of
// one plan serves the later ones. Each plan names in `after` the earlier jobs it counts on. The engine does
// not change.
std::optional<std::vector<Plan>> plan_batch(const Engine& engine, const std::vector<std::string>& jobs,
                                            Time now, const std::vector<std::string>& terms,
                                            Problems& problems);

// Joins the documents of plans into one.
std::string batch_document(std::span<const std::string> parts);

}  // namespace cede
