// SPDX-License-Identifier: MIT
#include <array>

#include "cli/schemas.h"

namespace local {

namespace {

using Field = cli::WrittenField;
using cli::kCountValue;
using cli::kFlagValue;
using cli::kNumberValue;
using cli::kTextOrNull;
using cli::kTextValue;

constexpr std::string_view kSecondsOrNull = R"("type":["number","null"])";
constexpr std::string_view kWhole = R"("type":"integer")";

constexpr std::array kRunAnswerFields{
    Field{"format", R"("const":"cede-run/1")", "word", "the format of the document"},
    Field{"events", R"("type":"array","items":{"$ref":"#/$defs/run_event"})", "list of objects",
          "what happened, in order"},
    Field{"jobs", R"("type":"array","items":{"$ref":"#/$defs/run_job"})", "list of objects",
          "what became of each job"},
    Field{"waits", R"("type":"array","items":{"$ref":"#/$defs/run_wait"})", "list of objects",
          "how long jobs waited, by class and priority"},
    Field{"relief", R"("type":"array","items":{"$ref":"#/$defs/run_relief"})", "list of objects",
          "every target that events may have brought over its limit, for a queue once per group"},
    Field{"claims", R"("type":"array","items":{"$ref":"#/$defs/run_claim"})", "list of objects",
          "what became of each claim"},
    Field{"summary", R"("$ref":"#/$defs/run_summary")", "object", "the run as a whole"},
};
constexpr std::array kRunEventFields{
    Field{"time", kNumberValue, "number", "seconds since the run began, in the scenario's time"},
    Field{"event", kTextValue, "text", "what happened"},
    Field{"job", kTextValue, "text",
          "the job, or the target of a relief or the queue of a claim, as in `queue:root.ml`"},
    Field{"text", kTextValue, "text", "more about it"},
};
constexpr std::array kRunJobFields{
    Field{"id", kTextValue, "text", "the job"},
    Field{"end", kTextValue, "text",
          "completed, failed, preempted (for good), refused, impossible, stopped, waiting or coming"},
    Field{"priority", kWhole, "whole number", "its priority"},
    Field{"class", kCountValue, "whole number", "its class"},
    Field{"starts", kCountValue, "whole number", "how often it started"},
    Field{"preempted", kCountValue, "whole number", "how often it was preempted"},
    Field{"resumed", kCountValue, "whole number", "how often it went on from a checkpoint"},
    Field{"waited", kNumberValue, "number", "how many seconds it waited"},
    Field{"lost_work", kNumberValue, "number", "how many GPU-seconds of work it lost"},
};
constexpr std::array kRunWaitFields{
    Field{"class", kCountValue, "whole number", "the class"},
    Field{"priority", kWhole, "whole number", "the priority"},
    Field{"jobs", kCountValue, "whole number", "how many jobs have both"},
    Field{"total", kNumberValue, "number", "how many seconds they waited together"},
    Field{"longest", kNumberValue, "number", "how many seconds one of them waited at most"},
};
constexpr std::array kRunReliefFields{
    Field{"target", kTextValue, "text", "the node, queue or job, as in `node:n1`"},
    Field{"group", kTextOrNull, "text, or null", "the group that counts"},
    Field{"plans", kCountValue, "whole number", "how many plans were committed"},
    Field{"victims", kCountValue, "whole number", "how many victims they had together"},
    Field{"over", kFlagValue, "true or false", "whether it is still over its limit"},
};
constexpr std::array kRunClaimFields{
    Field{"queue", kTextValue, "text", "the queue that claims"},
    Field{"nodes", cli::kTextsValue, "list of texts", "the nodes it claims"},
    Field{"reason", kTextValue, "text", "reclaim or sensitive"},
    Field{"state", kTextValue, "text", "coming, waiting, leaving, ready or done"},
    Field{"victims", kCountValue, "whole number", "how many victims it had"},
    Field{"waited", kSecondsOrNull, "number, or null", "how many seconds it took until its nodes were free"},
};
constexpr std::array kRunSummaryFields{
    Field{"started", kCountValue, "whole number", "how many jobs started"},
    Field{"preempted", kCountValue, "whole number", "how many preemptions there were"},
    Field{"resumed", kCountValue, "whole number", "how often a job went on from a checkpoint"},
    Field{"lost_work", kNumberValue, "number", "how many GPU-seconds of work were lost"},
    Field{"stopped", kFlagValue, "true or false", "whether it was ended before its time"},
    Field{"stuck", kFlagValue, "true or false", "whether it ended because nothing happened any more"},
};
constexpr std::array kRunObjects{
    cli::WrittenObject{"run", "what happened in a run", kRunAnswerFields},
    cli::WrittenObject{"run_event", "something that happened", kRunEventFields},
    cli::WrittenObject{"run_job", "what became of a job", kRunJobFields},
    cli::WrittenObject{"run_wait", "how long jobs of one class and priority waited", kRunWaitFields},
    cli::WrittenObject{"run_relief", "what was brought within its limit", kRunReliefFields},
    cli::WrittenObject{"run_claim", "what became of a claim", kRunClaimFields},
    cli::WrittenObject{"run_summary", "the run as a whole", kRunSummaryFields},
};

}  // namespace

}  // namespace local

constinit const cli::WrittenFormat cli::kRunFormat{"cede-run/1", local::kRunObjects};
