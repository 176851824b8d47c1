// SPDX-License-Identifier: MIT
#pragma once

#include <limits>

#include "document/answer_fields.h"
#include "model/step_view.h"

// The fields of the documents of a step: events in, actions out.
namespace cede {

inline constexpr field_rows::Range kEntryNumbers{1, std::numeric_limits<std::int64_t>::max()};

enum class EventField : std::uint8_t { event, job, task, node, entry, action, length, code, text };
inline constexpr Fields<EventField, 9> kEventFields{{{
    field_rows::required(field_rows::word(EventField::event, "event", kToldEvents, "what has happened"),
                         "the name of an event is wanted"),
    field_rows::name(EventField::job, "job", "the job it is about"),
    field_rows::or_else(field_rows::name(EventField::task, "task", "the task of that job"),
                        "all its tasks that the ledger has"),
    field_rows::name(EventField::node, "node", "the node that is down or up"),
    field_rows::integer(EventField::entry, "entry", kEntryNumbers, "the entry of a claim"),
    field_rows::integer(EventField::action, "action", kEntryNumbers, "the action that is answered"),
    field_rows::duration(EventField::length, "length", "how much more time the job asks for"),
    field_rows::integer(EventField::code, "code", field_rows::kInt32, "the exit code of the job"),
    field_rows::row(EventField::text, FieldType::raw_text, "text", "why an action failed"),
}}};
inline constexpr ObjectSpec kEventObject{
    "event", "something that happened; which fields it has depends on what it is", kEventFields.rows};

enum class EventsField : std::uint8_t { format, events };
inline constexpr Fields<EventsField, 2> kEventsFields{{{
    field_rows::format(EventsField::format, kEventsFormat),
    field_rows::objects(EventsField::events, "events", kEventObject, "in the order in which they happened"),
}}};
inline constexpr ObjectSpec kEventsObject{"events", "what has happened since the last step",
                                          kEventsFields.rows};

namespace field_rows {

// A text that is there only where it says something.
constexpr FieldSpec some_text(auto field, std::string_view name, std::string_view help) {
  return not_null(row(field, FieldType::raw_text, name, help));
}

}  // namespace field_rows

enum class ActionField : std::uint8_t {
  action,
  what,
  entry,
  plan,
  kind,
  name,
  cause,
  job,
  tasks,
  signal,
  via,
  how,
  deadline,
  keep_local,
  resume,
  waits_for_owner,
  submitted,
  waiting_since,
  preempted_count,
  placement
};
inline constexpr Fields<ActionField, 20> kActionFields{{{
    field_rows::count(ActionField::action, "action", "the number to answer it by"),
    field_rows::text(ActionField::what, "do", "what is to be done"),
    field_rows::count(ActionField::entry, "entry", "the entry it belongs to"),
    field_rows::count(ActionField::plan, "plan", "the revision the plan was made on"),
    field_rows::text(ActionField::kind, "for", "the kind of the entry's requester"),
    field_rows::text(ActionField::name, "name", "the name of the entry's requester"),
    field_rows::text(ActionField::cause, "cause", "why something is preempted"),
    field_rows::not_null(field_rows::name(ActionField::job, "job", "the victim, or the job to start")),
    field_rows::not_null(
        field_rows::names(ActionField::tasks, "tasks", "the victim's tasks that are not gone yet")),
    field_rows::some_text(ActionField::signal, "signal", "the signal to send"),
    field_rows::some_text(ActionField::via, "via", "how the job wants to hear of a checkpoint"),
    field_rows::some_text(ActionField::how, "how", "how a victim has left"),
    field_rows::seconds_or_null(ActionField::deadline, "deadline",
                                "when the next harsher action or the end of the hold is due"),
    field_rows::not_null(field_rows::flag(ActionField::keep_local, "keep_local",
                                          "whether the nodes keep what the victim resumes from")),
    field_rows::not_null(field_rows::flag(ActionField::resume, "resume",
                                          "of requeue: whether there is something to resume from")),
    field_rows::not_null(field_rows::flag(ActionField::waits_for_owner, "waits_for_owner",
                                          "of requeue: whether it waits for its owner")),
    field_rows::custom(ActionField::submitted, "submitted", "time, or null", kSecondsSchema,
                       "of requeue: when the job was submitted"),
    field_rows::custom(ActionField::waiting_since, "waiting_since", "time, or null", kSecondsSchema,
                       "of requeue: since when it waits again"),
    field_rows::not_null(field_rows::custom(ActionField::preempted_count, "preempted_count", "whole number",
                                            R"("type":"integer","minimum":0)",
                                            "of requeue: how often it has been preempted")),
    field_rows::not_null(field_rows::objects(ActionField::placement, "placement", kEntryPlaceObject,
                                             "of start, claim-ready and release-hold: the space")),
}}};
inline constexpr ObjectSpec kActionObject{"action", "something that is to be done", kActionFields.rows,
                                          false};

inline constexpr std::string_view kAnswersSchema = R"("type":"array","items":{"enum":["taken","ignored"]})";

enum class ActionsField : std::uint8_t { format, now, next_due, answers, actions };
inline constexpr Fields<ActionsField, 5> kActionsFields{{{
    field_rows::format(ActionsField::format, kActionsFormat),
    field_rows::seconds_or_null(ActionsField::now, "now", "the time of the step"),
    field_rows::seconds_or_null(ActionsField::next_due, "next_due", "when the next step is due"),
    field_rows::written(ActionsField::answers, "answers", "list of taken and ignored", kAnswersSchema,
                        "for each event whether it was applied"),
    field_rows::always(field_rows::objects(ActionsField::actions, "actions", kActionObject,
                                           "what is to be done, in the order of the numbers")),
}}};
inline constexpr ObjectSpec kActionsObject{"actions", "the result of a step", kActionsFields.rows, false};

}  // namespace cede
