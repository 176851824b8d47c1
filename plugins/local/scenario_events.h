// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/console.h"
#include "cli/handles.h"
#include "cli/json_tree.h"
#include "scenario.h"
#include "scenario_fields.h"
#include "scenario_names.h"

namespace local {

// The amounts in a member such as `resources` or `max`; none if there is no such object.
Amounts amounts_of(const cli::JsonNode& object, std::string_view name, std::string_view document);

// Reads the member `events` of a scenario and reports mistakes in it.
class ScenarioEvents {
 public:
  ScenarioEvents(ScenarioFields& fields, Scenario& scenario) : fields_(fields), scenario_(scenario) {}

  // Reads all events into the scenario, in the order in which they happen.
  void read(const cli::JsonNode& root);
  // Reports names of nodes, queues, jobs and tasks that do not exist. The scenario has all of them by now.
  void check_names();
  // Reports what the library would refuse. The engine has the cluster loaded, without jobs.
  void ask_library(const cli::Engine& engine, const std::string& file, cli::Console& console);

 private:
  // An event and where it stands.
  struct Read {
    EventSpec spec;
    cli::JsonNode node;
    std::string path;
    bool good = true;
  };

  void read_event(Read& event);
  void read_subject(Read& event, std::initializer_list<std::string_view> allowed);
  void read_amounts(Read& event, std::string_view name);
  void read_claim(Read& event);
  void fail(Read& event, std::string_view member, std::string text);
  void check_name(Read& event, std::string_view member, const std::string& name, std::string_view noun,
                  const Names& known);
  void check_task(Read& event);
  void ask_about_claim(const cli::Engine& engine, Read& event);
  std::string change_of(const EventSpec& event) const;

  ScenarioFields& fields_;
  Scenario& scenario_;
  std::vector<Read> events_;
};

}  // namespace local
