// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "search/space.h"
#include "topology/node_choice.h"

namespace cede {

// What does not change about the group's nodes while sets of victims are tried for one request: network
// domains, fingerprints, whose home they are. By the node's index in Space, for one way of comparing
// fingerprints.
class Terrain {
 public:
  Terrain(const Asking& asking, std::span<const NodeSpace> nodes, const ConformanceNeed& conformance);

  // By level, numbered in byte order of the domains' names.
  std::span<const std::uint32_t> domains(std::size_t node) const {
    return std::span(domains_).subspan(node * levels_, levels_);
  }
  std::uint32_t fingerprint(std::size_t node) const { return facts_[node].fingerprint; }
  bool reports(std::size_t node) const { return facts_[node].reports; }
  bool borrowed(std::size_t node) const { return facts_[node].borrowed; }
  bool meets_baseline(std::size_t node) const { return facts_[node].baseline; }
  std::uint32_t levels() const { return static_cast<std::uint32_t>(levels_); }
  // The number of a level, kNowhere for a name that is none.
  std::uint32_t level(std::string_view name) const;
  // How many domains there are.
  std::size_t domain_count() const { return domain_count_; }

 private:
  struct Facts {
    std::uint32_t fingerprint = 0;
    bool reports = false;
    bool borrowed = false;
    bool baseline = true;
  };
  const Model& model_;
  std::size_t levels_;
  std::size_t domain_count_ = 0;
  std::vector<std::uint32_t> domains_;
  std::vector<Facts> facts_;
};

// The domains of any node, by level, as `numbers` (see rank_domains) numbers them.
std::vector<std::uint32_t> domains_of(const Model& model, const NodeRow& node,
                                      std::span<const std::uint32_t> numbers);

// Every domain's place in the byte order of names.
std::vector<std::uint32_t> rank_domains(const Model& model);

}  // namespace cede
