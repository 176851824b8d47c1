// SPDX-License-Identifier: MIT
#include "scenario_reader.h"

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <set>
#include <tuple>

#include "cli/input.h"
#include "cli/json_text.h"
#include "cli/json_tree.h"
#include "cli/message_text.h"
#include "cli/now_option.h"
#include "scenario_events.h"
#include "scenario_fields.h"
#include "scenario_names.h"
#include "scenario_tables.h"

namespace local {

namespace {

// The document with everything blank but one value: what the library finds in it stands where it stood.
std::string only(const cli::JsonNode& value, std::string_view document) {
  std::string out(document);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const bool inside = i >= value.begin && i < value.end;
    if (!inside && out[i] != '\n') out[i] = ' ';
  }
  return out;
}

// What the order of waiting jobs depends on. The library says what is wrong with a value.
std::optional<std::int32_t> whole_number(const cli::JsonNode& object, std::string_view name) {
  const std::string_view text = object.text_of(name);
  std::int32_t out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return !text.empty() && error == std::errc{} && end == text.data() + text.size() ? std::optional(out)
                                                                                   : std::nullopt;
}

std::optional<bool> yes_or_no(const cli::JsonNode& object, std::string_view name) {
  const std::string_view text = object.text_of(name);
  return text == "true" || text == "false" ? std::optional(text == "true") : std::nullopt;
}

class Reader {
 public:
  Reader(cli::Document& document, cli::Console& console, Scenario& scenario)
      : document_(document),
        console_(console),
        scenario_(scenario),
        fields_(document.text, document.report.findings),
        events_(fields_, scenario) {}

  bool read() {
    cli::JsonNode root;
    cli::JsonFault fault;
    if (!cli::read_tree(document_.text, root, fault)) {
      fields_.fail_at(fault.offset, {}, fault.text);
      return false;
    }
    if (!root.is_object()) {
      fields_.fail(root, {}, "a document is an object");
      return false;
    }
    const cli::JsonNode* format = root.find("format");
    if (format && format->text != cli::format_of(cli::kDocumentScenario)) {
      fields_.fail(*format, "format",
                   cli::quote(format->text) + " is not " + cli::format_of(cli::kDocumentScenario));
      document_.report.format.clear();
      return false;
    }
    fields_.expect(root, {}, kScenarioObject);
    read_top(root);
    std::optional<cli::Document> policy = part(root, "policy", CEDE_DOCUMENT_POLICY);
    std::optional<cli::Document> cluster = part(root, "cluster", CEDE_DOCUMENT_CLUSTER);
    read_jobs(root);
    events_.read(root);
    if (policy && cluster) judge(root, *policy, *cluster);
    if (policy && cluster && document_.ok()) keep(root, *policy);
    sort_findings();
    return document_.ok();
  }

 private:
  // Reports everything that is wrong at once, whether this reader or the library found it.
  void judge(const cli::JsonNode& root, cli::Document& policy, cli::Document& cluster) {
    cli::JsonFault fault;
    if (!cli::read_tree(cluster.text, cluster_, fault)) return fields_.fail_at(0, "cluster", fault.text);
    cluster_text_ = cluster.text;
    keep_cluster();
    events_.check_names();
    ask_library(root, policy, cluster);
    const cli::JsonNode& stated = *root.find("cluster");
    const bool inside = stated.is_object();
    check_names(root, inside ? stated : cluster_, inside ? "" : cluster.report.name, fields_);
    const cli::JsonNode* jobs = cluster_.find("jobs");
    if (!jobs || jobs->items.empty()) return;
    const cli::JsonNode* place = inside ? stated.find("jobs") : nullptr;
    fields_.fail(place ? *place : stated, "cluster.jobs", "a scenario's jobs stand in its own 'jobs'");
  }

  // In the order of the document; findings without a place come first.
  void sort_findings() {
    std::stable_sort(document_.report.findings.begin(), document_.report.findings.end(),
                     [](const cli::Finding& a, const cli::Finding& b) {
                       return std::tie(a.line, a.column) < std::tie(b.line, b.column);
                     });
  }

  void read_top(const cli::JsonNode& root) {
    fields_.text(root, {}, "title", scenario_.title);
    fields_.duration(root, {}, "orphan_timeout", scenario_.orphan_timeout);
    fields_.duration(root, {}, "patience", scenario_.patience);
    fields_.duration(root, {}, "cleanup_delay", scenario_.cleanup_delay);
    const cli::JsonNode* speed = root.find("speed");
    if (!speed) return;
    const char* end = speed->text.data() + speed->text.size();
    const auto [stop, error] = std::from_chars(speed->text.data(), end, scenario_.speed);
    const bool number = error == std::errc{} && stop == end;
    if (speed->kind != cli::JsonNode::Kind::number)
      return fields_.fail(*speed, "speed", "this is not a number in 0.01..10000");
    if (!number || scenario_.speed < kSlowest || scenario_.speed > kFastest)
      fields_.fail(*speed, "speed", cli::quote(speed->text) + " is outside 0.01..10000");
  }

  // A document that stands in the scenario, or in a file of its own that the scenario names. Empty, and told,
  // if there is none that can be looked at further.
  std::optional<cli::Document> part(const cli::JsonNode& root, std::string_view name, std::int32_t kind) {
    cli::Document out;
    const cli::JsonNode* node = root.find(name);
    const std::size_t before = document_.report.findings.size();
    if (!node) {
      fields_.fail(root, std::string(name), "a scenario needs this");
    } else if (node->is_text()) {
      const std::filesystem::path beside = std::filesystem::path(document_.report.name).parent_path();
      out = cli::open_document((beside / node->text).string(), console_);
      if (out.ok() && out.kind != kind) {
        fields_.fail(*node, std::string(name),
                     cli::quote(node->text) + " is not a document of the format " + cli::format_of(kind));
      }
      pass_on(out, name, node);
    } else if (node->is_object()) {
      out = cli::document_of(document_.report.name, only(*node, document_.text), kind);
      const std::int32_t stated = cede_document_kind(out.text.data(), out.text.size(), nullptr);
      const cli::JsonNode* format = node->find("format");
      if (stated != kind)
        fields_.fail(format ? *format : *node, below(name, "format"),
                     "must be " + cli::quote(cli::format_of(kind)));
      pass_on(out, name, nullptr);
    } else {
      fields_.fail(*node, std::string(name), "this is neither an object nor the name of a file");
    }
    const auto& findings = document_.report.findings;
    const bool usable = std::all_of(findings.begin() + static_cast<std::ptrdiff_t>(before), findings.end(),
                                    [](const cli::Finding& finding) { return finding.warning; });
    return usable ? std::optional(std::move(out)) : std::nullopt;
  }

  // Turns findings about a part into findings about the scenario.
  void pass_on(cli::Document& from, std::string_view name, const cli::JsonNode* file) {
    for (cli::Finding& finding : from.report.findings) {
      if (file) {
        std::string place = cli::shown_name(from.report.name) + ':';
        if (finding.line > 0)
          place += std::to_string(finding.line) + ':' + std::to_string(finding.column) + ':';
        if (!finding.path.empty()) finding.text = finding.path + ": " + finding.text;
        if (!finding.by_system) finding.text = place + ' ' + finding.text;
        if (finding.warning) {
          fields_.warn(*file, std::string(name), finding.text);
        } else {
          fields_.fail(*file, std::string(name), finding.text);
        }
        continue;
      }
      finding.path = finding.path.empty() ? std::string(name) : below(name, finding.path);
      document_.report.findings.push_back(std::move(finding));
    }
    document_.report.dropped += from.report.dropped;
    document_.report.cut = document_.report.cut || from.report.cut;
    from.report.findings.clear();
    from.report.dropped = 0;
    from.report.cut = false;
  }

  void read_jobs(const cli::JsonNode& root) {
    const cli::JsonNode* jobs = root.find("jobs");
    if (!jobs || !jobs->is_list() || jobs->items.empty()) {
      fields_.fail(jobs ? *jobs : root, "jobs", "a scenario needs a list of at least one job");
      return;
    }
    for (std::size_t i = 0; i < jobs->items.size(); ++i) {
      const std::size_t before = document_.report.findings.size();
      read_job(jobs->items[i], at("jobs", i));
      // The library's verdict on such a job says nothing about the job of the run.
      if (document_.report.findings.size() > before && unlike_a_job_) unlike_.insert(i);
      unlike_a_job_ = false;
    }
  }

  void fail_job(const cli::JsonNode& node, std::string path, std::string text) {
    unlike_a_job_ = true;
    fields_.fail(node, std::move(path), std::move(text));
  }

  void read_job(const cli::JsonNode& node, const std::string& path) {
    if (!node.is_object()) return fail_job(node, path, "a job is an object");
    JobSpec job;
    fields_.text(node, path, "id", job.id);
    for (const std::string_view name : kSetOfJob) {
      if (const cli::JsonNode* set = node.find(name))
        fail_job(*set, below(path, name), "the run sets this; leave it out");
    }
    job.members = cli::members_without(node, document_.text,
                                       {"id", "run", "tasks", "checkpoint", "priority", "class", "max"});
    job.max = amounts_of(node, "max", document_.text);
    job.queue = node.text_of("queue");
    job.group = node.text_of("group");
    job.kind = node.text_of("kind");
    job.gang = yes_or_no(node, "gang");
    job.may_preempt = yes_or_no(node, "may_preempt");
    job.min_tasks = static_cast<std::uint32_t>(std::max(0, whole_number(node, "min_tasks").value_or(0)));
    if (const cli::JsonNode* checkpoint = fields_.object(node, path, "checkpoint")) {
      for (const std::string_view name : kSetOfCheckpoint) {
        if (const cli::JsonNode* set = checkpoint->find(name))
          fields_.fail(*set, below(below(path, "checkpoint"), name), "the run sets this; leave it out");
      }
      job.checkpoint = cli::members_without(*checkpoint, document_.text,
                                            {kSetOfCheckpoint.begin(), kSetOfCheckpoint.end()});
    }
    for (const std::string_view name : {"priority", "class"}) {
      if (const cli::JsonNode* stated = node.find(name))
        job.submitted_members += ",\"" + std::string(name) + "\":" + std::string(stated->raw(document_.text));
    }
    read_tasks(node, path, job);
    read_run(node, path, job.run);
    scenario_.jobs.push_back(std::move(job));
  }

  void read_tasks(const cli::JsonNode& node, const std::string& path, JobSpec& job) {
    const cli::JsonNode* tasks = node.find("tasks");
    if (!tasks || !tasks->is_list() || tasks->items.empty())
      return fail_job(tasks ? *tasks : node, below(path, "tasks"), "a job needs at least one task");
    for (std::size_t i = 0; i < tasks->items.size(); ++i) {
      const cli::JsonNode& task = tasks->items[i];
      const std::string place = at(below(path, "tasks"), i);
      if (!task.is_object()) return fail_job(task, place, "a task is an object");
      for (const std::string_view name : kSetOfTask) {
        if (const cli::JsonNode* set = task.find(name))
          fail_job(*set, below(place, name), "the run sets this; 'run.first' names where a job starts first");
      }
      TaskSpec spec;
      spec.id = "t" + std::to_string(i);
      fields_.text(task, place, "id", spec.id);
      spec.members = cli::members_without(task, document_.text, {"id", "count", "resources"});
      spec.resources = amounts_of(task, "resources", document_.text);
      spec.priority = whole_number(task, "priority");
      spec.may_preempt = yes_or_no(task, "may_preempt");
      if (const cli::JsonNode* resources = task.find("resources")) {
        const cli::JsonNode* gpu = resources->find("gpu");
        if (gpu) spec.gpus = std::strtod(gpu->text.c_str(), nullptr);
        if (gpu && gpu->text.ends_with('m')) spec.gpus /= 1000;
      }
      add_tasks(task, spec, place, job);
    }
  }

  void add_tasks(const cli::JsonNode& task, const TaskSpec& spec, const std::string& place, JobSpec& job) {
    const cli::JsonNode* count = task.find("count");
    if (!count) return job.tasks.push_back(spec);
    std::size_t number = 0;
    std::from_chars(count->text.data(), count->text.data() + count->text.size(), number);
    if (count->kind != cli::JsonNode::Kind::number || number < 1 || number > kMostTasks)
      return fail_job(*count, below(place, "count"),
                      cli::quote(count->text) + " is outside 1.." + std::to_string(kMostTasks));
    for (std::size_t i = 0; i < number; ++i) {
      job.tasks.push_back(spec);
      job.tasks.back().id += '#' + std::to_string(i);
    }
  }

  void read_run(const cli::JsonNode& node, const std::string& path, RunSpec& spec) {
    spec.signal = SIGUSR1;
    const cli::JsonNode* run = fields_.object(node, path, "run");
    const std::string place = below(path, "run");
    if (!run) {
      if (!node.find("run")) fields_.fail(node, place, "a scenario's job needs this: what it runs");
      return;
    }
    fields_.expect(*run, place, kRunObject);
    fields_.texts(*run, place, "command", spec.command);
    fields_.texts(*run, place, "first", spec.first);
    fields_.duration(*run, place, "arrival", spec.arrival);
    fields_.duration(*run, place, "duration", spec.duration);
    fields_.flag(*run, place, "ignore_term", spec.ignores_term);
    fields_.flag(*run, place, "restart", spec.restart);
    if (!run->find("command") && !run->find("duration"))
      fields_.fail(*run, place, "needs a 'command', or a 'duration' for the built-in worker");
    if (const cli::JsonNode* saving = fields_.object(*run, place, "checkpoint")) {
      const std::string below_it = below(place, "checkpoint");
      fields_.expect(*saving, below_it, kSavingObject);
      fields_.signal(*saving, below_it, "signal", spec.signal);
      fields_.duration(*saving, below_it, "takes", spec.takes);
      fields_.duration(*saving, below_it, "defer", spec.defers);
      spec.saves = true;
    }
    const cli::JsonNode* environment = fields_.object(*run, place, "environment");
    for (const cli::JsonNode& item : environment ? environment->items : std::vector<cli::JsonNode>{}) {
      const bool bad_name =
          item.key.empty() || item.key.find_first_of(std::string("=\0", 2)) != std::string::npos;
      if (!item.is_text() || bad_name || item.text.find('\0') != std::string::npos) {
        fields_.fail(item, below(below(place, "environment"), item.key), "is not a variable with a text");
      }
      spec.environment.emplace_back(item.key, item.text);
    }
  }

  // The library judges cluster, policy and jobs as it will when they are loaded.
  void ask_library(const cli::JsonNode& root, cli::Document& policy, cli::Document& cluster) {
    const cli::JsonNode& policy_node = *root.find("policy");
    const cli::JsonNode& cluster_node = *root.find("cluster");
    const cli::JsonNode* policy_file = policy_node.is_text() ? &policy_node : nullptr;
    const cli::JsonNode* cluster_file = cluster_node.is_text() ? &cluster_node : nullptr;
    const cli::Engine bare = cli::make_engine(nullptr, console_);
    if (!bare) return fields_.fail(root, {}, "the library cannot make an engine");
    cli::check_document(bare, policy, console_);
    // A wrong policy decides nothing; what does not depend on a policy is checked all the same.
    const cli::Engine with_policy = policy.ok() ? cli::make_engine(&policy, console_) : cli::Engine();
    const cli::Engine& engine = with_policy ? with_policy : bare;
    cli::check_document(engine, cluster, console_);
    const bool loads = cluster.ok() && cli::load_cluster(engine, cluster, console_);
    pass_on(policy, "policy", policy_file);
    pass_on(cluster, "cluster", cluster_file);
    if (!loads) return;
    scenario_.now = cli::cluster_now(engine).value_or(0);
    const cli::JsonNode* jobs = root.find("jobs");
    if (jobs && jobs->is_list()) check_jobs(engine, *jobs);
    events_.ask_library(engine, document_.report.name, console_);
  }

  void check_jobs(const cli::Engine& engine, const cli::JsonNode& jobs) {
    cli::Document changes =
        cli::document_of(document_.report.name, only(jobs, document_.text), CEDE_DOCUMENT_CHANGES);
    // The library does not know `run`; as a name of the site's own it is kept out of its way, in its place.
    for (const cli::JsonNode& job : jobs.items) {
      if (const cli::JsonNode* run = job.find("run")) changes.text.replace(run->key_begin, 5, "\"x-r\"");
    }
    const std::string before = "{\"format\":\"cede-changes/1\",\"put\":{\"jobs\":";
    changes.text = before + changes.text + "}}";
    cli::check_document(engine, changes, console_);
    for (cli::Finding& finding : changes.report.findings) {
      if (finding.path.starts_with("put.")) finding.path.erase(0, 4);
      if (const std::size_t put = finding.text.find("in put.jobs["); put != std::string::npos)
        finding.text.erase(put + 3, 4);
      if (is_told(finding.path)) continue;
      if (finding.line == 1 && finding.column > before.size())
        finding.column -= static_cast<std::uint32_t>(before.size());
      document_.report.findings.push_back(std::move(finding));
    }
    document_.report.dropped += changes.report.dropped;
  }

  // Whether this mistake, or a mistake of the whole job, has been reported already.
  bool is_told(const std::string& path) const {
    unsigned long index = 0;
    if (std::sscanf(path.c_str(), "jobs[%lu]", &index) == 1 && unlike_.contains(index)) return true;
    const auto& findings = document_.report.findings;
    return std::any_of(findings.begin(), findings.end(), [&path](const cli::Finding& finding) {
      return !finding.warning && finding.path == path;
    });
  }

  void keep(const cli::JsonNode& whole, const cli::Document& policy) {
    scenario_.policy = trimmed(policy.text);
    scenario_.document = '{' + cli::members_without(whole, document_.text, {"cluster", "policy"}) +
                         ",\n\"policy\":" + scenario_.policy + ",\n\"cluster\":" + trimmed(cluster_text_) +
                         "}\n";
  }

  // What events may change is kept separately from the rest.
  void keep_cluster() {
    scenario_.cluster = cli::members_without(cluster_, cluster_text_, {"now", "jobs", "nodes", "queues"});
    for (const cli::JsonNode& group : cluster_.list_of("groups"))
      scenario_.groups.push_back({std::string(group.text_of("id")), std::string(group.text_of("policy"))});
    for (const cli::JsonNode& queue : cluster_.list_of("queues")) {
      const cli::JsonNode* settings = queue.find("settings");
      scenario_.queues.push_back({std::string(queue.text_of("id")), std::string(queue.text_of("parent")),
                                  cli::members_without(queue, cluster_text_, {"max"}),
                                  amounts_of(queue, "max", cluster_text_), std::string(queue.text_of("kind")),
                                  whole_number(queue, "priority_offset").value_or(0),
                                  settings ? *settings : cli::JsonNode()});
    }
    for (const cli::JsonNode& node : cluster_.list_of("nodes")) keep_node(node);
  }

  void keep_node(const cli::JsonNode& node) {
    NodeSpec spec;
    spec.id = node.text_of("id");
    spec.members = cli::members_without(node, cluster_text_, {"resources", "state"});
    spec.resources = amounts_of(node, "resources", cluster_text_);
    const cli::JsonNode* state = node.find("state");
    spec.state = state && state->is_text() ? state->text : "up";
    if (const cli::JsonNode* resources = node.find("resources")) {
      if (const cli::JsonNode* gpu = resources->find("gpu"))
        spec.gpus = static_cast<std::uint32_t>(std::clamp(std::atoi(gpu->text.c_str()), 0, 64));
    }
    const cli::JsonNode* network = node.find("network");
    if (network && !network->items.empty()) spec.domain = network->items.front().text;
    scenario_.nodes.push_back(std::move(spec));
  }

  static std::string trimmed(const std::string& text) {
    const std::size_t first = text.find_first_not_of(" \n\r\t");
    return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \n\r\t") - first + 1);
  }

  cli::Document& document_;
  cli::Console& console_;
  Scenario& scenario_;
  ScenarioFields fields_;
  ScenarioEvents events_;
  cli::JsonNode cluster_;         // as the cluster's document gives it
  std::string cluster_text_;      // that document, with the files it names
  std::set<std::size_t> unlike_;  // jobs that the run would give to the library differently from the document
  bool unlike_a_job_ = false;     // such a mistake was reported for the job that is being read
};

}  // namespace

bool read_scenario(cli::Document& document, cli::Console& console, Scenario& scenario) {
  return Reader(document, console, scenario).read();
}

}  // namespace local
