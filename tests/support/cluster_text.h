// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

// A cluster document such as a site would export, for sizes that tests and benchmarks choose: nodes of 8 GPUs
// in leaves of 40, a tree of queues, and as many running and waiting jobs as are asked for. Equal arguments
// give equal text.
std::string make_cluster_text(std::size_t nodes, std::size_t jobs, std::uint64_t seed = 1);
