// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "document/document.h"
#include "engine_fixture.h"
#include "planned_victims.h"
#include "support/cluster_builder.h"
#include "support/enumerator.h"
#include "verify/verify.h"

namespace cede {

// A loaded cluster whose plans are read as text.
struct PlannedCluster {
  explicit PlannedCluster(const std::string& text, std::string_view profile = "class-cost",
                          const JsonObject& settings = {}, const JsonObject& limits = {})
      : engine(Options{}) {
    Problems problems;
    loaded =
        engine.set_policy(policy_text(profile, settings, limits), problems) && engine.load(text, problems);
    EXPECT_TRUE(loaded) << problems.all()[0].message() << '\n' << text;
  }

  Plan plan(std::string_view job = "asks") const {
    Problems problems;
    std::optional<Plan> made = engine.plan(job, kNoTime, {}, problems);
    EXPECT_TRUE(made) << (problems.all().empty() ? "" : problems.all()[0].message());
    return made ? std::move(*made) : Plan{};
  }
  std::string fault(const Plan& plan) const { return verify(plan, *engine.policies()); }

  // The best objective by trying everything; nothing where there is no set.
  std::optional<std::vector<Criterion>> oracle(const Plan& plan) const {
    return oracle_of(plan, *engine.policies());
  }

  Engine engine;
  bool loaded = false;
};

// "n1[0,1] n2[3]", in the order of tasks; "?" for devices that are assumed.
inline std::string places_of(const Plan& plan) {
  std::string out;
  for (const PlannedTask& task : plan.placement) {
    out +=
        (out.empty() ? "" : " ") + std::string(plan.model().name(plan.model().nodes[task.node].name)) + '[';
    std::string devices;
    for (std::uint32_t d = 0; d < kMaxDevices; ++d) {
      if ((task.gpus >> d & 1) != 0) devices += (devices.empty() ? "" : ",") + std::to_string(d);
    }
    if (task.share > 0)
      devices +=
          (devices.empty() ? "" : ",") + std::to_string(task.share_device) + '*' + std::to_string(task.share);
    out += (task.devices_known ? devices : "?") + "]";
  }
  return out;
}

// The outcome and, where there is one, the rule: "preempt", "wait no-set".
inline std::string answer_of(const Plan& plan) {
  return std::string(to_word(plan.outcome, kOutcomes)) + (plan.rule.empty() ? "" : " " + plan.rule);
}

}  // namespace cede
