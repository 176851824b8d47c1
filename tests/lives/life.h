// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "book.h"
#include "cluster.h"
#include "documents.h"
#include "engine.h"
#include "random.h"

namespace lives {

struct Settings {
  std::string profile;  // empty: any
  int steps = 0;        // 0: 40 to 150
  bool trace = false;
  bool audit = true;
  std::set<std::string> ignored;  // kinds of findings
};

// What happens in the cluster some steps later.
struct Happening {
  int due = 0;
  enum Kind { leave, tell_event, start, replan, fill_claim, vanish } kind = leave;
  std::string job;
  std::vector<std::uint64_t> runs;
  EventOut event;
  ActionView action;
};

// One random life of one cluster and its engine.
//
// `real` is what is true in the simulated cluster, `told` what the library has been told of it by documents
// or arrays. A victim uses its devices until the harness itself has ended it. What is checked is checked
// against `told` and the book, never against what the library says about itself.
class Life {
 public:
  Life(Recorder recorder, std::uint64_t seed, const Settings& settings);

  // `progress` is where the number of the step is kept for whoever looks after a crash.
  void run(int* progress);
  int step_number() const { return step_; }

 private:
  // making.cpp
  std::string make_policy();
  void make_cluster();
  void add_queues();
  void add_nodes();
  Node make_node(const std::string& id, const std::string& group);
  Job make_job(const std::string& id, bool small = false);
  void add_job(bool try_to_run);

  // occupancy.cpp: what is free in the real cluster
  std::uint64_t used_devices(const std::string& node, std::uint64_t but_run = 0) const;
  bool fits_amounts(const Job& job, const Task& task, const Node& node) const;
  bool choose_devices(const Task& task, const Node& node, Place& place) const;
  bool place_somewhere(Job& job, Task& task, const std::string& node);
  bool try_to_run(Job& job);
  void end_run(Job& job, Task& task);
  Millis started_now();

  // changes.cpp: what changes in the cluster without the library
  void change_cluster();
  void change_node();
  void change_job();
  void change_limits();
  void lose_node(Node& node, bool all_runs);
  void shrink_node(Node& node);
  void remove_node(const std::string& id);

  // telling.cpp: how the library gets to know
  void tell_all();
  void tell_some();
  bool tell(const Change& change, bool must);
  bool tell_by_arrays(const Change& change);
  void after_telling(const Cluster& before);
  void reload();

  // responses.cpp: what is done about actions, and which events come of it
  void handle(const ActionView& action);
  void happen();
  void leave(Happening& happening);
  void leave_later(const std::string& job, const std::vector<std::string>& tasks, int within);
  void start(const ActionView& action);
  void replan(const ActionView& action);
  void fill_claim(const ActionView& action);
  void event_later(EventOut event, int within);
  void job_left(const std::string& job);
  bool is_lie(const EventOut& event) const;

  // driving.cpp: the calls
  void do_step(bool all_events);
  void take_step(const StepView& step, const std::vector<EventOut>& events, Millis now);
  void believe(const EventOut& event);
  void cancel_something();
  void read_something();
  void swap_policy();
  // A call that changes the engine where it is taken, and nothing where it is refused.
  template <class Run>
  int32_t changing(const std::string& what, Run run) {
    const int32_t status = run();
    if (status < 0) {
      check_unchanged(what);
    } else {
      observe(what);
    }
    return status;
  }
  void observe(const std::string& after);
  void time_is_told();

  // questions.cpp
  std::vector<std::string> waiting_jobs() const;
  std::vector<std::string> random_terms(const std::string& group, bool places);
  void ask_job();
  void ask_batch();
  void ask_relief();
  void ask_claim();
  void ask_again_later();
  bool commit(const PlanView& plan, Entry entry, bool at_once, const std::vector<std::string>& terms);
  bool extend(Entry& entry, const PlanView& plan);
  void unrelated_change(const std::string& group);
  Entry entry_for_job(const std::string& job, const PlanView& plan) const;
  void enter(Entry entry, const PlanView& plan);
  Millis ask_time();

  // checks*.cpp: throw a Finding, unless it is of a kind to be ignored
  void check_plan(const PlanView& plan, const std::vector<std::string>& terms, const std::string& requester,
                  bool sensitive_claim);
  void check_commit(const Entry& entry, const PlanView& plan);
  void check_entries(const std::string& after);
  void check_unchanged(const std::string& what);
  void check_action(const ActionView& action, bool listed_again);
  void check_start(const ActionView& action, const Entry& entry, bool listed_again);
  void check_start_amounts(const ActionView& action, const Entry& entry);
  void check_claim_ready(const ActionView& action, const Entry& entry);
  void check_kill(const ActionView& action);
  void check_exit(const ActionView& action, const std::string& what);
  void check_place(const Entry& entry, const PlaceView& place, const std::string& after);
  void check_names(const std::string& after);
  bool names_are_used_on(const Node& node, const Entry& but) const;
  bool counts_as_running(const Task& task) const;
  bool is_kept(const Entry& entry) const;
  bool is_stuck(std::uint64_t entry, const std::string& job) const;
  bool is_leaving_for(const Entry& entry, const std::string& job) const;
  bool is_awaited_by_any(const Job& job, const Task& task) const;
  void found(const std::string& kind, const std::string& text) const;

  // saving.cpp
  void save_or_restore();
  void restore_here();
  void replace_engine(const std::string& bytes, bool load_first);
  void restore_older();
  void restore_elsewhere();
  void restore_damaged();

  // ending.cpp
  void come_to_an_end();

  // life.cpp
  void move_clock();
  void act();
  void say(const std::string& line) const;

  Recorder recorder_;
  Settings settings_;
  Random random_;
  std::uint64_t seed_;
  std::vector<std::string> profiles_;  // of the policies p0, p1, p2
  std::string policy_;
  Millis grace_ = 0;
  int silent_ = 0;        // of a hundred runs, so many are told without their devices
  bool sloppy_ = false;   // events may be plain wrong
  bool arrays_ = false;   // tells by arrays where it can
  bool orderly_ = false;  // everything is told at once and in order
  Cluster real_;
  Cluster told_;
  std::optional<Engine> engine_;
  Book book_;
  std::set<std::uint64_t> kept_before_;  // entries that kept their space before the last step
  LedgerView ledger_;
  std::uint64_t revision_ = 0;
  std::set<std::uint64_t> lied_;  // runs an event was wrong about
  Millis clock_ = 0;              // the manager's; may go back
  Millis cluster_now_ = 0;        // the latest that a cluster document said
  Millis next_due_ = CEDE_NOW_OF_CLUSTER;
  int step_ = 0;
  int last_step_ = 0;
  std::uint64_t next_run_ = 0;
  int next_job_ = 0;
  std::vector<Happening> happenings_;
  std::vector<EventOut> events_;  // to be told with the next step
  // A plan kept for a later commit, with what it was asked for.
  struct Kept {
    PlanView plan;
    Entry entry;
    std::vector<std::string> terms;
  };
  std::vector<Kept> kept_;
  bool restored_ = false;  // and no step since
  std::string saved_;
  Book saved_book_;
};

}  // namespace lives
