// SPDX-License-Identifier: MIT
//
// The part of cede.hpp that an engine is not needed for: statuses, views of arrays, and the classes over what
// an engine answers. Include cede.hpp.
#ifndef CEDE_ANSWERS_HPP
#define CEDE_ANSWERS_HPP

#include <cede/cede.h>

#include <cstring>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
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

// Any contiguous elements: a vector, an array, a span, a list in braces, or a pointer and a count. Nothing is
// copied on the way to the library; a view lives no longer than what it is made of.
template <class T>
class View {
 public:
  View() = default;
  View(const T* data, std::size_t size) : data_(data), size_(size) {}
  View(std::initializer_list<T> list) : size_(list.size()) { data_ = list.begin(); }
  template <std::size_t kSize>
  View(const T (&array)[kSize]) : data_(array), size_(kSize) {}
  template <class Container, class = std::enable_if_t<std::is_convertible_v<
                                 decltype(std::declval<const Container&>().data()), const T*>>>
  View(const Container& container) : data_(container.data()), size_(container.size()) {}

  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }

 private:
  const T* data_ = nullptr;
  std::size_t size_ = 0;
};

using Names = View<std::uint32_t>;  // the numbers of names
using Numbers = std::vector<std::uint32_t>;
using Terms = View<cede_term>;
using Texts = std::vector<std::string>;
constexpr std::int64_t kNow = CEDE_NOW_OF_CLUSTER;

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
  told = Status();
  if (call(&told.error) >= 0) return true;
  if (!status) throw Error(told.error);
  return false;
}

// What a call gives through its first argument, or nothing.
template <class Out, class Call>
Out out_of(Status* status, Call call) {
  Out out{};
  return run(status, [&](cede_error* error) { return call(&out, error); }) ? out : Out{};
}

inline std::string text_or_nothing(const char* text) { return text ? text : std::string(); }

// A call that makes a text.
template <class Call>
std::string text_of(Status* status, Call call) {
  const Owned<cede_text, cede_text_destroy> text(out_of<cede_text*>(status, call));
  return text ? std::string(cede_text_data(text.get()), cede_text_size(text.get())) : std::string();
}

inline std::vector<const char*> pointers(const Texts& texts) {
  std::vector<const char*> out;
  for (const std::string& text : texts) out.push_back(text.c_str());
  return out;
}

inline const char* or_null(const std::string& text) { return text.empty() ? nullptr : text.c_str(); }

// What all classes over a handle have.
template <class Handle, auto kDestroy>
class Held {
 public:
  explicit Held(Handle* handle = nullptr) : handle_(handle) {}
  Handle* get() const { return handle_.get(); }
  explicit operator bool() const { return handle_ != nullptr; }

 protected:
  template <class Call, class... Arguments>
  bool run(Status* status, Call call, Arguments... arguments) const {
    return detail::run(status, [&](cede_error* e) { return call(get(), arguments..., e); });
  }
  template <class Out, class Call, class... Arguments>
  Out out_of(Status* status, Call call, Arguments... arguments) const {
    Out out{};
    return run(status, call, arguments..., &out) ? out : Out{};
  }
  template <class Struct, class Call>
  Struct facts_of(Status* status, Call call) const {
    Struct out{};
    return run(status, call, &out, sizeof out) ? out : Struct{};
  }
  template <class Call, class... Arguments>
  std::string document(Status* status, Call call, Arguments... arguments) const {
    return text_of(status,
                   [&](cede_text** made, cede_error* e) { return call(get(), arguments..., made, e); });
  }
  template <class Call, class... Arguments>
  std::string told(Call call, Arguments... arguments) const {
    return text_or_nothing(call(get(), arguments...));
  }
  // All that an array call gives; nothing if it fails.
  template <class Struct>
  std::vector<Struct> array(Status* status,
                            std::int32_t (*call)(const Handle*, Struct*, std::size_t, std::size_t,
                                                 std::size_t*, cede_error*)) const {
    std::size_t count = 0;
    if (!run(status, call, nullptr, sizeof(Struct), 0, &count)) return {};
    std::vector<Struct> out(count);
    return run(status, call, out.data(), sizeof(Struct), count, nullptr) ? out : std::vector<Struct>();
  }

 private:
  Owned<Handle, kDestroy> handle_;
};

}  // namespace detail

// ---- Answers ----

class Plan : public detail::Held<cede_plan, cede_plan_destroy> {
 public:
  using Held::Held;

  std::int32_t outcome() const { return cede_plan_outcome(get()); }
  std::string rule() const { return told(cede_plan_rule); }
  std::string reason() const { return told(cede_plan_reason); }
  std::string cause() const { return told(cede_plan_cause); }
  std::string policy() const { return told(cede_plan_policy); }
  std::string profile() const { return told(cede_plan_profile); }
  std::string objective() const { return told(cede_plan_objective); }
  std::uint64_t revision() const { return cede_plan_revision(get()); }
  std::int64_t cost() const { return cede_plan_cost(get()); }
  std::int64_t bound() const { return cede_plan_bound(get()); }

  cede_plan_facts facts(Status* s = nullptr) const { return facts_of<cede_plan_facts>(s, cede_plan_get); }
  std::vector<cede_victim> victims(Status* s = nullptr) const { return array(s, cede_plan_victims); }
  std::vector<cede_victim_task> victim_tasks(Status* s = nullptr) const {
    return array(s, cede_plan_victim_tasks);
  }
  std::vector<cede_place> places(Status* s = nullptr) const { return array(s, cede_plan_places); }
  std::vector<cede_place> moves(Status* s = nullptr) const { return array(s, cede_plan_moves); }
  std::vector<cede_cost_part> cost_parts(Status* s = nullptr) const { return array(s, cede_plan_cost_parts); }
  std::vector<cede_criterion> criteria(Status* s = nullptr) const { return array(s, cede_plan_criteria); }
  std::vector<cede_violation> violations(Status* s = nullptr) const { return array(s, cede_plan_violations); }
  std::vector<std::uint32_t> after_jobs(Status* status = nullptr) const {
    std::vector<std::uint32_t> out(cede_plan_after_count(get()));
    const bool good = detail::run(status, [&](cede_error* e) {
      return cede_plan_after_jobs(get(), out.data(), out.size(), nullptr, e);
    });
    return good ? out : std::vector<std::uint32_t>();
  }

  // The same as texts; empty beyond the last.
  std::string victim_job(std::size_t victim) const { return told(cede_plan_victim_job, victim); }
  std::string victim_task(std::size_t victim, std::size_t task) const {
    return told(cede_plan_victim_task, victim, task);
  }
  std::string place_task(std::size_t place) const { return told(cede_plan_place_task, place); }
  std::string place_node(std::size_t place) const { return told(cede_plan_place_node, place); }
  std::string after(std::size_t index) const { return told(cede_plan_after, index); }
  std::string criterion_name(std::size_t criterion) const {
    return told(cede_plan_criterion_name, criterion);
  }
  std::string met(std::size_t index) const { return told(cede_plan_met, index); }
  std::string missed(std::size_t index) const { return told(cede_plan_missed, index); }

  std::string json(Status* s = nullptr) const { return document(s, cede_plan_json); }
  std::string explain(Status* s = nullptr) const { return document(s, cede_plan_explain); }
  std::string picture(std::int32_t format = CEDE_PICTURE_TEXT, std::uint32_t width = 0,
                      Status* s = nullptr) const {
    return document(s, cede_plan_picture, format, width);
  }
  bool verify(Status* s = nullptr) const { return run(s, cede_plan_verify); }
};

// The plans of a batch as one document.
inline std::string batch_json(const std::vector<Plan>& plans, Status* status = nullptr) {
  std::vector<const cede_plan*> handles;
  for (const Plan& plan : plans) handles.push_back(plan.get());
  return detail::text_of(status, [&](cede_text** made, cede_error* e) {
    return cede_plan_batch_json(handles.data(), handles.size(), made, e);
  });
}

// What a check found; status() is what load, apply or set_policy would return.
class Report : public detail::Held<cede_report, cede_report_destroy> {
 public:
  explicit Report(cede_report* report = nullptr, std::int32_t status = CEDE_OK)
      : Held(report), status_(status) {}
  std::int32_t status() const { return status_; }
  std::size_t dropped() const { return cede_report_dropped(get()); }
  std::vector<cede_finding> findings(Status* s = nullptr) const { return array(s, cede_report_findings); }
  std::string path(std::size_t finding) const { return told(cede_report_path, finding); }
  std::string text(std::size_t finding) const { return told(cede_report_text, finding); }

 private:
  std::int32_t status_;
};

class Admission : public detail::Held<cede_admission, cede_admission_destroy> {
 public:
  using Held::Held;
  bool admitted() const { return cede_admission_admitted(get()) == 1; }
  std::string rule() const { return told(cede_admission_rule); }
  std::string reason() const { return told(cede_admission_reason); }
  std::string quota() const { return told(cede_admission_quota); }
  cede_ruling ruling(Status* s = nullptr) const { return facts_of<cede_ruling>(s, cede_admission_get); }
  std::string json(Status* s = nullptr) const { return document(s, cede_admission_json); }
};

class Step : public detail::Held<cede_step, cede_step_destroy> {
 public:
  using Held::Held;
  // Whether the event was applied.
  bool answer(std::size_t event) const { return cede_step_answer(get(), event) == 1; }
  std::int64_t next_due() const { return cede_step_next_due(get()); }
  std::vector<cede_action> actions(Status* s = nullptr) const { return array(s, cede_step_actions); }
  std::vector<cede_victim_task> tasks(Status* s = nullptr) const { return array(s, cede_step_tasks); }
  std::vector<cede_place> places(Status* s = nullptr) const { return array(s, cede_step_places); }
  std::string action_job(std::size_t action) const { return told(cede_step_action_job, action); }
  std::string action_preemptor(std::size_t action) const { return told(cede_step_action_preemptor, action); }
  std::string action_cause(std::size_t action) const { return told(cede_step_action_cause, action); }
  std::string action_task(std::size_t action, std::size_t task) const {
    return told(cede_step_action_task, action, task);
  }
  std::string place_task(std::size_t action, std::size_t place) const {
    return told(cede_step_place_task, action, place);
  }
  std::string place_node(std::size_t action, std::size_t place) const {
    return told(cede_step_place_node, action, place);
  }
  std::string json(Status* s = nullptr) const { return document(s, cede_step_json); }
};

class Ledger : public detail::Held<cede_ledger, cede_ledger_destroy> {
 public:
  using Held::Held;
  std::size_t size() const { return cede_ledger_count(get()); }
  std::vector<cede_entry> entries(Status* s = nullptr) const { return array(s, cede_ledger_entries); }
  std::vector<cede_ledger_victim> victims(Status* s = nullptr) const { return array(s, cede_ledger_victims); }
  std::vector<cede_victim_task> tasks(Status* s = nullptr) const { return array(s, cede_ledger_tasks); }
  std::vector<cede_place> places(Status* s = nullptr) const { return array(s, cede_ledger_places); }
  std::string requester(std::size_t entry) const { return told(cede_ledger_requester, entry); }
  std::string cause(std::size_t entry) const { return told(cede_ledger_cause, entry); }
  std::string victim_job(std::size_t entry, std::size_t victim) const {
    return told(cede_ledger_victim_job, entry, victim);
  }
  std::string victim_phase(std::size_t entry, std::size_t victim) const {
    return told(cede_ledger_victim_phase, entry, victim);
  }
  std::string json(Status* s = nullptr) const { return document(s, cede_ledger_json); }
};

class Topology : public detail::Held<cede_topology, cede_topology_destroy> {
 public:
  explicit Topology(std::string_view text, std::int32_t kind = CEDE_TOPOLOGY_ANY,
                    const std::string& name = {}, Status* status = nullptr)
      : Held(detail::out_of<cede_topology*>(status, [&](cede_topology** made, cede_error* e) {
          return cede_topology_create(text.data(), text.size(), kind, detail::or_null(name), made, e);
        })) {}
  cede_topology_facts facts(Status* s = nullptr) const {
    return facts_of<cede_topology_facts>(s, cede_topology_get);
  }
  std::string signature() const { return told(cede_topology_signature); }
  std::string level(std::size_t level) const { return told(cede_topology_level, level); }
  Texts domains(std::size_t level) const {
    Texts out;
    for (std::size_t i = 0; i < cede_topology_domain_count(get(), level); ++i)
      out.emplace_back(cede_topology_domain(get(), level, i));
    return out;
  }
  std::string json(Status* s = nullptr) const { return document(s, cede_topology_json); }
  std::string picture(std::int32_t format = CEDE_PICTURE_TEXT, std::uint32_t width = 0,
                      Status* s = nullptr) const {
    return document(s, cede_topology_picture, format, width);
  }
};

}  // namespace cede

#endif  // CEDE_ANSWERS_HPP
