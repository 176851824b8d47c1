// SPDX-License-Identifier: MIT
// Plans by number.
#include <string>
#include <vector>

#include "base/text.h"
#include "capi/array_in.h"
#include "capi/plan_arguments.h"

using cede::Plan;
using cede::Problems;
using cede::capi::ArrayIn;
using cede::capi::guard;
using cede::capi::memory_fault;
using cede::capi::missing;
using cede::capi::plan_arguments_fault;
using cede::capi::PlanArguments;
using cede::capi::tell;

namespace {

// Turns numbers into the texts that queries are made of. After a mistake, status() is not 0.
class QueryNames {
 public:
  QueryNames(const cede::Engine& engine, cede_error* error) : engine_(engine), error_(error) {}

  int32_t status() const { return status_; }

  std::string job(uint32_t number, const std::string& place) {
    return of(number, place, "job", [&](std::string_view name) { return !!engine_.model().find_job(name); });
  }
  std::string node(uint32_t number, const std::string& place) {
    return of(number, place, "node",
              [&](std::string_view name) { return !!engine_.model().find_node(name); });
  }
  std::string queue(uint32_t number, const std::string& place) {
    return of(number, place, "queue",
              [&](std::string_view name) { return !!engine_.model().find_queue(name); });
  }
  std::string group(uint32_t number, const std::string& place) {
    return of(number, place, "group",
              [&](std::string_view name) { return !!engine_.model().find_group(name); });
  }
  void fail(int32_t status, const std::string& text) {
    if (status_ == 0) status_ = tell(error_, status, text);
  }

 private:
  template <class Exists>
  std::string of(uint32_t number, const std::string& place, const std::string& kind, Exists exists) {
    const std::string_view name = engine_.name_text(number);
    if (name.empty()) {
      fail(CEDE_E_INVALID,
           place + ": " + std::to_string(number) + " is not the number of a name; a " + kind + " is needed");
    } else if (!exists(name)) {
      fail(CEDE_E_UNKNOWN, place + ": " + cede::quote(name) + " is not a " + kind);
    }
    return std::string(name);
  }

  const cede::Engine& engine_;
  cede_error* error_;
  int32_t status_ = 0;
};

// The term as text. Fields that its kind does not use must be 0.
std::string term_text(const cede_term& term, const std::string& place, QueryNames& names) {
  const bool needs_job = term.kind == CEDE_TERM_PROTECT;
  const bool needs_node = term.kind == CEDE_TERM_AVOID || term.kind == CEDE_TERM_ONLY;
  if (term.kind < CEDE_TERM_PROTECT || term.kind > CEDE_TERM_REFUSED) {
    names.fail(CEDE_E_INVALID, place + ".kind: " + std::to_string(term.kind) + " is outside " +
                                   std::to_string(CEDE_TERM_PROTECT) + ".." +
                                   std::to_string(CEDE_TERM_REFUSED));
  } else if (term.kind == CEDE_TERM_REFUSED) {
    names.fail(CEDE_E_VERSION,
               place + ".kind: refused places are not available in this version of the library");
  } else if ((!needs_job && term.job != 0) || (!needs_node && term.node != 0) || term.task != 0 ||
             term.index != 0 || term.combination != 0) {
    names.fail(CEDE_E_INVALID,
               place + ": has a field that a term of kind " + std::to_string(term.kind) + " does not use");
  } else if (needs_job) {
    return "protect=" + names.job(term.job, place + ".job");
  } else if (needs_node) {
    return (term.kind == CEDE_TERM_AVOID ? "avoid=" : "only=") + names.node(term.node, place + ".node");
  }
  return "partial";
}

// Checks the shared arguments, reads the terms and calls `decide` with the names.
template <class Decide>
int32_t plan_by_number(const PlanArguments& arguments, const ArrayIn<cede_term>& terms, cede_error* error,
                       Decide decide) {
  return guard(error, [&] {
    if (const int32_t status = plan_arguments_fault(arguments, error)) return status;
    if (const int32_t status = terms.fault("term", "terms", error)) return status;
    QueryNames names(arguments.engine->engine, error);
    std::vector<std::string> texts;
    for (size_t i = 0; i < terms.size() && names.status() == 0; ++i)
      texts.push_back(term_text(terms[i], "terms[" + std::to_string(i) + "]", names));
    return names.status() != 0 ? names.status() : decide(names, texts);
  });
}

// Checks a list of numbers: 0, or a status with the error filled in. `word` is the name of one.
int32_t list_fault(const uint32_t* numbers, size_t count, const std::string& word, cede_error* error) {
  if (!numbers && count > 0) return missing(error, word + "s: NULL, but " + word + "_count is not 0");
  return memory_fault(count, sizeof *numbers, word + "_count", error);
}

}  // namespace

int32_t cede_engine_plan(const cede_engine* engine, uint32_t job, int64_t now, const cede_term* terms,
                         size_t term_size, size_t term_count, cede_plan** plan, cede_error* error) {
  const PlanArguments arguments{engine, now, plan};
  return plan_by_number(arguments, {terms, term_size, term_count}, error,
                        [&](QueryNames& names, const std::vector<std::string>& texts) {
                          const std::string name = names.job(job, "job");
                          if (names.status() != 0) return names.status();
                          return cede::capi::make_plan(arguments, error,
                                                       [&](const cede::Engine& by, Problems& problems) {
                                                         return by.plan(name, now, texts, problems);
                                                       });
                        });
}

int32_t cede_engine_plan_batch(const cede_engine* engine, const uint32_t* jobs, size_t job_count, int64_t now,
                               const cede_term* terms, size_t term_size, size_t term_count, cede_plan** plans,
                               cede_error* error) {
  const PlanArguments arguments{engine, now, plans};
  return plan_by_number(arguments, {terms, term_size, term_count}, error,
                        [&](QueryNames& names, const std::vector<std::string>& texts) {
                          if (const int32_t status = list_fault(jobs, job_count, "job", error)) return status;
                          std::vector<std::string> asked;
                          for (size_t i = 0; i < job_count && names.status() == 0; ++i)
                            asked.push_back(names.job(jobs[i], "jobs[" + std::to_string(i) + "]"));
                          if (names.status() != 0) return names.status();
                          return cede::capi::make_batch(arguments, asked, texts, error);
                        });
}

int32_t cede_engine_plan_relief(const cede_engine* engine, int32_t kind, uint32_t target, uint32_t group,
                                int64_t now, const cede_term* terms, size_t term_size, size_t term_count,
                                cede_plan** plan, cede_error* error) {
  const PlanArguments arguments{engine, now, plan};
  return plan_by_number(
      arguments, {terms, term_size, term_count}, error,
      [&](QueryNames& names, const std::vector<std::string>& texts) {
        std::string text;
        switch (kind) {
          case CEDE_FOR_NODE: text = "node:" + names.node(target, "target"); break;
          case CEDE_FOR_QUEUE: text = "queue:" + names.queue(target, "target"); break;
          case CEDE_FOR_JOB_MAX: text = "job:" + names.job(target, "target"); break;
          default:
            return missing(error, "kind: " + std::to_string(kind) +
                                      " is not CEDE_FOR_NODE, CEDE_FOR_QUEUE or CEDE_FOR_JOB_MAX");
        }
        const std::string in = group == 0 ? std::string() : names.group(group, "group");
        if (names.status() != 0) return names.status();
        return cede::capi::make_plan(arguments, error, [&](const cede::Engine& by, Problems& problems) {
          return by.plan_relief(text, in, now, texts, problems);
        });
      });
}

int32_t cede_engine_plan_claim(const cede_engine* engine, uint32_t queue, const uint32_t* nodes,
                               size_t node_count, int32_t reason, int64_t now, const cede_term* terms,
                               size_t term_size, size_t term_count, cede_plan** plan, cede_error* error) {
  const PlanArguments arguments{engine, now, plan};
  return plan_by_number(
      arguments, {terms, term_size, term_count}, error,
      [&](QueryNames& names, const std::vector<std::string>& texts) {
        if (reason != CEDE_FOR_RECLAIM && reason != CEDE_FOR_SENSITIVE) {
          return missing(
              error, "reason: " + std::to_string(reason) + " is not CEDE_FOR_RECLAIM or CEDE_FOR_SENSITIVE");
        }
        if (const int32_t status = list_fault(nodes, node_count, "node", error)) return status;
        const std::string claiming = names.queue(queue, "queue");
        std::vector<std::string> claimed;
        for (size_t i = 0; i < node_count && names.status() == 0; ++i)
          claimed.push_back(names.node(nodes[i], "nodes[" + std::to_string(i) + "]"));
        if (names.status() != 0) return names.status();
        const char* const why = reason == CEDE_FOR_RECLAIM ? "reclaim" : "sensitive";
        return cede::capi::make_plan(arguments, error, [&](const cede::Engine& by, Problems& problems) {
          return by.plan_claim(claiming, claimed, why, now, texts, problems);
        });
      });
}
