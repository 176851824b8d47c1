// SPDX-License-Identifier: MIT
#include "search/choose_victims.h"

#include "search/answer_cache.h"
#include "search/explain_no.h"
#include "search/tiers.h"

namespace cede {

namespace {

Verdict take(const DecisionContext& context, SearchResult found, const std::vector<const Unit*>& eligible,
             const Placer* placer, PlanBuilder& builder) {
  builder.take(std::move(found), eligible, placer);
  Verdict verdict = builder.preempt();
  const std::string remark = context.profile.remark(context.rule_context);
  if (!remark.empty()) verdict.reason += "; " + remark;
  return verdict;
}

}  // namespace

std::optional<Verdict> cached_victims(DecisionContext& context, const VictimProblem& problem,
                                      PlanBuilder& builder) {
  if (!may_reuse_answers(context, problem)) return std::nullopt;
  const CountTerms counted(context, problem);
  AnswerCache answers(counted.terms(), context.query);
  if (const std::optional<NoRoom> no = answers.no_room()) {
    context.search_spent += no->work;
    builder.explain_units_later();
    return no_room_verdict(*no);
  }
  const WorkShare share(context.work, context.work.left() / 3);
  std::optional<SearchResult> found = answers.run();
  if (!found) return std::nullopt;
  context.search_spent += found->work;
  builder.explain_units_later();
  return take(context, std::move(*found), {}, problem.placer, builder);
}

Verdict choose_victims(DecisionContext& context, const VictimProblem& problem,
                       const std::vector<const Unit*>& eligible, PlanBuilder& builder) {
  if (eligible.empty()) {
    return Verdict::wait("no-victims", "none of the " + std::to_string(context.units().size()) +
                                           " running units may give way");
  }
  SearchResult found = search_tiers(context, problem, eligible);
  if (!found.best) {
    builder.list_not_needed(eligible, {});
    return explain_no(context, problem, found, eligible);
  }
  if (may_reuse_answers(context, problem)) {
    const CountTerms counted(context, problem);
    AnswerCache(counted.terms(), context.query).keep(found);
  }
  return take(context, std::move(found), eligible, problem.placer, builder);
}

}  // namespace cede
