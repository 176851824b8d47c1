// SPDX-License-Identifier: MIT
//
// A small resource manager that speaks arrays only: names are given to the engine once, at the beginning, and
// from there on everything is a number. It has no processes: perform() shows where a real manager would act.
//
//   c++ -std=c++17 plan_to_started.cpp $(pkg-config --cflags --libs cede) -o plan_to_started
#include <cede/cede.hpp>

#include <iostream>

namespace {

constexpr const char* kPolicy =
    R"({"format": "cede-policy/1", "policies": {"default": {"profile": "class-cost"}}})";

class Manager {
 public:
  Manager() : engine_(kPolicy) {
    names_ = engine_.names({"root", "gpu", "g", "default", "n1", "low", "high", "worker"});
    const std::uint32_t root = names_[0], group = names_[2], policy = names_[3], node = names_[4];
    engine_.set_now(now_);
    engine_.put(cede::View<cede_group>{{group, policy, 0, 0}});
    cede_queue queue{};
    queue.name = root;
    engine_.put({queue});
    cede_node machine{};
    machine.name = node;
    machine.resources = gpus(8);
    engine_.put({machine});

    low_.name = names_[5];
    low_.queue = high_.queue = root;
    low_.task_count = high_.task_count = 1;
    low_.job_class = 2;
    low_.state = CEDE_JOB_RUNNING;
    low_.submitted = low_.started = now_ - 10000000;
    low_.checkpoint_mode = CEDE_CHECKPOINT_AUTO;
    low_task_.name = high_task_.name = names_[7];
    low_task_.node = node;
    low_task_.resources = gpus(8);
    low_task_.gpus = 0xff;
    high_.name = names_[6];
    high_.job_class = 8;
    high_.value = 100000;  // minutes that it is worth, in thousandths
    high_.submitted = now_ - 1000000;
    high_task_.resources = gpus(4);
    engine_.put({low_, high_}, {low_task_, high_task_});
  }

  void run() {
    const cede::Plan plan = engine_.plan(high_.name, now_);
    for (const cede_victim& victim : plan.victims())
      std::cout << "victim: " << engine_.name_text(victim.job) << ", cost " << victim.cost / 1000 << '\n';
    engine_.commit(plan, now_);
    while (engine_.in_flight().size() > 0 || !events_.empty()) {
      const cede::Step step = engine_.step(now_, events_);
      events_.clear();
      const std::vector<cede_place> places = step.places();
      for (const cede_action& action : step.actions()) perform(action, places);
      now_ += 1000;
    }
    std::cout << "nothing in flight\n";
    engine_.forget(names_);
  }

 private:
  std::uint32_t gpus(std::int64_t count) { return engine_.resources({{count * 1000, names_[1], 0}}); }

  cede_event& tell(std::int32_t kind) {
    events_.emplace_back();
    events_.back().kind = kind;
    return events_.back();
  }

  // Performs one action and reports the result: first the change of the cluster, then the event.
  void perform(const cede_action& action, const std::vector<cede_place>& places) {
    const std::string job = engine_.name_text(action.job);
    if (action.kind == CEDE_DO_CHECKPOINT_HINT) {
      std::cout << "hint to " << job << '\n';
      tell(CEDE_EVENT_CHECKPOINT_DONE).job = action.job;  // a real job needs time and reports this itself
    } else if (action.kind == CEDE_DO_SUSPEND) {
      std::cout << "stop " << job << '\n';
      tell(CEDE_EVENT_RELEASED).job = action.job;
    } else if (action.kind == CEDE_DO_REQUEUE) {
      std::cout << job << " waits again, " << (action.resume ? "to resume" : "from the beginning") << '\n';
      low_.state = CEDE_JOB_PENDING;
      low_.started = 0;
      low_.submitted = action.submitted;
      low_.waiting_since = action.waiting_since;
      low_.preempted_count = action.preempted_count;
      low_.resume = action.resume ? CEDE_YES : CEDE_NO;
      low_task_.node = 0;
      low_task_.gpus = 0;
      engine_.put({low_}, {low_task_});
    } else if (action.kind == CEDE_DO_START) {
      const cede_place& place = places[action.first_place];
      std::cout << "start " << job << " on " << engine_.name_text(place.node) << ", devices 0x" << std::hex
                << place.gpus << std::dec << '\n';
      high_.state = CEDE_JOB_RUNNING;
      high_.started = now_;
      high_task_.node = place.node;
      high_task_.gpus = place.gpus;
      engine_.put({high_}, {high_task_});
      tell(CEDE_EVENT_STARTED).job = action.job;
    }
    tell(CEDE_EVENT_ACTION_DONE).action = action.id;
  }

  cede::Engine engine_;
  cede::Numbers names_;
  cede_job low_{}, high_{};
  cede_task low_task_{}, high_task_{};
  std::vector<cede_event> events_;
  std::int64_t now_ = 1760000000000;  // milliseconds; a real manager reads a clock
};

}  // namespace

int main() try { Manager().run(); } catch (const cede::Error& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
