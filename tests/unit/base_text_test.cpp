// SPDX-License-Identifier: MIT
#include "base/text.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "base/problem.h"

namespace cede {
namespace {

TEST(Text, QuotesStayOneReadableLine) {
  EXPECT_EQ(quote("a b"), "'a b'");
  EXPECT_EQ(quote("a\nb\x7f\xC2\x85"), "'a\\u000ab\\u007f\\u0085'");
  const std::string shown = quote(std::string(300, 'x'));
  EXPECT_LT(shown.size(), 70u);
  EXPECT_TRUE(shown.ends_with("xxx'"));
  const std::string names = quote(std::string(300, 'x') + "-the-last-of-them");
  EXPECT_TRUE(names.find("…") != std::string::npos && names.ends_with("-the-last-of-them'")) << names;
  std::string umlauts;
  for (int i = 0; i < 100; ++i) umlauts += "ü";
  EXPECT_TRUE(is_utf8(quote(umlauts))) << "cut between characters, never inside one";
}

TEST(Text, WhatIsNotSeenIsMadeVisible) {
  EXPECT_EQ(visible("aü☃😀 \xC2\xA0"), "aü☃😀 \xC2\xA0");
  for (const auto& [unseen, shown] :
       std::initializer_list<std::pair<std::string, std::string>>{{std::string(1, '\0'), "\\u0000"},
                                                                  {"\x1b", "\\u001b"},
                                                                  {"\x7f", "\\u007f"},
                                                                  {"\xC2\x80", "\\u0080"},
                                                                  {"\xC2\x9F", "\\u009f"},
                                                                  {"\xD8\x9C", "\\u061c"},
                                                                  {"\xE2\x80\x8E", "\\u200e"},
                                                                  {"\xE2\x80\x8F", "\\u200f"},
                                                                  {"\xE2\x80\xA8", "\\u2028"},
                                                                  {"\xE2\x80\xA9", "\\u2029"},
                                                                  {"\xE2\x80\xAA", "\\u202a"},
                                                                  {"\xE2\x80\xAE", "\\u202e"},
                                                                  {"\xE2\x81\xA6", "\\u2066"},
                                                                  {"\xE2\x81\xA9", "\\u2069"},
                                                                  {"\xFF", "\\xff"},
                                                                  {"\xE2\x80", "\\xe2\\x80"}}) {
    EXPECT_EQ(visible("a" + unseen + "b"), "a" + shown + "b");
    EXPECT_EQ(quote(unseen), "'" + shown + "'");
  }
  // Their neighbours are seen.
  for (const char* seen :
       {"\xE2\x80\x8D", "\xE2\x80\x90", "\xE2\x80\xA7", "\xE2\x80\xAF", "\xE2\x81\xA5", "\xE2\x81\xAA"})
    EXPECT_EQ(visible(seen), seen);
}

TEST(Text, NothingIsReadOfATextThatIsTooLongForAName) {
  EXPECT_FALSE(is_name({"abc", std::size_t{1} << 62}));
  EXPECT_TRUE(is_name("knöten-7 ☃"));
  EXPECT_FALSE(is_name("a\xC2\x9F"));
  EXPECT_FALSE(is_name("a\xFF"));
  EXPECT_FALSE(is_name(""));
}

TEST(Text, NearestIsNearEnough) {
  constexpr std::array<std::string_view, 3> kWords{"priority", "project", "preemptible"};
  EXPECT_EQ(nearest("prioirty", kWords), "priority");
  EXPECT_EQ(nearest("projekt", kWords), "project");
  EXPECT_EQ(nearest("rpoejct", kWords), "project") << "a swap of letters counts once";
  EXPECT_EQ(nearest("banana", kWords), "");
  EXPECT_EQ(nearest("", kWords), "");
  EXPECT_EQ(did_you_mean("prioirty", kWords), "; did you mean 'priority'?");
  EXPECT_EQ(nearest(std::string(100'000, 'p'), kWords), "") << "hostile keys cost nothing";
}

TEST(Text, NamesHaveBounds) {
  EXPECT_EQ(name_fault("n1"), "");
  EXPECT_EQ(name_fault(std::string(1024, 'x')), "");
  EXPECT_EQ(name_fault("knöten-7 ☃"), "");
  EXPECT_NE(name_fault(""), "");
  EXPECT_NE(name_fault(std::string(1025, 'x')).find("1025 bytes long; a name has at most 1024"),
            std::string::npos);
  EXPECT_NE(name_fault("a\tb").find("control character at byte 1"), std::string::npos);
  EXPECT_NE(name_fault("a\xC2\x9F"), "");
  EXPECT_EQ(name_fault("a\xC2\xA0"), "");
}

TEST(Text, PlainNamesAreNames) {
  EXPECT_TRUE(is_plain_name("node-1.example"));
  for (const std::string& text :
       {std::string(), std::string(1025, 'x'), std::string("a\nb"), std::string("ü")}) {
    EXPECT_FALSE(is_plain_name(text));
  }
}

TEST(Text, Utf8) {
  EXPECT_TRUE(is_utf8("aü☃😀"));
  for (const char* text :
       {"\x80", "\xC0\x80", "\xE2\x98", "\xED\xA0\x80", "\xF5\x80\x80\x80", "\xF4\x90\x80\x80", "a\xC3"}) {
    EXPECT_FALSE(is_utf8(text));
  }
}

TEST(Problem, PathsReadLikeTheDocument) {
  EXPECT_EQ(to_string(Path{PathStep::member("jobs"), PathStep::element(17), PathStep::member("queue")}),
            "jobs[17].queue");
  EXPECT_EQ(to_string(Path{PathStep::member("labels"), PathStep::member("a b")}), "labels['a b']");
  Problem problem;
  problem.path = {PathStep::member("jobs"), PathStep::element(0)};
  problem.text = "is wrong";
  problem.line = 3;
  problem.column = 4;
  EXPECT_EQ(problem.message(), "jobs[0]: is wrong (line 3, column 4)");
}

TEST(Problems, KeepsErrorsBeforeWarnings) {
  Problems problems(2);
  problems.warning({}, "w1");
  problems.warning({}, "w2");
  problems.error({}, "e1");
  EXPECT_EQ(problems.errors(), 1u);
  EXPECT_EQ(problems.dropped(), 1u);
  ASSERT_EQ(problems.all().size(), 2u);
  EXPECT_EQ(problems.all()[1].text, "e1");
  problems.error({}, "e2");
  problems.error({}, "e3");
  EXPECT_TRUE(problems.full());
  EXPECT_EQ(problems.errors(), 3u);
  EXPECT_EQ(problems.dropped(), 3u);
  EXPECT_EQ(problems.all()[0].text, "e1");
  EXPECT_EQ(problems.all()[1].text, "e2");
}

}  // namespace
}  // namespace cede
