// SPDX-License-Identifier: MIT
#include "engine/query.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/text.h"
#include "policy/settings/effective_settings.h"

namespace cede {

bool QueryReader::fail(std::string text, Status status) {
  problems_.error({}, std::move(text), status);
  return false;
}

bool QueryReader::unknown(std::string_view place, std::string_view kind, std::string_view name,
                          std::size_t known) {
  return fail(std::string(place) + ": " + quote(name) + " is not a " + std::string(kind) + "; " +
                  std::to_string(known) + ' ' + std::string(kind) +
                  (known == 1 ? " is known" : "s are known"),
              Status::unknown);
}

bool QueryReader::has_policy(GroupId group) {
  if (!policies_) return fail("the engine has no policy to plan by", Status::invalid);
  if (policy_of(model_, model_.groups[group], *policies_)) return true;
  return fail("group " + quote(model_.name(model_.groups[group].name)) + " has no policy", Status::invalid);
}

bool QueryReader::about_job(std::string_view job) {
  if (!policies_) return fail("the engine has no policy to plan by", Status::invalid);
  query_.purpose = Purpose::job;
  query_.job = model_.find_job(job);
  if (!query_.job) return unknown("unknown-job", "job", job, model_.jobs.live());
  return has_policy(model_.jobs[query_.job].group);
}

bool QueryReader::about_relief(std::string_view target, std::string_view group) {
  const std::size_t colon = target.find(':');
  const std::string_view kind = target.substr(0, colon);
  const std::string_view name =
      colon == std::string_view::npos ? std::string_view{} : target.substr(colon + 1);
  if (kind != "queue" && !group.empty())
    return fail("group: only relief of a queue takes one, not of " + quote(target), Status::invalid);
  if (kind == "node") {
    query_.purpose = Purpose::relief_node;
    query_.node = model_.find_node(name);
    if (!query_.node) return unknown("relief", "node", name, model_.nodes.live());
    return has_policy(model_.nodes[query_.node].group);
  }
  if (kind == "job") {
    query_.purpose = Purpose::relief_job;
    query_.job = model_.find_job(name);
    if (!query_.job) return unknown("relief", "job", name, model_.jobs.live());
    return has_policy(model_.jobs[query_.job].group);
  }
  if (kind != "queue")
    return fail("relief: " + quote(target) + " is not node:NAME, queue:NAME or job:NAME", Status::invalid);
  const QueueId queue = model_.find_queue(name);
  if (!queue) return unknown("relief", "queue", name, model_.queues.live());
  return about_queue(queue, group);
}

bool QueryReader::about_queue(QueueId queue, std::string_view group) {
  query_.purpose = Purpose::relief_queue;
  query_.queue = queue;
  if (!group.empty()) {
    query_.group = model_.find_group(group);
    if (!query_.group) return unknown("group", "group", group, model_.groups.live());
    return has_policy(query_.group);
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
    query_.group = GroupId{*groups.begin()};
    return has_policy(query_.group);
  }
  // The queue has no jobs, so any group will do: take the first by name.
  model_.groups.for_each([&](GroupId id, const GroupRow& row) {
    if (!query_.group || model_.name(row.name) < model_.name(model_.groups[query_.group].name))
      query_.group = id;
  });
  if (!query_.group) return fail("relief: the cluster has no group", Status::invalid);
  return has_policy(query_.group);
}

bool QueryReader::about_claim(std::string_view queue, const std::vector<std::string>& nodes,
                              std::string_view reason) {
  if (reason != "reclaim" && reason != "sensitive")
    return fail("reason: " + quote(reason) + " is not reclaim or sensitive", Status::invalid);
  query_.purpose = reason == "reclaim" ? Purpose::reclaim : Purpose::sensitive_claim;
  query_.queue = model_.find_queue(queue);
  if (!query_.queue) return unknown("claim", "queue", queue, model_.queues.live());
  if (nodes.empty()) return fail("claim: no node is named", Status::invalid);
  for (const std::string& name : nodes) {
    const NodeId node = model_.find_node(name);
    if (!node) return unknown("nodes", "node", name, model_.nodes.live());
    const NodeRow& row = model_.nodes[node];
    if (std::find(query_.claimed.begin(), query_.claimed.end(), node) != query_.claimed.end())
      return fail("nodes: " + quote(name) + " is named twice", Status::invalid);
    if (!query_.claimed.empty() && row.group != model_.nodes[query_.claimed.front()].group)
      return fail("nodes: " + quote(name) + " is of another group than " + quote(nodes.front()),
                  Status::invalid);
    if (query_.purpose == Purpose::reclaim && (!row.home || !model_.is_below(query_.queue, row.home)))
      return fail("nodes: " + quote(name) + " is not at home in queue " + quote(queue) + " or above it",
                  Status::invalid);
    query_.claimed.push_back(node);
  }
  const GroupId group = model_.nodes[query_.claimed.front()].group;
  if (!has_policy(group)) return false;
  const Profile profile = policy_of(model_, model_.groups[group], *policies_)->profile;
  if (profile == Profile::class_cost) return true;
  return fail(
      "claim: profile " + std::string(to_word(profile, kProfiles)) + " knows no claims; class-cost does",
      Status::invalid);
}

bool QueryReader::at(Time now) {
  query_.now = std::max(now == kNoTime ? model_.now : now, model_.now);
  if (query_.now != kNoTime) return true;
  return fail("no time is given, and the cluster has no 'now'", Status::invalid);
}

bool QueryReader::on_terms(const std::vector<std::string>& terms) {
  NodeTerms& nodes = query_.avoid;
  for (const std::string& term : terms) {
    const std::size_t equals = term.find('=');
    const std::string_view key = std::string_view(term).substr(0, equals);
    const std::string_view name =
        equals == std::string::npos ? std::string_view{} : std::string_view(term).substr(equals + 1);
    const bool relief = query_.purpose != Purpose::job && query_.claimed.empty();
    if (key == "protect") {
      const JobId id = model_.find_job(name);
      if (!id) return unknown("protect", "job", name, model_.jobs.live());
      query_.protect.push_back(id);
    } else if (key == "avoid" || key == "only") {
      const NodeId id = model_.find_node(name);
      if (!id) return unknown(key, "node", name, model_.nodes.live());
      if (query_.purpose != Purpose::job)
        return fail(std::string(key) + ": only a plan for a job places anything", Status::invalid);
      (key == "avoid" ? nodes.avoid : nodes.only).push_back(id);
    } else if (term == "partial" && relief) {
      query_.partial = true;
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
