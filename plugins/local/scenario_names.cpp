// SPDX-License-Identifier: MIT
#include "scenario_names.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "cli/message_text.h"

namespace local {

namespace {

constexpr std::array<std::string_view, 10> kOwnVariables{
    "CEDE_JOB",    "CEDE_TASK",  "CEDE_RANK",   "CEDE_TASKS",    "CEDE_NODE",
    "CEDE_RESUME", "CEDE_STATE", "CEDE_REPORT", "CEDE_DURATION", "CUDA_VISIBLE_DEVICES"};

std::string variable_or(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value ? value : otherwise;
}

// Looks for the program as execvp() does.
bool is_program(const std::string& name, std::string_view path) {
  const auto is_file = [](const std::string& file) {
    struct stat status {};
    return ::stat(file.c_str(), &status) == 0 && S_ISREG(status.st_mode) && ::access(file.c_str(), X_OK) == 0;
  };
  if (name.find('/') != std::string::npos) return is_file(name);
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find(':', begin), path.size());
    const std::string folder(path.substr(begin, end - begin));
    if (is_file((folder.empty() ? "." : folder) + '/' + name)) return true;
    begin = end + 1;
  }
  return false;
}

const std::vector<cli::JsonNode>& items_of(const cli::JsonNode& object, std::string_view name) {
  static const std::vector<cli::JsonNode> kNone;
  const cli::JsonNode* node = object.find(name);
  return node ? node->items : kNone;
}

std::string text_of(const cli::JsonNode& object, std::string_view name) {
  const cli::JsonNode* node = object.find(name);
  return node && node->is_text() ? node->text : "";
}

class NameChecker {
 public:
  NameChecker(const cli::JsonNode& scenario, const cli::JsonNode& cluster, const std::string& file,
              ScenarioFields& fields)
      : scenario_(scenario), cluster_(cluster), file_(file), fields_(fields) {
    for (const cli::JsonNode& node : items_of(cluster, "nodes")) {
      groups_of_nodes_[text_of(node, "id")] = text_of(node, "group");
      nodes_.insert(text_of(node, "id"));
      add_resources(node);
    }
    for (const cli::JsonNode& group : items_of(cluster, "groups")) add_resources(group);
    for (const cli::JsonNode& job : items_of(scenario, "jobs")) jobs_.insert(text_of(job, "id"));
  }

  void check() {
    check_reservations();
    const std::vector<cli::JsonNode>& jobs = items_of(scenario_, "jobs");
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      check_resources(jobs[i], at("jobs", i));
      const cli::JsonNode* run = jobs[i].find("run");
      if (!run || !run->is_object()) continue;
      const std::string path = below(at("jobs", i), "run");
      check_first(jobs[i], *run, path);
      check_program(*run, path);
      check_variables(*run, path);
    }
  }

 private:
  void add_resources(const cli::JsonNode& owner) {
    for (const cli::JsonNode& resource : items_of(owner, "resources")) resources_.insert(resource.key);
  }

  // If the cluster is a file of its own, its places mean nothing in the scenario.
  void fail_in_cluster(const cli::JsonNode& node, const std::string& path, const std::string& text) {
    if (file_.empty()) return fields_.fail(node, below("cluster", path), text);
    fields_.fail(*scenario_.find("cluster"), "cluster", cli::one_line(file_) + ": " + path + ": " + text);
  }

  void check_reservations() {
    const std::vector<cli::JsonNode>& reservations = items_of(cluster_, "reservations");
    for (std::size_t i = 0; i < reservations.size(); ++i) {
      const cli::JsonNode* whom = reservations[i].find("for");
      const cli::JsonNode* job = whom ? whom->find("job") : nullptr;
      if (job && job->is_text() && !jobs_.contains(job->text))
        fail_in_cluster(*job, at("reservations", i) + ".for.job", unknown_name(job->text, "job", jobs_));
    }
  }

  // Legal: the job is found impossible when it arrives.
  void check_resources(const cli::JsonNode& job, const std::string& path) {
    const std::vector<cli::JsonNode>& tasks = items_of(job, "tasks");
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      for (const cli::JsonNode& resource : items_of(tasks[i], "resources")) {
        if (resources_.contains(resource.key)) continue;
        const std::vector<std::string_view> known(resources_.begin(), resources_.end());
        fields_.warn_at(resource.key_begin, below(at(below(path, "tasks"), i) + ".resources", resource.key),
                        "no node and no group has this resource" + cli::did_you_mean(resource.key, known));
      }
    }
  }

  void check_first(const cli::JsonNode& job, const cli::JsonNode& run, const std::string& path) {
    const std::string group = text_of(job, "group");
    const std::vector<cli::JsonNode>& first = items_of(run, "first");
    Names seen;
    for (std::size_t i = 0; i < first.size(); ++i) {
      if (!first[i].is_text()) continue;
      const std::string& name = first[i].text;
      const std::string place = at(below(path, "first"), i);
      if (!nodes_.contains(name)) {
        fields_.fail(first[i], place, unknown_name(name, "node", nodes_));
        continue;
      }
      if (!seen.insert(name).second) fields_.fail(first[i], place, cli::quote(name) + " is given twice");
      const std::string& other = groups_of_nodes_[name];
      if (!group.empty() && !other.empty() && group != other) {
        fields_.fail(first[i], place,
                     cli::quote(name) + " is a node of group " + cli::quote(other) + ", the job is of " +
                         cli::quote(group));
      }
    }
  }

  void check_program(const cli::JsonNode& run, const std::string& path) {
    const std::vector<cli::JsonNode>& command = items_of(run, "command");
    if (command.empty() || !command.front().is_text()) return;
    const cli::JsonNode& program = command.front();
    const std::string place = at(below(path, "command"), 0);
    if (program.text.empty()) return fields_.fail(program, place, "'' is not a program");
    const cli::JsonNode* environment = run.find("environment");
    const cli::JsonNode* own_path = environment ? environment->find("PATH") : nullptr;
    // It may exist when the scenario is run.
    if (!is_program(program.text, own_path ? own_path->text : variable_or("PATH", "/bin:/usr/bin")))
      fields_.warn(program, place, "there is no program " + cli::quote(program.text) + " on this machine");
    const cli::JsonNode* saving = run.find("checkpoint");
    for (const auto& [object, name] :
         {std::pair(&run, "ignore_term"), {saving, "takes"}, {saving, "defer"}}) {
      const cli::JsonNode* node = object ? object->find(name) : nullptr;
      if (!node) continue;
      fields_.warn(*node, below(object == saving ? below(path, "checkpoint") : path, name),
                   "only the built-in worker heeds this, and there is a 'command'");
    }
  }

  void check_variables(const cli::JsonNode& run, const std::string& path) {
    for (const cli::JsonNode& variable : items_of(run, "environment")) {
      if (std::find(kOwnVariables.begin(), kOwnVariables.end(), variable.key) == kOwnVariables.end())
        continue;
      fields_.fail_at(variable.key_begin, below(below(path, "environment"), variable.key),
                      "the run sets this; leave it out");
    }
  }

  const cli::JsonNode& scenario_;
  const cli::JsonNode& cluster_;
  const std::string& file_;
  ScenarioFields& fields_;
  std::map<std::string, std::string> groups_of_nodes_;
  Names nodes_;
  Names resources_;
  Names jobs_;
};

}  // namespace

std::string unknown_name(std::string_view name, std::string_view noun, const Names& known) {
  const std::vector<std::string_view> words(known.begin(), known.end());
  std::string instead = cli::did_you_mean(name, words);
  if (instead.empty())
    // `task of that job`: the first word is what is counted.
    instead = "; " + cli::counted(known.size(), noun.substr(0, noun.find(' '))) +
              (known.size() == 1 ? " is known" : " are known");
  return cli::quote(name) + " is not a " + std::string(noun) + instead;
}

void check_names(const cli::JsonNode& scenario, const cli::JsonNode& cluster, const std::string& file,
                 ScenarioFields& fields) {
  NameChecker(scenario, cluster, file, fields).check();
}

}  // namespace local
