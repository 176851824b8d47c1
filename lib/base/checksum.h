// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace cede {

// CRC-64/XZ: finds every damage within 64 consecutive bits, and any other but for one in 2^64.
std::uint64_t crc64(std::string_view bytes);

// 32 hexadecimal digits that tell texts apart: equal for equal bytes, on every machine and in every version
// (FNV-1a of 128 bits). It recognises, it does not authenticate.
std::string signature_of(std::string_view bytes);

}  // namespace cede
