// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "support/cluster_builder.h"

namespace cede {

// A cluster small enough to try every set of victims and every device on, whose requester requires anything
// that topology and conformance know: topologies with and without links, NICs and cores, a network of two
// levels and one that crosses them, fingerprints fresh, old and missing, and who wants to be alone.
class TopologyCluster {
 public:
  explicit TopologyCluster(std::uint64_t seed, std::string_view left_out = {}, std::string_view profile = {})
      : random_(seed), left_out_(left_out), seed_(seed), profile_(profile) {
    nodes_ = 1 + below(3);
    devices_ = nodes_ == 3 ? 2 + below(2) : 2 + below(3);
    put_topology(cluster_.topology("t0"));
    put_topology(cluster_.topology("t1"));
    add_network();
    cluster_.group();
    cluster_.queue("root");
    add_queue(0);
    add_queue(1);
    for (std::uint64_t n = 0; n < nodes_; ++n) add_node(n);
    add_requester();
    used_.assign(nodes_, 0);
    for (std::uint64_t j = 0, jobs = 1 + below(5); j < jobs; ++j) add_running(j);
  }

  std::string text() const { return cluster_.text(); }
  const std::vector<std::string>& running_jobs() const { return running_; }

 private:
  std::uint64_t below(std::uint64_t n) { return random_() % n; }
  bool one_in(std::uint64_t n) { return below(n) == 0; }
  static std::string numbered(const char* head, std::uint64_t n) { return head + std::to_string(n); }
  template <std::size_t kCount>
  const char* word(const std::array<const char*, kCount>& words) {
    return words[below(kCount)];
  }
  JsonList first_half() const { return number_list(0, devices_ / 2); }
  JsonList second_half() const { return number_list(devices_ / 2, devices_ - devices_ / 2); }
  JsonList halves() const { return {first_half(), second_half()}; }

  void put_topology(JsonObject& out) {
    out.put("gpus", devices_);
    if (!one_in(6)) {
      out.put("numa", halves());
      if (!one_in(4)) out.put("cores", JsonList{4, 4});
    }
    if (!one_in(4)) out.put("pcie", halves());
    if (one_in(3)) out.put("sockets", halves());
    if (!one_in(6)) {
      JsonList links;
      const std::uint64_t kind = below(3);
      if (kind == 0) links.add(number_list(0, devices_));
      for (std::uint64_t d = 0; kind == 1 && d + 1 < devices_; ++d)  // a chain: links do not carry on
        links.add(number_list(d, 2));
      out.put("links", JsonObject{{"nvl", links}});
      if (kind == 0 && one_in(3)) out.put("degraded", JsonList().add(number_list(0, 2)));
    }
    if (!one_in(4)) {
      JsonList nics{JsonObject{{"near", first_half()}}};
      if (one_in(2)) nics.add(JsonObject{{"near", second_half()}, {"level", "numa"}});
      out.put("nics", nics);
    }
    if (!one_in(3)) {
      JsonList models;
      const bool mixed = one_in(3);
      for (std::uint64_t d = 0; d < devices_; ++d) models.add(mixed && d % 2 == 1 ? "A100" : "H100");
      out.put("model", models);
    }
  }

  // What a profile goes by that the others do not know. Not by chance: the rest stays the same for all.
  void add_queue(std::uint64_t q) {
    JsonObject& queue = cluster_.queue(numbered("q", q), "root");
    const std::uint64_t gpus = (q == 0 ? seed_ : seed_ / 5) % 5;
    if (profile_ == "guarantee" || profile_ == "quota")
      queue.put("guaranteed", JsonObject{{"gpu", gpus}, {"cpu", 2 * gpus}});
  }

  void add_network() {
    cluster_.levels = {"leaf", "spine", "block"};
    cluster_.domain("l0", "leaf", "s0");
    cluster_.domain("l1", "leaf", "s0");
    cluster_.domain("l2", "leaf", "s1");
    for (const char* spine : {"s0", "s1"}) cluster_.domain(spine, "spine");
    for (const char* block : {"b0", "b1"}) cluster_.domain(block, "block");
  }

  void add_node(std::uint64_t n) {
    JsonObject& node = cluster_.node(numbered("n", n), {{"cpu", 8}, {"gpu", devices_}});
    if (!one_in(10)) node.put("topology", numbered("t", below(2)));
    JsonList in;
    if (!one_in(8)) in.add(numbered("l", below(3)));
    if (!one_in(4)) in.add(numbered("b", below(2)));
    if (!in.empty()) node.put("network", in);
    if (!one_in(4)) {
      JsonObject fingerprint{{"driver", numbered("", below(2))}};
      if (!one_in(3)) fingerprint.put("nicfw", numbered("", below(2)));
      node.put("fingerprint", fingerprint).put("fingerprint_at", one_in(2) ? 99000 : 50000);
    }
    if (one_in(14)) node.put("state", "drain");
    if (one_in(6)) node.put("home", numbered("q", below(2)));
  }

  void maybe_prefer(JsonObject& entry) {
    if (one_in(2)) entry.put("strength", "prefer");
  }

  JsonObject entries() {
    JsonObject out;
    if (one_in(8)) out.put("nodes", JsonObject{{"max", 1 + below(2)}});
    if (one_in(8)) out.put("tasks_per_node", JsonObject{{"max", 1 + below(2)}});
    if (one_in(7)) out.put("gpu_model", JsonList{"H100"});
    if (one_in(7)) out.put("uniform_model", word<2>({"node", "job"}));
    if (one_in(2)) {
      JsonList gpus;
      for (std::uint64_t i = 0, count = 1 + below(2); i < count; ++i) {
        JsonObject entry{{"scope", one_in(4) ? "node" : "task"},
                         {"level", word<4>({"nvl", "pcie", "numa", "socket"})},
                         {"mode", word<3>({"clique", "clique", "same"})}};
        maybe_prefer(entry);
        gpus.add(entry);
      }
      out.put("gpus", gpus);
    }
    if (one_in(4)) {
      JsonObject nic{{"level", word<3>({"pcie", "numa", "socket"})}};
      if (one_in(3)) nic.put("per_gpu", false);
      maybe_prefer(nic);
      out.put("nic", nic);
    }
    if (one_in(4)) out.put("cpu", JsonObject{{"numa", word<3>({"best-effort", "restricted", "single"})}});
    if (one_in(2)) out.put("network", network_entries());
    if (one_in(5)) out.put("exclusive", word<3>({"node", "user", "domain:leaf"}));
    if (one_in(3)) {
      const std::string_view mode = word<4>({"none", "prefer", "uniform", "baseline"});
      JsonObject conformance{{"mode", mode}};
      if (mode == "baseline") conformance.put("baseline", JsonObject{{"driver", "1"}});
      if (one_in(2)) conformance.put("components", JsonList{"driver"});
      if (one_in(3)) conformance.put("max_age", "1h");
      if (one_in(3)) conformance.put("scope", "segment");
      out.put("conformance", conformance);
    }
    if (one_in(2)) out.put("placement", word<3>({"any", "tight", "spread"}));
    return out;
  }

  JsonList network_entries() {
    JsonObject entry{{"level", word<3>({"leaf", "spine", "block"})}};
    if (one_in(4)) {
      entry.put("segment", 1 + below(2));
      if (one_in(3)) entry.put("spread", true);
      if (one_in(3)) entry.put("consolidate", "spine");
    } else {
      entry.put("max_domains", 1 + below(2));
      if (one_in(5)) entry.put("expires", 500 + below(1000));
    }
    maybe_prefer(entry);
    JsonList out{entry};
    if (one_in(4)) {
      JsonObject second{{"level", "block"}, {"max_domains", 1}};
      maybe_prefer(second);
      out.add(second);
    }
    return out;
  }

  void add_requester() {
    JsonObject& job = cluster_.job("p", numbered("q", below(2)));
    job.put("priority", 9).put("class", 5 + below(4)).put("user", numbered("u", below(2)));
    job.put("submitted", 99000);
    if (profile_ == "fair-share") job.put("below_fair_share_since", 90000);
    job.put("require", entries());
    JsonObject task{{"id", "w"}, {"count", 1 + below(3)}};
    task.put("resources", JsonObject{{"cpu", 1 + below(3)}, {"gpu", below(3)}});
    JsonList tasks{task};
    if (one_in(5)) tasks.add(JsonObject{{"resources", JsonObject{{"cpu", 2}, {"gpu", 1}}}});
    job.put("tasks", tasks);
  }

  void add_running(std::uint64_t j) {
    JsonList tasks;
    for (std::uint64_t t = 0, count = 1 + below(2); t < count; ++t) {
      const std::uint64_t node = below(nodes_);
      const std::uint64_t want = below(3);
      if (used_[node] + want > devices_) continue;
      JsonObject task{{"node", numbered("n", node)}, {"resources", JsonObject{{"cpu", 1}, {"gpu", want}}}};
      if (want > 0) task.put("gpus", number_list(used_[node], want));
      tasks.add(task);
      used_[node] += want;
    }
    JsonObject job{{"id", numbered("v", j)}, {"queue", numbered("q", below(2))}, {"state", "running"}};
    job.put("started", 90000 + below(4) * 1000).put("priority", below(4)).put("class", 1 + below(4));
    job.put("user", numbered("u", below(2))).put("walltime", "10h");
    if (one_in(8)) job.put("preemptible", false);
    if (one_in(6)) {
      job.put("require", JsonObject{{"exclusive", word<3>({"node", "user", "domain:leaf"})}});
    } else if (one_in(6)) {
      job.put("require", JsonObject{{"cpu", JsonObject{{"numa", "single"}}}});
    }
    if (one_in(3)) job.put("gang", false);
    if (tasks.empty() || numbered("v", j) == left_out_) return;
    running_.push_back(numbered("v", j));
    cluster_.jobs.push_back(job.put("tasks", tasks));
  }

  std::mt19937_64 random_;
  const std::string left_out_;  // a running job that is not there, the rest being the same
  const std::uint64_t seed_;
  const std::string profile_;
  std::uint64_t nodes_ = 0;
  std::uint64_t devices_ = 0;
  ClusterBuilder cluster_{100000};
  std::vector<std::uint64_t> used_;
  std::vector<std::string> running_;
};

}  // namespace cede
