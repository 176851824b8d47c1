// SPDX-License-Identifier: MIT
#include "base/checksum.h"

#include <array>
#include <cstdint>

#include "base/amount.h"

namespace cede {

namespace {

constexpr std::array<std::uint64_t, 256> make_table() {
  constexpr std::uint64_t kReflectedPolynomial = 0xC96C5795D7870F42U;
  std::array<std::uint64_t, 256> table{};
  for (std::size_t i = 0; i < table.size(); ++i) {
    std::uint64_t rest = i;
    for (int bit = 0; bit < 8; ++bit) rest = (rest >> 1U) ^ ((rest & 1U) != 0 ? kReflectedPolynomial : 0);
    table[i] = rest;
  }
  return table;
}

constexpr std::array<std::uint64_t, 256> kTable = make_table();

}  // namespace

std::uint64_t crc64(std::string_view bytes) {
  std::uint64_t rest = ~std::uint64_t{0};
  for (const char c : bytes) rest = kTable[(rest ^ static_cast<unsigned char>(c)) & 0xFFU] ^ (rest >> 8U);
  return ~rest;
}

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
