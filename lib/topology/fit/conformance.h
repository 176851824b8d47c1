// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <unordered_map>

#include "base/time.h"
#include "model/model.h"

namespace cede {

// Which nodes agree in the chosen components of their fingerprints. A node whose report is missing,
// incomplete or too old is a set of its own. A fingerprint given as one text counts as the hash of all
// requested components.
class FingerprintSets {
 public:
  FingerprintSets(const Model& model, const ConformanceRequirement& need, Time now)
      : model_(model), need_(need), now_(now) {}

  struct Answer {
    std::uint32_t set = 0;
    bool reports = false;
  };
  Answer of(NodeId node);

  // Whether the node has a fresh report that equals the baseline exactly.
  bool meets_baseline(NodeId node);

 private:
  // The content of a report. Many nodes share few different reports, so each is read once.
  struct Report {
    std::uint32_t set = kNoSet;  // none: some requested component is missing
    bool baseline = false;
  };
  static constexpr std::uint32_t kNoSet = static_cast<std::uint32_t>(-1);
  bool is_fresh(const NodeRow& row) const;
  const Report& report(BlobId fingerprint);
  Report read(BlobId fingerprint);

  const Model& model_;
  const ConformanceRequirement& need_;
  const Time now_;
  std::map<std::string, std::uint32_t> sets_;
  std::unordered_map<BlobId, Report> reports_;
  std::uint32_t next_ = 0;
};

}  // namespace cede
