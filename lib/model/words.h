// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace cede {

// The closed vocabularies of the documents. The words of each enum are in the order of its values. `absent`
// means that the document does not give a value and the default applies, which may depend on the profile.

enum class OptionalFlag : std::uint8_t { absent, yes, no };

enum class Preemptible : std::uint8_t { absent, yes, no, last_resort };

enum class NodeState : std::uint8_t { up, drain, down };
inline constexpr std::array<std::string_view, 3> kNodeStates{"up", "drain", "down"};

enum class JobState : std::uint8_t { pending, running, checkpointing, preempting, suspended };
inline constexpr std::array<std::string_view, 5> kJobStates{"pending", "running", "checkpointing",
                                                            "preempting", "suspended"};

enum class JobKind : std::uint8_t { batch, inference, interactive, service, training, sensitive, absent };
inline constexpr std::array<std::string_view, 6> kJobKinds{"batch",   "inference", "interactive",
                                                           "service", "training",  "sensitive"};

enum class CheckpointMode : std::uint8_t { none, automatic, manual, absent };
inline constexpr std::array<std::string_view, 3> kCheckpointModes{"none", "auto", "manual"};

enum class CheckpointVia : std::uint8_t { signal, shmem, callback, absent };
inline constexpr std::array<std::string_view, 3> kCheckpointVias{"signal", "shmem", "callback"};

enum class QueuePolicy : std::uint8_t { normal, fence, disabled, absent };
inline constexpr std::array<std::string_view, 3> kQueuePolicies{"default", "fence", "disabled"};

// The value for a word.
template <class Enum>
std::optional<Enum> from_word(std::string_view word, std::span<const std::string_view> words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == word) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

template <class Enum>
constexpr std::string_view to_word(Enum value, std::span<const std::string_view> words) {
  return words[static_cast<std::size_t>(value)];
}

}  // namespace cede
