// SPDX-License-Identifier: MIT
#include "policy/admit.h"

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "policy/composition.h"

namespace cede {

namespace {

constexpr std::uint8_t kNeverPreempted = 10;

// The admission rules that apply to one job; either may be absent.
struct Rules {
  const AdmissionRule* project = nullptr;
  const AdmissionRule* user = nullptr;

  // The project or user whose rule satisfies `says`; the project is tried first.
  template <class Says>
  std::optional<std::string> whose(Says says) const {
    if (project && says(*project)) return "project " + quote(project->name);
    if (user && says(*user)) return "user " + quote(user->name);
    return std::nullopt;
  }
};

class Admitting {
 public:
  Admitting(const EffectiveSettings& effective, const InFlight& in_flight, JobId job)
      : effective_(effective),
        in_flight_(in_flight),
        model_(effective.model()),
        id_(job),
        job_(model_.jobs[job]) {
    const Admission& admission = effective.policies().admission;
    const JobOwners& owners = model_.job_owners[job.value];
    if (owners.project != kNoName) rules_.project = admission.project(model_.name(owners.project));
    if (owners.user != kNoName) rules_.user = admission.user(model_.name(owners.user));
  }

  AdmissionAnswer answer() {
    AdmissionAnswer out;
    out.job = model_.job_name(id_);
    out.policy = effective_.policy().name;
    out.profile = effective_.profile();
    std::string none;
    combine(effective_.profile(), rules_.project, rules_.user, terms_, none);
    out.offer = terms_;
    if (!terms_.may_change && none.empty()) {
      out.offer.priorities = {terms_.default_priority, terms_.default_priority};
      out.offer.may_opt_out =
          terms_.may_opt_out.contains(terms_.default_priority) ? out.offer.priorities : kNoPriority;
    }
    out.priority = job_.has_priority ? job_.priority : terms_.default_priority;
    out.job_class = class_given();
    out.preemptible = preemptible(out.job_class);
    const auto refuse = [&out](std::string_view rule, std::string why) {
      if (!out.admitted() || why.empty()) return;
      out.rule = rule;
      out.reason = std::move(why);
    };
    refuse("priority", none);
    refuse("priority", priorities_fault());
    refuse("class", class_fault(out.job_class));
    refuse("opt-out", opt_out_fault(out.priority));
    ask_quota(out);
    if (out.admitted()) out.reason = taken(out);
    return out;
  }

 private:
  void ask_quota(AdmissionAnswer& out) const {
    if (effective_.profile() != Profile::quota) return;
    const Request request = make_request(effective_, id_);
    if (request.tasks.empty()) return;
    const GroupUsage usage(effective_, request.group, in_flight_);
    const RuleContext rule_context{effective_, request, model_.now, {}, usage, in_flight_};
    RuleList<Trigger> tests(rule_context);
    composition(Profile::quota).add_admission(tests);
    out.quota = "within";
    out.quota_text = "what it asks for is within its quotas";
    for (const auto& test : tests) {
      std::string why;
      if (!test->refuses(&why)) continue;
      out.quota = test->name();
      out.quota_text = std::move(why);
      return;
    }
  }

  std::string priority_fault(std::int32_t priority) const {
    const std::string shown = "priority " + std::to_string(priority);
    if (!terms_.may_change && priority != terms_.default_priority) {
      const auto who = rules_.whose([](const AdmissionRule& rule) { return !rule.may_change; });
      return shown + " is not the default " + std::to_string(terms_.default_priority) + ", which " +
             who.value_or("nobody") + " may not change";
    }
    if (terms_.priorities.contains(priority)) return {};
    const bool above = priority > terms_.priorities.max;
    const std::int32_t limit = above ? terms_.priorities.max : terms_.priorities.min;
    const auto who = rules_.whose(
        [&](const AdmissionRule& rule) { return (above ? rule.range().max : rule.range().min) == limit; });
    return shown + (above ? " is above " : " is below ") + std::to_string(limit) + ", the limit of " +
           who.value_or("profile " + std::string(to_word(effective_.profile(), kProfiles)));
  }

  // A task's own priority overrides its job's, so it is held to the same limits.
  std::string priorities_fault() const {
    if (job_.has_priority) {
      if (std::string why = priority_fault(job_.priority); !why.empty()) return why;
    }
    for (std::uint32_t k = 0; k < job_.task_rows; ++k) {
      const TaskExtras& task = model_.tasks.extras(TaskId{job_.first_task.value + k});
      if (!task.has_priority) continue;
      const std::string why = priority_fault(task.priority);
      if (!why.empty()) return "task " + quote(model_.task_name(job_, k)) + ": " + why;
    }
    return {};
  }

  bool sensitive() const { return effective_.kind(id_) == JobKind::sensitive; }

  std::uint8_t class_given() const {
    const std::uint8_t counts = effective_.job_class(id_);
    const bool asked = sensitive() || job_.job_class != kNoClass;
    return asked ? counts : std::min(counts, terms_.max_class);
  }

  std::string class_fault(std::uint8_t job_class) const {
    if (job_class <= terms_.max_class) return {};
    const auto who =
        rules_.whose([&](const AdmissionRule& rule) { return rule.max_class == terms_.max_class; });
    return (sensitive() ? "kind sensitive counts as class " : "class ") + std::to_string(job_class) +
           (sensitive() ? ", which" : "") + " is above " + std::to_string(terms_.max_class) + ", the limit " +
           (who ? "of " + *who : "where no rule grants more");
  }

  // Calls `visit` with each row of tasks and what the task, or else its job, states.
  template <class Visit>
  void each_task(Visit visit) const {
    for (std::uint32_t k = 0; k < job_.task_rows; ++k) {
      const TaskId row{job_.first_task.value + k};
      const Preemptible own = model_.tasks.extras(row).preemptible;
      visit(row, own == Preemptible::absent ? job_.preemptible : own);
    }
  }

  // The most protected task decides for the whole job, as in a gang.
  Preemptible preemptible(std::uint8_t job_class) const {
    if (job_class == kNeverPreempted) return Preemptible::no;
    Preemptible most = Preemptible::yes;
    each_task([&](TaskId row, Preemptible) {
      const Preemptible counts = effective_.preemptible(row);
      if (counts == Preemptible::no || most == Preemptible::yes) most = counts;
    });
    // In profile `guarantee` opting out is a strong wish, not a promise.
    const bool wish =
        effective_.profile() == Profile::guarantee && !effective_.flag(Setting::strict_opt_out, job_.queue);
    return wish && most == Preemptible::no ? Preemptible::last_resort : most;
  }

  // `job_priority`: the priority the job is admitted with.
  std::string opt_out_fault(std::int32_t job_priority) const {
    std::string why;
    each_task([&](TaskId row, Preemptible said) {
      if (said != Preemptible::no || !why.empty()) return;
      const TaskExtras& task = model_.tasks.extras(row);
      const std::int32_t priority = task.has_priority ? task.priority : job_priority;
      if (terms_.may_opt_out.contains(priority)) return;
      if (task.has_priority || task.preemptible != Preemptible::absent)
        why = "task " + quote(model_.task_name(job_, row.value - job_.first_task.value)) + ": ";
      why += no_opting_out(priority);
    });
    return why;
  }

  std::string no_opting_out(std::int32_t priority) const {
    const auto never =
        rules_.whose([](const AdmissionRule& rule) { return rule.may_opt_out == kNoPriority; });
    if (never) return "preemptible is false, and " + *never + " may not opt out of preemption";
    std::string out = "preemptible is false at priority " + std::to_string(priority);
    const auto forbids = [&](const AdmissionRule& rule) { return !rule.may_opt_out.contains(priority); };
    // Without a rule that forbids it the priority itself is not allowed, and that is refused first.
    const auto who = rules_.whose(forbids);
    if (!who) return out + ", which is not allowed";
    const AdmissionRule& rule = rules_.project && forbids(*rules_.project) ? *rules_.project : *rules_.user;
    return out + ", and " + *who + " may opt out of preemption only at " + show(rule.may_opt_out);
  }

  static std::string taken(const AdmissionAnswer& answer) {
    std::string out = "job " + quote(answer.job) + " is taken with priority " +
                      std::to_string(answer.priority) + " and class " + std::to_string(answer.job_class);
    switch (answer.preemptible) {
      case Preemptible::no: return out + ", and is never preempted";
      case Preemptible::last_resort: return out + ", and is preempted as the last resort";
      default: return out + ", and may be preempted";
    }
  }

  const EffectiveSettings& effective_;
  const InFlight& in_flight_;
  const Model& model_;
  const JobId id_;
  const JobCore& job_;
  Rules rules_;
  AdmissionTerms terms_;
};

}  // namespace

AdmissionAnswer admit(const EffectiveSettings& effective, const InFlight& in_flight, JobId job) {
  return Admitting(effective, in_flight, job).answer();
}

}  // namespace cede
