// SPDX-License-Identifier: MIT
// Rule 6 of the public header on a struct that has grown since the first version, which none of the header's
// own has yet. tests/abi tries the header's own structs.
#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "capi/array_in.h"
#include "capi/handles.h"

namespace cede::capi {

struct GrownStruct {
  std::uint32_t first;
  std::uint32_t second;  // the end of the first version
  std::uint32_t third;
};
template <>
inline constexpr std::size_t kFirstSize<GrownStruct> = 8;

namespace {

using Bytes = std::array<std::uint32_t, 8>;

TEST(Growth, AnArrayOfAnOlderCallerIsZeroExtended) {
  const Bytes entries{1, 2, 3, 4, 5, 6, 7, 8};
  const ArrayIn<GrownStruct> in(entries.data(), 8, 4);
  cede_error error;
  ASSERT_EQ(in.fault("entry", "entries", &error), 0) << error.text;
  EXPECT_EQ(in[1].first, 3u);
  EXPECT_EQ(in[1].second, 4u);
  EXPECT_EQ(in[1].third, 0u);
}

TEST(Growth, AnArrayOfANewerCallerMustBeZeroBehind) {
  Bytes entries{1, 2, 3, 0, 5, 6, 7, 0};
  const ArrayIn<GrownStruct> in(entries.data(), 16, 2);
  cede_error error;
  ASSERT_EQ(in.fault("entry", "entries", &error), 0) << error.text;
  EXPECT_EQ(in[1].third, 7u);
  entries[7] = 1;
  EXPECT_EQ(in.fault("entry", "entries", &error), CEDE_E_VERSION);
  EXPECT_STREQ(error.text, "entries[1]: fields behind byte 12 are of a newer version than the library's");
}

TEST(Growth, SizesOfNoVersionAreRefused) {
  const Bytes entries{};
  cede_error error;
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{4}, std::size_t{7}, std::size_t{4097}, SIZE_MAX}) {
    EXPECT_EQ((ArrayIn<GrownStruct>(entries.data(), size, 1).fault("entry", "entries", &error)),
              CEDE_E_INVALID);
    EXPECT_NE(std::strstr(error.text, "is not the size of this struct in any version; 8..4096 is"), nullptr)
        << error.text;
  }
}

TEST(Growth, CountsBeyondMemoryAreRefused) {
  const Bytes entries{};
  cede_error error;
  EXPECT_EQ((ArrayIn<GrownStruct>(entries.data(), 8, SIZE_MAX / 8).fault("entry", "entries", &error)),
            CEDE_E_INVALID);
  EXPECT_STREQ(error.text, "entry_count: 2305843009213693951 is more than memory can hold");
}

TEST(Growth, AnAnswerIsAsLargeAsItsPlace) {
  for (const std::size_t size : {8, 12, 20}) {
    Bytes room;
    room.fill(~0u);
    write_out(GrownStruct{1, 2, 3}, room.data(), size);
    EXPECT_EQ(room[1], 2u);
    EXPECT_EQ(room[2], size > 8 ? 3u : ~0u);
    EXPECT_EQ(room[3], size > 12 ? 0u : ~0u);
    EXPECT_EQ(room[5], ~0u);
  }
  GrownStruct out{};
  cede_error error;
  EXPECT_EQ(place_fault(&out, 4, "out", &error), CEDE_E_INVALID);
  EXPECT_EQ(place_fault<GrownStruct>(nullptr, 12, "out", &error), CEDE_E_INVALID);
  EXPECT_EQ(place_fault(&out, 8, "out", &error), 0);
}

TEST(Growth, MoreThanAContainerHoldsIsOutOfMemory) {
  cede_error error;
  EXPECT_EQ(guard(&error, [] { return static_cast<std::int32_t>(std::string(SIZE_MAX, 'x').size()); }),
            CEDE_E_NOMEM);
  EXPECT_STREQ(error.text, "out of memory: more is wanted than memory can hold");
}

}  // namespace
}  // namespace cede::capi
