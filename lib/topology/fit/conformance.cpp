// SPDX-License-Identifier: MIT
#include "topology/fit/conformance.h"

#include <algorithm>

namespace cede {

bool FingerprintSets::is_fresh(const NodeRow& row) const {
  if (row.fingerprint == kNoBlob) return false;
  if (need_.max_age == kNoDuration) return true;
  return row.fingerprint_at != kNoTime && now_ - row.fingerprint_at <= need_.max_age;
}

FingerprintSets::Report FingerprintSets::read(BlobId fingerprint) {
  const TextPairs reported = model_.pairs(fingerprint);
  Report out;
  out.baseline = std::all_of(need_.baseline.begin(), need_.baseline.end(), [&](const auto& wanted) {
    return std::any_of(reported.begin(), reported.end(), [&](const auto& pair) {
      return pair.first == wanted.first && pair.second == wanted.second;
    });
  });
  const auto value = [&](std::string_view component) {
    return std::find_if(reported.begin(), reported.end(),
                        [&](const auto& pair) { return pair.first == component; });
  };
  const bool one_text = reported.size() == 1 && reported.front().first.empty();
  TextPairs chosen;
  if (one_text || need_.components.empty()) {
    chosen = reported;
  } else {
    for (const std::string& component : need_.components) {
      if (const auto at = value(component); at != reported.end()) chosen.push_back(*at);
    }
    if (chosen.size() < need_.components.size()) chosen.clear();
  }
  if (chosen.empty()) return out;
  const auto [at, fresh] = sets_.emplace(encode_pairs(chosen), next_);
  if (fresh) ++next_;
  out.set = at->second;
  return out;
}

const FingerprintSets::Report& FingerprintSets::report(BlobId fingerprint) {
  const auto known = reports_.find(fingerprint);
  return known != reports_.end() ? known->second
                                 : reports_.emplace(fingerprint, read(fingerprint)).first->second;
}

FingerprintSets::Answer FingerprintSets::of(NodeId node) {
  const NodeRow& row = model_.nodes[node];
  const std::uint32_t set = is_fresh(row) ? report(row.fingerprint).set : kNoSet;
  if (set == kNoSet) return {next_++, false};
  return {set, true};
}

bool FingerprintSets::meets_baseline(NodeId node) {
  const NodeRow& row = model_.nodes[node];
  return is_fresh(row) && report(row.fingerprint).baseline;
}

}  // namespace cede
