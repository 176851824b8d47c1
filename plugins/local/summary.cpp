// SPDX-License-Identifier: MIT
#include "summary.h"

#include <algorithm>
#include <map>

#include "cli/json_text.h"
#include "cli/message_text.h"
#include "cli/text_table.h"
#include "duration.h"

namespace local {

namespace {

struct Totals {
  std::uint32_t started = 0;
  std::uint32_t preempted = 0;
  std::uint32_t resumed = 0;
  std::int64_t lost_work = 0;
  std::map<JobEnd, std::size_t> ends;
};

Totals totals_of(const Manager& manager) {
  Totals out;
  for (const JobRun& job : manager.jobs()) {
    out.started += job.starts;
    out.preempted += job.preemptions;
    out.resumed += job.resumes;
    out.lost_work += job.lost_work;
    ++out.ends[job.end];
  }
  return out;
}

struct Waits {
  std::size_t jobs = 0;
  std::int64_t total = 0;
  std::int64_t longest = 0;
};

std::map<std::pair<std::int32_t, std::int32_t>, Waits, std::greater<>> waits_of(const Manager& manager) {
  std::map<std::pair<std::int32_t, std::int32_t>, Waits, std::greater<>> out;
  for (const JobRun& job : manager.jobs()) {
    if (!job.arrived || job.end == JobEnd::refused) continue;
    Waits& waits = out[{job.job_class, job.priority}];
    std::int64_t waited = job.waited;
    if (job.waits()) waited += manager.clock().now() - job.waiting_since;
    ++waits.jobs;
    waits.total += waited;
    waits.longest = std::max(waits.longest, waited);
  }
  return out;
}

std::string ends_text(const Totals& totals) {
  std::string out;
  for (const auto& [end, count] : totals.ends) {
    const std::string word = end == JobEnd::none ? "never ended" : std::string(word_of(end));
    out += (out.empty() ? "" : ", ") + std::to_string(count) + ' ' + word;
  }
  return out;
}

std::string end_word(const JobRun& job) {
  return job.end == JobEnd::none ? (job.arrived ? "waiting" : "coming") : std::string(word_of(job.end));
}

// What relief did: one line for each target that was ever over its limit.
std::vector<std::string> relief_lines(const Manager& manager) {
  std::vector<std::string> out;
  for (const ReliefRun& relief : manager.relief()) {
    if (relief.plans == 0 && !relief.over) continue;
    std::string line =
        "relief of " + relief.target + ": " + cli::counted(relief.victims, "job") + " gave way";
    if (relief.over) line += relief.reason.empty() ? ", still over" : ", still over: " + relief.reason;
    out.push_back(std::move(line));
  }
  return out;
}

std::string_view claim_state(const EventRun& claim) {
  switch (claim.phase) {
    case EventPhase::coming: return "coming";
    case EventPhase::leaving: return "leaving";
    case EventPhase::ready: return "ready";
    case EventPhase::happened: return "done";
    default: return "waiting";
  }
}

std::vector<std::string> claim_lines(const Manager& manager) {
  std::vector<std::string> out;
  for (const EventRun& claim : manager.events()) {
    if (!claim.is_claim()) continue;
    std::string line = "claim of " + claim.spec->queue + " (" + claim.spec->reason + "): ";
    line += claim_state(claim);
    if (claim.ready > 0) {
      line += ", free after " + shown_duration(claim.ready - manager.clock().origin() - claim.spec->at) +
              ", " + cli::counted(claim.victims, "job") + " gave way";
    } else if (!claim.reason.empty()) {
      line += ", " + claim.reason;
    }
    out.push_back(std::move(line));
  }
  return out;
}

std::string relief_json(const ReliefRun& relief) {
  return "{\"target\":" + cli::json_quoted(relief.target) +
         ",\"group\":" + (relief.group.empty() ? "null" : cli::json_quoted(relief.group)) +
         ",\"plans\":" + std::to_string(relief.plans) + ",\"victims\":" + std::to_string(relief.victims) +
         ",\"over\":" + (relief.over ? "true" : "false") + '}';
}

std::string claim_json(const Manager& manager, const EventRun& claim) {
  std::string nodes;
  for (const std::string& node : claim.spec->nodes)
    nodes += (nodes.empty() ? "" : ",") + cli::json_quoted(node);
  return "{\"queue\":" + cli::json_quoted(claim.spec->queue) + ",\"nodes\":[" + nodes + "],\"reason\":\"" +
         claim.spec->reason + "\",\"state\":\"" + std::string(claim_state(claim)) +
         "\",\"victims\":" + std::to_string(claim.victims) + ",\"waited\":" +
         (claim.ready > 0 ? seconds(claim.ready - manager.clock().origin() - claim.spec->at) : "null") + '}';
}

}  // namespace

bool all_well(const Manager& manager) {
  return std::all_of(manager.jobs().begin(), manager.jobs().end(), [](const JobRun& job) {
    return job.end == JobEnd::completed || job.end == JobEnd::preempted;
  });
}

void print_summary(const Manager& manager, cli::Console& console) {
  const Totals totals = totals_of(manager);
  console.out('\n' + cli::counted(manager.jobs().size(), "job") + ": " + ends_text(totals) + '\n');
  console.out(std::to_string(totals.started) + " started, " + std::to_string(totals.preempted) +
              " preempted, " + std::to_string(totals.resumed) + " resumed, lost work " +
              shown_duration(totals.lost_work) + " of one GPU\n\n");
  cli::TextTable table(
      {{"class", true}, {"priority", true}, {"jobs", true}, {"mean wait", true}, {"longest", true}});
  for (const auto& [rank, waits] : waits_of(manager)) {
    table.add({std::to_string(rank.first), std::to_string(rank.second), std::to_string(waits.jobs),
               shown_duration(waits.total / static_cast<std::int64_t>(waits.jobs)),
               shown_duration(waits.longest)});
  }
  if (!table.empty()) table.print(console);
  for (const std::string& line : relief_lines(manager)) console.out(cli::one_line(line) + '\n');
  for (const std::string& line : claim_lines(manager)) console.out(cli::one_line(line) + '\n');
  for (const JobRun& job : manager.jobs()) {
    if (job.end == JobEnd::none && job.arrived)
      console.out("never ended: " + cli::one_line(job.spec->id) + ", " + cli::one_line(job.reason) + '\n');
  }
}

std::string run_document(const Manager& manager, const std::vector<RunEvent>& events) {
  const Totals totals = totals_of(manager);
  std::string out = "{\"format\":\"cede-run/1\",\"events\":[";
  for (const RunEvent& each : events) {
    out += (&each == &events.front() ? "\n" : ",\n") + ("{\"time\":" + seconds(each.time));
    out += ",\"event\":" + cli::json_quoted(each.what) + ",\"job\":" + cli::json_quoted(each.job);
    out += ",\"text\":" + cli::json_quoted(cli::as_utf8(each.text)) + '}';
  }
  out += "\n],\"jobs\":[";
  for (const JobRun& job : manager.jobs()) {
    out += (&job == &manager.jobs().front() ? "\n" : ",\n") + ("{\"id\":" + cli::json_quoted(job.spec->id));
    out += ",\"end\":\"" + end_word(job) + "\",\"priority\":" + std::to_string(job.priority);
    out += ",\"class\":" + std::to_string(job.job_class) + ",\"starts\":" + std::to_string(job.starts);
    out +=
        ",\"preempted\":" + std::to_string(job.preemptions) + ",\"resumed\":" + std::to_string(job.resumes);
    out += ",\"waited\":" + seconds(job.waited) + ",\"lost_work\":" + seconds(job.lost_work) + '}';
  }
  out += "\n],\"waits\":[";
  bool first = true;
  for (const auto& [rank, waits] : waits_of(manager)) {
    out += (first ? "\n" : ",\n") + ("{\"class\":" + std::to_string(rank.first));
    out += ",\"priority\":" + std::to_string(rank.second) + ",\"jobs\":" + std::to_string(waits.jobs);
    out += ",\"total\":" + seconds(waits.total) + ",\"longest\":" + seconds(waits.longest) + '}';
    first = false;
  }
  out += "\n],\"relief\":[";
  for (const ReliefRun& relief : manager.relief())
    out += (&relief == &manager.relief().front() ? "\n" : ",\n") + relief_json(relief);
  out += "\n],\"claims\":[";
  first = true;
  for (const EventRun& claim : manager.events()) {
    if (!claim.is_claim()) continue;
    out += (first ? "\n" : ",\n") + claim_json(manager, claim);
    first = false;
  }
  out += "\n],\"summary\":{\"started\":" + std::to_string(totals.started);
  out +=
      ",\"preempted\":" + std::to_string(totals.preempted) + ",\"resumed\":" + std::to_string(totals.resumed);
  out += ",\"lost_work\":" + seconds(totals.lost_work) +
         ",\"stopped\":" + (manager.stopped() ? "true" : "false");
  return out + ",\"stuck\":" + (manager.stuck() ? "true" : "false") + "}}\n";
}

}  // namespace local
