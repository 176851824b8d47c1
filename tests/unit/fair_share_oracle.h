// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "policy/shares/fair_share.h"

namespace cede {

// Fair shares a second time, from the same text and by other means: exact fractions, and a level that moves
// from one event to the next (a child reaches its guarantee, its cap, a resource runs out) instead of being
// searched for. Slow, and shares nothing with the library but the input and the result.
class FairShareOracle {
 public:
  using Fraction = boost::multiprecision::cpp_rational;
  using Integer = boost::multiprecision::cpp_int;

  struct Answer {
    std::vector<Share> demand;
    std::vector<Share> fair;
    Share dominant = 0;
  };

  explicit FairShareOracle(const ShareTree& tree) : tree_(tree), answers_(tree.elements.size()) {
    for (std::size_t i = 0; i < tree.elements.size(); ++i) {
      const ShareElement& element = tree.elements[i];
      const std::string key = std::string(element.name) + (element.is_job ? "\1" : "");
      if (element.parent == ShareElement::kNoParent) {
        root_ = i;
      } else {
        children_[element.parent][key] = i;
      }
    }
    caps_.resize(tree.elements.size());
    find_cap(root_);
    std::vector<Integer> all;
    for (const Integer& cap : caps_[root_]) all.push_back(std::min(cap, Integer(kFullShare)));
    give(root_, tree.elements[root_].given == kNoShare ? all : proportional(root_));
  }

  const std::vector<Answer>& answers() const { return answers_; }

 private:
  struct Child {
    std::size_t element = 0;
    Fraction weight;
    std::vector<Fraction> cap;
    std::vector<Fraction> first;
    Fraction largest = 0;
    Fraction stop = 1;  // part of its cap
    Fraction progress(const Fraction& level) const {
      if (largest == 0) return stop;
      const Fraction at = level * weight / largest;
      return std::min(at, stop);
    }
    Fraction has(std::size_t r, const Fraction& level) const {
      const Fraction part = cap[r] * progress(level);
      return std::max(part, first[r]);
    }
  };

  std::size_t resources() const { return tree_.capacity.size(); }

  static Integer big(Total value) {
    Integer out = static_cast<std::uint64_t>(value >> 64);
    return (out << 64) + static_cast<std::uint64_t>(value);
  }

  Integer share(Total amount, std::size_t r) const {
    return tree_.capacity[r] == 0 ? Integer(0) : Integer(big(amount) * kFullShare / big(tree_.capacity[r]));
  }

  static Integer floor_of(const Fraction& value) { return numerator(value) / denominator(value); }

  void find_cap(std::size_t i) {
    const ShareElement& element = tree_.elements[i];
    std::vector<Integer> demand(resources(), 0);
    for (const auto& [name, child] : children_[i]) {
      find_cap(child);
      for (std::size_t r = 0; r < resources(); ++r) demand[r] += caps_[child][r];
    }
    for (std::size_t r = 0; r < resources(); ++r) {
      if (element.is_job) demand[r] = share(tree_.demand[i * resources() + r], r);
      answers_[i].demand.push_back(static_cast<Share>(demand[r]));
      const Amount most = amount_of(element.max, static_cast<std::uint32_t>(r), kNoAmount);
      if (most != kNoAmount && share(most, r) < demand[r]) demand[r] = share(most, r);
    }
    caps_[i] = demand;
  }

  std::vector<Integer> proportional(std::size_t i) const {
    const Integer largest = *std::max_element(caps_[i].begin(), caps_[i].end());
    std::vector<Integer> out;
    for (const Integer& cap : caps_[i]) {
      const Integer part = largest == 0 ? Integer(0) : Integer(cap * tree_.elements[i].given / largest);
      out.push_back(std::min(cap, part));
    }
    return out;
  }

  void give(std::size_t i, const std::vector<Integer>& fair) {
    for (const Integer& part : fair) answers_[i].fair.push_back(static_cast<Share>(part));
    answers_[i].dominant = tree_.elements[i].given != kNoShare
                               ? tree_.elements[i].given
                               : static_cast<Share>(*std::max_element(fair.begin(), fair.end()));
    std::vector<Integer> left = fair;
    std::vector<Child> claims;
    for (const auto& [name, child] : children_[i]) {
      if (tree_.elements[child].given == kNoShare) {
        claims.push_back(claim(child));
        continue;
      }
      const std::vector<Integer> given = proportional(child);
      for (std::size_t r = 0; r < resources(); ++r)
        left[r] = left[r] > given[r] ? Integer(left[r] - given[r]) : Integer(0);
      give(child, given);
    }
    for (std::size_t r = 0; r < resources(); ++r) cut_guarantees(claims, r, left[r]);
    fill(claims, left);
    std::vector<std::vector<Integer>> parts(claims.size());
    for (std::size_t r = 0; r < resources(); ++r) {
      Fraction exact = 0;
      Integer rest = left[r];
      for (std::size_t c = 0; c < claims.size(); ++c) {
        const Fraction reached = claims[c].cap[r] * claims[c].stop;
        const Fraction part = std::max(reached, claims[c].first[r]);
        exact += part;
        parts[c].push_back(floor_of(part));
        rest -= parts[c].back();
      }
      for (std::size_t c = 0; exact == left[r] && rest > 0; ++c) {
        if (parts[c][r] < floor_of(claims[c].cap[r])) {
          parts[c][r] += 1;
          rest -= 1;
        }
      }
    }
    for (std::size_t c = 0; c < claims.size(); ++c) give(claims[c].element, parts[c]);
  }

  Child claim(std::size_t i) const {
    Child child;
    child.element = i;
    child.weight = Fraction(tree_.elements[i].weight, kOne);
    for (std::size_t r = 0; r < resources(); ++r) {
      const Integer guaranteed =
          share(amount_of(tree_.elements[i].guarantee, static_cast<std::uint32_t>(r)), r);
      child.cap.emplace_back(caps_[i][r]);
      child.first.emplace_back(std::min(caps_[i][r], guaranteed));
      child.largest = std::max(child.largest, child.cap.back());
    }
    return child;
  }

  static void cut_guarantees(std::vector<Child>& claims, std::size_t r, const Integer& whole) {
    Fraction wanted = 0;
    for (const Child& child : claims) wanted += child.first[r];
    if (wanted <= whole) return;
    std::vector<bool> cut(claims.size(), true);
    Fraction h = 0;
    for (bool changed = true; changed;) {
      changed = false;
      Fraction left = whole;
      Fraction weights = 0;
      for (std::size_t c = 0; c < claims.size(); ++c) {
        if (cut[c])
          weights += claims[c].weight;
        else
          left -= claims[c].first[r];
      }
      h = left / weights;
      for (std::size_t c = 0; c < claims.size(); ++c) {
        if (cut[c] && claims[c].first[r] <= h * claims[c].weight) {
          cut[c] = false;
          changed = true;
        }
      }
    }
    Fraction rest = whole;
    for (std::size_t c = 0; c < claims.size(); ++c) {
      if (cut[c]) claims[c].first[r] = floor_of(h * claims[c].weight);
      rest -= claims[c].first[r];
    }
    for (std::size_t c = 0; rest > 0; ++c) {
      if (!cut[c]) continue;
      claims[c].first[r] += 1;
      rest -= 1;
    }
  }

  // Moves the level from event to event until no share changes any more; then `stop` says how far each has
  // come.
  void fill(std::vector<Child>& claims, const std::vector<Integer>& whole) const {
    Fraction level = 0;
    std::vector<bool> full(resources(), false);
    for (;;) {
      for (std::size_t r = 0; r < resources(); ++r) {
        Fraction used = 0;
        for (const Child& child : claims) used += child.has(r, level);
        if (full[r] || used < whole[r]) continue;
        full[r] = true;
        for (Child& child : claims) {
          if (child.cap[r] <= child.first[r]) continue;
          const Fraction caught_up = child.first[r] / child.cap[r];
          child.stop = std::min(child.stop, std::max(child.progress(level), caught_up));
        }
      }
      std::optional<Fraction> next;
      const auto event = [&](const Fraction& at) {
        if (at > level && (!next || at < *next)) next = at;
      };
      std::vector<Fraction> speed(resources(), 0);
      std::vector<Fraction> used(resources(), 0);
      for (const Child& child : claims) {
        const bool moves = child.progress(level) < child.stop;
        if (moves) event(child.stop * child.largest / child.weight);
        for (std::size_t r = 0; r < resources(); ++r) {
          const Fraction has = child.has(r, level);
          used[r] += has;
          if (!moves || child.cap[r] == 0) continue;
          const Fraction caught_up = child.first[r] * child.largest / (child.cap[r] * child.weight);
          if (caught_up > level)
            event(caught_up);
          else
            speed[r] += child.cap[r] * child.weight / child.largest;
        }
      }
      for (std::size_t r = 0; r < resources(); ++r) {
        if (speed[r] > 0) event(level + (whole[r] - used[r]) / speed[r]);
      }
      if (!next) return;
      level = *next;
    }
  }

  const ShareTree& tree_;
  std::vector<Answer> answers_;
  std::size_t root_ = 0;
  std::map<std::size_t, std::map<std::string, std::size_t>> children_;  // in the byte order of names
  std::vector<std::vector<Integer>> caps_;
};

}  // namespace cede
