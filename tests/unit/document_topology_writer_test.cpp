// SPDX-License-Identifier: MIT
// The compact form can say everything a node class knows: whatever is written loads back to an equal class.
#include "document/answer_writers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <tuple>

#include "document/document.h"
#include "model/edit.h"
#include "topology/import/hwloc_import.h"
#include "topology/import/nccl_import.h"

namespace cede {
namespace {

// The class of the compact form, PCI addresses and all, after a cluster with it was loaded.
NodeClass loaded(const std::string& compact, std::string* exported = nullptr) {
  Problems problems;
  ModelEdit edit({}, {}, problems, true);
  read_cluster(R"({"format":"cede-cluster/1","topologies":{"t":)" + compact + "}}", edit);
  const Model model = edit.finish();
  EXPECT_FALSE(problems.failed()) << problems.all()[0].message() << '\n' << compact;
  if (problems.failed()) return {};
  NodeClass out;
  model.topologies.for_each([&](TopologyId, const TopologyRow& row) {
    out = *model.classes[row.node_class.value];
    std::string_view left = model.blobs.view(row.pci);
    for (std::size_t i = 0; !left.empty(); ++i) {
      const std::size_t end = left.find('\0');
      out.devices[i].pci = left.substr(0, end);
      left.remove_prefix(end + 1);
    }
  });
  if (exported) *exported = write_cluster(model);
  return out;
}

std::string compact_form(const NodeClass& node_class) {
  const std::string document = write_topology_document({"t", "hwloc-xml", "00"}, node_class);
  const std::size_t begin = document.find("\"topology\":") + 11;
  return document.substr(begin, document.rfind('}') - begin);
}

void expect_survives(const NodeClass& original) {
  const std::string compact = compact_form(original);
  std::string exported;
  const NodeClass back = loaded(compact, &exported);
  ASSERT_EQ(back, original) << compact;
  EXPECT_EQ(encode_class(back), encode_class(original));
  for (std::size_t i = 0; i < original.devices.size(); ++i)
    EXPECT_EQ(back.devices[i].pci, original.devices[i].pci);
  // The export of a cluster writes it the same way.
  EXPECT_NE(exported.find(compact), std::string::npos) << compact << '\n' << exported;
}

class RandomClass {
 public:
  explicit RandomClass(std::uint64_t seed) : random_(seed) {}

  NodeClass make() {
    NodeClass c;
    c.devices.resize(below(4) == 0 ? below(65) : below(9));
    for (NodeClass::Device& device : c.devices) {
      device.model = text();
      device.pci = below(3) == 0 ? text() : "";
      device.parent = static_cast<std::int16_t>(below(3) == 0 ? static_cast<int>(below(64)) : -1);
    }
    all_ = c.devices.empty() ? 0 : ~DeviceMask{0} >> (64 - c.devices.size());
    for (auto* partition : {&c.numa, &c.sockets, &c.pcie, &c.host_bridges})
      fill(*partition, c.devices.size());
    if (below(2) == 0) {
      for (std::size_t i = 0; i < c.numa.size(); ++i)
        c.cores.push_back(static_cast<std::uint32_t>(below(5) == 0 ? 1'000'000 : below(100)));
    }
    c.links_known = below(2) == 0;
    for (std::uint64_t i = 0, n = below(3) * below(6); i < n; ++i) {
      const DeviceMask group = random_() & random_() & all_;
      if (std::popcount(group) >= 2)
        c.links.push_back(
            {static_cast<LinkClass>(below(7)), group, static_cast<std::uint16_t>(below(2) * below(65536))});
    }
    const auto key = [](const NodeClass::LinkGroup& g) { return std::tie(g.link, g.devices, g.lanes); };
    std::sort(c.links.begin(), c.links.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
    c.links.erase(std::unique(c.links.begin(), c.links.end()), c.links.end());
    c.nics_known = below(2) == 0;
    for (std::uint64_t i = 0, n = c.nics_known ? below(6) : 0; i < n; ++i) {
      static constexpr std::array<LinkClass, 3> kLevels{LinkClass::pcie, LinkClass::numa, LinkClass::socket};
      c.nics.push_back({text(), random_() & all_, kLevels[below(3)]});
    }
    for (std::uint64_t i = 0, n = c.devices.size() > 1 ? below(4) : 0; i < n; ++i) {
      const auto a = static_cast<std::uint8_t>(below(c.devices.size() - 1));
      c.degraded.push_back({a, static_cast<std::uint8_t>(a + 1 + below(c.devices.size() - a - 1))});
    }
    std::sort(c.degraded.begin(), c.degraded.end());
    c.degraded.erase(std::unique(c.degraded.begin(), c.degraded.end()), c.degraded.end());
    return c;
  }

 private:
  std::uint64_t below(std::uint64_t bound) { return random_() % bound; }
  std::string text() {
    static const std::array<std::string, 8> kTexts{"",      "H100",   "a \"quoted\" one",    "back\\slash",
                                                   "ünï–☃", "mlx5_0", std::string(253, 'x'), "{[,:]}"};
    return kTexts[below(kTexts.size())];
  }
  void fill(std::vector<DeviceMask>& partition, std::size_t devices) {
    if (below(3) == 0) return;
    partition.resize(1 + below(10));
    for (std::size_t i = 0; i < devices; ++i) {
      if (below(6) != 0) partition[below(partition.size())] |= DeviceMask{1} << i;
    }
  }

  std::mt19937_64 random_;
  DeviceMask all_ = 0;
};

TEST(TopologyWriter, any_class_survives_the_compact_form) {
  for (std::uint64_t seed = 1; seed <= 3000 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    expect_survives(RandomClass(seed).make());
  }
}

TEST(TopologyWriter, tells_what_is_linked_from_what_is_not_known) {
  NodeClass c;
  c.devices.resize(3);
  EXPECT_EQ(compact_form(c), R"({"gpus":3})");
  c.links_known = true;
  EXPECT_EQ(compact_form(c), R"({"gpus":3,"links":{}})");
  c.links = {{LinkClass::nvl, 0b011, 0}};
  EXPECT_EQ(compact_form(c), R"({"gpus":3,"links":{"nvl":[[0,1]]}})");
  c.links_known = false;
  EXPECT_EQ(compact_form(c), R"({"gpus":3,"links_known":false,"links":{"nvl":[[0,1]]}})");
  EXPECT_TRUE(loaded(R"({"gpus":2,"links_known":true})").links_known);
  EXPECT_FALSE(loaded(R"({"gpus":2,"links_known":null})").links_known);
}

// Captures of real machines. They are not part of the project: CEDE_DATA names the folder that holds them.
TEST(TopologyWriter, every_real_capture_survives_the_compact_form) {
  const char* const data = std::getenv("CEDE_DATA");
  const std::filesystem::path folder =
      data ? std::filesystem::path(data) / "topologies" : std::filesystem::path();
  if (!std::filesystem::is_directory(folder)) GTEST_SKIP() << "CEDE_DATA names no folder with topologies";
  std::size_t machines = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".xml") continue;
    SCOPED_TRACE(entry.path().filename());
    std::ifstream in(entry.path(), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    NodeClass machine;
    std::string why;
    if (!import_hwloc_xml(text, machine, why) && !import_nccl_xml(text, machine, why)) continue;
    ++machines;
    expect_survives(machine);
  }
  EXPECT_GE(machines, 30u);
}

}  // namespace
}  // namespace cede
