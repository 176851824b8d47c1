// SPDX-License-Identifier: MIT
#include "base/signature.h"

#include <cstdint>

#include "base/wide.h"

namespace cede {

std::string signature_of(std::string_view bytes) {
  constexpr auto kBasis = UnsignedWide{0x6c62272e07bb0142} << 64 | UnsignedWide{0x62b821756295c58d};
  constexpr auto kPrime = UnsignedWide{1} << 88 | UnsignedWide{0x13b};
  UnsignedWide hash = kBasis;
  for (const char byte : bytes) {
    hash ^= static_cast<unsigned char>(byte);
    hash *= kPrime;
  }
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out(32, '0');
  for (std::size_t i = 0; i < out.size(); ++i)
    out[out.size() - 1 - i] = kDigits[static_cast<std::size_t>(hash >> 4 * i & 15)];
  return out;
}

}  // namespace cede
