// SPDX-License-Identifier: MIT
// After a life everything comes to an end: actions are done, victims leave, time runs.
#include <algorithm>

#include "life.h"

namespace lives {

namespace {
constexpr int kRounds = 300;
}

void Life::come_to_an_end() {
  say("  end of the life");
  orderly_ = true;
  sloppy_ = false;
  for (int round = 0; round < kRounds; ++round) {
    ++step_;
    for (Happening& each : happenings_) each.due = std::min(each.due, step_);
    happen();
    std::vector<std::uint64_t> lacking;
    bool any = false;
    for (const auto& [id, entry] : book_.entries) {
      any = any || entry.is_live();
      if (entry.state == CEDE_ENTRY_SHORT) lacking.push_back(id);
      if (entry.kind == RequesterKind::claim && entry.state == CEDE_ENTRY_READY)
        events_.push_back({CEDE_EVENT_CLAIM_DONE, {}, {}, {}, id, 0, 0});
    }
    if (!any) return;
    if (!lacking.empty()) time_is_told();
    for (const std::uint64_t id : lacking) changing("give up", [&] { return engine_->give_up(id, clock_); });
    // A job that is only marked may stay as long as it likes, so the operator has to remove it.
    for (const LedgerEntry& entry : ledger_.entries) {
      for (const auto& [job, phase] : entry.victims) {
        const Job* marked = phase == "marked" ? real_.job(job) : nullptr;
        if (!marked) continue;
        std::vector<std::string> tasks;
        for (const Task& task : marked->tasks) tasks.push_back(task.id);
        leave_later(job, tasks, 0);
      }
    }
    for (const auto& [id, action] : book_.open) {
      EventOut answer;
      answer.kind = CEDE_EVENT_ACTION_DONE;
      answer.action = id;
      if (action.facts.kind != CEDE_DO_START) events_.push_back(answer);
    }
    tell_all();
    do_step(true);
    const bool due = next_due_ != CEDE_NOW_OF_CLUSTER && next_due_ > clock_;
    clock_ = due && next_due_ < clock_ + 7200000 ? next_due_ : clock_ + 30000;
  }
  for (const auto& [id, entry] : book_.entries) {
    if (entry.is_live())
      found("entry without end", "entry " + std::to_string(id) + " of " + entry.requester + " is " +
                                     state_name(entry.state) + " after " + std::to_string(kRounds) +
                                     " rounds");
  }
}

}  // namespace lives
