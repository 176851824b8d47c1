// SPDX-License-Identifier: MIT
// What the fuzz targets share: each is one LLVMFuzzerTestOneInput() that sees the public header alone.
// Whatever breaks a promise of that header ends the process with a sentence, which is how a fuzzer is told.
#pragma once

#include <cede/cede.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace fuzz {

// A finding: says what and where, and ends the process.
[[noreturn]] void fail(const char* where, std::string_view what);
inline void expect(bool good, const char* where, std::string_view what) {
  if (!good) fail(where, what);
}

// The error of one call. After the call, with its status, checks what the header promises: the error repeats
// the status and says why in one visible line; a bug of the library or a lack of memory is never the answer.
// With CEDE_FUZZ_TRACE in the environment every call is told, which is how to read an input that is no text.
class Error {
 public:
  Error();
  cede_error* out() { return &error_; }
  std::int32_t status(std::int32_t status, const char* call);
  std::string_view text() const { return error_.text; }

 private:
  cede_error error_;
};

struct Destroy {
  void operator()(cede_engine* engine) const { cede_engine_destroy(engine); }
  void operator()(cede_report* report) const { cede_report_destroy(report); }
  void operator()(cede_text* text) const { cede_text_destroy(text); }
  void operator()(cede_admission* admission) const { cede_admission_destroy(admission); }
  void operator()(cede_plan* plan) const { cede_plan_destroy(plan); }
  void operator()(cede_step* step) const { cede_step_destroy(step); }
  void operator()(cede_ledger* ledger) const { cede_ledger_destroy(ledger); }
  void operator()(cede_topology* topology) const { cede_topology_destroy(topology); }
};
template <class Handle>
using Owned = std::unique_ptr<Handle, Destroy>;

// A text handed out: well-formed UTF-8 with a NUL behind it.
std::string taken(cede_text* text, const char* call);
// A sentence or picture for people, which shows nothing that is not seen.
void expect_visible(std::string_view text, const char* where, bool lines = false);

// One thread, and the library's own audit after every call where this library has one.
Owned<cede_engine> new_engine(std::string_view policy, const std::vector<std::string>& options = {});
std::int32_t load(cede_engine* engine, std::string_view cluster);
Owned<cede_engine> clone_of(const cede_engine* engine);
std::string exported(const cede_engine* engine);

// Loads the export elsewhere: it is taken, and its export is the same.
void expect_round_trip(const cede_engine* engine);
// cede_engine_check() says what the call that takes the document said.
void expect_check_agrees(const cede_engine* engine, std::string_view text, std::int32_t status);

// Asks everything a plan can be asked. It must verify.
// Everything that one of the array calls gives, asked for in two ways.
template <class Handle, class Struct>
std::vector<Struct> all_of(std::int32_t (*call)(const Handle*, Struct*, std::size_t, std::size_t,
                                                std::size_t*, cede_error*),
                           const Handle* handle, const char* name) {
  Error error;
  std::size_t count = 0, again = 0;
  error.status(call(handle, nullptr, sizeof(Struct), 0, &count, error.out()), name);
  std::vector<Struct> out(count + 1);
  error.status(call(handle, out.data(), sizeof(Struct), count + 1, &again, error.out()), name);
  expect(count == again, name, "another count when asked again");
  out.resize(count);
  return out;
}

void look_at_plan(const cede_plan* plan);
void look_at_step(const cede_step* step, std::size_t events);
void look_at_ledger(const cede_engine* engine);

// The texts behind "id": in a document, at most `most`.
std::vector<std::string> ids_in(std::string_view document, std::size_t most);

inline constexpr std::size_t kProfiles = 5;
// A policy "default" of that profile, and "other" of the next.
std::string policy_of(std::size_t profile);
// A small cluster in which every profile has something to do: see fuzz.cpp.
std::string_view small_cluster();
// An engine with both, as new: a copy of one that is made once.
Owned<cede_engine> small_engine(std::size_t profile);

}  // namespace fuzz
