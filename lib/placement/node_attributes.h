// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/plan.h"
#include "placement/space.h"
#include "policy/rule_context.h"
#include "topology/fit/node_choice.h"

namespace cede {

// What stays the same about the group's nodes while sets of victims are tried for one request: network
// domains, fingerprints, homes. Indexed by the node's number in the table, for one way of comparing
// fingerprints.
class NodeAttributes {
 public:
  NodeAttributes(const RuleContext& rule_context, const NodeTable& table,
                 const ConformanceRequirement& conformance);

  // By level; domains are numbered in the byte order of their names.
  std::span<const std::uint32_t> domains(std::size_t node) const { return table_.domains(node); }
  // Equal if the nodes agree. A node that reports nothing has its own number.
  std::uint32_t fingerprint(std::size_t node) const {
    return reported_.empty() ? static_cast<std::uint32_t>(node) : reported_[node].fingerprint;
  }
  bool reports(std::size_t node) const { return !reported_.empty() && reported_[node].reports; }
  bool borrowed(std::size_t node) const { return !borrowed_.empty() && borrowed_[node]; }
  bool meets_baseline(std::size_t node) const {
    return !has_baseline_ || (!reported_.empty() && reported_[node].baseline);
  }
  std::uint32_t levels() const { return static_cast<std::uint32_t>(model_.levels.size()); }
  // The number of a level; kNowhere if there is no level of that name.
  std::uint32_t level(std::string_view name) const;
  std::size_t domain_count() const { return model_.domains.live(); }

 private:
  struct Reported {
    std::uint32_t fingerprint = 0;
    bool reports = false;
    bool baseline = true;
  };
  const Model& model_;
  const NodeTable& table_;
  const bool has_baseline_;
  std::vector<Reported> reported_;  // empty if no node reports anything
  std::vector<bool> borrowed_;      // empty if no node is a home
};

// Which nodes a request may use at all. `ever` checks only what never changes for the request (hosts it
// includes or excludes, labels). `now` also checks that the node is up, not reserved for others, not avoided,
// and not kept from the request by the profile.
enum class Usable : std::uint8_t { ever, now };
void mark_usable(Space& space, const RuleContext& rule_context, const NodeTerms& avoid, Usable when);

// Which jobs may share a node: the request and the running jobs may each ask for nodes or whole domains of
// their own. Must be built again after tasks were removed or put back.
class Exclusivity {
 public:
  Exclusivity(const Space& space, const NodeAttributes& attributes, const Requirement& require);
  bool allows(std::size_t node) const;

  // Whether the jobs that hold anything on the node allow the request there. Ignores whole domains.
  static bool node_allows(const Space& space, const Requirement& require, std::size_t node);
  // Whether any job asks for a whole domain.
  static bool concerns_domains(const RuleContext& rule_context, const Requirement& require);
  // Whether any job asks for exclusivity at all.
  static bool matters(const RuleContext& rule_context, const Requirement& require);

 private:
  static bool is_stranger(const Space& space, JobId job, bool by_user);

  const Space& space_;
  const NodeAttributes& attributes_;
  const Requirement& require_;
  std::uint32_t own_level_ = kNowhere;  // level of a request for whole domains
  std::vector<bool> domain_taken_;      // by domain: another job holds something there
  std::vector<bool> domain_closed_;     // by domain: a job there asked to be alone
};

}  // namespace cede
