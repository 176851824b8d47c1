// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace cede {

// CRC-64/XZ: detects every damage within 64 consecutive bits, and any other damage except for one case in
// 2^64.
std::uint64_t crc64(std::string_view bytes);

// 32 hexadecimal digits that identify a text: equal for equal bytes, on every machine and in every version
// (128-bit FNV-1a). Does not authenticate.
std::string signature_of(std::string_view bytes);

}  // namespace cede
