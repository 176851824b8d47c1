// SPDX-License-Identifier: MIT
#include "engine/topology.h"

#include "engine_fixture.h"
#include "hwloc_sample.h"

namespace cede {
namespace {

const std::string kTree = "SwitchName=s0 Nodes=n[1-2]\nSwitchName=s1 Switches=s0\n";
const std::string kNccl =
    "<system version=\"1\"><cpu numaid=\"0\"><pci busid=\"0000:3b:00.0\" class=\"0x030200\" "
    "vendor=\"0x10de\" "
    "device=\"0x2330\"><gpu dev=\"0\"/></pci></cpu></system>";

Topology read(std::string_view text, TopologyKind kind = TopologyKind::any) {
  TopologyFault fault;
  std::optional<Topology> topology = read_topology(text, kind, "name", {}, fault);
  EXPECT_TRUE(topology) << fault.text;
  return topology ? *topology : Topology{};
}

TopologyFault fault_of(std::string_view text, TopologyKind kind = TopologyKind::any, Limits limits = {}) {
  TopologyFault fault;
  EXPECT_FALSE(read_topology(text, kind, "name", limits, fault));
  return fault;
}

TEST(Topology, is_recognised_by_its_text) {
  EXPECT_EQ(guess_topology_kind(HwlocSample().text()), TopologyKind::hwloc_xml);
  EXPECT_EQ(guess_topology_kind("\n <!-- x --><system/>"), TopologyKind::nccl_xml);
  EXPECT_EQ(guess_topology_kind("<graphs/>"), TopologyKind::nccl_xml);
  EXPECT_EQ(guess_topology_kind("<other/>"), TopologyKind::hwloc_xml);
  EXPECT_EQ(guess_topology_kind("<"), TopologyKind::hwloc_xml);
  EXPECT_EQ(guess_topology_kind(kTree), TopologyKind::slurm);
  EXPECT_EQ(guess_topology_kind(""), TopologyKind::slurm);
  EXPECT_EQ(read(kNccl).kind, TopologyKind::nccl_xml);
  EXPECT_EQ(read(kTree).kind, TopologyKind::slurm);
  EXPECT_EQ(fault_of(kTree, TopologyKind::hwloc_xml).text,
            "text outside of any element; an hwloc XML export is expected (line 1)");
}

TEST(Topology, tells_the_line_of_a_mistake) {
  TopologyFault fault = fault_of("<topology version=\"2.0\">\n<object type=\"Group\"/>");
  EXPECT_EQ(fault.line, 2u);
  EXPECT_EQ(fault.status, Status::document);
  EXPECT_EQ(fault_of("<system>\n<cpu/></system>").line, 2u);
  fault = fault_of("\nSwitchName=a Nodes=x\nSwitchName=b Nodes=x\n");
  EXPECT_EQ(fault.line, 3u);
  EXPECT_EQ(fault.text, "topology.conf line 3: node 'x' is already on leaf 'a' (line 2)");
  EXPECT_EQ(fault_of("").line, 0u);
  Limits limits;
  limits.max_nodes = 1;
  EXPECT_EQ(fault_of(kTree, TopologyKind::slurm, limits).status, Status::limit);
  EXPECT_EQ(fault_of(std::string("<system>") + std::string(5 << 20, ' ')).line, 0u);
}

TEST(Topology, has_one_signature_for_equal_machines) {
  HwlocSample one, other;
  const std::string a = read(one.text(one.alone(one.gpu("0000:3b:00.0", 0)))).signature;
  EXPECT_EQ(a.size(), 32u);
  EXPECT_EQ(read(other.text(other.alone(other.gpu("0000:4b:00.0", 0)))).signature, a);
  HwlocSample third;
  EXPECT_NE(read(third.text("", third.alone(third.gpu("0000:3b:00.0", 0)))).signature, a);
}

TEST(Topology, has_one_signature_for_equal_networks) {
  const std::string a = read(kTree).signature;
  EXPECT_EQ(read("# the same\nSwitchName=s1 Switches=s0\nSwitchName=s0 Nodes=n2,n1").signature, a);
  EXPECT_NE(read("SwitchName=s0 Nodes=n[1-3]\nSwitchName=s1 Switches=s0\n").signature, a);
  EXPECT_NE(read("SwitchName=s0 Nodes=n[1-2]\nSwitchName=s1\n").signature, a);
}

TEST(Topology, document_fits_into_a_cluster) {
  EXPECT_EQ(topology_document(read(kTree)).substr(0, 81),
            R"({"format":"cede-topology/1","name":"name","kind":"slurm-topology","signature":")" +
                read(kTree).signature.substr(0, 2));
  const std::string network = topology_document(read(kTree));
  const std::string rest = network.substr(network.find("\"network\""));
  const std::string cluster = R"({"format":"cede-cluster/1","groups":[{"id":"g"}],)" + rest;
  const std::string direct =
      R"({"format":"cede-cluster/1","groups":[{"id":"g"}],"nodes":[{"id":"n1"},{"id":"n2"}],"network":{"slurm_topology":"SwitchName=s0 Nodes=n[1-2]\nSwitchName=s1 Switches=s0\n"}})";
  EXPECT_EQ(export_of(cluster), export_of(direct));

  const std::string machine = topology_document(read(kNccl));
  EXPECT_NE(
      machine.find(
          R"("topology":{"gpus":1,"model":["H100"],"pci":["0000:3b:00.0"],"numa":[[0]],"pcie":[[0]]}})"),
      std::string::npos)
      << machine;
}

TEST(Topology, picture_is_of_its_kind) {
  EXPECT_EQ(topology_picture(read(kTree)).substr(0, 13), "name: 2 nodes");
  EXPECT_EQ(topology_picture(read(kNccl)).substr(0, 17), "name: 1 GPU (H100");
}

}  // namespace
}  // namespace cede
