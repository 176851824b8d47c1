// SPDX-License-Identifier: MIT
#include <string>
#include <vector>

#include "capi/array_in.h"
#include "capi/array_out.h"
#include "capi/in_flight_numbers.h"
#include "engine/events.h"

using cede::capi::ArrayIn;
using cede::capi::guard;
using cede::capi::InFlightNumbers;
using cede::capi::memory_fault;
using cede::capi::missing;
using cede::capi::tell;
using cede::capi::text_size_fault;
using cede::capi::write_array;
using cede::capi::wrong_now;

namespace {

static_assert(CEDE_EVENT_ACTION_FAILED ==
              CEDE_EVENT_CHECKPOINT_PROGRESS + static_cast<int>(cede::EventKind::action_failed));
static_assert(CEDE_DO_GONE == CEDE_DO_CHECKPOINT_HINT + static_cast<int>(cede::ActionKind::gone));

struct Texts {
  const char* data;
  size_t size;
};

// Reads one event. Returns what is wrong with it; empty if it is well formed.
std::string read_event(const cede::Engine& engine, const cede_event& from, const Texts& texts,
                       cede::Event& event) {
  if (from.kind < CEDE_EVENT_CHECKPOINT_PROGRESS || from.kind > CEDE_EVENT_ACTION_FAILED) {
    return "kind: " + std::to_string(from.kind) + " is outside " +
           std::to_string(CEDE_EVENT_CHECKPOINT_PROGRESS) + ".." + std::to_string(CEDE_EVENT_ACTION_FAILED);
  }
  if (from.reserved != 0) return "reserved: " + std::to_string(from.reserved) + " is not 0";
  if (from.length < 0 || from.length > cede::kMaxDuration)
    return "length: " + std::to_string(from.length) + " is outside 0.." + std::to_string(cede::kMaxDuration);
  const struct {
    const char* name;
    uint32_t number;
    std::string* to;
  } names[] = {
      {"job", from.job, &event.job}, {"task", from.task, &event.task}, {"node", from.node, &event.node}};
  for (const auto& each : names) {
    if (each.number == 0) continue;
    *each.to = engine.name_text(each.number);
    if (each.to->empty())
      return std::string(each.name) + ": " + std::to_string(each.number) + " is not the number of a name";
  }
  if (from.text > texts.size || from.text_size > texts.size - from.text) {
    return "text: " + std::to_string(from.text_size) + " bytes from " + std::to_string(from.text) +
           " on are more than the " + std::to_string(texts.size) + " bytes of texts";
  }
  if (from.text_size > 0) event.text.assign(texts.data + from.text, from.text_size);
  event.kind = static_cast<cede::EventKind>(from.kind - CEDE_EVENT_CHECKPOINT_PROGRESS);
  event.entry = from.entry;
  event.action = from.action;
  event.length = from.length;
  event.code = from.code;
  return event_fault(event);
}

cede_action facts_of(const cede::Action& from, const InFlightNumbers& numbers) {
  cede_action facts{};
  const InFlightNumbers::Target target = numbers.target(from.requester, from.preemptor, from.cause);
  facts.id = from.id;
  facts.entry = from.entry;
  facts.plan = from.plan;
  facts.deadline = from.deadline;
  facts.submitted = from.submitted;
  facts.waiting_since = from.waiting_since;
  facts.kind = static_cast<int32_t>(from.kind) + CEDE_DO_CHECKPOINT_HINT;
  facts.purpose = target.purpose;
  facts.cause = cede::capi::cause_number(from.cause);
  facts.target = target.number;
  facts.job = from.job.empty() ? 0 : numbers.of(from.job);
  facts.task_count = static_cast<uint32_t>(from.tasks.size());
  facts.place_count = static_cast<uint32_t>(from.placement.size());
  facts.signal = static_cast<int32_t>(from.signal);
  if (from.via != cede::CheckpointVia::absent) facts.via = static_cast<int32_t>(from.via) + CEDE_VIA_SIGNAL;
  facts.how = cede::capi::how_number(from.how);
  facts.resume = from.resume ? 1 : 0;
  facts.waits_for_owner = from.waits_for_owner ? 1 : 0;
  facts.keep_local = from.keep_local ? 1 : 0;
  facts.preempted_count = from.preempted_count;
  return facts;
}

// Makes the arrays of the step's actions.
void add_actions(const cede::StepResult& result, const InFlightNumbers& numbers, cede_step& step) {
  for (const cede::Action& action : result.actions) {
    cede_action& facts = step.actions.emplace_back(facts_of(action, numbers));
    facts.first_task = static_cast<uint32_t>(step.tasks.size());
    facts.first_place = static_cast<uint32_t>(step.places.size());
    for (size_t i = 0; i < action.tasks.size(); ++i)
      step.tasks.push_back(numbers.task(action.job, action.tasks[i], action.nodes[i]));
    const bool of_job = action.requester == cede::RequesterKind::job;
    for (const cede::Place& place : action.placement)
      step.places.push_back(numbers.place(of_job ? action.preemptor : std::string(), place));
  }
}

// Whatever may run out of memory comes before the step is kept.
int32_t step_on(cede_engine* engine, int64_t now, const std::vector<cede::Event>& events, cede_step** step,
                cede_error* error) {
  auto made = std::make_unique<cede_step>();
  made->result = engine->engine.step(now, events, [&](const cede::StepResult& result) {
    add_actions(result, InFlightNumbers(engine->engine), *made);
  });
  made->next_due = cede::next_step(engine->engine.sequence());
  *step = made.release();
  return tell(error, CEDE_OK, {});
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
    if (!texts && texts_size > 0) return missing(error, "texts: NULL, but texts_size is not 0");
    if (wrong_now(now, error)) return CEDE_E_INVALID;
    const ArrayIn<cede_event> in(events, event_size, event_count);
    if (const int32_t status = in.fault("event", "events", error)) return status;
    if (const int32_t status = memory_fault(texts_size, 1, "texts_size", error)) return status;
    std::vector<cede::Event> taken(event_count);
    for (size_t i = 0; i < event_count; ++i) {
      const std::string fault = read_event(engine->engine, in[i], {texts, texts_size}, taken[i]);
      if (!fault.empty()) return missing(error, "events[" + std::to_string(i) + "]." + fault);
    }
    return step_on(engine, now, taken, step, error);
  });
}

int32_t cede_engine_step_document(cede_engine* engine, int64_t now, const char* text, size_t size,
                                  cede_step** step, cede_error* error) {
  return guard(error, [&] {
    if (!engine) return missing(error, "engine: NULL is not an engine");
    if (!step) return missing(error, "step: NULL is not a place for the answer");
    if (!text && size > 0) return missing(error, "text: NULL, but size is not 0");
    if (wrong_now(now, error)) return CEDE_E_INVALID;
    const cede::Limits& limits = engine->engine.options().limits;
    if (const int32_t status = text_size_fault(size, limits.max_document_bytes, error)) return status;
    if (!text) return step_on(engine, now, {}, step, error);
    cede::Problems problems = engine->engine.new_problems();
    const std::optional<std::vector<cede::Event>> events =
        cede::read_events_text({text, size}, limits, problems);
    return events ? step_on(engine, now, *events, step, error) : tell(error, problems);
  });
}

void cede_step_destroy(cede_step* step) { delete step; }

int32_t cede_step_answer(const cede_step* step, size_t event) {
  if (!step || event >= step->result.answers.size()) return CEDE_E_INVALID;
  return step->result.answers[event] == cede::EventAnswer::taken ? 1 : 0;
}

int64_t cede_step_next_due(const cede_step* step) { return step ? step->next_due : CEDE_NONE; }

int32_t cede_step_actions(const cede_step* step, cede_action* out, size_t out_size, size_t capacity,
                          size_t* count, cede_error* error) {
  return guard(error, [&] {
    if (!step) return missing(error, "step: NULL is not a step");
    return write_array({out, out_size, capacity, count}, step->actions, error);
  });
}

int32_t cede_step_tasks(const cede_step* step, cede_victim_task* out, size_t out_size, size_t capacity,
                        size_t* count, cede_error* error) {
  return guard(error, [&] {
    if (!step) return missing(error, "step: NULL is not a step");
    return write_array({out, out_size, capacity, count}, step->tasks, error);
  });
}

int32_t cede_step_places(const cede_step* step, cede_place* out, size_t out_size, size_t capacity,
                         size_t* count, cede_error* error) {
  return guard(error, [&] {
    if (!step) return missing(error, "step: NULL is not a step");
    return write_array({out, out_size, capacity, count}, step->places, error);
  });
}

size_t cede_step_action_count(const cede_step* step) { return step ? step->result.actions.size() : 0; }

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

const char* cede_step_place_task(const cede_step* step, size_t action, size_t place) {
  const cede::Place* found = place_at(step, action, place);
  return found ? found->task.c_str() : nullptr;
}

const char* cede_step_place_node(const cede_step* step, size_t action, size_t place) {
  const cede::Place* found = place_at(step, action, place);
  return found ? found->node.c_str() : nullptr;
}

int32_t cede_step_json(const cede_step* step, cede_text** text, cede_error* error) {
  return guard(error, [&] {
    if (!step) return missing(error, "step: NULL is not a step");
    if (!text) return missing(error, "text: NULL is not a place for the new text");
    *text = new cede_text{cede::step_document(step->result, step->next_due)};
    return tell(error, CEDE_OK, {});
  });
}
