// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/cow_map.h"
#include "model/drafts.h"

namespace cede {

// The jobs and nodes that left the model last, so that an event about one of them is not taken for an event
// about something unknown. At most kMost names are kept, the oldest go first. If more names than that leave
// between two steps, every name counts as vanished in the next step.
//
// Not saved: after a restart the manager reports the present state.
class VanishedNames {
 public:
  static constexpr std::size_t kMost = RemovedNames::kMost;
  enum class Kind : char { job = 'j', node = 'n' };

  void add(Kind kind, std::string_view name) {
    const std::string key = key_of(kind, name);
    if (serials_.find(key)) return;
    serials_.edit(key) = counts_.next;
    keys_.edit(counts_.next++) = key;
    if (keys_.size() <= kMost) return;
    serials_.erase(*keys_.find(counts_.first));
    keys_.erase(counts_.first++);
  }
  // More names left than the caller lists.
  void add_unlisted() { counts_.unlisted = true; }
  bool has(Kind kind, std::string_view name) const {
    return counts_.unlisted || counts_.first > counts_.at_step || serials_.find(key_of(kind, name));
  }
  void step_ended() {
    counts_.at_step = counts_.next;
    counts_.unlisted = false;
  }
  std::size_t size() const { return keys_.size(); }

  // Visits every member, for Undo.
  template <class Visit>
  void each_part(Visit visit) {
    visit(serials_, keys_, counts_);
  }

 private:
  static std::string key_of(Kind kind, std::string_view name) {
    return static_cast<char>(kind) + std::string(name);
  }

  struct Counts {
    std::uint64_t first = 0;  // the serial of the oldest name kept
    std::uint64_t next = 0;
    std::uint64_t at_step = 0;  // `next` at the end of the last step
    bool unlisted = false;
  };
  CowMap<std::string, std::uint64_t> serials_;
  CowMap<std::uint64_t, std::string> keys_;  // by serial
  Counts counts_;
};

}  // namespace cede
