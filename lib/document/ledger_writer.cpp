// SPDX-License-Identifier: MIT
#include "document/ledger_writer.h"

#include "base/amount.h"
#include "document/json_text.h"

namespace cede {

namespace {

class LedgerWriter {
 public:
  explicit LedgerWriter(const LedgerView& view) : view_(view), json_(out_) {}

  std::string write() {
    json_.begin_object().key("format").text(kInFlightFormat);
    time("now", view_.now);
    time("next_due", view_.next_due);
    json_.key("entries").begin_array();
    for (const LedgerView::Entry& entry : view_.entries) this->entry(entry);
    json_.end_array().end_object();
    return std::move(out_);
  }

 private:
  void time(std::string_view key, Time value) {
    json_.key(key).raw(value == kNoTime ? "null" : format_seconds(value));
  }

  void entry(const LedgerView::Entry& entry) {
    json_.begin_object().key("entry").raw(std::to_string(entry.id));
    json_.key("state").text(entry.state).key("for").text(entry.requester_kind);
    json_.key("name").text(entry.requester).key("cause").text(entry.cause);
    time("committed", entry.committed);
    time("deadline", entry.deadline);
    json_.key("hold").flag(entry.has_hold).key("victims").begin_array();
    for (const LedgerView::Victim& victim : entry.victims) this->victim(victim);
    json_.end_array().key("placement").begin_array();
    for (const LedgerView::Place& place : entry.placement) this->place(place);
    json_.end_array().end_object();
  }

  void victim(const LedgerView::Victim& victim) {
    json_.begin_object().key("job").text(victim.job).key("tasks").begin_array();
    for (const std::string& task : victim.tasks) json_.text(task);
    json_.end_array().key("phase").text(victim.phase);
    if (!victim.release.empty()) json_.key("released").text(victim.release);
    time("deadline", victim.deadline);
    json_.end_object();
  }

  void place(const LedgerView::Place& place) {
    json_.begin_object();
    if (place.whole_node && place.task == place.node) {
      json_.key("node").text(place.node).end_object();
      return;
    }
    json_.key("task").text(place.task).key("node").text(place.node).key("gpus");
    if (!place.devices_known) {
      json_.raw("null").end_object();
      return;
    }
    json_.begin_array();
    for (std::uint32_t d = 0; d < kMaxDevices; ++d) {
      if ((place.gpus >> d & 1) != 0) json_.number(d);
    }
    if (place.share > 0) {
      json_.begin_object().key("index").number(place.share_device);
      json_.key("share").raw(format_scaled(place.share, 3)).end_object();
    }
    json_.end_array().end_object();
  }

  const LedgerView& view_;
  std::string out_;
  JsonWriter json_;
};

}  // namespace

std::string write_ledger(const LedgerView& view) { return LedgerWriter(view).write(); }

}  // namespace cede
