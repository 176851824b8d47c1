// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <optional>
#include <string>

#include "arguments.h"
#include "console.h"
#include "handles.h"

namespace cli {

// What describes a job that is not in the cluster. Each option is called like the job's field; `--queue` is
// needed.
inline constexpr std::array kSubmissionOptions{
    Option{"--queue", "", "QUEUE", "ask for a new job in this queue, described by the options that follow"},
    Option{"--group", "", "GROUP", "its group of nodes; not needed where there is only one"},
    Option{"--project", "", "PROJECT", "its project"},
    Option{"--user", "", "USER", "its user"},
    Option{"--kind", "", "KIND", "its kind; without it the queue's"},
    Option{"--priority", "", "N", "the priority it asks for"},
    Option{"--class", "", "N", "the preemption class it asks for"},
    Option{"--opt-out", "", "", "it asks not to be preempted"},
};

// A job and the cede-changes/1 document that adds it.
struct Submission {
  std::string job;
  std::string text;
};

// The job that the options describe, under a name that no job of the engine has. Empty if the engine refuses
// it; an error has been printed.
std::optional<Submission> describe_submission(const Arguments& arguments, const Engine& engine,
                                              Console& console);

}  // namespace cli
