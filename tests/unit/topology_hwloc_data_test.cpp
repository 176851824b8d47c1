// SPDX-License-Identifier: MIT
// Imports captures of real machines. They are not part of the project: CEDE_DATA names the folder that holds
// them.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "topology/import/hwloc_import.h"

namespace cede {
namespace {

namespace fs = std::filesystem;

fs::path folder() {
  const char* const data = std::getenv("CEDE_DATA");
  return data ? fs::path(data) / "topologies" : fs::path();
}

std::string read_file(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

NodeClass import_file(const std::string& name) {
  NodeClass out;
  std::string why;
  EXPECT_TRUE(import_hwloc_xml(read_file(folder() / name), out, why)) << name << ": " << why;
  return out;
}

std::size_t physical_devices(const NodeClass& machine) {
  std::size_t whole = 0;
  std::set<int> parents;
  for (const auto& device : machine.devices) {
    if (device.parent < 0) ++whole;
    if (device.parent >= 0) parents.insert(device.parent);
  }
  return whole + parents.size();
}

// The sizes of what links connect, largest first.
std::vector<int> islands(const NodeClass& machine) {
  std::vector<DeviceMask> found;
  for (const auto& group : machine.links) {
    DeviceMask joined = group.devices;
    std::erase_if(found, [&](DeviceMask island) {
      if ((island & joined) == 0) return false;
      joined |= island;
      return true;
    });
    found.push_back(joined);
  }
  std::vector<int> sizes;
  for (const DeviceMask island : found) sizes.push_back(std::popcount(island));
  std::sort(sizes.rbegin(), sizes.rend());
  return sizes;
}

struct Facts {
  const char* file;
  std::size_t devices;
  std::size_t physical;
  bool links_known;
  std::vector<int> islands;
  std::size_t numa;
  std::size_t sockets;
  std::size_t nics;
};

const std::vector<Facts>& all_facts() {
  static const std::vector<Facts> facts{
      {"hwloc/fluxcore-corona.xml", 8, 8, false, {}, 2, 2, 1},
      {"hwloc/fluxcore-ipa20.xml", 4, 4, true, {4}, 8, 2, 4},
      {"hwloc/fluxcore-sierra.xml", 4, 4, false, {}, 2, 2, 4},
      {"hwloc/fluxcore-tuo.CPX.xml", 24, 4, true, {24}, 4, 4, 4},
      {"hwloc/fluxcore-tuo.SPX.xml", 4, 4, true, {4}, 4, 4, 4},
      {"hwloc/fluxcore-tuo.TPX.xml", 12, 4, true, {12}, 4, 4, 4},
      {"hwloc/fluxsched-chimera.xml", 2, 2, false, {}, 2, 1, 2},
      {"hwloc/fluxsched-corona11.xml", 4, 4, false, {}, 8, 2, 1},
      {"hwloc/fluxsched-lassen.xml", 4, 4, false, {}, 2, 2, 4},
      {"hwloc/fluxsched-sierra2-0.xml", 4, 4, false, {}, 2, 2, 4},
      {"hwloc/fluxsched-sierra2-1.xml", 4, 4, false, {}, 2, 2, 4},
      {"hwloc/fluxsched-sierra2-2.xml", 4, 4, false, {}, 2, 2, 4},
      {"hwloc/fluxsched-sierra2-3.xml", 4, 4, false, {}, 2, 2, 4},
      {"hwloc/hwloc-16intel64-manyVFs.xml", 0, 0, false, {}, 2, 2, 3},
      {"hwloc/hwloc-192em64t-24n8c2t.xml", 0, 0, false, {}, 24, 24, 1},
      {"hwloc/hwloc-32em64t-2n8c2t-pci-wholeio.xml", 4, 4, false, {}, 2, 2, 1},
      {"hwloc/hwloc-64intel64-fakeKNL-SNC4-hybrid.xml", 0, 0, false, {}, 4, 1, 0},
      {"hwloc/hwloc-64intel64-irregulargroups+pci.xml", 2, 2, false, {}, 8, 8, 2},
      {"hwloc/hwloc-96em64t-4n4d3ca2co-pci.xml", 0, 0, false, {}, 4, 16, 8},
      {"hwloc/hwloc-nvidiaDGX2.xml", 16, 16, true, {16}, 2, 2, 0},
      {"hwloc/hwloc-power8gpudistances.xml", 4, 4, true, {2, 2}, 2, 2, 0},
      {"hwloc/mpibind-coral-ea-hwloc1.xml", 4, 4, false, {}, 2, 2, 2},
      {"hwloc/mpibind-coral-lassen.xml", 4, 4, false, {}, 2, 2, 4},
      {"hwloc/mpibind-cts1-pascal.xml", 2, 2, false, {}, 2, 2, 1},
      {"hwloc/mpibind-eas-tioga.xml", 8, 8, true, {8}, 4, 1, 4},
      {"hwloc/mpibind-epyc-corona-p2.xml", 8, 8, false, {}, 2, 2, 1},
      {"hwloc/mpibind-epyc-corona.xml", 4, 4, false, {}, 8, 2, 1},
      {"hwloc/mpibind-g4dnmetal.xml", 8, 8, false, {}, 2, 2, 1},
      {"hwloc/prrte-test-topo.xml", 0, 0, false, {}, 4, 2, 2},
      {"hwloc/prrte-test-topo2.xml", 1, 1, false, {}, 4, 1, 1},
      {"hwloc/prrte-turin-4gpu-nvml.xml", 4, 4, true, {4}, 8, 2, 6},
      {"hwloc/prrte-turin-4gpu.xml", 4, 4, false, {}, 8, 2, 6},
      {"hwloc-synthetic/synthetic-dgx-a100.xml", 8, 8, true, {8}, 8, 2, 8},
      {"hwloc-synthetic/synthetic-dgx-h100.xml", 8, 8, true, {8}, 2, 2, 8},
      {"hwloc-synthetic/synthetic-frontier-mi250x-true-xgmi.xml", 8, 8, true, {8}, 4, 1, 0},
      {"hwloc-synthetic/synthetic-gb200-nvl72-tray.xml", 4, 4, true, {4}, 2, 2, 4},
      {"hwloc-synthetic/synthetic-mi300x-8gpu.xml", 8, 8, true, {8}, 2, 2, 8},
  };
  return facts;
}

class HwlocData : public testing::Test {
 protected:
  void SetUp() override {
    if (!fs::is_directory(folder() / "hwloc"))
      GTEST_SKIP() << "CEDE_DATA names no folder with topologies/hwloc";
  }
};

TEST_F(HwlocData, imports_every_capture_as_the_machine_is) {
  for (const Facts& facts : all_facts()) {
    SCOPED_TRACE(facts.file);
    const NodeClass machine = import_file(facts.file);
    EXPECT_EQ(machine.devices.size(), facts.devices);
    EXPECT_EQ(physical_devices(machine), facts.physical);
    EXPECT_EQ(machine.links_known, facts.links_known);
    EXPECT_EQ(islands(machine), facts.islands);
    EXPECT_EQ(machine.numa.size(), facts.numa);
    EXPECT_EQ(machine.cores.size(), facts.numa);
    EXPECT_EQ(machine.sockets.size(), facts.sockets);
    EXPECT_EQ(machine.nics.size(), facts.nics);
  }
}

TEST_F(HwlocData, knows_every_file_of_the_collection) {
  std::set<std::string> known;
  for (const Facts& facts : all_facts()) known.insert(facts.file);
  for (const char* part : {"hwloc", "hwloc-synthetic"}) {
    for (const auto& entry : fs::directory_iterator(folder() / part)) {
      if (entry.path().extension() != ".xml") continue;
      EXPECT_EQ(known.count(std::string(part) + "/" + entry.path().filename().string()), 1u) << entry.path();
    }
  }
}

TEST_F(HwlocData, sees_a_mesh_of_four_and_one_island_of_sixteen) {
  using Groups = std::vector<NodeClass::LinkGroup>;
  EXPECT_EQ(import_file("hwloc/fluxcore-ipa20.xml").links, (Groups{{LinkClass::nvl, 0xf, 6}}));
  EXPECT_EQ(import_file("hwloc/prrte-turin-4gpu-nvml.xml").links, (Groups{{LinkClass::nvl, 0xf, 6}}));
  EXPECT_EQ(import_file("hwloc/hwloc-nvidiaDGX2.xml").links, (Groups{{LinkClass::nvl, 0xffff, 6}}));
  EXPECT_EQ(import_file("hwloc/fluxcore-ipa20.xml").devices[0].model, "H100");
  EXPECT_EQ(import_file("hwloc/prrte-turin-4gpu.xml").devices[0].model, "H200");
}

TEST_F(HwlocData, differs_only_in_links_between_captures_with_and_without_nvml) {
  NodeClass with = import_file("hwloc/prrte-turin-4gpu-nvml.xml");
  const NodeClass without = import_file("hwloc/prrte-turin-4gpu.xml");
  EXPECT_NE(with, without);
  with.links.clear();
  with.links_known = false;
  EXPECT_EQ(with, without);
}

TEST_F(HwlocData, makes_one_class_of_equal_nodes) {
  const NodeClass first = import_file("hwloc/fluxsched-sierra2-0.xml");
  for (const char* other : {"1", "2", "3"}) {
    EXPECT_EQ(import_file(std::string("hwloc/fluxsched-sierra2-") + other + ".xml"), first) << other;
  }
}

TEST_F(HwlocData, gives_a_real_mi250x_node_its_true_links) {
  const NodeClass real = import_file("hwloc/mpibind-eas-tioga.xml");
  EXPECT_EQ(real.links.size(), 12u);
  EXPECT_EQ(real.links, import_file("hwloc-synthetic/synthetic-frontier-mi250x-true-xgmi.xml").links);
}

}  // namespace
}  // namespace cede
