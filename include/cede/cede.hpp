// SPDX-License-Identifier: MIT
//
// libcede for C++17: handles that destroy themselves, containers instead of pointers and counts, and
// exceptions instead of statuses if you want them. It is a thin wrapper: cede.h says what every call does,
// and every call goes through it. get() returns the C handle.
//
// The last argument of every call that can fail is an optional cede::Status*. With one, the call fills it in
// and returns something empty on failure. Without one, the call throws cede::Error on failure.
#ifndef CEDE_CEDE_HPP
#define CEDE_CEDE_HPP

#include <cede/answers.hpp>
#include <functional>

namespace cede {

// ---- What the library knows without an engine ----

inline std::uint32_t version() { return cede_version(); }
inline std::string version_text() { return cede_version_text(); }
inline bool has_feature(const std::string& name) { return cede_has_feature(name.c_str()) == 1; }
inline std::string status_name(std::int32_t status) { return cede_status_name(status); }

struct Option {
  std::string name, default_value, help;
};
inline std::vector<Option> options() {
  std::vector<Option> out;
  for (std::size_t i = 0; i < cede_option_count(); ++i)
    out.push_back({cede_option_name(i), cede_option_default(i), cede_option_help(i)});
  return out;
}

struct Setting {
  std::string name, default_value, unit, range, side, help;
};
struct Profile {
  std::string name, help;
  std::vector<Setting> settings;
};
inline std::vector<Profile> profiles() {
  std::vector<Profile> out;
  for (std::size_t p = 0; p < cede_profile_count(); ++p) {
    out.push_back({cede_profile_name(p), cede_profile_help(p), {}});
    for (std::size_t s = 0; s < cede_setting_count(p); ++s) {
      const auto text = [&](std::int32_t what) { return cede_setting_text(p, s, what); };
      out.back().settings.push_back({text(CEDE_SETTING_NAME), text(CEDE_SETTING_DEFAULT),
                                     text(CEDE_SETTING_UNIT), text(CEDE_SETTING_RANGE),
                                     text(CEDE_SETTING_SIDE), text(CEDE_SETTING_HELP)});
    }
  }
  return out;
}

// CEDE_DOCUMENT_...; below 0 on failure.
inline std::int32_t document_kind(std::string_view text, Status* status = nullptr) {
  std::int32_t kind = 0;
  detail::run(status, [&](cede_error* e) { return kind = cede_document_kind(text.data(), text.size(), e); });
  return kind;
}
inline Texts schema_formats() {
  Texts out;
  for (std::size_t i = 0; i < cede_schema_count(); ++i) out.emplace_back(cede_schema_format(i));
  return out;
}
inline std::string schema(const std::string& format, Status* status = nullptr) {
  return detail::text_of(
      status, [&](cede_text** made, cede_error* e) { return cede_schema_json(format.c_str(), made, e); });
}

// ---- Engine ----

using Log = std::function<void(std::int32_t level, std::string_view text)>;

namespace detail {
struct Heard {
  std::unique_ptr<Log> log;  // lives longer than the engine that calls it
};
}  // namespace detail

// Text calls and array calls have one name each; what differs is the type of what they are given: names are
// texts, or numbers that name() gives. `terms` are as cede.h lists them. A time that is left out is the
// cluster's.
class Engine : private detail::Heard, public detail::Held<cede_engine, cede_engine_destroy> {
 public:
  // `policy` may be empty: then the engine has none. Options are texts "name=value".
  explicit Engine(std::string_view policy = {}, std::initializer_list<const char*> options = {},
                  Status* status = nullptr)
      : Engine(detail::out_of<cede_engine*>(status, [&](cede_engine** made, cede_error* e) {
          return cede_engine_create(policy.empty() ? nullptr : policy.data(), policy.size(), options.begin(),
                                    options.size(), CEDE_VERSION, made, e);
        })) {}

  // The log is not copied.
  Engine clone(Status* s = nullptr) const { return Engine(out_of<cede_engine*>(s, cede_engine_clone)); }
  std::uint64_t revision() const { return cede_engine_revision(get()); }
  // Called during calls on this engine, on the calling thread. It must not throw.
  bool set_log(Log hears, Status* s = nullptr) {
    auto own = std::make_unique<Log>(std::move(hears));
    const cede_log hear = [](void* to, std::int32_t level, const char* text) noexcept {
      (*static_cast<Log*>(to))(level, text);
    };
    if (!run(s, cede_engine_set_log, *own ? hear : nullptr, own.get())) return false;
    log = std::move(own);
    return true;
  }

  // ---- documents ----

  bool load(std::string_view text, Status* s = nullptr) { return take(cede_engine_load, text, s); }
  bool apply(std::string_view text, Status* s = nullptr) { return take(cede_engine_apply, text, s); }
  bool set_policy(std::string_view text, Status* s = nullptr) {
    return take(cede_engine_set_policy, text, s);
  }
  std::string export_cluster(Status* s = nullptr) const { return document(s, cede_engine_export); }
  std::string metrics(Status* s = nullptr) const { return document(s, cede_engine_metrics); }
  std::string shares(const std::string& group = {}, std::int64_t now = kNow, Status* s = nullptr) const {
    return document(s, cede_engine_shares, detail::or_null(group), now);
  }
  // Without a text, the warnings of what is loaded. There is a report also if the document is wrong.
  Report check(std::string_view text = {}, Status* s = nullptr) const {
    cede_report* made = nullptr;
    std::int32_t found = CEDE_OK;
    detail::run(s, [&](cede_error* e) {
      found = cede_engine_check(get(), text.data(), text.size(), &made, e);
      return made ? CEDE_OK : found;
    });
    return Report(made, found);
  }
  // `changes` may be empty.
  Admission admit(const std::string& job, std::string_view changes = {}, Status* s = nullptr) const {
    const char* data = changes.empty() ? nullptr : changes.data();
    return Admission(out_of<cede_admission*>(s, cede_engine_admit, job.c_str(), data, changes.size()));
  }
  Admission admit(std::uint32_t job, Status* s = nullptr) const {
    return Admission(out_of<cede_admission*>(s, cede_engine_admit_job, job));
  }

  // ---- numbers: 0 on failure ----

  std::uint32_t name(std::string_view text, Status* s = nullptr) {
    return out_of<std::uint32_t>(s, cede_engine_name, text.data(), text.size());
  }
  // The numbers of many names; none if any of them is invalid.
  Numbers names(const Texts& texts, Status* s = nullptr) {
    std::string joined;
    std::vector<std::uint64_t> offsets{0};
    for (const std::string& text : texts) offsets.push_back((joined += text).size());
    return names_packed(joined, offsets, s);
  }
  Numbers names_packed(std::string_view texts, View<std::uint64_t> offsets, Status* s = nullptr) {
    Numbers out(offsets.size() ? offsets.size() - 1 : 0);
    if (!run(s, cede_engine_names_packed, texts.data(), texts.size(), offsets.data(), out.size(), out.data()))
      out.clear();
    return out;
  }
  std::uint32_t find_name(std::string_view text) const {
    return cede_engine_find_name(get(), text.data(), text.size());
  }
  std::string name_text(std::uint32_t number) const {
    return detail::text_or_nothing(cede_engine_name_text(get(), number));
  }
  Texts name_texts(Names numbers, Status* s = nullptr) const {
    std::size_t size = 0;
    std::string all;
    std::vector<std::uint64_t> offsets(numbers.size() + 1);
    Texts out;
    const auto ask = [&](char* room, std::uint64_t* ends) {
      return run(s, cede_engine_name_texts, numbers.data(), numbers.size(), room, all.size(), &size, ends);
    };
    if (!ask(nullptr, nullptr)) return out;
    all.resize(size);
    if (!ask(all.data(), offsets.data())) return out;
    for (std::size_t i = 0; i < numbers.size(); ++i)
      out.push_back(all.substr(offsets[i], offsets[i + 1] - offsets[i]));
    return out;
  }
  std::uint32_t resources(View<cede_amount> amounts, Status* s = nullptr) {
    return out_of<std::uint32_t>(s, cede_engine_resources, amounts.data(), sizeof(cede_amount),
                                 amounts.size());
  }
  std::uint32_t list(Names names, Status* s = nullptr) {
    return out_of<std::uint32_t>(s, cede_engine_list, names.data(), names.size());
  }
  std::uint32_t part(std::int32_t kind, std::string_view text, Status* s = nullptr) {
    return out_of<std::uint32_t>(s, cede_engine_part, kind, text.data(), text.size());
  }
  bool forget(Names numbers, Status* s = nullptr) { return take(cede_engine_forget, numbers, s); }

  // ---- arrays: the cluster without documents ----

  bool set_now(std::int64_t now, Status* s = nullptr) { return run(s, cede_engine_set_now, now); }
  bool import_topology(std::uint32_t name, std::string_view text, Status* s = nullptr) {
    return run(s, cede_engine_import_topology, name, text.data(), text.size());
  }
  bool put_levels(Names names, Status* s = nullptr) { return take(cede_engine_put_levels, names, s); }
  bool put(View<cede_group> all, Status* s = nullptr) { return put_all(cede_engine_put_groups, all, s); }
  bool put(View<cede_domain> all, Status* s = nullptr) { return put_all(cede_engine_put_domains, all, s); }
  bool put(View<cede_queue> all, Status* s = nullptr) { return put_all(cede_engine_put_queues, all, s); }
  bool put(View<cede_node> all, Status* s = nullptr) { return put_all(cede_engine_put_nodes, all, s); }
  bool put(View<cede_reservation> all, Status* s = nullptr) {
    return put_all(cede_engine_put_reservations, all, s);
  }
  bool put(View<cede_budget> all, Status* s = nullptr) { return put_all(cede_engine_put_budgets, all, s); }
  bool put(View<cede_task> all, Status* s = nullptr) { return put_all(cede_engine_put_tasks, all, s); }
  bool put(View<cede_job> jobs, View<cede_task> tasks, Status* s = nullptr) {
    return run(s, cede_engine_put_jobs, jobs.data(), sizeof(cede_job), jobs.size(), tasks.data(),
               sizeof(cede_task), tasks.size());
  }
  bool remove_topologies(Names n, Status* s = nullptr) { return take(cede_engine_remove_topologies, n, s); }
  bool remove_domains(Names n, Status* s = nullptr) { return take(cede_engine_remove_domains, n, s); }
  bool remove_groups(Names n, Status* s = nullptr) { return take(cede_engine_remove_groups, n, s); }
  bool remove_reservations(Names n, Status* s = nullptr) {
    return take(cede_engine_remove_reservations, n, s);
  }
  bool remove_queues(Names n, Status* s = nullptr) { return take(cede_engine_remove_queues, n, s); }
  bool remove_nodes(Names n, Status* s = nullptr) { return take(cede_engine_remove_nodes, n, s); }
  bool remove_budgets(Names n, Status* s = nullptr) { return take(cede_engine_remove_budgets, n, s); }
  bool remove_jobs(Names n, Status* s = nullptr) { return take(cede_engine_remove_jobs, n, s); }
  bool remove_tasks(View<cede_task_name> all, Status* s = nullptr) {
    return put_all(cede_engine_remove_tasks, all, s);
  }

  // ---- plans ----

  Plan plan(const std::string& job, std::int64_t now = kNow, const Texts& terms = {},
            Status* s = nullptr) const {
    const auto t = detail::pointers(terms);
    return Plan(out_of<cede_plan*>(s, cede_plan_create, job.c_str(), now, t.data(), t.size()));
  }
  Plan plan(std::uint32_t job, std::int64_t now = kNow, Terms terms = {}, Status* s = nullptr) const {
    return Plan(
        out_of<cede_plan*>(s, cede_engine_plan, job, now, terms.data(), sizeof(cede_term), terms.size()));
  }
  // The plans of a batch; none if one of them cannot be made.
  std::vector<Plan> plan_batch(const Texts& jobs, std::int64_t now = kNow, const Texts& terms = {},
                               Status* s = nullptr) const {
    const auto j = detail::pointers(jobs);
    const auto t = detail::pointers(terms);
    return plans(s, j.size(), cede_plan_create_batch, j.data(), j.size(), now, t.data(), t.size());
  }
  std::vector<Plan> plan_batch(Names jobs, std::int64_t now = kNow, Terms terms = {},
                               Status* s = nullptr) const {
    return plans(s, jobs.size(), cede_engine_plan_batch, jobs.data(), jobs.size(), now, terms.data(),
                 sizeof(cede_term), terms.size());
  }
  Plan plan_relief(const std::string& target, const std::string& group = {}, std::int64_t now = kNow,
                   const Texts& terms = {}, Status* s = nullptr) const {
    const auto t = detail::pointers(terms);
    return Plan(out_of<cede_plan*>(s, cede_plan_create_relief, target.c_str(), detail::or_null(group), now,
                                   t.data(), t.size()));
  }
  Plan plan_relief(std::int32_t kind, std::uint32_t target, std::uint32_t group = 0, std::int64_t now = kNow,
                   Terms terms = {}, Status* s = nullptr) const {
    return Plan(out_of<cede_plan*>(s, cede_engine_plan_relief, kind, target, group, now, terms.data(),
                                   sizeof(cede_term), terms.size()));
  }
  Plan plan_claim(const std::string& queue, const Texts& nodes, const std::string& reason,
                  std::int64_t now = kNow, const Texts& terms = {}, Status* s = nullptr) const {
    const auto n = detail::pointers(nodes);
    const auto t = detail::pointers(terms);
    return Plan(out_of<cede_plan*>(s, cede_plan_create_claim, queue.c_str(), n.data(), n.size(),
                                   reason.c_str(), now, t.data(), t.size()));
  }
  Plan plan_claim(std::uint32_t queue, Names nodes, std::int32_t reason, std::int64_t now = kNow,
                  Terms terms = {}, Status* s = nullptr) const {
    return Plan(out_of<cede_plan*>(s, cede_engine_plan_claim, queue, nodes.data(), nodes.size(), reason, now,
                                   terms.data(), sizeof(cede_term), terms.size()));
  }

  // ---- sequence: from plan to started job ----

  // The number of the entry; 0 on failure.
  std::uint64_t commit(const Plan& plan, std::int64_t now = kNow, std::int64_t plan_micros = -1,
                       Status* s = nullptr) {
    return out_of<std::uint64_t>(s, cede_engine_commit, plan.get(), now, plan_micros);
  }
  bool extend(std::uint64_t entry, const Plan& plan, std::int64_t now = kNow, std::int64_t plan_micros = -1,
              Status* s = nullptr) {
    return run(s, cede_engine_extend, entry, plan.get(), now, plan_micros);
  }
  bool cancel(std::uint64_t entry, std::int64_t now = kNow, Status* s = nullptr) {
    return run(s, cede_engine_cancel, entry, now);
  }
  bool give_up(std::uint64_t entry, std::int64_t now = kNow, Status* s = nullptr) {
    return run(s, cede_engine_give_up, entry, now);
  }
  bool note(const Plan& plan, std::int64_t now = kNow, std::int64_t plan_micros = -1, Status* s = nullptr) {
    return run(s, cede_engine_note, plan.get(), now, plan_micros);
  }
  // `texts` are the reasons that failed actions give.
  Step step(std::int64_t now, View<cede_event> events = {}, std::string_view texts = {},
            Status* s = nullptr) {
    return Step(out_of<cede_step*>(s, cede_engine_step, now, events.data(), sizeof(cede_event), events.size(),
                                   texts.data(), texts.size()));
  }
  Step step_document(std::int64_t now, std::string_view events = {}, Status* s = nullptr) {
    return Step(out_of<cede_step*>(s, cede_engine_step_document, now, events.data(), events.size()));
  }
  Ledger in_flight(Status* s = nullptr) const {
    return Ledger(out_of<cede_ledger*>(s, cede_engine_in_flight));
  }
  std::string save(Status* s = nullptr) const { return document(s, cede_engine_save); }
  bool restore(std::string_view state, Status* s = nullptr) { return take(cede_engine_restore, state, s); }

 private:
  using Held::Held;

  template <class Call, class... Arguments>
  std::vector<Plan> plans(Status* status, std::size_t count, Call call, Arguments... arguments) const {
    std::vector<cede_plan*> made(count);
    std::vector<Plan> out;
    out.reserve(count);
    if (run(status, call, arguments..., made.data()))
      for (cede_plan* plan : made) out.emplace_back(plan);
    return out;
  }
  template <class Call, class Bytes>
  bool take(Call call, Bytes bytes, Status* status) {
    return run(status, call, bytes.data(), bytes.size());
  }
  template <class Call, class Struct>
  bool put_all(Call call, View<Struct> all, Status* status) {
    return run(status, call, all.data(), sizeof(Struct), all.size());
  }
};

}  // namespace cede

#endif  // CEDE_CEDE_HPP
