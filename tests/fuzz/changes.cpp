// SPDX-License-Identifier: MIT
// A changes document, applied to a small cluster while plans are in flight, under a profile that depends on
// the text's size.
#include "fuzz.h"

namespace {

void commit(cede_engine* engine, const char* job) {
  cede_plan* made = nullptr;
  fuzz::Error error;
  error.status(cede_plan_create(engine, job, CEDE_NOW_OF_CLUSTER, nullptr, 0, &made, error.out()),
               "cede_plan_create");
  const fuzz::Owned<cede_plan> plan(made);
  std::uint64_t entry = 0;
  if (made && cede_plan_outcome(made) <= CEDE_OUTCOME_PREEMPT)
    error.status(cede_engine_commit(engine, made, CEDE_NOW_OF_CLUSTER, -1, &entry, error.out()),
                 "cede_engine_commit");
}

void step(cede_engine* engine, std::int64_t now) {
  cede_step* made = nullptr;
  fuzz::Error error;
  error.status(cede_engine_step(engine, now, nullptr, 0, 0, nullptr, 0, &made, error.out()),
               "cede_engine_step");
  const fuzz::Owned<cede_step> owned(made);
  fuzz::look_at_step(made, 0);
}

// As far as a cluster of these goes before the changes come; copied for every text.
const cede_engine* prepared(std::size_t profile) {
  static std::vector<fuzz::Owned<cede_engine>> all = [] {
    std::vector<fuzz::Owned<cede_engine>> out;
    for (std::size_t i = 0; i < fuzz::kProfiles; ++i) {
      out.push_back(fuzz::small_engine(i));
      for (const char* job : {"w0", "w2", "w3"}) commit(out.back().get(), job);
      step(out.back().get(), CEDE_NOW_OF_CLUSTER);
    }
    return out;
  }();
  return all[profile].get();
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  const fuzz::Owned<cede_engine> engine = fuzz::clone_of(prepared(size % fuzz::kProfiles));
  cede_engine* const copy = engine.get();
  fuzz::Error error;
  const std::uint64_t revision = cede_engine_revision(copy);
  const std::int32_t status =
      error.status(cede_engine_apply(copy, text.data(), text.size(), error.out()), "cede_engine_apply");
  if (cede_document_kind(text.data(), text.size(), nullptr) == CEDE_DOCUMENT_CHANGES)
    fuzz::expect_check_agrees(prepared(size % fuzz::kProfiles), text, status);
  fuzz::expect(status >= 0 || cede_engine_revision(copy) == revision, "cede_engine_apply",
               "a failed call changed the revision");
  if (status < 0) return 0;
  fuzz::expect_round_trip(copy);
  step(copy, CEDE_NOW_OF_CLUSTER);
  for (const char* job : {"w0", "w1", "w4"}) commit(copy, job);
  for (const std::string& job : fuzz::ids_in(text, 2)) commit(copy, job.c_str());
  step(copy, 1000500000);
  step(copy, 1009000000);
  fuzz::look_at_ledger(copy);
  return 0;
}
