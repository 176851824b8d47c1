// SPDX-License-Identifier: MIT
#include "report/metrics_text.h"

#include <string_view>

#include "base/amount.h"

namespace cede {

namespace {

// A label value. The format requires escapes for backslash, quote and line feed.
std::string metric_label(std::string_view name, std::string_view value) {
  std::string out(name);
  out += "=\"";
  for (const char c : value) {
    if (c == '\n') {
      out += "\\n";
    } else {
      if (c == '\\' || c == '"') out += '\\';
      out += c;
    }
  }
  return out + '"';
}

// Bounds are written like the canonical numbers of the format: `1.0`, `0.0001`, `2e-05`. Each has one digit
// other than 0.
std::string bound(std::int64_t value, int places) {
  std::string text = format_scaled(value, places);
  if (text.find('.') == std::string::npos) return text + ".0";
  const std::size_t digit = text.find_first_not_of("0.");
  if (digit < 6) return text;
  return text.substr(digit) + "e-0" + std::to_string(digit - 1);
}

class Writer {
 public:
  void family(std::string_view name, std::string_view type, std::string_view help) {
    name_ = name;
    line("# TYPE ", type);
    line("# HELP ", help);
  }
  void sample(std::string_view suffix, std::string_view labels, std::string_view value) {
    out_ += name_;
    out_ += suffix;
    if (!labels.empty()) {
      out_ += '{';
      out_ += labels;
      out_ += '}';
    }
    out_ += ' ';
    out_ += value;
    out_ += '\n';
  }
  void counter(std::string_view name, std::string_view help, std::uint64_t value) {
    family(name, "counter", help);
    sample("_total", {}, std::to_string(value));
  }
  void gauge(std::string_view name, std::string_view help, std::uint64_t value) {
    family(name, "gauge", help);
    sample({}, {}, std::to_string(value));
  }
  template <class Histogram>
  void histogram(std::string_view name, std::string_view help, const Histogram& histogram) {
    family(name, "histogram", help);
    std::uint64_t so_far = 0;
    for (std::size_t i = 0; i < Histogram::kBounds.size(); ++i) {
      so_far += histogram.counts[i];
      sample("_bucket", metric_label("le", bound(Histogram::kBounds[i], Histogram::kPlaces)),
             std::to_string(so_far));
    }
    sample("_bucket", metric_label("le", "+Inf"), std::to_string(histogram.count()));
    sample("_count", {}, std::to_string(histogram.count()));
    sample("_sum", {}, format_scaled(histogram.sum, Histogram::kPlaces));
  }
  std::string finish() { return std::move(out_) + "# EOF\n"; }

 private:
  void line(std::string_view what, std::string_view text) {
    out_ += what;
    out_ += name_;
    out_ += ' ';
    out_ += text;
    out_ += '\n';
  }

  std::string name_;
  std::string out_;
};

}  // namespace

std::string metrics_text(const Metrics& metrics) {
  Writer out;
  out.family("cede_preemptions", "counter", "Victims preempted, by their queue and the cause.");
  for (const auto& [labels, count] : metrics.preemptions) {
    out.sample("_total", metric_label("queue", labels.first) + ',' + metric_label("reason", labels.second),
               std::to_string(count));
  }
  out.histogram("cede_preemption_checkpoint_duration_seconds", "From the hint until every task had saved.",
                metrics.checkpoint_seconds);
  out.counter("cede_preemption_victim_requeue", "Victims sent back to wait.", metrics.requeues);
  out.counter("cede_preemption_failed_checkpoint", "Checkpoints that failed or were not written in time.",
              metrics.failed_checkpoints);
  out.family("cede_plans", "counter", "Plans committed or reported, by profile and outcome.");
  for (const auto& [labels, count] : metrics.plans) {
    out.sample("_total", metric_label("profile", labels.first) + ',' + metric_label("outcome", labels.second),
               std::to_string(count));
  }
  out.histogram("cede_plan_seconds", "Time spent on planning, where the caller measured it.",
                metrics.plan_seconds);
  out.family("cede_lost_work_gpu_seconds", "counter", "Work lost to preemption, by the victims' queue.");
  for (const auto& [queue, lost] : metrics.lost_work) {
    out.sample("_total", metric_label("queue", queue),
               format_scaled(lost * 6, 2));  // a GPU-minute is 60 seconds
  }
  out.gauge("cede_holds", "Placements kept for a requester now.", metrics.holds);
  out.counter("cede_holds_expired", "Holds given back because the requester did not start.",
              metrics.holds_expired);
  out.gauge("cede_in_flight", "Victims on their way out now.", metrics.in_flight);
  out.counter("cede_ignored_events", "Events about something unknown or past.", metrics.ignored_events);
  return out.finish();
}

}  // namespace cede
