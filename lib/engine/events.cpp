// SPDX-License-Identifier: MIT
#include "engine/events.h"

#include "base/text.h"
#include "document/document.h"
#include "document/step_documents.h"
#include "model/words.h"

namespace cede {

namespace {

Event event_of(const EventView& view) {
  Event event;
  event.kind = static_cast<EventKind>(view.event);
  event.job = view.job;
  event.task = view.task;
  event.node = view.node;
  event.entry = static_cast<EntryId>(view.entry);
  event.action = static_cast<ActionId>(view.action);
  event.length = view.length;
  event.code = view.code;
  event.text = view.text;
  return event;
}

}  // namespace

std::optional<std::vector<Event>> read_events_text(std::string_view text, const Limits& limits,
                                                   Problems& problems) {
  std::vector<EventView> views;
  read_events(text, limits, problems, views);
  std::vector<Event> events;
  for (std::size_t i = 0; i < views.size() && !problems.failed(); ++i) {
    const std::string fault = event_fault(events.emplace_back(event_of(views[i])));
    if (fault.empty()) continue;
    const std::size_t colon = fault.find(": ");
    problems.error({PathStep::member("events"), PathStep::element(i),
                    PathStep::member(std::string_view(fault).substr(0, colon))},
                   fault.substr(colon + 2));
  }
  place_problems(text, problems);
  if (problems.failed()) return std::nullopt;
  return events;
}

std::string step_document(const StepResult& result, Time next_due) {
  StepView view;
  view.now = result.now;
  view.next_due = next_due;
  for (const EventAnswer answer : result.answers) view.taken.push_back(answer == EventAnswer::taken);
  for (const Action& from : result.actions) {
    StepView::Action& to = view.actions.emplace_back();
    to.id = from.id;
    to.action = to_word(from.kind, kActionKinds);
    to.entry = from.entry;
    to.plan = from.plan;
    to.requester_kind = to_word(from.requester, kRequesterKinds);
    to.requester = from.preemptor;
    to.cause = from.cause;
    to.job = from.job;
    to.tasks = from.tasks;
    to.signal = to_word(from.signal, kSignals);
    if (from.via != CheckpointVia::absent) to.via = to_word(from.via, kCheckpointVias);
    if (from.how != ExitResult::none)
      to.how = to_word(from.how == ExitResult::lost ? ExitResult::failed : from.how, kExitResults);
    to.deadline = from.deadline;
    to.is_requeue = from.kind == ActionKind::requeue;
    to.resume = from.resume;
    to.waits_for_owner = from.waits_for_owner;
    to.keep_local = from.keep_local && (to.is_requeue || from.kind == ActionKind::suspend);
    to.submitted = from.submitted;
    to.waiting_since = from.waiting_since;
    to.preempted_count = from.preempted_count;
    to.has_places = from.kind == ActionKind::start || from.kind == ActionKind::claim_ready ||
                    from.kind == ActionKind::release_hold;
    for (const Place& place : from.placement) {
      to.places.push_back({place.task, place.node, place.gpus, place.share_device, place.share,
                           place.devices_known, place.whole_node});
    }
  }
  return write_step(view);
}

}  // namespace cede
