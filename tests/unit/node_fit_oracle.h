// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <bit>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "topology/fit/node_fit.h"
#include "topology/import/device_catalogue.h"

namespace cede {

// The entries without which no assignment fits.
inline EntrySet hard_entries(const Requirement& require) {
  EntrySet found = 0;
  for (std::size_t i = 0; i < require.gpus.size(); ++i) {
    if (require.gpus[i].strength == Strength::hard) found |= gpus_entry(i);
  }
  if (require.nic.given && require.nic.strength == Strength::hard) found |= kNicEntry;
  if (!require.gpu_models.empty()) found |= kModelEntry;
  if (require.uniform_model != UniformModel::off) found |= kUniformEntry;
  if (require.cpu_numa == CpuNuma::single || require.cpu_numa == CpuNuma::restricted) found |= kNumaEntry;
  return found;
}

// What fits on a node of at most eight devices, by trying every assignment and reading each entry as the
// specification words it. Shares nothing with the code it checks but the plain data and the comparison of
// model names.
class NodeFitOracle {
 public:
  struct Best {
    std::vector<DeviceMask> tasks;
    EntrySet missed = 0;
  };

  NodeFitOracle(const NodeClass& node_class, const Requirement& require, const TaskTerms& terms)
      : class_(node_class), require_(require), terms_(terms) {
    for (DeviceMask set = 0; set < bit(class_.devices.size()); ++set) {
      of_task_.push_back(unmet_by_task(set));
      of_node_.push_back(unmet_together(set));
    }
    limit_ = numa_limit();
  }

  std::uint32_t limit() const { return limit_; }

  // The assignment that misses the fewest preferences, of these the one with the lowest devices; nothing when
  // none meets every hard entry.
  std::optional<Best> best(DeviceMask free, std::size_t tasks, std::span<const Amount> free_cpu) const {
    std::optional<Best> found;
    std::vector<DeviceMask> chosen;
    const std::function<void(DeviceMask)> choose = [&](DeviceMask left) {
      if (chosen.size() == tasks) {
        const EntrySet missed = unmet(chosen, free_cpu);
        if ((missed & hard_entries(require_)) != 0) return;
        if (!found || std::popcount(missed) < std::popcount(found->missed) ||
            (std::popcount(missed) == std::popcount(found->missed) && is_lower(chosen, found->tasks))) {
          found = Best{chosen, missed};
        }
        return;
      }
      for (DeviceMask set = 0; set < bit(class_.devices.size()); ++set) {
        if ((set & ~left) != 0 || std::popcount(set) != static_cast<int>(terms_.devices)) continue;
        chosen.push_back(set);
        choose(left & ~set);
        chosen.pop_back();
        if (terms_.devices == 0) break;
      }
    };
    choose(free);
    return found;
  }

  // Entries that this assignment does not meet, hard ones and preferences.
  EntrySet unmet(const std::vector<DeviceMask>& tasks, std::span<const Amount> free_cpu) const {
    EntrySet unmet = 0;
    DeviceMask together = 0;
    for (const DeviceMask task : tasks) {
      unmet |= of_task_[task];
      together |= task;
    }
    unmet |= of_node_[together];
    if (require_.cpu_numa != CpuNuma::none && !numa_is_met(tasks, free_cpu)) unmet |= kNumaEntry;
    return unmet;
  }

 private:
  static DeviceMask bit(std::size_t device) { return DeviceMask{1} << device; }
  // The members of a set of at most eight.
  static const std::vector<int>& list(DeviceMask set) {
    static const std::vector<std::vector<int>> lists = [] {
      std::vector<std::vector<int>> all(256);
      for (std::size_t mask = 0; mask < all.size(); ++mask) {
        for (int d = 0; d < 8; ++d) {
          if ((mask >> d & 1) != 0) all[mask].push_back(d);
        }
      }
      return all;
    }();
    return lists.at(set);
  }
  static bool is_lower(const std::vector<DeviceMask>& a, const std::vector<DeviceMask>& b) {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(),
                                        [](DeviceMask x, DeviceMask y) { return list(x) < list(y); });
  }
  bool hopeful() const { return terms_.unknown == Unknown::passes; }

  EntrySet unmet_by_task(DeviceMask task) const {
    EntrySet unmet = require_.nic.given && !is_near(task) ? kNicEntry : 0;
    for (std::size_t i = 0; i < require_.gpus.size(); ++i) {
      const GpuRequirement& need = require_.gpus[i];
      if (need.scope == GpuScope::task && !is_related(task, need)) unmet |= gpus_entry(i);
    }
    return unmet;
  }

  EntrySet unmet_together(DeviceMask together) const {
    EntrySet unmet = 0;
    for (std::size_t i = 0; i < require_.gpus.size(); ++i) {
      const GpuRequirement& need = require_.gpus[i];
      if (need.scope == GpuScope::node && !is_related(together, need)) unmet |= gpus_entry(i);
    }
    for (const int a : list(together)) {
      const std::string& model = class_.devices[static_cast<std::size_t>(a)].model;
      const bool named = std::any_of(require_.gpu_models.begin(), require_.gpu_models.end(),
                                     [&](const std::string& name) { return names_model(name, model); });
      const bool no_name = model.empty() && hopeful();
      if (!require_.gpu_models.empty() && !named && !no_name) unmet |= kModelEntry;
      if (require_.uniform_model == UniformModel::off) continue;
      if (!terms_.model.empty() && fold_model(model) != terms_.model && !no_name) unmet |= kUniformEntry;
      for (const int b : list(together)) {
        const std::string& other = class_.devices[static_cast<std::size_t>(b)].model;
        const bool known = !model.empty() && !other.empty();
        if (a != b && (known ? fold_model(model) != fold_model(other) : !hopeful())) unmet |= kUniformEntry;
      }
    }
    return unmet;
  }

  bool is_linked(int a, int b) const {
    bool grouped = false;
    for (const NodeClass::LinkGroup& group : class_.links) {
      grouped |=
          group.link == LinkClass::nvl && (group.devices >> a & 1) != 0 && (group.devices >> b & 1) != 0;
    }
    for (const auto& pair : class_.degraded) {
      if ((pair[0] == a && pair[1] == b) || (pair[0] == b && pair[1] == a)) return false;
    }
    return grouped || (hopeful() && !class_.links_known);
  }

  // Whether one mask holds all; the devices in none of them are anywhere where doubt is no obstacle.
  bool in_one(DeviceMask set, const std::vector<DeviceMask>& masks) const {
    DeviceMask placed = 0;
    for (const DeviceMask mask : masks) placed |= mask;
    if ((set & ~placed) != 0 && !hopeful()) return false;
    const DeviceMask known = set & placed;
    return known == 0 ||
           std::any_of(masks.begin(), masks.end(), [&](DeviceMask mask) { return (known & ~mask) == 0; });
  }

  bool is_related(DeviceMask set, const GpuRequirement& need) const {
    if (std::popcount(set) < 2) return true;
    switch (need.level) {
      case GpuLevel::pcie: return in_one(set, class_.pcie);
      case GpuLevel::numa: return in_one(set, class_.numa);
      case GpuLevel::socket: return in_one(set, class_.sockets);
      case GpuLevel::nvl: break;
    }
    const DeviceMask within =
        need.mode == GpuMode::same ? bit(class_.devices.size()) - 1 : set;  // where a path may lead
    bool reach[8][8] = {};
    for (const int a : list(within)) {
      for (const int b : list(within)) reach[a][b] = a == b || is_linked(a, b);
    }
    for (const int via : list(need.mode == GpuMode::clique ? 0 : within)) {
      for (const int a : list(within)) {
        for (const int b : list(within)) reach[a][b] |= reach[a][via] && reach[via][b];
      }
    }
    for (const int a : list(set)) {
      for (const int b : list(set)) {
        if (!reach[a][b]) return false;
      }
    }
    return true;
  }

  static bool shares(int a, int b, const std::vector<DeviceMask>& masks) {
    return std::any_of(masks.begin(), masks.end(),
                       [&](DeviceMask mask) { return (mask >> a & 1) != 0 && (mask >> b & 1) != 0; });
  }
  static bool is_placed(int a, const std::vector<DeviceMask>& masks) { return shares(a, a, masks); }

  bool is_near(const NodeClass::Nic& nic, int device) const {
    const std::vector<int>& listed = list(nic.near);
    if (listed.empty()) return false;
    const GpuLevel level = require_.nic.level;
    const bool here = (nic.near >> device & 1) != 0;
    if (level == GpuLevel::pcie) return here && nic.level == LinkClass::pcie;
    if (level == GpuLevel::numa && nic.level == LinkClass::socket) return false;
    const auto beside = [&](const std::vector<DeviceMask>& masks, const std::vector<int>& from) {
      return std::any_of(from.begin(), from.end(), [&](int d) { return shares(d, device, masks); });
    };
    const auto lost = [&](const std::vector<DeviceMask>& masks, const std::vector<int>& from) {
      return hopeful() && (!is_placed(device, masks) || std::none_of(from.begin(), from.end(), [&](int d) {
               return is_placed(d, masks);
             }));
    };
    if (level == GpuLevel::numa) {
      return here || beside(class_.numa, listed) ||
             (nic.level == LinkClass::pcie && lost(class_.numa, listed));
    }
    DeviceMask numa_near = nic.near;
    for (const DeviceMask mask : class_.numa) {
      if (nic.level != LinkClass::socket && (mask & nic.near) != 0) numa_near |= mask;
    }
    return (numa_near >> device & 1) != 0 || beside(class_.sockets, list(numa_near)) ||
           (nic.level != LinkClass::socket && lost(class_.sockets, list(numa_near)));
  }

  bool is_near(DeviceMask task) const {
    if (task == 0) return true;
    if (!class_.nics_known) return hopeful();
    const std::vector<int>& devices = list(task);
    if (require_.nic.per_gpu) {
      return std::all_of(devices.begin(), devices.end(), [&](int d) {
        return std::any_of(class_.nics.begin(), class_.nics.end(),
                           [&](const NodeClass::Nic& nic) { return is_near(nic, d); });
      });
    }
    return std::any_of(class_.nics.begin(), class_.nics.end(), [&](const NodeClass::Nic& nic) {
      return std::all_of(devices.begin(), devices.end(), [&](int d) { return is_near(nic, d); });
    });
  }

  bool knows_cores() const {
    return std::any_of(class_.cores.begin(), class_.cores.end(), [](std::uint32_t c) { return c > 0; });
  }
  NumaSet span(DeviceMask set) const {
    NumaSet nodes = 0;
    for (std::size_t i = 0; i < class_.numa.size(); ++i) nodes |= (class_.numa[i] & set) != 0 ? bit(i) : 0;
    return nodes;
  }
  bool all_placed(DeviceMask set) const {
    for (const int d : list(set)) {
      if (!is_placed(d, class_.numa)) return false;
    }
    return true;
  }

  // How many NUMA nodes a task may use; 0: there is no saying. What would do on an empty node is judged by
  // what is known, however hopeful the rest.
  std::uint32_t numa_limit() {
    if (require_.cpu_numa == CpuNuma::none || (terms_.devices == 0 && terms_.cpu == 0)) return 64;
    const bool lacks_cores = terms_.cpu > 0 && !knows_cores();
    if (lacks_cores && !hopeful()) return 0;
    if (require_.cpu_numa == CpuNuma::single) return 1;
    if (hopeful()) {
      TaskTerms known = terms_;
      known.unknown = Unknown::fails;
      const std::uint32_t limit = NodeFitOracle(class_, require_, known).limit();
      return limit == 0 || !all_placed(bit(class_.devices.size()) - 1) ? 64 : limit;
    }
    limit_ = 64;
    const std::size_t count = class_.numa.size();
    std::uint32_t least = 0;
    for (NumaSet nodes = 1; nodes < bit(count); ++nodes) {
      Amount cpu = 0;
      DeviceMask inside = 0;
      Amount cores = 0;
      for (const std::uint32_t c : class_.cores) cores += c;
      for (const int i : list(nodes)) {
        if (cores > 0) cpu += terms_.node_cpu * class_.cores[static_cast<std::size_t>(i)] / cores;
        inside |= class_.numa[static_cast<std::size_t>(i)];
      }
      const auto size = static_cast<std::uint32_t>(std::popcount(nodes));
      if (size == count) cpu = terms_.node_cpu;
      if ((least == 0 || size < least) && cpu >= terms_.cpu && best(inside, 1, {})) least = size;
    }
    return least;
  }

  bool numa_is_met(const std::vector<DeviceMask>& tasks, std::span<const Amount> free_cpu) const {
    if (limit_ == 0) return false;
    for (const DeviceMask task : tasks) {
      if (!all_placed(task) && !hopeful()) return false;
      if (static_cast<std::uint32_t>(std::popcount(span(task))) > limit_) return false;
    }
    if (free_cpu.empty() || limit_ >= class_.numa.size() || !knows_cores()) return true;
    std::vector<Amount> left(free_cpu.begin(), free_cpu.end());
    return deals(tasks, 0, 0, terms_.cpu, left);
  }

  // Hands out the cpu thousandth by thousandth: task `at` still wants `want` and has used `nodes` so far.
  bool deals(const std::vector<DeviceMask>& tasks, std::size_t at, NumaSet nodes, Amount want,
             std::vector<Amount>& left) const {
    if (at == tasks.size()) return true;
    if (want == 0) return deals(tasks, at + 1, 0, terms_.cpu, left);
    for (std::size_t i = 0; i < left.size(); ++i) {
      const NumaSet more = nodes | bit(i) | span(tasks[at]);
      if (left[i] <= 0 || static_cast<std::uint32_t>(std::popcount(more)) > limit_) continue;
      --left[i];
      const bool found = deals(tasks, at, more, want - 1, left);
      ++left[i];
      if (found) return true;
    }
    return false;
  }

  const NodeClass& class_;
  const Requirement& require_;
  const TaskTerms& terms_;
  std::vector<EntrySet> of_task_;  // by set of devices
  std::vector<EntrySet> of_node_;
  std::uint32_t limit_ = 64;
};

}  // namespace cede
