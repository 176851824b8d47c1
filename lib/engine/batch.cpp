// SPDX-License-Identifier: MIT
#include "engine/batch.h"

#include <algorithm>

#include "base/text.h"
#include "document/json_text.h"
#include "document/plan_writer.h"

namespace cede {

namespace {

// The jobs asked before whose kept space the plan takes away.
std::vector<std::string> counted_on(const Plan& plan, const std::vector<std::string>& before) {
  std::vector<std::string> out;
  for (const PlannedVictim& victim : plan.victims) {
    const std::string_view job = plan.model().job_name(victim.job);
    if (victim.hold != 0 && std::find(before.begin(), before.end(), job) != before.end())
      out.emplace_back(job);
  }
  return out;
}

}  // namespace

std::optional<std::vector<BatchPart>> plan_batch(const Engine& engine, const std::vector<std::string>& jobs,
                                                 Time now, const std::vector<std::string>& terms,
                                                 Problems& problems) {
  Engine ahead(engine);
  std::vector<BatchPart> parts;
  std::vector<std::string> before;
  for (const std::string& job : jobs) {
    if (std::find(before.begin(), before.end(), job) != before.end()) {
      problems.error({PathStep::member("jobs"), PathStep::element(before.size())},
                     quote(job) + " is named twice", Status::invalid);
      return std::nullopt;
    }
    std::optional<Plan> plan = ahead.plan(job, now, terms, problems);
    if (!plan) return std::nullopt;
    if (plan->outcome == Outcome::fits || plan->outcome == Outcome::preempt) {
      if (ahead.commit(*plan, *engine.policies(), now, -1, problems) == kNoEntry) return std::nullopt;
    }
    plan->revision = engine.revision();
    std::vector<std::string> after = counted_on(*plan, before);
    parts.push_back({std::move(*plan), std::move(after)});
    before.push_back(job);
  }
  return parts;
}

std::string part_document(std::string document, std::span<const std::string> after) {
  if (after.empty()) return document;
  std::string member = "\"after\":";
  JsonWriter json(member);
  json.begin_array();
  for (const std::string& job : after) json.text(job);
  json.end_array();
  // A plan's document is one object, and its format comes first.
  const std::size_t behind_format = document.find(',') + 1;
  return document.insert(behind_format, member + ',');
}

std::string batch_document(std::span<const std::string> parts) {
  std::string out;
  JsonWriter json(out);
  json.begin_object().key("format").text(kPlanFormat).key("batch").begin_array();
  for (const std::string& part : parts) {
    json.line().raw(std::string_view(part).substr(0, part.find_last_not_of('\n') + 1));
  }
  json.end_array().end_object();
  out.push_back('\n');
  return out;
}

}  // namespace cede
