// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace cede {

// The threads that may work on one decision. They are made when they are first needed, and never change an
// answer: work is cut into pieces whose number does not depend on them.
class Crew {
 public:
  // 0: as many as the process allows. A plan about fewer units than `least` is made before threads are up.
  explicit Crew(std::size_t threads, std::size_t least = 8192);
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  // Calls work(0) … work(pieces - 1), in any order and at the same time. Signals stay with the threads that
  // were there before.
  void each(std::size_t pieces, const std::function<void(std::size_t)>& work);

  bool is_worth(std::size_t units) const { return units >= least_; }

 private:
  struct Arena;
  const std::size_t threads_;
  const std::size_t least_;
  std::unique_ptr<Arena> arena_;
};

// Whoever is to work on so many units: the crew, or nobody beside the caller.
inline Crew* crew_for(Crew* crew, std::size_t units) {
  return crew && crew->is_worth(units) ? crew : nullptr;
}

// Without a crew the pieces are done one after the other.
void each_piece(Crew* crew, std::size_t pieces, const std::function<void(std::size_t)>& work);

}  // namespace cede
