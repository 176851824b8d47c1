// SPDX-License-Identifier: MIT
#include "profile/run.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <random>
#include <string_view>
#include <unordered_set>

#include "decide/plan_handle.h"

namespace bench {

namespace {

// Longer than any interval between two attempts or commits of a profile.
constexpr std::int64_t kBetween = 20 * kSecond;

bool takes_effect(const cede_plan* plan) {
  const std::int32_t outcome = cede_plan_outcome(plan);
  return outcome == CEDE_OUTCOME_PREEMPT || outcome == CEDE_OUTCOME_FITS;
}

// The number after a key of the plan document; null and a missing key are `otherwise`.
double number_after(std::string_view text, std::string_view key, double otherwise) {
  const std::size_t at = text.find(key);
  if (at == std::string_view::npos) return otherwise;
  const char* first = text.data() + at + key.size();
  char* last = nullptr;
  const double value = std::strtod(first, &last);
  return last == first ? otherwise : value;
}

// Whether it is proven, and how far it may be off, only the document says.
void note_proof(const cede_plan* plan, ProfileRow& row) {
  cede_text* document = nullptr;
  cede_error error;
  if (cede_plan_json(plan, &document, &error) < 0) give_up(error);
  const std::string_view text(cede_text_data(document), cede_text_size(document));
  const std::size_t at = text.find("\"optimal\":");
  const bool optimal =
      at != std::string_view::npos && text.substr(at, 16).find("true") != std::string_view::npos;
  ++row.preempted;
  row.optimal += optimal ? 1 : 0;
  if (!optimal) {
    // Where the document names no gap, the price of class-cost is the one value with a bound.
    const std::size_t gap = text.find("\"gap\":{");
    const bool named = gap != std::string_view::npos;
    const std::string_view from = named ? text.substr(gap) : text;
    const double value = number_after(from, named ? "\"value\":" : "\"cost\":", 0);
    const double bound = number_after(from, "\"bound\":", 0);
    if (!named && row.profile != "class-cost") {
      ++row.without_gap;
    } else if (value > 0) {
      row.gap = std::max(row.gap, (value - bound) / value);
    }
  }
  cede_text_destroy(document);
}

void note(const ProfileShape& shape, const cede_plan* plan, ProfileRow& row) {
  static constexpr const char* kWords[] = {"?", "fits", "preempt", "wait", "in-progress", "impossible"};
  std::string outcome = kWords[cede_plan_outcome(plan)];
  if (!shape.expects.empty() && outcome != shape.expects && row.unexpected.empty())
    row.unexpected = outcome + ", " + cede_plan_rule(plan) + ": " + cede_plan_reason(plan);
  if (*cede_plan_rule(plan) != '\0' && outcome != cede_plan_rule(plan))
    outcome += std::string(" ") + cede_plan_rule(plan);
  ++row.outcomes[outcome];
  if (cede_plan_outcome(plan) == CEDE_OUTCOME_PREEMPT) note_proof(plan, row);
}

// Writes both documents of a row into a folder, to look at them.
void write_documents(const Description& description, const ProfileRow& row, const cede_engine* engine,
                     const std::string& folder) {
  std::string name = row.shape + '-' + std::to_string(row.size) + '-' + row.profile;
  for (char& letter : name) letter = letter == '/' || letter == ' ' ? '-' : letter;
  cede_text* text = nullptr;
  cede_error error;
  if (cede_engine_export(engine, &text, &error) < 0) give_up(error);
  std::ofstream(folder + '/' + name + ".cluster.json") << cede_text_data(text);
  std::ofstream(folder + '/' + name + ".policy.json") << description.policy();
  cede_text_destroy(text);
}

// One cluster and the questions about it, in the order a manager asks them.
class Cycle {
 public:
  Cycle(const ProfileShape& shape, const Description& description, const ProfileTerms& terms, ProfileRow& row)
      : shape_(shape),
        description_(description),
        cluster_(description, terms.threads),
        random_(terms.seed),
        row_(row) {
    row_.told_in = cluster_.seconds;
    if (!terms.folder.empty()) write_documents(description, row, engine(), terms.folder);
  }

  PlanHandle ask(const std::string& question, Times* times = nullptr) {
    static constexpr std::string_view kRelief = "relief:";
    cede_plan* plan = nullptr;
    cede_error error;
    const Watch watch;
    const bool relief = question.compare(0, kRelief.size(), kRelief) == 0;
    const std::int32_t status =
        relief ? cede_plan_create_relief(engine(), question.c_str() + kRelief.size(), nullptr, now_, nullptr,
                                         0, &plan, &error)
               : cede_plan_create(engine(), question.c_str(), now_, nullptr, 0, &plan, &error);
    if (times != nullptr) watch.stop(*times);
    if (status < 0) give_up(error);
    return PlanHandle(plan);
  }

  void turn(const std::string& question) {
    change(ask(question).get());  // what the commit before left behind is not the price of this change
    {
      const PlanHandle plan = ask(question, &row_.plan);
      note(shape_, plan.get(), row_);
    }
    PlanHandle plan = ask(question, &row_.unchanged);
    verify(plan.get());
    if (!takes_effect(plan.get())) return;
    commit(plan.get(), row_.commit);
    plan = ask(question);
    if (!takes_effect(plan.get())) return;
    change(plan.get());
    commit(plan.get(), row_.commit_changed);
  }

 private:
  cede_engine* engine() const { return cluster_.engine(); }

  // One running job starts later: one that the plan neither takes nor touches, where there is one.
  void change(const cede_plan* plan) {
    std::unordered_set<std::uint32_t> touched;
    if (plan != nullptr) {
      cede_error error;
      std::vector<cede_place> places(cede_plan_place_count(plan));
      std::vector<cede_victim> victims(cede_plan_victim_count(plan));
      if (cede_plan_places(plan, places.data(), sizeof(cede_place), places.size(), nullptr, &error) < 0 ||
          cede_plan_victims(plan, victims.data(), sizeof(cede_victim), victims.size(), nullptr, &error) < 0)
        give_up(error);
      for (const cede_place& place : places) touched.insert(place.node);
      for (const cede_victim& victim : victims) touched.insert(victim.job);
    }
    std::size_t chosen = 0;
    for (int tries = 0; tries < 1000; ++tries) {
      chosen = random_() % description_.jobs.size();
      const Description::Job& job = description_.jobs[chosen];
      if (!job.running || touched.count(cluster_.number(job.name)) != 0) continue;
      const bool apart = std::none_of(job.tasks.begin(), job.tasks.end(), [&](const Description::Task& task) {
        return touched.count(cluster_.node_numbers()[task.node]) != 0;
      });
      if (apart || tries >= 500) break;
    }
    Description::Job job = description_.jobs[chosen];
    job.since += kSecond * static_cast<std::int64_t>(1 + random_() % 59);
    cluster_.put({&job});
    now_ += kBetween;
  }

  void verify(const cede_plan* plan) {
    cede_error error;
    const Watch watch;
    const std::int32_t status = cede_plan_verify(plan, &error);
    watch.stop(row_.verify);
    if (status < 0) give_up(error);
  }

  // And takes it back, so that the next question finds the cluster as it was.
  void commit(const cede_plan* plan, Times& times) {
    cede_error error;
    std::uint64_t entry = 0;
    const Watch watch;
    const std::int32_t status = cede_engine_commit(engine(), plan, now_, -1, &entry, &error);
    watch.stop(times);
    if (status == CEDE_E_STALE) {
      ++row_.stale;
      if (row_.unexpected.empty()) row_.unexpected = std::string("stale: ") + error.text;
    } else if (status < 0 || cede_engine_cancel(engine(), entry, now_, &error) < 0) {
      give_up(error);
    }
    settle(settle({}));
    now_ += kBetween;
  }

  // What the engine says is to be done is done: an entry that ended stays until its actions are answered.
  std::vector<cede_event> settle(const std::vector<cede_event>& events) {
    cede_step* step = nullptr;
    cede_error error;
    if (cede_engine_step(engine(), now_, events.data(), sizeof(cede_event), events.size(), nullptr, 0, &step,
                         &error) < 0)
      give_up(error);
    std::vector<cede_event> done;
    std::vector<cede_action> actions(cede_step_action_count(step));
    if (cede_step_actions(step, actions.data(), sizeof(cede_action), actions.size(), nullptr, &error) < 0)
      give_up(error);
    for (const cede_action& action : actions) {
      cede_event event{};
      event.kind = CEDE_EVENT_ACTION_DONE;
      event.action = action.id;
      done.push_back(event);
    }
    cede_step_destroy(step);
    return done;
  }

  const ProfileShape& shape_;
  const Description& description_;
  Cluster cluster_;
  std::mt19937_64 random_;
  ProfileRow& row_;
  std::int64_t now_ = kNow;
};

void measure_cycle(const ProfileShape& shape, const Description& description, const ProfileTerms& terms,
                   ProfileRow& row) {
  Cycle cycle(shape, description, terms, row);
  cycle.ask(description.asked.front(), &row.first);
  const std::size_t most = std::max<std::size_t>(100, description.asked.size());
  const Watch watch;
  for (std::size_t t = 0; t < most && (t < shape.kinds || watch.cpu() < terms.seconds); ++t)
    cycle.turn(description.asked[t % description.asked.size()]);
}

// All in one call, then every commit in the same order, on a copy of a cluster that has answered before.
void measure_batch(const ProfileShape& shape, const Description& description, const ProfileTerms& terms,
                   ProfileRow& row) {
  Cluster cluster(description, terms.threads);
  row.told_in = cluster.seconds;
  if (!terms.folder.empty()) write_documents(description, row, cluster.engine(), terms.folder);
  std::vector<const char*> names;
  for (const std::string& name : description.asked) names.push_back(name.c_str());
  const auto asks = static_cast<double>(names.size());
  const Watch watch;
  for (std::size_t t = 0; t < 20 && (t < 1 || watch.cpu() < terms.seconds); ++t) {
    cede_engine* copy = nullptr;
    cede_error error;
    if (cede_engine_clone(cluster.engine(), &copy, &error) < 0) give_up(error);
    std::vector<cede_plan*> plans(names.size());
    const Watch whole;
    const Watch planning;
    if (cede_plan_create_batch(copy, names.data(), names.size(), CEDE_NOW_OF_CLUSTER, nullptr, 0,
                               plans.data(), &error) < 0)
      give_up(error);
    planning.stop(row.unchanged, asks);
    const Watch committing;
    for (const cede_plan* plan : plans) {
      std::uint64_t entry = 0;
      if (!takes_effect(plan)) continue;
      const std::int32_t status = cede_engine_commit(copy, plan, CEDE_NOW_OF_CLUSTER, -1, &entry, &error);
      if (status == CEDE_E_STALE) {
        ++row.stale;
        if (row.unexpected.empty()) row.unexpected = std::string("stale: ") + error.text;
      } else if (status < 0) {
        give_up(error);
      }
    }
    committing.stop(row.commit_changed, asks);
    whole.stop(row.plan, asks);
    for (cede_plan* plan : plans) {
      if (t == 0) note(shape, plan, row);
      cede_plan_destroy(plan);
    }
    cede_engine_destroy(copy);
  }
}

void measure_first(const ProfileShape& shape, const Description& description, const ProfileTerms& terms,
                   ProfileRow& row) {
  const Watch watch;
  for (std::size_t t = 0; t < 20 && (t < 2 || watch.cpu() < terms.seconds); ++t) {
    Cycle cycle(shape, description, terms, row);
    const PlanHandle plan = cycle.ask(description.asked.front(), &row.plan);
    note(shape, plan.get(), row);
  }
}

}  // namespace

ProfileRow run(const ProfileShape& shape, const Description& description, int size,
               const ProfileTerms& terms) {
  ProfileRow row;
  row.shape = shape.name;
  row.size = size;
  row.profile = description.profile;
  row.aim = shape.aim;
  row.many_kinds = shape.kinds > 1;
  for (const Description::Job& job : description.jobs) row.running_jobs += job.running ? 1 : 0;
  switch (shape.timed) {
    case Timed::cycle: measure_cycle(shape, description, terms, row); break;
    case Timed::batch: measure_batch(shape, description, terms, row); break;
    case Timed::first: measure_first(shape, description, terms, row); break;
  }
  return row;
}

}  // namespace bench
