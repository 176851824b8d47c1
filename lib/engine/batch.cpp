// SPDX-License-Identifier: MIT
#include "engine/batch.h"

#include <algorithm>

#include "base/text.h"
#include "document/json_text.h"
#include "document/plan_writer.h"

namespace cede {

namespace {

// What was planned so far.
class Batch {
 public:
  Batch(const Engine& engine, Time now, const std::vector<std::string>& terms, Problems& problems)
      : ahead_(engine), revision_(engine.revision()), now_(now), terms_(terms), problems_(problems) {}

  bool ask(const std::string& job) {
    std::optional<Plan> plan = ahead_.plan_after(entries_, job, now_, terms_, problems_);
    if (!plan) return false;
    count_holds(*plan);
    wait_for_others(*plan);
    if (plan->outcome == Outcome::fits || plan->outcome == Outcome::preempt) {
      const EntryId entry = ahead_.commit(*plan, *ahead_.policies(), now_, -1, problems_);
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

  // Who takes away what is kept for one of the batch comes after it too. A hold that was there before is a
  // victim like any other, also where its requester was asked about once more.
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

  // It starts no sooner than those whose victims it waits for.
  void wait_for_others(Plan& plan) const {
    for (const JobId job : plan.after) {
      const std::size_t number = number_of(plan.model().job_name(job));
      if (number == parts_.size()) continue;  // whom its entry counted on before
      const Plan& other = parts_[number];
      plan.expected_start = std::max(plan.expected_start, other.expected_start);
      plan.latest_start = plan.latest_start == kNoTime || other.latest_start == kNoTime
                              ? kNoTime
                              : std::max(plan.latest_start, other.latest_start);
    }
  }

  Engine ahead_;
  const std::uint64_t revision_;
  const Time now_;
  const std::vector<std::string>& terms_;
  Problems& problems_;
  std::vector<std::string> jobs_;
  std::vector<Plan> parts_;       // of those jobs
  std::vector<EntryId> entries_;  // of those that are yes
};

}  // namespace

std::optional<std::vector<Plan>> plan_batch(const Engine& engine, const std::vector<std::string>& jobs,
                                            Time now, const std::vector<std::string>& terms,
                                            Problems& problems) {
  Batch batch(engine, now, terms, problems);
  for (auto job = jobs.begin(); job != jobs.end(); ++job) {
    if (std::find(jobs.begin(), job, *job) != job) {
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

}  // namespace cede
