// SPDX-License-Identifier: MIT
#include "document/step_documents.h"

#include "base/text.h"
#include "document/document.h"
#include "document/json_writer.h"
#include "document/reading.h"
#include "document/step_fields.h"

namespace cede {

namespace {

class EventSink final : public ObjectSink<EventField, 9> {
 public:
  EventSink(Reading& reading, std::vector<EventView>& out) : ObjectSink(reading, kEventFields), out_(out) {}
  ValueSink* start() {
    if (out_.size() >= kMostEvents) {
      reading_.fail("more than " + std::to_string(kMostEvents) + " events", Status::limit);
      return nullptr;
    }
    ObjectSink::start();
    out_.emplace_back();
    return this;
  }
  void scalar(const Scalar& value) override {
    EventView& event = out_.back();
    switch (field()) {
      case EventField::event: return reading_.read_word(value, spec(), event.event);
      case EventField::job: return name(value, event.job);
      case EventField::task: return name(value, event.task);
      case EventField::node: return name(value, event.node);
      case EventField::entry: return reading_.read_integer(value, spec(), event.entry);
      case EventField::action: return reading_.read_integer(value, spec(), event.action);
      case EventField::length: return reading_.read_duration(value, spec(), event.length);
      case EventField::code: return reading_.read_integer(value, spec(), event.code);
      case EventField::text: return reading_.read_text(value, event.text);
    }
  }
  void end() override { require_fields(); }
  SiteFields* site() override { return &site_; }

 private:
  void name(const Scalar& value, std::string& out) {
    reading_.read_text(value, out);
    if (value.kind != Scalar::Kind::text) return;
    if (const std::string fault = name_fault(value.text); !fault.empty()) reading_.fail(fault);
  }

  std::vector<EventView>& out_;
  SiteFields site_;
};

class EventsSink final : public ObjectSink<EventsField, 2> {
 public:
  EventsSink(Reading& reading, std::vector<EventView>& out)
      : ObjectSink(reading, kEventsFields), event_(reading, out), events_(reading, event_) {}
  void scalar(const Scalar& value) override {
    if (field() == EventsField::format) {
      if (value.kind != Scalar::Kind::text || value.text != kEventsFormat)
        fail_format(reading_, value, {&kEventsFormat, 1});
    } else if (!value.is_null()) {
      reading_.fail_type("a list", value);
    }
  }
  ValueSink* array() override { return field() == EventsField::events ? &events_ : ObjectSink::array(); }
  void end() override { require_fields(); }
  SiteFields* site() override { return &site_; }

 private:
  EventSink event_;
  ObjectListSink<EventSink> events_;
  SiteFields site_;
};

class StepWriter {
 public:
  explicit StepWriter(const StepView& view) : view_(view), json_(out_) {}

  std::string write() {
    json_.begin_object().key("format").text(kActionsFormat);
    time("now", view_.now);
    time("next_due", view_.next_due);
    json_.key("answers").begin_array();
    for (const bool taken : view_.taken) json_.text(taken ? "taken" : "ignored");
    json_.end_array().key("actions").begin_array();
    for (const StepView::Action& action : view_.actions) this->action(action);
    json_.end_array().end_object();
    return std::move(out_) + '\n';
  }

 private:
  void time(std::string_view key, Time value) {
    json_.key(key).raw(value == kNoTime ? "null" : format_seconds(value));
  }
  void word(std::string_view key, std::string_view value) {
    if (!value.empty()) json_.key(key).text(value);
  }

  void action(const StepView::Action& action) {
    json_.line().begin_object().key("action").raw(std::to_string(action.id));
    json_.key("do").text(action.action).key("entry").raw(std::to_string(action.entry));
    json_.key("plan").raw(std::to_string(action.plan)).key("for").text(action.requester_kind);
    json_.key("name").text(action.requester).key("cause").text(action.cause);
    word("job", action.job);
    if (!action.tasks.empty()) {
      json_.key("tasks").begin_array();
      for (const std::string& task : action.tasks) json_.text(task);
      json_.end_array();
    }
    word("signal", action.signal);
    word("via", action.via);
    word("how", action.how);
    time("deadline", action.deadline);
    if (action.keep_local || action.is_requeue) json_.key("keep_local").flag(action.keep_local);
    if (action.is_requeue) {
      json_.key("resume").flag(action.resume).key("waits_for_owner").flag(action.waits_for_owner);
      time("submitted", action.submitted);
      time("waiting_since", action.waiting_since);
      json_.key("preempted_count").number(action.preempted_count);
    }
    if (action.has_places) {
      json_.key("placement").begin_array();
      for (const LedgerView::Place& place : action.places) write_place(json_, place);
      json_.end_array();
    }
    json_.end_object();
  }

  const StepView& view_;
  std::string out_;
  JsonWriter json_;
};

}  // namespace

bool read_events(std::string_view text, const Limits& limits, Problems& problems,
                 std::vector<EventView>& out) {
  Reading reading(problems);
  EventsSink root(reading, out);
  return parse_document(text, limits, reading, root);
}

std::string write_step(const StepView& view) { return StepWriter(view).write(); }

void write_place(JsonWriter& json, const LedgerView::Place& place) {
  json.begin_object();
  if (place.whole_node && place.task == place.node) {
    json.key("node").text(place.node).end_object();
    return;
  }
  json.key("task").text(place.task).key("node").text(place.node).key("gpus");
  if (!place.devices_known) {
    json.raw("null").end_object();
    return;
  }
  json.begin_array();
  for (std::uint32_t d = 0; d < kMaxDevices; ++d) {
    if ((place.gpus >> d & 1) != 0) json.number(d);
  }
  if (place.share > 0) {
    json.begin_object().key("index").number(place.share_device);
    json.key("share").raw(format_scaled(place.share, 3)).end_object();
  }
  json.end_array().end_object();
}

}  // namespace cede
