// SPDX-License-Identifier: MIT
// The replaced operator new of nomem.cpp and churn.cpp: counts, and fails on demand. One thread only.
#pragma once

#include <cstddef>

namespace allocations {

// Fails the nth allocation from now (1: the next), and with `for_good` every one after it.
void fail_after(std::size_t nth, bool for_good);
// No more failures; tells whether one was delivered since fail_after().
bool stop_failing();

std::size_t made();       // ever
std::ptrdiff_t living();  // made and not freed
std::size_t living_bytes();

}  // namespace allocations
