// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace cede {

// A random valid cluster that uses every field of the document. The objects are kept apart, so that they can
// be written in any order, as a whole or as changes.
class RandomCluster {
 public:
  explicit RandomCluster(std::uint64_t seed) : random_(seed) {
    make_topologies();
    make_network();
    make_queues();
    make_nodes();
    make_jobs();
    make_reservations();
  }

  std::string document(bool shuffled = false) {
    if (shuffled) {
      for (auto* list : {&domains, &groups, &reservations, &queues, &nodes, &jobs, &topologies}) {
        std::shuffle(list->begin(), list->end(), random_);
      }
    }
    std::vector<std::string> members{
        "\"format\":\"cede-cluster/1\"",
        "\"now\":1760000000",
        "\"x-site\":{\"k\":[true]}",
        "\"topologies\":{" + join(topologies) + "}",
        "\"network\":{\"levels\":[\"leaf\",\"spine\",\"nvl\"],\"domains\":[" + join(domains) + "]}",
        "\"groups\":[" + join(groups) + "]",
        "\"queues\":[" + join(queues) + "]",
        "\"nodes\":[" + join(nodes) + "]",
        "\"jobs\":[" + join(jobs) + "]",
        "\"reservations\":[" + join(reservations) + "]"};
    if (shuffled) std::shuffle(members.begin(), members.end(), random_);
    return "{" + join(members) + "}";
  }

  // Changes that lead from another cluster of this generator to this one. Both have the same levels.
  std::string changes_from(const RandomCluster& before) const {
    std::string text = "{\"format\":\"cede-changes/1\",\"put\":{\"topologies\":{" + join(topologies) +
                       "},\"network\":{\"domains\":[" + join(domains) + "]},\"groups\":[" + join(groups) +
                       "],\"queues\":[" + join(queues) + "],\"nodes\":[" + join(nodes) + "],\"jobs\":[" +
                       join(jobs) + "],\"reservations\":[" + join(reservations) + "]},\"remove\":{";
    text += "\"jobs\":[" + missing(before.job_names, job_names) + "],";
    text += "\"nodes\":[" + missing(before.node_names, node_names) + "],";
    text += "\"queues\":[" + missing(before.queue_names, queue_names) + "],";
    text += "\"domains\":[" + missing(before.domain_names, domain_names) + "],";
    text += "\"topologies\":[" + missing(before.topology_names, topology_names) + "],";
    text += "\"reservations\":[" + missing(before.reservation_names, reservation_names) + "]}}";
    return text;
  }

  std::vector<std::string> topologies, domains, groups, queues, nodes, jobs, reservations;
  std::vector<std::string> topology_names, domain_names, queue_names, node_names, job_names,
      reservation_names;

 private:
  std::uint64_t below(std::uint64_t n) { return random_() % n; }
  bool chance(unsigned percent) { return below(100) < percent; }
  static std::string num(std::uint64_t n) { return std::to_string(n); }
  static std::string quoted(const std::string& text) { return "\"" + text + "\""; }
  template <class List>
  auto& pick(List& list) {
    return list[below(list.size())];
  }
  std::string pick_word(std::vector<std::string> words) { return words[below(words.size())]; }
  static std::string join(const std::vector<std::string>& list) {
    std::string out;
    for (const std::string& item : list) out += (out.empty() ? "" : ",") + item;
    return out;
  }
  static std::string missing(const std::vector<std::string>& old, const std::vector<std::string>& now) {
    std::vector<std::string> gone;
    for (const std::string& name : old) {
      if (std::find(now.begin(), now.end(), name) == now.end()) gone.push_back(quoted(name));
    }
    return join(gone);
  }
  // Adds `"key":value` with the given chance.
  void maybe(std::string& object, unsigned percent, const std::string& key, const std::string& value) {
    if (chance(percent)) object += ",\"" + key + "\":" + value;
  }
  std::string time() { return num(1759000000 + below(900000)) + pick_word({"", ".5", ".125"}); }
  std::string duration() {
    return pick_word({"90", "\"10m\"", "\"1h30m\"", "\"300ms\"", "0.25", "\"1.5h\""});
  }
  std::string amounts(unsigned largest) {
    std::string out = "{\"cpu\":" + num(1 + below(largest));
    if (chance(60)) out += ",\"mem\":\"" + num(1 + below(largest)) + pick_word({"Mi", "M", "Ki", "k"}) + "\"";
    if (chance(30)) out += ",\"lic\":" + pick_word({"0.5", "\"500m\"", "1", "0"});
    return out + "}";
  }

  void make_topologies() {
    for (std::uint64_t i = 0, n = 1 + below(3); i < n; ++i) {
      topology_names.push_back("top" + num(i));
      std::string t = "\"top" + num(i) + "\":{\"gpus\":4";
      maybe(t, 60, "model", pick_word({"\"H100\"", "[\"A\",\"B\",null,\"C\"]"}));
      maybe(t, 30, "pci", "[\"0000:01:00.0\",null,null,\"0000:02:00.0\"]");
      maybe(t, 20, "parent", "[0,0,1,null]");
      if (chance(50)) t += ",\"numa\":[[0,1],[2,3]],\"cores\":[8,16]";
      maybe(t, 30, "sockets", "[[0,1,2,3]]");
      maybe(t, 50, "pcie", "[[0,1],[2,3]]");
      maybe(t, 20, "host_bridges", "[[0,1,2],[3]]");
      maybe(t, 60, "links",
            pick_word({"{}", "{\"nvl\":[[0,1,2,3]]}",
                       "{\"nvl\":[[2,3],{\"devices\":[0,1],\"lanes\":4,\"x-k\":0}],\"unknown\":[[1,2]]}"}));
      maybe(t, 50, "nics",
            "[{\"near\":[0,1]},{\"name\":\"mlx5_1\",\"near\":[3],\"level\":\"numa\",\"x-port\":1}]");
      maybe(t, 15, "links_known", pick_word({"false", "true"}));
      maybe(t, 20, "degraded", "[[1,0],[2,3]]");
      maybe(t, 20, "x-from", "\"lstopo\"");
      topologies.push_back(t + "}");
    }
  }
  void make_network() {
    domains.push_back("{\"id\":\"s0\",\"level\":\"spine\"}");
    domain_names.push_back("s0");
    for (std::uint64_t i = 0, n = 1 + below(4); i < n; ++i) {
      domains.push_back("{\"id\":\"l" + num(i) + "\",\"level\":\"leaf\"" +
                        (chance(70) ? ",\"parent\":\"s0\"" : "") + (chance(10) ? ",\"x-rack\":7" : "") + "}");
      domain_names.push_back("l" + num(i));
      leaves_.push_back("l" + num(i));
    }
    domains.push_back("{\"id\":\"b0\",\"level\":\"nvl\"}");
    domain_names.push_back("b0");
  }
  void make_queues() {
    groups.push_back("{\"id\":\"g0\",\"policy\":\"default\"" +
                     std::string(chance(40) ? ",\"resources\":{\"licence\":20}" : "") + "}");
    groups.push_back("{\"id\":\"g1\",\"x-a\":null}");
    queue_names.push_back("root");
    queues.push_back("{\"id\":\"root\"}");
    for (std::uint64_t i = 0, n = below(6); i < n; ++i) {
      const std::string parent = pick(queue_names);
      queue_names.push_back("q" + num(i));
      std::string q = "{\"id\":\"q" + num(i) + "\",\"parent\":\"" + parent + "\"";
      maybe(q, 50, "guaranteed", "{\"gpu\":" + num(below(4)) + "}");
      maybe(q, 50, "max", pick_word({"{\"gpu\":64,\"cpu\":0}", "{\"gpu\":4}", "{}"}));
      maybe(q, 30, "weight", pick_word({"2", "0.5", "1"}));
      maybe(q, 30, "kind", pick_word({"\"training\"", "\"service\"", "\"batch\""}));
      maybe(q, 30, "preemption",
            pick_word({"{\"policy\":\"fence\"}", "{\"delay\":\"45s\",\"x-why\":\"slow\"}", "{}"}));
      maybe(q, 20, "priority_offset", pick_word({"-5", "7"}));
      maybe(q, 30, "settings",
            pick_word({"{\"min_runtime\":\"5m\",\"max_victims\":null}", "{\"grace\":10,\"x-s\":1}",
                       "{\"non_preemptible_resource_usage_threshold\":{\"cpu\":2}}"}));
      maybe(q, 20, "fair_share", pick_word({"0.25", "0.333333333333", "1", "0"}));
      maybe(q, 20, "x-owner", "{\"team\":\"ml\"}");
      queues.push_back(q + "}");
    }
  }
  void make_nodes() {
    for (std::uint64_t i = 0, n = 1 + below(6); i < n; ++i) {
      node_names.push_back("n" + num(i));
      group_of_node_.push_back(below(2));
      std::string s = "{\"id\":\"n" + num(i) + "\",\"group\":\"g" + num(group_of_node_.back()) +
                      "\",\"resources\":{\"cpu\":64,\"mem\":\"1Ti\",\"gpu\":4,\"lic\":2}";
      maybe(s, 70, "topology", quoted(pick(topology_names)));
      if (chance(70)) s += ",\"network\":[" + quoted(pick(leaves_)) + (chance(30) ? ",\"b0\"" : "") + "]";
      maybe(s, 30, "state", pick_word({"\"up\"", "\"drain\"", "\"down\""}));
      maybe(s, 20, "home", quoted(pick(queue_names)));
      maybe(s, 40, "fingerprint", pick_word({"\"abc\"", "{\"driver\":\"550\",\"nicfw\":\"28\"}", "{}"}));
      maybe(s, 30, "fingerprint_at", time());
      maybe(s, 30, "labels", "{\"zone\":\"a\",\"x-y\":\"\"}");
      maybe(s, 10, "overcommit_since", pick_word({"null", "1759000000"}));
      maybe(s, 10, "x-asset", "\"4711\"");
      nodes.push_back(s + "}");
    }
  }
  std::string requirement() {
    std::string r = "\"x-r\":1";
    maybe(r, 30, "nodes", "{\"min\":1,\"max\":" + num(1 + below(3)) + "}");
    maybe(r, 20, "tasks_per_node", "{\"max\":2}");
    maybe(r, 30, "gpu_model", pick_word({"\"H100\"", "[\"B\",\"A\"]"}));
    maybe(r, 20, "uniform_model", pick_word({"\"job\"", "\"off\""}));
    maybe(r, 40, "gpus",
          "[{\"level\":\"nvl\"},{\"scope\":\"node\",\"level\":\"numa\",\"mode\":\"same\",\"strength\":"
          "\"prefer\",\"x-g\":2}]");
    maybe(r, 30, "nic",
          pick_word({"{}", "{\"level\":\"numa\",\"per_gpu\":false}", "{\"strength\":\"prefer\"}"}));
    maybe(r, 20, "cpu", "{\"numa\":\"single\"}");
    maybe(r, 40, "network",
          pick_word({"[{\"level\":\"leaf\"}]",
                     "[{\"level\":\"nvl\",\"segment\":16,\"consolidate\":\"spine\",\"spread\":true,"
                     "\"expires\":\"10m\"}]",
                     "[{\"level\":\"leaf\",\"max_domains\":2,\"strength\":\"prefer\"},{\"level\":\"nvl\","
                     "\"segment\":2,\"max_domains\":4}]"}));
    maybe(r, 30, "exclusive", pick_word({"\"node\"", "\"user\"", "\"domain:leaf\"", "\"none\""}));
    maybe(r, 30, "conformance",
          pick_word({"{\"mode\":\"uniform\",\"components\":[\"nicfw\",\"driver\"],\"scope\":\"segment\","
                     "\"max_age\":\"6h\"}",
                     "{\"mode\":\"baseline\",\"baseline\":{\"driver\":\"550\"}}", "{\"mode\":\"none\"}"}));
    maybe(r, 20, "placement", pick_word({"\"spread\"", "\"any\"", "\"tight\""}));
    maybe(r, 20, "hosts", "{\"include\":[\"b\",\"a\"],\"exclude\":[\"c\"],\"labels\":{\"zone\":\"a\"}}");
    return "{" + r + "}";
  }
  void make_jobs() {
    std::vector<unsigned> used(node_names.size(), 0);  // devices taken, from the front
    for (std::uint64_t i = 0, n = below(14); i < n; ++i) {
      const std::string name = chance(5) ? "jöb-☃-" + num(i) : "j" + num(i);
      job_names.push_back(name);
      const std::size_t node = below(node_names.size());
      const bool placed = chance(60);
      const bool devices = placed && chance(60) && used[node] < 4;
      std::string j = "{\"id\":\"" + name + "\",\"queue\":" + quoted(pick(queue_names)) + ",\"group\":\"g" +
                      num(group_of_node_[node]) + "\"";
      if (placed)
        j += ",\"state\":\"" + pick_word({"running", "running", "checkpointing", "preempting"}) +
             "\",\"started\":" + time();
      maybe(j, 30, "app", "\"app" + num(below(3)) + "\"");
      maybe(j, 50, "user", "\"u" + num(below(3)) + "\"");
      maybe(j, 30, "project", "\"p\"");
      maybe(j, 20, "tenant", "\"d\"");
      maybe(j, 30, "kind", pick_word({"\"batch\"", "\"inference\"", "\"sensitive\"", "\"interactive\""}));
      maybe(j, 50, "priority", num(below(100)));
      maybe(j, 50, "class", num(below(11)));
      maybe(j, 20, "submitted", time());
      maybe(j, 20, "waiting_since", time());
      maybe(j, 20, "resumed", time());
      maybe(j, 50, "walltime", duration());
      maybe(j, 50, "checkpoint",
            pick_word({"{\"mode\":\"auto\",\"estimate\":\"5m\",\"via\":\"shmem\"}",
                       "{\"mode\":\"manual\",\"timeout\":60,\"restart\":\"2m\",\"x-dir\":\"/ckpt\"}",
                       "{\"last\":1759000000}", "{}"}));
      maybe(j, 30, "preemptible", pick_word({"true", "false", "\"last-resort\""}));
      maybe(j, 20, "may_preempt", pick_word({"true", "false"}));
      maybe(j, 20, "value", pick_word({"12.5", "0", "100"}));
      maybe(j, 20, "preempted_count", num(below(5)));
      maybe(j, 10, "resume", "true");
      maybe(j, 10, "interruptible", "true");
      maybe(j, 10, "max", "{\"gpu\":0}");
      maybe(j, 10, "settings", "{\"fair_share_starvation_tolerance\":0.5}");
      maybe(j, 10, "fair_share", "0.125");
      maybe(j, 10, "below_fair_share_since", time());
      maybe(j, 40, "require", requirement());
      maybe(j, 10, "x-job", "[1,{\"a\":\"b\"}]");
      std::vector<std::string> tasks;
      if (placed) {
        std::string t = "{\"node\":" + quoted(node_names[node]);
        if (devices) {
          const unsigned d = used[node]++;
          t += ",\"resources\":{\"cpu\":1,\"gpu\":" +
               std::string(d == 3 ? "0.25},\"gpus\":[{\"index\":3,\"share\":0.25}]"
                                  : "1},\"gpus\":[" + num(d) + "]");
        } else {
          t += ",\"resources\":" + amounts(8);
        }
        maybe(t, 30, "started", time());
        maybe(t, 20, "originator", "true");
        maybe(t, 10, "preemptible", "false");
        tasks.push_back(t + "}");
      }
      if (!placed || chance(30)) {
        std::string t = "{\"resources\":" + amounts(100);
        maybe(t, 50, "count", num(1 + below(5)));
        maybe(t, 50, "id", "\"w\"");
        maybe(t, 10, "required_node", quoted(pick(node_names)));
        maybe(t, 20, "priority", num(below(100)));
        maybe(t, 10, "may_preempt", "false");
        maybe(t, 10, "x-t", "\"t\"");
        tasks.push_back(t + "}");
      }
      if (chance(20)) j += ",\"gang\":true,\"min_tasks\":1";
      jobs.push_back(j + ",\"tasks\":[" + join(tasks) + "]}");
    }
  }
  void make_reservations() {
    for (std::uint64_t i = 0, n = below(3); i < n; ++i) {
      reservation_names.push_back("r" + num(i));
      std::string r =
          "{\"id\":\"r" + num(i) + "\",\"nodes\":[" + quoted(pick(node_names)) + "],\"from\":" + time();
      maybe(r, 50, "until", "1790000000");
      maybe(r, 60, "for",
            pick_word(
                {"null", "{\"queue\":\"root\"}", "{\"user\":\"u1\",\"x-f\":1}", "{\"job\":\"not-yet\"}"}));
      reservations.push_back(r + "}");
    }
  }

  std::mt19937_64 random_;
  std::vector<std::string> leaves_;
  std::vector<std::uint64_t> group_of_node_;
};

}  // namespace cede
