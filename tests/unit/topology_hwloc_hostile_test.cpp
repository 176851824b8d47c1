// SPDX-License-Identifier: MIT
// Texts made, or damaged, to bring hwloc down. Each is imported in a child process first: what still kills
// hwloc must fail a test and not end the run. hwloc 2.9 dies on most of these when it gets to see them.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "hwloc_sample.h"
#include "mutated_text.h"
#include "topology/import/hwloc_import.h"
#include "topology/import/xml_reader.h"

namespace cede {
namespace {

namespace fs = std::filesystem;

// What `work` ends with in a process of limited time and memory; -1 and more where a signal ended it.
template <class Work>
int end_of_child(Work work) {
  const pid_t child = fork();
  if (child == 0) {
    rlimit limit{60, 60};
    setrlimit(RLIMIT_CPU, &limit);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    limit = {rlim_t{1} << 30, rlim_t{1} << 30};
    setrlimit(RLIMIT_AS, &limit);
#endif
    limit = {0, 0};
    setrlimit(RLIMIT_CORE, &limit);
    _exit(work());
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) return -1;
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

// Why the text is refused; a text that ends the process, or is taken, fails the test.
std::string hwloc_refusal(const std::string& text) {
  const int end = end_of_child([&] {
    NodeClass out;
    std::string why;
    return import_hwloc_xml(text, out, why) ? 1 : 0;
  });
  EXPECT_EQ(end, 0) << (end < 0 ? "the import ended with a signal" : "the text was taken");
  if (end != 0) return {};
  NodeClass out;
  std::string why;
  import_hwloc_xml(text, out, why);
  EXPECT_EQ(out, NodeClass{});
  EXPECT_EQ(why.find('\n'), std::string::npos);
  return why;
}

// A machine with a GPU and a matrix, one text in it replaced.
std::string changed(const std::string& from, const std::string& to) {
  HwlocSample sample;
  const std::string device = sample.alone(sample.gpu("0000:3b:00.0", 0));
  std::string text = sample.text(
      device, "", "", sample.matrix("NVLinkBandwidth", {"nvml0", "0000:3b:00.0"}, {{0, 1}, {1, 0}}, true));
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(HostileXml, is_honest_before_it_is_changed) {
  NodeClass out;
  std::string why;
  EXPECT_TRUE(import_hwloc_xml(changed("node17", "node18"), out, why)) << why;
  EXPECT_EQ(out.devices.size(), 1u);
}

TEST(HostileXml, missing_complete_cpuset) {
  for (const char* set : {"complete_cpuset=\"0x0000000f\"", "complete_nodeset=\"0x00000001\"",
                          " cpuset=\"0x0000000f\"", " nodeset=\"0x00000001\""}) {
    EXPECT_NE(hwloc_refusal(changed(set, " ")).find("which every object of CPUs or memory needs (line 6)"),
              std::string::npos);
  }
  EXPECT_NE(hwloc_refusal(changed("complete_cpuset=\"0x000000ff\"", "")).find("lacks complete_cpuset"),
            std::string::npos);
}

TEST(HostileXml, internal_dtd_subset) {
  EXPECT_EQ(hwloc_refusal(changed("SYSTEM \"hwloc2.dtd\">",
                                  "SYSTEM \"hwloc2.dtd\" [<!ATTLIST object a CDATA \"b\">]>")),
            "a DOCTYPE with an internal subset or entities is not read; remove the DOCTYPE (line 2)");
}

TEST(HostileXml, entity) {
  std::string laughs = "<!DOCTYPE t [<!ENTITY a0 \"ha\">";
  for (int i = 1; i < 40; ++i) {
    const std::string before = "&a" + std::to_string(i - 1) + ";";
    laughs += "<!ENTITY a" + std::to_string(i) + " \"" + before + before + "\">";
  }
  EXPECT_NE(hwloc_refusal(laughs + "]><topology version=\"2.0\">&a39;</topology>").find("DOCTYPE"),
            std::string::npos);
  EXPECT_NE(hwloc_refusal(changed("node17", "&a39;")).find("holds a reference that is not one of"),
            std::string::npos);
  EXPECT_NE(hwloc_refusal(changed("node17", "&#1;")).find("holds a reference that is not one of"),
            std::string::npos);
  EXPECT_NE(
      hwloc_refusal(changed("SYSTEM \"hwloc2.dtd\"",
                            "SYSTEM \"file:///etc/passwd\" [<!ENTITY x SYSTEM \"file:///etc/passwd\">]"))
          .find("DOCTYPE"),
      std::string::npos);
}

TEST(HostileXml, nested_200000_objects) {
  std::string text = "<topology version=\"2.0\"><object type=\"Machine\" " + HwlocSample::sets("0x1", "0x1") +
                     " gp_index=\"1\">";
  for (int i = 0; i < 200'000; ++i) text += "<object>";
  EXPECT_NE(hwloc_refusal(text), "");
  // With all that an object needs it is too large before it is too deep; cut to size it is too deep.
  std::string honest = "<topology version=\"2.0\"><object type=\"Machine\" " +
                       HwlocSample::sets("0x1", "0x1") + " gp_index=\"1\">";
  for (int i = 2; honest.size() + 200 < kMaxXmlBytes; ++i)
    honest += "<object type=\"Group\" " + HwlocSample::sets("0x1", "0x1") + " gp_index=\"" +
              std::to_string(i) + "\">";
  EXPECT_EQ(hwloc_refusal(honest), "elements are nested deeper than 64 (line 1)");
  std::string misc = changed("<info name", "<object type=\"Misc\" gp_index=\"9000\">");
  std::string deep;
  for (int i = 0; i < 200'000; ++i) deep += "<object>";
  EXPECT_EQ(hwloc_refusal(misc.insert(misc.find("gp_index=\"9000\">") + 16, deep)),
            "elements are nested deeper than 64 (line 5)");
}

TEST(HostileXml, more_than_20000_objects) {
  HwlocSample sample;
  std::string devices;
  for (int i = 0; i < 20'000; ++i) devices += sample.os("eth" + std::to_string(i), 2);
  EXPECT_NE(hwloc_refusal(sample.text(devices)).find("there are more than 20000 objects"), std::string::npos);
}

TEST(HostileXml, duplicate_gp_index) {
  EXPECT_EQ(hwloc_refusal(changed(" gp_index=\"11\"", " gp_index=\"10\"")),
            "gp_index '10' is already that of the object on line 6 (line 7)");
}

TEST(HostileXml, gp_index_of_2_to_the_31) {
  EXPECT_EQ(hwloc_refusal(changed(" gp_index=\"11\"", " gp_index=\"2147483648\"")),
            "gp_index '2147483648' is outside 1..2147483647 (line 7)");
  EXPECT_NE(
      hwloc_refusal(changed(" gp_index=\"11\"", " gp_index=\"18446744073709551616\"")).find("is outside"),
      std::string::npos);
  EXPECT_NE(hwloc_refusal(changed(" gp_index=\"11\"", " gp_index=\"-1\"")).find("is outside"),
            std::string::npos);
}

TEST(HostileXml, matrix_of_257_objects) {
  for (const char* size : {"257", "4294967295", "18446744073709551615", "-1", ""}) {
    EXPECT_NE(
        hwloc_refusal(changed("nbobjs=\"2\"", "nbobjs=\"" + std::string(size) + "\"")).find("outside 0..256"),
        std::string::npos)
        << size;
  }
  EXPECT_NE(hwloc_refusal(changed("nbobjs=\"2\"", "nbobjs=\"256\"")).find("of 256 objects has 2 indexes"),
            std::string::npos);
}

TEST(HostileXml, userdata) {
  for (const char* place :
       {"<info name=\"HostName\" value=\"node17\"/>", "<support name=\"discovery.pu\"/>"}) {
    EXPECT_NE(
        hwloc_refusal(changed(place, "<userdata length=\"99999999\" encoding=\"base64\">AA==</userdata>"))
            .find("userdata is not read; export without it"),
        std::string::npos);
  }
}

TEST(HostileXml, more_than_4_megabytes) {
  HwlocSample sample;
  std::string text = sample.text();
  text.insert(text.find("<support"), kMaxXmlBytes + 1 - text.size(), ' ');
  EXPECT_EQ(hwloc_refusal(text), "the text has 4194305 bytes; at most 4194304 are read");
  text.erase(text.find("  "), 1);
  NodeClass out;
  std::string why;
  EXPECT_TRUE(import_hwloc_xml(text, out, why)) << why;
}

TEST(HostileXml, version_3) {
  EXPECT_EQ(hwloc_refusal(changed("version=\"2.0\"", "version=\"3.0\"")),
            "hwloc 3 XML is not read; export it with 'lstopo --export-xml-flags v2 FILE.xml' (line 3)");
}

// hwloc goes on to look at the machine it runs on when it is given nothing it can read.
TEST(HostileXml, never_becomes_the_machine_we_run_on) {
  for (const std::string& text :
       {std::string(), std::string("<"), std::string("<topology/>"),
        std::string("<topology version=\"2.0\"/>"), std::string("<topology version=\"2.0\"></topology>"),
        std::string("<!-- -->"), std::string(1, '\0'),
        std::string("<topology version=\"2.0\"><object type=\"Machine\" gp_index=\"1\"/></topology>")}) {
    EXPECT_NE(hwloc_refusal(text), "") << text;
  }
}

TEST(HostileXml, random_damage_to_a_sample) {
  HwlocSample sample;
  const std::string one = sample.alone(sample.gpu("0000:3b:00.0", 0));
  const std::string other = sample.alone(sample.gpu("0000:4b:00.0", 1));
  const std::string text = sample.text(
      one, other, "", sample.matrix("NVLinkBandwidth", {"nvml0", "nvml1"}, {{0, 25000}, {25000, 0}}));
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const int end = end_of_child([&] {
      Mutator mutator(seed);
      for (int i = 0; i < 200; ++i) {
        NodeClass out;
        std::string why;
        const bool taken = import_hwloc_xml(mutator.mutate(text), out, why);
        if (taken ? out.cores.size() > 2 : why.empty()) return 1;
      }
      return 0;
    });
    EXPECT_EQ(end, 0) << "seed " << seed;
  }
}

// Captures of real machines. They are not part of the project: CEDE_DATA names the folder that holds them.
class HostileData : public testing::Test {
 protected:
  void SetUp() override {
    const char* const data = std::getenv("CEDE_DATA");
    if (!data || !fs::is_directory(fs::path(data) / "topologies" / "hwloc"))
      GTEST_SKIP() << "CEDE_DATA names no folder with topologies/hwloc";
    std::vector<fs::path> files;
    for (const char* part : {"hwloc", "hwloc-synthetic"}) {
      if (!fs::is_directory(fs::path(data) / "topologies" / part)) continue;
      for (const auto& entry : fs::directory_iterator(fs::path(data) / "topologies" / part)) {
        if (entry.path().extension() == ".xml") files.push_back(entry.path());
      }
    }
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) {
      std::ifstream in(file, std::ios::binary);
      texts_.push_back({std::istreambuf_iterator<char>(in), {}});
      names_.push_back(file.filename().string());
      NodeClass original;
      std::string why;
      ASSERT_TRUE(import_hwloc_xml(texts_.back(), original, why)) << file << ": " << why;
      originals_.push_back(original);
    }
  }

  std::vector<std::string> texts_, names_;
  std::vector<NodeClass> originals_;
};

TEST_F(HostileData, refuses_every_cut_of_ten_captures) {
  ASSERT_GE(texts_.size(), 10u);
  for (std::size_t which = 0; which < 10; ++which) {
    const std::string_view text = texts_[which * texts_.size() / 10];
    const std::size_t whole = text.rfind('>');
    const int end = end_of_child([&] {
      for (std::size_t size = 0; size < whole; size += 100) {
        NodeClass out;
        std::string why;
        if (import_hwloc_xml(text.substr(0, size), out, why) || why.empty()) return 1;
      }
      return 0;
    });
    EXPECT_EQ(end, 0) << names_[which * texts_.size() / 10];
  }
}

// One bit may hide one device or one name, but it cannot make another machine, such as the one this runs on.
bool looks_like(const NodeClass& out, const NodeClass& original) {
  return out.numa.size() == original.numa.size() && out.cores == original.cores &&
         out.devices.size() + 1 >= original.devices.size() &&
         out.devices.size() <= original.devices.size() + 1;
}

TEST_F(HostileData, survives_ten_thousand_flipped_bits) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const int end = end_of_child([&] {
      Mutator mutator(seed);
      for (int i = 0; i < 200; ++i) {
        const std::size_t which = mutator.below(texts_.size());
        NodeClass out;
        std::string why;
        const bool taken = import_hwloc_xml(mutator.flip_bit(texts_[which]), out, why);
        if (taken ? !looks_like(out, originals_[which]) : why.empty()) return 1;
      }
      return 0;
    });
    EXPECT_EQ(end, 0) << "seed " << seed << (end < 0 ? ": ended with a signal" : ": an odd answer");
  }
}

TEST_F(HostileData, survives_ten_thousand_damaged_captures) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const int end = end_of_child([&] {
      Mutator mutator(seed);
      for (int i = 0; i < 200; ++i) {
        const std::string& text = texts_[mutator.below(texts_.size())];
        NodeClass out;
        std::string why;
        if (!import_hwloc_xml(mutator.mutate(text), out, why) && why.empty()) return 1;
        if (why.starts_with("hwloc loaded something else")) return 2;
      }
      return 0;
    });
    EXPECT_EQ(end, 0) << "seed " << seed << (end < 0 ? ": ended with a signal" : ": an odd answer");
  }
}

}  // namespace
}  // namespace cede
