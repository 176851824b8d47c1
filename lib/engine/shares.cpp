// SPDX-License-Identifier: MIT
#include <algorithm>

#include "base/text.h"
#include "document/shares_writer.h"
#include "engine/engine.h"
#include "policy/shares/fair_share_status.h"

namespace cede {

std::optional<std::string> Engine::shares(std::optional<std::string_view> group, Time now,
                                          Problems& problems) const {
  const auto fail = [&](std::string text, Status status) {
    problems.error({}, std::move(text), status);
    return std::nullopt;
  };
  if (!policies_) return fail("the engine has no policy to count shares by", Status::invalid);
  const auto policy = [&](GroupId id) { return policy_of(model_, model_.groups[id], *policies_); };
  std::vector<GroupId> wanted;
  if (group) {
    const GroupId id = model_.find_group(*group);
    if (!id) {
      const std::size_t known = model_.groups.live();
      return fail("group: " + quote(*group) + " is not a group; " + std::to_string(known) +
                      (known == 1 ? " group is known" : " groups are known"),
                  Status::unknown);
    }
    if (!policy(id)) return fail("group " + quote(*group) + " has no policy", Status::invalid);
    const Profile profile = policy(id)->profile;
    if (profile != Profile::fair_share) {
      return fail("group: " + quote(*group) + " is of profile " + std::string(to_word(profile, kProfiles)) +
                      ", which has no fair shares; fair-share does",
                  Status::invalid);
    }
    wanted.push_back(id);
  } else {
    model_.groups.for_each([&](GroupId id, const GroupRow&) {
      if (policy(id) && policy(id)->profile == Profile::fair_share) wanted.push_back(id);
    });
    if (wanted.empty()) return fail("no group is of profile fair-share", Status::invalid);
    std::sort(wanted.begin(), wanted.end(), [&](GroupId a, GroupId b) {
      return model_.name(model_.groups[a].name) < model_.name(model_.groups[b].name);
    });
  }
  now = std::max(now, model_.now);
  if (now == kNoTime) return fail("no time is given, and the cluster has no 'now'", Status::invalid);
  const std::shared_ptr<const ProjectedCluster> ahead = projection();
  SharesWriter writer(now);
  for (const GroupId id : wanted) {
    const EffectiveSettings effective(*ahead->model, *policies_, *policy(id));
    writer.add(effective, id, FairShareStatus(effective, id, ahead->in_flight, now));
  }
  return writer.finish();
}

}  // namespace cede
