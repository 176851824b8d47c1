// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "policy/shares/fair_standing.h"
#include "search/decide.h"
#include "search/ground.h"
#include "search/places.h"
#include "search/plan_builder.h"
#include "search/question.h"

namespace cede {

class Recall;
struct NoRoom;

// Work that a question may do beside the proof of its answer: triggers, first answers, reasons for a no.
inline constexpr std::uint64_t kFirstAnswerWork = 15'000'000;

// What a decision is made from.
struct Outset {
  const std::shared_ptr<const Model>& model;
  const PolicySet& policies;
  const Policy& policy;
  const std::shared_ptr<const InFlight>& in_flight;
  const Question& question;
  const std::shared_ptr<const Ground>& ground;
  const Means& means;
};

// What every decision works with, whatever is asked: the request seen under its policy, the units, and the
// plan that grows. The three kinds of decision derive from it.
class Decision : public Prospect {
 public:
  explicit Decision(const Outset& outset);
  Decision(const Decision&) = delete;
  Decision& operator=(const Decision&) = delete;
  ~Decision() override = default;

  Plan decide();
  bool possible(JobId job) const override;
  const Work& work() const { return work_; }
  std::vector<JobId> waiting_before(JobId job) const override { return ground_->waiting_before(job); }

 protected:
  virtual Plan run() = 0;
  Plan answer(Outcome outcome, std::string_view rule, std::string reason);
  bool refused(const RuleList<Trigger>& triggers, Plan& plan);
  void look_at_units();
  // All running units in the order people are shown.
  std::vector<const Unit*> units_in_order() const;
  // Units that no rule excludes and that serve the needs; the plan remembers why the others are not, unless
  // there are so many that this is left to tell_units().
  std::vector<const Unit*> eligible(const Needs& needs, const Space& space);
  std::vector<const Unit*> eligible_of(std::span<const Unit* const> units, const Needs& needs,
                                       const Space& space, bool told);
  void leave_untold();
  void list_leaving();
  bool over_budget(Plan& plan);
  // The best set for one task where it was looked for before and can be brought up to date; nothing where it
  // cannot, or where there is none.
  std::optional<Plan> remembered(const Needs& needs, const Placer& placer, Space& space);
  // The best set by tiers, or why there is none.
  Plan search(const Needs& needs, const Placer* placer, Space& space, const std::vector<const Unit*>& all);
  // Remembers the eligible units of which something stays.
  void spare(const std::vector<const Unit*>& eligible, const std::vector<const Unit*>& taken);
  void spare_but(const std::vector<const Unit*>& eligible, const std::set<TaskId>& gone);
  // When a unit's turn comes; last resort is the last of all.
  int tier_of(const Unit& unit) const;
  virtual std::string done_text(std::size_t jobs) const = 0;
  // A better name for a proven no than `no-set`, or nothing.
  virtual std::string_view no_set_rule(const std::vector<const Unit*>& all);

  const Model& model_;
  const Question& question_;
  const std::shared_ptr<const Ground> ground_;
  const Means means_;
  const Effective effective_;
  const Request request_;
  const std::optional<GroupUsage> own_usage_;  // where it is not the ground's
  const std::unique_ptr<const FairStanding> fair_;
  Asking asking_;
  const Composition& profile_;
  mutable Work work_;  // all that is done to answer
  Plan plan_;

 private:
  SearchLimits search_limits() const;
  bool may_recall(const Placer& placer, const Space& space) const;
  // Calls act(recall) where requests of this sort may be remembered, else nothing is the answer.
  template <class Act>
  auto with_recall(const Needs& needs, const Placer& placer, Space& space, const Act& act) const
      -> decltype(act(std::declval<Recall&>()));
  Plan no_room(const NoRoom& found);
  SearchAnswer search_tier(const Needs& needs, const Placer* placer, Space& space, const Objective& objective,
                           const RuleList<Cap>& caps, const std::vector<const Unit*>& candidates,
                           std::size_t without_cap, OneNode one_node);
  bool caps_leave_too_little(const Placer& placer, const Space& space, const RuleList<Cap>& caps,
                             const std::vector<const Unit*>& candidates, std::size_t without_cap) const;
  Plan no_set(const Needs& needs, const Placer* placer, Space& space, const Objective& objective,
              const RuleList<Cap>& caps, const SearchAnswer& found, const std::vector<const Unit*>& all);
  std::size_t nodes_needed(const Placer* placer, Space& space, const Objective& objective,
                           const RuleList<Cap>& kept, const std::vector<const Unit*>& all);
  Plan accept(SearchAnswer found, const std::vector<const Unit*>& all, const Placer* placer);

  // Requirement, queue, shape and number of tasks, class.
  using RequestKey = std::tuple<std::uint32_t, std::uint32_t, ShapeId, std::size_t, std::uint32_t>;
  std::optional<RequestKey> key_of(const Request& request) const;
  mutable std::map<std::uint32_t, bool> possible_;  // by job
  mutable std::map<RequestKey, bool> possible_alike_;
  mutable std::uint64_t others_spent_ = 0;
  std::uint64_t proof_spent_ = 0;
};

Request request_of(const Effective& effective, const Question& question);

}  // namespace cede
