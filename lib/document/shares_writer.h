// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "document/json_text.h"
#include "policy/shares/fair_share_status.h"

namespace cede {

inline constexpr std::string_view kSharesFormat = "cede-shares/1";

// Fair shares group by group as one document. Shares are decimal numbers with up to twelve digits, so that
// what decides can be read off it; resources of which a group has nothing are left out.
class SharesWriter {
 public:
  explicit SharesWriter(Time now);

  void add(const EffectiveSettings& effective, GroupId group, const FairShareStatus& standing);
  std::string finish();

 private:
  // The group being written. Resources in the order of their names.
  struct Group {
    const EffectiveSettings& effective;
    const FairShareStatus& standing;
    std::vector<std::uint32_t> resources;

    const Model& model() const { return effective.model(); }
  };

  void capacity(const Group& group);
  void queues(const Group& group);
  void queue(const Group& group, QueueId id);
  void job(const Group& group, JobId id);
  void tasks(const Group& group, JobId id);
  // `guaranteed`: of a queue; jobs have no guarantee.
  void shares(const Group& group, std::uint32_t element, std::span<const Share> guaranteed);
  void by_resource(std::string_view key, const Group& group, std::span<const Share> shares);

  std::string out_;
  JsonWriter json_;
};

}  // namespace cede
