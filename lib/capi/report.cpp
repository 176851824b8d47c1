// SPDX-License-Identifier: MIT
#include <memory>

#include "capi/array_out.h"
#include "capi/guard.h"
#include "capi/handles.h"

using cede::Problem;
using cede::Problems;
using cede::capi::ArrayOut;
using cede::capi::guard;
using cede::capi::memory_fault;
using cede::capi::missing;
using cede::capi::tell;
using cede::capi::write_array;

int32_t cede_engine_check(const cede_engine* engine, const char* text, size_t size, cede_report** report,
                          cede_error* error) {
  return guard(error, [&] {
    if (!engine) return missing(error, "engine: NULL is not an engine");
    if (!report) return missing(error, "report: NULL is not a place for the new report");
    if (!text && size > 0) return missing(error, "text: NULL, but size is not 0");
    if (const int32_t status = memory_fault(size, 1, "size", error)) return status;
    Problems problems = engine->engine.new_problems();
    if (text) {
      engine->engine.check({text, size}, problems);
    } else {
      engine->engine.check_loaded(problems);
    }
    auto made = std::make_unique<cede_report>();
    for (const Problem& problem : problems.all()) {
      cede_report::Finding finding{};
      finding.facts.severity =
          problem.severity == cede::Severity::error ? CEDE_SEVERITY_ERROR : CEDE_SEVERITY_WARNING;
      finding.facts.status = static_cast<int32_t>(problem.status);
      finding.facts.line = problem.line;
      finding.facts.column = problem.column;
      finding.path = to_string(problem.path);
      finding.text = problem.text;
      made->findings.push_back(std::move(finding));
    }
    made->dropped = problems.dropped();
    int32_t status = made->findings.empty() ? CEDE_OK : CEDE_REMARK_WARNINGS;
    if (problems.failed()) {
      status = tell(error, problems);
    } else {
      tell(error, status, {});
    }
    *report = made.release();
    return status;
  });
}

size_t cede_report_count(const cede_report* report) { return report ? report->findings.size() : 0; }

size_t cede_report_dropped(const cede_report* report) { return report ? report->dropped : 0; }

int32_t cede_report_findings(const cede_report* report, cede_finding* out, size_t out_size, size_t capacity,
                             size_t* count, cede_error* error) {
  return guard(error, [&] {
    if (!report) return missing(error, "report: NULL is not a report");
    return write_array(
        ArrayOut<cede_finding>{out, out_size, capacity, count}, report->findings.size(),
        [&](size_t i) { return report->findings[i].facts; }, error);
  });
}

const char* cede_report_path(const cede_report* report, size_t index) {
  return report && index < report->findings.size() ? report->findings[index].path.c_str() : nullptr;
}

const char* cede_report_text(const cede_report* report, size_t index) {
  return report && index < report->findings.size() ? report->findings[index].text.c_str() : nullptr;
}

void cede_report_destroy(cede_report* report) { delete report; }

using cede::Problems;
using cede::capi::guard;
using cede::capi::missing;
using cede::capi::tell;

int32_t cede_engine_shares(const cede_engine* engine, const char* group, int64_t now, cede_text** text,
                           cede_error* error) {
  return guard(error, [&] {
    if (!engine) return missing(error, "engine: NULL is not an engine");
    if (!text) return missing(error, "text: NULL is not a place for the new text");
    static_assert(CEDE_NOW_OF_CLUSTER == cede::kNoTime);
    if (now != CEDE_NOW_OF_CLUSTER && (now < 0 || now > cede::kMaxTime)) {
      return missing(error,
                     "now: " + std::to_string(now) + " is outside 0.." + std::to_string(cede::kMaxTime));
    }
    std::optional<std::string_view> wanted;
    if (group) wanted.emplace(group);
    Problems problems = engine->engine.new_problems();
    std::optional<std::string> made = engine->engine.shares(wanted, now, problems);
    if (!made) return tell(error, problems);
    *text = new cede_text{std::move(*made)};
    return tell(error, CEDE_OK, {});
  });
}
