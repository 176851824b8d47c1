// SPDX-License-Identifier: MIT
#include "document/document.h"

#include <gtest/gtest.h>

namespace cede {
namespace {

std::string place(std::string_view text, Path path, bool at_key = false) {
  Problems problems;
  Problem problem;
  problem.path = std::move(path);
  problem.at_key = at_key;
  problems.add(problem);
  place_problems(text, problems);
  const Problem& placed = problems.all()[0];
  return std::to_string(placed.line) + ":" + std::to_string(placed.column);
}

constexpr std::string_view kText =
    "{\n  \"a\": [1, {\"b\\u0063\": \"x]}\\\"\", \"id\": \"second\"}],\n  \"c\": {\"d\": null}\n}";

TEST(Locate, FindsMembersAndElements) {
  EXPECT_EQ(place(kText, {PathStep::member("a")}), "2:8");
  EXPECT_EQ(place(kText, {PathStep::member("a")}, true), "2:3");
  EXPECT_EQ(place(kText, {PathStep::member("a"), PathStep::element(0)}), "2:9");
  EXPECT_EQ(place(kText, {PathStep::member("a"), PathStep::element(1), PathStep::member("bc")}), "2:24");
  EXPECT_EQ(place(kText, {PathStep::member("c"), PathStep::member("d")}), "3:14");
}

TEST(Locate, GoesAsFarAsThePathExists) {
  EXPECT_EQ(place(kText, {PathStep::member("c"), PathStep::member("missing")}), "3:8")
      << "a missing member: its object";
  EXPECT_EQ(place(kText, {PathStep::member("nowhere")}), "0:0") << "not in this text at all";
}

TEST(Locate, ANameInAListIsAnId) {
  Problems problems;
  Problem problem;
  problem.path = {PathStep::member("a"), PathStep::member("second"), PathStep::member("id")};
  problems.add(problem);
  place_problems(kText, problems);
  EXPECT_EQ(to_string(problems.all()[0].path), "a[1].id");
  EXPECT_EQ(problems.all()[0].line, 2u);
}

TEST(Locate, TheSecondOfTwoEqualKeys) {
  EXPECT_EQ(place(R"({"a":1, "a":2})", {PathStep::member("a")}, true), "1:9");
}

TEST(Locate, NeverReadsPastTheEnd) {
  for (std::size_t cut = 0; cut < kText.size(); ++cut) {
    place(kText.substr(0, cut), {PathStep::member("a"), PathStep::element(1), PathStep::member("bc")});
    place(kText.substr(0, cut), {PathStep::member("a"), PathStep::member("second")});
    place(kText.substr(0, cut), {PathStep::member("c"), PathStep::member("d")});
  }
}

}  // namespace
}  // namespace cede
