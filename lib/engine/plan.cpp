// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include "base/text.h"
#include "document/plan_writer.h"
#include "engine/engine.h"
#include "policy/request.h"
#include "search/decide.h"
#include "search/verify.h"

namespace cede {

namespace {

std::string unknown(std::string_view kind, std::string_view name, std::size_t known) {
  return quote(name) + " is not a " + std::string(kind) + "; " + std::to_string(known) + ' ' +
         std::string(kind) + (known == 1 ? " is known" : "s are known");
}

}  // namespace

std::optional<Plan> Engine::plan(std::string_view job, Time now, const std::vector<std::string>& terms,
                                 Problems& problems) const {
  const auto fail = [&](std::string text, Status status) {
    problems.error({}, std::move(text), status);
    return std::nullopt;
  };
  if (!policies_) return fail("the engine has no policy to plan by", Status::invalid);
  Question question;
  question.job = model_.find_job(job);
  if (!question.job) return fail("unknown-job: " + unknown("job", job, model_.jobs.live()), Status::unknown);
  question.now = std::max(now == kNoTime ? model_.now : now, model_.now);
  if (question.now == kNoTime) return fail("no time is given, and the cluster has no 'now'", Status::invalid);
  std::vector<NodeId> only;
  for (const std::string& term : terms) {
    const std::size_t equals = term.find('=');
    const std::string_view key = std::string_view(term).substr(0, equals);
    const std::string_view name =
        equals == std::string::npos ? std::string_view{} : std::string_view(term).substr(equals + 1);
    if (key == "protect") {
      const JobId id = model_.find_job(name);
      if (!id) return fail("protect: " + unknown("job", name, model_.jobs.live()), Status::unknown);
      question.protect.push_back(id);
    } else if (key == "avoid" || key == "only") {
      const NodeId id = model_.find_node(name);
      if (!id)
        return fail(std::string(key) + ": " + unknown("node", name, model_.nodes.live()), Status::unknown);
      (key == "avoid" ? question.avoid : only).push_back(id);
    } else {
      static constexpr std::array<std::string_view, 3> kKnown{"protect", "avoid", "only"};
      return fail(quote(term) + " is not protect=JOB, avoid=NODE or only=NODE" + did_you_mean(key, kKnown),
                  Status::invalid);
    }
  }
  if (std::string why = undecidable(model_, *policies_, question.job); !why.empty()) {
    return fail(std::move(why), Status::invalid);
  }
  if (!only.empty()) {
    model_.nodes.for_each([&](NodeId id, const NodeRow&) {
      if (std::find(only.begin(), only.end(), id) == only.end()) question.avoid.push_back(id);
    });
  }
  Plan plan = decide(model_, *policies_, question);
  plan.revision = revision_;
  return plan;
}

std::string plan_document(const Plan& plan, bool explained) { return write_plan(plan, explained); }

std::string plan_objective(const Plan& plan) { return write_objective(plan); }

std::string plan_task_label(const Plan& plan, TaskId row, std::uint32_t index) {
  return task_label(plan.model, row, index);
}

std::string plan_fault(const Plan& plan, const PolicySet& policies) { return verify(plan, policies); }

}  // namespace cede
