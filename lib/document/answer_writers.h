// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "document/formats.h"
#include "document/json_writer.h"
#include "model/ledger_view.h"
#include "model/node_class.h"
#include "policy/admit.h"
#include "policy/shares/starvation.h"

namespace cede {

// The answer as a document.
std::string write_admission(const AdmissionAnswer& answer);

// What is in flight, as one document.
std::string write_ledger(const LedgerView& view);

// Fair shares, group by group, as one document. Shares are decimal numbers with up to twelve digits, so that
// the reader sees the values that decide. Resources that a group does not have are left out.
class SharesWriter {
 public:
  explicit SharesWriter(Time now);

  void add(const EffectiveSettings& effective, GroupId group, const FairShareStatus& standing);
  std::string finish();

 private:
  // The current group. Resources are in the order of their names.
  struct Group {
    const EffectiveSettings& effective;
    const FairShareStatus& standing;
    std::vector<std::uint32_t> resources;

    const Model& model() const { return effective.model(); }
  };

  void capacity(const Group& group);
  void queues(const Group& group);
  void queue(const Group& group, QueueId id);
  void job(const Group& group, JobId id);
  void tasks(const Group& group, JobId id);
  // `guaranteed`: only for a queue; jobs have no guarantee.
  void shares(const Group& group, std::uint32_t element, std::span<const Share> guaranteed);
  void by_resource(std::string_view key, const Group& group, std::span<const Share> shares);

  std::string out_;
  JsonWriter json_;
};

// The members of a cede-topology/1 document that every topology has.
struct TopologyHead {
  std::string_view name;
  std::string_view kind;  // `hwloc-xml`
  std::string_view signature;
};

// A node class as a cede-topology/1 document. `topology` is the compact form of a cluster document.
std::string write_topology_document(const TopologyHead& head, const NodeClass& node_class);
// A network as a cede-topology/1 document. `network` and `nodes` are the members of a cluster document with
// these names.
std::string write_topology_document(const TopologyHead& head, const NetworkDescription& network);

}  // namespace cede
