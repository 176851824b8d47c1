// SPDX-License-Identifier: MIT
#include <cstring>
#include <string>
#include <vector>

#include "capi/guard.h"
#include "capi/handles.h"
#include "engine/reports.h"
#include "sequence/sequence.h"

using cede::Problems;
using cede::capi::guard;
using cede::capi::missing;
using cede::capi::tell;
using cede::capi::wrong_now;

namespace {

// Checks the arguments of commit and extend and calls `take`.
template <class Take>
int32_t with_plan(cede_engine* engine, const cede_plan* plan, int64_t now, int64_t plan_micros,
                  cede_error* error, Take take) {
  return guard(error, [&] {
    if (!engine) return missing(error, "engine: NULL is not an engine");
    if (!plan) return missing(error, "plan: NULL is not a plan");
    if (wrong_now(now, error)) return CEDE_E_INVALID;
    if (plan_micros < -1) {
      return missing(error, "plan_micros: " + std::to_string(plan_micros) + " is neither -1 nor a duration");
    }
    Problems problems = engine->engine.new_problems();
    return take(engine->engine, problems) ? tell(error, CEDE_OK, {}) : tell(error, problems);
  });
}

int32_t end(cede_engine* engine, int64_t now, cede_error* error, uint64_t entry,
            bool (cede::Engine::*call)(cede::EntryId, cede::Time, Problems&)) {
  return guard(error, [&] {
    if (!engine) return missing(error, "engine: NULL is not an engine");
    if (wrong_now(now, error)) return CEDE_E_INVALID;
    Problems problems = engine->engine.new_problems();
    return (engine->engine.*call)(entry, now, problems) ? tell(error, CEDE_OK, {}) : tell(error, problems);
  });
}

int32_t how_of(cede::ExitResult how) {
  switch (how) {
    case cede::ExitResult::none: break;
    case cede::ExitResult::completed: return CEDE_HOW_COMPLETED;
    case cede::ExitResult::saved: return CEDE_HOW_SAVED;
    case cede::ExitResult::terminated: return CEDE_HOW_TERMINATED;
    case cede::ExitResult::failed:
    case cede::ExitResult::lost: return CEDE_HOW_FAILED;
  }
  return 0;
}

}  // namespace

int32_t cede_engine_commit(cede_engine* engine, const cede_plan* plan, int64_t now, int64_t plan_micros,
                           uint64_t* entry, cede_error* error) {
  if (!entry) return missing(error, "entry: NULL is not a place for the number");
  return with_plan(engine, plan, now, plan_micros, error, [&](cede::Engine& by, Problems& problems) {
    const cede::EntryId made = by.commit(plan->plan, *plan->policies, now, plan_micros, problems);
    if (made == cede::kNoEntry) return false;
    *entry = made;
    return true;
  });
}

int32_t cede_engine_extend(cede_engine* engine, uint64_t entry, const cede_plan* plan, int64_t now,
                           int64_t plan_micros, cede_error* error) {
  return with_plan(engine, plan, now, plan_micros, error, [&](cede::Engine& by, Problems& problems) {
    return by.extend(entry, plan->plan, *plan->policies, now, plan_micros, problems);
  });
}

int32_t cede_engine_cancel(cede_engine* engine, uint64_t entry, int64_t now, cede_error* error) {
  return end(engine, now, error, entry, &cede::Engine::cancel);
}

int32_t cede_engine_give_up(cede_engine* engine, uint64_t entry, int64_t now, cede_error* error) {
  return end(engine, now, error, entry, &cede::Engine::give_up);
}

int32_t cede_engine_note(cede_engine* engine, const cede_plan* plan, int64_t now, int64_t plan_micros,
                         cede_error* error) {
  return with_plan(engine, plan, now, plan_micros, error, [&](cede::Engine& by, Problems&) {
    by.note(plan->plan, now, plan_micros);
    return true;
  });
}

using cede::capi::guard;
using cede::capi::hand_out;
using cede::capi::memory_fault;
using cede::capi::missing;
using cede::capi::place_fault;
using cede::capi::size_fault;
using cede::capi::take_in;
using cede::capi::tell;
using cede::capi::wrong_now;

namespace {

struct Texts {
  const char* data;
  size_t size;
};

// The text at an offset. False if it starts or ends outside.
bool text_at(const Texts& texts, uint32_t at, std::string& out) {
  if (at == 0) return true;
  if (at >= texts.size) return false;
  const void* end = std::memchr(texts.data + at, 0, texts.size - at);
  if (!end) return false;
  out.assign(texts.data + at, static_cast<const char*>(end));
  return true;
}

// Reads one event. If it is malformed, `why` tells the fault.
void read_event(const cede_event& from, const Texts& texts, cede::Event& event, std::string& why) {
  if (from.kind < CEDE_EVENT_CHECKPOINT_PROGRESS || from.kind > CEDE_EVENT_ACTION_FAILED) {
    why = "kind: " + std::to_string(from.kind) + " is outside " +
          std::to_string(CEDE_EVENT_CHECKPOINT_PROGRESS) + ".." + std::to_string(CEDE_EVENT_ACTION_FAILED);
    return;
  }
  event.kind = static_cast<cede::EventKind>(from.kind - CEDE_EVENT_CHECKPOINT_PROGRESS);
  if (from.length < 0 || from.length > cede::kMaxDuration) {
    why = "length: " + std::to_string(from.length) + " is outside 0.." + std::to_string(cede::kMaxDuration);
    return;
  }
  const struct {
    const char* name;
    uint32_t at;
    std::string* to;
  } names[] = {{"job", from.job, &event.job},
               {"task", from.task, &event.task},
               {"node", from.node, &event.node},
               {"text", from.text, &event.text}};
  for (const auto& each : names) {
    if (text_at(texts, each.at, *each.to)) continue;
    why = std::string(each.name) + ": no text that ends begins at " + std::to_string(each.at) + " of " +
          std::to_string(texts.size);
    return;
  }
  event.entry = from.entry;
  event.action = from.action;
  event.length = from.length;
  event.code = from.code;
}

const cede::Action* action_at(const cede_step* step, size_t action) {
  return step && action < step->result.actions.size() ? &step->result.actions[action] : nullptr;
}

const cede::Place* place_at(const cede_step* step, size_t action, size_t place) {
  const cede::Action* found = action_at(step, action);
  return found && place < found->placement.size() ? &found->placement[place] : nullptr;
}

}  // namespace

int32_t cede_engine_step(cede_engine* engine, int64_t now, const cede_event* events, size_t event_size,
                         size_t event_count, const char* texts, size_t texts_size, cede_step** step,
                         cede_error* error) {
  return guard(error, [&] {
    if (!engine) return missing(error, "engine: NULL is not an engine");
    if (!step) return missing(error, "step: NULL is not a place for the answer");
    if (!events && event_count > 0) return missing(error, "events: NULL, but event_count is not 0");
    if (!texts && texts_size > 0) return missing(error, "texts: NULL, but texts_size is not 0");
    if (wrong_now(now, error)) return CEDE_E_INVALID;
    if (const int32_t status = event_count > 0 ? size_fault<cede_event>(event_size, "event_size", error) : 0)
      return status;
    if (const int32_t status = memory_fault(event_count, event_size, "event_count", error)) return status;
    if (const int32_t status = memory_fault(texts_size, 1, "texts_size", error)) return status;
    std::vector<cede::Event> taken;
    taken.reserve(event_count);
    for (size_t i = 0; i < event_count; ++i) {
      cede_event event{};
      const char* from = reinterpret_cast<const char*>(events) + i * event_size;
      const auto where = [i] { return "events[" + std::to_string(i) + "]"; };
      if (const int32_t status = take_in(from, event_size, event, where, error); status != CEDE_OK)
        return status;
      std::string why;
      read_event(event, {texts, texts_size}, taken.emplace_back(), why);
      if (!why.empty()) return missing(error, where() + '.' + why);
    }
    auto made = std::make_unique<cede_step>();
    made->result = engine->engine.step(now, taken);
    made->next_due = cede::next_step(engine->engine.sequence());
    *step = made.release();
    return tell(error, CEDE_OK, {});
  });
}

void cede_step_destroy(cede_step* step) { delete step; }

int32_t cede_step_answer(const cede_step* step, size_t event) {
  if (!step || event >= step->result.answers.size()) return CEDE_E_INVALID;
  return step->result.answers[event] == cede::EventAnswer::taken ? 1 : 0;
}

int64_t cede_step_next_due(const cede_step* step) { return step ? step->next_due : CEDE_NOW_OF_CLUSTER; }

size_t cede_step_action_count(const cede_step* step) { return step ? step->result.actions.size() : 0; }

int32_t cede_step_action_get(const cede_step* step, size_t action, cede_action* out, size_t out_size,
                             cede_error* error) {
  return guard(error, [&] {
    if (!step) return missing(error, "step: NULL is not a step");
    if (const int32_t status = place_fault(out, out_size, "out", error)) return status;
    const cede::Action* from = action_at(step, action);
    if (!from) {
      return missing(error, "action: " + std::to_string(action) + " is outside the step's " +
                                std::to_string(step->result.actions.size()) + " actions");
    }
    cede_action facts{};
    facts.id = from->id;
    facts.entry = from->entry;
    facts.plan = from->plan;
    facts.deadline = from->deadline;
    facts.submitted = from->submitted;
    facts.waiting_since = from->waiting_since;
    facts.kind = static_cast<int32_t>(from->kind) + CEDE_DO_CHECKPOINT_HINT;
    facts.signal = static_cast<int32_t>(from->signal);
    facts.resume = from->resume ? 1 : 0;
    facts.waits_for_owner = from->waits_for_owner ? 1 : 0;
    facts.keep_local = from->keep_local ? 1 : 0;
    facts.preempted_count = from->preempted_count;
    facts.task_count = static_cast<uint32_t>(from->tasks.size());
    facts.place_count = static_cast<uint32_t>(from->placement.size());
    facts.how = how_of(from->how);
    if (from->via != cede::CheckpointVia::absent)
      facts.via = static_cast<int32_t>(from->via) + CEDE_VIA_SIGNAL;
    return hand_out(facts, out, out_size, error);
  });
}

const char* cede_step_action_job(const cede_step* step, size_t action) {
  const cede::Action* found = action_at(step, action);
  return found ? found->job.c_str() : nullptr;
}

const char* cede_step_action_preemptor(const cede_step* step, size_t action) {
  const cede::Action* found = action_at(step, action);
  return found ? found->preemptor.c_str() : nullptr;
}

const char* cede_step_action_cause(const cede_step* step, size_t action) {
  const cede::Action* found = action_at(step, action);
  return found ? found->cause.c_str() : nullptr;
}

const char* cede_step_action_task(const cede_step* step, size_t action, size_t task) {
  const cede::Action* found = action_at(step, action);
  return found && task < found->tasks.size() ? found->tasks[task].c_str() : nullptr;
}

int32_t cede_step_place_get(const cede_step* step, size_t action, size_t place, cede_place* out,
                            size_t out_size, cede_error* error) {
  return guard(error, [&] {
    if (!step) return missing(error, "step: NULL is not a step");
    if (const int32_t status = place_fault(out, out_size, "out", error)) return status;
    const cede::Place* from = place_at(step, action, place);
    if (!from) return missing(error, "place: there is no such place");
    cede_place facts{};
    facts.gpus = from->gpus;
    facts.devices_known = from->devices_known ? 1 : 0;
    facts.share = from->share;
    facts.share_device = from->share > 0 ? from->share_device : 0;
    return hand_out(facts, out, out_size, error);
  });
}

const char* cede_step_place_task(const cede_step* step, size_t action, size_t place) {
  const cede::Place* found = place_at(step, action, place);
  return found ? found->task.c_str() : nullptr;
}

const char* cede_step_place_node(const cede_step* step, size_t action, size_t place) {
  const cede::Place* found = place_at(step, action, place);
  return found ? found->node.c_str() : nullptr;
}
