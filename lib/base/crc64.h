// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

namespace cede {

// CRC-64/XZ: finds every damage within 64 consecutive bits, and any other but for one in 2^64.
std::uint64_t crc64(std::string_view bytes);

}  // namespace cede
