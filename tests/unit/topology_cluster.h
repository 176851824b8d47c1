// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <random>
#include <string>
#include <vector>

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
    text_ = R"({"format":"cede-cluster/1","now":100000,"topologies":{"t0":)" + topology() + R"(,"t1":)" +
            topology() + "}," + network() + R"("groups":[{"id":"g"}],"queues":[{"id":"root"},)" + queue(0) +
            "," + queue(1) + R"(],"nodes":[)";
    for (std::uint64_t n = 0; n < nodes_; ++n) text_ += (n == 0 ? "" : ",") + node(n);
    text_ += R"(],"jobs":[)" + requester();
    used_.assign(nodes_, 0);
    for (std::uint64_t j = 0, jobs = 1 + below(5); j < jobs; ++j) text_ += running(j);
    text_ += "]}";
  }

  const std::string& text() const { return text_; }
  const std::vector<std::string>& running_jobs() const { return running_; }

 private:
  std::uint64_t below(std::uint64_t n) { return random_() % n; }
  bool one_in(std::uint64_t n) { return below(n) == 0; }
  static std::string num(std::uint64_t n) { return std::to_string(n); }
  template <std::size_t kCount>
  std::string word(const std::array<const char*, kCount>& words) {
    return std::string("\"") + words[below(kCount)] + '"';
  }
  std::string list(std::uint64_t from, std::uint64_t to) const {
    std::string out = "[";
    for (std::uint64_t i = from; i < to; ++i) out += (i == from ? "" : ",") + num(i);
    return out + "]";
  }
  // The devices in two halves.
  std::string halves() { return "[" + list(0, devices_ / 2) + "," + list(devices_ / 2, devices_) + "]"; }

  std::string topology() {
    std::string out = R"({"gpus":)" + num(devices_);
    if (!one_in(6)) out += R"(,"numa":)" + halves() + (one_in(4) ? "" : R"(,"cores":[4,4])");
    if (!one_in(4)) out += R"(,"pcie":)" + halves();
    if (one_in(3)) out += R"(,"sockets":)" + halves();
    if (!one_in(6)) {
      out += R"(,"links":{"nvl":[)";
      const std::uint64_t kind = below(3);
      if (kind == 0) out += list(0, devices_);
      for (std::uint64_t d = 0; kind == 1 && d + 1 < devices_; ++d)  // a chain: links do not carry on
        out += (d == 0 ? "" : ",") + list(d, d + 2);
      out += "]}";
      if (kind == 0 && one_in(3)) out += R"(,"degraded":[[0,1]])";
    }
    if (!one_in(4)) {
      out += R"(,"nics":[{"near":)" + list(0, devices_ / 2) + "}";
      if (one_in(2)) out += R"(,{"near":)" + list(devices_ / 2, devices_) + R"(,"level":"numa"})";
      out += "]";
    }
    if (!one_in(3)) {
      out += R"(,"model":[)";
      const bool mixed = one_in(3);
      for (std::uint64_t d = 0; d < devices_; ++d)
        out += std::string(d == 0 ? "" : ",") + (mixed && d % 2 == 1 ? R"("A100")" : R"("H100")");
      out += "]";
    }
    return out + "}";
  }

  // What a profile goes by that the others do not know. Not by chance: the rest stays the same for all.
  std::string queue(std::uint64_t q) const {
    const bool guarantees = profile_ == "guarantee" || profile_ == "quota";
    const std::uint64_t gpus = (q == 0 ? seed_ : seed_ / 5) % 5;
    return R"({"id":"q)" + num(q) + R"(","parent":"root")" +
           (guarantees ? R"(,"guaranteed":{"gpu":)" + num(gpus) + R"(,"cpu":)" + num(2 * gpus) + "}" : "") +
           "}";
  }

  std::string network() {
    return R"("network":{"levels":["leaf","spine","block"],"domains":[{"id":"l0","level":"leaf","parent":"s0"},
      {"id":"l1","level":"leaf","parent":"s0"},{"id":"l2","level":"leaf","parent":"s1"},
      {"id":"s0","level":"spine"},{"id":"s1","level":"spine"},{"id":"b0","level":"block"},
      {"id":"b1","level":"block"}]},)";
  }

  std::string node(std::uint64_t n) {
    std::string out = R"({"id":"n)" + num(n) + R"(","resources":{"cpu":8,"gpu":)" + num(devices_) + "}";
    if (!one_in(10)) out += R"(,"topology":"t)" + num(below(2)) + '"';
    std::string in;
    if (!one_in(8)) in = R"("l)" + num(below(3)) + '"';
    if (!one_in(4)) in += std::string(in.empty() ? "" : ",") + R"("b)" + num(below(2)) + '"';
    if (!in.empty()) out += R"(,"network":[)" + in + "]";
    if (!one_in(4)) {
      out += R"(,"fingerprint":{"driver":")" + num(below(2)) + '"';
      if (!one_in(3)) out += R"(,"nicfw":")" + num(below(2)) + '"';
      out += R"(},"fingerprint_at":)" + num(one_in(2) ? 99000 : 50000);
    }
    if (one_in(14)) out += R"(,"state":"drain")";
    if (one_in(6)) out += R"(,"home":"q)" + num(below(2)) + '"';
    return out + "}";
  }

  std::string strength() { return one_in(2) ? R"(,"strength":"prefer")" : ""; }

  std::string entries() {
    std::vector<std::string> out;
    if (one_in(8)) out.push_back(R"("nodes":{"max":)" + num(1 + below(2)) + "}");
    if (one_in(8)) out.push_back(R"("tasks_per_node":{"max":)" + num(1 + below(2)) + "}");
    if (one_in(7)) out.push_back(R"("gpu_model":["H100"])");
    if (one_in(7)) out.push_back(R"("uniform_model":)" + word<2>({"node", "job"}));
    if (one_in(2)) {
      std::string gpus = R"("gpus":[)";
      for (std::uint64_t i = 0, count = 1 + below(2); i < count; ++i) {
        gpus += std::string(i == 0 ? "" : ",") + R"({"scope":)" + (one_in(4) ? R"("node")" : R"("task")") +
                R"(,"level":)" + word<4>({"nvl", "pcie", "numa", "socket"}) + R"(,"mode":)" +
                word<3>({"clique", "clique", "same"}) + strength() + "}";
      }
      out.push_back(gpus + "]");
    }
    if (one_in(4)) {
      out.push_back(R"("nic":{"level":)" + word<3>({"pcie", "numa", "socket"}) +
                    (one_in(3) ? R"(,"per_gpu":false)" : "") + strength() + "}");
    }
    if (one_in(4))
      out.push_back(R"("cpu":{"numa":)" + word<3>({"best-effort", "restricted", "single"}) + "}");
    if (one_in(2)) {
      std::string network = R"("network":[{"level":)" + word<3>({"leaf", "spine", "block"});
      if (one_in(4)) {
        network += R"(,"segment":)" + num(1 + below(2)) + (one_in(3) ? R"(,"spread":true)" : "") +
                   (one_in(3) ? R"(,"consolidate":"spine")" : "");
      } else {
        network += R"(,"max_domains":)" + num(1 + below(2)) +
                   (one_in(5) ? R"(,"expires":)" + num(500 + below(1000)) : "");
      }
      network += strength() + "}";
      if (one_in(4)) network += R"(,{"level":"block","max_domains":1)" + strength() + "}";
      out.push_back(network + "]");
    }
    if (one_in(5)) out.push_back(R"("exclusive":)" + word<3>({"node", "user", "domain:leaf"}));
    if (one_in(3)) {
      std::string conformance =
          R"("conformance":{"mode":)" + word<4>({"none", "prefer", "uniform", "baseline"});
      if (conformance.ends_with(R"("baseline")")) conformance += R"(,"baseline":{"driver":"1"})";
      if (one_in(2)) conformance += R"(,"components":["driver"])";
      if (one_in(3)) conformance += R"(,"max_age":"1h")";
      if (one_in(3)) conformance += R"(,"scope":"segment")";
      out.push_back(conformance + "}");
    }
    if (one_in(2)) out.push_back(R"("placement":)" + word<3>({"any", "tight", "spread"}));
    std::string text;
    for (const std::string& each : out) text += (text.empty() ? "" : ",") + each;
    return text;
  }

  std::string requester() {
    std::string out = R"({"id":"p","queue":"q)" + num(below(2)) + R"(","priority":9,"class":)" +
                      num(5 + below(4)) + R"(,"user":"u)" + num(below(2)) + R"(","submitted":99000)" +
                      (profile_ == "fair-share" ? R"(,"below_fair_share_since":90000)" : "") +
                      R"(,"require":{)" + entries() + R"(},"tasks":[{"id":"w","count":)" + num(1 + below(3)) +
                      R"(,"resources":{"cpu":)" + num(1 + below(3)) + R"(,"gpu":)" + num(below(3)) + "}}";
    if (one_in(5)) out += R"(,{"resources":{"cpu":2,"gpu":1}})";
    return out + "]}";
  }

  std::string running(std::uint64_t j) {
    std::string tasks;
    for (std::uint64_t t = 0, count = 1 + below(2); t < count; ++t) {
      const std::uint64_t node = below(nodes_);
      const std::uint64_t want = below(3);
      if (used_[node] + want > devices_) continue;
      tasks += (tasks.empty() ? "" : ",") + std::string(R"({"node":"n)") + num(node) +
               R"(","resources":{"cpu":1,"gpu":)" + num(want) + "}" +
               (want == 0 ? "" : R"(,"gpus":)" + list(used_[node], used_[node] + want)) + "}";
      used_[node] += want;
    }
    const std::string id = "v" + num(j);
    std::string out = R"(,{"id":")" + id + R"(","queue":"q)" + num(below(2)) +
                      R"(","state":"running","started":)" + num(90000 + below(4) * 1000) + R"(,"priority":)" +
                      num(below(4)) + R"(,"class":)" + num(1 + below(4)) + R"(,"user":"u)" + num(below(2)) +
                      R"(","walltime":"10h")";
    if (one_in(8)) out += R"(,"preemptible":false)";
    if (one_in(6))
      out += R"(,"require":{"exclusive":)" + word<3>({"node", "user", "domain:leaf"}) + "}";
    else if (one_in(6))
      out += R"(,"require":{"cpu":{"numa":"single"}})";
    if (one_in(3)) out += R"(,"gang":false)";
    if (tasks.empty() || id == left_out_) return {};
    running_.push_back(id);
    return out + R"(,"tasks":[)" + tasks + "]}";
  }

  std::mt19937_64 random_;
  const std::string left_out_;  // a running job that is not there, the rest being the same
  const std::uint64_t seed_;
  const std::string profile_;
  std::uint64_t nodes_ = 0;
  std::uint64_t devices_ = 0;
  std::string text_;
  std::vector<std::uint64_t> used_;
  std::vector<std::string> running_;
};

}  // namespace cede
