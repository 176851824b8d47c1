// SPDX-License-Identifier: MIT
#pragma once

namespace cede {

// 128-bit integers, an extension of every compiler we build with. Named here once so that -Wpedantic stays
// on.
__extension__ typedef __int128 Wide;
__extension__ typedef unsigned __int128 UnsignedWide;

}  // namespace cede
