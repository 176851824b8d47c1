// SPDX-License-Identifier: MIT
#include "engine/plan.h"

#include <algorithm>
#include <array>
#include <functional>
#include <set>
#include <unordered_set>

#include "base/text.h"
#include "document/document.h"
#include "document/json_writer.h"
#include "engine/borrow_room.h"
#include "engine/engine.h"
#include "engine/history.h"
#include "model/resolve_job.h"
#include "policy/request.h"
#include "policy/settings/effective_settings.h"
#include "search/decide.h"
#include "search/explain_plan.h"
#include "verify/verify.h"

namespace cede {

bool QueryReader::fail(std::string text, Status status) {
  problems_.error({}, std::move(text), status);
  return false;
}

bool QueryReader::unknown(std::string_view place, Kind kind, std::string_view name) {
  return fail(std::string(place) + ": " + unknown_text(model_, kind, name), Status::unknown);
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
  if (!query_.job) return unknown("unknown-job", Kind::job, job);
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
    if (!query_.node) return unknown("relief", Kind::node, name);
    return has_policy(model_.nodes[query_.node].group);
  }
  if (kind == "job") {
    query_.purpose = Purpose::relief_job;
    query_.job = model_.find_job(name);
    if (!query_.job) return unknown("relief", Kind::job, name);
    return has_policy(model_.jobs[query_.job].group);
  }
  if (kind != "queue")
    return fail("relief: " + quote(target) + " is not node:NAME, queue:NAME or job:NAME", Status::invalid);
  const QueueId queue = model_.find_queue(name);
  if (!queue) return unknown("relief", Kind::queue, name);
  return about_queue(queue, group);
}

bool QueryReader::about_queue(QueueId queue, std::string_view group) {
  query_.purpose = Purpose::relief_queue;
  query_.queue = queue;
  if (!group.empty()) {
    query_.group = model_.find_group(group);
    if (!query_.group) return unknown("group", Kind::group, group);
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
  if (!query_.queue) return unknown("claim", Kind::queue, queue);
  if (nodes.empty()) return fail("claim: no node is named", Status::invalid);
  for (const std::string& name : nodes) {
    const NodeId node = model_.find_node(name);
    if (!node) return unknown("nodes", Kind::node, name);
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
      if (!id) return unknown("protect", Kind::job, name);
      query_.protect.push_back(id);
    } else if (key == "avoid" || key == "only") {
      const NodeId id = model_.find_node(name);
      if (!id) return unknown(key, Kind::node, name);
      if (query_.purpose != Purpose::job)
        return fail(std::string(key) + ": only a plan for a job places anything", Status::invalid);
      (key == "avoid" ? nodes.avoid : nodes.only).push_back(id);
    } else if (key == "refused") {
      return fail(quote(term) + ": refused places are not available in this version of the library",
                  Status::version);
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

namespace {

// The jobs planned so far.
class Batch {
 public:
  Batch(const Engine& engine, Time now, const std::vector<std::string>& terms, Problems& problems)
      : engine_(engine), revision_(engine.revision()), now_(now), terms_(terms), problems_(problems) {}

  bool ask(const std::string& job) {
    std::optional<Plan> plan = engine_.plan_after(entries_, job, now_, terms_, problems_);
    if (!plan) return false;
    count_holds(*plan);
    wait_for_others(*plan);
    if (plan->outcome == Outcome::fits || plan->outcome == Outcome::preempt) {
      const EntryId entry = engine_.commit(*plan, *engine_.policies(), now_, -1, problems_);
      if (entry == kNoEntry) return false;
      entries_.push_back(entry);
    }
    plan->revision = revision_;
    plan->in_batch = true;
    parts_.push_back(std::move(*plan));
    jobs_.push_back(job);
    return true;
  }

  std::vector<Plan> take() { return std::move(parts_); }

 private:
  std::size_t number_of(std::string_view job) const {
    return static_cast<std::size_t>(std::find(jobs_.begin(), jobs_.end(), job) - jobs_.begin());
  }

  // A plan that takes the hold of another plan of the batch also comes after it. A hold that existed before
  // the batch is an ordinary victim, even if its requester was planned again.
  void count_holds(Plan& plan) const {
    const auto number = [&](JobId job) { return number_of(plan.model().job_name(job)); };
    const auto is_yes = [&](std::size_t part) {
      return part < parts_.size() &&
             (parts_[part].outcome == Outcome::fits || parts_[part].outcome == Outcome::preempt);
    };
    for (const PlannedVictim& victim : plan.victims) {
      if (victim.hold != 0 && is_yes(number(victim.job))) plan.after.push_back(victim.job);
    }
    std::sort(plan.after.begin(), plan.after.end(), [&](JobId a, JobId b) { return number(a) < number(b); });
    plan.after.erase(std::unique(plan.after.begin(), plan.after.end()), plan.after.end());
  }

  // The job starts no sooner than the jobs whose victims it waits for.
  void wait_for_others(Plan& plan) const {
    for (const JobId job : plan.after) {
      const std::size_t number = number_of(plan.model().job_name(job));
      if (number == parts_.size()) continue;  // a lender of the job's earlier entry
      const Plan& other = parts_[number];
      plan.expected_start = std::max(plan.expected_start, other.expected_start);
      plan.latest_start = plan.latest_start == kNoTime || other.latest_start == kNoTime
                              ? kNoTime
                              : std::max(plan.latest_start, other.latest_start);
    }
  }

  Engine engine_;
  const std::uint64_t revision_;
  const Time now_;
  const std::vector<std::string>& terms_;
  Problems& problems_;
  std::vector<std::string> jobs_;
  std::vector<Plan> parts_;       // of these jobs
  std::vector<EntryId> entries_;  // of the plans that can be committed
};

}  // namespace

std::optional<std::vector<Plan>> plan_batch(const Engine& engine, const std::vector<std::string>& jobs,
                                            Time now, const std::vector<std::string>& terms,
                                            Problems& problems) {
  Batch batch(engine, now, terms, problems);
  std::unordered_set<std::string_view> named;
  for (auto job = jobs.begin(); job != jobs.end(); ++job) {
    if (!named.insert(*job).second) {
      problems.error(
          {PathStep::member("jobs"), PathStep::element(static_cast<std::size_t>(job - jobs.begin()))},
          quote(*job) + " is named twice", Status::invalid);
      return std::nullopt;
    }
    if (!batch.ask(*job)) return std::nullopt;
  }
  return batch.take();
}

std::string batch_document(std::span<const std::string> parts) {
  std::string out;
  JsonWriter json(out);
  json.begin_object().key("format").text(kPlanFormat).key("batch").begin_array();
  for (const std::string& part : parts) {
    json.line().raw(std::string_view(part).substr(0, part.find_last_not_of('\n') + 1));
  }
  json.end_array().end_object();
  out.push_back('\n');
  return out;
}

namespace {

// Names the entries that the plan counts on. A job that fits only after the victims of other entries have
// left does not fit into free space. `may_ask`: whether preemption is allowed at all when the surplus room of
// these entries is free. This can depend on more surplus room than the plan uses (`queue-max`).
void name_lenders(Plan& plan, const Ledger& ledger,
                  const std::function<bool(std::span<const EntryId>)>& may_ask) {
  std::vector<EntryId> lenders;
  std::string names;
  for (const BorrowedRoom& borrowed_room : borrowed_rooms_of(plan, ledger)) {
    lenders.push_back(borrowed_room.from);
    names += (names.empty() ? "" : ", ") + quote(ledger.find(borrowed_room.from)->requester().name);
  }
  if (!names.empty()) {
    plan.reason =
        plan.outcome == Outcome::fits
            ? "it fits into what the victims of " + names + " leave; no other job has to be preempted"
            : plan.reason + ", which also uses what the victims of " + names + " leave";
  }
  const auto named = [&](std::uint64_t entry) {
    return std::find(lenders.begin(), lenders.end(), entry) != lenders.end();
  };
  const std::span<const std::uint64_t> all = plan.in_flight->lenders();
  for (auto next = all.begin(); plan.outcome == Outcome::preempt && next != all.end(); ++next) {
    if (named(*next)) continue;
    if (may_ask(lenders)) break;
    lenders.push_back(*next);
  }
  if (lenders.empty()) return;
  for (const std::uint64_t entry : all) {
    if (!named(entry)) continue;
    // An entry that has ended and a new one may have the same requester.
    const JobId job = plan.in_flight->room_of(entry)->job;
    if (std::find(plan.after.begin(), plan.after.end(), job) == plan.after.end()) plan.after.push_back(job);
  }
}

}  // namespace

std::optional<Plan> Engine::plan(std::string_view job, Time now, const std::vector<std::string>& terms,
                                 Problems& problems) const {
  QueryReader reader(projected_model(), policies_.get(), problems);
  if (!reader.about_job(job) || !reader.at(moment(now)) || !reader.on_terms(terms)) return std::nullopt;
  return decide_on(reader.query());
}

std::optional<Plan> Engine::plan_after(std::span<const EntryId> before, std::string_view job, Time now,
                                       const std::vector<std::string>& terms, Problems& problems) const {
  QueryReader reader(projected_model(), policies_.get(), problems);
  if (!reader.about_job(job) || !reader.at(moment(now)) || !reader.on_terms(terms)) return std::nullopt;
  return decide_on(reader.query(), before);
}

std::optional<Plan> Engine::plan_relief(std::string_view target, std::string_view group, Time now,
                                        const std::vector<std::string>& terms, Problems& problems) const {
  QueryReader reader(projected_model(), policies_.get(), problems);
  if (!reader.about_relief(target, group) || !reader.at(moment(now)) || !reader.on_terms(terms))
    return std::nullopt;
  return decide_on(reader.query());
}

std::optional<Plan> Engine::plan_claim(std::string_view queue, const std::vector<std::string>& nodes,
                                       std::string_view reason, Time now,
                                       const std::vector<std::string>& terms, Problems& problems) const {
  QueryReader reader(projected_model(), policies_.get(), problems);
  if (!reader.about_claim(queue, nodes, reason) || !reader.at(moment(now)) || !reader.on_terms(terms))
    return std::nullopt;
  return decide_on(reader.query());
}

Query Engine::completed(Query query) const {
  const Model& model = projected_model();
  const bool for_job = query.purpose == Purpose::job;
  query.allowance = allowance_at(query.now, model, policies_->limits, sequence_, group_of(model, query),
                                 for_job ? model.job_name(query.job) : std::string_view{});
  return query;
}

// If the requester's entry is short of space, the new plan sees the hold of that entry as free.
std::shared_ptr<const ProjectedCluster> Engine::projection_of(const Query& query) const {
  if (query.purpose != Purpose::job || sequence_.ledger().size() == 0) return projection();
  const EntryId own = sequence_.live_entry(model_.job_name(query.job));
  if (own == kNoEntry || sequence_.ledger().find(own)->clock.state != EntryState::short_of_space)
    return projection();
  return projection_for(own);
}

std::shared_ptr<const ProjectedCluster> Engine::projection_for(EntryId own) const {
  const std::shared_ptr<const ProjectedCluster> usual = projection();
  auto without = std::make_shared<ProjectedCluster>(project_cluster(model_, sequence_, policies_.get(), own));
  without->in_flight.below_fair_share = usual->in_flight.below_fair_share;
  without->in_flight.overcommitted = usual->in_flight.overcommitted;
  return without;
}

Plan Engine::decide_on(Query query, std::span<const EntryId> before) const {
  const std::shared_ptr<const ProjectedCluster> projection = projection_of(query);
  // A new plan for an entry may use the lenders of that entry.
  std::vector<EntryId> lenders(before.begin(), before.end());
  const bool for_job = query.purpose == Purpose::job;
  if (const EntryId own = for_job ? sequence_.live_entry(model_.job_name(query.job)) : kNoEntry) {
    for (const BorrowedRoom& borrowed_room : sequence_.ledger().find(own)->borrowed_rooms)
      lenders.push_back(borrowed_room.from);
  }
  const Model& model = *projection->model;
  const bool limited = model.is_limited(for_job ? model.jobs[query.job].queue : query.queue);
  query = completed(std::move(query));
  const auto answer = [&](const std::shared_ptr<const ProjectedCluster>& seen, bool triggers_only) {
    query.triggers_only = triggers_only;
    const std::shared_ptr<const InFlight> in_flight(seen, &seen->in_flight);
    Plan plan = decide({seen->model, policies_, in_flight, &group_indexes_, workers_.get()}, query);
    plan.revision = revision_;
    return plan;
  };
  const std::shared_ptr<const ProjectedCluster> with_surplus =
      with_surplus_room(projection, lenders, limited);
  if (with_surplus == projection) return answer(projection, false);
  // A job that fits into idle space waits for no other entry.
  Plan alone = answer(projection, true);
  if (alone.outcome == Outcome::fits) return alone;
  Plan plan = answer(with_surplus, false);
  name_lenders(plan, sequence_.ledger(), [&](std::span<const EntryId> of) {
    return alone.outcome == Outcome::preempt ||
           answer(with_surplus_room(projection, of, limited), true).outcome == Outcome::preempt;
  });
  return plan;
}

std::string plan_document(const Plan& plan, bool explained) {
  if (!explained) return write_plan(plan, false);
  Plan with_reasons = plan;
  explain_plan(with_reasons);
  return write_plan(with_reasons, true);
}

std::string plan_objective(const Plan& plan) { return write_objective(plan); }

std::string plan_picture(const Plan& plan, PictureForm form) { return draw_plan(plan, form); }

std::string plan_task_label(const Plan& plan, TaskId row, std::uint32_t index) {
  return task_label(plan.model(), row, index);
}

std::string plan_fault(const Plan& plan, const PolicySet& policies) { return verify(plan, policies); }

}  // namespace cede
