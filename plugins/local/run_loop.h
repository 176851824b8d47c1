// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/console.h"
#include "happening.h"
#include "manager.h"

namespace local {

enum class Output { automatic, lines, json };

// Turns a manager's rounds into a run: waits, listens to the terminal, shows what happens.
class RunLoop : public Listener {
 public:
  RunLoop(cli::Console& console, Output output);

  void hear(const Happening& happening) override;
  void run(Manager& manager, const std::string& folder);

 private:
  void follow(Manager& manager);
  void print_last_words();

  cli::Console& console_;
  Output output_;
  bool draws_ = false;
  std::vector<Happening> story_;
};

}  // namespace local
