// SPDX-License-Identifier: MIT
#include "view.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>

#include "cli/message_text.h"
#include "duration.h"

namespace local {

namespace {

constexpr std::string_view kBold = "\033[1m";
constexpr std::string_view kDim = "\033[2m";
constexpr std::string_view kRed = "\033[31m";
constexpr std::string_view kGreen = "\033[32m";
constexpr std::string_view kYellow = "\033[33m";
// Backgrounds that black letters can be read on.
constexpr std::array kBackgrounds{75,  114, 215, 176, 80,  222, 210, 147,
                                  150, 216, 117, 183, 186, 109, 174, 252};
constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

std::string_view style_of_word(std::string_view what) {
  if (what == "start" || what == "resume" || what == "complete") return kGreen;
  if (what == "kill" || what == "failed" || what == "refused" || what == "impossible" || what == "unsaved")
    return kRed;
  if (what == "claim-ready" || what == "relieved") return kGreen;
  if (what == "node-down") return kRed;
  if (what == "overcommit" || what == "lower-max" || what == "claim") return kBold;
  if (what == "plan" || what == "hint" || what == "term" || what == "suspend" || what == "defer")
    return kYellow;
  return {};
}

std::string_view state_word(std::int32_t state) {
  constexpr std::array<std::string_view, 9> kWords{"",        "preparing", "waiting",   "short", "ready",
                                                   "started", "expired",   "cancelled", "failed"};
  return state > 0 && static_cast<std::size_t>(state) < kWords.size()
             ? kWords[static_cast<std::size_t>(state)]
             : "";
}

bool uses(const Place& place, const NodeSpec& node, std::uint32_t device) {
  if (place.node != node.id) return false;
  const bool shared = place.devices.share > 0 && place.devices.share_device == device;
  return shared || (place.devices.gpus >> device & 1) != 0;
}

// When the next harsher step comes for a job that is on its way out.
std::string deadline_of(const Manager& manager, const std::string& id) {
  for (const JobRun& job : manager.jobs()) {
    if (job.spec->id != id) continue;
    for (const TaskRun& task : job.tasks) {
      if (task.state == TaskState::running && task.deadline > manager.clock().now())
        return " (" + shown_duration(task.deadline - manager.clock().now()) + " left)";
    }
  }
  return {};
}

// Whether only the claiming queue gets the node.
bool is_claimed(const Manager& manager, const std::string& node) {
  return std::any_of(manager.events().begin(), manager.events().end(), [&node](const EventRun& event) {
    const std::vector<std::string>& nodes = event.spec->nodes;
    return event.phase >= EventPhase::leaving && std::find(nodes.begin(), nodes.end(), node) != nodes.end();
  });
}

std::string requester_text(const LedgerEntry& entry) {
  switch (entry.fields.purpose) {
    case CEDE_FOR_JOB: return entry.requester;
    case CEDE_FOR_RECLAIM:
    case CEDE_FOR_SENSITIVE: return "claim of " + entry.requester;
    default: return "relief of " + entry.requester;
  }
}

// One device: the job that holds it, and the sign after that job's letter.
struct Cell {
  std::size_t job;
  char sign = ' ';
};

// `!` for a job on its way out, `+` for a free device that is kept for a job.
std::vector<Cell> cells_of(const Manager& manager, const NodeSpec& node) {
  std::vector<Cell> out(node.gpus, Cell{manager.jobs().size()});
  for (std::size_t j = 0; j < manager.jobs().size(); ++j) {
    const JobRun& job = manager.jobs()[j];
    for (std::uint32_t d = 0; d < node.gpus; ++d) {
      for (const TaskRun& task : job.tasks) {
        if (task.state != TaskState::running || !uses(task.place, node, d)) continue;
        out[d] = {j, task.hinted || task.ending || task.marked ? '!' : ' '};
      }
      const bool free = out[d].job == manager.jobs().size();
      const bool kept = std::any_of(job.planned_places.begin(), job.planned_places.end(),
                                    [&](const Place& place) { return uses(place, node, d); });
      if (free && kept && job.waits()) out[d] = {j, '+'};
    }
  }
  // A job that is listed later may still be where an earlier job will go.
  for (std::size_t j = 0; j < manager.jobs().size(); ++j) {
    for (const TaskRun& task : manager.jobs()[j].tasks) {
      for (std::uint32_t d = 0; task.state == TaskState::running && d < node.gpus; ++d) {
        if (out[d].sign == '+' && uses(task.place, node, d))
          out[d] = {j, task.hinted || task.ending ? '!' : ' '};
      }
    }
  }
  return out;
}

}  // namespace

View::Line& View::Line::add(std::string_view text, std::string_view style) {
  if (used_ >= room_) return *this;
  std::string plain = cli::one_line(text);
  if (cli::width(plain) > room_ - used_) {
    // By characters, not bytes: half a character would break the terminal's count.
    std::size_t end = 0, count = 0;
    while (end < plain.size() && count < room_ - used_) {
      ++end;
      while (end < plain.size() && (static_cast<unsigned char>(plain[end]) & 0xc0) == 0x80) ++end;
      ++count;
    }
    plain.resize(end);
  }
  used_ += cli::width(plain);
  const bool styled = color_ && !style.empty();
  if (styled) out_ += style;
  out_ += plain;
  if (styled) out_ += "\033[0m";
  return *this;
}

View::Line& View::Line::pad_to(std::size_t column) {
  if (used_ < column) add(std::string(column - used_, ' '));
  return *this;
}

char View::letter_of(std::size_t job) { return kLetters[job % kLetters.size()]; }

std::string View::style_of(std::size_t job) const {
  return "\033[30;48;5;" + std::to_string(kBackgrounds[job % kBackgrounds.size()]) + 'm';
}

void View::heading(const Manager& manager) {
  std::size_t running = 0, ended = 0;
  for (const JobRun& job : manager.jobs()) {
    running += job.live() && job.has(TaskState::running) ? 1 : 0;
    ended += job.end != JobEnd::none ? 1 : 0;
  }
  Line first = line();
  first.add("cede run", kBold).add("  " + shown_duration(manager.clock().elapsed()), kBold);
  if (manager.clock().speed() != 1) {
    char speed[32];
    std::snprintf(speed, sizeof speed, "  x%g", manager.clock().speed());
    first.add(speed, kDim);
  }
  first.add("  " + std::to_string(running) + " running, " + std::to_string(manager.queue().size()) +
            " waiting, " + std::to_string(ended) + " ended");
  if (manager.stopped()) first.add("  ending all jobs", kRed);
  lines_.push_back(first.take());
  if (!manager.scenario().title.empty()) lines_.push_back(line().add(manager.scenario().title, kDim).take());
  lines_.emplace_back();
}

void View::add_node(const Manager& manager, const NodeSpec& node, std::size_t column, Line& out) {
  const bool down = manager.cluster().is_down(node.id);
  const bool claimed = is_claimed(manager, node.id);
  out.pad_to(column).add(node.id, down ? kRed : claimed ? kYellow : std::string_view{});
  out.add(down ? "x" : claimed ? "*" : " ", down ? kRed : kYellow);
  for (const Cell& cell : cells_of(manager, node)) {
    if (cell.job == manager.jobs().size()) {
      out.add(". ", kDim);
    } else {
      out.add(std::string{letter_of(cell.job), cell.sign}, style_of(cell.job));
    }
  }
}

void View::map(const Manager& manager) {
  const std::vector<NodeSpec>& nodes = manager.scenario().nodes;
  std::size_t widest = 0;
  std::vector<std::string> domains;
  for (const NodeSpec& node : nodes) {
    widest = std::max(widest, cli::width(node.id) + 1 + std::size_t{node.gpus} * 2 + 2);
    if (std::find(domains.begin(), domains.end(), node.domain) == domains.end())
      domains.push_back(node.domain);
  }
  const std::size_t across = std::max<std::size_t>(1, widest > 0 ? columns_ / widest : 1);
  for (const std::string& domain : domains) {
    if (!domain.empty()) lines_.push_back(line().add(domain, kDim).take());
    std::size_t column = 0;
    Line row = line();
    for (const NodeSpec& node : nodes) {
      if (node.domain != domain || node.gpus == 0) continue;
      if (column == across) {
        lines_.push_back(row.take());
        row = line();
        column = 0;
      }
      add_node(manager, node, column++ * widest, row);
    }
    if (column > 0) lines_.push_back(row.take());
  }
  // The legend of letters and jobs, as many as fit into three lines.
  std::size_t used = 0, rows = 0;
  Line legend = line();
  for (std::size_t j = 0; j < manager.jobs().size() && rows < 3; ++j) {
    const JobRun& job = manager.jobs()[j];
    if (!job.live() || !job.has(TaskState::running)) continue;
    const std::string name = ' ' + job.spec->id + "  ";
    if (used > 0 && used + 2 + cli::width(name) > columns_) {
      lines_.push_back(legend.take());
      legend = line();
      used = 0;
      ++rows;
    }
    legend.add(std::string(1, letter_of(j)) + ' ', style_of(j)).add(name);
    used += 2 + cli::width(name);
  }
  if (used > 0) lines_.push_back(legend.take());
  lines_.emplace_back();
}

void View::queue(const Manager& manager, std::size_t most) {
  const std::vector<std::size_t> waiting = manager.queue();
  lines_.push_back(line().add("waiting", kBold).add(waiting.empty() ? "  nobody" : "").take());
  for (std::size_t i = 0; i < waiting.size() && i < most; ++i) {
    const JobRun& job = manager.jobs()[waiting[i]];
    Line out = line();
    out.add("  ")
        .add(std::string(1, letter_of(waiting[i])) + ' ', style_of(waiting[i]))
        .add(" " + job.spec->id);
    out.pad_to(18).add("class " + std::to_string(job.job_class) + ", priority " +
                       std::to_string(job.priority));
    if (job.resume) out.add(", resumes", kGreen);
    out.add(", " + shown_duration(manager.clock().now() - job.waiting_since) + "  ");
    lines_.push_back(out.add(job.reason, kDim).take());
  }
  if (waiting.size() > most)
    lines_.push_back(line().add("  and " + std::to_string(waiting.size() - most) + " more", kDim).take());
  lines_.emplace_back();
}

void View::in_flight(const Manager& manager, std::size_t most) {
  lines_.push_back(line().add("in flight", kBold).take());
  std::size_t shown_count = 0;
  for (const LedgerEntry& entry : manager.library().in_flight()) {
    if (entry.fields.state > CEDE_ENTRY_READY || shown_count++ >= most) continue;
    Line out = line();
    out.add("  " + requester_text(entry) + ": ").add(state_word(entry.fields.state), kYellow);
    for (const auto& [job, phase] : entry.victims)
      out.add("  " + job + ' ' + phase + deadline_of(manager, job));
    if (entry.fields.deadline != CEDE_NOW_OF_CLUSTER)
      out.add("  until " + shown_duration(entry.fields.deadline - manager.clock().origin()), kDim);
    lines_.push_back(out.take());
  }
  if (shown_count == 0) lines_.back() += "  nothing";
  events_that_wait(manager, most);
  lines_.emplace_back();
}

// Claims and relief that the library refuses at present.
void View::events_that_wait(const Manager& manager, std::size_t most) {
  std::size_t shown_count = 0;
  const auto show = [&](const std::string& what, const std::string& reason) {
    if (reason.empty() || shown_count++ >= most) return;
    lines_.push_back(line().add("  " + what + ": ").add("refused", kYellow).add("  " + reason, kDim).take());
  };
  for (const ReliefRun& relief : manager.relief()) {
    if (relief.over && !relief.rule.empty()) show("relief of " + relief.target, relief.reason);
  }
  for (const EventRun& event : manager.events()) {
    const std::string_view what = event.is_claim() ? "claim" : word_of(event.spec->kind);
    if (event.phase == EventPhase::asking || event.phase == EventPhase::refused)
      show(std::string(what) + " of " + (event.is_claim() ? event.spec->queue : event.spec->target()),
           event.reason);
  }
}

void View::last_events(const std::vector<RunEvent>& events, std::size_t most) {
  const std::size_t first = events.size() > most ? events.size() - most : 0;
  for (std::size_t i = first; i < events.size(); ++i) {
    const std::string text = shown(events[i]);
    lines_.push_back(line().add(text, style_of_word(events[i].what)).take());
  }
}

std::vector<std::string> View::frame(const Manager& manager, const std::vector<RunEvent>& events,
                                     std::size_t columns, std::size_t rows) {
  columns_ = std::max<std::size_t>(columns, 1);
  lines_.clear();
  heading(manager);
  map(manager);
  queue(manager, rows > 30 ? 6 : 3);
  in_flight(manager, rows > 30 ? 4 : 2);
  const std::size_t left = rows > lines_.size() + 1 ? rows - lines_.size() - 1 : 0;
  last_events(events, left);
  if (lines_.size() > rows) lines_.resize(rows);
  return lines_;
}

}  // namespace local
