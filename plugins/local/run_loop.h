// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/console.h"
#include "manager.h"
#include "run_event.h"

namespace local {

enum class Output { automatic, lines, json };

// Runs a manager's cycles until the run is over: waits, handles signals, shows events.
class RunLoop : public RunEventListener {
 public:
  RunLoop(cli::Console& console, Output output);

  void on_event(const RunEvent& event) override;
  void run(Manager& manager, const std::string& folder);

 private:
  void follow(Manager& manager);
  void print_last_events();

  cli::Console& console_;
  Output output_;
  bool draws_ = false;
  std::vector<RunEvent> events_;
};

}  // namespace local
