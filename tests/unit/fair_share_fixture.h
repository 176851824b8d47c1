// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "document/document.h"
#include "document/policy_reader.h"
#include "policy/settings/effective_settings.h"
#include "support/cluster_builder.h"

namespace cede {

// A cluster under one policy of profile fair-share, read from documents.
struct FairCluster {
  explicit FairCluster(std::string_view cluster, const JsonObject& settings = {}) {
    Problems problems;
    read_policy(policy_text("fair-share", settings), Limits{}, problems, policies);
    ModelEdit edit(Model{}, limits, problems, true);
    read_cluster(cluster, edit);
    model = edit.finish();
    EXPECT_FALSE(problems.failed()) << problems.all()[0].message() << "\n" << cluster;
  }
  EffectiveSettings effective() const { return {model, policies, policies.policies.front()}; }
  JobId job(std::string_view name) const { return model.find_job(name); }
  QueueId queue(std::string_view name) const { return model.find_queue(name); }
  GroupId group(std::string_view name = "g") const { return model.find_group(name); }

  Limits limits;
  Model model;
  PolicySet policies;
};

}  // namespace cede
