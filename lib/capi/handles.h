// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "cede/cede.h"
#include "engine/engine.h"

// What the opaque handles of the public header are.

struct cede_engine {
  cede::Engine engine;
};

struct cede_report {
  struct Finding {
    cede_finding facts;
    std::string path;
    std::string text;
  };
  std::vector<Finding> findings;
  std::size_t dropped = 0;
};

struct cede_text {
  std::string text;
};
