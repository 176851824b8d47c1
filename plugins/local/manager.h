// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "clock.h"
#include "cluster_run.h"
#include "job_run.h"
#include "journal.h"
#include "launcher.h"
#include "library.h"
#include "run_event.h"
#include "scenario.h"
#include "waiting_order.h"

namespace local {

// Runs a scenario on this machine: it queues jobs, asks the library for plans, writes the actions to the
// journal and executes them. It decides nothing itself.
class Manager {
 public:
  Manager(const Scenario& scenario, Launcher& launcher, RunEventListener& listener);

  // Each returns an empty text, or what is wrong.
  std::string begin(double speed);
  std::string resume();

  // One scheduling cycle. False if the run is over, or if it cannot continue and fault() says why.
  bool run_cycle();
  // Ends all jobs and then the run; called a second time, it kills them.
  void stop();

  const std::string& fault() const { return fault_; }
  bool over() const { return over_; }
  bool stopped() const { return stopping_; }
  bool stuck() const { return stuck_; }
  const Scenario& scenario() const { return scenario_; }
  const Clock& clock() const { return *clock_; }
  const std::vector<JobRun>& jobs() const { return jobs_; }
  const std::vector<EventRun>& events() const { return events_; }
  const std::vector<ReliefRun>& relief() const { return journal_.relief; }
  const ClusterRun& cluster() const { return cluster_; }
  const Library& library() const { return library_; }
  // Indexes of the waiting jobs in the order in which plans are asked for.
  std::vector<std::size_t> queue() const;

 private:
  struct Message {
    std::size_t job;
    std::size_t task;
    std::string_view text;    // for the supervisor; empty: only the file `hint` changes
    std::string hint{};       // for the job's file `hint`; empty: it stays, without text it is removed
    bool first_hint = false;  // nothing was asked of the job before
  };
  // An action whose messages have not all reached a supervisor yet.
  struct PendingAction {
    std::uint64_t action;
    std::vector<Message> messages;
  };

  // manager.cpp
  std::string cluster_document() const;
  std::string changes_begin() const;
  void admit_arrivals();
  void run_steps();
  bool step();
  void apply_changes();
  Fault write_journal(bool over);
  bool save(bool over = false);
  void pause(const Fault& fault);
  bool retry();
  void finish_jobs();
  void finish_left_tasks(JobRun& job, std::size_t index);
  void end_job(std::size_t job, JobEnd end, const std::string& text);
  bool is_over();
  void abandon();
  void warn(std::string text);
  void log_event(std::string_view what, const std::string& subject, std::string text);
  void log_event(std::string_view what, const JobRun& job, std::string text) {
    log_event(what, job.spec->id, std::move(text));
  }
  void log_wait(const std::string& subject, std::string& rule, std::string& reason, const cede_plan* plan);
  void touch(std::size_t job) { touched_.insert(job); }
  std::size_t index_of(const JobRun& job) const { return static_cast<std::size_t>(&job - jobs_.data()); }
  JobRun* find(const std::string& id);

  // manager_plans.cpp
  bool ask_for_plans();
  bool ask_jobs(const std::vector<std::size_t>& jobs);
  bool take_answer(std::size_t job, const cli::Plan& plan, std::int64_t micros, bool& stale);
  bool commit(const cli::Plan& plan, std::int64_t micros, std::uint64_t& entry);
  std::vector<std::string> terms_of(const JobRun& job) const;
  void replan(const EngineAction& action);
  std::string extend(std::uint64_t entry, const cli::Plan& plan);

  // manager_events.cpp
  void begin_events();
  void begin_event(EventRun& event);
  std::string tell_library(const EventSpec& event);
  void watch_limits(const EventSpec& event);
  void watch(const std::string& target, const std::string& group, bool partial);
  void lose_tasks(const std::string& node);
  bool ask_for_relief(const std::vector<LedgerEntry>& in_flight, bool changed);
  bool ask_for_relief(ReliefRun& relief);
  void cancel_relief(ReliefRun& relief, const LedgerEntry& entry);
  bool ask_for_claims();
  void accept_claim_action(const EngineAction& action);
  bool replan_event(const EngineAction& action);
  bool waits_for_events() const;

  // manager_actions.cpp
  void accept(const EngineAction& action);
  void accept_start(const EngineAction& action, JobRun& job);
  void accept_requeue(const EngineAction& action, JobRun& job);
  void accept_gone(const EngineAction& action, JobRun& job);
  void accept_victim_action(const EngineAction& action, JobRun& job);
  void execute();
  Fault start(std::size_t job, std::size_t task);
  void send_messages();
  bool send(Message& message);
  void delete_marked();

  // manager_reports.cpp
  void collect();
  void read_reports(std::size_t job, std::size_t task);
  void collect_lost();
  void take_exit(std::size_t job, std::size_t task, const Exit& exit);
  void end_others(std::size_t job);
  std::string adopt();

  const Scenario& scenario_;
  const WaitingOrder order_;
  Launcher& launcher_;
  RunEventListener& listener_;
  Library library_;
  std::optional<Clock> clock_;
  Journal journal_;
  std::vector<JobRun> jobs_;
  std::vector<EventRun> events_;
  ClusterRun cluster_;
  std::set<std::string> lost_nodes_;  // whose tasks have not all left yet
  std::set<std::string> in_model_;
  std::set<std::size_t> touched_;           // jobs the library has to be told about
  std::vector<EngineEvent> engine_events_;  // for the next step
  std::deque<std::pair<std::size_t, std::size_t>> to_start_;
  // When the operator first saw a task marked, by job and task.
  std::map<std::pair<std::size_t, std::size_t>, std::int64_t> marked_since_;
  std::vector<PendingAction> pending_actions_;
  std::int64_t now_ = 0;
  std::int64_t last_change_ = 0;
  std::int64_t next_plans_ = 0;  // real milliseconds
  std::int64_t next_full_check_ = 0;
  std::size_t cursor_ = 0;  // where to continue behind the front of the queue
  bool dirty_ = false;      // the journal is out of date
  bool changed_ = true;     // something changed that may lead to another plan
  bool full_check_ = false;
  bool stopping_ = false;
  bool killing_ = false;
  bool stuck_ = false;
  bool over_ = false;
  std::string fault_;
  // Why the journal cannot be written or a task started at present. Until that succeeds, the scenario's time
  // is paused, so that no deadline of an action passes before the action is executed.
  Fault pause_reason_;
  std::int64_t paused_since_ = 0;  // real milliseconds
  std::int64_t next_retry_ = 0;
};

// `: a (checkpoint), b (terminate)`
std::string victims_text(const cede_plan* plan);

}  // namespace local
