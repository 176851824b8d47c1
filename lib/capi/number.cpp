// SPDX-License-Identifier: MIT
#include <algorithm>
#include <vector>

#include "base/text.h"
#include "capi/array_in.h"

using cede::PartKind;
using cede::PartRegistry;
using cede::Problems;
using cede::capi::ArrayIn;
using cede::capi::guard;
using cede::capi::memory_fault;
using cede::capi::missing;
using cede::capi::tell;
using cede::capi::text_size_fault;

static_assert(static_cast<int32_t>(PartKind::requirement) == CEDE_PART_REQUIREMENT);
static_assert(static_cast<int32_t>(PartKind::queue_settings) == CEDE_PART_QUEUE_SETTINGS);
static_assert(static_cast<int32_t>(PartKind::job_settings) == CEDE_PART_JOB_SETTINGS);
static_assert(static_cast<int32_t>(PartKind::labels) == CEDE_PART_LABELS);
static_assert(static_cast<int32_t>(PartKind::fingerprint) == CEDE_PART_FINGERPRINT);

int32_t cede_engine_name(cede_engine* engine, const char* text, size_t size, uint32_t* number,
                         cede_error* error) {
  return guard(error, [&] {
    if (!engine) return missing(error, "engine: NULL is not an engine");
    if (!text) return missing(error, "text: NULL is not a name");
    if (!number) return missing(error, "number: NULL is not a place for the number");
    if (const int32_t status = memory_fault(size, 1, "size", error)) return status;
    const std::string_view name(text, size);
    if (const std::string fault = cede::text_fault(name); !fault.empty())
      return missing(error, "text: " + fault);
    *number = engine->engine.name(name);
    return tell(error, CEDE_OK, {});
  });
}

int32_t cede_engine_names(cede_engine* engine, const char* const* texts, const size_t* sizes,
                          size_t text_count, uint32_t* numbers, cede_error* error) {
  return guard(error, [&] {
    if (!engine) return missing(error, "engine: NULL is not an engine");
    if (!texts && text_count > 0) return missing(error, "texts: NULL, but text_count is not 0");
    if (!numbers && text_count > 0) return missing(error, "numbers: NULL, but text_count is not 0");
    if (const int32_t status = memory_fault(text_count, sizeof *texts, "text_count", error)) return status;
    const cede::TextList names(texts, sizes, text_count);
    const size_t good = engine->engine.name_all(names, numbers);
    if (good == text_count) return tell(error, CEDE_OK, {});
    const std::string place = "texts[" + std::to_string(good) + "]";
    if (const int32_t status =
            sizes ? memory_fault(sizes[good], 1, "sizes[" + std::to_string(good) + "]", error) : 0)
      return status;
    const std::string fault = texts[good] ? cede::text_fault(names[good]) : "NULL is not a name";
    return missing(error, place + ": " + fault);
  });
}

int32_t cede_engine_names_packed(cede_engine* engine, const char* texts, size_t texts_size,
                                 const uint64_t* offsets, size_t name_count, uint32_t* numbers,
                                 cede_error* error) {
  return guard(error, [&] {
    if (!engine) return missing(error, "engine: NULL is not an engine");
    if (name_count == 0) return tell(error, CEDE_OK, {});
    if (!texts && texts_size > 0) return missing(error, "texts: NULL, but texts_size is not 0");
    if (!offsets) return missing(error, "offsets: NULL, but name_count is not 0");
    if (!numbers) return missing(error, "numbers: NULL, but name_count is not 0");
    if (const int32_t status = memory_fault(texts_size, 1, "texts_size", error)) return status;
    if (const int32_t status = memory_fault(name_count, sizeof *offsets, "name_count", error)) return status;
    for (size_t i = 0; i <= name_count; ++i) {
      const uint64_t before = i == 0 ? 0 : offsets[i - 1];
      if (offsets[i] >= before && offsets[i] <= texts_size) continue;
      return missing(error, "offsets[" + std::to_string(i) + "]: " + std::to_string(offsets[i]) +
                                " is outside " + std::to_string(before) + ".." + std::to_string(texts_size));
    }
    const cede::TextList names(texts, offsets, name_count);
    const size_t good = engine->engine.name_all(names, numbers);
    if (good == name_count) return tell(error, CEDE_OK, {});
    return missing(error, "texts[" + std::to_string(good) + "]: " + cede::text_fault(names[good]));
  });
}

uint32_t cede_engine_find_name(const cede_engine* engine, const char* text, size_t size) {
  return engine && text ? engine->engine.find_name({text, size}) : 0;
}

const char* cede_engine_name_text(const cede_engine* engine, uint32_t number) {
  if (!engine) return nullptr;
  const std::string_view text = engine->engine.name_text(number);
  return text.empty() ? nullptr : text.data();
}

int32_t cede_engine_name_texts(const cede_engine* engine, const uint32_t* numbers, size_t number_count,
                               char* texts, size_t capacity, size_t* size, uint64_t* offsets,
                               cede_error* error) {
  return guard(error, [&] {
    if (!engine) return missing(error, "engine: NULL is not an engine");
    if (!numbers && number_count > 0) return missing(error, "numbers: NULL, but number_count is not 0");
    if (!texts && capacity > 0) return missing(error, "texts: NULL, but capacity is not 0");
    if (const int32_t status = memory_fault(number_count, sizeof *offsets, "number_count", error))
      return status;
    for (size_t i = 0; i < number_count; ++i) {
      if (numbers[i] == 0 || !engine->engine.name_text(numbers[i]).empty()) continue;
      return missing(error, "numbers[" + std::to_string(i) + "]: " + std::to_string(numbers[i]) +
                                " is not the number of a name");
    }
    size_t all = 0;
    for (size_t i = 0; i < number_count; ++i) {
      const std::string_view name = engine->engine.name_text(numbers[i]);
      if (offsets) offsets[i] = all;
      if (all <= capacity && name.size() <= capacity - all) std::copy(name.begin(), name.end(), texts + all);
      all += name.size();
    }
    if (offsets) offsets[number_count] = all;
    if (size) *size = all;
    return tell(error, CEDE_OK, {});
  });
}

int32_t cede_engine_resources(cede_engine* engine, const cede_amount* amounts, size_t amount_size,
                              size_t amount_count, uint32_t* number, cede_error* error) {
  return guard(error, [&] {
    if (!engine) return missing(error, "engine: NULL is not an engine");
    if (!number) return missing(error, "number: NULL is not a place for the number");
    const ArrayIn<cede_amount> in(amounts, amount_size, amount_count);
    if (const int32_t status = in.fault("amount", "amounts", error)) return status;
    PartRegistry::Amounts taken;
    for (size_t i = 0; i < in.size(); ++i) {
      const cede_amount entry = in[i];
      const std::string place = "amounts[" + std::to_string(i) + "].";
      const std::string_view name = engine->engine.name_text(entry.resource);
      if (name.empty()) {
        return tell(error, CEDE_E_UNKNOWN,
                    place + "resource: " + std::to_string(entry.resource) + " is not the number of a name");
      }
      if (entry.reserved != 0) return tell(error, CEDE_E_VERSION, place + "reserved: is not 0");
      if (entry.amount < 0 || entry.amount > cede::kMaxAmount) {
        return missing(error, place + "amount: " + std::to_string(entry.amount) + " is outside 0.." +
                                  std::to_string(cede::kMaxAmount));
      }
      const auto same = [&](const auto& known) { return known.first == name; };
      if (std::any_of(taken.begin(), taken.end(), same))
        return missing(error, place + "resource: " + cede::quote(name) + " is given twice");
      taken.emplace_back(name, entry.amount);
    }
    *number = engine->engine.parts().add_resources(taken);
    return tell(error, CEDE_OK, {});
  });
}

int32_t cede_engine_list(cede_engine* engine, const uint32_t* names, size_t name_count, uint32_t* number,
                         cede_error* error) {
  return guard(error, [&] {
    if (!engine) return missing(error, "engine: NULL is not an engine");
    if (!number) return missing(error, "number: NULL is not a place for the number");
    if (!names && name_count > 0) return missing(error, "names: NULL, but name_count is not 0");
    if (name_count > engine->engine.options().limits.max_list) {
      return tell(error, CEDE_E_LIMIT,
                  "names: more than " + std::to_string(engine->engine.options().limits.max_list) +
                      " entries (limit max_list)");
    }
    std::vector<std::string_view> taken;
    for (size_t i = 0; i < name_count; ++i) {
      taken.push_back(engine->engine.name_text(names[i]));
      if (!taken.back().empty()) continue;
      return tell(
          error, CEDE_E_UNKNOWN,
          "names[" + std::to_string(i) + "]: " + std::to_string(names[i]) + " is not the number of a name");
    }
    *number = engine->engine.parts().add_list(taken);
    return tell(error, CEDE_OK, {});
  });
}

int32_t cede_engine_part(cede_engine* engine, int32_t kind, const char* text, size_t size, uint32_t* number,
                         cede_error* error) {
  return guard(error, [&] {
    if (!engine) return missing(error, "engine: NULL is not an engine");
    if (kind < CEDE_PART_REQUIREMENT || kind > CEDE_PART_FINGERPRINT)
      return missing(error, "kind: " + std::to_string(kind) + " is not one of CEDE_PART_...");
    if (!text) return missing(error, "text: NULL is not a part");
    if (!number) return missing(error, "number: NULL is not a place for the number");
    if (const int32_t status =
            text_size_fault(size, engine->engine.options().limits.max_document_bytes, error))
      return status;
    Problems problems = engine->engine.new_problems();
    const uint32_t made = engine->engine.parts().add_text(static_cast<PartKind>(kind), {text, size},
                                                          engine->engine.options().limits, problems);
    if (problems.failed()) return tell(error, problems);
    *number = made;
    return tell(error, CEDE_OK, {});
  });
}

int32_t cede_engine_forget(cede_engine* engine, const uint32_t* numbers, size_t number_count,
                           cede_error* error) {
  return guard(error, [&] {
    if (!engine) return missing(error, "engine: NULL is not an engine");
    if (!numbers && number_count > 0) return missing(error, "numbers: NULL, but number_count is not 0");
    if (const int32_t status = memory_fault(number_count, sizeof *numbers, "number_count", error))
      return status;
    Problems problems = engine->engine.new_problems();
    if (!engine->engine.forget({numbers, number_count}, problems)) return tell(error, problems);
    return tell(error, CEDE_OK, {});
  });
}
