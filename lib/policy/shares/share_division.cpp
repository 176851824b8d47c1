// SPDX-License-Identifier: MIT
#include "policy/shares/share_division.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "policy/shares/water_filling.h"

namespace cede {

namespace {

class Division {
 public:
  Division(std::span<const Share> whole, std::span<const ShareClaim> claims, std::span<Share> out)
      : whole_(whole), claims_(claims), out_(out), first_(out.size()), kind_(claims.size()) {}

  void run() {
    for (std::size_t c = 0; c < claims_.size(); ++c)
      std::copy(claims_[c].guarantee.begin(), claims_[c].guarantee.end(), first_.begin() + at(c, 0));
    for (std::size_t r = 0; r < whole_.size(); ++r) {
      if (sum(first_, r) > whole_[r]) cut_guarantees(r);
    }
    WaterFilling level(whole_);
    add_kinds(level);
    level.rise();
    for (std::size_t c = 0; c < claims_.size(); ++c) {
      for (std::size_t r = 0; r < whole_.size(); ++r)
        out_[at(c, r)] = std::min(claims_[c].cap[r], level.share(kind_[c], r));
    }
    for (std::size_t r = 0; r < whole_.size(); ++r) {
      if (level.used_up(r)) hand_out_remainder(r);
    }
  }

 private:
  std::size_t at(std::size_t claim, std::size_t resource) const { return claim * whole_.size() + resource; }

  Wide sum(std::span<const Share> rows, std::size_t resource) const {
    Wide total = 0;
    for (std::size_t c = 0; c < claims_.size(); ++c) total += rows[at(c, resource)];
    return total;
  }

  // min(guarantee, h × weight) with the largest h that fits. Claims are visited from the least guarantee per
  // weight upwards; a claim below the even part of the remainder keeps its whole guarantee.
  void cut_guarantees(std::size_t r) {
    std::vector<std::size_t> order(claims_.size());
    std::iota(order.begin(), order.end(), 0);
    const auto wide = [&](std::size_t a, std::size_t b) {
      return static_cast<Wide>(first_[at(a, r)]) * claims_[b].weight;
    };
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return wide(a, b) < wide(b, a); });
    Wide left = whole_[r];
    Wide weights = 0;
    for (const ShareClaim& claim : claims_) weights += claim.weight;
    std::size_t kept = 0;
    for (; kept < order.size(); ++kept) {
      const std::size_t c = order[kept];
      if (first_[at(c, r)] * weights > left * claims_[c].weight) break;
      left -= first_[at(c, r)];
      weights -= claims_[c].weight;
    }
    std::sort(order.begin() + static_cast<std::ptrdiff_t>(kept), order.end());
    Wide remainder = left;
    for (std::size_t i = kept; i < order.size(); ++i) {
      Share& share = first_[at(order[i], r)];
      share = static_cast<Share>(left * claims_[order[i]].weight / weights);
      remainder -= share;
    }
    for (std::size_t i = kept; remainder > 0; ++i, --remainder) ++first_[at(order[i], r)];
  }

  // Sorting by hash puts equal claims next to each other. Unequal claims with the same hash may separate
  // them, which only costs an extra kind.
  void add_kinds(WaterFilling& level) {
    std::vector<std::pair<std::uint64_t, std::size_t>> order(claims_.size());
    for (std::size_t c = 0; c < claims_.size(); ++c) order[c] = {hash(c), c};
    std::sort(order.begin(), order.end());
    std::size_t kinds = 0;
    for (std::size_t i = 0; i < order.size(); ++kinds) {
      const std::size_t like = order[i].second;
      std::uint32_t count = 0;
      for (; i < order.size() && equal(like, order[i].second); ++i, ++count) kind_[order[i].second] = kinds;
      level.add_kind(claims_[like].cap, first(like), claims_[like].weight, count);
    }
  }

  std::uint64_t hash(std::size_t claim) const {
    auto mixed = static_cast<std::uint64_t>(claims_[claim].weight);
    const auto mix = [&](Share share) {
      mixed = (mixed ^ static_cast<std::uint64_t>(share)) * 0x9E3779B97F4A7C15;
      mixed ^= mixed >> 32;
    };
    for (const Share share : claims_[claim].cap) mix(share);
    for (const Share share : first(claim)) mix(share);
    return mixed;
  }

  bool equal(std::size_t a, std::size_t b) const {
    return claims_[a].weight == claims_[b].weight && std::ranges::equal(claims_[a].cap, claims_[b].cap) &&
           std::ranges::equal(first(a), first(b));
  }

  std::span<const Share> first(std::size_t claim) const {
    return std::span<const Share>(first_).subspan(at(claim, 0), whole_.size());
  }

  // Rounding down loses less than one for each claim that it affects, and all these claims are below their
  // cap. So one pass hands out the remainder.
  void hand_out_remainder(std::size_t r) {
    Wide left = whole_[r] - sum(out_, r);
    for (std::size_t c = 0; left > 0 && c < claims_.size(); ++c) {
      if (out_[at(c, r)] == claims_[c].cap[r]) continue;
      ++out_[at(c, r)];
      --left;
    }
  }

  std::span<const Share> whole_;
  std::span<const ShareClaim> claims_;
  std::span<Share> out_;
  std::vector<Share> first_;  // what each claim gets before water filling
  std::vector<std::size_t> kind_;
};

}  // namespace

void divide_share(std::span<const Share> whole, std::span<const ShareClaim> claims, std::span<Share> out) {
  if (!claims.empty() && !whole.empty()) Division(whole, claims, out).run();
}

}  // namespace cede
