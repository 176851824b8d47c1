// SPDX-License-Identifier: MIT

#include <algorithm>
#include <set>

#include "verify/plan_checks.h"
#include "verify/topology.h"

// Whether exclusive nodes and domains are shared with no other job.

namespace cede::plan_check {

namespace {

const Requirement* requirement_of(const PlanFacts& facts, JobId job) {
  const RequirementId id = facts.model.job_extras[job.value].require;
  return id ? facts.model.requirements[id.value].get() : nullptr;
}

bool have_one_user(const PlanFacts& facts, JobId a, JobId b) {
  const NameId user = facts.model.job_owners[a.value].user;
  return user != kNoName && user == facts.model.job_owners[b.value].user;
}

std::string shared(const PlanFacts& facts, NodeId node, JobId with) {
  return facts.node_name(node) + " is shared with " + facts.job_name(with) + " against a wish to be alone";
}

// Calls visit(job) for each task of another job that stays on the node.
template <class Visit>
void each_stranger(const PlanFacts& facts, NodeId node, Visit visit) {
  for (TaskId t = facts.model.nodes[node].first_task; t; t = facts.model.tasks.core(t).next_on_node) {
    const JobId job = facts.model.tasks.core(t).job;
    if (job != facts.requester() && !facts.gone().contains(t)) visit(job);
  }
}

// On the nodes of the request.
std::string on_nodes(const PlanFacts& facts) {
  const auto minds = [&](const Requirement& asks, JobId other) {
    return asks.exclusive == Exclusive::node ||
           (asks.exclusive == Exclusive::user && !have_one_user(facts, other, facts.requester()));
  };
  const Requirement& own = facts.require();
  std::string found;
  for (const NodeId node : facts.nodes_used()) {
    if ((own.exclusive == Exclusive::node || own.exclusive == Exclusive::user) && facts.others_leave(node))
      return facts.node_name(node) + " is kept by a decision in flight, and the request is to be alone";
    each_stranger(facts, node, [&](JobId job) {
      const Requirement* job_requirement = requirement_of(facts, job);
      if (found.empty() && (minds(own, job) || (job_requirement && minds(*job_requirement, job))))
        found = shared(facts, node, job);
    });
    if (!found.empty()) return found;
  }
  return {};
}

bool any_exclusive_domain(const PlanFacts& facts) {
  if (facts.require().exclusive == Exclusive::domain) return true;
  for (std::size_t i = 0; i < facts.model.requirements.size(); ++i) {
    const Requirement* asks = facts.model.requirements[i].get();
    if (asks && asks->exclusive == Exclusive::domain) return true;
  }
  return false;
}

// In the domains of the request: no other job stays in a domain that the request has alone, and the request
// is in no domain that another job has alone.
std::string in_domains(const PlanFacts& facts) {
  const Model& model = facts.model;
  const Requirement& own = facts.require();
  const bool alone = own.exclusive == Exclusive::domain;
  const std::uint32_t own_level = level_number(model, own.exclusive_level);
  std::set<DomainId> used;  // of every level
  for (const NodeId node : facts.nodes_used()) {
    for (std::uint32_t level = 0; level < model.levels.size(); ++level) {
      if (const DomainId domain = domain_of(model, node, level)) used.insert(domain);
    }
    if (alone && !domain_of(model, node, own_level))
      return facts.node_name(node) + " is in no " + own.exclusive_level + " to be alone in";
  }
  std::string found;
  model.nodes.for_each([&](NodeId node, const NodeRow&) {
    if (!found.empty()) return;
    const auto is_near = [&](std::uint32_t level) {
      const DomainId domain = domain_of(model, node, level);
      return domain && used.contains(domain);
    };
    if (alone && is_near(own_level) && facts.others_leave(node))
      found = facts.node_name(node) + " is kept by a decision in flight, and the request is to be alone";
    each_stranger(facts, node, [&](JobId job) {
      const Requirement* job_requirement = requirement_of(facts, job);
      const bool exclusive = job_requirement && job_requirement->exclusive == Exclusive::domain &&
                             is_near(level_number(model, job_requirement->exclusive_level));
      if (found.empty() && ((alone && is_near(own_level)) || exclusive)) found = shared(facts, node, job);
    });
  });
  return found;
}

}  // namespace

std::string exclusivity(const PlanFacts& facts) {
  if (!facts.yes() || !facts.for_job()) return {};
  if (std::string found = on_nodes(facts); !found.empty()) return found;
  return any_exclusive_domain(facts) ? in_domains(facts) : std::string{};
}

}  // namespace cede::plan_check

// Entries of the requirement about all nodes together: network domains and conformance.

namespace cede {

std::uint32_t level_number(const Model& model, std::string_view level) {
  for (std::uint32_t i = 0; i < model.levels.size(); ++i) {
    if (model.name(model.levels[i]) == level) return i;
  }
  return static_cast<std::uint32_t>(model.levels.size());
}

DomainId domain_of(const Model& model, NodeId node, std::uint32_t level) {
  for (const DomainId listed : model.node_domains(model.nodes[node])) {
    for (DomainId at = listed; at; at = model.domains[at].parent) {
      if (model.domains[at].level == level) return at;
    }
  }
  return {};
}

namespace {

bool reports_freshly(const PlanFacts& facts, const NodeRow& node) {
  const Duration max_age = facts.require().conformance.max_age;
  if (node.fingerprint == kNoBlob) return false;
  return max_age == kNoDuration ||
         (node.fingerprint_at != kNoTime && facts.plan.now - node.fingerprint_at <= max_age);
}

}  // namespace

std::optional<std::string> fingerprint_of(const PlanFacts& facts, NodeId node) {
  const ConformanceRequirement& need = facts.require().conformance;
  const NodeRow& row = facts.model.nodes[node];
  if (!reports_freshly(facts, row)) return std::nullopt;
  const TextPairs reported = facts.model.pairs(row.fingerprint);
  const bool one_text = reported.size() == 1 && reported.front().first.empty();
  std::string out;
  const auto add = [&](std::string_view component, std::string_view value) {
    out.append(component).append("=").append(value).append("\n");
  };
  if (one_text || need.components.empty()) {
    for (const auto& [component, value] : reported) add(component, value);
  } else {
    for (const std::string& component : need.components) {
      const auto at = std::find_if(reported.begin(), reported.end(),
                                   [&](const auto& pair) { return pair.first == component; });
      if (at == reported.end()) return std::nullopt;
      add(component, at->second);
    }
  }
  return out.empty() ? std::nullopt : std::optional(out);
}

namespace {

// Whether an entry is hard and has not expired into a preference.
bool is_hard(const PlanFacts& facts, const NetworkRequirement& entry) {
  if (entry.strength != Strength::hard) return false;
  return entry.expires == kNoDuration ||
         facts.plan.now - facts.effective.waiting_since(facts.requester()) < entry.expires;
}

// The nodes of the request and of the job's tasks that already run.
std::vector<NodeId> nodes_of_job(const PlanFacts& facts) {
  std::vector<NodeId> nodes = facts.nodes_used();
  for (const TaskId task : facts.placed_tasks(facts.requester()))
    nodes.push_back(facts.model.tasks.core(task).node);
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

// The request's nodes split into segments of a fixed size, each inside one domain and, if conformance is per
// segment, with one fingerprint.
std::string segments(const PlanFacts& facts, const NetworkRequirement& entry) {
  const ConformanceRequirement& conformance = facts.require().conformance;
  const bool uniform =
      conformance.mode == ConformanceMode::uniform && conformance.scope == ConformanceScope::segment;
  const std::uint32_t level = level_number(facts.model, entry.level);
  const std::uint32_t above = level_number(facts.model, entry.consolidate);
  std::map<std::pair<DomainId, std::string>, std::uint32_t> alike;
  std::map<DomainId, std::uint32_t> by_domain;
  std::set<DomainId> consolidated;
  for (const NodeId node : facts.nodes_used()) {
    const DomainId domain = domain_of(facts.model, node, level);
    if (!domain) return facts.node_name(node) + " is in no " + entry.level;
    const std::string alone = "alone " + std::to_string(node.value);
    ++alike[{domain, uniform ? fingerprint_of(facts, node).value_or(alone) : std::string{}}];
    ++by_domain[domain];
    if (!entry.consolidate.empty()) consolidated.insert(domain_of(facts.model, node, above));
  }
  for (const auto& [place, count] : alike) {
    if (count % entry.segment != 0)
      return std::to_string(count) + " nodes of a " + entry.level + " are no segments of " +
             std::to_string(entry.segment);
  }
  for (const auto& [domain, count] : by_domain) {
    if (entry.spread && count > entry.segment) return "two segments are in one " + entry.level;
  }
  return consolidated.size() > 1 || consolidated.contains(DomainId{})
             ? "the segments are not in one " + entry.consolidate
             : std::string{};
}

std::string entry_fault(const PlanFacts& facts, const NetworkRequirement& entry) {
  if (entry.segment > 0) {
    if (std::string found = segments(facts, entry); !found.empty()) return found;
  }
  if (entry.max_domains == kNoBound) return {};
  const std::uint32_t level = level_number(facts.model, entry.level);
  std::set<DomainId> used;
  for (const NodeId node : nodes_of_job(facts)) {
    const DomainId domain = domain_of(facts.model, node, level);
    if (domain) used.insert(domain);
    if (!domain && facts.uses(node)) return facts.node_name(node) + " is in no " + entry.level;
  }
  if (used.size() <= entry.max_domains) return {};
  return std::to_string(used.size()) + " domains of level " + entry.level + " are used of at most " +
         std::to_string(entry.max_domains);
}

// The default mode: sensitive jobs are uniform if some node reports a fingerprint; other jobs prefer uniform
// nodes.
ConformanceMode conformance_mode(const PlanFacts& facts) {
  const ConformanceMode stated = facts.require().conformance.mode;
  if (stated != ConformanceMode::absent) return stated;
  if (facts.effective.job_class(facts.requester()) != kSensitiveClass) return ConformanceMode::prefer;
  bool reported = false;
  facts.model.nodes.for_each([&](NodeId, const NodeRow& row) {
    reported = reported || (row.group == facts.group() && row.fingerprint != kNoBlob);
  });
  return reported ? ConformanceMode::uniform : ConformanceMode::prefer;
}

// Whether the node has a fresh report with the values of the baseline.
bool is_of_baseline(const PlanFacts& facts, NodeId node) {
  const ConformanceRequirement& need = facts.require().conformance;
  if (!reports_freshly(facts, facts.model.nodes[node])) return false;
  const TextPairs reported = facts.model.pairs(facts.model.nodes[node].fingerprint);
  return std::all_of(need.baseline.begin(), need.baseline.end(), [&](const auto& wanted) {
    return std::any_of(reported.begin(), reported.end(), [&](const auto& pair) {
      return pair.first == wanted.first && pair.second == wanted.second;
    });
  });
}

}  // namespace

std::string plan_check::network(const PlanFacts& facts) {
  if (!facts.yes() || !facts.for_job()) return {};
  for (const NetworkRequirement& entry : facts.require().network) {
    if (!is_hard(facts, entry)) continue;
    if (std::string found = entry_fault(facts, entry); !found.empty()) return found;
  }
  return {};
}

std::string plan_check::conformance(const PlanFacts& facts) {
  if (!facts.yes() || !facts.for_job()) return {};
  const ConformanceMode mode = conformance_mode(facts);
  if (mode == ConformanceMode::baseline) {
    for (const NodeId node : facts.nodes_used()) {
      if (!is_of_baseline(facts, node)) return facts.node_name(node) + " is not of the baseline";
    }
    return {};
  }
  if (mode != ConformanceMode::uniform) return {};
  const Requirement& require = facts.require();
  const bool by_segments = std::any_of(
      require.network.begin(), require.network.end(),
      [&](const NetworkRequirement& entry) { return entry.segment > 0 && is_hard(facts, entry); });
  if (require.conformance.scope == ConformanceScope::segment && by_segments) return {};  // see segments()
  const std::vector<NodeId> nodes = nodes_of_job(facts);
  if (nodes.size() <= 1) return {};
  const std::optional<std::string> first = fingerprint_of(facts, nodes.front());
  for (const NodeId node : nodes) {
    const std::optional<std::string> own = fingerprint_of(facts, node);
    if (!own || own != first) return "the nodes' fingerprints differ";
  }
  return {};
}

// An entry is met if the plan would pass with that entry as a hard one.
std::int64_t network_preferences_missed(const PlanFacts& facts) {
  return std::count_if(facts.require().network.begin(), facts.require().network.end(),
                       [&](const NetworkRequirement& entry) {
                         return !is_hard(facts, entry) && !entry_fault(facts, entry).empty();
                       });
}

std::int64_t nodes_outside_largest_set(const PlanFacts& facts) {
  if (conformance_mode(facts) != ConformanceMode::prefer) return 0;
  std::map<std::string, std::int64_t> sets;
  std::int64_t reporting = 0;
  std::int64_t largest = 0;
  for (const NodeId node : facts.nodes_used()) {
    const std::optional<std::string> own = fingerprint_of(facts, node);
    if (!own) continue;
    ++reporting;
    largest = std::max(largest, ++sets[*own]);
  }
  return reporting - largest;
}

std::int64_t preferences_missed(const PlanFacts& facts) {
  if (!facts.yes() || !facts.for_job()) return 0;
  return device_preferences_missed(facts) + network_preferences_missed(facts) +
         nodes_outside_largest_set(facts);
}

}  // namespace cede
