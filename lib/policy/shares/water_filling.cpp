// SPDX-License-Identifier: MIT
#include "policy/shares/water_filling.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace cede {

namespace {

constexpr int kLevelBits = 64;
constexpr int kReachedBits = 86;  // a share has 40 bits, so it just fits in this unit

constexpr UnsignedWide kAllReached = static_cast<UnsignedWide>(1) << kReachedBits;
constexpr std::uint64_t kMoreThanFull = kFullShare + 1;
static_assert(kMoreThanFull < (std::uint64_t{1} << 40));

// How far below a whole number a share may be by rounding alone, and all shares together below the whole.
constexpr UnsignedWide kRounding = kAllReached >> 30;

UnsignedWide fine(std::uint64_t share) { return static_cast<UnsignedWide>(share) << kReachedBits; }

// Adds count × amount. Returns false if the sum exceeds the limit.
bool add_within(UnsignedWide& total, UnsignedWide count, UnsignedWide amount, UnsignedWide limit) {
  UnsignedWide product = 0;
  if (__builtin_mul_overflow(count, amount, &product) || product > limit - total) return false;
  total += product;
  return true;
}

}  // namespace

WaterFilling::WaterFilling(std::span<const Share> whole)
    : whole_(whole), stopped_(whole.size(), true), totals_(whole.size()) {}

void WaterFilling::add_kind(std::span<const Share> cap, std::span<const Share> first, Amount weight,
                            std::uint32_t count) {
  const auto largest = static_cast<std::uint64_t>(dominant(cap));
  for (std::size_t r = 0; r < cap.size(); ++r) {
    caps_.push_back(static_cast<std::uint64_t>(cap[r]));
    if (cap[r] > 0) stopped_[r] = false;
  }
  for (const Share share : first) firsts_.push_back(static_cast<std::uint64_t>(share));
  Kind kind;
  kind.largest = largest;
  kind.weight = static_cast<UnsignedWide>(weight);
  kind.count = count;
  // No share exceeds the full one, so a larger cap need not be followed further.
  const std::uint64_t followed = std::min(largest, kMoreThanFull);
  kind.top = ((static_cast<UnsignedWide>(followed) << kLevelBits) + kind.weight - 1) / kind.weight;
  kind.stop = followed == largest ? kAllReached : fine(followed) / largest;
  kinds_.push_back(kind);
}

// How far a kind is towards its cap at this level.
UnsignedWide WaterFilling::reached(const Kind& kind, UnsignedWide level) const {
  if (level >= kind.top) return kind.stop;
  const UnsignedWide largest_share = (level * kind.weight) << (kReachedBits - kLevelBits);
  return std::min(kind.stop, largest_share / kind.largest);
}

UnsignedWide WaterFilling::amount(std::size_t kind, std::size_t resource, UnsignedWide reached) const {
  const std::size_t at = kind * whole_.size() + resource;
  return std::max(fine(firsts_[at]), reached * caps_[at]);
}

bool WaterFilling::fits(UnsignedWide level) {
  std::fill(totals_.begin(), totals_.end(), UnsignedWide{0});
  for (std::size_t k = 0; k < kinds_.size(); ++k) {
    const UnsignedWide far = reached(kinds_[k], level);
    for (std::size_t r = 0; r < whole_.size(); ++r) {
      if (stopped_[r]) continue;
      if (!add_within(totals_[r], kinds_[k].count, amount(k, r, far),
                      fine(static_cast<std::uint64_t>(whole_[r]))))
        return false;
    }
  }
  return true;
}

// Estimates the level at which a resource is used up if all kinds go on at their present rate. It shortens
// the search; the result does not depend on it.
UnsignedWide WaterFilling::extrapolate(UnsignedWide level, UnsignedWide top) const {
  constexpr int kRateBits = 32;
  UnsignedWide guess = top;
  for (std::size_t r = 0; r < whole_.size(); ++r) {
    if (stopped_[r]) continue;
    const UnsignedWide limit = fine(static_cast<std::uint64_t>(whole_[r]));
    UnsignedWide total = 0;
    UnsignedWide rate = 0;
    for (std::size_t k = 0; k < kinds_.size(); ++k) {
      const Kind& kind = kinds_[k];
      const UnsignedWide far = reached(kind, level);
      if (!add_within(total, kind.count, amount(k, r, far), limit)) return level;
      const std::size_t at = k * whole_.size() + r;
      if (far < kind.stop && far * caps_[at] >= fine(firsts_[at]))
        rate += kind.count * caps_[at] *
                ((kind.weight << (kReachedBits - kLevelBits + kRateBits)) / kind.largest);
    }
    rate >>= kRateBits;
    if (rate > 0) guess = std::min(guess, level + std::min(top - level, (limit - total) / rate));
  }
  return guess;
}

UnsignedWide WaterFilling::first_that_does_not_fit(UnsignedWide low, UnsignedWide high) {
  const auto probe = [&](UnsignedWide level) {
    if (level < low || level >= high) return;
    if (fits(level)) {
      low = level + 1;
    } else {
      high = level;
    }
  };
  while (low < high) {
    const UnsignedWide guess = extrapolate(low, high);
    const UnsignedWide margin = (high - low) >> 20;
    probe(guess - std::min(margin, guess - low));
    probe(guess + margin);
    probe(low + (high - low) / 2);
  }
  return low;
}

// Finds the resources that are used up at this level. Each kind that needs one stops: at this level, or when
// the level catches up with what it got first.
void WaterFilling::stop_at(UnsignedWide level) {
  const std::size_t resources = whole_.size();
  for (std::size_t r = 0; r < resources; ++r) {
    if (stopped_[r]) continue;
    UnsignedWide total = 0;
    const UnsignedWide limit = fine(static_cast<std::uint64_t>(whole_[r]));
    bool over = false;
    for (std::size_t k = 0; k < kinds_.size() && !over; ++k)
      over = !add_within(total, kinds_[k].count, amount(k, r, reached(kinds_[k], level)), limit);
    stopped_[r] = over;
    if (!over) continue;
    for (std::size_t k = 0; k < kinds_.size(); ++k) {
      const std::uint64_t cap = caps_[k * resources + r];
      const std::uint64_t first = firsts_[k * resources + r];
      if (cap <= first) continue;
      Kind& kind = kinds_[k];
      const UnsignedWide caught_up = fine(first) / cap;
      kind.stop = std::min(kind.stop, std::max(caught_up, reached(kind, level)));
    }
  }
}

void WaterFilling::rise() {
  UnsignedWide top = 0;
  for (const Kind& kind : kinds_) top = std::max(top, kind.top);
  // Every round uses up a resource, so the number of resources bounds the rounds.
  for (UnsignedWide level = 0; !fits(top);) {
    level = first_that_does_not_fit(level, top);
    stop_at(level);
  }
}

Share WaterFilling::share(std::size_t kind, std::size_t resource) const {
  return static_cast<Share>((amount(kind, resource, kinds_[kind].stop) + kRounding) >> kReachedBits);
}

bool WaterFilling::used_up(std::size_t resource) const {
  UnsignedWide total = 0;
  const auto whole = static_cast<std::uint64_t>(whole_[resource]);
  if (whole == 0) return true;
  for (std::size_t k = 0; k < kinds_.size(); ++k) {
    if (!add_within(total, kinds_[k].count, amount(k, resource, kinds_[k].stop), fine(whole) - kRounding))
      return true;
  }
  return false;
}

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
