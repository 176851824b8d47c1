// SPDX-License-Identifier: MIT
#include "engine.h"

#include <time.h>

#include <cstring>

namespace lives {

namespace {

std::vector<const char*> pointers(const std::vector<std::string>& texts) {
  std::vector<const char*> out;
  for (const std::string& text : texts) out.push_back(text.c_str());
  return out;
}

// "audit=1" where this library has the option.
std::vector<std::string> options_for(bool audit) {
  std::vector<std::string> out{"threads=1"};
  for (std::size_t i = 0; i < cede_option_count(); ++i) {
    if (audit && std::strcmp(cede_option_name(i), "audit") == 0) out.push_back("audit=1");
  }
  return out;
}

void read_place(const cede_place& from, const char* task, const char* node, PlaceView& out) {
  out.task = task ? task : "";
  out.place.node = node ? node : "";
  out.place.gpus = from.gpus;
  out.place.share = from.share;
  out.place.share_device = from.share_device;
  out.place.devices_known = from.devices_known != 0;
}

}  // namespace

std::int64_t Engine::cpu_now() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<std::int64_t>(time.tv_sec) * 1000000000 + time.tv_nsec;
}

void Engine::took(Call call, std::int64_t nanos, int32_t status) {
  const auto index = static_cast<std::size_t>(call);
  ++recorder_.totals->calls[index];
  Worst& worst = recorder_.totals->worst[index];
  if (nanos > worst.cpu_nanos) worst = {nanos, recorder_.life};
  error_text_ = status < 0 ? std::string(cede_status_name(status)) + ": " + error_.text : std::string();
  if (status == CEDE_E_INTERNAL && call != Call::verify)
    throw Finding{"internal error", std::string(kCalls[index]) + ": " + error_.text};
  if (status < 0 && error_.status != status)
    throw Finding{"error without its status", std::string(kCalls[index]) + " returned " + error_text_};
}

Engine::Engine(Recorder recorder, const std::string& policy, bool audit) : recorder_(recorder) {
  const std::vector<std::string> options = options_for(audit);
  const std::vector<const char*> texts = pointers(options);
  cede_engine* engine = nullptr;
  const int32_t status = measured(Call::create, [&] {
    return cede_engine_create(policy.data(), policy.size(), texts.data(), texts.size(), CEDE_VERSION, &engine,
                              error_out());
  });
  if (status < 0) throw Finding{"harness: policy refused", error_text_ + " in " + policy};
  handle_ = std::shared_ptr<cede_engine>(engine, cede_engine_destroy);
}

int32_t Engine::load(const std::string& text) {
  return measured(Call::load,
                  [&] { return cede_engine_load(handle(), text.data(), text.size(), error_out()); });
}

int32_t Engine::apply(const std::string& text) {
  return measured(Call::apply,
                  [&] { return cede_engine_apply(handle(), text.data(), text.size(), error_out()); });
}

int32_t Engine::set_policy(const std::string& text) {
  return measured(Call::set_policy,
                  [&] { return cede_engine_set_policy(handle(), text.data(), text.size(), error_out()); });
}

int32_t Engine::set_now(Millis now) {
  return measured(Call::arrays, [&] { return cede_engine_set_now(handle(), now, error_out()); });
}

// What is logged is not looked at; that it is well-formed text is the library's word.
void Engine::set_log() {
  const auto log = [](void*, int32_t, const char* text) { static_cast<void>(std::strlen(text)); };
  cede_engine_set_log(handle(), log, nullptr, error_out());
}

int32_t Engine::plan(const std::string& job, Millis now, const std::vector<std::string>& terms,
                     PlanView& out) {
  const std::vector<const char*> texts = pointers(terms);
  cede_plan* plan = nullptr;
  const int32_t status = measured(Call::plan, [&] {
    return cede_plan_create(handle(), job.c_str(), now, texts.data(), texts.size(), &plan, error_out());
  });
  if (status >= 0) read_plan(plan, out);
  return status;
}

int32_t Engine::batch(const std::vector<std::string>& jobs, Millis now, const std::vector<std::string>& terms,
                      std::vector<PlanView>& out) {
  const std::vector<const char*> names = pointers(jobs);
  const std::vector<const char*> texts = pointers(terms);
  std::vector<cede_plan*> plans(jobs.size());
  const int32_t status = measured(Call::batch, [&] {
    return cede_plan_create_batch(handle(), names.data(), names.size(), now, texts.data(), texts.size(),
                                  plans.data(), error_out());
  });
  if (status < 0) return status;
  out.resize(plans.size());
  for (std::size_t i = 0; i < plans.size(); ++i) read_plan(plans[i], out[i]);
  return status;
}

int32_t Engine::relief(const std::string& target, const std::string& group, Millis now,
                       const std::vector<std::string>& terms, PlanView& out) {
  const std::vector<const char*> texts = pointers(terms);
  cede_plan* plan = nullptr;
  const int32_t status = measured(Call::relief, [&] {
    return cede_plan_create_relief(handle(), target.c_str(), group.empty() ? nullptr : group.c_str(), now,
                                   texts.data(), texts.size(), &plan, error_out());
  });
  if (status >= 0) read_plan(plan, out);
  return status;
}

int32_t Engine::claim(const std::string& queue, const std::vector<std::string>& nodes, const char* reason,
                      Millis now, const std::vector<std::string>& terms, PlanView& out) {
  const std::vector<const char*> names = pointers(nodes);
  const std::vector<const char*> texts = pointers(terms);
  cede_plan* plan = nullptr;
  const int32_t status = measured(Call::claim, [&] {
    return cede_plan_create_claim(handle(), queue.c_str(), names.data(), names.size(), reason, now,
                                  texts.data(), texts.size(), &plan, error_out());
  });
  if (status >= 0) read_plan(plan, out);
  return status;
}

void Engine::read_plan(cede_plan* plan, PlanView& out) {
  out = {};
  out.handle = std::shared_ptr<cede_plan>(plan, cede_plan_destroy);
  out.outcome = cede_plan_outcome(plan);
  out.rule = cede_plan_rule(plan);
  out.reason = cede_plan_reason(plan);
  const std::vector<cede_victim> victims = array_of(Call::read_plan, cede_plan_victims, plan);
  for (std::size_t i = 0; i < victims.size(); ++i) {
    const cede_victim& victim = victims[i];
    VictimView view{cede_plan_victim_job(plan, i), {}, victim.hold};
    for (std::size_t k = 0; k < victim.task_count; ++k)
      view.tasks.push_back(cede_plan_victim_task(plan, i, k));
    out.victims.push_back(std::move(view));
  }
  const std::vector<cede_place> places = array_of(Call::read_plan, cede_plan_places, plan);
  for (std::size_t i = 0; i < places.size(); ++i)
    read_place(places[i], cede_plan_place_task(plan, i), cede_plan_place_node(plan, i),
               out.places.emplace_back());
  for (std::size_t i = 0; i < cede_plan_after_count(plan); ++i) out.after.push_back(cede_plan_after(plan, i));
}

int32_t Engine::verify(const PlanView& plan) {
  return measured(Call::verify, [&] { return cede_plan_verify(plan.handle.get(), error_out()); });
}

int32_t Engine::commit(const PlanView& plan, Millis now, std::uint64_t& entry) {
  return measured(Call::commit, [&] {
    return cede_engine_commit(handle(), plan.handle.get(), now, -1, &entry, error_out());
  });
}

int32_t Engine::extend(std::uint64_t entry, const PlanView& plan, Millis now) {
  return measured(Call::extend, [&] {
    return cede_engine_extend(handle(), entry, plan.handle.get(), now, 5, error_out());
  });
}

int32_t Engine::cancel(std::uint64_t entry, Millis now) {
  return measured(Call::cancel, [&] { return cede_engine_cancel(handle(), entry, now, error_out()); });
}

int32_t Engine::give_up(std::uint64_t entry, Millis now) {
  return measured(Call::give_up, [&] { return cede_engine_give_up(handle(), entry, now, error_out()); });
}

int32_t Engine::note(const PlanView& plan, Millis now) {
  return measured(Call::note,
                  [&] { return cede_engine_note(handle(), plan.handle.get(), now, 7, error_out()); });
}

// The number of a name. The engine has one for every name of the cluster and of the ledger; for another it
// assigns one.
uint32_t Engine::number(const std::string& name) {
  uint32_t number = cede_engine_find_name(handle(), name.data(), name.size());
  if (number == 0 && !name.empty())
    cede_engine_name(handle(), name.data(), name.size(), &number, error_out());
  return number;
}

int32_t Engine::step(Millis now, const std::vector<EventOut>& events, StepView& out) {
  std::vector<cede_event> told;
  for (const EventOut& event : events) {
    cede_event each{};
    each.kind = event.kind;
    each.entry = event.entry;
    each.action = event.action;
    each.length = event.length;
    each.job = number(event.job);
    each.task = number(event.task);
    each.node = number(event.node);
    told.push_back(each);
  }
  cede_step* step = nullptr;
  const int32_t status = measured(Call::step, [&] {
    return cede_engine_step(handle(), now, told.data(), sizeof(cede_event), told.size(), nullptr, 0, &step,
                            error_out());
  });
  if (status < 0) return status;
  const std::shared_ptr<cede_step> owner(step, cede_step_destroy);
  out = {};
  out.next_due = cede_step_next_due(step);
  for (std::size_t i = 0; i < events.size(); ++i) out.answers.push_back(cede_step_answer(step, i));
  const std::vector<cede_action> actions = array_of(Call::step, cede_step_actions, step);
  const std::vector<cede_place> places = array_of(Call::step, cede_step_places, step);
  for (std::size_t i = 0; i < actions.size(); ++i) {
    ActionView& action = out.actions.emplace_back();
    action.facts = actions[i];
    const char* job = cede_step_action_job(step, i);
    const char* preemptor = cede_step_action_preemptor(step, i);
    action.job = job ? job : "";
    action.preemptor = preemptor ? preemptor : "";
    for (std::size_t k = 0; k < action.facts.task_count; ++k)
      action.tasks.push_back(cede_step_action_task(step, i, k));
    for (std::size_t k = 0; k < action.facts.place_count; ++k) {
      read_place(places[action.facts.first_place + k], cede_step_place_task(step, i, k),
                 cede_step_place_node(step, i, k), action.places.emplace_back());
    }
  }
  return status;
}

LedgerView Engine::in_flight() {
  LedgerView view;
  cede_ledger* ledger = nullptr;
  measured(Call::in_flight, [&] { return cede_engine_in_flight(handle(), &ledger, error_out()); });
  const std::shared_ptr<cede_ledger> owner(ledger, cede_ledger_destroy);
  for (const cede_entry& facts : array_of(Call::in_flight, cede_ledger_entries, ledger)) {
    const std::size_t i = view.entries.size();
    LedgerEntry& entry = view.entries.emplace_back();
    entry.facts = facts;
    entry.requester = cede_ledger_requester(ledger, i);
    for (std::size_t k = 0; k < entry.facts.victim_count; ++k)
      entry.victims.emplace_back(cede_ledger_victim_job(ledger, i, k),
                                 cede_ledger_victim_phase(ledger, i, k));
  }
  cede_text* text = nullptr;
  cede_ledger_json(ledger, &text, error_out());
  view.json = taken(text);
  return view;
}

std::string Engine::taken(cede_text* text) {
  if (!text) return {};
  std::string out(cede_text_data(text), cede_text_size(text));
  cede_text_destroy(text);
  return out;
}

std::string Engine::save() {
  cede_text* text = nullptr;
  measured(Call::save, [&] { return cede_engine_save(handle(), &text, error_out()); });
  return taken(text);
}

int32_t Engine::restore(const std::string& bytes) {
  return measured(Call::restore,
                  [&] { return cede_engine_restore(handle(), bytes.data(), bytes.size(), error_out()); });
}

std::string Engine::exported() {
  cede_text* text = nullptr;
  measured(Call::exported, [&] { return cede_engine_export(handle(), &text, error_out()); });
  return taken(text);
}

Engine Engine::clone() {
  Engine copy(recorder_);
  cede_engine* engine = nullptr;
  measured(Call::clone, [&] { return cede_engine_clone(handle(), &engine, error_out()); });
  copy.handle_ = std::shared_ptr<cede_engine>(engine, cede_engine_destroy);
  return copy;
}

std::string Engine::plan_json(const PlanView& plan) {
  cede_text* text = nullptr;
  measured(Call::read_plan, [&] { return cede_plan_explain(plan.handle.get(), &text, error_out()); });
  return taken(text);
}

void Engine::check_warnings() {
  cede_report* report = nullptr;
  measured(Call::check, [&] { return cede_engine_check(handle(), nullptr, 0, &report, error_out()); });
  cede_report_destroy(report);
}

int32_t Engine::check(const std::string& text) {
  cede_report* report = nullptr;
  const int32_t status = measured(Call::check, [&] {
    return cede_engine_check(handle(), text.data(), text.size(), &report, error_out());
  });
  for (std::size_t i = 0; i < cede_report_count(report); ++i) cede_report_text(report, i);
  cede_report_destroy(report);
  return status;
}

int32_t Engine::admit(const std::string& job) {
  cede_admission* admission = nullptr;
  const int32_t status = measured(Call::admit, [&] {
    return cede_engine_admit(handle(), job.c_str(), nullptr, 0, &admission, error_out());
  });
  cede_admission_destroy(admission);
  return status;
}

void Engine::read_metrics() {
  cede_text* text = nullptr;
  measured(Call::metrics, [&] { return cede_engine_metrics(handle(), &text, error_out()); });
  cede_text_destroy(text);
}

int32_t Engine::read_shares(const std::string& group) {
  cede_text* text = nullptr;
  const int32_t status = measured(Call::shares, [&] {
    return cede_engine_shares(handle(), group.c_str(), CEDE_NOW_OF_CLUSTER, &text, error_out());
  });
  cede_text_destroy(text);
  return status;
}

}  // namespace lives
