// SPDX-License-Identifier: MIT
#include "topology/import/xml_reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "hwloc_sample.h"
#include "topology/import/xml_objects.h"

namespace cede {
namespace {

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

std::string scan_refusal(std::string_view text) {
  CleanXml clean;
  std::string why;
  EXPECT_FALSE(scan_hwloc_xml(text, clean, why)) << clean.text;
  EXPECT_EQ(why.find('\n'), std::string::npos);
  return why;
}

std::string cleaned(std::string_view text) {
  CleanXml clean;
  std::string why;
  EXPECT_TRUE(scan_hwloc_xml(text, clean, why)) << why;
  return clean.text;
}

std::string with_device() {
  HwlocSample sample;
  const std::string gpu = sample.gpu("0000:3b:00.0", 0);
  const std::string other = sample.gpu("0000:3c:00.0", 1);
  return sample.text(sample.host("0000:[3a-3c]", sample.port("0000:[3b-3c]", gpu + other)), "", "",
                     sample.matrix("NVLinkBandwidth", {"nvml0", "nvml1"}, {{0, 25000}, {25000, 0}}));
}

TEST(XmlScan, keeps_what_the_import_reads_and_nothing_else) {
  const std::string clean = cleaned(with_device());
  EXPECT_NE(clean.find("pci_busid=\"0000:3b:00.0\""), std::string::npos);
  EXPECT_NE(clean.find("NVLinkBandwidth"), std::string::npos);
  EXPECT_NE(clean.find(kScanMark), std::string::npos);
  for (const char* word : {"DOCTYPE", "?xml", "HostName", "support", "allowed_cpuset"}) {
    EXPECT_EQ(clean.find(word), std::string::npos) << word;
  }
}

TEST(XmlScan, hands_the_allowed_cpus_to_the_caller) {
  HwlocSample sample;
  sample.allowed = "0x0000003f";
  CleanXml clean;
  std::string why;
  ASSERT_TRUE(scan_hwloc_xml(sample.text(), clean, why)) << why;
  EXPECT_EQ(clean.allowed_cpuset, "0x0000003f");
}

TEST(XmlScan, leaves_out_comments_misc_objects_and_wide_pci_domains) {
  HwlocSample sample;
  const std::string disk = sample.pci("10000:01:00.0", "0108 [144d:a808]", sample.os("nvme0n1", 0));
  std::string text = sample.text(disk);
  text = replaced(text, "<topology", "<!-- made by hand --><topology");
  text = replaced(text, "</object>\n<support",
                  "<object type=\"Misc\" gp_index=\"9\" name=\"dimm\"><object "
                  "type=\"Misc\"/></object></object>\n<support");
  text = replaced(text, "<support",
                  "<memattr name=\"x\" flags=\"4\"><memattr_value value=\"1\"/></memattr>\n<support");
  const std::string clean = cleaned(text);
  for (const char* word : {"hand", "memattr", "Misc", "10000:", "nvme0n1"}) {
    EXPECT_EQ(clean.find(word), std::string::npos) << word;
  }
}

TEST(XmlScan, writes_attributes_in_one_form) {
  std::string text =
      replaced(with_device(), "type=\"PCIDev\" gp_index=\"101\"", "gp_index = \"101\" type=\"PCIDev\"");
  EXPECT_NE(scan_refusal(text).find("attribute 'gp_index' has no quoted value"), std::string::npos);
  text = replaced(with_device(), "type=\"PCIDev\" gp_index=\"101\"", "\r\n\tgp_index='101'\t type='PCIDev'");
  text = replaced(text, "subtype=\"NVML\"", "subtype='a\"b>c&apos;\xc3\xa4'");
  const std::string clean = cleaned(text);
  EXPECT_NE(clean.find("<object type=\"PCIDev\" pci_busid"), std::string::npos);
  EXPECT_NE(clean.find("subtype=\"a&quot;b&gt;c'??\""), std::string::npos);
}

struct Broken {
  const char* name;
  const char* from;
  const char* to;
  const char* why;
};

class XmlScanRefuses : public testing::TestWithParam<Broken> {};

TEST_P(XmlScanRefuses, with_line) {
  const std::string why = scan_refusal(replaced(with_device(), GetParam().from, GetParam().to));
  EXPECT_EQ(why, GetParam().why);
}

INSTANTIATE_TEST_SUITE_P(
    rules, XmlScanRefuses,
    testing::Values(
        Broken{"subset", "\"hwloc2.dtd\">", "\"hwloc2.dtd\" [<!ENTITY a \"b\">]>",
               "a DOCTYPE with an internal subset or entities is not read; remove the DOCTYPE (line 2)"},
        Broken{"entity", "node17", "&a;",
               "attribute 'value' holds a reference that is not one of &lt;, &gt;, &amp;, &quot;, &apos;, "
               "&#9;, &#10; or "
               "&#13; (line 5)"},
        Broken{"late_doctype", "<info name=\"HostName\" value=\"node17\"/>", "<!DOCTYPE a>",
               "markup '<!DOCTYPE' is not read; only elements, attributes and comments are (line 5)"},
        Broken{"cdata", "<info name=\"HostName\" value=\"node17\"/>", "<![CDATA[x]]>",
               "markup '<!' is not read; only elements, attributes and comments are (line 5)"},
        Broken{"userdata", "<info name=\"HostName\" value=\"node17\"/>",
               "<userdata length=\"1\">x</userdata>", "userdata is not read; export without it (line 5)"},
        Broken{"version_3", "version=\"2.0\"", "version=\"3.0\"",
               "hwloc 3 XML is not read; export it with 'lstopo --export-xml-flags v2 FILE.xml' (line 3)"},
        Broken{"version_0", "version=\"2.0\"", "version=\"0.9\"",
               "version '0.9' of hwloc XML is not read; 1 and 2 are (line 3)"},
        Broken{"version_word", "version=\"2.0\"", "version=\"new\"",
               "version 'new' is not a version (line 3)"},
        Broken{"unknown_type", "type=\"Package\"", "type=\"Socket\"",
               "'Socket' is not an object type of hwloc 2.x (line 6)"},
        Broken{"no_type", "type=\"Package\" ", "", "an object has no type (line 6)"},
        Broken{"second_machine", "type=\"Package\"", "type=\"Machine\"",
               "object of type 'Machine' inside one of type 'Machine' (line 6)"},
        Broken{"root_type", "type=\"Machine\"", "type=\"Group\"",
               "the outermost object is 'Group', not 'Machine' (line 4)"},
        Broken{"complete_cpuset", " complete_cpuset=\"0x0000000f\"", "",
               "object of type 'Package' lacks complete_cpuset, which every object of CPUs or memory needs "
               "(line 6)"},
        Broken{"nodeset", " nodeset=\"0x00000001\"", "",
               "object of type 'Package' lacks nodeset, which every object of CPUs or memory needs (line 6)"},
        Broken{"infinite_set", "cpuset=\"0x0000000f\"", "cpuset=\"0xf...f\"",
               "cpuset '0xf...f' is not a finite set of at most 65536 members (line 6)"},
        Broken{"larger_than_parent", "cpuset=\"0x0000000f\" complete_cpuset=\"0x0000000f\"",
               "cpuset=\"0x0000010f\" complete_cpuset=\"0x0000010f\"",
               "object of type 'Package' has members that the object around it lacks (line 6)"},
        Broken{"larger_than_complete", "cpuset=\"0x0000000f\" complete", "cpuset=\"0x0000001f\" complete",
               "object of type 'Package' has a set that is larger than its complete set (line 6)"},
        Broken{"overlap", "cpuset=\"0x0000000c\" complete_cpuset=\"0x0000000c\"",
               "cpuset=\"0x0000000e\" complete_cpuset=\"0x0000000e\"",
               "object of type 'Core' shares CPUs with one before it (line 12)"},
        Broken{"missing_cpus", "cpuset=\"0x0000000c\" complete", "cpuset=\"0x00000004\" complete",
               "object of type 'PU' has members that the object around it lacks (line 14)"},
        Broken{"pu_index", "type=\"PU\" os_index=\"1\"", "type=\"PU\" os_index=\"2\"",
               "object of type 'PU' must have complete_cpuset hold its os_index and nothing else (line 10)"},
        Broken{"huge_index", "type=\"PU\" os_index=\"1\"", "type=\"PU\" os_index=\"4294967295\"",
               "object of type 'PU' must have complete_cpuset hold its os_index and nothing else (line 10)"},
        Broken{"gp_index_missing", " gp_index=\"10\"", "",
               "object of type 'Package' has no gp_index; hwloc 2 writes one for every object (line 6)"},
        Broken{"gp_index_large", " gp_index=\"10\"", " gp_index=\"2147483648\"",
               "gp_index '2147483648' is outside 1..2147483647 (line 6)"},
        Broken{"gp_index_zero", " gp_index=\"10\"", " gp_index=\"0\"",
               "gp_index '0' is outside 1..2147483647 (line 6)"},
        Broken{"gp_index_twice", " gp_index=\"11\"", " gp_index=\"1\"",
               "gp_index '1' is already that of the object on line 4 (line 7)"},
        Broken{"attribute_twice", "name=\"nvml0\"", "name=\"nvml0\" name=\"b\"",
               "element 'object' has attribute 'name' twice (line 19)"},
        Broken{"cpuset_on_device", "name=\"nvml0\"", "name=\"nvml0\" cpuset=\"0x1\"",
               "object of type 'OSDev' has a cpuset, but is a device (line 19)"},
        Broken{"bridge_type", "bridge_type=\"0-1\"", "bridge_type=\"7-1\"",
               "bridge_type '7-1' is neither '0-1' nor '1-1' (line 16)"},
        Broken{"pci_busid", "0000:3b:00.0", "0000:3b:00",
               "object of type 'PCIDev' has pci_busid '0000:3b:00'; it looks like '0000:3b:00.0' (line 18)"},
        Broken{"pci_type", "0302 [10de:2330]", "0302 10de:2330",
               "object of type 'PCIDev' has pci_type '0302 10de:2330 [0000:0000] 01'; it looks like '0302 "
               "[10de:2330] "
               "[10de:16c1] a1' (line 18)"},
        Broken{"osdev_type", "osdev_type=\"1\"", "osdev_type=\"gpu\"",
               "object of type 'OSDev' has osdev_type 'gpu', not a small number (line 19)"},
        Broken{"nesting", "type=\"NUMANode\"", "type=\"Bridge\"",
               "object of type 'Bridge' has a cpuset, but is a device (line 7)"},
        Broken{"mismatch", "</topology>", "</object>",
               "closing tag 'object' does not match element 'topology' of line 3 (line 46)"},
        Broken{"trailing", "</topology>", "</topology><a/>",
               "there is something behind the end of the outermost element (line 46)"},
        Broken{"text_between", "<info name=\"HostName\" value=\"node17\"/>", "hello",
               "text 'hello' between elements (line 5)"},
        Broken{"odd_element", "<info name", "<inf name", "element 'inf' inside an object (line 5)"},
        Broken{"control_character", "node17", "node\x01",
               "attribute 'value' holds a character that must be written as a reference (line 5)"},
        Broken{"matrix_size", "nbobjs=\"2\"", "nbobjs=\"257\"",
               "matrix 'NVLinkBandwidth' has nbobjs '257', outside 0..256 (line 41)"},
        Broken{"matrix_kind", "kind=\"9\"", "kind=\"0\"", "matrix 'NVLinkBandwidth' has no kind (line 41)"},
        Broken{"matrix_indexes", ">100 102 <", ">100 <",
               "matrix 'NVLinkBandwidth' of 2 objects has 1 indexes and 4 values (line 41)"},
        Broken{"matrix_unknown", ">100 102 <", ">100 999 <",
               "matrix 'NVLinkBandwidth' names gp_index '999', which no object has (line 41)"},
        Broken{"matrix_twice", ">100 102 <", ">100 100 <",
               "matrix 'NVLinkBandwidth' names an object twice (line 41)"},
        Broken{"matrix_values", ">0 25000 25000 0 <", ">0 25000 25000 0 0 <",
               "a matrix of 2 objects has more numbers than that (line 41)"},
        Broken{"matrix_number", ">0 25000", ">0 25k", "'25k' in a matrix is not a number (line 41)"}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(XmlScan, refuses_what_is_no_export_at_all) {
  EXPECT_EQ(scan_refusal(""), "the text has no element; an hwloc XML export is expected (line 1)");
  EXPECT_EQ(scan_refusal("hello"), "text outside of any element; an hwloc XML export is expected (line 1)");
  EXPECT_EQ(scan_refusal("\n<system version=\"2\"/>"),
            "the outermost element is 'system'; an hwloc XML export starts with 'topology' (line 2)");
  EXPECT_EQ(scan_refusal("<topology version=\"2.0\"></topology>"),
            "the topology does not start with an object (line 1)");
  EXPECT_EQ(scan_refusal("<topology\xff/>"), "the text is not UTF-8");
  EXPECT_EQ(scan_refusal(std::string(kMaxXmlBytes + 1, ' ')),
            "the text has 4194305 bytes; at most 4194304 are read");
}

TEST(XmlScan, refuses_deep_nesting) {
  std::string text = "<topology version=\"2.0\">";
  const std::string group = "<object type=\"Group\" " + HwlocSample::sets("0x1", "0x1") + " gp_index=\"";
  text += "<object type=\"Machine\" " + HwlocSample::sets("0x1", "0x1") + " gp_index=\"1\">";
  for (int i = 2; i < 100; ++i) text += group + std::to_string(i) + "\">";
  EXPECT_EQ(scan_refusal(text), "elements are nested deeper than 64 (line 1)");
  std::string flood = "<topology version=\"2.0\">";
  while (flood.size() < kMaxXmlBytes - 16) flood += "<object>";
  EXPECT_EQ(scan_refusal(flood), "an object has no type (line 1)");
}

TEST(XmlScan, refuses_too_many_objects) {
  HwlocSample sample;
  std::string devices;
  for (std::size_t i = 0; i < kMaxXmlObjects; ++i) devices += sample.os("eth" + std::to_string(i), 2);
  EXPECT_NE(scan_refusal(sample.text(devices)).find("there are more than 20000 objects (line "),
            std::string::npos);
}

TEST(XmlScan, refuses_nodes_that_do_not_add_up) {
  HwlocSample sample;
  const std::string text = sample.text();
  EXPECT_EQ(
      scan_refusal(replaced(text, "<object type=\"NUMANode\" os_index=\"1\" ", "<object type=\"Group\" ")),
      "object of type 'Group' has CPUs that no object in it has (line 18)");
  const std::size_t node = text.find("<object type=\"NUMANode\" os_index=\"1\"");
  EXPECT_EQ(scan_refusal(std::string(text).erase(node, text.find('\n', node) - node)),
            "the machine's nodeset has members that are not NUMA nodes (line 4)");
  const std::size_t core = text.find("<object type=\"Core\" os_index=\"1\"");
  const std::size_t end = text.find("</object>", core) + 9;
  EXPECT_EQ(scan_refusal(std::string(text).erase(core, end - core)),
            "object of type 'Package' has CPUs that no object in it has (line 6)");
}

// hwloc would sort them itself, and say so on the error output of whoever uses it.
TEST(XmlScan, refuses_objects_out_of_order) {
  const std::string text = HwlocSample().text();
  const std::size_t first = text.find("<object type=\"Package\" os_index=\"0\"");
  const std::size_t second = text.find("<object type=\"Package\" os_index=\"1\"");
  const std::size_t end = text.find("</object>\n<support");
  const std::string swapped = text.substr(0, first) + text.substr(second, end - second) +
                              text.substr(first, second - first) + text.substr(end);
  EXPECT_EQ(scan_refusal(swapped), "object of type 'Package' is not in the order of CPUs (line 17)");
}

TEST(XmlScan, refuses_every_cut) {
  const std::string text = with_device();
  const std::size_t whole = text.rfind('>');
  for (std::size_t size = 0; size <= whole; size += size + 200 < whole ? 100 : 1) {
    CleanXml clean;
    std::string why;
    EXPECT_FALSE(scan_hwloc_xml(std::string_view(text).substr(0, size), clean, why)) << size;
    EXPECT_NE(why.find(size == 0 ? "no element" : "cut off"), std::string::npos) << size << ": " << why;
  }
}

TEST(XmlScan, reads_version_1) {
  const std::string sets =
      "cpuset=\"0x1\" complete_cpuset=\"0x1\" online_cpuset=\"0x1\" allowed_cpuset=\"0x1\"";
  const std::string text =
      "<topology>\n<object type=\"Machine\" " + sets + ">\n<distances nbobjs=\"1\"/>" +
      "<object type=\"Socket\" " + sets + "><object type=\"Cache\" depth=\"2\" cache_type=\"0\" " + sets +
      "><object type=\"PU\" os_index=\"0\" " + sets + "/></object></object></object></topology>";
  const std::string clean = cleaned(text);
  EXPECT_NE(clean.find("<topology>"), std::string::npos);
  EXPECT_EQ(clean.find("distances"), std::string::npos);
  EXPECT_EQ(scan_refusal(replaced(text, "depth=\"2\"", "depth=\"6\"")),
            "object of type 'Cache' has a depth or cache_type that is not its own (line 3)");
  EXPECT_EQ(scan_refusal(replaced(text, "nbobjs=\"1\"", "nbobjs=\"9999\"")),
            "a matrix has nbobjs '9999', outside 0..256 (line 3)");
}

TEST(XmlSet, reads_the_form_of_hwloc) {
  XmlSet set;
  ASSERT_TRUE(set.parse("0x00000001,,0x80000000"));
  EXPECT_EQ(set.first(), 31u);
  XmlSet one;
  ASSERT_TRUE(one.parse("0x1,,0x0"));
  EXPECT_TRUE(one.is_only(64));
  EXPECT_TRUE(set.contains(one));
  EXPECT_FALSE(one.contains(set));
  XmlSet none;
  ASSERT_TRUE(none.parse("0x0,0x0"));
  EXPECT_TRUE(none.empty());
  EXPECT_EQ(none.first(), kMaxSetBits);
  for (const char* bad : {"", "1", "0x", "0x1g", "0x123456789", "0xf...f,0x1", "0x1,1", ",0x1", "0x1,-0x1"}) {
    EXPECT_FALSE(set.parse(bad)) << bad;
  }
  EXPECT_FALSE(set.parse("0x1" + std::string(kMaxSetBits / 32, ',')));
}

}  // namespace
}  // namespace cede
