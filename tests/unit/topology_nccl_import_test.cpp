// SPDX-License-Identifier: MIT
#include "topology/import/nccl_import.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "topology/import/hwloc_import.h"
#include "topology/import/xml_reader.h"

namespace cede {
namespace {

NodeClass import_nccl(std::string_view xml) {
  NodeClass out;
  std::string why;
  EXPECT_TRUE(import_nccl_xml(xml, out, why)) << why;
  return out;
}

std::string nccl_refusal(std::string_view xml) {
  NodeClass out;
  out.numa = {7};
  std::string why;
  EXPECT_FALSE(import_nccl_xml(xml, out, why));
  EXPECT_EQ(out.numa, std::vector<DeviceMask>{7});
  return why;
}

using Masks = std::vector<DeviceMask>;
using Groups = std::vector<NodeClass::LinkGroup>;

std::string gpu(const std::string& busid, int dev, const std::string& links = "") {
  return "<pci busid=\"" + busid + "\" class=\"0x030200\" vendor=\"0x10de\" device=\"0x2330\"><gpu dev=\"" +
         std::to_string(dev) + "\" sm=\"90\" rank=\"0\" gdr=\"1\">" + links + "</gpu></pci>\n";
}
std::string link(const std::string& target, int count, const std::string& target_class = "0x030200") {
  return "<nvlink target=\"" + target + "\" count=\"" + std::to_string(count) + "\" tclass=\"" +
         target_class + "\"/>";
}
std::string nic(const std::string& busid, const std::string& name) {
  return "<pci busid=\"" + busid + "\" class=\"0x020700\"><nic><net name=\"" + name +
         "\" dev=\"0\"/></nic></pci>\n";
}
std::string port(const std::string& busid, const std::string& below) {
  return "<pci busid=\"" + busid + "\" class=\"0x060400\">\n" + below + "</pci>\n";
}
std::string cpu(const std::string& numa, const std::string& below) {
  return "<cpu numaid=\"" + numa + "\" arch=\"x86_64\">\n" + below + "</cpu>\n";
}
std::string system(const std::string& cpus) { return "<system version=\"1\">\n" + cpus + "</system>\n"; }

TEST(NcclImport, numbers_devices_as_the_driver_does) {
  const NodeClass machine = import_nccl(
      system(cpu("1", gpu("0000:81:00.0", 0)) + cpu("0", gpu("0000:01:00.0", 2) + gpu("0000:02:00.0", 1))));
  ASSERT_EQ(machine.devices.size(), 3u);
  EXPECT_EQ(machine.devices[0].pci, "0000:81:00.0");
  EXPECT_EQ(machine.devices[1].pci, "0000:02:00.0");
  EXPECT_EQ(machine.devices[2].pci, "0000:01:00.0");
  EXPECT_EQ(machine.devices[0].model, "H100");
  EXPECT_EQ(machine.devices[0].parent, -1);
  EXPECT_EQ(machine.numa, (Masks{0b110, 0b001}));
  EXPECT_EQ(machine.pcie, (Masks{1, 2, 4}));
  EXPECT_TRUE(machine.sockets.empty());
  EXPECT_TRUE(machine.host_bridges.empty());
  EXPECT_TRUE(machine.cores.empty());
  EXPECT_FALSE(machine.links_known);
  EXPECT_FALSE(machine.nics_known);
}

TEST(NcclImport, keeps_the_ids_of_numa_nodes) {
  EXPECT_EQ(import_nccl(system(cpu("3", gpu("0000:01:00.0", 0)) + cpu("1", gpu("0000:02:00.0", 1)))).numa,
            (Masks{0, 2, 0, 1}));
  EXPECT_TRUE(import_nccl(system(cpu("-1", gpu("0000:01:00.0", 0)))).numa.empty());
  EXPECT_EQ(import_nccl(system(cpu("-1", gpu("0000:01:00.0", 0)) + cpu("0", gpu("0000:02:00.0", 1)))).numa,
            (Masks{2}));
}

TEST(NcclImport, takes_what_shares_a_switch_for_near) {
  const NodeClass machine = import_nccl(
      system(cpu("0", port("0000:08:00.0", port("0000:0d:00.0", gpu("0000:0f:00.0", 0)) +
                                               port("0000:0a:00.0", nic("0000:0c:00.0", "mlx5_0"))) +
                          port("0000:20:00.0", gpu("0000:21:00.0", 1)) + nic("0000:05:00.0", "eth0")) +
             cpu("1", nic("0000:85:00.0", "far") + "<nic><net name=\"lo\"/></nic>")));
  EXPECT_EQ(machine.pcie, (Masks{1, 2}));
  ASSERT_EQ(machine.nics.size(), 4u);
  EXPECT_TRUE(machine.nics_known);
  EXPECT_EQ(machine.nics[0], (NodeClass::Nic{"eth0", 3, LinkClass::numa}));
  EXPECT_EQ(machine.nics[1], (NodeClass::Nic{"mlx5_0", 1, LinkClass::pcie}));
  EXPECT_EQ(machine.nics[2], (NodeClass::Nic{"far", 0, LinkClass::numa}));
  EXPECT_EQ(machine.nics[3], (NodeClass::Nic{"lo", 0, LinkClass::numa}));
}

TEST(NcclImport, links_those_that_name_each_other) {
  const std::string a = "0000:01:00.0", b = "0000:02:00.0", c = "0000:03:00.0";
  const NodeClass machine = import_nccl(system(cpu(
      "0", gpu(a, 0, link(b, 2) + link(c, 4)) + gpu(b, 1, link(a, 1)) + gpu(c, 2, link("0000:09:00.0", 4)))));
  EXPECT_EQ(machine.links, (Groups{{LinkClass::nvl, 0b011, 1}}));
  EXPECT_FALSE(machine.links_known);  // one leads to a device that is not shown
}

TEST(NcclImport, knows_links_only_where_all_lead_somewhere) {
  const std::string a = "0000:01:00.0", b = "0000:02:00.0", c = "0000:03:00.0";
  const auto known = [&](const std::string& first, const std::string& second) {
    return import_nccl(system(cpu("0", gpu(a, 0, first) + gpu(b, 1, second) + gpu(c, 2)))).links_known;
  };
  EXPECT_TRUE(known(link(b, 1), link(a, 1)));
  EXPECT_TRUE(known(link(b, 1) + link("0000:00:00.0", 2, "0x068001"), link(a, 1)));
  EXPECT_FALSE(known(link(a, 1), link(b, 1)));  // what some virtual machines show
  EXPECT_FALSE(known(link("fffffff:ffff:ff", 1), link(a, 1)));
  EXPECT_FALSE(known("", ""));
}

TEST(NcclImport, joins_all_that_reach_a_switch) {
  const auto fabric = [](int first, int second) {
    return link("0000:1c:00.0", first, "0x068000") + link("fffffff:ffff:ff", second, "0x068000");
  };
  const NodeClass machine = import_nccl(
      system(cpu("0", gpu("0000:01:00.0", 0, fabric(5, 4)) + gpu("0000:02:00.0", 1, fabric(5, 4))) +
             cpu("1", gpu("0000:03:00.0", 2, link("0000:1d:00.0", 9, "0x068000")) +
                          gpu("0000:04:00.0", 3, link("0000:ff:00.0", 2, "0x068001")))));
  EXPECT_EQ(machine.links, (Groups{{LinkClass::nvl, 0b0111, 9}}));
}

TEST(NcclImport, takes_several_gpus_of_one_pci_device_for_partitions) {
  const std::string shared =
      "<pci busid=\"0000:01:00.0\" class=\"0x120000\" vendor=\"0x1002\" device=\"0x74a0\">"
      "<gpu dev=\"0\"><xgmi target=\"0000:02:00.0\" count=\"1\" tclass=\"0x120000\"/></gpu><gpu "
      "dev=\"1\"/></pci>";
  const std::string whole =
      "<pci busid=\"0000:02:00.0\" class=\"0x120000\" vendor=\"0x1002\" device=\"0x9999\"><gpu dev=\"2\">"
      "<xgmi target=\"0000:01:00.0\" count=\"1\" tclass=\"0x120000\"/></gpu></pci>";
  const NodeClass machine = import_nccl(system(cpu("0", shared + whole)));
  ASSERT_EQ(machine.devices.size(), 3u);
  EXPECT_EQ(machine.devices[0].parent, 0);
  EXPECT_EQ(machine.devices[1].parent, 0);
  EXPECT_EQ(machine.devices[2].parent, -1);
  EXPECT_EQ(machine.devices[0].model, "MI300A");
  EXPECT_EQ(machine.devices[2].model, "1002:9999");
  EXPECT_EQ(machine.links, (Groups{{LinkClass::nvl, 0b101, 1}}));
}

TEST(NcclImport, goes_by_class_where_no_gpu_is_named) {
  const NodeClass machine = import_nccl(system(
      cpu("0", port("ffff:ff:01.0",
                    "<pci busid=\"0002:00:00.0\" class=\"0x030200\"/>"
                    "<pci busid=\"0101:00:00.0\" class=\"0x020700\"/>") +
                   "<pci busid=\"0001:00:00.0\" class=\"0x038000\"/>"
                   "<pci busid=\"0003:00:00.0\" class=\"0x030000\" vendor=\"0x1a03\" device=\"0x2000\"/>")));
  ASSERT_EQ(machine.devices.size(), 2u);
  EXPECT_EQ(machine.devices[0].pci, "0001:00:00.0");
  EXPECT_EQ(machine.devices[0].model, "");
  EXPECT_EQ(machine.pcie, (Masks{1, 2}));
  EXPECT_FALSE(machine.links_known);
  ASSERT_EQ(machine.nics.size(), 1u);
  EXPECT_EQ(machine.nics[0], (NodeClass::Nic{"", 2, LinkClass::pcie}));
}

TEST(NcclImport, refuses_what_is_no_topology) {
  EXPECT_EQ(nccl_refusal(""), "the text has no element; an NCCL topology is expected (line 1)");
  EXPECT_EQ(nccl_refusal("hello"), "text outside of any element; an NCCL topology is expected (line 1)");
  EXPECT_EQ(nccl_refusal("\n<topology/>"),
            "the outermost element is 'topology'; an NCCL topology starts with 'system' (line 2)");
  EXPECT_EQ(nccl_refusal("<graphs version=\"1\"/>"),
            "this is an NCCL graph; its topology is the file of <system> (line 1)");
  EXPECT_EQ(nccl_refusal("<system version=\"9\"/>"),
            "version '9' of NCCL XML is not read; 1 and 2 are (line 1)");
  EXPECT_EQ(nccl_refusal("<system>\xff</system>"), "the text is not UTF-8");
  EXPECT_EQ(nccl_refusal(std::string(kMaxXmlBytes + 1, ' ')),
            "the text has 4194305 bytes; at most 4194304 are read");
  EXPECT_NE(nccl_refusal("<!DOCTYPE a [<!ENTITY b \"c\">]><system/>").find("DOCTYPE"), std::string::npos);
  EXPECT_EQ(nccl_refusal("<system/><system/>"),
            "there is something behind the end of the outermost element (line 1)");
}

TEST(NcclImport, refuses_with_the_line) {
  EXPECT_EQ(nccl_refusal(system("<cpu numaid=\"256\"/>")), "'cpu' has numaid '256', outside 0..255 (line 2)");
  EXPECT_EQ(nccl_refusal(system("<cpu/>")), "'cpu' has numaid '', outside 0..255 (line 2)");
  EXPECT_EQ(
      nccl_refusal(system("<cpu numaid=\"0\" host_hash=\"0x1\"/>\n<cpu numaid=\"0\" host_hash=\"0x2\"/>")),
      "the file shows several machines; a topology is of one (line 3)");
  EXPECT_EQ(nccl_refusal(system(cpu("0", "<pci busid=\"1:2\"/>"))),
            "pci has busid '1:2'; it looks like '0000:3b:00.0' (line 3)");
  EXPECT_EQ(nccl_refusal(system(cpu("0", "<pci busid=\"0000:01:00.0\" class=\"gpu\"/>"))),
            "pci '0000:01:00.0' has class 'gpu'; it looks like '0x030200' (line 3)");
  EXPECT_EQ(nccl_refusal(system(cpu("0", "<pci busid=\"0000:01:00.0\"/>"))),
            "pci '0000:01:00.0' has no class, which alone could tell what it is (line 3)");
  EXPECT_EQ(nccl_refusal(system(cpu("0", gpu("0000:01:00.0", 0) + gpu("0000:02:00.0", 0)))),
            "gpu dev '0' is already that of line 3 (line 4)");
  EXPECT_EQ(nccl_refusal(system(cpu("0", gpu("0000:01:00.0", 0) + gpu("0000:02:00.0", 2)))),
            "gpu dev '1' is missing, and there is dev '2'; a topology shows all devices (line 4)");
  EXPECT_EQ(nccl_refusal(system(cpu("0", gpu("0000:01:00.0", 0) + gpu("0000:01:00.0", 1)))),
            "pci busid '0000:01:00.0' is already that of line 3 (line 4)");
  EXPECT_EQ(nccl_refusal(system(cpu("0", gpu("0000:01:00.0", 0, link("a", 70000))))),
            "'nvlink' has count '70000', outside 0..65535 (line 3)");
  EXPECT_EQ(nccl_refusal(system(cpu("0", gpu("0000:01:00.0", 0, link("a", 1, "7"))))),
            "a link has tclass '7'; it looks like '0x068000' (line 3)");
  EXPECT_EQ(nccl_refusal(system("text")), "text 'text' between elements (line 2)");
}

TEST(NcclImport, holds_to_its_limits) {
  std::string many, nets, flood = "<system><cpu numaid=\"0\">", deep = "<system>";
  for (int i = 0; i < 65; ++i) {
    many += gpu(to_string(PciAddress{0, static_cast<std::uint8_t>(i), 0, 0}), i);
    nets += "<nic><net name=\"n\"/></nic>";
  }
  EXPECT_EQ(nccl_refusal(system(cpu("0", many))), "the machine has 65 devices; at most 64 are supported");
  EXPECT_EQ(nccl_refusal(system(cpu("0", nets))),
            "the machine has 65 network adapters; at most 64 are supported");
  for (int i = 0; i < 20'001; ++i) flood += "<a/>";
  EXPECT_EQ(nccl_refusal(flood), "there are more than 20000 elements (line 1)");
  for (int i = 0; i < 200'000; ++i) deep += "<pci>";
  EXPECT_NE(nccl_refusal(deep), "");
  for (int i = 0; i < 70; ++i) deep.insert(8, "<cpu numaid=\"0\">");
  EXPECT_EQ(nccl_refusal(deep), "elements are nested deeper than 64 (line 1)");
}

// Files of real machines. They are not part of the project: CEDE_DATA names the folder that holds them.
class NcclData : public testing::Test {
 protected:
  static std::filesystem::path folder() {
    const char* const data = std::getenv("CEDE_DATA");
    return data ? std::filesystem::path(data) / "topologies" / "nccl" : std::filesystem::path();
  }
  static std::string text_of(const std::string& name) {
    std::ifstream in(folder() / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void SetUp() override {
    if (!std::filesystem::is_directory(folder()))
      GTEST_SKIP() << "CEDE_DATA names no folder with topologies/nccl";
  }
};

TEST_F(NcclData, imports_every_file_as_the_machine_is) {
  struct Facts {
    const char* file;
    std::size_t devices;
    const char* model;
    bool links_known;
    Groups links;  // empty and known: looked at below
    std::size_t numa;
    std::size_t pcie;
    std::size_t nics;
  };
  const LinkClass nvl = LinkClass::nvl;
  const std::vector<Facts> all{
      {"aws-p4d-24xl-topo.xml", 8, "A100", false, {}, 2, 4, 4},
      {"aws-p4de-24xl-topo.xml", 8, "A100", false, {}, 2, 4, 4},
      {"azure-ncv4-topo.xml", 4, "A100", false, {}, 4, 4, 1},
      {"azure-ndv2-topo.xml", 8, "", false, {}, 2, 8, 1},
      {"azure-ndv4-topo.xml", 8, "", false, {}, 4, 4, 8},
      {"azure-ndv5-topo.xml", 8, "", false, {}, 2, 8, 8},
      {"oci-H100-topology-kubernetes.xml", 8, "H100", true, {{nvl, 0xff, 18}}, 2, 8, 16},
      {"oci-H100-topology.xml", 8, "H100", true, {{nvl, 0xff, 18}}, 2, 8, 16},
      {"oci-topo-flattened-b4.xml", 8, "", false, {}, 8, 4, 8},
      {"oci-topo-flattened.xml", 8, "", false, {}, 8, 4, 8},
      {"rccl-topo_16p1h.xml", 16, "MI250X", true, {}, 4, 4, 8},
      {"rccl-topo_4p_940.xml", 4, "MI300A", true, {{nvl, 0xf, 1}}, 4, 4, 4},
      {"rccl-topo_8p_90a.xml", 8, "", true, {}, 1, 8, 1},
      {"rccl-topo_8p_90a_1.xml", 8, "MI250X", true, {}, 4, 8, 1},
      {"rccl-topo_8p_940.xml", 8, "MI300X", true, {{nvl, 0xff, 1}}, 2, 8, 8},
      {"rccl-topo_8p_940vm.xml", 8, "MI300X", true, {{nvl, 0xff, 1}}, 2, 8, 8},
      {"rccl-topo_8p_rome.xml", 8, "", true, {}, 2, 8, 1},
      {"rccl-topo_8p_rome_n4.xml", 8, "", true, {}, 8, 8, 1},
  };
  for (const Facts& facts : all) {
    SCOPED_TRACE(facts.file);
    const NodeClass machine = import_nccl(text_of(facts.file));
    EXPECT_EQ(machine.devices.size(), facts.devices);
    EXPECT_EQ(machine.devices[0].model, facts.model);
    EXPECT_EQ(machine.links_known, facts.links_known);
    EXPECT_EQ(machine.numa.size(), facts.numa);
    EXPECT_EQ(machine.pcie.size(), facts.pcie);
    EXPECT_EQ(machine.nics.size(), facts.nics);
    if (facts.links_known != facts.links.empty()) {
      EXPECT_EQ(machine.links, facts.links);
    }
  }
}

TEST_F(NcclData, agrees_with_the_hwloc_capture_of_such_a_machine) {
  const NodeClass nccl = import_nccl(text_of("rccl-topo_8p_940.xml"));
  const std::filesystem::path file = folder().parent_path() / "hwloc-synthetic/synthetic-mi300x-8gpu.xml";
  std::ifstream in(file, std::ios::binary);
  NodeClass hwloc;
  std::string why;
  ASSERT_TRUE(import_hwloc_xml(std::string{std::istreambuf_iterator<char>(in), {}}, hwloc, why)) << why;
  EXPECT_EQ(nccl.devices, hwloc.devices);
  EXPECT_EQ(nccl.links, hwloc.links);
  EXPECT_EQ(nccl.numa, hwloc.numa);
  EXPECT_EQ(nccl.pcie, hwloc.pcie);
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(nccl.nics[i].near, hwloc.nics[i].near);
}

TEST_F(NcclData, shows_three_neighbours_per_die_of_an_mi250x) {
  const NodeClass machine = import_nccl(text_of("rccl-topo_8p_90a.xml"));
  EXPECT_EQ(machine.links.size(), 12u);
  for (const auto& group : machine.links) EXPECT_EQ(std::popcount(group.devices), 2);
}

// What RCCL saw on such a node is what the catalogue says in place of hwloc's full mesh.
TEST_F(NcclData, agrees_with_the_catalogue_of_links) {
  const auto pairs = [](const NodeClass& machine) {
    std::vector<DeviceMask> out;
    for (const auto& group : machine.links) out.push_back(group.devices);
    std::sort(out.begin(), out.end());
    return out;
  };
  std::ifstream in(folder().parent_path() / "hwloc/mpibind-eas-tioga.xml", std::ios::binary);
  NodeClass hwloc;
  std::string why;
  ASSERT_TRUE(import_hwloc_xml(std::string{std::istreambuf_iterator<char>(in), {}}, hwloc, why)) << why;
  EXPECT_EQ(pairs(import_nccl(text_of("rccl-topo_8p_90a.xml"))), pairs(hwloc));
}

TEST_F(NcclData, refuses_what_does_not_tell) {
  EXPECT_EQ(nccl_refusal(text_of("aws-g5.48xl-topo.xml")),
            "pci '0000:00:16.0' has no class, which alone could tell what it is (line 14)");
  EXPECT_EQ(nccl_refusal(text_of("azure-ncv4-graph.xml")),
            "this is an NCCL graph; its topology is the file of <system> (line 1)");
}

TEST_F(NcclData, answers_every_cut_and_many_flipped_bits) {
  std::mt19937_64 random(7);
  for (const auto& entry : std::filesystem::directory_iterator(folder())) {
    const std::string text = text_of(entry.path().filename().string());
    const std::size_t end = text.rfind('>');
    for (std::size_t size = 0; size < end; size += 100) nccl_refusal(std::string_view(text).substr(0, size));
    for (int i = 0; i < 500; ++i) {
      std::string flipped = text;
      flipped[random() % flipped.size()] ^= static_cast<char>(1u << random() % 8);
      NodeClass out;
      std::string why;
      EXPECT_TRUE(import_nccl_xml(flipped, out, why) || !why.empty());
    }
  }
}

}  // namespace
}  // namespace cede
