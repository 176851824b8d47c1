// SPDX-License-Identifier: MIT
#include <memory>

#include "capi/guard.h"
#include "capi/handles.h"

using cede::Problems;
using cede::capi::guard;
using cede::capi::hand_out;
using cede::capi::missing;
using cede::capi::place_fault;
using cede::capi::tell;
using cede::capi::text_size_fault;

int32_t cede_engine_admit(const cede_engine* engine, const char* job, const char* changes,
                          size_t changes_size, cede_admission** admission, cede_error* error) {
  return guard(error, [&] {
    if (!engine) return missing(error, "engine: NULL is not an engine");
    if (!job) return missing(error, "job: NULL is not a job");
    if (!changes && changes_size > 0) return missing(error, "changes: NULL, but changes_size is not 0");
    if (!admission) return missing(error, "admission: NULL is not a place for the new admission");
    if (const int32_t status =
            text_size_fault(changes_size, engine->engine.options().limits.max_document_bytes, error))
      return status;
    std::optional<std::string_view> text;
    if (changes) text.emplace(changes, changes_size);
    Problems problems = engine->engine.new_problems();
    std::optional<cede::AdmissionAnswer> made = engine->engine.admit(job, text, problems);
    if (!made) return tell(error, problems);
    *admission = new cede_admission{std::move(*made)};
    return tell(error, CEDE_OK, {});
  });
}

int32_t cede_engine_admit_job(const cede_engine* engine, uint32_t job, cede_admission** admission,
                              cede_error* error) {
  return guard(error, [&] {
    if (!engine) return missing(error, "engine: NULL is not an engine");
    if (!admission) return missing(error, "admission: NULL is not a place for the new admission");
    const std::string name(engine->engine.name_text(job));
    if (name.empty()) {
      return missing(error, "job: " + std::to_string(job) + " is not the number of a name; a job is needed");
    }
    Problems problems = engine->engine.new_problems();
    std::optional<cede::AdmissionAnswer> made = engine->engine.admit(name, std::nullopt, problems);
    if (!made) return tell(error, problems);
    *admission = new cede_admission{std::move(*made)};
    return tell(error, CEDE_OK, {});
  });
}

void cede_admission_destroy(cede_admission* admission) { delete admission; }

int32_t cede_admission_admitted(const cede_admission* admission) {
  if (!admission) return CEDE_E_INVALID;
  return admission->answer.admitted() ? 1 : 0;
}

const char* cede_admission_rule(const cede_admission* admission) {
  return admission ? admission->answer.rule.c_str() : nullptr;
}

const char* cede_admission_reason(const cede_admission* admission) {
  return admission ? admission->answer.reason.c_str() : nullptr;
}

const char* cede_admission_quota(const cede_admission* admission) {
  return admission ? admission->answer.quota_text.c_str() : nullptr;
}

int32_t cede_admission_get(const cede_admission* admission, cede_ruling* out, size_t out_size,
                           cede_error* error) {
  return guard(error, [&] {
    if (!admission) return missing(error, "admission: NULL is not an admission");
    if (const int32_t status = place_fault(out, out_size, "out", error)) return status;
    const cede::AdmissionAnswer& from = admission->answer;
    cede_ruling facts{};
    facts.priority = from.priority;
    facts.job_class = from.job_class;
    facts.preemptible = static_cast<int32_t>(from.preemptible);
    facts.min_priority = from.offer.priorities.min;
    facts.max_priority = from.offer.priorities.max;
    facts.default_priority = from.offer.default_priority;
    facts.max_class = from.offer.max_class;
    facts.may_change = from.offer.may_change ? 1 : 0;
    facts.may_opt_out = from.offer.may_opt_out.contains(from.priority) ? 1 : 0;
    facts.min_opt_out_priority = from.offer.may_opt_out.min;
    facts.max_opt_out_priority = from.offer.may_opt_out.max;
    static_assert(static_cast<int32_t>(cede::Preemptible::yes) == CEDE_PREEMPTIBLE_YES);
    static_assert(static_cast<int32_t>(cede::Preemptible::no) == CEDE_PREEMPTIBLE_NO);
    static_assert(static_cast<int32_t>(cede::Preemptible::last_resort) == CEDE_PREEMPTIBLE_LAST_RESORT);
    return hand_out(facts, out, out_size, error);
  });
}

int32_t cede_admission_json(const cede_admission* admission, cede_text** text, cede_error* error) {
  return guard(error, [&] {
    if (!admission) return missing(error, "admission: NULL is not an admission");
    if (!text) return missing(error, "text: NULL is not a place for the new text");
    *text = new cede_text{cede::admission_document(admission->answer)};
    return tell(error, CEDE_OK, {});
  });
}
