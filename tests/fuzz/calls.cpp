// SPDX-License-Identifier: MIT
// The whole ABI driven by a stream of bytes: each byte is a call of the table at the end, the bytes behind it
// its arguments, chosen from a few names so that calls meet each other. The engine audits itself where it
// can. What must hold: no call fails with an internal error, and a call that fails leaves the revision as it
// was.
#include <algorithm>
#include <array>
#include <cstring>

#include "fuzz.h"

namespace {

constexpr std::size_t kMostCalls = 200;
constexpr std::size_t kPlans = 6;

// A text put together from left to right: the bytes of an input must mean the same with every compiler, and
// what a chain of + evaluates first is each compiler's own choice.
struct Text {
  std::string out;
  Text& operator<<(std::string_view more) {
    out += more;
    return *this;
  }
};

class Life {
 public:
  Life(const std::uint8_t* data, std::size_t size) : data_(data), left_(size) {
    profile_ = byte() % fuzz::kProfiles;
    engine_ = fuzz::small_engine(profile_);
  }

  void run() {
    for (std::size_t i = 0; i < kMostCalls && left_ > 0; ++i) {
      const auto call = kCalls[byte() % kCalls.size()];
      (this->*call)();
    }
    look();
    fuzz::expect_round_trip(engine_.get());
  }

 private:
  // ---- Arguments ----

  std::uint8_t byte() {
    if (left_ == 0) return 0;
    --left_;
    return *data_++;
  }
  bool chance() { return byte() % 2 == 1; }
  std::size_t below(std::size_t bound) { return byte() % bound; }
  std::string pick(std::string_view letter, std::size_t bound) {
    return std::string(letter) + std::to_string(below(bound));
  }
  std::string node() { return pick("n", 6); }
  std::string group() { return pick("g", 3); }
  std::string queue() {
    static constexpr std::array<const char*, 5> kQueues{"root", "a", "b", "c", "d"};
    return kQueues[below(kQueues.size())];
  }
  std::string task() { return pick("t", 4); }
  std::string job() {
    const std::size_t number = below(14);
    return number < 7 ? "j" + std::to_string(number) : "w" + std::to_string(number - 7);
  }
  std::string topology() {
    static constexpr std::array<const char*, 5> kTopologies{"", "box", "pair", "one", "many"};
    return kTopologies[below(kTopologies.size())];
  }
  static std::string quoted(const std::string& text) { return '"' + text + '"'; }
  std::string amount() {
    static constexpr std::array<const char*, 8> kAmounts{"0", "1", "2", "3", "4", "8", "0.5", "64"};
    return kAmounts[below(kAmounts.size())];
  }
  std::string resources() {
    Text text;
    text << "{\"gpu\":" << amount();
    if (chance()) text << ",\"cpu\":" << amount();
    if (chance()) text << ",\"licence\":" << amount();
    return (text << "}").out;
  }
  // Mostly a little later, sometimes much, sometimes earlier.
  std::int64_t time() {
    const std::uint8_t how = byte();
    if (how == 0) return CEDE_NOW_OF_CLUSTER;
    if (how < 200) return now_ += how * 250;
    if (how < 230) return now_ += how * 60'000;
    return now_ - how * 1000;
  }
  std::int64_t seconds() { return now_ / 1000 - byte(); }
  std::uint32_t number_of(const std::string& name) {
    std::uint32_t number = 0;
    fuzz::Error error;
    if (!name.empty())
      error.status(cede_engine_name(engine_.get(), name.data(), name.size(), &number, error.out()),
                   "cede_engine_name");
    return number;
  }
  std::uint32_t amounts() {
    cede_amount amounts[2] = {{static_cast<std::int64_t>(below(6)) * 500, number_of("gpu"), 0},
                              {static_cast<std::int64_t>(below(9)) * 1000, number_of("cpu"), 0}};
    std::uint32_t number = 0;
    fuzz::Error error;
    error.status(
        cede_engine_resources(engine_.get(), amounts, sizeof amounts[0], 1 + below(2), &number, error.out()),
        "cede_engine_resources");
    return number;
  }

  // ---- Calls ----

  // Runs one call that may change the engine.
  template <class Call>
  std::int32_t change(const char* name, Call call) {
    const std::uint64_t revision = cede_engine_revision(engine_.get());
    fuzz::Error error;
    const std::int32_t status = error.status(call(engine_.get(), error.out()), name);
    fuzz::expect(status >= 0 || cede_engine_revision(engine_.get()) == revision, name,
                 "a failed call changed the revision");
    return status;
  }

  void apply(const std::string& put, const std::string& remove = {}) {
    std::string text = R"({"format":"cede-changes/1")";
    if (!put.empty()) text += ",\"put\":{" + put + '}';
    if (!remove.empty()) text += ",\"remove\":{" + remove + '}';
    text += '}';
    change("cede_engine_apply", [&](cede_engine* engine, cede_error* error) {
      return cede_engine_apply(engine, text.data(), text.size(), error);
    });
  }

  void put_node() {
    static constexpr std::array<const char*, 4> kStates{"up", "up", "drain", "down"};
    Text text;
    text << "\"nodes\":[{\"id\":" << quoted(node()) << ",\"group\":" << quoted(group())
         << ",\"resources\":" << resources();
    if (const std::string name = topology(); !name.empty()) text << ",\"topology\":" << quoted(name);
    if (chance()) text << ",\"network\":[" << quoted(pick("l", 3)) << "]";
    if (chance()) text << ",\"home\":" << quoted(queue());
    text << ",\"state\":" << quoted(kStates[below(kStates.size())]) << "}]";
    apply(text.out);
  }
  void remove_node() { apply({}, "\"nodes\":[" + quoted(node()) + ']'); }
  void put_queue() {
    Text text;
    text << "\"queues\":[{\"id\":" << quoted(queue()) << ",\"guaranteed\":" << resources();
    if (chance()) text << ",\"max\":" << resources();
    if (chance()) text << R"(,"preemption":{"policy":"fence"})";
    if (chance()) text << ",\"weight\":" << std::to_string(1 + below(4));
    if (chance()) text << ",\"parent\":" << quoted(queue());
    apply((text << "}]").out);
  }
  void put_group() {
    Text text;
    text << "\"groups\":[{\"id\":" << quoted(group())
         << ",\"policy\":" << (chance() ? "\"default\"" : "\"other\"")
         << ",\"resources\":{\"licence\":" << amount() << "}}]";
    apply(text.out);
  }
  void put_topology() {
    static constexpr std::array<const char*, 4> kForms{
        R"({"gpus":4,"links":{"nvl":[[0,1],[2,3]]}})", R"({"gpus":1})",
        R"({"gpus":8,"numa":[[0,1,2,3],[4,5,6,7]]})", R"({"gpus":0})"};
    const std::string name = topology();
    Text text;
    text << "\"topologies\":{" << quoted(name.empty() ? "box" : name) << ":" << kForms[below(kForms.size())]
         << "}";
    apply(text.out);
  }
  void put_reservation() {
    Text text;
    text << "\"reservations\":[{\"id\":" << quoted(pick("r", 2)) << ",\"nodes\":[" << quoted(node())
         << "],\"from\":" << std::to_string(seconds() + 100);
    if (chance()) text << ",\"until\":" << std::to_string(now_ / 1000 + byte() * 16);
    if (chance()) text << ",\"for\":{\"queue\":" << quoted(queue()) << "}";
    apply((text << "}]").out);
  }
  void remove_something() {
    static constexpr std::array<const char*, 3> kLists{"queues", "groups", "reservations"};
    const std::size_t which = below(kLists.size());
    const std::string name = which == 0 ? queue() : which == 1 ? group() : pick("r", 2);
    apply({}, quoted(kLists[which]) + ":[" + quoted(name) + ']');
  }

  std::string task_text(bool placed) {
    Text text;
    text << "{\"resources\":{\"gpu\":" << amount() << "}";
    if (placed) {
      text << ",\"node\":" << quoted(node());
      const std::uint8_t devices = byte();
      if (devices == 255) {
        text << ",\"gpus\":[{\"index\":" << std::to_string(below(8)) << ",\"share\":0.5}]";
      } else if (devices != 0) {
        const char* comma = "";
        text << ",\"gpus\":[";
        for (std::size_t i = 0; i < 7; ++i) {
          if ((devices >> i & 1) == 0) continue;
          text << comma << std::to_string(i);
          comma = ",";
        }
        text << "]";
      }
    } else if (chance()) {
      text << ",\"count\":" << std::to_string(1 + below(4));
    }
    return (text << "}").out;
  }
  void put_job() {
    const bool running = chance();
    Text text;
    text << "\"jobs\":[{\"id\":" << quoted(job()) << ",\"queue\":" << quoted(queue())
         << ",\"group\":" << quoted(group()) << ",\"priority\":" << std::to_string(below(100))
         << ",\"class\":" << std::to_string(below(10))
         << ",\"submitted\":" << std::to_string(seconds() - 200);
    if (running) text << ",\"state\":\"running\",\"started\":" << std::to_string(seconds());
    if (chance()) text << ",\"gang\":" << (chance() ? "true" : "false");
    if (chance()) text << ",\"min_tasks\":" << std::to_string(1 + below(3));
    if (chance()) text << R"(,"checkpoint":{"mode":"auto","estimate":"20s","timeout":"40s"})";
    if (chance()) text << R"(,"require":{"gpus":[{"level":"nvl"}]})";
    if (chance()) text << R"(,"preemptible":false)";
    text << ",\"tasks\":[" << task_text(running);
    for (std::size_t more = below(3); more > 0; --more) text << "," << task_text(running && chance());
    apply((text << "]}]").out);
  }
  void remove_job() { apply({}, "\"jobs\":[" + quoted(job()) + ']'); }
  void put_job_array() {
    cede_job from{};
    from.name = number_of(job());
    from.queue = number_of(queue());
    from.group = number_of(group());
    from.priority = static_cast<std::int32_t>(below(90));
    from.submitted = seconds() * 1000;
    cede_task of{};
    of.resources = amounts();
    if (chance()) {
      from.state = CEDE_JOB_RUNNING;
      from.started = seconds() * 1000;
      of.node = number_of(node());
      of.gpus = byte();
      if (chance()) of.share = 500, of.share_device = byte() % 70;
    } else {
      of.count = static_cast<std::uint32_t>(below(4));
    }
    from.task_count = 1;
    change("cede_engine_put_jobs", [&](cede_engine* engine, cede_error* error) {
      return cede_engine_put_jobs(engine, &from, sizeof from, 1, &of, sizeof of, 1, error);
    });
  }
  void put_task() {
    cede_task of{};
    of.job = number_of(job());
    of.name = number_of(chance() ? task() : "");
    of.node = number_of(chance() ? node() : "");
    of.resources = amounts();
    of.gpus = chance() ? byte() : 0;
    if (of.node != 0) of.started = seconds() * 1000;
    change("cede_engine_put_tasks", [&](cede_engine* engine, cede_error* error) {
      return cede_engine_put_tasks(engine, &of, sizeof of, 1, error);
    });
  }
  void remove_task() {
    const cede_task_name name{number_of(job()), number_of(task())};
    change("cede_engine_remove_tasks", [&](cede_engine* engine, cede_error* error) {
      return cede_engine_remove_tasks(engine, &name, sizeof name, 1, error);
    });
  }
  void put_node_array() {
    cede_node from{};
    from.name = number_of(node());
    from.group = number_of(group());
    from.resources = amounts();
    from.topology = number_of(topology());
    from.state = static_cast<std::int32_t>(below(4));
    change("cede_engine_put_nodes", [&](cede_engine* engine, cede_error* error) {
      return cede_engine_put_nodes(engine, &from, sizeof from, 1, error);
    });
  }
  void set_now() {
    const std::int64_t now = time();
    change("cede_engine_set_now",
           [&](cede_engine* engine, cede_error* error) { return cede_engine_set_now(engine, now, error); });
  }
  void forget() {
    const std::uint32_t number = number_of(chance() ? node() : job());
    change("cede_engine_forget", [&](cede_engine* engine, cede_error* error) {
      return cede_engine_forget(engine, &number, 1, error);
    });
  }
  void set_policy() {
    const std::string text = fuzz::policy_of(byte());
    change("cede_engine_set_policy", [&](cede_engine* engine, cede_error* error) {
      return cede_engine_set_policy(engine, text.data(), text.size(), error);
    });
  }
  void load_again() { fuzz::load(engine_.get(), fuzz::small_cluster()); }

  // ---- Plans ----

  std::vector<std::string> terms() {
    std::vector<std::string> out;
    for (std::size_t i = below(4); i > 0; --i) {
      switch (below(3)) {
        case 0: out.push_back("protect=" + job()); break;
        case 1: out.push_back("avoid=" + node()); break;
        default: out.push_back("only=" + node());
      }
    }
    return out;
  }
  static std::vector<const char*> pointers(const std::vector<std::string>& texts) {
    std::vector<const char*> out;
    for (const std::string& text : texts) out.push_back(text.c_str());
    return out;
  }
  void keep(std::int32_t status, cede_plan* made, const char* call) {
    fuzz::expect((status == CEDE_OK) == (made != nullptr), call, "a plan, or none");
    if (made) plans_[next_plan_++ % kPlans].reset(made);
  }
  void plan() {
    const std::string name = job();
    const std::vector<std::string> texts = terms();
    const std::vector<const char*> given = pointers(texts);
    cede_plan* made = nullptr;
    fuzz::Error error;
    const std::int64_t now = time();
    const std::int32_t status = error.status(
        cede_plan_create(engine_.get(), name.c_str(), now, given.data(), given.size(), &made, error.out()),
        "cede_plan_create");
    keep(status, made, "cede_plan_create");
  }
  void batch() {
    std::vector<std::string> names;
    for (std::size_t i = 1 + below(4); i > 0; --i) names.push_back(job());
    const std::vector<const char*> jobs = pointers(names);
    std::vector<cede_plan*> made(jobs.size());
    fuzz::Error error;
    const std::int32_t status =
        error.status(cede_plan_create_batch(engine_.get(), jobs.data(), jobs.size(), CEDE_NOW_OF_CLUSTER,
                                            nullptr, 0, made.data(), error.out()),
                     "cede_plan_create_batch");
    for (cede_plan* each : made) keep(status, each, "cede_plan_create_batch");
  }
  void relief() {
    const std::size_t kind = below(3);
    const std::string target = kind == 0 ? "node:" + node() : kind == 1 ? "queue:" + queue() : "job:" + job();
    const std::string where = group();
    const char* const partial = "partial";
    cede_plan* made = nullptr;
    fuzz::Error error;
    const char* const in = chance() ? where.c_str() : nullptr;
    const std::size_t terms = chance() ? 1 : 0;
    const std::int32_t status =
        error.status(cede_plan_create_relief(engine_.get(), target.c_str(), in, CEDE_NOW_OF_CLUSTER, &partial,
                                             terms, &made, error.out()),
                     "cede_plan_create_relief");
    keep(status, made, "cede_plan_create_relief");
  }
  void claim() {
    const std::string who = queue();
    const std::vector<std::string> names{node(), node()};
    const std::vector<const char*> nodes = pointers(names);
    cede_plan* made = nullptr;
    fuzz::Error error;
    const std::size_t count = 1 + below(2);
    const char* const reason = chance() ? "sensitive" : "reclaim";
    const std::int32_t status =
        error.status(cede_plan_create_claim(engine_.get(), who.c_str(), nodes.data(), count, reason,
                                            CEDE_NOW_OF_CLUSTER, nullptr, 0, &made, error.out()),
                     "cede_plan_create_claim");
    keep(status, made, "cede_plan_create_claim");
  }
  const cede_plan* some_plan() { return plans_[below(kPlans)].get(); }
  void look_at_one() {
    if (const cede_plan* one = some_plan()) fuzz::look_at_plan(one);
  }
  // Asked for and committed at once, which is the usual way.
  void plan_and_commit() {
    plan();
    const cede_plan* one = next_plan_ == 0 ? nullptr : plans_[(next_plan_ - 1) % kPlans].get();
    if (one) commit_plan(one);
  }
  void commit() {
    if (const cede_plan* one = some_plan()) commit_plan(one);
  }
  void commit_plan(const cede_plan* one) {
    const std::int64_t now = time();
    std::uint64_t entry = 0;
    const std::int32_t status = change("cede_engine_commit", [&](cede_engine* engine, cede_error* error) {
      return cede_engine_commit(engine, one, now, -1, &entry, error);
    });
    fuzz::expect((status == CEDE_OK) == (entry != 0), "cede_engine_commit", "an entry, or none");
    last_entry_ = std::max(last_entry_, entry);
  }
  std::uint64_t some_entry() { return last_entry_ - std::min<std::uint64_t>(below(4), last_entry_); }
  void extend() {
    const cede_plan* one = some_plan();
    const std::uint64_t entry = some_entry();
    if (!one) return;
    change("cede_engine_extend", [&](cede_engine* engine, cede_error* error) {
      return cede_engine_extend(engine, entry, one, now_, 3, error);
    });
  }
  void cancel() {
    const std::uint64_t entry = some_entry();
    change("cede_engine_cancel", [&](cede_engine* engine, cede_error* error) {
      return cede_engine_cancel(engine, entry, now_, error);
    });
  }
  void give_up() {
    const std::uint64_t entry = some_entry();
    change("cede_engine_give_up", [&](cede_engine* engine, cede_error* error) {
      return cede_engine_give_up(engine, entry, now_, error);
    });
  }
  void note() {
    const cede_plan* one = some_plan();
    if (!one) return;
    change("cede_engine_note", [&](cede_engine* engine, cede_error* error) {
      return cede_engine_note(engine, one, now_, 3, error);
    });
  }

  // ---- What happens ----

  void step() {
    std::vector<cede_event> events(below(4));
    const std::string reason = "no such job";
    const auto number = [&](const std::string& name) {
      const std::uint32_t known = cede_engine_find_name(engine_.get(), name.data(), name.size());
      return known != 0 || chance() ? known : static_cast<std::uint32_t>(byte());
    };
    for (cede_event& event : events) {
      std::memset(&event, 0, sizeof event);
      event.kind = static_cast<std::int32_t>(1 + below(13));
      const bool of_job = event.kind <= CEDE_EVENT_EXITED || event.kind == CEDE_EVENT_STARTED ||
                          event.kind == CEDE_EVENT_CANCELLED;
      const bool of_node = event.kind == CEDE_EVENT_NODE_DOWN || event.kind == CEDE_EVENT_NODE_UP;
      if (of_job) event.job = number(job());
      if (of_job && chance()) event.task = number(task());
      if (of_node) event.node = number(node());
      if (event.kind == CEDE_EVENT_CLAIM_DONE) event.entry = some_entry();
      if (event.kind >= CEDE_EVENT_ACTION_DONE)
        event.action = last_action_ - std::min<std::uint64_t>(below(6), last_action_);
      if (event.kind == CEDE_EVENT_ACTION_FAILED)
        event.text_size = static_cast<std::uint32_t>(below(reason.size() + 2));
      if (event.kind == CEDE_EVENT_DEFER) event.length = byte() * 1000;
      if (event.kind == CEDE_EVENT_EXITED) event.code = byte();
    }
    const std::int64_t now = time();
    cede_step* made = nullptr;
    const std::int32_t status = change("cede_engine_step", [&](cede_engine* engine, cede_error* error) {
      return cede_engine_step(engine, now, events.data(), sizeof(cede_event), events.size(), reason.data(),
                              reason.size(), &made, error);
    });
    const fuzz::Owned<cede_step> owned(made);
    if (status < 0) return;
    fuzz::look_at_step(made, events.size());
    for (const cede_action& action :
         fuzz::all_of(cede_step_actions, static_cast<const cede_step*>(made), "cede_step_actions"))
      last_action_ = std::max(last_action_, action.id);
  }
  void save() {
    cede_text* text = nullptr;
    fuzz::Error error;
    error.status(cede_engine_save(engine_.get(), &text, error.out()), "cede_engine_save");
    const fuzz::Owned<cede_text> owned(text);
    saved_.assign(cede_text_data(text), cede_text_size(text));
  }
  void restore() {
    if (saved_.empty()) return;
    const std::int32_t status = change("cede_engine_restore", [&](cede_engine* engine, cede_error* error) {
      return cede_engine_restore(engine, saved_.data(), saved_.size(), error);
    });
    fuzz::expect(status == CEDE_OK, "cede_engine_restore", "refuses what an engine has saved");
  }
  // Another manager takes over: a new engine, the saved state, the cluster as it is.
  void take_over() {
    const std::string cluster = fuzz::exported(engine_.get());
    save();
    fuzz::Owned<cede_engine> next = fuzz::new_engine(fuzz::policy_of(profile_));
    if (chance() && fuzz::load(next.get(), cluster) < 0) return;
    engine_ = std::move(next);
    restore();
    fuzz::load(engine_.get(), cluster);
  }
  void clone() { other_ = fuzz::clone_of(engine_.get()); }
  void swap() {
    if (other_) engine_.swap(other_);
  }

  // ---- Questions ----

  void look() {
    fuzz::look_at_ledger(engine_.get());
    cede_text* text = nullptr;
    fuzz::Error error;
    if (error.status(cede_engine_shares(engine_.get(), nullptr, CEDE_NOW_OF_CLUSTER, &text, error.out()),
                     "cede_engine_shares") == CEDE_OK)
      fuzz::taken(text, "cede_engine_shares");
    cede_report* made = nullptr;
    error.status(cede_engine_check(engine_.get(), nullptr, 0, &made, error.out()), "cede_engine_check");
    const fuzz::Owned<cede_report> report(made);
  }
  void admit() {
    const std::string name = job();
    cede_admission* made = nullptr;
    fuzz::Error error;
    error.status(cede_engine_admit(engine_.get(), name.c_str(), nullptr, 0, &made, error.out()),
                 "cede_engine_admit");
    const fuzz::Owned<cede_admission> admission(made);
    if (!made) return;
    cede_text* text = nullptr;
    error.status(cede_admission_json(made, &text, error.out()), "cede_admission_json");
    fuzz::taken(text, "cede_admission_json");
  }

  // Only ever added to at the end, so that inputs kept in the corpus go on meaning what they mean.
  using Call = void (Life::*)();
  static constexpr std::array<Call, 38> kCalls{&Life::plan_and_commit,
                                               &Life::step,
                                               &Life::put_node,
                                               &Life::put_job,
                                               &Life::remove_job,
                                               &Life::plan,
                                               &Life::commit,
                                               &Life::batch,
                                               &Life::relief,
                                               &Life::claim,
                                               &Life::extend,
                                               &Life::cancel,
                                               &Life::give_up,
                                               &Life::note,
                                               &Life::save,
                                               &Life::restore,
                                               &Life::take_over,
                                               &Life::clone,
                                               &Life::swap,
                                               &Life::look,
                                               &Life::look_at_one,
                                               &Life::remove_node,
                                               &Life::put_queue,
                                               &Life::put_group,
                                               &Life::put_topology,
                                               &Life::put_reservation,
                                               &Life::put_task,
                                               &Life::remove_task,
                                               &Life::put_node_array,
                                               &Life::put_job_array,
                                               &Life::set_now,
                                               &Life::forget,
                                               &Life::set_policy,
                                               &Life::load_again,
                                               &Life::admit,
                                               &Life::remove_something,
                                               &Life::plan_and_commit,
                                               &Life::step};

  const std::uint8_t* data_;
  std::size_t left_;
  std::size_t profile_ = 0;
  fuzz::Owned<cede_engine> engine_;
  fuzz::Owned<cede_engine> other_;
  std::array<fuzz::Owned<cede_plan>, kPlans> plans_;
  std::size_t next_plan_ = 0;
  std::uint64_t last_entry_ = 0;
  std::uint64_t last_action_ = 0;
  std::string saved_;
  std::int64_t now_ = 1'000'000'000;  // of the small cluster
};

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 0) Life(data, size).run();
  return 0;
}
