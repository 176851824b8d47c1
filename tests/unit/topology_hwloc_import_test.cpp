// SPDX-License-Identifier: MIT
#include "topology/import/hwloc_import.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "hwloc_sample.h"

namespace cede {
namespace {

using Masks = std::vector<DeviceMask>;
using Group = NodeClass::LinkGroup;

NodeClass import_hwloc(const std::string& text) {
  NodeClass out;
  std::string why;
  EXPECT_TRUE(import_hwloc_xml(text, out, why)) << why;
  return out;
}

std::vector<std::string> models(const NodeClass& machine) {
  std::vector<std::string> names;
  for (const auto& device : machine.devices) names.push_back(device.model);
  return names;
}

std::vector<std::string> addresses(const NodeClass& machine) {
  std::vector<std::string> pci;
  for (const auto& device : machine.devices) pci.push_back(device.pci);
  return pci;
}

TEST(HwlocImport, reads_places) {
  HwlocSample s;
  const std::string first =
      s.host("0000:[10-2f]", s.port("0000:[11-13]", s.gpu("0000:12:00.0", 0) + s.gpu("0000:13:00.0", 1)) +
                                 s.port("0000:[21-21]", s.gpu("0000:21:00.0", 2)));
  const NodeClass machine = import_hwloc(s.text(first, s.alone(s.gpu("0000:31:00.0", 3))));
  EXPECT_EQ(models(machine), (std::vector<std::string>{"H100", "H100", "H100", "H100"}));
  EXPECT_EQ(machine.numa, (Masks{0b0111, 0b1000}));
  EXPECT_EQ(machine.sockets, (Masks{0b0111, 0b1000}));
  EXPECT_EQ(machine.pcie, (Masks{0b0011, 0b0100, 0b1000}));
  EXPECT_EQ(machine.host_bridges, (Masks{0b0111, 0b1000}));
  EXPECT_EQ(machine.cores, (std::vector<std::uint32_t>{2, 2}));
  EXPECT_FALSE(machine.links_known);
  EXPECT_TRUE(machine.links.empty());
  EXPECT_TRUE(machine.nics_known);
}

TEST(HwlocImport, numbers_devices_by_pci_address_not_by_back_end) {
  HwlocSample s;
  const NodeClass machine =
      import_hwloc(s.text(s.alone(s.gpu("0001:02:00.0", 0)), s.alone(s.gpu("0000:e1:00.0", 1)),
                          s.alone(s.gpu("0000:e1:00.1", 2)) + s.alone(s.gpu("0000:03:00.0", 3))));
  EXPECT_EQ(addresses(machine),
            (std::vector<std::string>{"0000:03:00.0", "0000:e1:00.0", "0000:e1:00.1", "0001:02:00.0"}));
}

TEST(HwlocImport, takes_several_back_ends_for_one_device) {
  HwlocSample s;
  const std::string back_ends = s.os("cuda0", 5, "CUDA") + s.os("nvml0", 1) + s.os("opencl0d0", 5) +
                                s.os("opencl1d0", 5) + s.os("card1", 1) + s.os("renderD128", 1) +
                                s.os("renderD129", 1);
  const NodeClass machine =
      import_hwloc(s.text(s.alone(s.pci("0000:02:00.0", "0302 [10de:20b2]", back_ends))));
  ASSERT_EQ(models(machine), std::vector<std::string>{"A100"});
  EXPECT_EQ(machine.devices[0].parent, -1);
}

TEST(HwlocImport, takes_one_back_end_several_times_for_partitions) {
  HwlocSample s;
  const std::string parts = s.os("rsmi10", 1) + s.os("rsmi9", 1) + s.os("opencl0d0", 5);
  const std::string io = s.alone(s.pci("0000:02:00.0", "1200 [1002:74a0]", s.os("rsmi0", 1))) +
                         s.alone(s.pci("0001:02:00.0", "1200 [1002:74a0]", parts));
  const NodeClass machine = import_hwloc(s.text(
      io, "", "", s.matrix("XGMIHops", {"rsmi0", "rsmi9", "rsmi10"}, {{0, 1, 2}, {1, 0, 1}, {2, 1, 0}})));
  EXPECT_EQ(models(machine), (std::vector<std::string>{"MI300A", "MI300A", "MI300A"}));
  ASSERT_EQ(machine.devices.size(), 3u);
  EXPECT_EQ(machine.devices[0].parent, -1);
  EXPECT_EQ(machine.devices[1].parent, 1);
  EXPECT_EQ(machine.devices[2].parent, 1);
  // rsmi9 is the first partition, and only it is one hop from rsmi0.
  EXPECT_EQ(machine.links, (std::vector<Group>{{LinkClass::nvl, 0b011, 0}, {LinkClass::nvl, 0b110, 0}}));
}

TEST(HwlocImport, tells_gpus_from_other_controllers) {
  HwlocSample s;
  const std::string io = s.alone(s.pci("0000:01:00.0", "0300 [1a03:2000]", s.os("card0", 1))) +
                         s.alone(s.pci("0000:02:00.0", "0300 [102b:0536]")) +
                         s.alone(s.pci("0000:03:00.0", "0300 [1002:515e]")) +
                         s.alone(s.pci("0000:04:00.0", "0300 [8086:a780]", s.os("card1", 1))) +
                         s.alone(s.pci("0000:05:00.0", "0b40 [8086:4940]")) +
                         s.alone(s.pci("0000:06:00.0", "1200 [10ee:5005]")) +
                         s.alone(s.pci("0000:07:00.0", "0680 [10de:22a3]")) +
                         s.alone(s.pci("0000:08:00.0", "0300 [1002:6860]")) +
                         s.alone(s.pci("0000:09:00.0", "0380 [8086:0bd5]")) +
                         s.alone(s.pci("0000:0a:00.0", "1200 [1da3:1020]")) +
                         s.alone(s.pci("0000:0b:00.0", "0302 [10de:ffff]")) +
                         s.alone(s.pci("0000:0c:00.0", "0b40 [1bcf:001c]", s.os("ve0", 5)));
  EXPECT_EQ(models(import_hwloc(s.text(io))),
            (std::vector<std::string>{"MI25", "Max1550", "Gaudi2", "10de:ffff", "1bcf:001c"}));
}

TEST(HwlocImport, names_unlisted_devices_as_the_capture_does) {
  HwlocSample s;
  std::string text = s.text(s.alone(s.gpu("0000:01:00.0", 0, "0302 [10de:ffff]")));
  const std::string tag = "osdev_type=\"1\" subtype=\"NVML\">\n";
  text.insert(text.find(tag) + tag.size(), "<info name=\"GPUModel\" value=\"Future &quot;X&quot;\"/>");
  EXPECT_EQ(models(import_hwloc(text)), std::vector<std::string>{"Future \"X\""});
}

TEST(HwlocImport, leaves_unknown_places_out) {
  HwlocSample s;
  // One device that no socket claims, one whose bridges were left out of the capture, one without any bridge.
  const NodeClass machine = import_hwloc(s.text(s.host("0000:[00-0a]", s.gpu("0000:04:00.0", 0)),
                                                s.gpu("0000:05:00.0", 1), s.alone(s.gpu("0000:06:00.0", 2))));
  EXPECT_EQ(machine.numa, (Masks{0b001, 0b010}));
  EXPECT_EQ(machine.sockets, (Masks{0b001, 0b010}));
  EXPECT_EQ(machine.pcie, Masks{0b100});
  EXPECT_EQ(machine.host_bridges, (Masks{0b001, 0b100}));
}

TEST(HwlocImport, takes_nodes_without_cpus_for_gpu_memory) {
  HwlocSample s;
  s.extra_nodes = "<object type=\"NUMANode\" os_index=\"252\" " +
                  HwlocSample::sets("0x0", "0x10000000,,,,,,,0x0") + " gp_index=\"90\"/>\n";
  std::string text = s.text(s.alone(s.gpu("0000:01:00.0", 0)));
  const std::string node = "nodeset=\"0x00000003\"";
  for (std::size_t at = text.find(node); at != std::string::npos; at = text.find(node, at)) {
    text.replace(at, node.size(), "nodeset=\"0x10000000,,,,,,,0x3\"");
  }
  const NodeClass machine = import_hwloc(text);
  EXPECT_EQ(machine.numa, (Masks{1, 0}));
  EXPECT_EQ(machine.cores, (std::vector<std::uint32_t>{2, 2}));
}

TEST(HwlocImport, takes_nodes_over_the_same_cpus_for_one_place) {
  HwlocSample s;
  std::string text = s.text(s.alone(s.gpu("0000:01:00.0", 0)));
  const std::string package =
      "complete_cpuset=\"0x0000000f\" nodeset=\"0x00000001\" complete_nodeset=\"0x00000001\" "
      "gp_index=\"10\">";
  const std::size_t at = text.find(package);
  ASSERT_NE(at, std::string::npos);
  text.insert(at + package.size(), "<object type=\"NUMANode\" subtype=\"HBM\" os_index=\"2\" " +
                                       HwlocSample::sets("0x0000000f", "0x00000004") +
                                       " gp_index=\"91\"/>\n");
  text.replace(at, package.size(),
               "complete_cpuset=\"0x0000000f\" nodeset=\"0x00000005\" complete_nodeset=\"0x00000005\" "
               "gp_index=\"10\">");
  for (std::size_t i = text.find("\"0x00000003\""); i < at; i = text.find("\"0x00000003\"", i + 1)) {
    text.replace(i, 12, "\"0x00000007\"");
  }
  const NodeClass machine = import_hwloc(text);
  EXPECT_EQ(machine.numa, (Masks{1, 0}));
  EXPECT_EQ(machine.cores, (std::vector<std::uint32_t>{2, 2}));
}

TEST(HwlocImport, counts_the_cores_that_jobs_may_use) {
  HwlocSample s;
  s.allowed = "0x0000000d";  // the second package is not for jobs, but its devices are
  const NodeClass machine = import_hwloc(s.text("", s.alone(s.gpu("0000:01:00.0", 0))));
  EXPECT_EQ(machine.cores, (std::vector<std::uint32_t>{2, 0}));
  EXPECT_EQ(machine.numa, (Masks{0, 1}));
}

TEST(HwlocImport, ignores_the_pci_address_when_comparing) {
  HwlocSample s;
  const NodeClass a = import_hwloc(s.text(s.alone(s.gpu("0000:01:00.0", 0))));
  const NodeClass b = import_hwloc(s.text(s.alone(s.gpu("0000:81:00.0", 0))));
  EXPECT_NE(addresses(a), addresses(b));
  EXPECT_EQ(a, b);
  EXPECT_NE(a, import_hwloc(s.text("", s.alone(s.gpu("0000:01:00.0", 0)))));
}

TEST(HwlocImport, holds_64_devices_and_no_more) {
  for (const int count : {64, 65}) {
    HwlocSample s;
    std::string io;
    for (int i = 0; i < count; ++i) io += s.gpu("0000:" + std::to_string(10 + i) + ":00.0", i);
    NodeClass out;
    std::string why;
    EXPECT_EQ(import_hwloc_xml(s.text(s.alone(io)), out, why), count == 64);
    EXPECT_EQ(out.devices.size(), count == 64 ? 64u : 0u);
    EXPECT_EQ(why, count == 64 ? "" : "the machine has 65 devices; at most 64 are supported");
  }
}

TEST(HwlocImport, leaves_the_result_alone_on_failure) {
  HwlocSample s;
  const std::string text = s.text(s.alone(s.gpu("0000:01:00.0", 0)));
  NodeClass out;
  out.devices.resize(3);
  std::string why;
  for (std::size_t size = 0; size + 2 < text.size(); size += 100) {
    EXPECT_FALSE(import_hwloc_xml(text.substr(0, size), out, why)) << size;
    EXPECT_FALSE(why.empty());
    EXPECT_EQ(out.devices.size(), 3u);
  }
}

TEST(HwlocImport, depends_on_the_text_alone) {
  HwlocSample s;
  const std::string text = s.text(s.alone(s.gpu("0000:01:00.0", 0)));
  const NodeClass expected = import_hwloc(text);
  for (const auto& [name, value] : {std::pair{"HWLOC_XMLFILE", "/nonexistent.xml"},
                                    {"HWLOC_SYNTHETIC", "pu:1"},
                                    {"HWLOC_FSROOT", "/"},
                                    {"HWLOC_THISSYSTEM", "1"}}) {
    ASSERT_EQ(setenv(name, value, 1), 0);
    ASSERT_EQ(setenv("HWLOC_THISSYSTEM_ALLOWED_RESOURCES", "1", 1), 0);
    EXPECT_EQ(import_hwloc(text), expected) << name;
    unsetenv(name);
    unsetenv("HWLOC_THISSYSTEM_ALLOWED_RESOURCES");
  }
}

TEST(HwlocImport, reads_version_1) {
  const auto sets = [](const std::string& cpus, const std::string& node) {
    return HwlocSample::sets(cpus, node) + " online_cpuset=\"" + cpus + "\" allowed_cpuset=\"" + cpus + "\"";
  };
  std::string text =
      "<topology>\n<object type=\"Machine\" os_index=\"0\" " + sets("0x3", "0x10000000,,,,,,,0x3") + ">\n";
  for (int i = 0; i < 2; ++i) {
    const std::string n = std::to_string(i);
    const std::string own = sets(i == 0 ? "0x1" : "0x2", i == 0 ? "0x1" : "0x2");
    text += "<object type=\"NUMANode\" os_index=\"" + n + "\" " + own +
            "><object type=\"Socket\" os_index=\"" + n + "\" " + own +
            "><object type=\"Core\" os_index=\"0\" " + own + "><object type=\"PU\" os_index=\"" + n + "\" " +
            own + "/></object></object><object type=\"Bridge\" bridge_type=\"0-1\" bridge_pci=\"0000:[0" + n +
            "-0" + n + "]\"><object type=\"PCIDev\" pci_busid=\"0000:0" + n +
            ":00.0\" pci_type=\"0302 [10de:1db1] [0000:0000] a1\"/></object></object>";
  }
  // A GPU's memory, which version 1 keeps apart from all CPUs.
  text += "<object type=\"NUMANode\" os_index=\"252\" " + sets("0x0", "0x10000000,,,,,,,0x0") + "/>";
  const NodeClass machine = import_hwloc(text + "</object></topology>");
  EXPECT_EQ(models(machine), (std::vector<std::string>{"V100", "V100"}));
  EXPECT_EQ(machine.numa, (Masks{1, 2}));
  EXPECT_EQ(machine.sockets, (Masks{1, 2}));
  EXPECT_EQ(machine.pcie, (Masks{1, 2}));
  EXPECT_EQ(machine.cores, (std::vector<std::uint32_t>{1, 1}));
}

}  // namespace
}  // namespace cede
