// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

namespace local {

// How the value of a field of a scenario is written.
enum class ScenarioType : unsigned char {
  format,
  text,
  flag,
  speed,      // a number, kSlowest..kFastest
  duration,   // seconds or text such as "90s"
  signal,     // the name of a signal, with or without SIG
  word,       // one of `words`
  texts,      // a list of at least one text
  amounts,    // an object that maps at least one resource to an amount
  variables,  // an object that maps names to texts
  object,     // an object with the fields of `object`
  objects,    // a list of such objects
  document,   // a document of the library, or the name of a file with one
  jobs,       // the jobs of a cluster document, each with a `run`
  events      // a list of events, each with the fields of its kind
};

struct ScenarioObject;

// One field of a scenario: readers, schema and manual are made from the same rows.
struct ScenarioField {
  std::string_view name;
  ScenarioType type;
  std::string_view help;           // one sentence
  std::string_view fallback = {};  // the default as JSON; empty: none
  bool required = false;
  std::span<const std::string_view> words = {};
  const ScenarioObject* object = nullptr;
  std::string_view definition = {};  // of a document: what the library's schema calls it
};

struct ScenarioObject {
  std::string_view name;
  std::string_view help;
  std::span<const ScenarioField> fields;
};

inline constexpr double kSlowest = 0.01;
inline constexpr double kFastest = 10000;
inline constexpr std::size_t kMostTasks = 4096;  // that a `count` may stand for

extern const ScenarioObject kScenarioObject;
extern const ScenarioObject kRunObject;
extern const ScenarioObject kSavingObject;
// In the order of EventSpec::Kind.
extern const std::array<ScenarioObject, 5> kEventObjects;

// Fields of a cluster document's job, of its tasks and of its checkpoint that the run sets itself.
inline constexpr std::array<std::string_view, 8> kSetOfJob{
    "state",   "submitted",       "waiting_since", "started",
    "resumed", "preempted_count", "resume",        "below_fair_share_since"};
inline constexpr std::array<std::string_view, 3> kSetOfTask{"node", "gpus", "started"};
inline constexpr std::array<std::string_view, 1> kSetOfCheckpoint{"last"};

inline constexpr std::array<std::string_view, 8> kSignalWords{"USR1", "USR2", "HUP",  "INT",
                                                              "QUIT", "ALRM", "CONT", "TERM"};
inline constexpr std::array<std::string_view, 2> kClaimReasons{"reclaim", "sensitive"};

}  // namespace local
