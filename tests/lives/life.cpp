// SPDX-License-Identifier: MIT
#include "life.h"

#include <cstdio>

namespace lives {

Life::Life(Recorder recorder, std::uint64_t seed, const Settings& settings)
    : recorder_(recorder), settings_(settings), random_(seed, recorder.life), seed_(seed) {
  clock_ = 1760000000000 + random_.between(0, 999);
  book_.now = cluster_now_ = clock_ / 1000 * 1000;  // as the cluster document says it
  grace_ = random_.between(1, 30) * 1000;
  sloppy_ = random_.chance(15);
  if (random_.chance(35)) silent_ = static_cast<int>(random_.between(5, 60));
  arrays_ = random_.chance(35);
  orderly_ = !sloppy_ && random_.chance(15);
  last_step_ = settings_.steps > 0 ? settings_.steps : static_cast<int>(random_.between(40, 150));
  make_cluster();
  real_.exact_times = arrays_;
  policy_ = make_policy();
  engine_.emplace(recorder_, policy_, settings_.audit);
  told_ = real_;
  const std::string document = cluster_document(told_, clock_);
  if (engine_->load(document) < 0) found("harness: cluster refused", engine_->error() + " in " + document);
  say("  load " + document);
  say("  policy " + policy_);
  observe("load");
}

void Life::say(const std::string& line) const {
  if (settings_.trace)
    std::printf("%4d %+8.3f %s\n", step_, static_cast<double>(clock_ - 1760000000000) / 1000, line.c_str());
}

void Life::move_clock() {
  if (random_.chance(25)) return;
  if (random_.chance(20) && next_due_ != CEDE_NOW_OF_CLUSTER && next_due_ > clock_ &&
      next_due_ < clock_ + 4000000) {
    clock_ = next_due_;
  } else if (random_.chance(1)) {
    clock_ += random_.between(600, 7200) * 1000;
  } else if (random_.chance(2)) {
    clock_ -= random_.between(1, 600) * 1000;
  } else {
    clock_ += random_.chance(80) ? random_.between(0, 8000) : random_.between(10, 60) * 1000;
  }
}

void Life::act() {
  const std::size_t what = random_.below(100);
  if (what < 26) {
    ask_job();
  } else if (what < 48) {
    if (random_.chance(orderly_ ? 100 : 80)) tell_all();
    do_step(orderly_);
  } else if (what < 72) {
    change_cluster();
    if (orderly_ || random_.chance(40)) {
      tell_all();
    } else if (random_.chance(40)) {
      tell_some();
    }
  } else if (what < 77) {
    ask_batch();
  } else if (what < 82) {
    ask_relief();
  } else if (what < 86) {
    ask_claim();
  } else if (what < 89) {
    ask_again_later();
  } else if (what < 91) {
    cancel_something();
  } else if (what < 95) {
    read_something();
  } else if (what < 96) {
    swap_policy();
  } else if (what < 99) {
    save_or_restore();
  } else {
    reload();
  }
}

void Life::run(int* progress) {
  for (step_ = 1; step_ <= last_step_; ++step_) {
    *progress = step_;
    move_clock();
    happen();
    act();
  }
  come_to_an_end();
}

}  // namespace lives
