// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <unordered_map>

#include "base/time.h"
#include "model/model.h"

namespace cede {

// Which nodes agree in the chosen components of their fingerprints. A node that reports none of them, not all
// of them, or too long ago stands alone. A fingerprint given as one text is taken as the hash of whatever
// components are asked for.
class FingerprintSets {
 public:
  FingerprintSets(const Model& model, const ConformanceRequirement& need, Time now)
      : model_(model), need_(need), now_(now) {}

  struct Answer {
    std::uint32_t set = 0;
    bool reports = false;
  };
  Answer of(NodeId node);

  // Whether the node reports, freshly, exactly the values of the baseline.
  bool meets_baseline(NodeId node);

 private:
  // What a report says, whoever makes it. Many nodes share few of them, so each is read once.
  struct Report {
    std::uint32_t set = kNoSet;  // none: not all of what is asked for
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
