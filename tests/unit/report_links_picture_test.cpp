// SPDX-License-Identifier: MIT
#include "report/topology_pictures.h"

#include <gtest/gtest.h>

namespace cede {
namespace {

NodeClass with(std::size_t devices, std::vector<NodeClass::LinkGroup> links, bool known = true) {
  NodeClass c;
  c.devices.resize(devices);
  c.links = std::move(links);
  c.links_known = known;
  return c;
}

const LinkClass nvl = LinkClass::nvl;

TEST(LinksPicture, says_it_in_a_sentence_where_that_is_enough) {
  EXPECT_TRUE(draw_links(with(1, {})).empty());
  EXPECT_EQ(draw_links(with(2, {})), (TextBlock{"links: none"}));
  EXPECT_EQ(draw_links(with(2, {}, false)), (TextBlock{"links: not known"}));
  EXPECT_EQ(draw_links(with(4, {{nvl, 0b1111, 6}})),
            (TextBlock{"links: GPU 0-3 each to each, 6 links per pair"}));
  EXPECT_EQ(
      draw_links(with(5, {{nvl, 0b11, 0}, {nvl, 0b1100, 1}})),
      (TextBlock{"links: GPU 0,1 each to each; GPU 2,3 each to each, 1 link per pair; GPU 4 not at all"}));
  EXPECT_EQ(draw_links(with(3, {{nvl, 0b11, 0}}, false)),
            (TextBlock{"links: GPU 0,1 each to each; GPU 2: not known"}));
}

TEST(LinksPicture, shows_links_that_do_not_close_pair_by_pair) {
  EXPECT_EQ(draw_links(with(3, {{nvl, 0b011, 4}, {nvl, 0b110, 0}})),
            (TextBlock{"links per pair (* some, . none, ? not known, ! degraded):", "  GPU    0 1 2",
                       "    0    - 4 .", "    1    4 - *", "    2    . * -"}));
}

TEST(LinksPicture, shows_degraded_and_unknown_pairs) {
  NodeClass c = with(3, {{nvl, 0b111, 12}});
  c.degraded = {{0, 2}};
  EXPECT_EQ(draw_links(c),
            (TextBlock{"links per pair (* some, . none, ? not known, ! degraded):", "  GPU      0   1   2",
                       "    0      -  12 12!", "    1     12   -  12", "    2    12!  12   -"}));
  EXPECT_EQ(draw_links(with(3, {{nvl, 0b011, 1}, {LinkClass::unknown, 0b101, 0}})),
            (TextBlock{"links per pair (* some, . none, ? not known, ! degraded):", "  GPU    0 1 2",
                       "    0    - 1 ?", "    1    1 - .", "    2    ? . -"}));
}

TEST(LinksPicture, lists_what_is_too_wide_for_a_table) {
  NodeClass c = with(64, {{nvl, 0b011, 4}, {nvl, 0b110, 0}});
  c.degraded = {{0, 1}};
  EXPECT_EQ(draw_links(c), (TextBlock{"links: GPU 0,1, 4 links per pair; GPU 1,2; no others; 0-1 degraded"}));
}

TEST(LinksPicture, names_other_classes) {
  EXPECT_EQ(draw_links(with(2, {{LinkClass::phb, 0b11, 0}})).back(), "phb: GPU 0,1");
}

}  // namespace
}  // namespace cede
