// SPDX-License-Identifier: MIT
#include "engine/question.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/text.h"
#include "policy/settings/effective.h"

namespace cede {

bool QuestionReader::fail(std::string text, Status status) {
  problems_.error({}, std::move(text), status);
  return false;
}

bool QuestionReader::unknown(std::string_view place, std::string_view kind, std::string_view name,
                             std::size_t known) {
  return fail(std::string(place) + ": " + quote(name) + " is not a " + std::string(kind) + "; " +
                  std::to_string(known) + ' ' + std::string(kind) +
                  (known == 1 ? " is known" : "s are known"),
              Status::unknown);
}

bool QuestionReader::has_policy(GroupId group) {
  if (!policies_) return fail("the engine has no policy to plan by", Status::invalid);
  if (policy_of(model_, model_.groups[group], *policies_)) return true;
  return fail("group " + quote(model_.name(model_.groups[group].name)) + " has no policy", Status::invalid);
}

bool QuestionReader::about_job(std::string_view job) {
  if (!policies_) return fail("the engine has no policy to plan by", Status::invalid);
  question_.purpose = Purpose::job;
  question_.job = model_.find_job(job);
  if (!question_.job) return unknown("unknown-job", "job", job, model_.jobs.live());
  return has_policy(model_.jobs[question_.job].group);
}

bool QuestionReader::about_relief(std::string_view target, std::string_view group) {
  const std::size_t colon = target.find(':');
  const std::string_view kind = target.substr(0, colon);
  const std::string_view name =
      colon == std::string_view::npos ? std::string_view{} : target.substr(colon + 1);
  if (kind != "queue" && !group.empty())
    return fail("group: only relief of a queue takes one, not of " + quote(target), Status::invalid);
  if (kind == "node") {
    question_.purpose = Purpose::relief_node;
    question_.node = model_.find_node(name);
    if (!question_.node) return unknown("relief", "node", name, model_.nodes.live());
    return has_policy(model_.nodes[question_.node].group);
  }
  if (kind == "job") {
    question_.purpose = Purpose::relief_job;
    question_.job = model_.find_job(name);
    if (!question_.job) return unknown("relief", "job", name, model_.jobs.live());
    return has_policy(model_.jobs[question_.job].group);
  }
  if (kind != "queue")
    return fail("relief: " + quote(target) + " is not node:NAME, queue:NAME or job:NAME", Status::invalid);
  const QueueId queue = model_.find_queue(name);
  if (!queue) return unknown("relief", "queue", name, model_.queues.live());
  return about_queue(queue, group);
}

bool QuestionReader::about_queue(QueueId queue, std::string_view group) {
  question_.purpose = Purpose::relief_queue;
  question_.queue = queue;
  if (!group.empty()) {
    question_.group = model_.find_group(group);
    if (!question_.group) return unknown("group", "group", group, model_.groups.live());
    return has_policy(question_.group);
  }
  std::set<std::uint32_t> groups;
  model_.jobs.for_each([&](JobId, const JobCore& job) {
    if (model_.is_below(job.queue, queue)) groups.insert(job.group.value);
  });
  if (groups.size() > 1)
    return fail("relief: queue " + quote(model_.name(model_.queues[queue].name)) + " has jobs in " +
                    std::to_string(groups.size()) + " groups; name one",
                Status::invalid);
  if (!groups.empty()) {
    question_.group = GroupId{*groups.begin()};
    return has_policy(question_.group);
  }
  // Nobody is in it, so any group will do: the first by name.
  model_.groups.for_each([&](GroupId id, const GroupRow& row) {
    if (!question_.group || model_.name(row.name) < model_.name(model_.groups[question_.group].name))
      question_.group = id;
  });
  if (!question_.group) return fail("relief: the cluster has no group", Status::invalid);
  return has_policy(question_.group);
}

bool QuestionReader::about_claim(std::string_view queue, const std::vector<std::string>& nodes,
                                 std::string_view reason) {
  if (reason != "reclaim" && reason != "sensitive")
    return fail("reason: " + quote(reason) + " is not reclaim or sensitive", Status::invalid);
  question_.purpose = reason == "reclaim" ? Purpose::reclaim : Purpose::sensitive_claim;
  question_.queue = model_.find_queue(queue);
  if (!question_.queue) return unknown("claim", "queue", queue, model_.queues.live());
  if (nodes.empty()) return fail("claim: no node is named", Status::invalid);
  for (const std::string& name : nodes) {
    const NodeId node = model_.find_node(name);
    if (!node) return unknown("nodes", "node", name, model_.nodes.live());
    const NodeRow& row = model_.nodes[node];
    if (std::find(question_.claimed.begin(), question_.claimed.end(), node) != question_.claimed.end())
      return fail("nodes: " + quote(name) + " is named twice", Status::invalid);
    if (!question_.claimed.empty() && row.group != model_.nodes[question_.claimed.front()].group)
      return fail("nodes: " + quote(name) + " is of another group than " + quote(nodes.front()),
                  Status::invalid);
    if (question_.purpose == Purpose::reclaim && (!row.home || !model_.is_below(question_.queue, row.home)))
      return fail("nodes: " + quote(name) + " is not at home in queue " + quote(queue) + " or above it",
                  Status::invalid);
    question_.claimed.push_back(node);
  }
  const GroupId group = model_.nodes[question_.claimed.front()].group;
  if (!has_policy(group)) return false;
  const Profile profile = policy_of(model_, model_.groups[group], *policies_)->profile;
  if (profile == Profile::class_cost) return true;
  return fail(
      "claim: profile " + std::string(to_word(profile, kProfiles)) + " knows no claims; class-cost does",
      Status::invalid);
}

bool QuestionReader::at(Time now) {
  question_.now = std::max(now == kNoTime ? model_.now : now, model_.now);
  if (question_.now != kNoTime) return true;
  return fail("no time is given, and the cluster has no 'now'", Status::invalid);
}

bool QuestionReader::on_terms(const std::vector<std::string>& terms) {
  NodeTerms& nodes = question_.avoid;
  for (const std::string& term : terms) {
    const std::size_t equals = term.find('=');
    const std::string_view key = std::string_view(term).substr(0, equals);
    const std::string_view name =
        equals == std::string::npos ? std::string_view{} : std::string_view(term).substr(equals + 1);
    const bool relief = question_.purpose != Purpose::job && question_.claimed.empty();
    if (key == "protect") {
      const JobId id = model_.find_job(name);
      if (!id) return unknown("protect", "job", name, model_.jobs.live());
      question_.protect.push_back(id);
    } else if (key == "avoid" || key == "only") {
      const NodeId id = model_.find_node(name);
      if (!id) return unknown(key, "node", name, model_.nodes.live());
      if (question_.purpose != Purpose::job)
        return fail(std::string(key) + ": only a plan for a job places anything", Status::invalid);
      (key == "avoid" ? nodes.avoid : nodes.only).push_back(id);
    } else if (term == "partial" && relief) {
      question_.partial = true;
    } else {
      static constexpr std::array<std::string_view, 4> kKnown{"protect", "avoid", "only", "partial"};
      return fail(quote(term) + " is not protect=JOB, avoid=NODE, only=NODE or, for relief, partial" +
                      did_you_mean(key, kKnown),
                  Status::invalid);
    }
  }
  std::sort(nodes.avoid.begin(), nodes.avoid.end());
  std::sort(nodes.only.begin(), nodes.only.end());
  return true;
}

}  // namespace cede
