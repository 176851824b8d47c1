// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/plan.h"
#include "placement/node_attributes.h"
#include "placement/space.h"
#include "policy/rule_context.h"
#include "topology/fit/node_choice.h"

namespace cede {

// A job's requirement at one moment: defaults that depend on the job are filled in, and expired entries are
// preferences. Preferences can be demanded one by one, which is how the Placer finds the placement that
// misses the fewest.
class EffectiveRequirement {
 public:
  explicit EffectiveRequirement(const RuleContext& rule_context);

  const Requirement& require() const { return require_; }
  std::size_t preferences() const { return preferred_.size(); }
  // Demands all hard entries and the preferences whose bit is set. Other preferences are left out.
  Requirement demanding(std::uint64_t preferences) const;
  enum class Part : std::uint8_t { gpus, nic, cpu, network };
  struct Preference {
    Part part = Part::gpus;
    std::size_t index = 0;  // of the entry in the requirement
    std::string name;
  };
  const Preference& preference(std::size_t i) const { return preferred_[i]; }
  // The name of preference i in a plan.
  const std::string& preference_name(std::size_t i) const { return preferred_[i].name; }
  // The names of the hard entries, each once, in document order.
  std::vector<std::string> hard_names() const;
  // The requirement without one of its hard entries, to find the entry that is in the way.
  struct Lighter {
    std::string without;
    Requirement require;
  };
  std::vector<Lighter> each_left_out() const;

 private:
  Requirement require_;
  std::vector<Preference> preferred_;
};

// The segments of a network entry, with its levels as numbers.
SegmentConstraint segment_need(const NodeAttributes& attributes, const NetworkRequirement& entry);
// Whether the nodes, by their numbers in the space, form whole segments.
bool are_segments(const NodeAttributes& attributes, const SegmentConstraint& segment, bool uniform,
                  const std::vector<std::uint32_t>& nodes);

// By preference: whether a placement that did not demand it misses it. Used if the work ended before every
// combination of preferences was tried, so that what a plan says stays true.
std::vector<bool> missed_preferences(const Space& space, const NodeAttributes& attributes,
                                     const EffectiveRequirement& need, const std::vector<PlannedTask>& tasks);

}  // namespace cede
