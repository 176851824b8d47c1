// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/in_flight.h"
#include "model/model.h"
#include "policy/group_usage.h"

namespace cede {

// One node as a plan sees it: what is free of each resource and which devices are held, as far as known.
struct NodeSpace {
  NodeId id;
  std::uint32_t devices = 0;    // on the node
  std::uint32_t unknown = 0;    // held by tasks that do not name them; a part of one counts as a whole
  Total* free = nullptr;        // per resource; negative on an overcommitted node
  DeviceMask whole = 0;         // held whole
  DeviceMask unknown_pool = 0;  // where the unknown ones may be: not held by a task that names its devices
  std::vector<std::uint16_t> shared;  // thousandths held of each device; empty: none is shared
  std::uint32_t blocked = 0;          // number of decisions in flight that keep space here
  Total blocked_cpu = 0;              // cpu kept by them; on which NUMA node is unknown
  // Tasks of other requests' holds here that name their devices, and that do not (see Book). It matters only
  // on nodes with unknown devices.
  std::uint32_t named_holds = 0;
  std::uint32_t unnamed_holds = 0;

  DeviceMask all_devices() const;
  DeviceMask free_devices() const;  // no part of them is held by a task that names its devices
  // Where the unknown devices may be. A hold that does not name its devices may still get any that is free.
  DeviceMask pool() const {
    if (unknown == 0) return 0;
    return unnamed_holds > 0 ? unknown_pool | free_devices() : unknown_pool;
  }
  // Whether a request must be given devices that are certainly free, because a task that chooses its own
  // might take one that is kept for another request.
  bool names_only() const { return named_holds > 0 && unknown > 0; }
};

// The nodes of a group in the byte order of their names, as they are now and as they would be empty. Can be
// updated from one model to the next.
class NodeTable {
 public:
  enum class Fill : std::uint8_t { as_it_is, empty };
  NodeTable(const Model& model, GroupId group) : NodeTable(model, group, Unfilled{}) {
    list_all(model);
    put_all(model, ShapeViews(model));
  }
  // Has no node until list_all(), and then only empty nodes until put_all(). While put_all() runs, other
  // threads may read the positions of nodes and their devices.
  struct Unfilled {};
  NodeTable(const Model& model, GroupId group, Unfilled);
  void list_all(const Model& model);
  void put_all(const Model& model, const ShapeViews& shapes);
  NodeTable(const NodeTable& other);
  NodeTable& operator=(const NodeTable&) = delete;

  std::span<const NodeSpace> nodes(Fill fill = Fill::as_it_is) const { return of(fill).nodes; }
  std::size_t size() const { return usual_.nodes.size(); }
  // The position of the node in this table; kNoValue outside the group.
  std::uint32_t index_of(NodeId node) const { return index_[node.value]; }
  // What is left of the resources that the group counts, by resource.
  const std::vector<Total>& group_free(Fill fill) const { return of(fill).group_free; }
  bool counted_by_group(std::uint32_t resource) const { return by_group_[resource]; }
  // The free amount of a resource on all nodes together. An overcommitted node counts as zero.
  Total free_on_nodes(Fill fill, std::uint32_t resource) const { return of(fill).sums[resource]; }
  std::size_t resources() const { return by_group_.size(); }
  std::uint32_t gpu() const { return gpu_; }  // the resource `gpu`; kNoValue if there is none

  // The node's domains by level, numbered in the byte order of their names; kNowhere: none.
  std::span<const std::uint32_t> domains(std::size_t node) const {
    return std::span(domains_).subspan(node * levels_, levels_);
  }
  std::span<const std::uint32_t> domain_numbers() const { return numbers_; }  // by DomainId
  std::span<const std::uint8_t> up() const { return up_; }
  bool any_home() const { return homes_ > 0; }
  bool any_fingerprint() const { return fingerprints_ > 0; }
  bool any_unknown() const { return unknown_nodes_ > 0; }  // devices on any node, as it is

  // Adds (1) or removes (-1) one placed task: on its node, or in what the group counts.
  void count(const Model& model, TaskId task, int sign, NodeSpace& node,
             std::vector<Total>& group_free) const;

  // Counts the holds on one node, or on all nodes.
  void count_holds(const Model& model, const InFlight& in_flight, std::uint32_t index);
  void count_holds(const Model& model, const InFlight& in_flight);

  // Reads one node again whose tasks changed although its row is the same.
  void look_again(const Model& before, const Model& next, std::uint32_t index) {
    refill(before, next, index);
  }

  // Applies the changes between the two models and calls changed(index) for every node it read again. False
  // if nodes came or went; the table is then unusable.
  template <class Changed>
  bool follow(const Model& before, const Model& next, Changed changed) {
    bool same_nodes = before.nodes.id_bound() == next.nodes.id_bound();
    next.nodes.for_each_unshared(before.nodes, [&](NodeId id) {
      same_nodes = same_nodes && stays(before, next, id);
      if (!same_nodes || index_[id.value] == NodeId::kNoValue) return;
      // Jobs may change without a change to this row. The caller follows the jobs and calls look_again().
      if (same_row(before.nodes[id], next.nodes[id])) return;
      refill(before, next, index_[id.value]);
      changed(index_[id.value]);
    });
    return same_nodes;
  }

 private:
  struct Filled {
    std::vector<NodeSpace> nodes;
    std::vector<Total> free;
    std::vector<Total> group_free;
    std::vector<Total> sums;  // of free, by resource
    void point(std::size_t resources);
    void add_up(std::size_t index, int sign);
  };
  const Filled& of(Fill fill) const { return fill == Fill::empty ? empty_ : usual_; }
  static bool same_row(const NodeRow& a, const NodeRow& b);
  bool stays(const Model& before, const Model& next, NodeId id) const;
  void refill(const Model& before, const Model& next, std::uint32_t index);
  void describe(const Model& model, const NodeRow& row, std::uint32_t index);
  void describe_like(const Model& model, const NodeRow& row, std::uint32_t index, std::uint32_t other);
  void count(const Model& model, TaskId id, const TaskCore& task, ResourceView shape, int sign,
             NodeSpace& node, std::vector<Total>& group_free) const;
  void clear(const NodeRow& row, std::uint32_t index);
  void fill(const Model& model, const NodeRow& row, std::uint32_t index);
  void note(const Model& model, const NodeRow& row, int sign);

  GroupId group_;
  std::vector<bool> by_group_;
  bool any_by_group_ = false;
  std::uint32_t gpu_ = NodeId::kNoValue;
  std::size_t levels_ = 0;
  std::vector<std::uint32_t> index_;  // by NodeId
  std::vector<std::uint32_t> numbers_;
  std::vector<std::uint32_t> domains_;
  std::vector<std::uint8_t> up_;
  std::size_t homes_ = 0;
  std::size_t fingerprints_ = 0;
  std::size_t unknown_nodes_ = 0;
  Filled usual_;
  Filled empty_;
};

// The domains of any node, by level, numbered by `numbers` (see rank_domains).
std::vector<std::uint32_t> domains_of(const Model& model, const NodeRow& node,
                                      std::span<const std::uint32_t> numbers);

// By DomainId: the position of the domain in the byte order of names.
std::vector<std::uint32_t> rank_domains(const Model& model);

}  // namespace cede
