// SPDX-License-Identifier: MIT
#include "engine/engine.h"

#include <memory>

#include "base/text.h"
#include "capi/guard.h"
#include "capi/handles.h"

using cede::Problems;
using cede::capi::done;
using cede::capi::guard;
using cede::capi::memory_fault;
using cede::capi::missing;
using cede::capi::tell;
using cede::capi::text_size_fault;

namespace {

// Structs and calls of older headers have another meaning.
constexpr uint32_t kFirstHeader = 2000;

std::string version_text(uint32_t version) {
  return std::to_string(version / 1000000) + '.' + std::to_string(version / 1000 % 1000) + '.' +
         std::to_string(version % 1000);
}

}  // namespace

int32_t cede_engine_create(const char* policy, size_t policy_size, const char* const* options,
                           size_t option_count, uint32_t header_version, cede_engine** engine,
                           cede_error* error) {
  return guard(error, [&] {
    if (!engine) return missing(error, "engine: NULL is not a place for the new engine");
    if (!policy && policy_size > 0) return missing(error, "policy: NULL, but policy_size is not 0");
    if (!options && option_count > 0) return missing(error, "options: NULL, but option_count is not 0");
    if (const int32_t status = memory_fault(option_count, sizeof *options, "option_count", error))
      return status;
    if (const int32_t status = memory_fault(policy_size, 1, "policy_size", error)) return status;
    if (header_version < kFirstHeader) {
      return tell(error, CEDE_E_VERSION,
                  "header_version: the program was built with the header of " + version_text(header_version) +
                      ", and this library takes those of " + version_text(kFirstHeader) +
                      " and later: build it again");
    }
    if (header_version > CEDE_VERSION) {
      return tell(error, CEDE_E_VERSION,
                  "header_version: " + std::to_string(header_version) + " is newer than the library's " +
                      std::to_string(CEDE_VERSION));
    }
    cede::Options chosen;
    for (size_t i = 0; i < option_count; ++i) {
      std::string why;
      if (!options[i]) return missing(error, "options[" + std::to_string(i) + "]: NULL is not an option");
      const cede::Status status = cede::set_option(chosen, options[i], why);
      if (status != cede::Status::ok) return tell(error, static_cast<int32_t>(status), why);
    }
    auto made = std::make_unique<cede_engine>(cede_engine{cede::Engine(chosen)});
    Problems problems = made->engine.new_problems();
    if (policy && !made->engine.set_policy({policy, policy_size}, problems)) return tell(error, problems);
    *engine = made.release();
    return done(error, problems);
  });
}

void cede_engine_destroy(cede_engine* engine) { delete engine; }

int32_t cede_engine_clone(const cede_engine* engine, cede_engine** copy, cede_error* error) {
  return guard(error, [&] {
    if (!engine) return missing(error, "engine: NULL is not an engine");
    if (!copy) return missing(error, "copy: NULL is not a place for the new engine");
    *copy = new cede_engine{engine->engine};
    return tell(error, CEDE_OK, {});
  });
}

int32_t cede_engine_set_log(cede_engine* engine, cede_log log, void* context, cede_error* error) {
  return guard(error, [&] {
    if (!engine) return missing(error, "engine: NULL is not an engine");
    engine->engine.set_log(log, context);
    return tell(error, CEDE_OK, {});
  });
}

namespace {

// The calls that take a document and change the engine.
int32_t take(cede_engine* engine, const char* text, size_t size, cede_error* error,
             bool (cede::Engine::*call)(std::string_view, Problems&)) {
  return guard(error, [&] {
    if (!engine) return missing(error, "engine: NULL is not an engine");
    if (!text) return missing(error, "text: NULL is not a document");
    if (const int32_t status =
            text_size_fault(size, engine->engine.options().limits.max_document_bytes, error))
      return status;
    Problems problems = engine->engine.new_problems();
    if (!(engine->engine.*call)({text, size}, problems)) return tell(error, problems);
    return done(error, problems);
  });
}

}  // namespace

int32_t cede_engine_load(cede_engine* engine, const char* text, size_t size, cede_error* error) {
  return take(engine, text, size, error, &cede::Engine::load);
}

int32_t cede_engine_apply(cede_engine* engine, const char* text, size_t size, cede_error* error) {
  return take(engine, text, size, error, &cede::Engine::apply);
}

int32_t cede_engine_set_policy(cede_engine* engine, const char* text, size_t size, cede_error* error) {
  return take(engine, text, size, error, &cede::Engine::set_policy);
}

uint64_t cede_engine_revision(const cede_engine* engine) { return engine ? engine->engine.revision() : 0; }

int32_t cede_document_kind(const char* text, size_t size, cede_error* error) {
  return guard(error, [&] {
    if (!text) return missing(error, "text: NULL is not a document");
    Problems problems;
    const cede::DocumentKind kind = cede::document_kind({text, size}, cede::Limits{}, problems);
    if (problems.failed()) return tell(error, problems);
    return tell(error, static_cast<int32_t>(kind), {});
  });
}

int32_t cede_engine_export(const cede_engine* engine, cede_text** text, cede_error* error) {
  return guard(error, [&] {
    if (!engine) return missing(error, "engine: NULL is not an engine");
    if (!text) return missing(error, "text: NULL is not a place for the new text");
    *text = new cede_text{engine->engine.export_cluster()};
    return tell(error, CEDE_OK, {});
  });
}
