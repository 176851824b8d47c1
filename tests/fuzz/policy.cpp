// SPDX-License-Identifier: MIT
// A policy document: an engine is made with it, a small cluster loaded, and everything asked that depends on
// it.
#include "fuzz.h"

namespace {

void ask_all(cede_engine* engine) {
  fuzz::Error error;
  for (const char* job : {"w0", "w1", "w2", "w3", "w4"}) {
    cede_admission* admitted = nullptr;
    error.status(cede_engine_admit(engine, job, nullptr, 0, &admitted, error.out()), "cede_engine_admit");
    const fuzz::Owned<cede_admission> admission(admitted);
    if (admitted) fuzz::expect_visible(cede_admission_reason(admitted), "cede_admission_reason");
    cede_plan* made = nullptr;
    error.status(cede_plan_create(engine, job, CEDE_NOW_OF_CLUSTER, nullptr, 0, &made, error.out()),
                 "cede_plan_create");
    const fuzz::Owned<cede_plan> plan(made);
    if (!made) continue;
    fuzz::look_at_plan(made);
    std::uint64_t entry = 0;
    if (cede_plan_outcome(made) <= CEDE_OUTCOME_PREEMPT)
      error.status(cede_engine_commit(engine, made, CEDE_NOW_OF_CLUSTER, 7, &entry, error.out()),
                   "cede_engine_commit");
    else
      error.status(cede_engine_note(engine, made, CEDE_NOW_OF_CLUSTER, 7, error.out()), "cede_engine_note");
  }
  for (const char* target : {"node:n0", "queue:a", "job:j0"}) {
    cede_plan* made = nullptr;
    error.status(
        cede_plan_create_relief(engine, target, "g0", CEDE_NOW_OF_CLUSTER, nullptr, 0, &made, error.out()),
        "cede_plan_create_relief");
    const fuzz::Owned<cede_plan> plan(made);
    if (made) fuzz::look_at_plan(made);
  }
  cede_text* text = nullptr;
  if (error.status(cede_engine_shares(engine, nullptr, CEDE_NOW_OF_CLUSTER, &text, error.out()),
                   "cede_engine_shares") == CEDE_OK)
    fuzz::taken(text, "cede_engine_shares");
  for (const std::int64_t now :
       {std::int64_t{1000001000}, std::int64_t{1000060000}, std::int64_t{1009000000}}) {
    cede_step* made = nullptr;
    error.status(cede_engine_step(engine, now, nullptr, 0, 0, nullptr, 0, &made, error.out()),
                 "cede_engine_step");
    const fuzz::Owned<cede_step> step(made);
    fuzz::look_at_step(made, 0);
  }
  fuzz::look_at_ledger(engine);
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  if (cede_document_kind(text.data(), text.size(), nullptr) == CEDE_DOCUMENT_POLICY) {
    const fuzz::Owned<cede_engine> judge = fuzz::new_engine({});
    const fuzz::Owned<cede_engine> other = fuzz::new_engine({});
    fuzz::Error error;
    const std::int32_t status = error.status(
        cede_engine_set_policy(other.get(), text.data(), text.size(), error.out()), "cede_engine_set_policy");
    fuzz::expect_check_agrees(judge.get(), text, status);
  }
  const fuzz::Owned<cede_engine> engine = fuzz::new_engine(text.empty() ? " " : text);
  if (!engine || fuzz::load(engine.get(), fuzz::small_cluster()) < 0) return 0;
  ask_all(engine.get());
  return 0;
}
