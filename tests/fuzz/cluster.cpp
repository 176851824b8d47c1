// SPDX-License-Identifier: MIT
// A cluster document: loaded, checked, exported and loaded again; what it has waiting is planned for, under a
// profile that depends on the text's size.
#include <algorithm>

#include "fuzz.h"

namespace {

constexpr std::size_t kPlanned = 4096;  // bytes; a larger cluster is only read

void plan_all(cede_engine* engine, std::string_view text) {
  bool committed = false;
  for (const std::string& job : fuzz::ids_in(text, 8)) {
    cede_plan* made = nullptr;
    fuzz::Error error;
    const std::int32_t status = error.status(
        cede_plan_create(engine, job.c_str(), CEDE_NOW_OF_CLUSTER, nullptr, 0, &made, error.out()),
        "cede_plan_create");
    const fuzz::Owned<cede_plan> plan(made);
    if (status < 0) continue;
    fuzz::look_at_plan(made);
    if (committed || cede_plan_outcome(made) > CEDE_OUTCOME_PREEMPT) continue;
    std::uint64_t entry = 0;
    committed = error.status(cede_engine_commit(engine, made, CEDE_NOW_OF_CLUSTER, -1, &entry, error.out()),
                             "cede_engine_commit") == CEDE_OK;
  }
  cede_step* made = nullptr;
  fuzz::Error error;
  error.status(cede_engine_step(engine, CEDE_NOW_OF_CLUSTER, nullptr, 0, 0, nullptr, 0, &made, error.out()),
               "cede_engine_step");
  const fuzz::Owned<cede_step> step(made);
  fuzz::look_at_step(made, 0);
  fuzz::look_at_ledger(engine);
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  fuzz::Error error;
  error.status(cede_document_kind(text.data(), text.size(), error.out()), "cede_document_kind");
  const fuzz::Owned<cede_engine> bare = fuzz::new_engine({});
  const std::int32_t status = fuzz::load(bare.get(), text);
  // The text may be a document of another kind, which the check takes for what it is.
  if (cede_document_kind(text.data(), text.size(), nullptr) == CEDE_DOCUMENT_CLUSTER)
    fuzz::expect_check_agrees(fuzz::new_engine({}).get(), text, status);
  if (status < 0) return 0;
  fuzz::expect_round_trip(bare.get());
  if (size > kPlanned) return 0;
  const fuzz::Owned<cede_engine> engine = fuzz::new_engine(fuzz::policy_of(size % fuzz::kProfiles));
  if (fuzz::load(engine.get(), text) >= 0) plan_all(engine.get(), text);
  return 0;
}
