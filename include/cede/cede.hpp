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

#include <cede/cede.h>

#include <cstring>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cede {

// The status of a call, and one line that says why.
struct Status {
  cede_error error{};

  bool ok() const { return error.status >= 0; }
  explicit operator bool() const { return ok(); }
  std::int32_t code() const { return error.status; }
  std::string_view text() const { return error.text; }
};

class Error : public std::runtime_error {
 public:
  explicit Error(const cede_error& error) : std::runtime_error(error.text), error_(error) {}
  std::int32_t code() const { return error_.status; }
  std::uint32_t line() const { return error_.line; }

 private:
  cede_error error_;
};

namespace detail {

template <auto kDestroy>
struct Drop {
  template <class Handle>
  void operator()(Handle* handle) const {
    kDestroy(handle);
  }
};
template <class Handle, auto kDestroy>
using Owned = std::unique_ptr<Handle, Drop<kDestroy>>;

// Makes a call and reports its outcome through the Status or as an exception.
template <class Call>
bool run(Status* status, Call call) {
  Status own;
  Status& told = status ? *status : own;
  if (call(&told.error) >= 0) return true;
  if (!status) throw Error(told.error);
  return false;
}

inline std::string text_or_nothing(const char* text) { return text ? text : std::string(); }

using Text = Owned<cede_text, cede_text_destroy>;

// A call that makes a text.
template <class Call>
std::string text_of(Status* status, Call call) {
  cede_text* made = nullptr;
  if (!run(status, [&](cede_error* error) { return call(&made, error); })) return {};
  const Text text(made);
  return {cede_text_data(text.get()), cede_text_size(text.get())};
}

// Everything that one of the array calls gives; nothing if it fails.
template <class Handle, class Struct>
std::vector<Struct> array_of(std::int32_t (*call)(const Handle*, Struct*, std::size_t, std::size_t,
                                                  std::size_t*, cede_error*),
                             const Handle* handle, Status* status) {
  std::size_t count = 0;
  std::vector<Struct> out;
  if (!run(status, [&](cede_error* e) { return call(handle, nullptr, sizeof(Struct), 0, &count, e); }))
    return out;
  out.resize(count);
  if (!run(status,
           [&](cede_error* e) { return call(handle, out.data(), sizeof(Struct), count, nullptr, e); }))
    out.clear();
  return out;
}

}  // namespace detail

class Plan {
 public:
  explicit Plan(cede_plan* plan = nullptr) : plan_(plan) {}
  cede_plan* get() const { return plan_.get(); }
  explicit operator bool() const { return plan_ != nullptr; }

  std::int32_t outcome() const { return cede_plan_outcome(get()); }
  std::string rule() const { return detail::text_or_nothing(cede_plan_rule(get())); }
  std::string reason() const { return detail::text_or_nothing(cede_plan_reason(get())); }
  std::uint64_t revision() const { return cede_plan_revision(get()); }
  std::int64_t cost() const { return cede_plan_cost(get()); }
  std::int64_t bound() const { return cede_plan_bound(get()); }

  cede_plan_facts facts(Status* status = nullptr) const {
    cede_plan_facts out{};
    detail::run(status, [&](cede_error* e) { return cede_plan_get(get(), &out, sizeof out, e); });
    return out;
  }
  std::vector<cede_victim> victims(Status* status = nullptr) const {
    return detail::array_of(cede_plan_victims, get(), status);
  }
  std::vector<cede_victim_task> victim_tasks(Status* status = nullptr) const {
    return detail::array_of(cede_plan_victim_tasks, get(), status);
  }
  std::vector<cede_place> places(Status* status = nullptr) const {
    return detail::array_of(cede_plan_places, get(), status);
  }
  std::string victim_job(std::size_t victim) const {
    return detail::text_or_nothing(cede_plan_victim_job(get(), victim));
  }
  std::string place_node(std::size_t place) const {
    return detail::text_or_nothing(cede_plan_place_node(get(), place));
  }

  std::string json(Status* status = nullptr) const {
    return detail::text_of(status,
                           [&](cede_text** text, cede_error* e) { return cede_plan_json(get(), text, e); });
  }
  std::string explain(Status* status = nullptr) const {
    return detail::text_of(
        status, [&](cede_text** text, cede_error* e) { return cede_plan_explain(get(), text, e); });
  }
  bool verify(Status* status = nullptr) const {
    return detail::run(status, [&](cede_error* e) { return cede_plan_verify(get(), e); });
  }

 private:
  template <class Struct, class Call>
  std::vector<Struct> all(std::size_t count, Call call, Status* status) const {
    std::vector<Struct> out(count);
    const bool good = detail::run(
        status, [&](cede_error* e) { return call(get(), out.data(), sizeof(Struct), out.size(), e); });
    if (!good) out.clear();
    return out;
  }

  detail::Owned<cede_plan, cede_plan_destroy> plan_;
};

class Engine {
 public:
  using Options = std::initializer_list<const char*>;

  // `policy` may be empty: then the engine has none.
  explicit Engine(std::string_view policy = {}, Options options = {}, Status* status = nullptr) {
    cede_engine* made = nullptr;
    const char* text = policy.empty() ? nullptr : policy.data();
    detail::run(status, [&](cede_error* e) {
      return cede_engine_create(text, policy.size(), options.begin(), options.size(), CEDE_VERSION, &made, e);
    });
    engine_.reset(made);
  }
  cede_engine* get() const { return engine_.get(); }
  explicit operator bool() const { return engine_ != nullptr; }

  Engine clone(Status* status = nullptr) const {
    cede_engine* made = nullptr;
    detail::run(status, [&](cede_error* e) { return cede_engine_clone(get(), &made, e); });
    return Engine(made);
  }
  std::uint64_t revision() const { return cede_engine_revision(get()); }

  bool load(std::string_view text, Status* status = nullptr) { return take(cede_engine_load, text, status); }
  bool apply(std::string_view text, Status* status = nullptr) {
    return take(cede_engine_apply, text, status);
  }
  bool set_policy(std::string_view text, Status* status = nullptr) {
    return take(cede_engine_set_policy, text, status);
  }
  std::string export_cluster(Status* status = nullptr) const {
    return detail::text_of(
        status, [&](cede_text** text, cede_error* e) { return cede_engine_export(get(), text, e); });
  }

  // ---- numbers and arrays; 0 on failure ----

  std::uint32_t name(std::string_view text, Status* status = nullptr) {
    return number(status, [&](std::uint32_t* out, cede_error* e) {
      return cede_engine_name(get(), text.data(), text.size(), out, e);
    });
  }
  // The numbers of many names; none if any of them is invalid.
  std::vector<std::uint32_t> names(const std::vector<std::string>& texts, Status* status = nullptr) {
    std::vector<const char*> data;
    std::vector<std::size_t> sizes;
    for (const std::string& text : texts) {
      data.push_back(text.data());
      sizes.push_back(text.size());
    }
    std::vector<std::uint32_t> numbers(texts.size());
    const bool good = detail::run(status, [&](cede_error* e) {
      return cede_engine_names(get(), data.data(), sizes.data(), texts.size(), numbers.data(), e);
    });
    if (!good) numbers.clear();
    return numbers;
  }
  std::uint32_t find_name(std::string_view text) const {
    return cede_engine_find_name(get(), text.data(), text.size());
  }
  std::string name_text(std::uint32_t number) const {
    return detail::text_or_nothing(cede_engine_name_text(get(), number));
  }
  std::uint32_t resources(const std::vector<cede_amount>& amounts, Status* status = nullptr) {
    return number(status, [&](std::uint32_t* out, cede_error* e) {
      return cede_engine_resources(get(), amounts.data(), sizeof(cede_amount), amounts.size(), out, e);
    });
  }
  std::uint32_t list(const std::vector<std::uint32_t>& names, Status* status = nullptr) {
    return number(status, [&](std::uint32_t* out, cede_error* e) {
      return cede_engine_list(get(), names.data(), names.size(), out, e);
    });
  }
  std::uint32_t part(std::int32_t kind, std::string_view text, Status* status = nullptr) {
    return number(status, [&](std::uint32_t* out, cede_error* e) {
      return cede_engine_part(get(), kind, text.data(), text.size(), out, e);
    });
  }
  bool forget(const std::vector<std::uint32_t>& numbers, Status* status = nullptr) {
    return by_names(cede_engine_forget, numbers, status);
  }

  bool set_now(std::int64_t now, Status* status = nullptr) {
    return detail::run(status, [&](cede_error* e) { return cede_engine_set_now(get(), now, e); });
  }
  bool put_levels(const std::vector<std::uint32_t>& names, Status* status = nullptr) {
    return by_names(cede_engine_put_levels, names, status);
  }
  bool import_topology(std::uint32_t name, std::string_view text, Status* status = nullptr) {
    return detail::run(status, [&](cede_error* e) {
      return cede_engine_import_topology(get(), name, text.data(), text.size(), e);
    });
  }
  bool put(const std::vector<cede_group>& groups, Status* status = nullptr) {
    return put_all(cede_engine_put_groups, groups, status);
  }
  bool put(const std::vector<cede_domain>& domains, Status* status = nullptr) {
    return put_all(cede_engine_put_domains, domains, status);
  }
  bool put(const std::vector<cede_queue>& queues, Status* status = nullptr) {
    return put_all(cede_engine_put_queues, queues, status);
  }
  bool put(const std::vector<cede_node>& nodes, Status* status = nullptr) {
    return put_all(cede_engine_put_nodes, nodes, status);
  }
  bool put(const std::vector<cede_reservation>& reservations, Status* status = nullptr) {
    return put_all(cede_engine_put_reservations, reservations, status);
  }
  bool put(const std::vector<cede_task>& tasks, Status* status = nullptr) {
    return put_all(cede_engine_put_tasks, tasks, status);
  }
  bool put(const std::vector<cede_job>& jobs, const std::vector<cede_task>& tasks, Status* status = nullptr) {
    return detail::run(status, [&](cede_error* e) {
      return cede_engine_put_jobs(get(), jobs.data(), sizeof(cede_job), jobs.size(), tasks.data(),
                                  sizeof(cede_task), tasks.size(), e);
    });
  }
  bool remove_topologies(const std::vector<std::uint32_t>& names, Status* status = nullptr) {
    return by_names(cede_engine_remove_topologies, names, status);
  }
  bool remove_domains(const std::vector<std::uint32_t>& names, Status* status = nullptr) {
    return by_names(cede_engine_remove_domains, names, status);
  }
  bool remove_groups(const std::vector<std::uint32_t>& names, Status* status = nullptr) {
    return by_names(cede_engine_remove_groups, names, status);
  }
  bool remove_reservations(const std::vector<std::uint32_t>& names, Status* status = nullptr) {
    return by_names(cede_engine_remove_reservations, names, status);
  }
  bool remove_queues(const std::vector<std::uint32_t>& names, Status* status = nullptr) {
    return by_names(cede_engine_remove_queues, names, status);
  }
  bool remove_nodes(const std::vector<std::uint32_t>& names, Status* status = nullptr) {
    return by_names(cede_engine_remove_nodes, names, status);
  }
  bool remove_jobs(const std::vector<std::uint32_t>& names, Status* status = nullptr) {
    return by_names(cede_engine_remove_jobs, names, status);
  }
  bool remove_tasks(const std::vector<cede_task_name>& tasks, Status* status = nullptr) {
    return put_all(cede_engine_remove_tasks, tasks, status);
  }

  // ---- plans; `terms` as cede.h lists them ----

  Plan plan(const std::string& job, std::int64_t now = CEDE_NOW_OF_CLUSTER,
            const std::vector<std::string>& terms = {}, Status* status = nullptr) const {
    const std::vector<const char*> texts = pointers(terms);
    return planned(status, [&](cede_plan** made, cede_error* e) {
      return cede_plan_create(get(), job.c_str(), now, texts.data(), texts.size(), made, e);
    });
  }
  Plan plan_relief(const std::string& target, const std::string& group = {},
                   std::int64_t now = CEDE_NOW_OF_CLUSTER, const std::vector<std::string>& terms = {},
                   Status* status = nullptr) const {
    const std::vector<const char*> texts = pointers(terms);
    return planned(status, [&](cede_plan** made, cede_error* e) {
      return cede_plan_create_relief(get(), target.c_str(), group.empty() ? nullptr : group.c_str(), now,
                                     texts.data(), texts.size(), made, e);
    });
  }
  Plan plan_claim(const std::string& queue, const std::vector<std::string>& nodes, const std::string& reason,
                  std::int64_t now = CEDE_NOW_OF_CLUSTER, const std::vector<std::string>& terms = {},
                  Status* status = nullptr) const {
    const std::vector<const char*> names = pointers(nodes);
    const std::vector<const char*> texts = pointers(terms);
    return planned(status, [&](cede_plan** made, cede_error* e) {
      return cede_plan_create_claim(get(), queue.c_str(), names.data(), names.size(), reason.c_str(), now,
                                    texts.data(), texts.size(), made, e);
    });
  }

 private:
  explicit Engine(cede_engine* engine) : engine_(engine) {}

  template <class Call>
  bool take(Call call, std::string_view text, Status* status) {
    return detail::run(status, [&](cede_error* e) { return call(get(), text.data(), text.size(), e); });
  }
  template <class Call, class Struct>
  bool put_all(Call call, const std::vector<Struct>& entries, Status* status) {
    return detail::run(status, [&](cede_error* e) {
      return call(get(), entries.data(), sizeof(Struct), entries.size(), e);
    });
  }
  template <class Call>
  bool by_names(Call call, const std::vector<std::uint32_t>& names, Status* status) {
    return detail::run(status, [&](cede_error* e) { return call(get(), names.data(), names.size(), e); });
  }
  template <class Call>
  std::uint32_t number(Status* status, Call call) {
    std::uint32_t out = 0;
    detail::run(status, [&](cede_error* e) { return call(&out, e); });
    return out;
  }
  template <class Call>
  static Plan planned(Status* status, Call call) {
    cede_plan* made = nullptr;
    detail::run(status, [&](cede_error* e) { return call(&made, e); });
    return Plan(made);
  }
  static std::vector<const char*> pointers(const std::vector<std::string>& texts) {
    std::vector<const char*> out;
    for (const std::string& text : texts) out.push_back(text.c_str());
    return out;
  }

  detail::Owned<cede_engine, cede_engine_destroy> engine_;
};

}  // namespace cede

#endif  // CEDE_CEDE_HPP
