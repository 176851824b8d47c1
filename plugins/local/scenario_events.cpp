// SPDX-License-Identifier: MIT
#include "scenario_events.h"

#include <algorithm>
#include <array>
#include <utility>

#include "cli/document.h"
#include "cli/json_text.h"
#include "cli/message_text.h"
#include "scenario_tables.h"

namespace local {

namespace {

using Kind = EventSpec::Kind;

// In the order of EventSpec::Kind.
constexpr std::array<std::string_view, 5> kKinds{"overcommit", "lower-max", "claim", "node-down", "node-up"};

const ScenarioObject& object_of(Kind kind) { return kEventObjects[static_cast<std::size_t>(kind)]; }

constexpr std::string_view kGuaranteed = "put.queues[0].guaranteed";

// The changes are given to the library as a document; this is how their paths begin there.
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kPaths{
    {{"put.nodes[0].resources", "resources"},
     {"put.queues[0].max", "max"},
     {kGuaranteed, "max"},
     {"put.jobs[0].max", "max"},
     {"put.jobs[0].tasks[0].resources", "resources"}}};

}  // namespace

std::string_view word_of(Kind kind) { return kKinds[static_cast<std::size_t>(kind)]; }

std::string EventSpec::target() const {
  return !node.empty() ? "node:" + node : !queue.empty() ? "queue:" + queue : "job:" + job;
}

std::string json_of(const Amounts& amounts) {
  std::string out;
  for (const auto& [name, amount] : amounts)
    out += (out.empty() ? "" : ",") + cli::json_quoted(name) + ':' + amount;
  return '{' + out + '}';
}

void replace_amounts(Amounts& amounts, const Amounts& changes) {
  for (const auto& [name, amount] : changes) {
    const auto known = std::find_if(amounts.begin(), amounts.end(),
                                    [&name = name](const auto& each) { return each.first == name; });
    if (known != amounts.end()) known->second = amount;
    if (known == amounts.end()) amounts.emplace_back(name, amount);
  }
}

Amounts amounts_of(const cli::JsonNode& object, std::string_view name, std::string_view document) {
  Amounts out;
  const cli::JsonNode* amounts = object.find(name);
  if (!amounts || !amounts->is_object()) return out;
  for (const cli::JsonNode& item : amounts->items) out.emplace_back(item.key, item.raw(document));
  return out;
}

void ScenarioEvents::fail(Read& event, std::string_view member, std::string text) {
  event.good = false;
  const cli::JsonNode* node = member.empty() ? nullptr : event.node.find(member);
  fields_.fail(node ? *node : event.node, member.empty() ? event.path : below(event.path, member),
               std::move(text));
}

void ScenarioEvents::read(const cli::JsonNode& root) {
  const cli::JsonNode* events = root.find("events");
  if (!events) return;
  if (!events->is_list()) return fields_.fail(*events, "events", "this is not a list of events");
  for (std::size_t i = 0; i < events->items.size(); ++i) {
    Read event{{}, events->items[i], at("events", i)};
    read_event(event);
    events_.push_back(std::move(event));
  }
  std::stable_sort(events_.begin(), events_.end(),
                   [](const Read& a, const Read& b) { return a.spec.at < b.spec.at; });
  for (const Read& event : events_) scenario_.events.push_back(event.spec);
}

void ScenarioEvents::read_event(Read& event) {
  if (!event.node.is_object()) return fail(event, {}, "an event is an object");
  const cli::JsonNode* word = event.node.find("event");
  if (!word)
    return fail(event, "event",
                "an event needs this: one of overcommit, lower-max, claim, node-down and node-up");
  const auto known = std::find(kKinds.begin(), kKinds.end(), word->text);
  if (!word->is_text() || known == kKinds.end()) {
    return fail(event, "event",
                (word->is_text() ? cli::quote(word->text) : "this") + " is not an event" +
                    cli::did_you_mean_or_list(word->text, kKinds));
  }
  event.spec.kind = static_cast<Kind>(known - kKinds.begin());
  if (!event.node.find("at")) fail(event, "at", "an event needs this: how long after the start it happens");
  fields_.duration(event.node, event.path, "at", event.spec.at);
  fields_.expect(event.node, event.path, object_of(event.spec.kind));
  switch (event.spec.kind) {
    case Kind::overcommit:
      read_subject(event, {"node", "job"});
      fields_.text(event.node, event.path, "task", event.spec.task);
      if (event.node.find("task") && !event.node.find("job"))
        fail(event, "task", "needs the task's 'job' beside it");
      return read_amounts(event, "resources");
    case Kind::lower_max: read_subject(event, {"queue", "job"}); return read_amounts(event, "max");
    case Kind::claim: read_subject(event, {"queue"}); return read_claim(event);
    case Kind::node_down:
    case Kind::node_up: return read_subject(event, {"node"});
  }
}

void ScenarioEvents::read_subject(Read& event, std::initializer_list<std::string_view> allowed) {
  std::string words;
  std::size_t given = 0;
  for (const std::string_view name : allowed) {
    words += (words.empty() ? "'" : " or '") + std::string(name) + '\'';
    if (!event.node.find(name)) continue;
    ++given;
    fields_.text(event.node, event.path, name,
                 name == "node"    ? event.spec.node
                 : name == "queue" ? event.spec.queue
                                   : event.spec.job);
  }
  if (given != 1) fail(event, {}, std::string(word_of(event.spec.kind)) + " needs one " + words);
}

void ScenarioEvents::read_amounts(Read& event, std::string_view name) {
  fields_.flag(event.node, event.path, "partial", event.spec.partial);
  const cli::JsonNode* amounts = fields_.object(event.node, event.path, name);
  if (!event.node.find(name) || (amounts && amounts->items.empty()))
    return fail(event, name, std::string(word_of(event.spec.kind)) + " needs at least one resource here");
  if (!amounts) event.good = false;
  event.spec.amounts = amounts_of(event.node, name, fields_.document());
}

void ScenarioEvents::read_claim(Read& event) {
  if (!event.node.find("nodes")) fail(event, "nodes", "a claim needs at least one node here");
  fields_.texts(event.node, event.path, "nodes", event.spec.nodes);
  fields_.text(event.node, event.path, "reason", event.spec.reason);
  if (std::find(kClaimReasons.begin(), kClaimReasons.end(), event.spec.reason) == kClaimReasons.end()) {
    const std::string given =
        event.spec.reason.empty() ? "a claim needs" : cli::quote(event.spec.reason) + " is not";
    fail(event, "reason", given + " 'reclaim' or 'sensitive'");
  }
  if (!event.node.find("keep")) return;
  std::int64_t keep = 0;
  fields_.duration(event.node, event.path, "keep", keep);
  event.spec.keep = keep;
}

void ScenarioEvents::check_name(Read& event, std::string_view member, const std::string& name,
                                std::string_view noun, const Names& known) {
  if (!name.empty() && !known.contains(name)) fail(event, member, unknown_name(name, noun, known));
}

void ScenarioEvents::check_task(Read& event) {
  if (event.spec.task.empty()) return;
  for (const JobSpec& job : scenario_.jobs) {
    if (job.id != event.spec.job) continue;
    Names tasks;
    for (const TaskSpec& task : job.tasks) tasks.insert(task.id);
    check_name(event, "task", event.spec.task, "task of that job", tasks);
  }
}

void ScenarioEvents::check_names() {
  Names nodes, queues, jobs;
  for (const NodeSpec& node : scenario_.nodes) nodes.insert(node.id);
  for (const QueueSpec& queue : scenario_.queues) queues.insert(queue.id);
  for (const JobSpec& job : scenario_.jobs) jobs.insert(job.id);
  for (Read& event : events_) {
    check_name(event, "node", event.spec.node, "node", nodes);
    check_name(event, "queue", event.spec.queue, "queue", queues);
    check_name(event, "job", event.spec.job, "job", jobs);
    check_task(event);
    const cli::JsonNode* list = event.node.find("nodes");
    for (std::size_t i = 0; i < event.spec.nodes.size(); ++i) {
      if (nodes.contains(event.spec.nodes[i])) continue;
      event.good = false;
      fields_.fail(list->items[i], at(below(event.path, "nodes"), i),
                   unknown_name(event.spec.nodes[i], "node", nodes));
    }
  }
}

// The change as a document for the library; for a job only its amounts, since it need not run.
std::string ScenarioEvents::change_of(const EventSpec& event) const {
  const auto object = [](std::string_view list, const std::string& members) {
    return "{\"format\":\"cede-changes/1\",\"put\":{\"" + std::string(list) + "\":[{" + members + "}]}}";
  };
  for (const NodeSpec& node : scenario_.nodes) {
    if (event.node != node.id || event.node.empty()) continue;
    Amounts resources = node.resources;
    replace_amounts(resources, event.amounts);
    return object("nodes", node.members + ",\"resources\":" + json_of(resources));
  }
  for (const QueueSpec& queue : scenario_.queues) {
    if (event.queue != queue.id || event.queue.empty()) continue;
    Amounts max = queue.max;
    replace_amounts(max, event.amounts);
    return object("queues", queue.members + ",\"max\":" + json_of(max));
  }
  for (const JobSpec& job : scenario_.jobs) {
    if (event.job != job.id || event.job.empty()) continue;
    std::string members = "\"id\":" + cli::json_quoted(job.id) + ",\"queue\":" + cli::json_quoted(job.queue) +
                          ",\"submitted\":0";
    if (!job.group.empty()) members += ",\"group\":" + cli::json_quoted(job.group);
    const bool limit = event.kind == Kind::lower_max;
    if (limit) members += ",\"max\":" + json_of(event.amounts);
    return object("jobs",
                  members + ",\"tasks\":[{\"resources\":" + (limit ? "{}" : json_of(event.amounts)) + "}]");
  }
  return {};
}

void ScenarioEvents::ask_about_claim(const cli::Engine& engine, Read& event) {
  std::vector<const char*> nodes;
  for (const std::string& node : event.spec.nodes) nodes.push_back(node.c_str());
  cede_plan* made = nullptr;
  cede_error error{};
  const std::int32_t status =
      cede_plan_create_claim(engine.get(), event.spec.queue.c_str(), nodes.data(), nodes.size(),
                             event.spec.reason.c_str(), 0, nullptr, 0, &made, &error);
  const cli::Plan plan(made);
  if (status >= 0) return;
  const std::string_view text = error.text;
  const std::size_t colon = text.find(": ");
  const std::string_view member = text.substr(0, colon == std::string_view::npos ? 0 : colon);
  const bool named = member == "nodes" || member == "queue" || member == "reason";
  fail(event, named ? member : "", std::string(named || member == "claim" ? text.substr(colon + 2) : text));
}

void ScenarioEvents::ask_library(const cli::Engine& engine, const std::string& file, cli::Console& console) {
  for (Read& event : events_) {
    if (!event.good) continue;
    if (event.spec.kind == Kind::claim) ask_about_claim(engine, event);
    if (event.spec.amounts.empty()) continue;
    cli::Document changes = cli::document_of(file, change_of(event.spec), CEDE_DOCUMENT_CHANGES);
    cli::check_document(engine, changes, console);
    for (const cli::Finding& finding : changes.report.findings) {
      if (finding.warning) continue;
      const auto place = std::find_if(kPaths.begin(), kPaths.end(), [&finding](const auto& each) {
        return finding.path.starts_with(each.first);
      });
      if (place == kPaths.end()) {
        fail(event, {}, finding.text);
        continue;
      }
      const cli::JsonNode& amounts = *event.node.find(place->second);
      const std::string rest = finding.path.substr(place->first.size());
      const cli::JsonNode* amount = rest.empty() ? nullptr : amounts.find(rest.substr(1));
      event.good = false;
      fields_.fail(amount ? *amount : amounts, below(event.path, place->second) + rest,
                   (place->first == kGuaranteed ? "guaranteed " : "") + finding.text);
    }
  }
}

}  // namespace local
