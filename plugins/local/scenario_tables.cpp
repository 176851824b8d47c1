// SPDX-License-Identifier: MIT
#include "scenario_tables.h"

namespace local {

namespace {

using Type = ScenarioType;

constexpr std::array kSavingFields{
    ScenarioField{"signal", Type::signal, "the signal that it gets as a hint", "\"USR1\""},
    ScenarioField{"takes", Type::duration, "how long the built-in worker takes for saving", "0"},
    ScenarioField{"defer", Type::duration, "how much more time the built-in worker asks for first", "0"},
};

constexpr std::array kRunFields{
    ScenarioField{
        "command", Type::texts,
        "the program and its arguments; without it the built-in worker runs, which needs a duration"},
    ScenarioField{"arrival", Type::duration, "how long after the start of the run it is submitted", "0"},
    ScenarioField{"duration", Type::duration, "how long it works; exact for the built-in worker"},
    ScenarioField{.name = "checkpoint",
                  .type = Type::object,
                  .help = "how it saves its work on a hint; without it the built-in worker cannot",
                  .object = &kSavingObject},
    ScenarioField{"ignore_term", Type::flag, "whether the built-in worker goes on after TERM", "false"},
    ScenarioField{"first", Type::texts, "the nodes on which it may start the first time; default: any"},
    ScenarioField{"restart", Type::flag,
                  "whether its owner submits it again if the policy does not requeue it", "false"},
    ScenarioField{"environment", Type::variables, "environment variables of its processes"},
};

constexpr std::array kScenarioFields{
    ScenarioField{
        .name = "format", .type = Type::format, .help = "the format of the document", .required = true},
    ScenarioField{"title", Type::text, "what the view shows above the run"},
    ScenarioField{"speed", Type::speed, "seconds of the scenario in one real second", "1"},
    ScenarioField{"orphan_timeout", Type::duration,
                  "real time after which processes end if their manager is gone and does not come back",
                  "\"60s\""},
    ScenarioField{"patience", Type::duration, "the run ends if nothing happens for this long", "\"10m\""},
    ScenarioField{"cleanup_delay", Type::duration,
                  "how long after the mark the operator deletes a marked job", "\"5s\""},
    ScenarioField{.name = "cluster",
                  .type = Type::document,
                  .help = "a cede-cluster/1 document without jobs, or a file with one",
                  .required = true,
                  .definition = "cluster"},
    ScenarioField{.name = "policy",
                  .type = Type::document,
                  .help = "a cede-policy/1 document, or a file with one",
                  .required = true,
                  .definition = "policy_document"},
    ScenarioField{.name = "jobs",
                  .type = Type::jobs,
                  .help = "jobs as in a cluster document, each with `run` and without what the run sets",
                  .required = true},
    ScenarioField{.name = "events", .type = Type::events, .help = "what happens to the cluster meanwhile"},
};

constexpr ScenarioField kAt{.name = "at",
                            .type = Type::duration,
                            .help = "how long after the start of the run it happens",
                            .required = true};
constexpr ScenarioField kPartial{"partial", Type::flag,
                                 "whether the relief goes as far as it can if no set of victims is enough",
                                 "false"};

constexpr std::array<std::string_view, 1> kOvercommitWord{"overcommit"}, kLowerMaxWord{"lower-max"},
    kClaimWord{"claim"}, kNodeDownWord{"node-down"}, kNodeUpWord{"node-up"};

constexpr ScenarioField event(std::span<const std::string_view> word) {
  return {.name = "event", .type = Type::word, .help = "what happens", .required = true, .words = word};
}

constexpr ScenarioField node(std::string_view help, bool required) {
  return {.name = "node", .type = Type::text, .help = help, .required = required};
}

constexpr std::array kOvercommitFields{
    event(kOvercommitWord),
    kAt,
    node("the node that has less from then on; or a job is named", false),
    ScenarioField{"job", Type::text, "the job whose tasks use more from then on"},
    ScenarioField{"task", Type::text, "of that job, the only task that does"},
    ScenarioField{.name = "resources",
                  .type = Type::amounts,
                  .help = "what the node has, or each task uses, from then on",
                  .required = true},
    kPartial,
};
constexpr std::array kLowerMaxFields{
    event(kLowerMaxWord),
    kAt,
    ScenarioField{"queue", Type::text, "the queue whose max changes; or a job is named"},
    ScenarioField{"job", Type::text, "the job whose max changes"},
    ScenarioField{.name = "max", .type = Type::amounts, .help = "its max from then on", .required = true},
    kPartial,
};
constexpr std::array kClaimFields{
    event(kClaimWord),
    kAt,
    ScenarioField{
        .name = "queue", .type = Type::text, .help = "the queue that claims nodes", .required = true},
    ScenarioField{.name = "nodes", .type = Type::texts, .help = "the nodes it claims", .required = true},
    ScenarioField{.name = "reason",
                  .type = Type::word,
                  .help = "why it claims them",
                  .required = true,
                  .words = kClaimReasons},
    ScenarioField{"keep", Type::duration,
                  "how long the nodes are kept; default: until a job of the queue starts there"},
};
constexpr std::array kNodeDownFields{event(kNodeDownWord), kAt, node("the node that fails", true)};
constexpr std::array kNodeUpFields{event(kNodeUpWord), kAt, node("the node that works again", true)};

}  // namespace

constinit const ScenarioObject kSavingObject{"saving", "how a job saves its work on a hint", kSavingFields};
constinit const ScenarioObject kRunObject{"run", "what a job runs", kRunFields};
constinit const ScenarioObject kScenarioObject{
    "scenario", "a cluster, a policy and jobs that really run, for cede run", kScenarioFields};
constinit const std::array<ScenarioObject, 5> kEventObjects{{
    {"event_overcommit", "a node has less, or tasks use more", kOvercommitFields},
    {"event_lower_max", "a queue or job may use less", kLowerMaxFields},
    {"event_claim", "a queue claims nodes", kClaimFields},
    {"event_node_down", "a node fails", kNodeDownFields},
    {"event_node_up", "a node works again", kNodeUpFields},
}};

}  // namespace local
