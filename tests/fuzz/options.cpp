// SPDX-License-Identifier: MIT
// Options and terms: lines, each with a letter for what it is (see kinds below) and the text. Everything is
// asked of a small cluster once all lines are read.
#include "fuzz.h"

namespace {

struct Lines {
  std::vector<std::string> options;  // o
  std::vector<std::string> terms;    // t
  std::vector<std::string> jobs;     // j: planned for one by one, and as a batch
  std::vector<std::string> targets;  // r: relieved
  std::vector<std::string> nodes;    // n: claimed
  std::vector<std::string> queues;   // q: who claims
  std::vector<std::string> reasons;  // w: why
  std::vector<std::string> groups;   // g: of relief and shares
  std::vector<std::string> names;    // a: numbers for names
  std::size_t profile = 0;           // p: as many as there are of these
};

Lines lines_of(std::string_view text) {
  Lines out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string line(text.substr(0, end).substr(0, text.substr(0, end).find('\0')));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty()) continue;
    const std::string rest = line.substr(1);
    switch (line[0]) {
      case 'o': out.options.push_back(rest); break;
      case 't': out.terms.push_back(rest); break;
      case 'j': out.jobs.push_back(rest); break;
      case 'r': out.targets.push_back(rest); break;
      case 'n': out.nodes.push_back(rest); break;
      case 'q': out.queues.push_back(rest); break;
      case 'w': out.reasons.push_back(rest); break;
      case 'g': out.groups.push_back(rest); break;
      case 'a': out.names.push_back(rest); break;
      default: ++out.profile;
    }
  }
  return out;
}

std::vector<const char*> pointers(const std::vector<std::string>& texts) {
  std::vector<const char*> out;
  for (const std::string& text : texts) out.push_back(text.c_str());
  return out;
}

void look_at(std::int32_t status, cede_plan* made, const char* call) {
  const fuzz::Owned<cede_plan> plan(made);
  fuzz::expect((status == CEDE_OK) == (made != nullptr), call, "a plan, or none");
  if (made) fuzz::look_at_plan(made);
}

void plan_jobs(const cede_engine* engine, const Lines& lines) {
  const std::vector<const char*> terms = pointers(lines.terms);
  fuzz::Error error;
  for (const std::string& job : lines.jobs) {
    cede_plan* made = nullptr;
    const std::int32_t status = error.status(cede_plan_create(engine, job.c_str(), CEDE_NOW_OF_CLUSTER,
                                                              terms.data(), terms.size(), &made, error.out()),
                                             "cede_plan_create");
    look_at(status, made, "cede_plan_create");
  }
  const std::vector<const char*> jobs = pointers(lines.jobs);
  std::vector<cede_plan*> plans(jobs.size() + 1);
  const std::int32_t status =
      error.status(cede_plan_create_batch(engine, jobs.data(), jobs.size(), CEDE_NOW_OF_CLUSTER, terms.data(),
                                          terms.size(), plans.data(), error.out()),
                   "cede_plan_create_batch");
  for (std::size_t i = 0; i < jobs.size(); ++i) look_at(status, plans[i], "cede_plan_create_batch");
}

void plan_others(const cede_engine* engine, const Lines& lines) {
  const std::vector<const char*> terms = pointers(lines.terms);
  const std::vector<const char*> nodes = pointers(lines.nodes);
  const char* const group = lines.groups.empty() ? nullptr : lines.groups[0].c_str();
  fuzz::Error error;
  for (const std::string& target : lines.targets) {
    cede_plan* made = nullptr;
    const std::int32_t status =
        error.status(cede_plan_create_relief(engine, target.c_str(), group, CEDE_NOW_OF_CLUSTER, terms.data(),
                                             terms.size(), &made, error.out()),
                     "cede_plan_create_relief");
    look_at(status, made, "cede_plan_create_relief");
  }
  for (std::size_t i = 0; i < lines.queues.size() && i < lines.reasons.size(); ++i) {
    cede_plan* made = nullptr;
    const std::int32_t status =
        error.status(cede_plan_create_claim(engine, lines.queues[i].c_str(), nodes.data(), nodes.size(),
                                            lines.reasons[i].c_str(), CEDE_NOW_OF_CLUSTER, terms.data(),
                                            terms.size(), &made, error.out()),
                     "cede_plan_create_claim");
    look_at(status, made, "cede_plan_create_claim");
  }
  cede_text* text = nullptr;
  if (error.status(cede_engine_shares(engine, group, CEDE_NOW_OF_CLUSTER, &text, error.out()),
                   "cede_engine_shares") == CEDE_OK)
    fuzz::taken(text, "cede_engine_shares");
}

void name_all(cede_engine* engine, const Lines& lines) {
  fuzz::Error error;
  for (const std::string& name : lines.names) {
    std::uint32_t number = 0;
    const std::int32_t status = error.status(
        cede_engine_name(engine, name.data(), name.size(), &number, error.out()), "cede_engine_name");
    const bool named = status == CEDE_OK;
    fuzz::expect(cede_engine_find_name(engine, name.data(), name.size()) == number, "cede_engine_find_name",
                 "another");
    if (!named) continue;
    fuzz::expect(cede_engine_name_text(engine, number) == name, "cede_engine_name_text", "another name");
    for (std::int32_t kind = CEDE_PART_REQUIREMENT; kind <= CEDE_PART_FINGERPRINT; ++kind) {
      std::uint32_t part = 0;
      error.status(cede_engine_part(engine, kind, name.data(), name.size(), &part, error.out()),
                   "cede_engine_part");
    }
    error.status(cede_engine_forget(engine, &number, 1, error.out()), "cede_engine_forget");
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  const Lines lines = lines_of(text);
  const fuzz::Owned<cede_engine> engine = fuzz::new_engine(fuzz::policy_of(lines.profile), lines.options);
  if (!engine || fuzz::load(engine.get(), fuzz::small_cluster()) < 0) return 0;
  plan_jobs(engine.get(), lines);
  plan_others(engine.get(), lines);
  name_all(engine.get(), lines);
  return 0;
}
