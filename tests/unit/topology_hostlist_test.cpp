// SPDX-License-Identifier: MIT
#include "topology/import/slurm_lines.h"

#include <gtest/gtest.h>

namespace cede {
namespace {

std::string expanded(std::string_view text, std::size_t most = 1000) {
  std::vector<ListedName> names;
  HostlistFault fault;
  if (!expand_hostlist(text, most, names, fault)) {
    EXPECT_TRUE(names.empty());
    return "refused";
  }
  std::string out;
  for (const ListedName& name : names) out += (out.empty() ? "" : " ") + name.name;
  return out;
}

HostlistFault fault_of(std::string_view text, std::size_t most = 1000) {
  std::vector<ListedName> names{{"kept", 0}};
  HostlistFault fault;
  EXPECT_FALSE(expand_hostlist(text, most, names, fault)) << text;
  EXPECT_EQ(names.size(), 1u);
  return fault;
}

TEST(Hostlist, expands_ranges_and_lists) {
  EXPECT_EQ(expanded(""), "");
  EXPECT_EQ(expanded("login"), "login");
  EXPECT_EQ(expanded("a,b , c,,"), "a b c");
  EXPECT_EQ(expanded("n[1-3]"), "n1 n2 n3");
  EXPECT_EQ(expanded("n[001-003,20]"), "n001 n002 n003 n20");
  EXPECT_EQ(expanded("n[7]"), "n7");
  EXPECT_EQ(expanded("[1-2]"), "1 2");
}

TEST(Hostlist, pads_as_the_first_number_is_padded) {
  EXPECT_EQ(expanded("n[8-11]"), "n8 n9 n10 n11");
  EXPECT_EQ(expanded("n[08-11]"), "n08 n09 n10 n11");
  EXPECT_EQ(expanded("n[098-101]"), "n098 n099 n100 n101");
  EXPECT_EQ(expanded("n[99-101]"), "n99 n100 n101");
  EXPECT_EQ(expanded("n[0-0]"), "n0");
}

TEST(Hostlist, takes_several_brackets_and_what_follows_them) {
  EXPECT_EQ(expanded("r[0-1]n[0-1]-ib"), "r0n0-ib r0n1-ib r1n0-ib r1n1-ib");
  EXPECT_EQ(expanded("switch.1.[9-10],x[1]y"), "switch.1.9 switch.1.10 x1y");
}

TEST(Hostlist, tells_where_each_name_was_written) {
  std::vector<ListedName> names;
  HostlistFault fault;
  ASSERT_TRUE(expand_hostlist("a,n[1-2], b", 10, names, fault));
  ASSERT_EQ(names.size(), 4u);
  EXPECT_EQ(names[0].at, 0u);
  EXPECT_EQ(names[1].at, 2u);
  EXPECT_EQ(names[2].at, 2u);
  EXPECT_EQ(names[3].at, 10u);
}

TEST(Hostlist, refuses_what_is_malformed) {
  EXPECT_EQ(fault_of("n[1-3").text, "'n[1-3' has a '[' without its ']'");
  EXPECT_EQ(fault_of("n[1[2]]").text, "'n[1[2]]' has a '[' without its ']'");
  EXPECT_EQ(fault_of("n1]").text, "'n1]' has a ']' without its '['");
  EXPECT_EQ(fault_of("n[]").text,
            "'n[]' has '' in its brackets; numbers and ranges like '001-016,20' may stand there");
  EXPECT_EQ(fault_of("a,n[5-2]").text, "'n[5-2]' has the range '5-2', which runs backwards");
  EXPECT_EQ(fault_of("a,n[5-2]").at, 2u);
  for (const char* bad : {"n[a]", "n[1-]", "n[-1]", "n[1,]", "n[1--2]", "n[+1]", "n[ 1]", "n[1-2-3]",
                          "n[1000000000000000000]"}) {
    EXPECT_EQ(expanded(bad), "refused") << bad;
    EXPECT_FALSE(fault_of(bad).is_limit) << bad;
  }
  EXPECT_NE(fault_of(std::string(1025, 'x')).text.find("longer than a name may be"), std::string::npos);
  EXPECT_NE(fault_of(std::string(1024, 'x') + "[10]").text.find("a name has at most 1024"),
            std::string::npos);
  EXPECT_NE(fault_of("[1][1][1][1][1][1][1][1][1]").text.find("more than 8 brackets"), std::string::npos);
}

TEST(Hostlist, counts_before_it_expands) {
  EXPECT_EQ(expanded("n[1-10]", 10), "n1 n2 n3 n4 n5 n6 n7 n8 n9 n10");
  EXPECT_TRUE(fault_of("n[1-10]", 10).is_limit);  // one name is there already
  EXPECT_EQ(fault_of("n[0-999999999999999999]").text, "'n[0-999999999999999999]' stands for too many names");
  EXPECT_TRUE(fault_of("a[0-999999999]b[0-999999999]c[0-999999999]d[0-999999999]").is_limit);
  EXPECT_TRUE(fault_of("n[0-999,0-999,0-999]", 2999).is_limit);
  EXPECT_TRUE(fault_of("a", 1).is_limit);
  EXPECT_EQ(fault_of("a,b", 2).at, 2u);
}

}  // namespace
}  // namespace cede
