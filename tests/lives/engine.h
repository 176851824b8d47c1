// SPDX-License-Identifier: MIT
#pragma once

#include <cede/cede.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cluster.h"
#include "totals.h"

namespace lives {

// Something the library must not do; ends the life.
struct Finding {
  std::string kind;  // a word or two, the same for every finding of its kind
  std::string text;
};

// Who counts the calls, and for which life.
struct Recorder {
  Totals* totals = nullptr;
  std::uint64_t life = 0;
};

struct VictimView {
  std::string job;
  std::vector<std::string> tasks;
  std::uint64_t hold = 0;
};

struct PlaceView {
  std::string task;
  Place place;
};

// A plan and everything it says.
struct PlanView {
  std::shared_ptr<cede_plan> handle;
  int32_t outcome = 0;
  std::string rule;
  std::string reason;
  std::vector<VictimView> victims;
  std::vector<PlaceView> places;
  std::vector<std::string> after;

  bool can_be_committed() const { return outcome == CEDE_OUTCOME_FITS || outcome == CEDE_OUTCOME_PREEMPT; }
};

struct ActionView {
  cede_action facts{};
  Millis given = 0;
  std::string job;
  std::string preemptor;
  std::vector<std::string> tasks;
  std::vector<PlaceView> places;
};

struct StepView {
  std::vector<ActionView> actions;
  std::vector<int32_t> answers;
  Millis next_due = CEDE_NOW_OF_CLUSTER;
};

struct LedgerEntry {
  cede_entry facts{};
  std::string requester;
  std::vector<std::pair<std::string, std::string>> victims;  // job and phase
};

struct LedgerView {
  std::vector<LedgerEntry> entries;
  std::string json;

  const LedgerEntry* find(std::uint64_t entry) const;
};

bool is_live(int32_t state);
const char* state_name(int32_t state);
const char* action_name(const cede_action& action);
const char* event_name(int32_t kind);
std::string place_text(const PlaceView& place);
// Whom it takes, on whom it counts and where it puts what.
std::string plan_text(const PlanView& plan);

struct EventOut {
  int32_t kind = 0;
  std::string job;
  std::string task;
  std::string node;
  std::uint64_t entry = 0;
  std::uint64_t action = 0;
  Millis length = 0;
};

// One engine. Every call is counted and its CPU time taken; CEDE_E_INTERNAL is a finding at once.
class Engine {
 public:
  Engine(Recorder recorder, const std::string& policy, bool audit);

  int32_t load(const std::string& text);
  int32_t apply(const std::string& text);
  int32_t set_policy(const std::string& text);
  int32_t set_now(Millis now);
  void set_log();
  int32_t plan(const std::string& job, Millis now, const std::vector<std::string>& terms, PlanView& out);
  int32_t batch(const std::vector<std::string>& jobs, Millis now, const std::vector<std::string>& terms,
                std::vector<PlanView>& out);
  int32_t relief(const std::string& target, const std::string& group, Millis now,
                 const std::vector<std::string>& terms, PlanView& out);
  int32_t claim(const std::string& queue, const std::vector<std::string>& nodes, const char* reason,
                Millis now, const std::vector<std::string>& terms, PlanView& out);
  int32_t verify(const PlanView& plan);
  int32_t commit(const PlanView& plan, Millis now, std::uint64_t& entry);
  int32_t extend(std::uint64_t entry, const PlanView& plan, Millis now);
  int32_t cancel(std::uint64_t entry, Millis now);
  int32_t give_up(std::uint64_t entry, Millis now);
  int32_t note(const PlanView& plan, Millis now);
  int32_t step(Millis now, const std::vector<EventOut>& events, StepView& out);
  LedgerView in_flight();
  std::string save();
  int32_t restore(const std::string& bytes);
  std::string exported();
  Engine clone();
  std::string plan_json(const PlanView& plan);
  // Calls that only read: they must work, whatever they answer.
  void check_warnings();
  int32_t check(const std::string& text);
  int32_t admit(const std::string& job);
  void read_metrics();
  int32_t read_shares(const std::string& group);
  std::uint64_t revision() const { return cede_engine_revision(handle_.get()); }

  cede_engine* handle() { return handle_.get(); }
  const std::string& error() const { return error_text_; }

  // Counts and times one call.
  template <class Run>
  int32_t measured(Call call, Run run) {
    const std::int64_t before = cpu_now();
    const int32_t status = run();
    took(call, cpu_now() - before, status);
    return status;
  }
  cede_error* error_out() {
    error_ = {};
    return &error_;
  }
  // Everything that one of the array calls gives.
  template <class Handle, class Struct>
  std::vector<Struct> array_of(Call call,
                               std::int32_t (*array)(const Handle*, Struct*, std::size_t, std::size_t,
                                                     std::size_t*, cede_error*),
                               const Handle* handle) {
    std::size_t count = 0;
    std::vector<Struct> out;
    if (measured(call, [&] { return array(handle, nullptr, sizeof(Struct), 0, &count, error_out()); }) < 0)
      return out;
    out.resize(count);
    measured(call, [&] { return array(handle, out.data(), sizeof(Struct), count, &count, error_out()); });
    if (count != out.size()) throw Finding{"two answers", "an array has another size when asked again"};
    return out;
  }

 private:
  explicit Engine(Recorder recorder) : recorder_(recorder) {}
  static std::int64_t cpu_now();
  void took(Call call, std::int64_t nanos, int32_t status);
  void read_plan(cede_plan* plan, PlanView& out);
  uint32_t number(const std::string& name);
  std::string taken(cede_text* text);

  Recorder recorder_;
  std::shared_ptr<cede_engine> handle_;
  cede_error error_{};
  std::string error_text_;
};

}  // namespace lives
