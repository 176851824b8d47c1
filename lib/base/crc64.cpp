// SPDX-License-Identifier: MIT
#include "base/crc64.h"

#include <array>

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

}  // namespace cede
