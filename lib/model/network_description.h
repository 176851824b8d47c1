// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cede {

// A network as one text describes it, before it meets a cluster: plain data. A domain's parent is of a
// farther level, so there is no circle; a node is in its domain and in all that lie around that.
struct NetworkDescription {
  struct Domain {
    std::string name;
    std::uint32_t level = 0;   // in `levels`
    std::int32_t parent = -1;  // in `domains`, or -1
    std::uint32_t line = 0;    // of the text
  };
  struct Node {
    std::string name;
    std::uint32_t domain = 0;  // in `domains`
    std::uint32_t line = 0;
  };

  std::vector<std::string> levels;  // nearest first
  std::vector<Domain> domains;      // in the order of the text, those of its own making behind
  std::vector<Node> nodes;          // likewise; each once
};

}  // namespace cede
